//! The game for the prover: the trusted rules of [`gobcheck`], and what the prover alone needs beside them.
//!
//! [`mod@reference`] is a slow twin. It shares no code with the trusted rules, and tests compare the two.

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
