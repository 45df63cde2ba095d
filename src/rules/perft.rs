//! Perft: counting moves to a depth, the standard test of a move generator.

use super::game::{Game, Outcome};
use super::position::Position;

impl Game {
    /// How many moves are made at `depth` plies below a position, 1 at depth 0. A move that ends the game
    /// under the reading counts at its depth and has no continuation.
    #[must_use]
    pub fn perft(&self, position: &Position, depth: u32) -> u128 {
        match depth {
            0 => 1,
            1 => self.moves(position).map(|_| 1).sum(),
            _ => self
                .moves(position)
                .map(|mv| match self.play_unchecked(position, mv) {
                    Outcome::GoesOn(next) => self.perft(&next, depth - 1),
                    Outcome::BlackWins | Outcome::WhiteWins => 0,
                })
                .sum(),
        }
    }
}
