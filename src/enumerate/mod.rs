//! Every position of a variant: tiers, ranks inside a tier, canonical positions in order, the census that says how many
//! there must be, and perft.

pub mod census;
mod fold;
pub(crate) mod lines;
mod perft;
pub(crate) mod rows;
mod scan;
mod tiers;
pub(crate) mod wins;

pub use fold::{Folding, Layers, foldings};
pub use gobcheck::index::{Ranking, Tier, Tiers, layer};
pub use perft::perft;
pub use rows::discipline::{Discipline, DisciplineError};
pub use scan::{Root, on_layer_of_a, positions_above, roots};
pub use tiers::{AllTiers, OnBoard};
