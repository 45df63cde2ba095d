//! The game (RULES.md): squares, pieces, variants, readings; positions, moves and how they are judged.
//!
//! Trusted: everything that gobprove claims rests on this module. [`mod@reference`] is a slow twin that shares
//! no code with the rest and is tested against it.

mod game;
mod mask;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod reading;
pub mod reference;
mod setup;
mod square;
mod variant;

pub use game::{Game, IllegalMove, Outcome};
pub use mask::{LINES, Mask};
pub use moves::{Move, NotAMove};
pub use notation::{NotationError, PositionError};
pub use piece::{ByColor, BySize, Color, Piece, Size};
pub use position::Position;
pub use reading::{NoSuchReading, Reading};
pub use setup::{Setup, SetupError, SetupErrors};
pub use square::{NoSuchSquare, Square};
pub use variant::{Material, Variant, VariantError};
