//! Suites: positions drawn from a solved game with the moves that are right in them, to test programs that play.
//!
//! A suite has won positions for each number of plies, and positions in which only one move does not lose. Drawing starts
//! from lost positions, up to the same number for each number of plies, and goes one move back or forward from them. So long
//! wins, which are rare among all positions, come as often as short ones. The seed and the solved game decide what is drawn.

mod gobblet;
mod junior;

pub(crate) use junior::canonical_on_nine;

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;

use gobjunior::solver::Value;

use crate::enumerate::random::Random;

/// A solved game from which a suite can be drawn. A value is seen from the side to move. Where the sides are not alike,
/// everything that White holds counts as a draw.
pub trait SolvedGame {
    /// A position.
    type Position: Copy + Eq + Hash;
    /// A move.
    type Move;
    /// Why the solved game cannot be read.
    type Error;

    /// Some positions that the side to move loses, by the plies to the loss: at most `most` for each number of plies.
    ///
    /// # Errors
    /// The solved game cannot be read.
    fn losses(&mut self, most: usize, seed: u64) -> Result<BTreeMap<u32, Vec<Self::Position>>, Self::Error>;

    /// At most `most` positions that neither side wins; none if they cannot be found without a search.
    fn draws(&mut self, most: usize, seed: u64) -> Vec<Self::Position>;

    /// The positions in which play goes on after a move.
    fn next(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// The positions of the game from which a move may have led to this one.
    fn before(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// What each move is worth to the side that makes it, the best first. Where White need only hold, its wins may count as
    /// draws.
    ///
    /// # Errors
    /// The solved game cannot be read.
    fn moves(&mut self, position: &Self::Position) -> Result<Vec<(Self::Move, Value)>, Self::Error>;

    /// Whether a draw shows that the side to move does not lose. Not for Black where all that White holds is a draw.
    fn may_hold(&self, position: &Self::Position) -> bool;

    /// An image of this position by a symmetry of the board, perhaps with the sides exchanged; `number` chooses which.
    fn image(&self, position: &Self::Position, number: u64) -> Self::Position;

    /// The one position that stands for all its images.
    fn canonical(&self, position: &Self::Position) -> Self::Position;
}

/// How many positions a suite is to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Won positions, for each number of plies to the win.
    pub wins: usize,
    /// Positions in which only one move does not lose.
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

/// The problems that were drawn: the wins by plies, then those with one move that does not lose. None is an image of another.
pub type Suite<P, M> = Vec<Problem<P, M>>;

/// How many times drawing goes through the lost positions at most, if all that were asked for were found.
const TRIES: usize = 4;
/// How many lost positions are asked for, for each win that is wanted.
const SPARE: usize = 4;

/// Draws a suite. `listen` hears how many problems there are so far.
///
/// Fewer than wanted are drawn if no more exist that differ by more than a symmetry, or if they are hard to find.
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
        // The lengths of wins become known as they are met. A win is one ply longer than the loss that it leads to.
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
            // One move from a lost position leads to wins of shorter lengths, down to one ply.
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
    /// The canonical positions that were added as wins or looked at as draws.
    met: HashSet<S::Position>,
    wins: BTreeMap<u32, Suite<S::Position, S::Move>>,
    only: Suite<S::Position, S::Move>,
}

impl<S: SolvedGame> Drawing<'_, S> {
    /// Whether more wins in `plies` are wanted.
    fn is_open(&self, plies: u32) -> bool {
        self.wins.get(&plies).map_or(0, Vec::len) < self.wanted.wins
    }

    /// Picks one position `among` these and adds it if it is a win that is still wanted. Returns it if it is won.
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

    /// Picks one position `among` these and adds it if only one move does not lose there.
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
