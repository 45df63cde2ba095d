//! One pass over the rows of a tier, split over the cores.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::bitbase::lost::Lost;
use crate::enumerate::Tier;
use crate::enumerate::rows::board::{Board, black_lines};
use crate::enumerate::rows::kernel::{Kernel, Row, is_empty, minus, or_into, words};
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::rules::{Color, Game, Position, Size, Square};

/// The kernels for 0 … 3 inner pieces.
pub(crate) struct Kernels {
    pub k0: Kernel<{ words(0) }>,
    pub k1: Kernel<{ words(1) }>,
    pub k2: Kernel<{ words(2) }>,
    pub k3: Kernel<{ words(3) }>,
}

impl Kernels {
    pub(crate) fn new(layout: &Layout) -> Kernels {
        let order = |k| Arc::clone(layout.order(k));
        Kernels {
            k0: Kernel::new(order(0)),
            k1: Kernel::new(order(1)),
            k2: Kernel::new(order(2)),
            k3: Kernel::new(order(3)),
        }
    }
}

/// Runs a generic method with the kernel of a number of inner pieces.
macro_rules! with_kernel {
    ($kernels:expr, $k:expr, $kernel:ident => $body:expr) => {
        match $k {
            0 => {
                let $kernel = &$kernels.k0;
                $body
            }
            1 => {
                let $kernel = &$kernels.k1;
                $body
            }
            2 => {
                let $kernel = &$kernels.k2;
                $body
            }
            _ => {
                let $kernel = &$kernels.k3;
                $body
            }
        }
    };
}
pub(crate) use with_kernel;

/// What a pass reads.
pub(crate) struct Tables<'a> {
    pub game: &'a Game,
    pub layout: &'a Layout,
    pub kernels: &'a Kernels,
    pub lost: &'a Lost,
}

/// The rows of a tier that a pass must look at again.
pub(crate) struct Dirty(Vec<AtomicU64>);

impl Dirty {
    pub(crate) fn all(rows: usize) -> Dirty {
        Dirty((0..rows.div_ceil(64)).map(|_| AtomicU64::new(u64::MAX)).collect())
    }

    pub(crate) fn none(rows: usize) -> Dirty {
        Dirty((0..rows.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether no row is marked.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|rows| rows.load(Ordering::Relaxed) == 0)
    }

    /// Unmarks all rows.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|rows| rows.store(0, Ordering::Relaxed));
    }

    /// How many of some rows are marked. The first of them starts a word.
    pub(crate) fn count(&self, rows: Range<usize>) -> u64 {
        debug_assert_eq!(rows.start % 64, 0, "a part starts a word");
        let of_word = |word: usize| {
            let marked = self.0[word].load(Ordering::Relaxed);
            let beyond = ((word + 1) * 64).saturating_sub(rows.end);
            u64::from((marked << beyond).count_ones())
        };
        (rows.start / 64..rows.end.div_ceil(64)).map(of_word).sum()
    }

    pub(crate) fn mark(&self, row: usize) {
        // Most often it is marked, and looking is cheaper than writing.
        if !self.contains(row) {
            self.0[row / 64].fetch_or(1 << (row % 64), Ordering::Relaxed);
        }
    }

    pub(crate) fn contains(&self, row: usize) -> bool {
        self.0[row / 64].load(Ordering::Relaxed) >> (row % 64) & 1 == 1
    }

    /// The rows that were marked one by one.
    pub(crate) fn marked(&self) -> impl ParallelIterator<Item = usize> {
        let words = self.0.par_iter().map(|rows| rows.load(Ordering::Relaxed)).enumerate();
        words.filter(|&(_, rows)| rows != 0).flat_map_iter(|(word, rows)| {
            (0..64).filter(move |row| rows >> row & 1 == 1).map(move |row| 64 * word + row)
        })
    }
}

impl Tables<'_> {
    /// Whether White has lost a position. A position of another variant counts as lost, and one outside a discipline counts
    /// against the keeper of the discipline.
    pub(crate) fn is_lost(&self, position: &Position) -> bool {
        let Some(index) = self.layout.tiers().index(Tier::of(position)) else { return true };
        match self.layout.bit(self.layout.tier(index), position) {
            Some(bit) => self.lost.bit(index, position.turn(), bit),
            None => self.layout.discipline().keeper() != Some(Color::Black),
        }
    }

    /// The lost placements of the row that a board becomes when an outer piece of a size goes elsewhere in its tier; `None`
    /// if all are known to be lost. The side to move is that of `outer`.
    #[inline(always)]
    pub(crate) fn lost_within<const N: usize>(
        &self,
        board: &Board<'_, N>,
        size: Size,
        outer: &Position,
    ) -> Option<Row<N>> {
        self.lost_at(board, board.tier, board.plan, size, outer)
    }

    /// The same when an outer piece from hand leads to another tier.
    #[inline(always)]
    pub(crate) fn lost_after<const N: usize>(
        &self,
        board: &Board<'_, N>,
        tier: usize,
        size: Size,
        outer: &Position,
    ) -> Option<Row<N>> {
        self.lost_at(board, tier, self.layout.tier(tier), size, outer)
    }

    #[inline(always)]
    fn lost_at<const N: usize>(
        &self,
        board: &Board<'_, N>,
        tier: usize,
        plan: &TierLayout,
        size: Size,
        outer: &Position,
    ) -> Option<Row<N>> {
        let (row, symmetry) = plan.row_after(board.seat, size, outer);
        if outer.turn() == Color::Black && self.lost.is_full(tier, row) {
            return None;
        }
        let stored = match outer.turn() {
            Color::White => self.lost.row(tier, Color::White, row),
            Color::Black => self.lost.closed_row(tier, row),
        };
        let mut lost = board.kernel.permute(&stored, symmetry);
        if outer.turn() == Color::White && self.may_end_outside() {
            or_into(&mut lost, &black_lines(board.kernel, outer));
        }
        Some(lost)
    }

    /// Whether Black may complete a line where it would not have been allowed to go on: only its last move may break a
    /// discipline of its own.
    fn may_end_outside(&self) -> bool {
        self.layout.discipline().keeper() == Some(Color::Black)
    }

    /// Adds the placements from which Black can put an inner piece so that the result is lost.
    pub(crate) fn inner_places<const N: usize>(&self, board: &Board<'_, N>, lost: &mut Row<N>) {
        let Some(next) = board.plan.after.black[self.layout.inner()] else { return };
        with_kernel!(self.kernels, self.layout.tier(next).k, more => {
            // The outer pieces stay, so the row has the same number there.
            let mut row = self.lost.row(next, Color::White, board.row);
            if self.may_end_outside() {
                or_into(&mut row, &black_lines(more, &board.outer));
            }
            let free = Square::COUNT as u32 - board.occupied.count();
            if row == more.full() && free > u32::from(board.plan.k) {
                // Whatever the placement, there is room for one more.
                *lost = board.kernel.full();
            } else if !is_empty(&row) {
                or_into(lost, &board.kernel.places(&row, more, board.occupied));
            }
        });
    }
}

/// A row and placements of its inner pieces.
pub(crate) type Part<const N: usize> = (usize, Row<N>);

impl Tables<'_> {
    /// A row as the passes see it.
    pub(crate) fn board<'a, const N: usize>(
        &'a self,
        kernel: &'a Kernel<N>,
        tier: usize,
        row: usize,
        turn: Color,
    ) -> Board<'a, N> {
        Board::new(self.game, kernel, tier, self.layout.tier(tier), row, turn)
    }

    /// The lost positions of some rows of a tier with White to move in which no line stands.
    pub(crate) fn lost_without_line<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Range<usize>,
    ) -> Vec<Part<N>> {
        let part = |index: usize| {
            let row = self.lost.row(tier, Color::White, index);
            if is_empty(&row) {
                return None;
            }
            let board = self.board(kernel, tier, index, Color::White);
            let part = minus(&row, &board.black_lines());
            (!is_empty(&part)).then_some((index, part))
        };
        rows.into_par_iter().with_min_len(MIN_ROWS).filter_map(part).collect()
    }
}

/// The rows of a tier in parts: what a pass adds to one is in memory until the next.
pub(crate) fn parts(rows: usize) -> impl Iterator<Item = Range<usize>> {
    const PART: usize = 1 << 22;
    (0..rows).step_by(PART).map(move |from| from..rows.min(from + PART))
}

/// The fewest rows that are worth another thread.
pub(crate) const MIN_ROWS: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_rows_are_counted_part_by_part() {
        let some = Dirty::none(1000);
        for row in [0, 63, 64, 130, 999] {
            some.mark(row);
        }
        let counts = [0..64, 64..128, 128..1000, 0..1000].map(|rows| some.count(rows));
        assert_eq!(counts, [2, 1, 2, 5]);
        // The last word has bits of no row.
        assert_eq!(Dirty::all(1000).count(0..1000), 1000);
        assert_eq!(Dirty::all(1000).count(960..1000), 40);
    }
}
