//! Functions of a position that say who stands how: the seeds of cuts, and the strategies of Algorithm 1.
//!
//! Trusted for cuts, which name a seed; a closure uses none, and no certificate uses a strategy.

mod seed;
pub mod thesis;
pub mod repaired;
mod triple;

pub use seed::{NoSuchSeed, Seed};
pub use triple::Triple;
