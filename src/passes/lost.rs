//! The dense lost-sets that the passes work on.

use std::sync::atomic::{AtomicU64, Ordering};

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use thiserror::Error;

use super::counters;
use super::kernel::{Row, is_empty, minus};
use super::layout::{Layout, TierLayout};
use crate::enumerate::Tier;
use crate::rules::{ByColor, Color};

/// For each tier and side to move the set of positions lost for White, as rows.
///
/// Rows only ever grow, and what a pass adds to them does not depend on the order in which it comes: that is
/// why the words are atomic, and why relaxed access to them is enough.
pub(super) struct Lost {
    /// By side to move: the thesis's W is `black`, its B is `white`.
    tiers: Vec<ByColor<BitVec<AtomicU64, Lsb0>>>,
    /// For each tier a bit for each row of which it is known that all it can hold is lost with Black to move. Most
    /// are like that soon, and need not be fetched any more.
    full: Vec<BitVec<AtomicU64, Lsb0>>,
}

/// The system does not give the memory that a dense lost-set takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("out of memory: the lost-sets of tier {tier} take {bytes} bytes for each side to move")]
pub struct OutOfMemory {
    /// The tier.
    pub tier: Tier,
    /// How many bytes one of its sets takes.
    pub bytes: u128,
}

impl Lost {
    /// Nothing lost.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn none(layout: &Layout) -> Result<Lost, OutOfMemory> {
        let refused = |tier: &TierLayout| OutOfMemory {
            tier: tier.tier,
            bytes: 8 * tier.words as u128 * tier.rows as u128,
        };
        let room = |tier: &TierLayout| {
            let mut words: Vec<AtomicU64> = Vec::new();
            words.try_reserve_exact(tier.words * tier.rows).map_err(|_| refused(tier))?;
            Ok(words)
        };
        // Room for all of them is asked for before any is filled: a refusal comes at once.
        let rooms: Vec<ByColor<Vec<AtomicU64>>> = layout
            .all()
            .iter()
            .map(|tier| Ok(ByColor { white: room(tier)?, black: room(tier)? }))
            .collect::<Result<_, OutOfMemory>>()?;
        let empty = |tier: &TierLayout, mut words: Vec<AtomicU64>| {
            words.resize_with(tier.words * tier.rows, AtomicU64::default);
            BitVec::try_from_vec(words).map_err(|_| refused(tier))
        };
        let both = |(tier, rooms): (&TierLayout, ByColor<Vec<AtomicU64>>)| {
            Ok(ByColor { white: empty(tier, rooms.white)?, black: empty(tier, rooms.black)? })
        };
        let full = layout.all().iter().map(|tier| BitVec::repeat(false, tier.rows)).collect();
        Ok(Lost { tiers: layout.all().iter().zip(rooms).map(both).collect::<Result<_, _>>()?, full })
    }

    /// Whether a row is known to be full with Black to move.
    pub(super) fn is_full(&self, tier: usize, index: usize) -> bool {
        let full = self.full[tier][index];
        if full {
            counters::skip();
        }
        full
    }

    /// Notes that a row is full if it holds all these placements with Black to move.
    pub(super) fn note_full<const N: usize>(&self, tier: usize, index: usize, possible: &Row<N>) {
        if is_empty(&minus(possible, &self.row(tier, Color::Black, index))) {
            self.full[tier].set_aliased(index, true);
        }
    }

    /// The words of a tier with a side to move, row after row.
    pub(super) fn words(&self, tier: usize, turn: Color) -> &[AtomicU64] {
        self.tiers[tier][turn].as_raw_slice()
    }

    /// A row of a tier with a side to move.
    pub(super) fn row<const N: usize>(&self, tier: usize, turn: Color, index: usize) -> Row<N> {
        counters::fetch(N);
        let words = &self.words(tier, turn)[N * index..][..N];
        std::array::from_fn(|word| words[word].load(Ordering::Relaxed))
    }

    /// Adds placements to a row; whether it grew.
    pub(super) fn add<const N: usize>(&self, tier: usize, turn: Color, index: usize, row: &Row<N>) -> bool {
        counters::fetch(N);
        let words = &self.words(tier, turn)[N * index..][..N];
        let mut grew = false;
        for (word, &new) in words.iter().zip(row) {
            // Most often there is nothing to add, and looking is cheaper than writing.
            if new & !word.load(Ordering::Relaxed) != 0 {
                counters::write();
                grew |= new & !word.fetch_or(new, Ordering::Relaxed) != 0;
            }
        }
        grew
    }

    /// Adds words of a tier, from a word on.
    pub(super) fn add_words(&self, tier: usize, turn: Color, from: usize, words: &[u64]) {
        for (word, &new) in self.words(tier, turn)[from..].iter().zip(words) {
            word.fetch_or(new, Ordering::Relaxed);
        }
    }

    /// Whether the position at a bit of a tier is lost.
    pub(super) fn bit(&self, tier: usize, turn: Color, bit: usize) -> bool {
        self.words(tier, turn)[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 == 1
    }

    /// The same sets once more.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn copy(&self, layout: &Layout) -> Result<Lost, OutOfMemory> {
        let copy = Lost::none(layout)?;
        for tier in 0..self.tiers.len() {
            copy.take_over(self, tier);
        }
        Ok(copy)
    }

    /// Makes a tier's rows the same as in other sets of the same layout.
    pub(super) fn take_over(&self, other: &Lost, tier: usize) {
        for turn in Color::ALL {
            for (to, from) in self.words(tier, turn).iter().zip(other.words(tier, turn)) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
        for (to, from) in self.full[tier].as_raw_slice().iter().zip(other.full[tier].as_raw_slice()) {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// How many bytes the sets take.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |words: &BitVec<AtomicU64, Lsb0>| 8 * words.as_raw_slice().len() as u64;
        self.tiers.iter().map(|tier| bytes(&tier.white) + bytes(&tier.black)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_can_be_is_an_error() {
        let layout = Layout::new("abcd-full".parse().expect("a variant"));
        let refused = Lost::none(&layout).err().expect("exbibytes");
        assert!(refused.bytes > 1 << 20, "a large tier: {refused}");
        assert!(refused.to_string().starts_with("out of memory: "), "{refused}");
    }
}
