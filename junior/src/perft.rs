//! Counting moves to a depth.

use crate::rules::{Game, Outcome, Position};

/// The number of moves made at a depth in plies: 1 at depth 0, the legal moves at depth 1. A move that ends the game counts
/// and has no continuation.
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
            after.map(|next| perft(game, &next, depth - 1)).sum()
        }
    }
}
