#![deny(unsafe_code)]
#![doc = include_str!("../README.md")]

mod board;
mod evaluation;
mod level;
mod lines;
mod options;
mod perft;
mod proof;
mod score;
mod search;
mod table;

pub use level::Level;
pub use options::{Limits, Options, Techniques};
pub use perft::perft;
pub use proof::{After, Attack, Forced, Prover};
pub use score::Score;
pub use search::{Engine, Report};
