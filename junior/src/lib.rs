#![doc = include_str!("../README.md")]
//!
//! The modules in reading order: [`rules`] says what the game is, [`symmetry`] which positions are alike, [`index`] how
//! positions are numbered, [`mod@perft`] counts moves, [`solver`] finds what every position is worth, and [`search`] what some plies show of it.

#![forbid(unsafe_code)]

pub mod rules;
pub mod symmetry;
pub mod index;
pub mod perft;
pub mod solver;
pub mod search;

/// The rules of the game, J1 to J7: the text that code, tests and messages cite.
pub const RULES: &str = include_str!("../RULES.md");
