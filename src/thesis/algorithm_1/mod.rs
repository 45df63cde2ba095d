//! Algorithm 1 on `ab` as the thesis reports it (section 6.2): its answer and how many positions it works, for every
//! combination of the options that the thesis's text leaves open.
//!
//! The pass itself is [`strategy_check`]. This module counts what it visits.

mod attempts;
mod tally;
mod worked;

pub use attempts::{CombinationAnswer, attempts, witnesses};
pub use tally::{Tally, TierTally, Where};
pub use worked::{Worked, WorkedCount};

use crate::passes::strategy_check::{self, StrategyFailure};
use crate::rules::Game;
use crate::strategy::Triple;

/// What Algorithm 1 found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The first position at which the answer is "No", by tier and rank, White to move before Black to move. `None` if
    /// the answer is "Yes".
    pub first: Option<StrategyFailure>,
    /// Everything counted.
    pub tally: Tally,
}

impl Report {
    /// Whether the answer is "Yes".
    #[must_use]
    pub fn holds(&self) -> bool {
        self.first.is_none()
    }
}

/// Runs Algorithm 1 over every position of the game's variant and counts what it finds. The report is the same whatever
/// the number of threads.
#[must_use]
pub fn check(game: &Game, triple: &dyn Triple) -> Report {
    let parts = strategy_check::check(game, triple, Tally::add);
    let tally = parts.into_iter().fold(Tally::default(), Tally::then);
    Report { first: tally.first_failure().cloned(), tally }
}

#[cfg(test)]
mod tests;
