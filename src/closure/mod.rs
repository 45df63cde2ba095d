//! Closures and cuts: growing a closure from a solution or by weights, and making it smaller. README.md beside this
//! file explains both ways.

mod batch;
mod cut;
mod grow;
mod orbits;
mod outer;
pub mod prover;
mod question;
mod shrink;
mod tune;
mod values;
mod weights;

use std::ops::ControlFlow;

pub use cut::cut;
pub use grow::{Growth, Making, closure, closure_watched};
pub use tune::{Reached, Tuned, tune};
pub use values::{SavedValues, Values};
pub use weights::{Weights, WeightsError};

/// Hears now and then how far a run is, as a `T`. It breaks the run off by returning [`ControlFlow::Break`].
pub type Watcher<'a, T> = &'a mut dyn FnMut(T) -> ControlFlow<()>;
