//! Which process has which rows of a tier.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::enumerate::rows::layout::TierLayout;
use crate::rules::{Color, Position, Size};
use crate::symmetry::{Symmetry, least_for};

/// Deals rows by what stands of one colour outside the inner pieces: rows in which a symmetry makes these pieces alike have one
/// owner. No move of the other colour leads from one owner to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deal {
    color: Color,
    processes: usize,
}

/// Rows that are dealt together. Few pieces of one colour differ in them.
const ROWS: usize = 1 << 16;

impl Deal {
    /// By the pieces of a colour, to a number of processes.
    pub(crate) fn by(color: Color, processes: usize) -> Deal {
        Deal { color, processes }
    }

    /// The process that has the row of an outer placement.
    pub(crate) fn owner(&self, outer: &Position) -> usize {
        let symmetry = least_for(outer, self.color).next().unwrap_or(Symmetry::IDENTITY);
        let pieces =
            |key: u64, size| key << 16 | u64::from(symmetry.bitboard(outer.pieces(self.color, size)).0);
        (mixed(Size::ALL.into_iter().fold(0, pieces)) % self.processes as u64) as usize
    }

    /// The rows of a tier that a process has, as bits.
    pub(crate) fn rows(&self, plan: &TierLayout, process: usize) -> Vec<u64> {
        let some = |from: usize| {
            let mut owners = HashMap::new();
            let mut is_own = |row: usize| {
                let outer = plan.outer(row, Color::White);
                let pieces = Size::ALL.map(|size| outer.pieces(self.color, size));
                *owners.entry(pieces).or_insert_with(|| self.owner(&outer)) == process
            };
            let rows = from..plan.rows.min(from + ROWS);
            let of_word = |word: usize| {
                let rows = 64 * word..rows.end.min(64 * word + 64);
                rows.fold(0, |own, row| own | u64::from(is_own(row)) << (row % 64))
            };
            (rows.start / 64..rows.end.div_ceil(64)).map(of_word).collect::<Vec<u64>>()
        };
        (0..plan.rows.div_ceil(ROWS)).into_par_iter().map(|part| part * ROWS).flat_map_iter(some).collect()
    }
}

/// A number in which every bit depends on every bit of another (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}
