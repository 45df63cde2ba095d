//! How many positions and moves there are, and what a command will take.

pub mod count;
pub mod estimate;
pub mod perft;
mod speed;
pub(super) mod taken;
