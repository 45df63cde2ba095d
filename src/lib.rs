//! Proofs about the board game Gobblet that anybody can check.
//!
//! What a verdict rests on is another crate, [`gobcheck`]: the rules, the symmetries, the numbering of positions, the
//! format and the checker. This crate makes certificates and talks to people, and a verdict does not rest on it.
//!
//! The rooms in reading order; each may use those above it and none below.

/// The examples of README.md, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod rules;
pub mod notation;
pub mod symmetry;
pub mod enumerate;
pub mod strategy;
pub mod bitbase;
pub mod store;
pub mod passes;
pub mod closure;
pub mod refute;
pub mod explain;
pub mod thesis;
pub mod export;
pub mod prelude;
pub mod cli;
