//! The white update (thesis, Algorithm 3), a row at a time: a position with White to move is lost when no white move is
//! judged *White wins* or leads to a position that is not lost with Black to move.

use std::ops::Range;

use rayon::prelude::*;

use crate::bitbase::lost::Rows;
use crate::bitbase::tables::{Dirty, MIN_ROWS, Part, Tables, parts};
use crate::enumerate::rows::board::{Board, Landing, Lift, add_where, black_lines};
use crate::enumerate::rows::kernel::{Kernel, Row, and, is_empty, minus};
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Position, Reading, Size, Square};
use crate::symmetry::Symmetry;

/// Leaves of the `open` placements of each row, over which no line stands, those that are lost with White to move, given what is
/// lost with Black to move. The rows are of one strip.
///
/// A few moves show most placements to be safe, and the rest of the moves is not looked at.
pub(crate) fn leave_lost<const N: usize>(tables: &Tables, boards: &[Board<'_, N>], open: &mut [Row<N>]) {
    match tables.layout.is_whole() {
        true => leave_lost_of::<N, true>(tables, boards, open),
        false => leave_lost_of::<N, false>(tables, boards, open),
    }
}

/// The same for tiers that are stored whole, or not: a row that is known to be whole goes from the memory into registers.
fn leave_lost_of<const N: usize, const WHOLE: bool>(
    tables: &Tables,
    boards: &[Board<'_, N>],
    open: &mut [Row<N>],
) {
    let Some(first) = boards.first() else { return };
    let (inner, rows) = (tables.layout.inner(), tables.lost.rows(first.tier, Color::Black));
    leave_lost_by_places::<N, WHOLE>(tables, boards, open);
    let mut left: Vec<(&Board<'_, N>, &mut Row<N>, Uncovered<N>)> =
        boards.iter().zip(open).map(|(board, open)| (board, open, Uncovered::NOTHING)).collect();
    for (from, ways) in first.ways_of_a() {
        left.retain(|(_, open, _)| !is_empty(open));
        for (board, _, uncovered) in &mut left {
            *uncovered = Uncovered::new(board, || board.lift(Size::A, from));
        }
        let mut ways = ways.peekable();
        while let Some(way) = ways.next() {
            let next = ways.peek();
            for (board, open, uncovered) in &mut left {
                if !is_empty(open) {
                    if let Some(next) = next {
                        rows.ask_for::<N>(board.landing_of_a(next).row);
                    }
                    uncovered.leave_lost::<WHOLE>(
                        board,
                        &rows,
                        (Size::A, inner),
                        (way.to, board.landing_of_a(&way)),
                        open,
                    );
                }
            }
        }
    }
    for (board, open, _) in left {
        for lift in board.lifts_below_a(inner) {
            let uncovered = Uncovered::new(board, || board.lift(lift.size, lift.from));
            for landing in board.landings(&lift) {
                if is_empty(open) {
                    break;
                }
                uncovered.leave_lost::<WHOLE>(board, &rows, (lift.size, inner), landing, open);
            }
        }
    }
}

/// The placements that are lost after a move, `None` if all are known to be.
#[inline(always)]
fn known<const N: usize, const WHOLE: bool>(
    board: &Board<'_, N>,
    rows: &Rows<'_>,
    row: usize,
    symmetry: Symmetry,
) -> Option<Row<N>> {
    if rows.is_full(row) {
        return None;
    }
    let row = if WHOLE { rows.whole_row(row) } else { rows.closed_row(row) };
    Some(board.kernel.permute(&row, symmetry))
}

/// The same for pieces put from hand alone.
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
        let leave_lost = |board: &Board<'_, N>, to, (row, symmetry), open: &mut Row<N>| {
            let Some(lost) = known::<N, WHOLE>(board, &rows, row, symmetry) else { return };
            let good = minus(open, &lost);
            if !is_empty(&good) {
                *open = minus(open, &and(&good, &board.entry(size, inner, to)));
            }
        };
        let mut left: Vec<(&Board<'_, N>, &mut Row<N>, Bitboard)> =
            boards.iter().zip(&mut *open).map(|(board, open)| (board, open, board.entries(size))).collect();
        if size == Size::A {
            for way in first.ways_of_a_from_hand(plan) {
                for (board, open, entries) in &mut left {
                    if entries.contains(way.to) && !is_empty(open) {
                        leave_lost(board, way.to, board.landing_of_a(&way).place(), open);
                    }
                }
            }
        } else {
            for (board, open, entries) in left {
                for to in entries.squares() {
                    if is_empty(open) {
                        break;
                    }
                    leave_lost(board, to, board.placed(plan, size, to), open);
                }
            }
        }
    }
}

/// The black lines that stand as soon as White has lifted a piece, where the reading counts them.
struct Uncovered<const N: usize> {
    /// The placements over which one stands.
    placements: Row<N>,
    /// The outer placement then; `None` if no line stands.
    lifted: Option<Position>,
}

impl<const N: usize> Uncovered<N> {
    const NOTHING: Self = Uncovered { placements: [0; N], lifted: None };

    fn new(board: &Board<'_, N>, lift: impl FnOnce() -> Lift) -> Self {
        match board.game.reading {
            Reading::Official | Reading::NoEntryCover => Self::NOTHING,
            Reading::Thesis | Reading::StrictLift | Reading::Robust => {
                let lifted = lift().lifted;
                let placements = black_lines(board.kernel, &lifted);
                Uncovered { lifted: (!is_empty(&placements)).then_some(lifted), placements }
            }
        }
    }

    /// Takes out of the `open` placements those that a transfer shows to be safe.
    #[inline(always)]
    fn leave_lost<const WHOLE: bool>(
        &self,
        board: &Board<'_, N>,
        rows: &Rows<'_>,
        (size, inner): (Size, Size),
        (to, Landing { row, symmetry, .. }): (Square, Landing),
        open: &mut Row<N>,
    ) {
        let lost = known::<N, WHOLE>(board, rows, row, symmetry);
        if lost.is_none() && self.lifted.is_none() {
            return;
        }
        let legal = and(&board.landing(size, inner, to), open);
        let mut good = lost.map_or([0; N], |lost| minus(&legal, &lost));
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

/// Visits the rows of a tier whose white update can change when rows of a strip change with Black to move.
pub(crate) fn readers<const N: usize>(boards: &[Board<'_, N>], inner: Size, mut visit: impl FnMut(usize)) {
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
        for lift in board.lifts_below_a(inner) {
            board.landings(&lift).for_each(|(_, landing)| reader(board, landing));
        }
    }
}

/// As [`readers`], for pieces put from hand: visits tiers and rows.
pub(crate) fn place_readers<const N: usize>(
    tables: &Tables,
    board: &Board<'_, N>,
    mut visit: impl FnMut(usize, usize),
) {
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
    /// Runs the white update over the dirty ones of some rows of a tier and gives what it added.
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

    /// Runs the white update over all rows of a tier; whether it added anything.
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
        let inner = self.layout.inner();
        let open = |board: &Board<'_, N>| {
            if plan.slot(board.row).is_none() || board.outer.has_line(Color::White) {
                return [0; N];
            }
            let open = minus(&board.possible(inner), &lost.row(board.row));
            plan.list(board.row).map_or(open, |list| and(&open, &list.stored()))
        };
        self.visit_strips(kernel, (tier, Color::White), rows, which, |boards| {
            let mut open: Vec<Row<N>> = boards.iter().map(open).collect();
            leave_lost(self, boards, &mut open);
            let rows = boards.iter().map(|board| board.row);
            rows.zip(open).filter(|(_, new)| !is_empty(new)).collect()
        })
    }

    /// The rows of a tier whose white update can change after some have grown with Black to move.
    pub(crate) fn readers<const N: usize>(&self, kernel: &Kernel<N>, tier: usize, grown: &Dirty) -> Dirty {
        let rows = self.layout.tier(tier).rows;
        let found = Dirty::none(rows);
        let which = |word| grown.word(word);
        self.visit_strips(kernel, (tier, Color::White), 0..rows, which, |boards| -> Vec<()> {
            readers(boards, self.layout.inner(), |row| found.mark(row));
            Vec::new()
        });
        found
    }
}
