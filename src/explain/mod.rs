//! Explanations: what is known of a position, and how soon Black wins it.

mod attack;
pub mod forced_win;
pub mod knowledge;
pub mod listed_win;
mod longest;
mod plies;
pub mod solved_file;
pub mod suite;

pub use attack::{BlackAttack, JuniorAttack, junior_win};
pub use longest::{LongestWin, longest_win};
pub use plies::{Counted, PliesError, PliesOfLosses, plies_of_losses};
