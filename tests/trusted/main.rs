//! The trusted part, piece by piece. Two pieces that `gobcheck` keeps to itself are compiled in here once more.

mod files;
mod format;
mod moves;
mod numbers;
mod positions;
mod replies;
mod symmetries;
mod verdicts;
mod work;

/// Where the two pieces look for the rest of their crate.
use gobcheck::{rules, symmetry};

#[path = "../support/random.rs"]
mod random;
