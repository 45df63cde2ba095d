//! Branching: the mean number of legal moves (thesis, section 2.3), over each of several sets of positions.
//!
//! The thesis measured its mean "by the algorithm of the proof" and does not say over which positions.

mod draw;
mod scan;

pub use draw::{draw, play};
pub use scan::{Averaged, Branching, Over, Sides, scan};

use std::fmt;
use std::ops::AddAssign;

/// A mean number of moves, kept as an exact quotient.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mean {
    /// How many positions.
    pub positions: u64,
    /// How many legal moves they have together.
    pub moves: u64,
}

impl Mean {
    /// The quotient; 0 if there are no positions.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.positions == 0 { 0.0 } else { self.moves as f64 / self.positions as f64 }
    }

    /// The quotient rounded to a whole number.
    #[must_use]
    pub fn rounded(self) -> u64 {
        (2 * self.moves + self.positions) / (2 * self.positions).max(1)
    }

    /// The quotient rounded down, as a division of integers gives it.
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

/// Three digits after the point.
impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.value())
    }
}

#[cfg(test)]
mod tests;
