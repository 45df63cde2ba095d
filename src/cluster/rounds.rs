//! The rounds of a tier over several processes.
//!
//! A white update is local if rows are dealt by black pieces, a black update if they are dealt by white pieces. Between
//! the two only additions are sent: each row that grew goes to the one process that reads it.

use arrayvec::ArrayVec;
use rayon::prelude::*;

use crate::bitbase::tables::{Dirty, MIN_ROWS, Part, Tables, parts_of, with_kernel};
use crate::cluster::deal::Deal;
use crate::cluster::share::Share;
use crate::cluster::wire::Wire;
use crate::enumerate::rows::kernel::{Kernel, bits};
use crate::passes::fixpoint::FixpointError;
use crate::passes::rounds::black_heeding;
use crate::rules::{ByColor, Color};

/// Called as `heed(done, of)` when a round has gone over `done` of `of` rows of this process.
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

    /// Runs a round: a white and a black update. Returns whether any process added anything.
    pub(crate) fn round(
        &mut self,
        share: &Share,
        wire: &dyn Wire,
        heed: Heed<'_>,
    ) -> Result<bool, FixpointError> {
        let k = share.for_white.layout.tier(self.tier).k;
        with_kernel!(share.for_white.kernels, k, kernel => {
            let (for_white, for_black) = (share.for_white.tables(), share.for_black.tables());
            Phases { kernel, tier: self.tier, wire, for_white, for_black, deals: &share.deals }
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
    deals: &'a ByColor<Deal>,
}

impl<const N: usize> Phases<'_, N> {
    fn round(&self, dirty: &mut Option<Dirty>, heed: Heed<'_>) -> Result<bool, FixpointError> {
        let Phases { kernel, tier, wire, ref for_white, ref for_black, .. } = *self;
        let plan = for_white.layout.tier(tier);
        let is_first = dirty.is_none();
        let looked_at = dirty.take().unwrap_or_else(|| self.own_rows());
        // Black's update is expected to go over as many rows.
        let of = 2 * looked_at.count(0..plan.rows);
        let (mut done, mut by_white) = (0, false);
        let mut grown = Dirty::none(plan.rows);
        // All processes go through the same parts, and send what they found before the next.
        for part in parts_of(plan.rows, SENT_TOGETHER) {
            let new = for_white.white(kernel, tier, part.clone(), &looked_at);
            by_white |= !new.is_empty();
            let came = self.send(new, Color::White);
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
            // All processes go through the same parts here too, whichever rows they have.
            grown = black_heeding(for_black, kernel, tier, 0, &mut |_, _, _| heed(done, of))?;
        }
        let changed = Dirty::none(plan.rows);
        let grew = for_black.lost.rows(tier, Color::Black);
        let known = for_white.lost.rows(tier, Color::Black);
        for part in parts_of(plan.rows, SENT_TOGETHER) {
            let words = (part.start / 64..part.end.div_ceil(64)).into_par_iter().with_min_len(MIN_ROWS);
            let of_word = |word: usize| {
                let rows: ArrayVec<usize, { u64::BITS as usize }> =
                    bits(&[grown.word(word)]).map(|bit| 64 * word + bit).collect();
                rows.into_iter().map(|row| (row, grew.row(row)))
            };
            let new: Vec<Part<N>> = words.flat_map_iter(of_word).collect();
            // Noting which rows are full saved the white update no time when it was measured.
            self.send(new, Color::Black).par_iter().with_min_len(MIN_ROWS).for_each(|(row, lost)| {
                known.add(*row, lost);
                changed.mark(*row);
            });
            heed(done, of)?;
        }
        // After the first round nearly all rows must be looked at again: finding out which is not worth it.
        *dirty = Some(if is_first { self.own_rows() } else { for_white.readers(kernel, tier, &changed) });
        Ok(wire.any(by_white || !changed.is_empty()))
    }

    /// The rows that this process has for the white update.
    fn own_rows(&self) -> Dirty {
        let plan = self.for_white.layout.tier(self.tier);
        Dirty::of((0..plan.rows.div_ceil(64)).map(|word| plan.stored_word(word)))
    }

    /// Sends rows with this side to move to the processes that read them, and returns what this one is to read.
    fn send(&self, rows: Vec<Part<N>>, turn: Color) -> Vec<Part<N>> {
        let (processes, own) = (self.wire.size(), self.wire.rank());
        if processes == 1 {
            return rows;
        }
        let plan = self.for_white.layout.tier(self.tier);
        let deal = &self.deals[turn];
        let dealt = |rows: &[Part<N>]| {
            let (mut kept, mut out) = (Vec::new(), vec![Vec::new(); processes]);
            for part in rows {
                match deal.owner_of_row(plan, part.0) {
                    owner if owner == own => kept.push(*part),
                    owner => {
                        out[owner].push(part.0 as u64);
                        out[owner].extend_from_slice(&part.1);
                    }
                }
            }
            (kept, out)
        };
        let dealt: Vec<(Vec<Part<N>>, Vec<Vec<u64>>)> = rows.par_chunks(DEALT).map(dealt).collect();
        drop(rows);
        let out = |process: usize| {
            dealt.iter().map(|(_, out)| out[process].as_slice()).collect::<Vec<_>>().concat()
        };
        let came = self.wire.exchange((0..processes).map(out).collect());
        let part = |words: &[u64]| (words[0] as usize, std::array::from_fn(|word| words[1 + word]));
        let came = came.iter().flat_map(|words| words.chunks_exact(1 + N)).map(part);
        let mut all: Vec<Part<N>> = dealt.iter().flat_map(|(kept, _)| kept).copied().chain(came).collect();
        // A pass goes over rows in their order. Each process sent its rows in order: the stable sort only merges them.
        all.par_sort_by_key(|&(row, _)| row);
        all
    }
}

/// How many rows are dealt at a time.
const DEALT: usize = 1 << 14;

/// The most rows of a part. Rows that grow stay in memory until the part is sent, and then each process waits for all others.
const SENT_TOGETHER: usize = 1 << 22;
