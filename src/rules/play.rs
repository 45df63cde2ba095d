//! Making a move and judging it at once (R6 and the readings).

use std::fmt;

use gobcheck::rules::{Color, Game, Move, Position};

/// How a move is judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The move ends the game, and Black has won.
    BlackWins,
    /// The move ends the game, and White has won.
    WhiteWins,
    /// Play goes on in this position.
    GoesOn(Position),
}

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// Where it was tried.
    pub position: Position,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a legal move in {} (R4, R5)", self.mv, self.position)
    }
}

impl std::error::Error for IllegalMove {}

/// A game that is played move by move.
pub trait Play {
    /// Makes a move and judges it.
    ///
    /// # Errors
    /// The move is not legal in the position.
    fn play(&self, position: &Position, mv: Move) -> Result<Outcome, IllegalMove>;

    /// Makes a move that [`Game::moves`] gave for this position, and judges it. For any other move the outcome means
    /// nothing.
    #[must_use]
    fn play_unchecked(&self, position: &Position, mv: Move) -> Outcome;
}

impl Play for Game {
    fn play(&self, position: &Position, mv: Move) -> Result<Outcome, IllegalMove> {
        if self.moves(position).any(|legal| legal == mv) {
            Ok(self.play_unchecked(position, mv))
        } else {
            Err(IllegalMove { mv, position: *position })
        }
    }

    fn play_unchecked(&self, position: &Position, mv: Move) -> Outcome {
        let after = position.moved(mv);
        match self.winner(position, mv, &after) {
            Some(Color::White) => Outcome::WhiteWins,
            Some(Color::Black) => Outcome::BlackWins,
            None => Outcome::GoesOn(after),
        }
    }
}
