//! The white update (thesis, Algorithm 3), a row at a time: a position with White to move is lost when no white move is
//! judged *White wins* or leads to a position that is not lost with Black to move.

use std::ops::Range;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use crate::bitbase::lost::Rows;
use crate::bitbase::tables::{Dirty, MIN_ROWS, Part, Tables, parts, with_kernel};
use crate::enumerate::rows::board::{Board, Landing, add_where, black_lines};
use crate::enumerate::rows::kernel::{Kernel, Row, and, is_empty, minus};
use crate::enumerate::rows::strip::TOGETHER;
use crate::prelude::*;
use crate::rules::{Color, Position, Reading, Size, Square};
use crate::symmetry::Symmetry;

/// Reduces `open`, the placements of each row in which no line stands, to those that are lost with White to move, given
/// the positions that are lost with Black to move. The rows are of one strip.
///
/// A few moves show most placements to be safe. When none is left open the remaining moves are skipped.
pub(crate) fn leave_lost<const N: usize>(tables: &Tables, boards: &[Board<'_, N>], open: &mut [Row<N>]) {
    match tables.layout.is_whole() {
        true => leave_lost_of::<N, true>(tables, boards, open),
        false => leave_lost_of::<N, false>(tables, boards, open),
    }
}

/// The same. `WHOLE` says whether the layout stores everything: then a row is loaded straight into registers.
fn leave_lost_of<const N: usize, const WHOLE: bool>(
    tables: &Tables,
    boards: &[Board<'_, N>],
    open: &mut [Row<N>],
) {
    let Some(first) = boards.first() else { return };
    let rows = tables.lost.rows(first.tier, Color::Black);
    leave_lost_by_places::<N, WHOLE>(tables, boards, open);
    let mut left = Left::all(open);
    let mut after = ArrayVec::new();
    for (from, ways) in first.ways_of_a() {
        left.retain(open);
        if left.0.is_empty() {
            return;
        }
        let uncovered = Uncovered::over(boards, from);
        for way in ways {
            let landing = |place: usize| boards[place].landing_of_a(&way).row;
            left.known::<N, WHOLE>(first.kernel, &rows, way.symmetry(), landing, &mut after);
            for (&place, lost) in left.0.iter().zip(&after) {
                let place = usize::from(place);
                match uncovered.get(place) {
                    // An A lands on any inner piece.
                    None => open[place] = and(&open[place], lost),
                    Some(uncovered) => {
                        uncovered.leave_lost(&boards[place], (Size::A, from, way.to), lost, &mut open[place]);
                    }
                }
            }
            left.retain(open);
        }
    }
    for place in left.0 {
        let (board, open) = (&boards[usize::from(place)], &mut open[usize::from(place)]);
        for lift in board.lifts_below_a() {
            let uncovered = Uncovered::new(board, || lift.lifted);
            for (to, landing) in board.landings(&lift) {
                if is_empty(open) {
                    break;
                }
                let lost = known::<N, WHOLE>(&rows, landing.row);
                uncovered.leave_lost(board, (lift.size, lift.from, to), &lost, open);
            }
        }
    }
}

/// The rows of a strip in which placements are still open, as indices into its boards.
struct Left(ArrayVec<u8, TOGETHER>);

impl Left {
    fn all<const N: usize>(open: &[Row<N>]) -> Left {
        let mut left = Left((0..).take(open.len()).collect());
        left.retain(open);
        left
    }

    /// Keeps the rows that still have open placements.
    #[inline(always)]
    fn retain<const N: usize>(&mut self, open: &[Row<N>]) {
        let mut kept = 0;
        for at in 0..self.0.len() {
            let place = self.0[at];
            self.0[kept] = place;
            kept += usize::from(!is_empty(&open[usize::from(place)]));
        }
        self.0.truncate(kept);
    }

    /// Sets `after` to the placements of each row left that are lost after a move. `row` maps an index to the row that
    /// the move leads to; all share one symmetry.
    #[inline(always)]
    fn known<const N: usize, const WHOLE: bool>(
        &self,
        kernel: &Kernel<N>,
        rows: &Rows<'_>,
        symmetry: Symmetry,
        row: impl Fn(usize) -> usize,
        after: &mut ArrayVec<Row<N>, TOGETHER>,
    ) {
        after.clear();
        after.extend(self.0.iter().map(|&place| known::<N, WHOLE>(rows, row(usize::from(place)))));
        kernel.permute_all(after, symmetry);
    }
}

/// The placements of a row that are lost with Black to move. For a full row all bits are set, also those of placements
/// for which the outer pieces leave no room.
#[inline(always)]
fn known<const N: usize, const WHOLE: bool>(rows: &Rows<'_>, row: usize) -> Row<N> {
    match (rows.is_full(row), WHOLE) {
        (true, _) => [u64::MAX; N],
        (false, true) => rows.whole_row(row),
        (false, false) => rows.closed_row(row),
    }
}

/// As [`leave_lost`], by pieces put from hand alone.
fn leave_lost_by_places<const N: usize, const WHOLE: bool>(
    tables: &Tables,
    boards: &[Board<'_, N>],
    open: &mut [Row<N>],
) {
    let Some(first) = boards.first() else { return };
    let inner = tables.layout.inner();
    for size in Size::ALL.into_iter().take_while(|&size| size <= inner) {
        let Some(next) = first.plan.after.white[size] else { continue };
        let (plan, rows) = (tables.layout.tier(next), tables.lost.rows(next, Color::Black));
        let leave_lost = |board: &Board<'_, N>, to, lost: &Row<N>, open: &mut Row<N>| {
            let good = minus(open, lost);
            if !is_empty(&good) && board.entries(size).contains(to) {
                *open = minus(open, &and(&good, &board.entry(size, to)));
            }
        };
        let mut left = Left::all(open);
        let mut after = ArrayVec::new();
        if size == Size::A {
            for way in first.ways_of_a_from_hand(plan) {
                let landing = |place: usize| boards[place].landing_of_a(&way).row;
                left.known::<N, WHOLE>(first.kernel, &rows, way.symmetry(), landing, &mut after);
                for (&place, lost) in left.0.iter().zip(&after) {
                    leave_lost(&boards[usize::from(place)], way.to, lost, &mut open[usize::from(place)]);
                }
                left.retain(open);
            }
        } else {
            for place in left.0 {
                let (board, open) = (&boards[usize::from(place)], &mut open[usize::from(place)]);
                for to in board.entries(size).squares() {
                    if is_empty(open) {
                        break;
                    }
                    let (row, _) = board.placed(plan, size, to);
                    leave_lost(board, to, &known::<N, WHOLE>(&rows, row), open);
                }
            }
        }
    }
}

/// The black lines that stand as soon as White has lifted a piece, where the reading counts them.
struct Uncovered<const N: usize> {
    /// The placements in which such a line stands.
    placements: Row<N>,
    /// The outer placement with the piece lifted; `None` if no such line stands.
    lifted: Option<Position>,
}

impl<const N: usize> Uncovered<N> {
    /// What lifting the A on `from` uncovers in each row of a strip; empty if the reading does not count it.
    fn over(boards: &[Board<'_, N>], from: Square) -> ArrayVec<Uncovered<N>, TOGETHER> {
        let counts = boards.first().is_some_and(counts_uncovered);
        let boards = if counts { boards } else { &[] };
        boards.iter().map(|board| Uncovered::new(board, || board.lift(Size::A, from).lifted)).collect()
    }

    fn new(board: &Board<'_, N>, lifted: impl FnOnce() -> Position) -> Self {
        if !counts_uncovered(board) {
            return Uncovered { placements: [0; N], lifted: None };
        }
        let lifted = lifted();
        let placements = black_lines(board.kernel, &lifted);
        Uncovered { lifted: (!is_empty(&placements)).then_some(lifted), placements }
    }

    /// Removes from `open` the placements that a transfer shows to be safe. `lost` has the placements that are lost
    /// after the transfer.
    #[inline(always)]
    fn leave_lost(
        &self,
        board: &Board<'_, N>,
        (size, from, to): (Size, Square, Square),
        lost: &Row<N>,
        open: &mut Row<N>,
    ) {
        let legal = and(&board.transfer(size, from, to), open);
        let mut good = minus(&legal, lost);
        if let Some(mut outer) = self.lifted {
            good = minus(&good, &self.placements);
            outer.add(Color::White, size, to);
            if board.game.reading == Reading::Thesis && outer.has_line(Color::White) {
                add_where(&mut good, &legal, &self.placements);
            }
        }
        *open = minus(open, &good);
    }
}

/// Whether the reading counts a black line that stands while White's piece is in the air.
fn counts_uncovered<const N: usize>(board: &Board<'_, N>) -> bool {
    match board.game.reading {
        Reading::Official | Reading::NoEntryCover => false,
        Reading::Thesis | Reading::StrictLift | Reading::Robust => true,
    }
}

/// Visits the rows of a tier whose white update can change when rows of a strip change with Black to move.
pub(crate) fn readers<const N: usize>(boards: &[Board<'_, N>], mut visit: impl FnMut(usize)) {
    let Some(first) = boards.first() else { return };
    let mut reader = |board: &Board<'_, N>, Landing { row, symmetry, alone, .. }| {
        if alone {
            visit(row);
        } else {
            board.plan.images((row, symmetry), |row, _| visit(row));
        }
    };
    for (_, ways) in first.ways_of_a() {
        for way in ways {
            boards.iter().for_each(|board| reader(board, board.landing_of_a(&way)));
        }
    }
    for board in boards {
        for lift in board.lifts_below_a() {
            board.landings(&lift).for_each(|(_, landing)| reader(board, landing));
        }
    }
}

/// As [`readers`], for pieces put from hand: visits tiers and rows.
fn place_readers<const N: usize>(tables: &Tables, board: &Board<'_, N>, mut visit: impl FnMut(usize, usize)) {
    for size in Size::ALL.into_iter().take_while(|&size| size <= tables.layout.inner()) {
        let Some(tier) = board.plan.before.white[size] else { continue };
        let plan = tables.layout.tier(tier);
        for to in board.outer.visible_of(Color::White, size).squares() {
            let before = board.without(Color::White, size, to);
            plan.images(board.row_after(plan, size, &before.outer), |row, _| visit(tier, row));
        }
    }
}

/// The pass over the rows of a tier, split over the cores.
impl Tables<'_> {
    /// Runs the white update over those of some rows of a tier that are dirty. Returns what it added.
    pub(crate) fn white<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Range<usize>,
        dirty: &Dirty,
    ) -> Vec<Part<N>> {
        let found = self.white_would_add(kernel, tier, rows, dirty);
        found.par_iter().with_min_len(MIN_ROWS).for_each(|(index, new)| {
            self.lost.add(tier, Color::White, *index, new);
        });
        found
    }

    /// Runs the white update over all rows of a tier. Returns whether it added anything.
    pub(crate) fn white_everywhere<const N: usize>(&self, kernel: &Kernel<N>, tier: usize) -> bool {
        let rows = self.layout.tier(tier).rows;
        let all = Dirty::all(rows);
        parts(rows).fold(false, |grew, part| grew | !self.white(kernel, tier, part, &all).is_empty())
    }

    /// What [`Tables::white`] would add.
    pub(crate) fn white_would_add<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Range<usize>,
        dirty: &Dirty,
    ) -> Vec<Part<N>> {
        let plan = self.layout.tier(tier);
        let lost = self.lost.rows(tier, Color::White);
        let which = |word| dirty.word(word);
        let open = |board: &Board<'_, N>| -> Row<N> {
            if plan.slot(board.row).is_none() || board.outer.has_line(Color::White) {
                return [0; N];
            }
            let open = minus(&board.possible(), &lost.row(board.row));
            plan.list(board.row).map_or(open, |list| and(&open, &list.stored()))
        };
        self.visit_strips(kernel, (tier, Color::White), rows, which, |boards, found| {
            let mut open: ArrayVec<Row<N>, TOGETHER> = boards.iter().map(open).collect();
            leave_lost(self, boards, &mut open);
            let rows = boards.iter().map(|board| board.row);
            found.extend(rows.zip(open).filter(|(_, new)| !is_empty(new)));
        })
    }

    /// The rows of a tier whose white update can change after the rows in `grown` have grown with Black to move.
    pub(crate) fn readers<const N: usize>(&self, kernel: &Kernel<N>, tier: usize, grown: &Dirty) -> Dirty {
        let rows = self.layout.tier(tier).rows;
        let found = Dirty::none(rows);
        let which = |word| grown.word(word);
        self.for_strips(kernel, (tier, Color::White), 0..rows, which, |boards| {
            readers(boards, |row| found.mark(row));
        });
        found
    }

    /// Marks in `dirty` the rows, of any tier, whose white update can change after the rows `grown` of `tier` grew.
    pub(crate) fn mark_readers(&self, tier: usize, grown: &Dirty, dirty: &[Dirty]) {
        with_kernel!(self.kernels, self.layout.tier(tier).k, kernel => {
            let (rows, which) = (0..self.layout.tier(tier).rows, |word| grown.word(word));
            self.for_strips(kernel, (tier, Color::White), rows, which, |boards| {
                readers(boards, |row| dirty[tier].mark(row));
                for board in boards {
                    place_readers(self, board, |tier, row| dirty[tier].mark(row));
                }
            });
        });
    }
}
