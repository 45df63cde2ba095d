//! The game, as the prover uses it: the trusted rules, and what only the prover needs beside them.
//!
//! [`mod@reference`] is a slow twin that shares no code with the trusted rules and is tested against them.

mod by;
mod play;
pub mod reference;
mod squares;
mod pieces;

pub use gobcheck::rules::{
    Bitboard, Color, Game, LINES, Material, Move, Position, Reading, Size, Square, Variant,
};

pub use by::{ByColor, BySize};
pub use pieces::{Named, Pieces};
pub use play::{IllegalMove, Outcome, Play};
pub use squares::Squares;
