//! The passes that make certificates (thesis, chapter 4): white update, black update, fixpoint.
//!
//! Untrusted: a mistake here costs a certificate, never a wrong verdict. Everything works on dense
//! lost-sets, one bit a position, 560 positions at a time.

mod board;
mod closure;
mod black_update;
mod fixpoint;
mod kernel;
mod layout;
mod lost;
pub mod scalar;
mod solution;
pub mod strategy_check;
mod sweep;
mod white_update;

pub use closure::{Weights, closure, grow};
pub use fixpoint::{Progress, solve};
pub use solution::Solution;
