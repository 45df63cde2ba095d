//! The checkpoint of a fixpoint: what is known of each tier.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use crate::bitbase::solution::Solution;
use crate::rules::Color;
use crate::store::{Checkpoint, Handle, Manifest, WorkingError};

/// What is known of a tier besides its sets.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct TierState {
    /// Rounds run so far.
    pub rounds: u32,
    /// How far the first round is: rows gone over by its three passes together. What they found is in the sets.
    pub first_round: u64,
    /// Whether the last round added nothing.
    pub finished: bool,
    /// Whether the set with Black to move is there too. If not, it is found again out of White's.
    pub with_black: bool,
}

/// The manifest of a fixpoint: for each tier, by its place in the tiers' order, what is known of it and where its sets are.
#[derive(Default, Debug, Serialize, Deserialize)]
pub struct SavedTiers(BTreeMap<usize, (TierState, Handle)>);

impl Manifest for SavedTiers {
    const MAKES: &'static str = "tiers";
    const CURE: &'static str = "without this file its tier is solved again, and --fresh discards all of them";

    fn handles(&self) -> Vec<Handle> {
        self.0.values().map(|&(_, sets)| sets).collect()
    }
}

/// A block of a tier.
#[derive(Serialize, Deserialize)]
struct Block {
    /// The words of the bitbase with White to move: the thesis's B.
    white_to_move: Vec<u64>,
    /// The same with Black to move, the thesis's W, if it is saved.
    black_to_move: Option<Vec<u64>>,
}

/// Adds to a tier's sets what working files hold. All that they hold is lost indeed: where a file is missing, the tier is
/// unfinished and nothing is wrong with what the others hold.
pub(crate) fn load(
    solution: &mut Solution,
    checkpoint: &Checkpoint<SavedTiers>,
    tier: usize,
    turns: &[Color],
) -> Result<TierState, WorkingError> {
    let Some(&(mut known, sets)) = checkpoint.manifest.0.get(&tier) else { return Ok(TierState::default()) };
    let Solution { lost, rounds, layout, .. } = solution;
    let plan = layout.tier(tier);
    let mut from = 0;
    for block in checkpoint.read::<Block>(sets) {
        let block = match block {
            Err(WorkingError::Missing { .. }) => return Ok(TierState::default()),
            block => block?,
        };
        let len = block.white_to_move.len();
        let as_long = block.black_to_move.as_ref().map(Vec::len) == known.with_black.then_some(len);
        if !as_long || from + len > plan.len() {
            return Err(checkpoint.damaged(sets, "its sets are not the tier's"));
        }
        for &turn in turns {
            let words = match turn {
                Color::White => &block.white_to_move[..],
                Color::Black => block.black_to_move.as_deref().unwrap_or_default(),
            };
            lost.add_words(tier, turn, from, words);
        }
        from += len;
    }
    if from != plan.len() {
        return Err(checkpoint.damaged(sets, "its sets are not all of the tier's"));
    }
    if !known.with_black {
        known.first_round = known.first_round.min(plan.rows as u64);
    }
    *rounds = (*rounds).max(known.rounds);
    Ok(known)
}

/// Writes what is known of a tier. It counts when it is published.
pub(crate) fn save(
    solution: &Solution,
    checkpoint: &mut Checkpoint<SavedTiers>,
    tier: usize,
    known: TierState,
) -> Result<(), WorkingError> {
    let (lost, len) = (&solution.lost, checkpoint.block_len(1));
    let words = |turn, from: usize| -> Vec<u64> {
        let words = lost.words(tier, turn)[from..].iter().take(len);
        words.map(|word| word.load(Ordering::Relaxed)).collect()
    };
    let blocks = (0..lost.words(tier, Color::White).len()).step_by(len).map(|from| Block {
        white_to_move: words(Color::White, from),
        black_to_move: known.with_black.then(|| words(Color::Black, from)),
    });
    let sets = checkpoint.write(blocks)?;
    checkpoint.manifest.0.insert(tier, (known, sets));
    Ok(())
}
