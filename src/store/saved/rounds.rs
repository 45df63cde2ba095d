//! In which order the positions of a tier were found lost: what each round of its white updates added.
//!
//! A position that a round adds is lost because of positions that earlier rounds added, and because of later tiers. So a
//! strategy of Black's that always goes to an earlier round, or to a later tier, comes to an end.
//!
//! What is written is a history, and is never taken back. A run that is broken off may have written more than it saved of
//! the sets. The next run finds these positions again, in a round with a higher number. The first number is right too.

use serde::{Deserialize, Serialize};

use super::rows::RowBlock;
use super::tiers::SavedTiers;
use crate::bitbase::tables::Part;
use crate::store::{Checkpoint, Handle, WorkingError};

/// Blocks that were written together.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct FoundInRounds {
    /// The first and the last round of which they hold something, counted from 1.
    pub rounds: (u32, u32),
    pub rows: Handle,
}

/// A block: what some rounds found, with their numbers in ascending order.
pub(crate) type RoundBlock = Vec<(u32, RowBlock)>;

/// How many full blocks are in memory before they are written.
const BLOCKS: usize = 8;

/// What the rounds of a tier find, until it is written.
pub(crate) struct Finding {
    tier: usize,
    /// The number of the round under way.
    round: u32,
    /// The last row of the last block.
    last: usize,
    /// How many words the last block has.
    words: usize,
    /// How many words a full block has.
    most: usize,
    blocks: Vec<RoundBlock>,
}

impl Finding {
    /// Begins where earlier runs stopped. `None` if this run does not keep what its rounds find.
    pub(crate) fn begin(checkpoint: &Checkpoint<SavedTiers>, tier: usize) -> Option<Finding> {
        let rounds = checkpoint.manifest.rounds.as_ref()?;
        let round = rounds.get(&tier).into_iter().flatten().map(|found| found.rounds.1).max().unwrap_or(0);
        Some(Finding { tier, round, last: 0, words: 0, most: checkpoint.block_len(1), blocks: Vec::new() })
    }

    /// Begins the next round.
    pub(crate) fn next_round(&mut self) {
        self.round += 1;
    }

    /// Adds what a part of the round found. The rows ascend, also from part to part.
    pub(crate) fn add<const N: usize>(&mut self, found: &[Part<N>]) {
        let Some(&(last, _)) = found.last() else { return };
        if self.blocks.is_empty() || self.words >= self.most {
            self.blocks.push(RoundBlock::new());
            self.words = 0;
        }
        let before = self.words;
        if let Some(block) = self.blocks.last_mut() {
            match block.last_mut() {
                Some((round, rows)) if *round == self.round => rows.append(self.last, found),
                _ => block.push((self.round, RowBlock::of(found))),
            }
            self.words = block.iter().map(|(_, rows)| rows.words()).sum();
        }
        debug_assert!(self.words > before, "something was added");
        self.last = last;
    }

    /// Whether it should be written, since it takes much memory.
    pub(crate) fn is_much(&self) -> bool {
        self.blocks.len() > BLOCKS
    }

    /// Writes what was found. It counts from the next [`Checkpoint::publish`] on.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn write(&mut self, checkpoint: &mut Checkpoint<SavedTiers>) -> Result<(), WorkingError> {
        let blocks = std::mem::take(&mut self.blocks);
        let mut numbers = blocks.iter().flatten().map(|&(round, _)| round);
        let Some(first) = numbers.next() else { return Ok(()) };
        let rounds = (first, numbers.last().unwrap_or(first));
        let rows = checkpoint.write(blocks)?;
        let kept = checkpoint.manifest.rounds.get_or_insert_default();
        kept.entry(self.tier).or_default().push(FoundInRounds { rounds, rows });
        Ok(())
    }
}
