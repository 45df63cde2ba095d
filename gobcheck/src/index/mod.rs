//! How positions are numbered (FORMAT.md): tiers, and ranks within a tier.

pub mod layer;
mod rank;
mod tier;

pub use rank::Ranking;
pub use tier::{Tier, Tiers};
