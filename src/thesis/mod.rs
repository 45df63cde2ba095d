//! Algorithms 1 and 4 as the thesis ran them, its printed figures, and its tables made again.

pub mod algorithm_4;
pub mod branching;
pub mod figures;
