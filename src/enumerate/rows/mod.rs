//! Rows: 560 positions at a time.
//!
//! The positions of a tier that differ only in where Black's smallest pieces, the *inner* ones, stand make a row. A row is
//! a bit vector, one bit a placement of the inner pieces; the other pieces are its *outer* placement. What a move does to
//! all positions of a row is a few operations on whole vectors.

pub mod board;
pub mod discipline;
pub mod domain;
pub mod kernel;
pub mod layout;
pub mod order;
pub mod placements;
pub mod playable;
pub mod ranked;
