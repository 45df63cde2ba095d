//! The rounds of a tier: a white update of the rows that may have changed, and a black update after what it added.

use std::convert::Infallible;
use std::ops::Range;
use std::slice;

use rayon::prelude::*;

use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Dirty, Part, Tables, black_parts, is_much, parts, with_kernel};
use crate::enumerate::rows::kernel::Kernel;
use crate::passes::fixpoint::FixpointError;
use crate::rules::Color;

/// Hears how many rows a round has gone over, of how many. What it is given last brings into Black's set what follows from White's
/// so far.
pub(crate) type Heed<'a, E> = &'a mut dyn FnMut(u64, u64, &mut dyn FnMut()) -> Result<(), E>;

/// A tier on its way to the fixpoint.
pub(crate) struct Unfinished {
    pub tier: usize,
    /// How far the first round is already, in rows of its three passes together.
    pub first_round: u64,
    /// The rows that the next white update must look at; `None` before the first.
    pub dirty: Option<Dirty>,
}

impl Unfinished {
    /// Runs a round. Whether it added anything.
    pub(crate) fn round(
        &mut self,
        solution: &Solution,
        heed: Heed<'_, FixpointError>,
    ) -> Result<bool, FixpointError> {
        let k = solution.layout.tier(self.tier).k;
        with_kernel!(solution.kernels, k, kernel => self.round_with(&solution.tables(), kernel, heed))
    }

    fn round_with<const N: usize>(
        &mut self,
        tables: &Tables<'_>,
        kernel: &Kernel<N>,
        heed: Heed<'_, FixpointError>,
    ) -> Result<bool, FixpointError> {
        let tier = self.tier;
        let plan = tables.layout.tier(tier);
        let rows = plan.rows;
        let mut by_white = false;
        let mut done = 0;
        let Some(dirty) = self.dirty.take() else {
            let all = Dirty::all(rows);
            let of = rows as u64 + BLACK_GOES_OVER * rows as u64;
            for part in parts(rows) {
                done += part.len() as u64;
                if done > self.first_round {
                    tables.fetch(tier, Color::White, slice::from_ref(&part));
                    by_white |= !tables.white(kernel, tier, part, &all).is_empty();
                    heed(done, of, &mut || ())?;
                }
            }
            let before = self.first_round.saturating_sub(rows as u64);
            let grown = black_heeding(tables, kernel, tier, before, &mut |more, _, _| {
                heed(done + more, of, &mut || ())
            })?;
            self.dirty = Some(all);
            // What an earlier process found in this round counts too.
            return Ok(by_white | !grown.is_empty() | (self.first_round > 0));
        };
        let of = dirty.count(0..rows);
        let (marked, grown) = (Dirty::none(rows), Dirty::none(rows));
        let follow =
            Follow { tables, kernel, tier, parts: black_parts(plan), marked: &marked, grown: &grown };
        for part in parts(rows) {
            let visited = dirty.count(part.clone());
            if is_much(visited as usize, part.len()) {
                tables.fetch(tier, Color::White, slice::from_ref(&part));
            }
            done += visited;
            let new = tables.white(kernel, tier, part, &dirty);
            by_white |= !new.is_empty();
            new.iter().for_each(|&(row, _)| marked.mark(row));
            heed(done, of, &mut || follow.all())?;
        }
        for part in &follow.parts {
            follow.part(part);
            heed(done, of, &mut || follow.all())?;
        }
        self.dirty = Some(tables.readers(kernel, tier, &grown));
        Ok(by_white || !grown.is_empty())
    }
}

/// The black update after rows that have grown with White to move, column by column.
struct Follow<'a, const N: usize> {
    tables: &'a Tables<'a>,
    kernel: &'a Kernel<N>,
    tier: usize,
    parts: Vec<Vec<Range<usize>>>,
    /// The rows that have grown with White to move and are not followed yet.
    marked: &'a Dirty,
    /// Those that have grown with Black to move.
    grown: &'a Dirty,
}

impl<const N: usize> Follow<'_, N> {
    /// Runs it over all parts.
    fn all(&self) {
        self.parts.iter().for_each(|part| self.part(part));
    }

    /// Runs it over a part.
    fn part(&self, part: &[Range<usize>]) {
        let Follow { tables, kernel, tier, marked, grown, .. } = *self;
        let count: u64 = part.iter().map(|rows| marked.count(rows.clone())).sum();
        if count == 0 {
            return;
        }
        if is_much(count as usize, part.iter().map(Range::len).sum()) {
            tables.fetch(tier, Color::Black, part);
        }
        follow_some(tables, kernel, tier, part, |word| marked.word(word), grown);
        part.iter().for_each(|rows| marked.unmark(rows));
    }
}

/// Runs the black update after what is lost with White to move in some rows.
fn follow_some<const N: usize>(
    tables: &Tables<'_>,
    kernel: &Kernel<N>,
    tier: usize,
    part: &[Range<usize>],
    which: impl Fn(usize) -> u64 + Sync,
    grown: &Dirty,
) {
    let lost = |rows: &Range<usize>| tables.lost_without_line(kernel, tier, rows.clone(), &which);
    let lost: Vec<Part<N>> = part.par_iter().flat_map_iter(lost).collect();
    tables.follow(kernel, tier, &lost, grown);
}

/// So often the whole black update goes over each row.
const BLACK_GOES_OVER: u64 = 2;

/// Runs the whole black update of a tier; the rows that grew.
pub(crate) fn black<const N: usize>(tables: &Tables<'_>, kernel: &Kernel<N>, tier: usize) -> Dirty {
    let Ok(grown) = black_heeding::<N, Infallible>(tables, kernel, tier, 0, &mut |_, _, _| Ok(()));
    grown
}

/// The same from a place on: `before` rows of its two passes are done, and what they found is in the set.
pub(crate) fn black_heeding<const N: usize, E>(
    tables: &Tables<'_>,
    kernel: &Kernel<N>,
    tier: usize,
    before: u64,
    heed: Heed<'_, E>,
) -> Result<Dirty, E> {
    let plan = tables.layout.tier(tier);
    let (parts, of) = (black_parts(plan), BLACK_GOES_OVER * plan.rows as u64);
    let grown = Dirty::none(plan.rows);
    let mut done = 0;
    let mut is_new = |part: &[Range<usize>]| {
        done += part.iter().map(|rows| rows.len() as u64).sum::<u64>();
        (done > before).then_some(done)
    };
    for part in &parts {
        if let Some(done) = is_new(part) {
            tables.fetch(tier, Color::Black, part);
            part.par_iter().for_each(|rows| tables.opening(kernel, tier, rows.clone(), &grown));
            heed(done, of, &mut || ())?;
        }
    }
    for part in &parts {
        if let Some(done) = is_new(part) {
            tables.fetch(tier, Color::Black, part);
            follow_some(tables, kernel, tier, part, |_| u64::MAX, &grown);
            heed(done, of, &mut || ())?;
        }
    }
    Ok(grown)
}
