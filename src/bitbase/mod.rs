//! Bitbases: one bit for each position of a variant and side to move, set where White has lost.
//!
//! [`Solution`] is a finished bitbase, and `outcome` derives wins, draws and losses from it. `window` decides which
//! part of a bitbase is in memory while it is made.

pub(crate) mod lost;
mod mapped;
pub(crate) mod outcome;
pub(crate) mod solution;
pub(crate) mod tables;
pub(crate) mod window;

pub use lost::{Lost, OutOfMemory};
pub use outcome::{Held, TierOutcome, Value, Worth, is_symmetric};
pub use solution::Solution;
pub use window::Keep;
