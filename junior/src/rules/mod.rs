//! The game of RULES.md: the board, positions, moves and who has won.

mod board;
mod game;
mod position;
mod text;

pub use board::{Color, LINES, Size, Square, Squares};
pub use game::{Game, IllegalMove, Material, Move, Outcome, Reading};
pub use position::Position;
pub use text::{NotAMove, PositionError};
