//! The game, and strategies for it, in formats of other programs.

mod parity_game;
pub mod pgsolver;
mod strategy;

pub use parity_game::{MOST_NODES, ParityGame, TooManyNodes};
pub use strategy::{NoStrategy, Step, Strategy, TextFormat};
