#![doc = include_str!("../README.md")]
//!
//! The modules in reading order: [`rules`] says what the game is, [`symmetry`] which positions are alike, [`index`]
//! how positions are numbered, [`mod@format`] which bytes a certificate has, [`check`] what it has to prove.

#![forbid(unsafe_code)]

pub mod check;
pub mod file;
pub mod format;
pub mod index;
pub mod rules;
pub mod symmetry;

/// The rules of the game and what certificates have to prove: the text that everything cites.
pub const RULES: &str = include_str!("../RULES.md");
