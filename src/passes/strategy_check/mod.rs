//! Algorithm 1: does a strategy keep out of two sets of lost positions?
//!
//! The check visits canonical positions only and counts each with the size of its orbit. That is enough because the
//! three functions are symmetric, as [`Triple`] demands. Legal moves and their outcomes are the same under the 32
//! symmetries, so a step holds at one position exactly if it holds at every position of the orbit.

mod attempts;
mod failure;
mod lost_sets;
mod tally;
mod worked;

pub use attempts::{Attempt, attempts, failure_at, witnesses};
pub use failure::{Broken, Failure, Step, step};
pub use tally::{Convention, Count, CountedTiers, Tally, TierTally, Unit, Where};
pub use worked::{Attempted, Worked};

use rayon::prelude::*;

use crate::enumerate::positions_above;
use crate::rules::{Color, Game};
use crate::strategy::Triple;
use lost_sets::{Block, LostSets, blocks};

/// What Algorithm 1 found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// "Yes" if there is none; else the first position, by tier and rank, White to move before Black to move,
    /// at which the answer is "No".
    pub first: Option<Failure>,
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

/// Runs Algorithm 1 over every position of the game's variant, and goes on after a failure so that all are
/// counted. The report is the same whatever the number of threads.
#[must_use]
pub fn check(game: &Game, triple: &dyn Triple) -> Report {
    let blocks = blocks(game);
    let lost = LostSets::new(game, triple, &blocks);
    let tallies: Vec<Tally> =
        blocks.par_iter().map(|block| check_block(game, triple, &lost, block)).collect();
    let tally = tallies.into_iter().fold(Tally::default(), Tally::then);
    Report { first: tally.first_failure().cloned(), tally }
}

fn check_block(game: &Game, triple: &dyn Triple, lost: &LostSets, block: &Block) -> Tally {
    let mut tally = Tally::default();
    for position in positions_above(&block.ranking, &block.root, Color::White) {
        let count = Count::of(&position, &block.root.stabiliser);
        for turn in Color::ALL {
            let position = position.with_turn(turn);
            let step = step(game, triple, &position, |p| lost.contains(p));
            tally.add(&position, count, step);
        }
    }
    tally
}

#[cfg(test)]
mod tests;
