//! The checkpoint of a refutation, and its first part: what each step of the search for distances found.

use serde::{Deserialize, Serialize};

use super::distances::left;
use super::grown::HalfGrown;
use super::{Refuting, tell};
use crate::bitbase::tables::Part;
use crate::closure::Watcher;
use crate::enumerate::rows::layout::Layout;
use crate::passes::fixpoint::FixpointError;
use crate::store::saved::rows::{ROW_WORDS, RowBlock};
use crate::store::{Checkpoint, Handle, Manifest, WorkingError};

/// The manifest of a refutation. Each step adds to it.
#[derive(Default, Debug, Serialize, Deserialize)]
pub struct SavedRefutation {
    pub(crate) done: Done,
    /// What the steps found, in their order.
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

impl Manifest for SavedRefutation {
    const MAKES: &'static str = "refutation";

    fn handles(&self) -> Vec<Handle> {
        let found = self.found.iter().map(|found| found.rows);
        found.chain(self.grown.iter().flat_map(HalfGrown::handles)).collect()
    }
}

/// How far the steps are; nothing is done by default.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    /// Distances up to this number of white moves are known for all positions that matter.
    pub most: u8,
    /// Once no step is needed any more: whether Black wins from the empty board, whoever moves first.
    pub wins: Option<bool>,
}

/// Writes what a step found in a tier. It counts when the step is done and published.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write<const N: usize>(
    checkpoint: &mut Checkpoint<SavedRefutation>,
    tier: usize,
    moves: u8,
    found: &[Vec<Part<N>>],
) -> Result<(), WorkingError> {
    let len = checkpoint.block_len(ROW_WORDS);
    let blocks = found.iter().flat_map(|part| part.chunks(len)).map(RowBlock::of);
    let rows = checkpoint.write(blocks)?;
    checkpoint.manifest.found.push(FoundRows { tier, moves, rows });
    Ok(())
}

/// Reads what the steps found, in their order. Each call of `each` gets a tier, a distance in white moves, and some rows
/// with their placements.
///
/// # Errors
/// A file cannot be read, is damaged, missing, or for something else; or the watcher broke it off.
pub(crate) fn read(
    checkpoint: &Checkpoint<SavedRefutation>,
    layout: &Layout,
    watcher: Watcher<'_, Refuting>,
    mut each: impl FnMut(usize, u8, Vec<(usize, &[u64])>),
) -> Result<(), FixpointError> {
    let SavedRefutation { done, found, .. } = &checkpoint.manifest;
    for &FoundRows { tier, moves, rows } in found {
        let damaged = || checkpoint.damaged(rows, "its rows are not the tier's");
        let plan = layout.all().get(tier).ok_or_else(damaged)?;
        if moves > left(done.most, plan) {
            return Err(damaged().into());
        }
        for block in checkpoint.read::<RowBlock>(rows) {
            // A block that cannot be read is reported even if the watcher breaks off here.
            let block = block?;
            tell(watcher, Refuting::Moves(done.most.into()))?;
            each(tier, moves, block.rows(plan).ok_or_else(damaged)?);
        }
    }
    Ok(())
}
