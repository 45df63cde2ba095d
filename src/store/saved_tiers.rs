//! The checkpoint of a fixpoint: what is known of each tier.

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

/// What is known of a tier besides its sets.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
pub(crate) struct TierState {
    /// Rounds run so far.
    pub rounds: u32,
    /// In the first round, how many rows its three passes have gone over together; what they found is in the sets. In a later one,
    /// how many rows the two passes of the whole black update have gone over, which the next run goes on with; 0 if it need not.
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
    white_to_move: ByteBuf,
    /// The same with Black to move, the thesis's W, if it is saved.
    black_to_move: Option<ByteBuf>,
}

/// Words as bytes, the lowest first, which are written and read many times as fast as numbers.
fn bytes(words: &[u64]) -> ByteBuf {
    let mut bytes = Vec::with_capacity(8 * words.len());
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.into()
}

/// The words of such bytes.
fn words(bytes: &[u8]) -> Vec<u64> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u64::from_le_bytes(word)).collect()
}

/// What working files hold of a tier.
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
    /// Those of the set with a side to move.
    pub(crate) fn of(&self, turn: Color) -> &[u64] {
        match turn {
            Color::White => &self.white_to_move,
            Color::Black => &self.black_to_move,
        }
    }
}

impl<'a> SavedTier<'a> {
    /// The saved state of a tier with this layout; `None` if nothing is saved of it.
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

    /// How many blocks of words there are.
    pub(crate) fn blocks(&self) -> u32 {
        self.sets.blocks()
    }

    /// One of the blocks; `from` is the place of its first word.
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

    /// The length of a block, in words, where the first block has `each`. An error if they differ, except for the last block.
    fn agrees(&self, place: u32, len: usize, each: usize) -> Result<usize, WorkingError> {
        let last = place + 1 == self.blocks();
        if len == each || last { Ok(len) } else { Err(self.damaged("its blocks differ in length")) }
    }

    /// An error if all blocks together have not the words of the tier.
    pub(crate) fn are_all(&self, words: usize) -> Result<(), WorkingError> {
        if words == self.len { Ok(()) } else { Err(self.damaged("its sets are not all of the tier's")) }
    }

    fn damaged(&self, reason: &'static str) -> WorkingError {
        self.checkpoint.damaged(self.sets, reason)
    }
}

/// How many blocks are read before somebody hears of it.
const TOGETHER: u32 = 16;

/// Adds to a tier's sets the positions in its working files. Each of them is a lost position. If a file is missing, the tier is
/// unfinished, and the positions in the other files are still right. `heed` hears how many blocks are read, of how many, and may
/// break it off.
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
    // Adds a block from a word on; the number of its words.
    let add = |place: u32, from: usize| -> Result<usize, WorkingError> {
        let block = saved.block(place, from)?;
        for &turn in turns {
            lost.add_words(tier, turn, from, block.of(turn));
        }
        Ok(block.white_to_move.len())
    };
    let blocks = saved.blocks();
    // The first block says how long the others are, but the last.
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

/// Writes the state and the sets of a tier. They count from the next [`Checkpoint::publish`] on.
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

/// As [`save`], where `words` gives the words of a tier's sets at some places.
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

    /// What is said of a tier's blocks with these numbers of bytes for White and for Black.
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
