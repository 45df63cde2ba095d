//! What is known of a position, and how soon it is won.

pub mod forced_win;
pub mod knowledge;
pub mod listed_win;
mod longest;

pub use longest::{LongestWin, longest_win};
