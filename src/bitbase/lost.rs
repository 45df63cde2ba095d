//! The bitbases that the passes work on: which positions White has lost.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bitbase::mapped::Mapped;
use crate::bitbase::window::Place;
use crate::bitbase::window::{self, Window};
use crate::enumerate::Tier;
use crate::enumerate::rows::kernel::{Row, is_empty, minus};
use crate::enumerate::rows::layout::{Layout, RowBits, TierLayout};
use crate::rules::{ByColor, Color};
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use thiserror::Error;

/// For each tier and side to move the set of positions lost for White, as rows.
///
/// The words are atomic, as several threads write them. Relaxed access is enough: rows only grow, and the order in
/// which positions are added does not change the result of a pass.
pub struct Lost {
    /// By side to move: the thesis calls `black` W and `white` B. A set that is not in memory is empty.
    tiers: Vec<ByColor<Words>>,
    /// The layout of each tier.
    plans: Arc<[TierLayout]>,
    /// The most bytes that the sets took at a time in memory.
    most_bytes: u64,
    /// The same in mapped files.
    most_in_files: u64,
    /// For each tier one bit per row, set if the row is known to be full: all positions that it can hold are lost with
    /// Black to move. Most rows are full soon and need not be read any more. Rows that are not stored count as full. In
    /// a run over several processes only the share for black updates notes full rows.
    full: Vec<BitVec<AtomicU64, Lsb0>>,
}

/// The system does not give the memory that a bitbase takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("out of memory: the lost-sets of tier {tier} take {bytes} bytes for each side to move")]
pub struct OutOfMemory {
    /// The tier.
    pub tier: Tier,
    /// How many bytes one of its sets takes.
    pub bytes: u128,
}

/// The words of a set, row after row.
enum Words {
    /// Neither in memory nor mapped.
    Away,
    /// In memory.
    Memory(Mapped),
    /// In a file.
    Mapped(Mapped),
}

impl Words {
    fn as_slice(&self) -> &[AtomicU64] {
        match self {
            Words::Away => &[],
            Words::Memory(mapped) | Words::Mapped(mapped) => mapped.words(),
        }
    }

    /// Where the words are.
    fn place(&self) -> Place {
        match self {
            Words::Away => Place::Away,
            Words::Memory(_) => Place::Memory,
            Words::Mapped(_) => Place::Mapped,
        }
    }
}

impl Lost {
    /// No position is lost, and no set is in memory yet.
    pub(crate) fn nowhere(layout: &Layout) -> Lost {
        let plans = layout.plans();
        let tiers = plans.iter().map(|_| ByColor { white: Words::Away, black: Words::Away }).collect();
        let full = plans.iter().map(|_| BitVec::new()).collect();
        Lost { tiers, full, most_bytes: 0, most_in_files: 0, plans }
    }

    /// All sets in memory, and no position lost.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn none(layout: &Layout) -> Result<Lost, OutOfMemory> {
        let mut lost = Lost::nowhere(layout);
        lost.hold(&window::whole(layout))?;
        Ok(lost)
    }

    /// Keeps the sets of a window in memory and drops the others. Returns the sets that were not in memory before; they
    /// are empty.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn hold(&mut self, window: &Window) -> Result<Vec<(usize, Color)>, OutOfMemory> {
        let sides = || (0..window.len()).flat_map(|tier| Color::ALL.map(|turn| (tier, turn)));
        for (tier, turn) in sides() {
            if self.tiers[tier][turn].place() != window[tier][turn] {
                self.tiers[tier][turn] = Words::Away;
            }
        }
        let missing = |&(tier, turn): &(usize, Color)| {
            window[tier][turn] == Place::Memory && self.tiers[tier][turn].place() == Place::Away
        };
        let new: Vec<(usize, Color)> = sides().filter(missing).collect();
        // All memory is requested before any of it is filled, so a refusal comes at once.
        for &(tier, turn) in &new {
            let plan = &self.plans[tier];
            let refused = |_| OutOfMemory { tier: plan.tier, bytes: plan.bytes() };
            self.tiers[tier][turn] = Words::Memory(Mapped::in_memory(plan.len()).map_err(refused)?);
        }
        for &(tier, turn) in &new {
            self.note_stored(tier, turn);
        }
        self.most_bytes = self.most_bytes.max(self.bytes_in(Place::Memory));
        Ok(new)
    }

    /// Maps a set to a new file without a name in `dir`, with no position lost, if it is not mapped yet. Returns
    /// whether it did.
    ///
    /// # Errors
    /// As [`Mapped::in_file`].
    pub(crate) fn map(&mut self, tier: usize, turn: Color, dir: &Path) -> io::Result<bool> {
        let away = self.tiers[tier][turn].place() != Place::Mapped;
        if away {
            self.tiers[tier][turn] = Words::Mapped(Mapped::in_file(dir, self.plans[tier].len())?);
            self.note_stored(tier, turn);
            self.most_in_files = self.most_in_files.max(self.bytes_in(Place::Mapped));
        }
        Ok(away)
    }

    /// Begins to note the full rows of a tier, if that was not done before: rows that are not stored are full.
    fn note_stored(&mut self, tier: usize, turn: Color) {
        // The notes stay when the set itself is dropped.
        if turn == Color::Black && self.full[tier].is_empty() {
            let plan = &self.plans[tier];
            let words = 0..plan.rows.div_ceil(64);
            let full = words.map(|word| AtomicU64::new(!plan.stored_word(word)));
            self.full[tier] = BitVec::from_vec(full.collect());
        }
    }

    /// Asks the system to read rows of a mapped set ahead. Reading them in one go is much faster than a page at a time
    /// if most of them are needed.
    pub(crate) fn fetch(&self, tier: usize, turn: Color, rows: &[Range<usize>]) {
        if self.tiers[tier][turn].place() != Place::Mapped {
            return;
        }
        let plan = &self.plans[tier];
        for rows in rows {
            let slot = |row| plan.slot(row);
            // Stored rows lie in the order of their numbers.
            if let (Some(first), Some(last)) =
                (rows.clone().find_map(slot), rows.clone().rev().find_map(slot))
            {
                self.fetch_words(tier, turn, plan.bits(first).words.start..plan.bits(last).words.end);
            }
        }
    }

    /// The same for words of the set.
    pub(crate) fn fetch_words(&self, tier: usize, turn: Color, words: Range<usize>) {
        if let Words::Mapped(mapped) = &self.tiers[tier][turn] {
            mapped.fetch(words);
        }
    }

    /// The words of a tier with a side to move, row after row.
    pub(crate) fn words(&self, tier: usize, turn: Color) -> &[AtomicU64] {
        self.tiers[tier][turn].as_slice()
    }

    /// The rows of a tier with a side to move.
    pub(crate) fn rows(&self, tier: usize, turn: Color) -> Rows<'_> {
        let full = match turn {
            Color::White => &[],
            Color::Black => self.full[tier].as_raw_slice(),
        };
        let words = self.words(tier, turn);
        let plan = &self.plans[tier];
        Rows { plan, words, full, row_words: plan.row_words() }
    }

    /// A row of a tier with a side to move; empty if it is not stored.
    pub(crate) fn row<const N: usize>(&self, tier: usize, turn: Color, index: usize) -> Row<N> {
        self.rows(tier, turn).row(index)
    }

    /// Adds placements to a row, except those that are not stored. Returns whether the row grew.
    pub(crate) fn add<const N: usize>(&self, tier: usize, turn: Color, index: usize, row: &Row<N>) -> bool {
        self.rows(tier, turn).add(index, row)
    }

    /// Adds the bits of `words` to a tier's words, beginning at word `from`.
    pub(crate) fn add_words(&self, tier: usize, turn: Color, from: usize, words: &[u64]) {
        for (word, &new) in self.words(tier, turn)[from..].iter().zip(words) {
            word.fetch_or(new, Ordering::Relaxed);
        }
    }

    /// Whether the position at a bit of a tier is lost.
    pub(crate) fn bit(&self, tier: usize, turn: Color, bit: usize) -> bool {
        self.words(tier, turn)[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 == 1
    }

    /// A copy of the sets.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn copy(&self, layout: &Layout) -> Result<Lost, OutOfMemory> {
        let copy = Lost::none(layout)?;
        for tier in 0..self.tiers.len() {
            copy.take_over(self, tier);
        }
        Ok(copy)
    }

    /// Makes a tier's rows the same as in other sets of the same layout.
    pub(crate) fn take_over(&self, other: &Lost, tier: usize) {
        for turn in Color::ALL {
            for (to, from) in self.words(tier, turn).iter().zip(other.words(tier, turn)) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
        for (to, from) in self.full[tier].as_raw_slice().iter().zip(other.full[tier].as_raw_slice()) {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// The most bytes that the sets took at a time in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.most_bytes
    }

    /// The same in mapped files.
    pub(crate) fn bytes_in_files(&self) -> u64 {
        self.most_in_files
    }

    /// Adds to [`Lost::bytes`] what other sets took in memory at the same time.
    pub(crate) fn took_beside(&mut self, bytes: u64) {
        self.most_bytes += bytes;
    }

    /// The bytes of the sets that are in a place.
    fn bytes_in(&self, place: Place) -> u64 {
        let sets = self.tiers.iter().flat_map(|tier| [&tier.white, &tier.black]);
        sets.filter(|words| words.place() == place).map(|words| 8 * words.as_slice().len() as u64).sum()
    }
}

/// The rows of a tier with a side to move, to be fetched one after the other.
pub(crate) struct Rows<'a> {
    plan: &'a TierLayout,
    words: &'a [AtomicU64],
    /// With Black to move, one bit per row: whether it is known to be full.
    full: &'a [AtomicU64],
    /// How many words a row takes; a part of a word counts as one.
    row_words: usize,
}

impl Rows<'_> {
    /// A row; empty if it is not stored.
    ///
    /// # Panics
    /// If `N` is not the number of words of the tier's rows: it would read words of other rows.
    #[inline(always)]
    pub(crate) fn row<const N: usize>(&self, index: usize) -> Row<N> {
        if self.plan.has_whole_rows() {
            self.plan.slot(index).map_or([0; N], |slot| self.whole_row(slot))
        } else {
            self.row_of_some(index)
        }
    }

    /// The row in a slot, all of whose placements are stored. If the tier stores everything, the slot is the row's number.
    ///
    /// # Panics
    /// As [`Rows::row`].
    #[inline(always)]
    pub(crate) fn whole_row<const N: usize>(&self, slot: usize) -> Row<N> {
        assert_eq!(self.row_words, N, "words of a row");
        if N > 1 {
            // Such a row shares no word with others.
            let words = &self.words.as_chunks::<N>().0[slot];
            return std::array::from_fn(|word| words[word].load(Ordering::Relaxed));
        }
        let RowBits { words, shift, mask } = self.plan.bits(slot);
        [self.words[words.start].load(Ordering::Relaxed) >> shift & mask; N]
    }

    /// A row of a tier that does not store all placements of each row.
    #[inline]
    fn row_of_some<const N: usize>(&self, index: usize) -> Row<N> {
        let Some(slot) = self.plan.slot(index) else { return [0; N] };
        let Some(list) = self.plan.list(index) else { return self.whole_row(slot) };
        let RowBits { words, shift, mask } = self.plan.bits(slot);
        list.spread(self.words[words].iter().map(|word| word.load(Ordering::Relaxed) >> shift & mask))
    }

    /// A row with Black to move, to which placements that are not stored are added: White may not move to them.
    #[inline(always)]
    pub(crate) fn closed_row<const N: usize>(&self, index: usize) -> Row<N> {
        let mut row = self.row(index);
        if !self.plan.has_whole_rows()
            && let Some(list) = self.plan.list(index)
        {
            for (word, stored) in row.iter_mut().zip(list.stored::<N>()) {
                *word |= !stored;
            }
        }
        row
    }

    /// Adds placements to a row, except those that are not stored. Returns whether the row grew.
    #[inline(always)]
    pub(crate) fn add<const N: usize>(&self, index: usize, row: &Row<N>) -> bool {
        if !self.plan.has_whole_rows() {
            return self.add_to_some(index, row);
        }
        let Some(slot) = self.plan.slot(index) else { return false };
        let RowBits { words, shift, .. } = self.plan.bits(slot);
        grow(&self.words[words], row, shift)
    }

    /// The same where not all placements of each row are stored.
    #[inline(never)]
    fn add_to_some<const N: usize>(&self, index: usize, row: &Row<N>) -> bool {
        let Some(slot) = self.plan.slot(index) else { return false };
        let RowBits { words, shift, .. } = self.plan.bits(slot);
        let words = &self.words[words];
        match self.plan.list(index) {
            None => grow(words, row, shift),
            Some(list) => grow(words, &list.gathered(row), shift),
        }
    }

    /// Whether a row is known to be full with Black to move.
    #[inline(always)]
    pub(crate) fn is_full(&self, index: usize) -> bool {
        self.full[index / 64].load(Ordering::Relaxed) >> (index % 64) & 1 == 1
    }

    /// Returns a mask: bit i is set if row 64 * `word` + i is not known to be full.
    pub(crate) fn unfilled(&self, word: usize) -> u64 {
        !self.full[word].load(Ordering::Relaxed)
    }

    /// Notes that a row is full if it holds all these placements with Black to move.
    pub(crate) fn note_full<const N: usize>(&self, index: usize, possible: &Row<N>) {
        if is_empty(&minus(possible, &self.closed_row(index))) {
            self.full[index / 64].fetch_or(1 << (index % 64), Ordering::Relaxed);
        }
    }
}

/// Adds each word of `row`, shifted left by `shift`, to one of `words`. Returns whether any of them grew.
fn grow(words: &[AtomicU64], row: &[u64], shift: u32) -> bool {
    let mut grew = false;
    for (word, new) in words.iter().zip(row.iter().map(|new| new << shift)) {
        // Most often there is nothing to add, and looking is cheaper than writing.
        if new & !word.load(Ordering::Relaxed) != 0 {
            grew |= new & !word.fetch_or(new, Ordering::Relaxed) != 0;
        }
    }
    grew
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::rows::kernel::bits;
    use crate::prelude::*;

    #[test]
    fn more_than_there_can_be_is_an_error() {
        let layout = Layout::new("abc-full".read().expect("a variant"));
        let refused = Lost::none(&layout).err().expect("exbibytes");
        assert!(refused.bytes > 1 << 20, "a large tier: {refused}");
        assert!(refused.to_string().starts_with("out of memory: "), "{refused}");
    }

    #[test]
    fn a_row_holds_what_was_added_to_it_and_its_neighbours_do_not() {
        let mut widths = [0; 2];
        for discipline in ["", "c=0", "c=1", "c=0/0/1/0", "c=0/1/0/0"] {
            let discipline = discipline.parse().expect("a discipline");
            let layout = Layout::within("A1-A2B2C2".read().expect("a variant"), discipline);
            let lost = Lost::none(&layout).expect("memory");
            for (tier, plan) in layout.all().iter().enumerate() {
                let places = layout.order(plan.k).sets().len();
                // A row gets every third of its places. Which third depends on the row.
                let added = |row: usize| -> Row<2> {
                    let mut added = [0; 2];
                    for place in (0..places).filter(|place| (row * 7 + place * 5).is_multiple_of(3)) {
                        added[place / 64] |= 1 << (place % 64);
                    }
                    added
                };
                for row in 0..plan.rows {
                    let grew = lost.add(tier, Color::White, row, &added(row));
                    let again = lost.add(tier, Color::White, row, &added(row));
                    assert!(!again && (!grew || plan.slot(row).is_some()));
                }
                let held = |turn, row| -> Vec<usize> {
                    match places.div_ceil(64) {
                        1 => bits(&lost.row::<1>(tier, turn, row)).collect(),
                        _ => bits(&lost.row::<2>(tier, turn, row)).collect(),
                    }
                };
                for row in 0..plan.rows {
                    let stored = |place: &usize| plan.bit(row, *place).is_some();
                    let expected: Vec<usize> = bits(&added(row)).filter(stored).collect();
                    assert_eq!(held(Color::White, row), expected, "{} {row}", plan.tier);
                    assert!(held(Color::Black, row).is_empty());
                }
                widths[usize::from(plan.len() < plan.stored)] += 1;
            }
        }
        assert!(widths.iter().all(|&tiers| tiers > 5), "{widths:?}");
    }
}
