//! Tuning: a search for weights under which closures come out smaller.

use std::ops::ControlFlow;

use crate::closure::prover::{self, Grown, Guide, Proving};
use crate::closure::weights::Weights;
use crate::rules::Game;

/// How far a closure came under some weights, ordered from the best to the worst. Closures that closed come first, by
/// their positions; then those that were broken off, by how many positions still had to be answered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reached {
    /// It closed.
    Closed {
        /// How many positions it has.
        positions: u64,
    },
    /// It was broken off when it had as many positions as it was allowed.
    Open {
        /// How many of them still waited for an answer.
        open: u64,
        /// How many it had.
        positions: u64,
    },
}

/// The result of a step of tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuned {
    /// The best weights so far.
    pub weights: Weights,
    /// How far a closure comes under them.
    pub reached: Reached,
    /// How many weights have been tried.
    pub tried: usize,
}

/// Improves weights step by step: each step changes one weight, until no change helps or `heard` breaks the run off.
/// `heard` is told of the start and of each step. To judge weights a closure is grown to about `most` positions; `goes_on`
/// is asked now and then meanwhile. The result is the same for any number of threads. `None` if White does not hold with
/// the answers that the guide allows, or if `goes_on` broke it off at the start.
pub fn tune(
    game: &Game,
    guide: Guide<'_>,
    start: &Weights,
    most: u64,
    heard: &mut dyn FnMut(&Tuned) -> ControlFlow<()>,
    goes_on: &dyn Fn() -> bool,
) -> Option<Tuned> {
    let reached = |weights: &Weights| reached(game, guide, weights, most, goes_on);
    let mut best = Tuned { weights: *start, reached: reached(start)?, tried: 1 };
    while heard(&best).is_continue() {
        let mut next = best;
        for weights in best.weights.neighbours() {
            // Of equals the first.
            match reached(&weights) {
                Some(reached) if reached < next.reached => next = Tuned { weights, reached, ..next },
                _ => {}
            }
            next.tried += 1;
        }
        let is_better = next.reached < best.reached;
        best = next;
        if !is_better {
            break;
        }
    }
    Some(best)
}

/// How far a closure comes under some weights, `None` if White does not hold, or if it was broken off.
fn reached(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    most: u64,
    goes_on: &dyn Fn() -> bool,
) -> Option<Reached> {
    let (grown, Proving { positions, open, .. }) = prover::grow(game, guide, weights, &mut |growth| {
        if growth.positions < most && goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match grown {
        Grown::Closed => Some(Reached::Closed { positions }),
        Grown::BrokenOff if goes_on() => Some(Reached::Open { open, positions }),
        Grown::BrokenOff | Grown::Lost => None,
    }
}
