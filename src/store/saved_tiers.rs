//! The checkpoint of a fixpoint: the state and the sets of each tier.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::bitbase::solution::Solution;
use crate::enumerate::rows::layout::TierLayout;
use crate::rules::Color;
use crate::store::{Checkpoint, Handle, Manifest, WorkingError};

/// The state of a tier besides its sets.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct TierState {
    /// Rounds run so far.
    pub rounds: u32,
    /// In the first round: how many rows its three passes have gone over, added up. What they found is in the sets. In a later
    /// round: how many rows the two passes of the whole black update have gone over, so that the next run resumes the update
    /// there; 0 if it need not.
    pub first_round: u64,
    /// Whether the last round added nothing.
    pub finished: bool,
    /// Whether the set with Black to move is saved too. If not, it is derived again from White's.
    pub with_black: bool,
}

/// The manifest of a fixpoint: for each saved tier, by its place in the tiers' order, its state and the blocks of its sets.
#[derive(Default, Debug, Serialize, Deserialize)]
pub struct SavedTiers(BTreeMap<usize, (TierState, Handle)>);

impl Manifest for SavedTiers {
    const MAKES: &'static str = "tiers";
    const CURE: &'static str = "without this file its tier is solved again, and --fresh discards all of them";

    fn handles(&self) -> Vec<Handle> {
        self.0.values().map(|&(_, sets)| sets).collect()
    }
}

/// A part of a tier's sets.
#[derive(Serialize, Deserialize)]
struct Block {
    /// The words of the bitbase with White to move: the thesis's B.
    white_to_move: ByteBuf,
    /// The same with Black to move, the thesis's W, if it is saved.
    black_to_move: Option<ByteBuf>,
}

/// Words as bytes, the lowest byte of each first. Bytes are written and read many times as fast as numbers.
fn bytes(words: &[u64]) -> ByteBuf {
    let mut bytes = Vec::with_capacity(8 * words.len());
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.into()
}

/// The words that [`bytes`] made into these bytes.
fn words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u64::from_le_bytes(word)).collect()
}

/// A tier as the working files hold it.
pub(crate) struct SavedTier<'a> {
    checkpoint: &'a Checkpoint<SavedTiers>,
    sets: Handle,
    pub state: TierState,
    /// How many words a set of the tier has.
    len: usize,
}

/// Words of a tier's sets.
#[derive(Default)]
pub(crate) struct SavedWords {
    pub white_to_move: Vec<u64>,
    /// Empty if they are not saved.
    pub black_to_move: Vec<u64>,
}

impl SavedWords {
    /// The words of the set with this side to move.
    pub(crate) fn of(&self, turn: Color) -> &[u64] {
        match turn {
            Color::White => &self.white_to_move,
            Color::Black => &self.black_to_move,
        }
    }
}

impl<'a> SavedTier<'a> {
    /// The saved tier with this place and layout; `None` if nothing of it is saved.
    pub(crate) fn of(
        checkpoint: &'a Checkpoint<SavedTiers>,
        tier: usize,
        plan: &TierLayout,
    ) -> Option<SavedTier<'a>> {
        let &(mut state, sets) = checkpoint.manifest.0.get(&tier)?;
        if !state.with_black {
            state.first_round = state.first_round.min(plan.rows as u64);
        }
        Some(SavedTier { checkpoint, sets, state, len: plan.len() })
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> u32 {
        self.sets.blocks()
    }

    /// Reads the block at a place; `from` is the index of its first word in the tier's sets.
    pub(crate) fn block(&self, place: u32, from: usize) -> Result<SavedWords, WorkingError> {
        let block: Block = self.checkpoint.read_one(self.sets, place)?;
        let len = block.white_to_move.len();
        let as_long =
            block.black_to_move.as_ref().map(|bytes| bytes.len()) == self.state.with_black.then_some(len);
        if !as_long || !len.is_multiple_of(8) || from + len / 8 > self.len {
            return Err(self.damaged("its sets are not the tier's"));
        }
        let black_to_move = block.black_to_move.map_or_else(Vec::new, |bytes| words(&bytes));
        Ok(SavedWords { white_to_move: words(&block.white_to_move), black_to_move })
    }

    /// Returns `len`, the words of a block. All blocks but the last must have `each`, as the first has; else it is an error.
    fn agrees(&self, place: u32, len: usize, each: usize) -> Result<usize, WorkingError> {
        let last = place + 1 == self.blocks();
        if len == each || last { Ok(len) } else { Err(self.damaged("its blocks differ in length")) }
    }

    /// An error unless `words`, the words of all blocks together, is the length of the tier's sets.
    pub(crate) fn are_all(&self, words: usize) -> Result<(), WorkingError> {
        if words == self.len { Ok(()) } else { Err(self.damaged("its sets are not all of the tier's")) }
    }

    fn damaged(&self, reason: &'static str) -> WorkingError {
        self.checkpoint.damaged(self.sets, reason)
    }
}

/// The most blocks that are read between two calls of `heed`.
const TOGETHER: u32 = 16;

/// Adds the positions in a tier's working files, all of them lost, to its sets. If a file is missing, the tier counts as not
/// begun; the positions that were added are lost all the same. `heed` is told how many blocks are read, and of how many. Its
/// error ends the loading.
pub(crate) fn load<E: From<WorkingError> + Send>(
    solution: &mut Solution,
    checkpoint: &Checkpoint<SavedTiers>,
    tier: usize,
    turns: &[Color],
    heed: &mut dyn FnMut(u32, u32) -> Result<(), E>,
) -> Result<TierState, E> {
    let Solution { lost, rounds, layout, .. } = solution;
    let Some(saved) = SavedTier::of(checkpoint, tier, layout.tier(tier)) else {
        return Ok(TierState::default());
    };
    // Adds the block at a place, with its first word at `from`. Returns the number of its words.
    let add = |place: u32, from: usize| -> Result<usize, WorkingError> {
        let block = saved.block(place, from)?;
        for &turn in turns {
            lost.add_words(tier, turn, from, block.of(turn));
        }
        Ok(block.white_to_move.len())
    };
    let blocks = saved.blocks();
    // The others are as long as the first block, except the last.
    let (mut next, mut each, mut words) = (0, 0, 0);
    while next < blocks {
        heed(next, blocks)?;
        let places = next..if next == 0 { 1 } else { blocks.min(next + TOGETHER) };
        next = places.end;
        let lens = places.into_par_iter().map(|place| {
            let len = add(place, place as usize * each)?;
            if place == 0 { Ok(len) } else { saved.agrees(place, len, each) }
        });
        match lens.try_reduce(|| 0, |one, other| Ok(one + other)) {
            Err(WorkingError::Missing { .. }) => return Ok(TierState::default()),
            added => words += added?,
        }
        if next == 1 {
            each = words;
        }
    }
    saved.are_all(words)?;
    *rounds = (*rounds).max(saved.state.rounds);
    Ok(saved.state)
}

/// Writes the sets of a tier, and puts its state into the manifest. They count from the next [`Checkpoint::publish`] on.
pub(crate) fn save(
    solution: &Solution,
    checkpoint: &mut Checkpoint<SavedTiers>,
    tier: usize,
    known: TierState,
) -> Result<(), WorkingError> {
    let lost = &solution.lost;
    let len = lost.words(tier, Color::White).len();
    save_words(checkpoint, (tier, len), known, |turn, at| {
        lost.fetch_words(tier, turn, at.clone());
        lost.words(tier, turn)[at].iter().map(|word| word.load(Ordering::Relaxed)).collect()
    })
}

/// As [`save`], for a tier whose sets have `len` words. `words` returns those of one set in a range of indices.
pub(crate) fn save_words(
    checkpoint: &mut Checkpoint<SavedTiers>,
    (tier, len): (usize, usize),
    known: TierState,
    mut words: impl FnMut(Color, Range<usize>) -> Vec<u64>,
) -> Result<(), WorkingError> {
    let each = checkpoint.block_len(1);
    let blocks = (0..len).step_by(each).map(|from| {
        let mut part = |turn| bytes(&words(turn, from..len.min(from + each)));
        Block {
            white_to_move: part(Color::White),
            black_to_move: known.with_black.then(|| part(Color::Black)),
        }
    });
    let sets = checkpoint.write(blocks)?;
    checkpoint.manifest.0.insert(tier, (known, sets));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::rules::Reading;
    use crate::strategy::Seed;

    /// The error of loading a tier from blocks with these numbers of bytes for White and for Black; `None` if it loads.
    fn told(lens: &[(usize, Option<usize>)]) -> Option<String> {
        let game = game("A1-A2B2", Reading::Official);
        let mut solution = solved(&game, Seed::Rules);
        let own = tempfile::tempdir().expect("a directory");
        let opened = Checkpoint::open(own.path(), &game, Seed::Rules, false);
        let mut checkpoint: Checkpoint<SavedTiers> = opened.expect("opened");
        let tier = tier(&solution);
        let zeros = |len| ByteBuf::from(vec![0; len]);
        let blocks = lens
            .iter()
            .map(|&(white, black)| Block { white_to_move: zeros(white), black_to_move: black.map(zeros) });
        let sets = checkpoint.write(blocks.collect::<Vec<_>>()).expect("written");
        let known = TierState { with_black: true, ..TierState::default() };
        checkpoint.manifest.0.insert(tier, (known, sets));
        let loaded = load::<WorkingError>(&mut solution, &checkpoint, tier, &Color::ALL, &mut |_, _| Ok(()));
        loaded.err().map(|error| error.to_string())
    }

    /// The tier with the most words.
    fn tier(solution: &Solution) -> usize {
        let plans = solution.layout.all();
        (0..plans.len()).max_by_key(|&tier| plans[tier].len()).expect("a tier")
    }

    #[test]
    fn blocks_that_are_not_a_tiers_are_refused() {
        let game = game("A1-A2B2", Reading::Official);
        let solution = solved(&game, Seed::Rules);
        let bytes = 8 * solution.layout.tier(tier(&solution)).len();
        assert!(bytes > 32, "room for some blocks");
        let both = |len| (len, Some(len));
        assert_eq!(told(&[both(16), both(16), both(bytes - 32)]), None);
        for (lens, says) in [
            (vec![both(bytes + 8)], "not the tier's"),
            (vec![both(bytes - 3)], "not the tier's"),
            (vec![(bytes, None)], "not the tier's"),
            (vec![(bytes, Some(bytes - 8))], "not the tier's"),
            (vec![both(bytes - 8)], "not all of the tier's"),
            (vec![], "not all of the tier's"),
            (vec![both(16), both(8), both(bytes - 24)], "differ in length"),
        ] {
            let told = told(&lens).expect("refused");
            assert!(told.contains(says) && told.contains("solved again"), "{lens:?}: {told}");
        }
    }
}
