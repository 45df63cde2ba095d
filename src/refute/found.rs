//! The checkpoint of a refutation, and its first part: what each step of the search for distances found.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::distances::left;
use super::grown::HalfGrown;
use super::{Refuting, tell};
use crate::bitbase::tables::Part;
use crate::closure::Watcher;
use crate::enumerate::rows::kernel::{bits, words};
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::FixpointError;
use crate::store::{Checkpoint, Handle, Manifest, WorkingError};

/// The manifest of a refutation. Each step adds to it.
#[derive(Default, Debug, Serialize, Deserialize)]
pub struct SavedRefutation {
    pub(crate) done: Done,
    /// What the steps found, in their order. The last ones may belong to a move whose other steps are not done yet.
    found: Vec<FoundRows>,
    pub(crate) grown: Option<HalfGrown>,
}

/// What a step found in a tier.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct FoundRows {
    tier: usize,
    /// The distance of what was found, in white moves.
    moves: u8,
    rows: Handle,
}

impl SavedRefutation {
    /// How many findings are recorded.
    pub(super) fn findings(&self) -> usize {
        self.found.len()
    }

    /// Forgets all findings but the first ones.
    pub(super) fn keep(&mut self, findings: usize) {
        self.found.truncate(findings);
    }

    /// The tier of the last step that found something, if the other steps of its move are not all done.
    pub(super) fn last_step(&self, layout: &Layout) -> Option<usize> {
        let beyond = |last: &&FoundRows| {
            layout.all().get(last.tier).is_some_and(|tier| last.moves > left(self.done.most, tier))
        };
        self.found.last().filter(beyond).map(|last| last.tier)
    }
}

impl Manifest for SavedRefutation {
    const MAKES: &'static str = "refutation";

    fn handles(&self) -> Vec<Handle> {
        let found = self.found.iter().map(|found| found.rows);
        found.chain(self.grown.iter().flat_map(HalfGrown::handles)).collect()
    }
}

/// About how many words a row takes in a working file.
const WORDS: usize = 4;

/// How far the steps are; nothing is done by default.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Distances up to this number of white moves are known for all positions that matter. Of some tiers those with one move
    /// more may be known too.
    pub most: u8,
    /// Once no step is needed any more: whether Black wins from the empty board, whoever moves first.
    pub wins: Option<bool>,
}

/// Some rows of a tier in which a step found something.
#[derive(Serialize, Deserialize)]
struct RowBlock {
    /// The number of the first row, then for each other row its number less that of the row before.
    behind: Vec<u64>,
    /// The placements as bits, one row after the other.
    places: Vec<u64>,
}

/// Rows of a tier with placements of inner pieces as bits.
pub(crate) type Rows<'a> = Vec<(usize, &'a [u64])>;

/// Writes what a step found in a tier. It counts when the step is done and published.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write<const N: usize>(
    checkpoint: &mut Checkpoint<SavedRefutation>,
    tier: usize,
    moves: u8,
    found: &[Vec<Part<N>>],
) -> Result<Handle, WorkingError> {
    // Most parts hold a few rows only, and a block of each would be a file of each.
    let found: Vec<&Part<N>> = found.iter().flatten().collect();
    let blocks = found.chunks(checkpoint.block_len(WORDS)).map(|found| {
        let mut before = 0;
        let behind = |&&(row, _): &&Part<N>| (row - std::mem::replace(&mut before, row)) as u64;
        let behind = found.iter().map(behind).collect();
        let places = found.iter().flat_map(|(_, places)| places).copied().collect();
        RowBlock { behind, places }
    });
    let rows = checkpoint.write(blocks)?;
    checkpoint.manifest.found.push(FoundRows { tier, moves, rows });
    Ok(rows)
}

/// Reads some rows of a tier that are written.
///
/// # Errors
/// A file cannot be read, is damaged, missing, or for something else; or that of `each`.
pub(crate) fn read_rows(
    checkpoint: &Checkpoint<SavedRefutation>,
    plan: &TierLayout,
    rows: Handle,
    each: &mut dyn FnMut(Rows<'_>) -> Result<(), FixpointError>,
) -> Result<(), FixpointError> {
    for block in checkpoint.read::<RowBlock>(rows) {
        let damaged = || checkpoint.damaged(rows, "its rows are not the tier's");
        each(block?.rows(plan).ok_or_else(damaged)?)?;
    }
    Ok(())
}

/// Reads what the steps found with some distances, in their order. Each call of `each` gets a tier, a distance in white moves, and some rows
/// with their placements.
///
/// # Errors
/// A file cannot be read, is damaged, missing, or for something else; or the watcher broke it off.
pub(crate) fn read(
    checkpoint: &Checkpoint<SavedRefutation>,
    layout: &Layout,
    distances: RangeInclusive<u8>,
    watcher: Watcher<'_, Refuting>,
    mut each: impl FnMut(usize, u8, Rows<'_>),
) -> Result<(), FixpointError> {
    let SavedRefutation { done, found, .. } = &checkpoint.manifest;
    for &FoundRows { tier, moves, rows } in found.iter().filter(|found| distances.contains(&found.moves)) {
        let damaged = || checkpoint.damaged(rows, "its rows are not the tier's");
        let plan = layout.all().get(tier).ok_or_else(damaged)?;
        // A move may be saved when some of its steps are done.
        let most = if done.wins.is_none() { done.most.saturating_add(1) } else { done.most };
        if moves > left(most, plan) {
            return Err(damaged().into());
        }
        // A block that cannot be read is reported even if the watcher breaks off here.
        read_rows(checkpoint, plan, rows, &mut |found| {
            tell(watcher, Refuting::Moves(done.most.into()))?;
            each(tier, moves, found);
            Ok(())
        })?;
    }
    Ok(())
}

/// As [`read`], for each position that was found: `each` gets its tier, its distance and its number in the tier.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_numbers(
    checkpoint: &Checkpoint<SavedRefutation>,
    layout: &Layout,
    distances: RangeInclusive<u8>,
    watcher: Watcher<'_, Refuting>,
    each: impl Fn(usize, u8, usize) + Sync,
) -> Result<(), FixpointError> {
    read(checkpoint, layout, distances, watcher, |tier, moves, found| {
        let of_row = |(row, places)| numbers(layout.tier(tier), row, places);
        found.into_par_iter().flat_map_iter(of_row).for_each(|number| each(tier, moves, number));
    })
}

/// The numbers of those placements of a row that are stored.
pub(crate) fn numbers(plan: &TierLayout, row: usize, places: &[u64]) -> impl Iterator<Item = usize> {
    bits(places).filter_map(move |place| plan.bit(row, place)).map(|bit| plan.number(bit))
}

impl RowBlock {
    /// The rows and their placements; `None` if they are not those of the tier.
    fn rows(&self, plan: &TierLayout) -> Option<Rows<'_>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn rows_that_are_not_the_tiers_are_refused() {
        let layout = Layout::new("A1-A1B1".read().expect("a variant"));
        let plan = layout.all().last().expect("a tier");
        let rows = |behind: &[u64], places: usize| {
            RowBlock { behind: behind.to_vec(), places: vec![1; places] }.rows(plan).map(|rows| rows.len())
        };
        let last = plan.rows as u64 - 1;
        assert_eq!(rows(&[0, 1, last - 1], 3), Some(3));
        assert_eq!(rows(&[0, 1], 3), None, "more placements than rows");
        assert_eq!(rows(&[last + 1], 1), None);
        assert_eq!(rows(&[1, last], 2), None);
        assert_eq!(rows(&[1, u64::MAX], 2), None);
    }
}
