//! Bitbases: one bit for each position of a variant and side to move, set where White has lost; and what is in memory of
//! them while they are made.

pub(crate) mod lost;
mod mapped;
mod outcome;
pub(crate) mod solution;
pub(crate) mod tables;
pub(crate) mod window;

pub use lost::{Lost, OutOfMemory};
pub use outcome::{Held, TierOutcome, Value, Worth, is_symmetric};
pub use solution::Solution;
pub use window::Keep;
