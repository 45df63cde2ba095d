//! Counting moves to a depth.

use rayon::prelude::*;

use crate::rules::{Game, Outcome, Position};

/// From this depth on the work is split.
const SPLIT: u32 = 4;

/// The number of moves made at a depth in plies: 1 at depth 0, the legal moves at depth 1. A move that ends the game counts
/// and has no continuation. The work is split over the threads of the current pool.
#[must_use]
pub fn perft(game: &Game, position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.moves(position).count() as u64,
        _ => {
            let after = game.outcomes(position).filter_map(|(_, outcome)| match outcome {
                Outcome::GoesOn(next) => Some(next),
                Outcome::Won(_) => None,
            });
            if depth < SPLIT {
                return after.map(|next| perft(game, &next, depth - 1)).sum();
            }
            let after: Vec<Position> = after.collect();
            after.par_iter().map(|next| perft(game, next, depth - 1)).sum()
        }
    }
}
