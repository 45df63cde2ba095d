//! What the steps found, on disk.

use serde::{Deserialize, Serialize};

use super::steps::left;
use super::{Refuting, Watcher, tell};
use crate::passes::fixpoint::FixpointError;
use crate::passes::kernel::words;
use crate::passes::layout::TierLayout;
use crate::passes::sweep::Part;
use crate::passes::working::{Topic, Working};

/// So many rows go into one working file.
const BLOCK_ROWS: usize = 1 << 20;

/// The most blocks of a step in a tier, as a power of two.
const BLOCK_BITS: u32 = 16;

/// The place of the only [`Done`].
const DONE: (usize, usize) = (0, 0);

/// How far the steps on disk are.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Done {
    /// All is known that Black wins by so many white moves at most, from the empty board.
    pub most: u8,
    /// Where no step is needed any more, whether Black wins from the empty board, whoever moves first.
    pub wins: Option<bool>,
}

impl Done {
    /// What is on disk, nothing if there is none.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is for something else.
    pub(super) fn read(working: &Working) -> Result<Done, FixpointError> {
        Ok(working.read(Topic::Done, DONE)?.unwrap_or(Done { most: 0, wins: None }))
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(self, working: &Working) -> Result<(), FixpointError> {
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
pub(super) fn write<const N: usize>(
    working: &Working,
    tier: usize,
    moves: u8,
    found: &[Vec<Part<N>>],
) -> Result<(), FixpointError> {
    for (block, found) in found.iter().flat_map(|part| part.chunks(BLOCK_ROWS)).enumerate() {
        let mut before = 0;
        let behind = |&(row, _): &Part<N>| (row - std::mem::replace(&mut before, row)) as u64;
        let behind = found.iter().map(behind).collect();
        let places = found.iter().flat_map(|(_, places)| places).copied().collect();
        working.write(Topic::Found, place(tier, moves, block), Found { behind, places })?;
    }
    Ok(())
}

/// Reads what the steps found in a tier that begin within so many moves from the empty board: how many moves it takes
/// from there, and the rows with their placements, in parts.
///
/// # Errors
/// A file cannot be read, is damaged, or is for something else; or the watcher broke it off.
pub(super) fn read(
    working: &Working,
    (tier, plan): (usize, &TierLayout),
    most: u8,
    watcher: Watcher<'_>,
    mut each: impl FnMut(u8, Vec<(usize, &[u64])>),
) -> Result<(), FixpointError> {
    for moves in 1..=left(most, plan) {
        for place in (0..).map(|block| place(tier, moves, block)) {
            let Some(found) = working.read::<Found>(Topic::Found, place)? else { break };
            tell(watcher, Refuting::Moves(most.into()))?;
            let rows = found.rows(plan);
            each(
                moves,
                rows.ok_or_else(|| {
                    working.damaged(Topic::Found, place, "its rows are not the tier's".to_owned())
                })?,
            );
        }
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
