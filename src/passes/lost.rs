//! The dense lost-sets that the passes work on.

use std::sync::atomic::{AtomicU64, Ordering};

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;

use super::kernel::Row;
use super::layout::{Layout, TierLayout};
use crate::rules::{ByColor, Color};

/// For each tier and side to move the set of positions lost for White, as rows.
///
/// Rows only ever grow, and what a pass adds to them does not depend on the order in which it comes: that is
/// why the words are atomic, and why relaxed access to them is enough.
pub(super) struct Lost {
    /// By side to move: the thesis's W is `black`, its B is `white`.
    tiers: Vec<ByColor<BitVec<AtomicU64, Lsb0>>>,
}

impl Lost {
    /// Nothing lost.
    pub(super) fn none(layout: &Layout) -> Lost {
        let empty = |tier: &TierLayout| BitVec::repeat(false, 64 * tier.words * tier.rows);
        let tiers =
            layout.all().iter().map(|tier| ByColor { white: empty(tier), black: empty(tier) }).collect();
        Lost { tiers }
    }

    /// The words of a tier with a side to move, row after row.
    pub(super) fn words(&self, tier: usize, turn: Color) -> &[AtomicU64] {
        self.tiers[tier][turn].as_raw_slice()
    }

    /// A row of a tier with a side to move.
    pub(super) fn row<const N: usize>(&self, tier: usize, turn: Color, index: usize) -> Row<N> {
        let words = &self.words(tier, turn)[N * index..][..N];
        std::array::from_fn(|word| words[word].load(Ordering::Relaxed))
    }

    /// Adds placements to a row; whether it grew.
    pub(super) fn add<const N: usize>(&self, tier: usize, turn: Color, index: usize, row: &Row<N>) -> bool {
        let words = &self.words(tier, turn)[N * index..][..N];
        let mut grew = false;
        for (word, &new) in words.iter().zip(row) {
            // Most often there is nothing to add, and looking is cheaper than writing.
            if new & !word.load(Ordering::Relaxed) != 0 {
                grew |= new & !word.fetch_or(new, Ordering::Relaxed) != 0;
            }
        }
        grew
    }

    /// Adds the position at a bit of a tier.
    pub(super) fn add_bit(&self, tier: usize, turn: Color, bit: usize) {
        self.words(tier, turn)[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
    }

    /// Whether the position at a bit of a tier is lost.
    pub(super) fn bit(&self, tier: usize, turn: Color, bit: usize) -> bool {
        self.words(tier, turn)[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 == 1
    }

    /// The same sets once more.
    pub(super) fn copy(&self, layout: &Layout) -> Lost {
        let copy = Lost::none(layout);
        for tier in 0..self.tiers.len() {
            copy.take_over(self, tier);
        }
        copy
    }

    /// Makes a tier's rows the same as in other sets of the same layout.
    pub(super) fn take_over(&self, other: &Lost, tier: usize) {
        for turn in Color::ALL {
            for (to, from) in self.words(tier, turn).iter().zip(other.words(tier, turn)) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
    }

    /// How many bytes the sets take.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |words: &BitVec<AtomicU64, Lsb0>| 8 * words.as_raw_slice().len() as u64;
        self.tiers.iter().map(|tier| bytes(&tier.white) + bytes(&tier.black)).sum()
    }
}
