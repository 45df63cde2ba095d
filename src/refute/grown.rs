//! The second part of the checkpoint of a refutation: what has grown of it.

use serde::{Deserialize, Serialize};

use super::found::SavedRefutation;
use crate::enumerate::{Ranking, Tier, Tiers};
use crate::passes::fixpoint::FixpointError;
use crate::rules::{Color, Position};
use crate::store::{Checkpoint, Handle, WorkingError};

/// About how many words a position takes in a working file, at most.
const WORDS: usize = 4;

/// Goes up when the same distances make another refutation grow, or when what is kept has another form. Growing begins anew
/// where another number is on disk. The test `what_a_half_grown_refutation_keeps_is_of_form_1` fails then.
pub(crate) const FORM: u32 = 1;

/// The same for a refutation that grows by [`Sliding`](super::sliding::Sliding).
pub(crate) const SLIDING_FORM: u32 = 1001;

/// How far a refutation has grown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct HalfGrown {
    form: u32,
    /// In all positions with a distance above this, in white moves, White's moves are answered.
    pub moves: u8,
    /// The number of positions with exactly `moves` moves whose white moves are answered, in the order in which they came.
    pub answered: usize,
    /// The positions in the order in which they came. Each save adds some.
    positions: Vec<Handle>,
}

impl HalfGrown {
    /// Where its positions are.
    pub(crate) fn handles(&self) -> impl Iterator<Item = Handle> {
        self.positions.iter().copied()
    }
}

/// Saves what grows. A position that has come in stays, so only new ones are written.
pub(crate) struct Keeping<'c> {
    checkpoint: &'c mut Checkpoint<SavedRefutation>,
    form: u32,
    /// The number of positions that are written.
    written: usize,
}

/// How far a refutation has grown, and its positions in the order in which they came.
type Kept = (HalfGrown, Vec<Position>);

/// A position with White to move: the place of its tier in the order, and its rank there.
type Entry = (u16, u128);

impl<'c> Keeping<'c> {
    /// Reads what is on disk: how far it has grown, and the positions in the order in which they came. `None` if nothing is,
    /// or if it has another [`FORM`]. `heed` hears how many positions are read.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, missing, or for something else; or that of `heed`.
    pub(crate) fn begin(
        checkpoint: &'c mut Checkpoint<SavedRefutation>,
        tiers: &Tiers,
        form: u32,
        heed: &mut dyn FnMut(usize) -> Result<(), FixpointError>,
    ) -> Result<(Keeping<'c>, Option<Kept>), FixpointError> {
        checkpoint.begin_another();
        let grown = checkpoint.manifest.grown.take().filter(|grown| grown.form == form);
        let mut all = Vec::new();
        for handle in grown.iter().flat_map(HalfGrown::handles) {
            for block in checkpoint.read::<Vec<Entry>>(handle) {
                let positions: Option<Vec<Position>> =
                    block?.iter().map(|entry| position(tiers, entry)).collect();
                let damaged = || checkpoint.damaged(handle, "there is no such position");
                all.extend(positions.ok_or_else(damaged)?);
                heed(all.len())?;
            }
        }
        checkpoint.manifest.grown.clone_from(&grown);
        let keeping = Keeping { checkpoint, form, written: all.len() };
        Ok((keeping, grown.map(|grown| (grown, all))))
    }

    /// The working files.
    pub(crate) fn saved(&self) -> &Checkpoint<SavedRefutation> {
        self.checkpoint
    }

    /// Whether it is time to keep what has grown.
    pub(crate) fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    /// Keeps what has grown.
    ///
    /// # Errors
    /// A file cannot be written. What was kept before still is, or the new state if only its directory could not be synchronised.
    ///
    /// # Panics
    /// If a position is in none of the tiers.
    pub(crate) fn write(
        &mut self,
        tiers: &Tiers,
        all: &[Position],
        moves: u8,
        answered: usize,
    ) -> Result<(), WorkingError> {
        let new = all[self.written..].chunks(self.checkpoint.block_len(WORDS));
        let entries =
            new.map(|block| -> Vec<Entry> { block.iter().map(|position| entry(tiers, position)).collect() });
        let handle = self.checkpoint.write(entries)?;
        let before = self.checkpoint.manifest.grown.take();
        let mut positions = before.map(|grown| grown.positions).unwrap_or_default();
        positions.push(handle);
        self.checkpoint.manifest.grown = Some(HalfGrown { form: self.form, moves, answered, positions });
        self.written = all.len();
        self.checkpoint.publish()
    }
}

fn entry(tiers: &Tiers, position: &Position) -> Entry {
    let tier = Tier::of(position);
    let index = tiers.index(tier).expect("a position of the variant is in one of its tiers");
    (index as u16, Ranking::new(tier).rank(position))
}

fn position(tiers: &Tiers, &(tier, rank): &Entry) -> Option<Position> {
    let tier = *tiers.as_slice().get(usize::from(tier))?;
    Ranking::new(tier).unrank(rank, Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::game;
    use crate::rules::Reading;
    use crate::strategy::Seed;

    #[test]
    fn what_is_kept_is_read_again_and_what_is_wrong_with_it_is_told() {
        let own = tempfile::tempdir().expect("a directory");
        let game = game("A1-A1B1", Reading::Official);
        let tiers = Tiers::new(game.variant);
        let open = || -> Checkpoint<SavedRefutation> {
            Checkpoint::open(own.path(), &game, Seed::Rules, false).expect("the files")
        };
        let read = |checkpoint: &mut Checkpoint<_>| {
            let kept = Keeping::begin(checkpoint, &tiers, FORM, &mut |_| Ok(())).map(|(_, kept)| kept);
            kept.map(|kept| kept.map(|(grown, all)| (grown.moves, grown.answered, all)))
        };
        let last = tiers.as_slice().len() - 1;
        let all: Vec<Position> = [(0, 0), (last, 7), (last, 5)]
            .map(|(tier, rank)| position(&tiers, &(tier as u16, rank)).expect("a position"))
            .to_vec();
        let mut checkpoint = open();
        assert_eq!(read(&mut checkpoint).expect("the files"), None);
        let (mut keeping, _) =
            Keeping::begin(&mut checkpoint, &tiers, FORM, &mut |_| Ok(())).expect("the files");
        keeping.write(&tiers, &all[..2], 9, 1).expect("written");
        drop(checkpoint);
        // Gone on with.
        let mut checkpoint = open();
        assert_eq!(read(&mut checkpoint).expect("the files"), Some((9, 1, all[..2].to_vec())));
        let (mut keeping, _) =
            Keeping::begin(&mut checkpoint, &tiers, FORM, &mut |_| Ok(())).expect("the files");
        keeping.write(&tiers, &all, 9, 2).expect("written");
        drop(checkpoint);
        let mut checkpoint = open();
        assert_eq!(read(&mut checkpoint).expect("the files"), Some((9, 2, all)));
        // Another build begins anew, and what it grows takes the place of what was there.
        let grown = checkpoint.manifest.grown.as_mut().expect("some");
        grown.form += 1;
        checkpoint.publish().expect("written");
        drop(checkpoint);
        assert_eq!(read(&mut open()).expect("the files"), None);
        for wrong in [(last as u16 + 1, 0), (0, 1)] {
            let mut checkpoint = open();
            let positions = vec![checkpoint.write([vec![wrong]]).expect("written")];
            checkpoint.manifest.grown = Some(HalfGrown { form: FORM, moves: 9, answered: 2, positions });
            let reason = read(&mut checkpoint).expect_err("damaged").to_string();
            assert!(reason.contains("no such position"), "{reason}");
        }
    }
}
