//! One pass over the rows of a tier, split over the cores.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use crate::bitbase::lost::Lost;
use crate::enumerate::Tier;
use crate::enumerate::rows::board::{Board, black_lines};
use crate::enumerate::rows::kernel::{Kernel, Row, bits, is_empty, minus, or_into, words};
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::enumerate::rows::strip::{TOGETHER, Walk};
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

/// What a pass reads and writes.
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

    /// The rows marked in `words`, which are as [`Dirty::word`] returns them.
    pub(crate) fn of(words: impl Iterator<Item = u64>) -> Dirty {
        Dirty(words.map(AtomicU64::new).collect())
    }

    /// Returns a mask: bit i is set if row 64 * `word` + i is marked.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.0[word].load(Ordering::Relaxed)
    }

    /// Whether no row is marked.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|rows| rows.load(Ordering::Relaxed) == 0)
    }

    /// Unmarks all rows.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|rows| rows.store(0, Ordering::Relaxed));
    }

    /// How many of some rows are marked.
    pub(crate) fn count(&self, rows: Range<usize>) -> u64 {
        let words = rows.start / 64..rows.end.div_ceil(64);
        words.map(|word| u64::from((self.word(word) & inside(&rows, word)).count_ones())).sum()
    }

    /// Unmarks some rows.
    pub(crate) fn unmark(&self, rows: &Range<usize>) {
        for word in rows.start / 64..rows.end.div_ceil(64) {
            self.0[word].fetch_and(!inside(rows, word), Ordering::Relaxed);
        }
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
}

/// Returns a mask: bit i is set if row 64 * `word` + i is in `rows`.
fn inside(rows: &Range<usize>, word: usize) -> u64 {
    let before = rows.start.saturating_sub(64 * word);
    let beyond = (64 * (word + 1)).saturating_sub(rows.end);
    u64::MAX << before & u64::MAX >> beyond
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

    /// Whether Black may complete a line with a move that breaks the discipline. Black's own discipline allows this for
    /// its last move alone.
    pub(crate) fn may_end_outside(&self) -> bool {
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
    /// A walk over rows of a tier as the passes see them.
    pub(crate) fn walk<'a, const N: usize>(
        &'a self,
        kernel: &'a Kernel<N>,
        tier: usize,
        turn: Color,
    ) -> Walk<'a, N> {
        Walk::new(self.game, kernel, tier, self.layout.tier(tier), turn)
    }

    /// Returns what `find` finds at some rows of a tier, in the order of the rows. The work is split over the cores.
    /// `which(w)` returns a mask: bit i is set if row 64*w + i is visited.
    pub(crate) fn visit<const N: usize, T: Send>(
        &self,
        kernel: &Kernel<N>,
        place: (usize, Color),
        rows: Range<usize>,
        which: impl Fn(usize) -> u64 + Sync,
        find: impl Fn(&Board<'_, N>) -> Option<T> + Sync,
    ) -> Vec<T> {
        self.visit_strips(kernel, place, rows, which, |boards, found| {
            found.extend(boards.iter().filter_map(&find));
        })
    }

    /// The same, but `find` visits up to [`TOGETHER`] rows of one strip at once, and appends what it finds to a vector.
    pub(crate) fn visit_strips<const N: usize, T: Send>(
        &self,
        kernel: &Kernel<N>,
        (tier, turn): (usize, Color),
        rows: Range<usize>,
        which: impl Fn(usize) -> u64 + Sync,
        find: impl Fn(&[Board<'_, N>], &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let with_word = |mut found: Vec<T>, word: usize| {
            let visited: ArrayVec<usize, { u64::BITS as usize }> =
                bits(&[which(word) & inside(&rows, word)]).map(|bit| 64 * word + bit).collect();
            if !visited.is_empty() {
                let mut walk = self.walk(kernel, tier, turn);
                walk.together(&visited, |&row| row, |boards, _| find(boards, &mut found));
            }
            found
        };
        // Results of neighbouring words go into one vector: a vector for each would keep the allocator busy.
        let words = (rows.start / 64..rows.end.div_ceil(64)).into_par_iter();
        words.fold(Vec::new, with_word).flatten_iter().collect()
    }

    /// The same, where nothing is returned.
    pub(crate) fn for_strips<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        place: (usize, Color),
        rows: Range<usize>,
        which: impl Fn(usize) -> u64 + Sync,
        visit: impl Fn(&[Board<'_, N>]) + Sync,
    ) {
        let _: Vec<()> = self.visit_strips(kernel, place, rows, which, |boards, _| visit(boards));
    }

    /// Asks the system to read ahead what an update of some rows touches of their own tier, if it is in mapped files:
    /// with Black to move the bands or columns of these rows, with White to move the rows themselves.
    pub(crate) fn fetch(&self, tier: usize, mover: Color, rows: &[Range<usize>]) {
        let plan = self.layout.tier(tier);
        for orbit in plan.orbits_of(mover, rows) {
            self.lost.fetch(tier, Color::Black, &plan.group(mover, orbit));
        }
        self.lost.fetch(tier, Color::White, rows);
    }

    /// The same for the later tiers to which pieces from hand lead.
    pub(crate) fn fetch_later(&self, tier: usize, mover: Color, rows: &[Range<usize>]) {
        let plan = self.layout.tier(tier);
        for orbit in plan.orbits_of(mover, rows) {
            for next in Size::ALL.into_iter().filter_map(|size| plan.after[mover][size]) {
                self.lost.fetch(next, !mover, &self.layout.tier(next).group(mover, orbit));
            }
        }
    }

    /// Visits the rows of `parts` with their placements, those of one strip together. The work is split over the cores.
    pub(crate) fn visit_parts<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        (tier, turn): (usize, Color),
        parts: &[Part<N>],
        visit: impl Fn(&[Board<'_, N>], &[Part<N>]) + Sync,
    ) {
        parts.par_chunks(TOGETHER).for_each(|parts| {
            self.walk(kernel, tier, turn).together(parts, |part| part.0, &visit);
        });
    }

    /// The lost positions of some rows of a tier with White to move in which no line stands, in the order of the rows.
    /// `which(w)` returns a mask: bit i is set if row 64*w + i is looked at.
    pub(crate) fn lost_without_line<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Range<usize>,
        which: impl Fn(usize) -> u64 + Sync,
    ) -> Vec<Part<N>> {
        let lost = self.lost.rows(tier, Color::White);
        let holds = |row: &usize| !is_empty::<N>(&lost.row(*row));
        let which = |word| {
            let asked = [which(word) & inside(&rows, word)];
            let rows = bits(&asked).map(|bit| 64 * word + bit);
            rows.filter(holds).fold(0, |which, row| which | 1 << (row % 64))
        };
        self.visit(kernel, (tier, Color::White), rows.clone(), which, |board| {
            let part = minus(&lost.row(board.row), &board.black_lines());
            (!is_empty(&part)).then_some((board.row, part))
        })
    }
}

/// The most rows of a part. What a pass adds to a part stays in memory until the next one, and a pass can be broken off
/// between parts. A row of a large tier takes some ten microseconds of a core. In this library's own tests parts are
/// small, so that the tiers of small variants have several.
pub(crate) const PART: usize = if cfg!(test) { 1 << 7 } else { 1 << 17 };

/// The rows of a tier in parts, in the order of a white update: neighbours share their black A.
pub(crate) fn parts(rows: usize) -> impl Iterator<Item = Range<usize>> {
    parts_of(rows, PART)
}

/// The rows of a tier in parts of at most `most`.
pub(crate) fn parts_of(rows: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(most).map(move |from| from..rows.min(from + most))
}

/// The rows of a tier in parts, in the order of a black update: column by column. A tier of one part keeps the order of
/// its rows.
pub(crate) fn black_parts(plan: &TierLayout) -> Vec<Vec<Range<usize>>> {
    if plan.rows <= PART {
        return parts(plan.rows).map(|part| vec![part]).collect();
    }
    let mut all = Vec::new();
    for column in plan.groups(Color::Black) {
        let mut part: Vec<Range<usize>> = Vec::new();
        let mut len = 0;
        for mut rows in column {
            while len + rows.len() > PART {
                let more = rows.start..rows.start + PART - len;
                rows.start = more.end;
                part.push(more);
                all.push(std::mem::take(&mut part));
                len = 0;
            }
            len += rows.len();
            part.push(rows);
        }
        all.push(part);
    }
    all
}

/// Whether a pass over `rows` of the `of` rows of a group should read in one go everything that the group touches. Each
/// row touches some ten rows, and a page of the system has hundreds.
pub(crate) fn is_much(rows: usize, of: usize) -> bool {
    rows >= of / 1024
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
        let counts =
            [0..64, 64..128, 128..1000, 0..1000, 1..64, 63..130, 130..131].map(|rows| some.count(rows));
        assert_eq!(counts, [2, 1, 2, 5, 1, 2, 1]);
        // The last word has bits of no row.
        assert_eq!(Dirty::all(1000).count(0..1000), 1000);
        assert_eq!(Dirty::all(1000).count(960..1000), 40);
        some.unmark(&(1..130));
        assert_eq!([0..64, 64..130, 130..1000].map(|rows| some.count(rows)), [1, 0, 2]);
    }
}
