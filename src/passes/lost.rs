//! The dense lost-sets that the passes work on.

use bitvec::order::Lsb0;
use bitvec::vec::BitVec;

use super::kernel::Row;
use super::layout::{Layout, TierLayout};
use crate::rules::{ByColor, Color};

/// For each tier and side to move the set of positions lost for White, as rows.
#[derive(Clone)]
pub(super) struct Lost {
    /// By side to move: the thesis's W is `black`, its B is `white`.
    tiers: Vec<ByColor<BitVec<u64, Lsb0>>>,
}

impl Lost {
    /// Nothing lost.
    pub(super) fn none(layout: &Layout) -> Lost {
        let empty = |tier: &TierLayout| BitVec::repeat(false, 64 * tier.words * tier.rows);
        let tiers =
            layout.all().iter().map(|tier| ByColor { white: empty(tier), black: empty(tier) }).collect();
        Lost { tiers }
    }

    /// The rows of a tier with a side to move, one after the other.
    pub(super) fn rows(&self, tier: usize, turn: Color) -> &[u64] {
        self.tiers[tier][turn].as_raw_slice()
    }

    /// As [`Lost::rows`], to write.
    pub(super) fn rows_mut(&mut self, tier: usize, turn: Color) -> &mut [u64] {
        self.tiers[tier][turn].as_raw_mut_slice()
    }

    /// Takes a tier's rows out, to write them while the others are read; [`Lost::put`] brings them back.
    pub(super) fn take(&mut self, tier: usize, turn: Color) -> BitVec<u64, Lsb0> {
        std::mem::take(&mut self.tiers[tier][turn])
    }

    /// Brings back what [`Lost::take`] took.
    pub(super) fn put(&mut self, tier: usize, turn: Color, rows: BitVec<u64, Lsb0>) {
        self.tiers[tier][turn] = rows;
    }

    /// How many bytes the sets take.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |rows: &BitVec<u64, Lsb0>| 8 * rows.as_raw_slice().len() as u64;
        self.tiers.iter().map(|tier| bytes(&tier.white) + bytes(&tier.black)).sum()
    }
}

/// One row out of a tier's rows.
pub(super) fn row<const N: usize>(rows: &[u64], index: usize) -> Row<N> {
    std::array::from_fn(|word| rows[N * index + word])
}
