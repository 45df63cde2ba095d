//! Proofs about the board game Gobblet that anybody can check.
//!
//! This crate makes certificates and explains them to people. No verdict rests on it. What has to be trusted is the
//! crate [`gobcheck`]: the rules, the symmetries, the numbering of positions, the format and the checker.
//!
//! The modules below, called rooms, stand in reading order. A room may use those above it and none below. The
//! glossary is in CONTRIBUTING.md; the most frequent words are these:
//!
//! - A **position** is what stands where and who is to move. It is *lost* if Black can force a win, otherwise *safe*.
//! - A **tier** is all positions with the same numbers of each piece on the board. A **rank** numbers the positions of
//!   a tier.
//! - The **canonical** position stands for its **orbit**, the up to 32 images under the symmetries of the board.
//! - A **row** is a bit vector: the positions that differ only in where the *inner* pieces stand: Black's
//!   of one size below A, mostly the smallest.
//! - A **bitbase** has one bit for each position: lost or not. A **fixpoint** is a bitbase that no update changes.
//! - A **closure** is a set of positions that White never has to leave. A **question** is a position with White to move
//!   that it has to answer. A **cut** lists what White avoids. A **refutation** lists positions that Black wins.
//! - A **discipline** is a restriction that one side keeps to, so that a proof is found with less memory.
//! - A **checkpoint** is what a long run saves so that the same command can go on from there.

/// The examples of README.md, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
#[path = "../tests/support/thorough.rs"]
mod thorough;

pub mod rules;
pub mod notation;
pub mod symmetry;
pub mod enumerate;
pub mod strategy;
pub mod bitbase;
pub mod store;
pub mod passes;
pub mod cluster;
pub mod closure;
pub mod refute;
pub mod explain;
pub mod thesis;
pub mod export;
pub mod picture;
pub mod page;
pub mod play;
pub mod prelude;
pub mod cli;
