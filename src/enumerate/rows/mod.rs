//! Rows: up to 560 positions at a time.
//!
//! Take the positions of a tier that differ only in where Black's pieces of one size, the *inner* ones, stand. They make a
//! row: a bit vector with one bit for each placement of the inner pieces. The other pieces are the row's *outer*
//! placement. A move then acts on all positions of a row by a few operations on whole vectors. Three inner pieces on 16
//! squares make 560 bits.

pub mod allowed;
pub mod board;
pub mod columns;
pub mod discipline;
pub mod domain;
pub mod inner;
pub mod kernel;
pub mod layout;
pub mod order;
pub mod placements;
pub mod playable;
pub mod ranked;
pub mod ranks;
pub mod strip;
