//! Checkpoints of a refutation that grows, on disk.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::enumerate::{Ranking, Tier, Tiers};
use crate::passes::fixpoint::FixpointError;
use crate::rules::{Color, Position};
use crate::store::working::{Topic, Working};

/// About how many words a position takes in a working file, at most.
const WORDS: usize = 4;

/// Goes up when the growing of a refutation does anything else with the same distances, or keeps it in another form: with
/// what has another number it begins anew. The test `what_a_half_grown_refutation_keeps_is_of_form_1` fails then.
const FORM: u32 = 1;

/// The place of the only [`Grown`].
const GROWN: (usize, usize) = (0, 0);

/// How far a refutation has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Grown {
    /// The version of this file's form.
    form: u32,
    /// All white moves are answered in positions in which Black needs more moves than this.
    pub moves: u8,
    /// The number of positions with exactly `moves` moves whose white moves are answered, in the order in which they came.
    pub answered: u64,
    /// The number of positions.
    positions: u64,
}

/// Saves what grows. A position that has come in stays, so only the last block is ever written again.
pub(crate) struct Kept<'w> {
    working: &'w Working,
    /// The number of blocks that are full and written.
    full: usize,
    saved: Instant,
}

/// A position with White to move: the place of its tier in the order, and its rank there.
type Entry = (u16, u128);

impl<'w> Kept<'w> {
    /// What is on disk: how far it has grown, and the positions in the order in which they came. `None` if nothing is that
    /// this build has grown.
    ///
    /// # Errors
    /// A file cannot be read, is damaged, missing, or for something else.
    pub(crate) fn read(
        working: &Working,
        tiers: &Tiers,
    ) -> Result<Option<(Grown, Vec<Position>)>, FixpointError> {
        let grown = working.read::<Grown>(Topic::Growing, GROWN)?;
        let Some(grown) = grown.filter(|grown| grown.form == FORM) else { return Ok(None) };
        let mut all = Vec::new();
        for place in (0..grown.positions.div_ceil(block(working) as u64) as usize).map(place) {
            let damaged = |reason: &str| working.damaged(Topic::Grown, place, reason.to_owned());
            let entries: Vec<Entry> =
                working.read(Topic::Grown, place)?.ok_or_else(|| damaged("it is not there"))?;
            let positions: Option<Vec<Position>> =
                entries.iter().map(|entry| position(tiers, entry)).collect();
            all.extend(positions.ok_or_else(|| damaged("there is no such position"))?);
        }
        // The last block may have been written again when how far it is was not.
        all.truncate(grown.positions as usize);
        if all.len() as u64 != grown.positions {
            return Err(working.damaged(Topic::Growing, GROWN, "positions are missing".to_owned()).into());
        }
        Ok(Some((grown, all)))
    }

    /// Saves what grows from now on; `read` positions are on disk already.
    pub(crate) fn new(working: &'w Working, read: usize) -> Kept<'w> {
        Kept { working, full: read / block(working), saved: Instant::now() }
    }

    /// Whether it is time to keep what has grown.
    pub(crate) fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.working.checkpoint_every()
    }

    /// Keeps what has grown.
    ///
    /// # Errors
    /// A file cannot be written; what was kept before still is.
    ///
    /// # Panics
    /// If a position is in none of the tiers.
    pub(crate) fn write(
        &mut self,
        tiers: &Tiers,
        all: &[Position],
        moves: u8,
        answered: usize,
    ) -> Result<(), FixpointError> {
        for (number, positions) in all.chunks(block(self.working)).enumerate().skip(self.full) {
            let entries: Vec<Entry> = positions.iter().map(|position| entry(tiers, position)).collect();
            self.working.write(Topic::Grown, place(number), entries)?;
        }
        let (answered, positions) = (answered as u64, all.len() as u64);
        let grown = Grown { form: FORM, moves, answered, positions };
        self.working.write(Topic::Growing, GROWN, grown)?;
        self.full = all.len() / block(self.working);
        self.saved = Instant::now();
        Ok(())
    }
}

/// The number of positions that go into one working file.
fn block(working: &Working) -> usize {
    working.block_len(WORDS)
}

/// The place of a block.
fn place(block: usize) -> (usize, usize) {
    (0, block)
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
    use crate::enumerate::Discipline;
    use crate::rules::Reading;
    use crate::strategy::Seed;

    #[test]
    fn what_is_kept_is_read_again_and_what_is_wrong_with_it_is_told() {
        let own = tempfile::tempdir().expect("a directory");
        let game = game("A1-A1B1", Reading::Official);
        let tiers = Tiers::new(game.variant);
        let open = Working::open_within(own.path(), &game, Seed::Rules, &Discipline::FREE, false);
        let working = open.expect("the files");
        let reason = || Kept::read(&working, &tiers).map(|_| ()).expect_err("damaged").to_string();
        assert!(Kept::read(&working, &tiers).expect("the files").is_none());
        let last = tiers.as_slice().len() - 1;
        let all: Vec<Position> = [(0, 0), (last, 7), (last, 5)]
            .map(|(tier, rank)| position(&tiers, &(tier as u16, rank)).expect("a position"))
            .to_vec();
        let mut kept = Kept::new(&working, 0);
        kept.write(&tiers, &all, 9, 2).expect("written");
        let grown = Grown { form: FORM, moves: 9, answered: 2, positions: 3 };
        assert_eq!(Kept::read(&working, &tiers).expect("the files"), Some((grown, all.clone())));
        // Another build begins anew.
        working.write(Topic::Growing, GROWN, Grown { form: !grown.form, ..grown }).expect("written");
        assert_eq!(Kept::read(&working, &tiers).expect("the files"), None);
        working.write(Topic::Growing, GROWN, grown).expect("written");
        // More than it is known to be is what was written when how far it is was not.
        let entries = |len: usize| vec![entry(&tiers, &all[1]); len];
        working.write(Topic::Grown, place(0), entries(4)).expect("written");
        assert_eq!(Kept::read(&working, &tiers).expect("the files").map(|(_, all)| all.len()), Some(3));
        working.write(Topic::Grown, place(0), entries(2)).expect("written");
        assert!(reason().contains("positions are missing"), "{}", reason());
        for wrong in [(last as u16 + 1, 0), (0, 1)] {
            working.write(Topic::Grown, place(0), vec![wrong]).expect("written");
            assert!(reason().contains("no such position"), "{}", reason());
        }
        working.keep_only(Topic::Grown, |_| false).expect("removed");
        assert!(reason().contains("is not there"), "{}", reason());
    }
}
