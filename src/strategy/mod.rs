//! Functions of a position that say who stands how: the seeds of cuts.
//!
//! Trusted for cuts, which name a seed; a closure uses none.

mod seed;

pub use seed::{NoSuchSeed, Seed};
