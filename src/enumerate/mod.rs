//! Every position of a variant, once: tiers, ranks within a tier, canonical positions in order, and rows of up to 560
//! positions at a time. The census counts the same positions by a formula, and perft counts moves.

pub mod census;
mod fold;
pub(crate) mod lines;
mod perft;
pub(crate) mod random;
pub(crate) mod rows;
mod scan;
mod tiers;
pub(crate) mod wins;

pub use fold::{Folding, Layers, RootOrder, foldings};
pub use gobcheck::index::{Ranking, Tier, Tiers, layer};
pub use perft::perft;
pub use rows::discipline::{Discipline, DisciplineError};
pub use scan::{Block, Root, blocks, on_layer_of_a, positions_above, roots};
pub use tiers::{AllTiers, OnBoard};
