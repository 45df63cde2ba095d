//! Closures and cuts: growing a closure from a solution or by weights, and making it smaller. README.md beside this
//! file explains both ways.

mod cut;
mod grow;
mod orbits;
mod outer;
pub mod prover;
mod question;
mod shrink;
mod tune;
mod weights;

pub use cut::cut;
pub use grow::{Growth, Watcher, closure, closure_watched};
pub use tune::{Reached, Tuned, tune};
pub use weights::{Weights, WeightsError};
