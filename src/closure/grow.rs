//! Growing a closure from a solution.
//!
//! For each black move White keeps to one safe answer. An answer that is in the closure already is preferred, otherwise
//! the lightest by [`Weights`] comes in. [`shrink`](mod@crate::closure::shrink) makes the result smaller.
//!
//! Each position takes one bit, as in the solution. That is by far the fastest way while the solution fits into memory;
//! [`prover`](crate::closure::prover) needs no solution.

use std::ops::ControlFlow;

use gobcheck::format::{Certificate, PositionSet};

use rayon::prelude::*;

use crate::bitbase::solution::Solution;
use crate::closure::orbits::Orbits;
use crate::closure::outer::Outer;
use crate::closure::prover::Views;
use crate::closure::question::{Placed, answered_by, answers, questions};
use crate::closure::shrink::shrink;
use crate::closure::weights::Weights;
use crate::prelude::*;
use crate::rules::{Color, Position};
use crate::store;
use crate::symmetry;

/// White's safe answers to a question, `None` if White has a move that wins.
fn safe_replies(solution: &Solution, question: &Placed) -> Option<Vec<Placed>> {
    let is_safe = |tier, bit| !solution.lost.bit(tier, Color::Black, bit);
    answers(solution.game(), &solution.layout, question, is_safe)
}

/// The answer of least weight; of several the one whose placement, as seen from Black's, is the least.
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

/// Hears now and then how far a closure is; may break it off.
pub type Watcher<'a> = &'a mut dyn FnMut(Growth) -> ControlFlow<()>;

/// The most positions of a batch, and the part (one in 64) of the closure that it may have at most. Positions of one batch
/// cannot use each other's answers, so a small batch makes a smaller closure.
const BATCH: usize = 256;
const PART: usize = 64;

/// The closure that White keeps to, `None` if White does not hold.
#[must_use]
pub fn closure(solution: &Solution, weights: &Weights) -> Option<Certificate> {
    closure_watched(solution, weights, &mut |_| ControlFlow::Continue(()))
}

/// The same; `watcher` hears how it grows. `None` also if it broke it off.
#[must_use]
pub fn closure_watched(solution: &Solution, weights: &Weights, watcher: Watcher<'_>) -> Option<Certificate> {
    let positions = grow(solution, weights, watcher)?;
    let positions = shrink(solution.game(), &solution.layout, positions);
    let set = PositionSet::from_positions(solution.game().variant, positions);
    Some(store::closure(*solution.game(), set))
}

/// Grows a closure from the empty board, about depth first: an answer that is in already is preferred, else the safe
/// one of least weight comes in. The same whatever the threads. `None` if White does not hold, or if the watcher broke
/// it off.
pub(crate) fn grow(solution: &Solution, weights: &Weights, watcher: Watcher<'_>) -> Option<Vec<Position>> {
    if !solution.white_holds() {
        return None;
    }
    let game = solution.game();
    let layout = &solution.layout;
    // The questions that need no answer any more, for the answers that are in or because White wins.
    let settled = Orbits::none(layout);
    let answered = |question: Placed| {
        // One that White wins has no best answer.
        let safe = safe_replies(solution, &question);
        let best = safe.and_then(|safe| lightest(weights, &question.1, &safe).copied());
        (question, best)
    };
    let start = Position::empty(Color::Black);
    let mut all = vec![start];
    let mut open = vec![start];
    let mut first = vec![settled.placed(Position::empty(Color::White))];
    while !open.is_empty() {
        let growth = Growth { positions: all.len() as u64, open: open.len() as u64 };
        if watcher(growth).is_break() {
            return None;
        }
        let batch = open.split_off(open.len().saturating_sub((all.len() / PART).clamp(1, BATCH)));
        let asked = batch.into_par_iter().rev().flat_map_iter(|position| {
            let mut asked = Vec::new();
            questions(game, layout, &settled.placed(position), |outer, inner| {
                if !settled.holds(outer, inner) {
                    asked.push(outer.placed(inner));
                }
            });
            asked
        });
        let asked: Vec<(Placed, Option<Placed>)> = first.par_drain(..).chain(asked).map(answered).collect();
        let from = open.len();
        for ((tier, question), best) in asked {
            let outer = Outer::new(layout, tier, &question);
            let inner = question.pieces(Color::Black, layout.inner());
            if settled.holds(&outer, inner) {
                continue;
            }
            let Some(best) = best else {
                settled.insert(&outer, inner);
                continue;
            };
            answered_by(game, layout, &best, |outer, inner| settled.insert(outer, inner));
            let best = symmetry::canonical(&best.1);
            all.push(best);
            open.push(best);
        }
        open[from..].reverse();
    }
    Some(all)
}
