//! Perft: counting moves to a depth, the standard test of a move generator.

use crate::prelude::*;
use crate::rules::{Game, Outcome, Position};

/// The number of move sequences of `depth` plies from a position, 1 at depth 0. A move that ends the game under the
/// reading counts at its depth and has no continuation.
#[must_use]
pub fn perft(game: &Game, position: &Position, depth: u32) -> u128 {
    match depth {
        0 => 1,
        1 => game.moves(position).map(|_| 1).sum(),
        _ => game
            .moves(position)
            .map(|mv| match game.play_unchecked(position, mv) {
                Outcome::GoesOn(next) => perft(game, &next, depth - 1),
                Outcome::BlackWins | Outcome::WhiteWins => 0,
            })
            .sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::rules::{Color, Reading};

    #[test]
    fn one_piece_a_side_counted_by_hand() {
        let game = Game::new("A1-A1".read().expect("a variant"), Reading::Official);
        // Each side puts its piece on an empty square, and then moves it to any of the fourteen left.
        let counts = [1, 16, 16 * 15, 16 * 15 * 14, 16 * 15 * 14 * 14];
        for (depth, count) in (0..).zip(counts) {
            assert_eq!(perft(&game, &Position::empty(Color::White), depth), count, "depth {depth}");
        }
        let won = game.parse("A,.,.,./.,.,.,./.,.,.,./.,.,.,. b").expect("a position");
        assert_eq!(perft(&game, &won, 1), 15);
    }

    #[test]
    fn a_move_that_ends_the_game_has_no_continuation() {
        let game = Game::new("A3B1-A3B1".read().expect("a variant"), Reading::Official);
        let text = "a,a,a,./A,A,A,./B,b,.,./.,.,.,. w";
        let position = game.parse(text).expect("a position");
        let wins =
            game.moves(&position).filter(|&mv| game.play_unchecked(&position, mv) == Outcome::WhiteWins);
        assert!(wins.count() > 0);
        let below = game.moves(&position).map(|mv| match game.play_unchecked(&position, mv) {
            Outcome::GoesOn(next) => game.moves(&next).count() as u128,
            Outcome::BlackWins | Outcome::WhiteWins => 0,
        });
        assert_eq!(perft(&game, &position, 2), below.sum());
    }
}
