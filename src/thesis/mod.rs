//! Algorithms 1 and 4 as the thesis ran them, its printed figures, and its tables made again. README.md beside this
//! file has each figure beside ours.

pub mod algorithm_1;
pub mod algorithm_4;
pub mod branching;
pub mod conventions;
pub mod figures;
