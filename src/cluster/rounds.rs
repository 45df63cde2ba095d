//! The rounds of a tier over several processes.
//!
//! A white update is local where rows are dealt by black pieces, a black update where they are dealt by white pieces. Between the
//! two only what was added crosses over: each row that grew goes to the one process that reads it.

use rayon::prelude::*;

use crate::bitbase::tables::{Dirty, MIN_ROWS, Part, Tables, parts, with_kernel};
use crate::cluster::deal::Deal;
use crate::cluster::share::Share;
use crate::cluster::wire::Wire;
use crate::enumerate::rows::kernel::Kernel;
use crate::passes::fixpoint::FixpointError;
use crate::passes::rounds::black;
use crate::rules::Color;

/// Hears how many rows a round has gone over, of how many.
type Heed<'a> = &'a mut dyn FnMut(u64, u64) -> Result<(), FixpointError>;

/// A tier on its way to the fixpoint.
pub(crate) struct Unfinished {
    tier: usize,
    /// The rows of this process that the next white update must look at; `None` before the first.
    dirty: Option<Dirty>,
}

impl Unfinished {
    pub(crate) fn new(tier: usize) -> Unfinished {
        Unfinished { tier, dirty: None }
    }

    /// Runs a round: a white and a black update. Whether any process added anything.
    pub(crate) fn round(
        &mut self,
        share: &Share,
        wire: &dyn Wire,
        heed: Heed<'_>,
    ) -> Result<bool, FixpointError> {
        let k = share.for_white.layout.tier(self.tier).k;
        with_kernel!(share.for_white.kernels, k, kernel => {
            Phases { kernel, tier: self.tier, wire, for_white: share.for_white.tables(), for_black: share.for_black.tables() }
                .round(&mut self.dirty, heed)
        })
    }
}

/// The two updates of a tier.
struct Phases<'a, const N: usize> {
    kernel: &'a Kernel<N>,
    tier: usize,
    wire: &'a dyn Wire,
    for_white: Tables<'a>,
    for_black: Tables<'a>,
}

impl<const N: usize> Phases<'_, N> {
    fn round(&self, dirty: &mut Option<Dirty>, heed: Heed<'_>) -> Result<bool, FixpointError> {
        let Phases { kernel, tier, wire, ref for_white, ref for_black } = *self;
        let plan = for_white.layout.tier(tier);
        let is_first = dirty.is_none();
        let looked_at = dirty.take().unwrap_or_else(|| self.own_rows());
        let of = looked_at.count(0..plan.rows);
        let (mut done, mut by_white) = (0, false);
        let mut grown = Dirty::none(plan.rows);
        // All processes go through the same parts, and send what they found before the next.
        for part in parts(plan.rows) {
            let new = for_white.white(kernel, tier, part.clone(), &looked_at);
            by_white |= !new.is_empty();
            let came = self.send(&new, Color::White);
            let known = for_black.lost.rows(tier, Color::White);
            came.par_iter().with_min_len(MIN_ROWS).for_each(|(row, lost)| {
                known.add(*row, lost);
            });
            if !is_first {
                for_black.follow(kernel, tier, &came, &grown);
            }
            done += looked_at.count(part);
            heed(done, of)?;
        }
        if is_first {
            grown = black(for_black, kernel, tier);
        }
        let changed = Dirty::none(plan.rows);
        for part in parts(plan.rows) {
            let row = |row: usize| (row, for_black.lost.row(tier, Color::Black, row));
            let own = part.into_par_iter().with_min_len(64 * MIN_ROWS).filter(|&row| grown.contains(row));
            let new: Vec<Part<N>> = own.map(row).collect();
            // Noting which rows are full saved the white update no time when it was measured.
            let known = for_white.lost.rows(tier, Color::Black);
            self.send(&new, Color::Black).par_iter().with_min_len(MIN_ROWS).for_each(|(row, lost)| {
                known.add(*row, lost);
                changed.mark(*row);
            });
        }
        *dirty = Some(for_white.readers(kernel, tier, &changed));
        Ok(wire.any(by_white || !changed.is_empty()))
    }

    /// The rows that this process has for the white update.
    fn own_rows(&self) -> Dirty {
        let plan = self.for_white.layout.tier(self.tier);
        Dirty::of((0..plan.rows.div_ceil(64)).map(|word| plan.stored_word(word)))
    }

    /// Sends rows with this side to move to the processes that read them, and returns what came for this one.
    fn send(&self, rows: &[Part<N>], turn: Color) -> Vec<Part<N>> {
        let plan = self.for_white.layout.tier(self.tier);
        let deal = Deal::by(turn, self.wire.size());
        let processes = self.wire.size();
        let nothing = || vec![Vec::new(); processes];
        let with_row = |mut out: Vec<Vec<u64>>, (row, lost): &Part<N>| {
            let words = &mut out[deal.owner(&plan.outer(*row, turn))];
            words.push(*row as u64);
            words.extend_from_slice(lost);
            out
        };
        let joined = |mut one: Vec<Vec<u64>>, next: Vec<Vec<u64>>| {
            one.iter_mut().zip(next).for_each(|(words, mut more)| words.append(&mut more));
            one
        };
        let parts = rows.par_iter().with_min_len(1 << 12).fold(nothing, with_row);
        let came = self.wire.exchange(parts.reduce(nothing, joined));
        let part = |words: &[u64]| (words[0] as usize, std::array::from_fn(|word| words[1 + word]));
        let mut came: Vec<Part<N>> =
            came.iter().flat_map(|words| words.chunks_exact(1 + N)).map(part).collect();
        // A pass goes over rows in their order. What each process sent is in order: the stable sort only joins it.
        came.par_sort_by_key(|&(row, _)| row);
        came
    }
}
