//! Functions that say of a position who is better: seeds, and the strategies of Algorithm 1.
//!
//! No certificate rests on them. The checker knows one seed, a black line, and has it for itself.

mod seed;
pub mod thesis;
pub mod repaired;
mod triple;

pub use seed::{NoSuchSeed, Seed};
pub use triple::Triple;
