//! Checkpoints of the search for distances: what each step found, on disk.

use serde::{Deserialize, Serialize};

use super::distances::left;
use super::{Refuting, Watcher, tell};
use crate::bitbase::tables::Part;
use crate::enumerate::rows::kernel::words;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::FixpointError;
use crate::store::working::{Topic, Working};

/// About how many words a row takes in a working file.
const WORDS: usize = 4;

/// The most blocks of a step in a tier, as a power of two.
const BLOCK_BITS: u32 = 16;

/// The place of the only [`Done`].
const DONE: (usize, usize) = (0, 0);

/// How far the steps are; nothing is done by default.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Distances up to this number of white moves are known for all positions that matter.
    pub most: u8,
    /// Once no step is needed any more: whether Black wins from the empty board, whoever moves first.
    pub wins: Option<bool>,
    /// The number of rows in which a step found something; a row counts once for each such step.
    pub rows: u64,
}

impl Done {
    /// What is on disk.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is for something else.
    pub(crate) fn read(working: &Working) -> Result<Done, FixpointError> {
        Ok(working.read(Topic::Done, DONE)?.unwrap_or_default())
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(self, working: &Working) -> Result<(), FixpointError> {
        Ok(working.write(Topic::Done, DONE, self)?)
    }
}

/// What a step found in some rows of a tier.
#[derive(Serialize, Deserialize)]
struct Found {
    /// For each row how far it is behind the one before, for the first how far behind the first of the tier.
    behind: Vec<u64>,
    /// The placements, one row after the other.
    places: Vec<u64>,
}

/// Writes what a step found in a tier, in parts.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write<const N: usize>(
    working: &Working,
    tier: usize,
    moves: u8,
    found: &[Vec<Part<N>>],
) -> Result<(), FixpointError> {
    let rows = working.block_len(WORDS);
    for (block, found) in found.iter().flat_map(|part| part.chunks(rows)).enumerate() {
        let mut before = 0;
        let behind = |&(row, _): &Part<N>| (row - std::mem::replace(&mut before, row)) as u64;
        let behind = found.iter().map(behind).collect();
        let places = found.iter().flat_map(|(_, places)| places).copied().collect();
        working.write(Topic::Found, place(tier, moves, block), Found { behind, places })?;
    }
    Ok(())
}

/// Reads what the steps found, in their order: the tier, how many moves it takes from there, and the rows with their
/// placements, in parts.
///
/// # Errors
/// A file cannot be read, is damaged, missing, or for something else; or the watcher broke it off.
pub(crate) fn read(
    working: &Working,
    layout: &Layout,
    done: Done,
    watcher: Watcher<'_>,
    mut each: impl FnMut(usize, u8, Vec<(usize, &[u64])>),
) -> Result<(), FixpointError> {
    let mut read = 0;
    for most in 1..=done.most {
        for (tier, plan) in layout.all().iter().enumerate() {
            let moves = left(most, plan);
            if moves == 0 {
                continue;
            }
            for place in (0..).map(|block| place(tier, moves, block)) {
                let Some(found) = working.read::<Found>(Topic::Found, place)? else { break };
                tell(watcher, Refuting::Moves(done.most.into()))?;
                let damaged =
                    || working.damaged(Topic::Found, place, "its rows are not the tier's".to_owned());
                let rows = found.rows(plan).ok_or_else(damaged)?;
                read += rows.len() as u64;
                each(tier, moves, rows);
            }
        }
    }
    if read != done.rows {
        let reason = format!("the steps found something in {} rows, and {read} are on disk", done.rows);
        return Err(working.damaged(Topic::Done, DONE, reason).into());
    }
    Ok(())
}

impl Found {
    /// The rows and their placements; `None` if they are not those of the tier.
    fn rows(&self, plan: &TierLayout) -> Option<Vec<(usize, &[u64])>> {
        let words = words(plan.k);
        if self.places.len() != words * self.behind.len() {
            return None;
        }
        let mut row = 0;
        let numbers = self.behind.iter().map(|&behind| {
            row = usize::try_from(behind)
                .ok()
                .and_then(|behind| behind.checked_add(row))
                .filter(|&row| row < plan.rows)?;
            Some(row)
        });
        numbers.zip(self.places.chunks(words)).map(|(row, places)| Some((row?, places))).collect()
    }
}

/// The place of a block of what a step found in a tier.
fn place(tier: usize, moves: u8, block: usize) -> (usize, usize) {
    debug_assert!(block < 1 << BLOCK_BITS, "a step finds less");
    (tier, usize::from(moves) << BLOCK_BITS | block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn rows_that_are_not_the_tiers_are_refused() {
        let layout = Layout::new("A1-A1B1".read().expect("a variant"));
        let plan = layout.all().last().expect("a tier");
        let rows = |behind: &[u64], places: usize| {
            Found { behind: behind.to_vec(), places: vec![1; places] }.rows(plan).map(|rows| rows.len())
        };
        let last = plan.rows as u64 - 1;
        assert_eq!(rows(&[0, 1, last - 1], 3), Some(3));
        assert_eq!(rows(&[0, 1], 3), None, "more placements than rows");
        assert_eq!(rows(&[last + 1], 1), None);
        assert_eq!(rows(&[1, last], 2), None);
        assert_eq!(rows(&[1, u64::MAX], 2), None);
    }
}
