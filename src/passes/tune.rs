//! Tuning: weights under which closures come out smaller.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::prover::{self, Grown, Growth, Guide};
use super::weights::Weights;
use crate::rules::Game;

/// How far a closure came under some weights. The least is the best: one that closed with few positions,
/// else one that was broken off with as few left to answer as there can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reached {
    /// It closed.
    Closed {
        /// How many positions it has.
        positions: u64,
    },
    /// It was broken off when it had more positions than it was allowed.
    Open {
        /// How many of them still waited for an answer.
        open: u64,
        /// How many it had.
        positions: u64,
    },
}

/// What a step of tuning came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The best weights so far.
    pub weights: Weights,
    /// How far a closure comes under them.
    pub reached: Reached,
    /// How many weights have been tried.
    pub tried: usize,
}

/// Climbs from some weights to better ones, one weight changed at a time, until no change helps or `heard`
/// breaks it off; it hears of the start and of each step. A closure is grown to `most` positions to see how
/// good its weights are. The same whatever the threads. `None` if White does not hold.
pub fn tune(
    game: &Game,
    guide: Guide<'_>,
    start: &Weights,
    most: u64,
    heard: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> Option<Step> {
    let mut best = Step { weights: *start, reached: reached(game, guide, start, most)?, tried: 1 };
    while heard(&best).is_continue() {
        let neighbours = best.weights.neighbours();
        best.tried += neighbours.len();
        let found = neighbours.into_par_iter().map(|weights| (reached(game, guide, &weights, most), weights));
        // Of equals the first, so that threads make no difference.
        let least =
            found.enumerate().min_by_key(|&(place, (reached, _))| (reached.is_none(), reached, place));
        let (_, (reached, weights)) = least?;
        match reached {
            Some(reached) if reached < best.reached => best = Step { weights, reached, ..best },
            _ => break,
        }
    }
    Some(best)
}

/// How far a closure comes under some weights, `None` if it comes out that Black wins.
fn reached(game: &Game, guide: Guide<'_>, weights: &Weights, most: u64) -> Option<Reached> {
    let (grown, Growth { positions, open, .. }) = prover::grow(game, guide, weights, &mut |growth| {
        if growth.positions < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match grown {
        Grown::Closed => Some(Reached::Closed { positions }),
        Grown::BrokenOff => Some(Reached::Open { open, positions }),
        Grown::Lost => None,
    }
}
