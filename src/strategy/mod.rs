//! Functions that judge one position on its own: the seeds of a fixpoint, and the strategies of Algorithm 1.
//!
//! No certificate rests on them. The checker knows one seed, a black line, and has its own code for it.

mod seed;
pub mod thesis;
pub mod repaired;
mod triple;

pub use seed::{NoSuchSeed, Seed};
pub use triple::Triple;
