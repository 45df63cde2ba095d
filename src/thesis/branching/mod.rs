//! Branching: how many legal moves positions have (thesis, section 2.3), as means over many kinds of positions.
//!
//! The thesis measured its mean "by the algorithm of the proof" and does not say over which positions.

mod draw;
mod scan;

pub use draw::{draw, play};
pub use scan::{Averaged, Branching, Over, Sides, scan};

use std::fmt;
use std::ops::AddAssign;

/// A mean number of moves: exact, as a quotient.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mean {
    /// How many positions.
    pub positions: u64,
    /// How many legal moves they have together.
    pub moves: u64,
}

impl Mean {
    /// The quotient, 0 of nothing.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.positions == 0 { 0.0 } else { self.moves as f64 / self.positions as f64 }
    }

    /// The quotient rounded to a whole number.
    #[must_use]
    pub fn rounded(self) -> u64 {
        (2 * self.moves + self.positions) / (2 * self.positions).max(1)
    }

    /// The quotient with what is behind the point cut off, as a division of integers gives it.
    #[must_use]
    pub fn cut_off(self) -> u64 {
        self.moves / self.positions.max(1)
    }
}

impl AddAssign for Mean {
    fn add_assign(&mut self, other: Mean) {
        self.positions += other.positions;
        self.moves += other.moves;
    }
}

/// Three digits behind the point.
impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.value())
    }
}

#[cfg(test)]
mod tests;
