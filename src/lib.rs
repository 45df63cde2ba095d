//! Proofs about the board game Gobblet that anybody can check.
//!
//! The modules in reading order; each may use those above it and none below. The trusted part is
//! [`rules`], [`symmetry`], [`enumerate`], [`strategy`], [`certificate`] and [`checker`]: what a verdict
//! rests on. It holds no unsafe code and depends on nothing but two hashes. What follows it makes
//! certificates and talks to people, and a verdict does not rest on it.

#[forbid(unsafe_code)]
pub mod rules;
#[forbid(unsafe_code)]
pub mod symmetry;
#[forbid(unsafe_code)]
pub mod enumerate;
#[forbid(unsafe_code)]
pub mod strategy;
#[forbid(unsafe_code)]
pub mod certificate;
#[forbid(unsafe_code)]
pub mod checker;
#[cfg(feature = "prover")]
pub mod passes;
#[cfg(feature = "prover")]
pub mod cli;
