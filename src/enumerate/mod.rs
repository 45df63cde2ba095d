//! Every position of a variant: tiers, ranks inside a tier, canonical positions in order, and the census
//! that says how many there must be.
//!
//! Trusted: a cut is checked over what this module enumerates, and every count is compared with the census.

pub mod census;
mod fold;
pub(crate) mod layer;
mod rank;
mod scan;
mod tier;

pub use fold::{Folding, Layers, foldings};
pub use rank::{NoSuchRank, Ranking};
pub use scan::{Root, positions_above, roots};
pub use tier::{Tier, Tiers};
