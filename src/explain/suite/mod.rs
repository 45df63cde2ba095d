//! Suites: positions drawn from a solved game with the moves that are right in them, to test programs that play.
//!
//! A suite has positions that are won in each number of plies, and positions in which one move alone does not lose. The draw
//! begins with lost positions, as many of each number of plies, and goes a move back or on from them. So long wins, which are
//! rare among all positions, come as often as short ones. It depends on the seed and the solved game alone.

mod gobblet;
mod junior;

pub(crate) use junior::canonical_on_nine;

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

use gobjunior::solver::Value;

use crate::enumerate::random::Random;

/// A solved game, as a suite is drawn from it. A value is that for the side to move; where the sides are not alike, a draw is
/// whatever White holds.
pub trait SolvedGame {
    /// A position.
    type Position: Copy + Eq + Hash;
    /// A move.
    type Move;
    /// Why a value cannot be had.
    type Error;

    /// Some positions that the side to move loses, by the plies of the loss: of each number of plies at most `most`.
    ///
    /// # Errors
    /// The solved game cannot be read.
    fn losses(&mut self, most: usize, seed: u64) -> Result<BTreeMap<u32, Vec<Self::Position>>, Self::Error>;

    /// Some positions that neither side wins, at most `most`, where they can be had without a search.
    fn draws(&mut self, most: usize, seed: u64) -> Vec<Self::Position>;

    /// The positions in which play goes on after a move.
    fn next(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// The positions of the game from which a move may have led to this one.
    fn before(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// What each move is worth to the side that makes it, the best first. A win that White has where it need only hold may count
    /// as a draw.
    ///
    /// # Errors
    /// The solved game cannot be read.
    fn moves(&mut self, position: &Self::Position) -> Result<Vec<(Self::Move, Value)>, Self::Error>;

    /// Whether a side to move that does not win is known not to lose.
    fn may_hold(&self, position: &Self::Position) -> bool;

    /// One of the positions that a symmetry of the board, or an exchange of the sides, makes of this one; `number` chooses
    /// which.
    fn image(&self, position: &Self::Position, number: u64) -> Self::Position;

    /// The one position that stands for all that are alike.
    fn canonical(&self, position: &Self::Position) -> Self::Position;
}

/// How many positions a suite is to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// For each number of plies to a win.
    pub wins: usize,
    /// With one move that does not lose.
    pub only: usize,
}

/// A position and what is right in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem<P, M> {
    /// The position.
    pub position: P,
    /// A win in some plies, or a draw.
    pub value: Value,
    /// The moves that keep the win, with what each is worth, the quickest first; or the one that does not lose.
    pub right: Vec<(M, Value)>,
}

/// The problems that were drawn: the wins by plies, then those with one move that does not lose. No two are alike.
pub type Suite<P, M> = Vec<Problem<P, M>>;

/// How many times over the lost positions at hand are begun with, at most.
const TRIES: usize = 4;
/// How many lost positions are at hand for each that is wanted.
const SPARE: usize = 4;

/// Draws a suite. `listen` hears how many problems there are so far.
///
/// Fewer than wanted are drawn where there are no more that differ by more than a symmetry, or where they are hard to come by.
///
/// # Errors
/// The solved game cannot be read.
pub fn draw<S: SolvedGame>(
    solved: &mut S,
    wanted: Wanted,
    seed: u64,
    listen: &mut dyn FnMut(usize),
) -> Result<Suite<S::Position, S::Move>, S::Error> {
    let each = SPARE * wanted.wins.max(1);
    let losses: Vec<(u32, Vec<S::Position>)> = solved.losses(each, seed)?.into_iter().collect();
    let mut drawing = Drawing {
        solved,
        wanted,
        random: Random(seed),
        met: HashSet::new(),
        wins: BTreeMap::new(),
        only: Vec::new(),
    };
    for draw in drawing.solved.draws(TRIES * SPARE * wanted.only, seed) {
        drawing.try_only(&[draw])?;
    }
    for round in 0..TRIES * each.max(wanted.only) {
        let only_open = drawing.only.len() < wanted.only;
        // Which lengths there are shows in time; the longest wins begin a move before the longest losses.
        let shorter_open = drawing.wins.keys().any(|plies| drawing.is_open(*plies)) || round < each;
        let longer_open = losses.iter().any(|(plies, _)| drawing.is_open(plies + 1));
        if !(only_open || shorter_open || longer_open) {
            break;
        }
        for (plies, lost) in &losses {
            let Some(lost) = lost.get(round % lost.len().max(1)) else { continue };
            if drawing.is_open(plies + 1) {
                let before = drawing.solved.before(lost);
                drawing.try_win(&before)?;
            }
            // From what is lost the wins of all shorter lengths are a move away, those in one ply too.
            if only_open || shorter_open {
                let next = drawing.solved.next(lost);
                if let Some(won) = drawing.try_win(&next)?
                    && only_open
                {
                    let before = drawing.solved.before(&won);
                    drawing.try_only(&before)?;
                }
            }
        }
        listen(drawing.wins.values().map(Vec::len).sum::<usize>() + drawing.only.len());
    }
    Ok(drawing.wins.into_values().flatten().chain(drawing.only).collect())
}

/// A suite that is being drawn.
struct Drawing<'a, S: SolvedGame> {
    solved: &'a mut S,
    wanted: Wanted,
    random: Random,
    /// What was looked at, as a win or as a draw.
    met: HashSet<S::Position>,
    wins: BTreeMap<u32, Suite<S::Position, S::Move>>,
    only: Suite<S::Position, S::Move>,
}

impl<S: SolvedGame> Drawing<'_, S> {
    /// Whether more wins in some plies are wanted.
    fn is_open(&self, plies: u32) -> bool {
        self.wins.get(&plies).map_or(0, Vec::len) < self.wanted.wins
    }

    /// Takes one of some positions if it is a win that is still wanted; says which one it looked at if that is won.
    fn try_win(&mut self, among: &[S::Position]) -> Result<Option<S::Position>, S::Error> {
        let Some(&position) = self.random.of(among) else { return Ok(None) };
        let moves = self.solved.moves(&position)?;
        let Some(&(_, value @ Value::Win(plies))) = moves.first() else { return Ok(None) };
        if self.is_open(plies) && self.met.insert(self.solved.canonical(&position)) {
            let problem = self.problem(&position, value)?;
            self.wins.entry(plies).or_default().push(problem);
        }
        Ok(Some(position))
    }

    /// Takes one of some positions if one move alone does not lose there.
    fn try_only(&mut self, among: &[S::Position]) -> Result<(), S::Error> {
        let Some(&position) = self.random.of(among) else { return Ok(()) };
        if !self.solved.may_hold(&position) || !self.met.insert(self.solved.canonical(&position)) {
            return Ok(());
        }
        let moves = self.solved.moves(&position)?;
        let mut values = moves.iter().map(|(_, value)| *value);
        let is_only = values.next() == Some(Value::Draw) && matches!(values.next(), Some(Value::Loss(_)));
        if is_only && self.only.len() < self.wanted.only {
            let problem = self.problem(&position, Value::Draw)?;
            self.only.push(problem);
        }
        Ok(())
    }

    /// An image of a position with the moves that are right there.
    fn problem(
        &mut self,
        position: &S::Position,
        value: Value,
    ) -> Result<Problem<S::Position, S::Move>, S::Error> {
        let position = self.solved.image(position, self.random.next());
        let mut right = self.solved.moves(&position)?;
        let is_right = |made: &Value| {
            matches!((value, made), (Value::Win(_), Value::Win(_)) | (Value::Draw, Value::Draw))
        };
        right.retain(|(_, made)| is_right(made));
        Ok(Problem { position, value, right })
    }
}
