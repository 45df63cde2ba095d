//! The game: RULES.md in types. Rule numbers R1 … R9 are those of that text.

mod bitboard;
mod game;
mod moves;
mod piece;
mod position;
mod reading;
mod square;
mod variant;

pub use bitboard::{Bitboard, LINES};
pub use game::Game;
pub use moves::Move;
pub use piece::{Color, Size};
pub use position::Position;
pub use reading::Reading;
pub use square::Square;
pub use variant::{Material, Variant};
