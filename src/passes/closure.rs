//! Closures out of a solution: White keeps to one safe answer to each black move, and to as few positions
//! as it can. Shrinking it further is for [`shrink`](super::shrink).

use std::ops::ControlFlow;

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;

use super::solution::Solution;
use super::weights::Weights;
use crate::enumerate::Tier;
use crate::rules::{Color, Game, Mask, Outcome, Position, Size};
use crate::symmetry::{self, Symmetry};

/// A set of orbits of one side to move, a bit a position.
struct Orbits<'a> {
    solution: &'a Solution,
    tiers: Vec<BitVec<u64, Lsb0>>,
}

impl<'a> Orbits<'a> {
    fn none(solution: &'a Solution) -> Orbits<'a> {
        let tiers =
            solution.layout.all().iter().map(|tier| BitVec::repeat(false, 64 * tier.words * tier.rows));
        Orbits { solution, tiers: tiers.collect() }
    }

    /// The tier and the bit of a position.
    fn place(&self, position: &Position) -> (usize, usize) {
        let layout = &self.solution.layout;
        let tier = layout.tiers().index(Tier::of(position)).unwrap_or_default();
        (tier, layout.bit(layout.tier(tier), position))
    }

    fn holds(&self, (tier, bit): (usize, usize)) -> bool {
        self.tiers[tier][bit]
    }

    /// Adds an orbit; whether it is new.
    fn insert(&mut self, position: &Position) -> bool {
        let (tier, bit) = self.place(position);
        let new = !self.holds((tier, bit));
        let layout = &self.solution.layout;
        let bits = &mut self.tiers[tier];
        layout.bits(layout.tier(tier), position, |bit| bits.set(bit, true));
        new
    }
}

/// The positions, White to move, that Black can bring about from a position and that White has to answer.
pub(super) fn questions<'a>(game: &'a Game, position: &'a Position) -> impl Iterator<Item = Position> + 'a {
    game.moves(position).filter_map(|mv| match game.play_unchecked(position, mv) {
        Outcome::GoesOn(next) => Some(next),
        Outcome::BlackWins | Outcome::WhiteWins => None,
    })
}

/// White's answers that go on, or `None` if one of its moves wins.
pub(super) fn answers(game: &Game, question: &Position) -> Option<Vec<Position>> {
    let mut answers = Vec::new();
    for mv in game.moves(question) {
        match game.play_unchecked(question, mv) {
            Outcome::WhiteWins => return None,
            Outcome::BlackWins => {}
            Outcome::GoesOn(next) => answers.push(next),
        }
    }
    Some(answers)
}

/// White's safe answers to a question that needs one: `None` if White wins or an answer is in already.
fn safe_answers(members: &Orbits<'_>, question: &Position) -> Option<Vec<Position>> {
    let solution = members.solution;
    let mut safe = Vec::new();
    for answer in answers(solution.game(), question)? {
        let (tier, bit) = members.place(&answer);
        if members.holds((tier, bit)) {
            return None;
        }
        if !solution.lost.bit(tier, Color::Black, bit) {
            safe.push(answer);
        }
    }
    Some(safe)
}

/// The symmetries that bring Black's pieces to their smallest image. White's moves leave Black's pieces
/// where they are, so this is the same for all answers to a question.
fn frames(position: &Position) -> Vec<Symmetry> {
    let image =
        |symmetry: &Symmetry| Size::ALL.map(|size| symmetry.mask(position.pieces(Color::Black, size)));
    let smallest = Symmetry::all().map(|symmetry| image(&symmetry)).min();
    Symmetry::all().filter(|symmetry| Some(image(symmetry)) == smallest).collect()
}

/// Where White's pieces stand, seen from Black's: equal for equal white placements over one black one.
fn seen_from(frames: &[Symmetry], position: &Position) -> Option<[Mask; 4]> {
    let image =
        |symmetry: &Symmetry| Size::ALL.map(|size| symmetry.mask(position.pieces(Color::White, size)));
    frames.iter().map(image).min()
}

/// The answer of least weight; of several the one whose placement, as seen from Black's, is the least.
fn lightest<'a>(weights: &Weights, question: &Position, safe: &'a [Position]) -> Option<&'a Position> {
    let sums: Vec<u32> = safe.iter().map(|answer| weights.sum(answer)).collect();
    let least = sums.iter().min()?;
    let mut light =
        safe.iter().zip(&sums).filter(|&(_, sum)| sum == least).map(|(answer, _)| answer).peekable();
    let first = light.next()?;
    if light.peek().is_none() {
        return Some(first);
    }
    let frames = frames(question);
    [first].into_iter().chain(light).min_by_key(|answer| seen_from(&frames, answer))
}

/// How far a closure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// How many positions are in.
    pub positions: u64,
    /// How many of them wait for their black moves to be answered.
    pub open: u64,
}

/// Hears now and then how far a closure is; may break it off.
pub type Watcher<'a> = &'a mut dyn FnMut(Growth) -> ControlFlow<()>;

/// How many positions are answered between two words to the watcher.
const WATCHED: usize = 1024;

/// Grows a closure from the empty board, depth first: an answer that is in already is preferred, else the
/// safe one of least weight comes in. `None` if White does not hold, or if the watcher broke it off.
pub(super) fn grow(solution: &Solution, weights: &Weights, watcher: Watcher<'_>) -> Option<Vec<Position>> {
    if !solution.white_holds() {
        return None;
    }
    let game = solution.game();
    let mut members = Orbits::none(solution);
    let mut answered = Orbits::none(solution);
    let start = Position::empty(Color::Black);
    members.insert(&start);
    let mut all = vec![start];
    let mut open = vec![start];
    let mut first = vec![Position::empty(Color::White)];
    for answered_positions in 0.. {
        let Some(position) = open.pop() else { break };
        if answered_positions % WATCHED == 0 {
            let growth = Growth { positions: all.len() as u64, open: open.len() as u64 };
            if watcher(growth).is_break() {
                return None;
            }
        }
        let mut asked: Vec<Position> = first.drain(..).chain(questions(game, &position)).collect();
        asked.retain(|question| answered.insert(question));
        let from = open.len();
        for question in &asked {
            let Some(safe) = safe_answers(&members, question) else { continue };
            let best = symmetry::canonical(lightest(weights, question, &safe)?);
            members.insert(&best);
            all.push(best);
            open.push(best);
        }
        open[from..].reverse();
    }
    Some(all)
}
