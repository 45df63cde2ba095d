//! Numbers of positions.
//!
//! Who is to move matters and who is called White does not: a position is told by the pieces of the *mover*, the side to move,
//! and those of the *waiter*, its opponent. Each size has 1,423 placements, so there are 1,423³ = 2,881,473,967 positions.
//!
//! A [`Row`] is the placements of the two smaller sizes up to symmetry, and holds one number for each placement of the Large
//! pieces. So the 255,903 rows have 364,149,969 numbers for the 360,382,485 positions that differ by more than a symmetry.

mod placements;
mod rows;

pub use placements::{Placements, SETS, set, set_number};
pub(crate) use rows::representatives;
pub use rows::{Row, Rows};
