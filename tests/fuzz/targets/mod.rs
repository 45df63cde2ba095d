//! What is tried on bytes that nobody has looked at: each target is a function of an input that panics where
//! something is wrong. It says whether the input got past the first door, so that a run that tries nothing but
//! refused ones is noticed.
//!
//! The tests beside this run them, and so do the programs in `fuzz/`, under libFuzzer.
#![allow(dead_code, reason = "each program that includes this runs one of them")]

#[path = "../../support/twins.rs"]
mod agree;
pub mod checker;
pub mod decode;
mod graph;
mod input;
pub mod moves;
pub mod notation;
#[path = "../../support/oracle.rs"]
mod oracle;
#[path = "../../random/mod.rs"]
pub mod random;
pub mod rank;
pub mod request;
#[path = "../../support/reseal.rs"]
mod reseal;
pub mod round_trip;

/// A target: tries an input; whether it got past the first door.
pub type Target = fn(&[u8]) -> bool;

/// All of them, by the names of their corpora.
pub const ALL: [(&str, Target); 7] = [
    ("decode", decode::run),
    ("round_trip", round_trip::run),
    ("checker", checker::run),
    ("rank", rank::run),
    ("moves", moves::run),
    ("notation", notation::run),
    ("request", request::run),
];
