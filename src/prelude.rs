//! The traits that add to the trusted types what the prover and people need: `use gobprove::prelude::*;`.

pub use crate::enumerate::{AllTiers, OnBoard};
pub use crate::notation::{Drawn, Notation, Reader, Spelled, Text};
pub use crate::rules::{Named, Pieces, Play, Squares};
pub use crate::store::Told;
pub use crate::symmetry::Permutation;
