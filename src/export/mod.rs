//! The game in formats of other programs.

mod parity_game;
pub mod pgsolver;

pub use parity_game::{MOST_NODES, ParityGame, TooManyNodes};
