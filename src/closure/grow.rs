//! Growing a closure from a solution.
//!
//! For each black move White keeps to one safe answer. An answer that is in the closure already is preferred, otherwise
//! the lightest by [`Weights`] comes in. [`shrink`](mod@crate::closure::shrink) makes the result smaller.
//!
//! Each position takes one bit, as in the solution. That is by far the fastest way while the solution fits into memory;
//! [`prover`](crate::closure::prover) needs no solution.

use std::ops::ControlFlow;

use crate::bitbase::solution::Solution;
use crate::closure::Watcher;
use crate::closure::batch::{ReplySource, look_at_some};
use crate::closure::orbits::Orbits;
use crate::closure::outer::Outer;
use crate::closure::prover::Views;
use crate::closure::question::{Placed, answered_by, answers, questions};
use crate::closure::shrink::shrink;
use crate::closure::weights::Weights;
use crate::rules::{Color, Position};
use crate::store::{Certificate, PositionSet};
use crate::symmetry;

/// White's safe answers to a question, `None` if White has a move that wins.
fn safe_replies(solution: &Solution, question: &Placed) -> Option<Vec<Placed>> {
    let is_safe = |tier, bit| !solution.lost.bit(tier, Color::Black, bit);
    answers(solution.game(), &solution.layout, question, is_safe)
}

/// The answer of least weight; of several the one with the least number by [`Views::code_in`].
fn lightest<'a>(weights: &Weights, question: &Position, safe: &'a [Placed]) -> Option<&'a Placed> {
    let sums: Vec<u32> = safe.iter().map(|(_, answer)| weights.sum(answer)).collect();
    let least = sums.iter().min()?;
    let mut light =
        safe.iter().zip(&sums).filter(|&(_, sum)| sum == least).map(|(answer, _)| answer).peekable();
    let first = light.next()?;
    if light.peek().is_none() {
        return Some(first);
    }
    let views = Views::new();
    let view = views.view(question);
    [first].into_iter().chain(light).min_by_key(|(_, answer)| views.code_in(view, answer))
}

/// How far a closure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// How many positions are in.
    pub positions: u64,
    /// How many of them wait for their black moves to be answered.
    pub open: u64,
}

/// How far making a closure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Making {
    /// It grows.
    Growing(Growth),
    /// It is made smaller.
    Shrinking {
        /// How many rounds of that are done, of 30 at most.
        rounds: u32,
        /// How many positions are left.
        positions: u64,
    },
}

/// The closure that White keeps to, `None` if White does not hold.
#[must_use]
pub fn closure(solution: &Solution, weights: &Weights) -> Option<Certificate> {
    closure_watched(solution, weights, &mut |_| ControlFlow::Continue(()))
}

/// As [`closure`]; `watcher` hears how far it is. The result is `None` too if the watcher broke it off.
#[must_use]
pub fn closure_watched(
    solution: &Solution,
    weights: &Weights,
    watcher: Watcher<'_, Making>,
) -> Option<Certificate> {
    let positions = grow(solution, weights, &mut |growth| watcher(Making::Growing(growth)))?;
    let positions = shrink(solution.game(), &solution.layout, positions, &mut |rounds, positions| {
        watcher(Making::Shrinking { rounds, positions: positions as u64 })
    })?;
    let set = PositionSet::from_positions(solution.game().variant, positions);
    Some(Certificate::closure(*solution.game(), set))
}

/// A closure that grows by what a solution knows.
struct BySolution<'a> {
    solution: &'a Solution,
    weights: &'a Weights,
    /// The questions that need no further answer: one that is in answers them, or White wins at once.
    settled: Orbits<'a>,
    /// The positions that are in.
    all: Vec<Position>,
}

impl ReplySource for BySolution<'_> {
    type Member = Position;
    /// The questions, each with its best answer, or `None` if White wins at once.
    type Looked = Vec<(Placed, Option<Placed>)>;

    fn inside(&self) -> u64 {
        self.all.len() as u64
    }

    fn begin(&mut self, _: Position) -> bool {
        true
    }

    fn look(&self, member: Position) -> Self::Looked {
        let (settled, solution) = (&self.settled, self.solution);
        let mut asked = Vec::new();
        if member == Position::empty(Color::Black) {
            // The question before any move.
            asked.push(settled.placed(Position::empty(Color::White)));
        }
        questions(solution.game(), &solution.layout, &settled.placed(member), |outer, inner| {
            if !settled.holds(outer, inner) {
                asked.push(outer.placed(inner));
            }
        });
        let answered = |question: Placed| {
            let safe = safe_replies(solution, &question);
            let best = safe.and_then(|safe| lightest(self.weights, &question.1, &safe).copied());
            (question, best)
        };
        asked.into_iter().map(answered).collect()
    }

    fn take(&mut self, _: Position, looked: Self::Looked, open: &mut Vec<Position>) {
        let layout = &self.solution.layout;
        for ((tier, question), best) in looked {
            let outer = Outer::new(layout, tier, &question);
            let inner = question.pieces(Color::Black, layout.inner());
            if self.settled.holds(&outer, inner) {
                continue;
            }
            let Some(best) = best else {
                self.settled.insert(&outer, inner);
                continue;
            };
            let settled = &self.settled;
            answered_by(self.solution.game(), layout, &best, |outer, inner| settled.insert(outer, inner));
            let best = symmetry::canonical(&best.1);
            self.all.push(best);
            open.push(best);
        }
    }
}

/// Grows a closure from the empty board, the same for any number of threads. `None` if White does not hold, or if the
/// watcher broke it off.
pub(crate) fn grow(
    solution: &Solution,
    weights: &Weights,
    watcher: Watcher<'_, Growth>,
) -> Option<Vec<Position>> {
    if !solution.white_holds() {
        return None;
    }
    let start = Position::empty(Color::Black);
    let settled = Orbits::none(&solution.layout);
    let mut growing = BySolution { solution, weights, settled, all: vec![start] };
    let mut open = vec![start];
    while !open.is_empty() {
        let growth = Growth { positions: growing.inside(), open: open.len() as u64 };
        if watcher(growth).is_break() {
            return None;
        }
        look_at_some(&mut growing, &mut open);
    }
    Some(growing.all)
}
