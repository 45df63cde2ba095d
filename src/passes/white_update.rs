//! The white update (thesis, Algorithm 3), a row at a time: a position with White to move is lost when no white move is
//! judged *White wins* or leads to a position that is not lost with Black to move.

use std::ops::Range;

use rayon::prelude::*;

use crate::bitbase::lost::Rows;
use crate::bitbase::tables::{Dirty, MIN_ROWS, Part, Tables, parts};
use crate::enumerate::rows::board::{Board, Landing, add_where, black_lines};
use crate::enumerate::rows::kernel::{Kernel, Row, and, is_empty, minus};
use crate::prelude::*;
use crate::rules::{Color, Reading, Size};

/// Of the `open` placements of a row, over which no line stands, those that are lost with White to move,
/// given what is lost with Black to move.
///
/// A few moves show most placements to be safe, and the rest of the moves is not looked at.
pub(crate) fn lost_row<const N: usize>(tables: &Tables, board: &Board<'_, N>, mut open: Row<N>) -> Row<N> {
    let inner = tables.layout.inner();
    // The placements that are lost after a move, `None` if all are known to be.
    let known = |rows: &Rows<'_>, row, symmetry| {
        (!rows.is_full(row)).then(|| board.kernel.permute(&rows.closed_row(row), symmetry))
    };
    for size in Size::ALL.into_iter().take_while(|&size| size <= inner) {
        let Some(next) = board.plan.after.white[size] else { continue };
        let (plan, rows) = (tables.layout.tier(next), tables.lost.rows(next, Color::Black));
        for to in board.entries(size).squares() {
            let (row, symmetry) = board.placed(plan, size, to);
            let Some(lost) = known(&rows, row, symmetry) else { continue };
            let good = minus(&open, &lost);
            if !is_empty(&good) {
                open = minus(&open, &and(&good, &board.entry(size, inner, to)));
            }
        }
    }
    let rows = tables.lost.rows(board.tier, Color::Black);
    for lift in board.lifts(inner) {
        if is_empty(&open) {
            return open;
        }
        let uncovered = match board.game.reading {
            Reading::Official | Reading::NoEntryCover => [0; N],
            Reading::Thesis | Reading::StrictLift | Reading::Robust => {
                black_lines(board.kernel, &lift.lifted)
            }
        };
        let uncovers = !is_empty(&uncovered);
        for Landing { to, row, symmetry, .. } in board.landings(&lift) {
            let lost = known(&rows, row, symmetry);
            if lost.is_none() && !uncovers {
                continue;
            }
            let legal = and(&board.landing(lift.size, inner, to), &open);
            let mut good = lost.map_or([0; N], |lost| minus(&legal, &lost));
            if uncovers {
                good = minus(&good, &uncovered);
                let mut outer = lift.lifted;
                outer.add(Color::White, lift.size, to);
                if board.game.reading == Reading::Thesis && outer.has_line(Color::White) {
                    add_where(&mut good, &legal, &uncovered);
                }
            }
            open = minus(&open, &good);
        }
    }
    open
}

/// Visits the rows of a tier whose white update can change when this row changes with Black to move.
pub(crate) fn readers<const N: usize>(board: &Board<'_, N>, inner: Size, mut visit: impl FnMut(usize)) {
    for lift in board.lifts(inner) {
        for Landing { row, symmetry, alone, .. } in board.landings(&lift) {
            if alone {
                visit(row);
            } else {
                board.plan.images((row, symmetry), |row, _| visit(row));
            }
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
        self.visit(kernel, (tier, Color::White), rows, which, |board| {
            if plan.slot(board.row).is_none() || board.outer.has_line(Color::White) {
                return None;
            }
            let mut open = minus(&board.possible(self.layout.inner()), &lost.row(board.row));
            if let Some(list) = plan.list(board.row) {
                open = and(&open, &list.stored());
            }
            let new = lost_row(self, board, open);
            (!is_empty(&new)).then_some((board.row, new))
        })
    }

    /// The rows of a tier whose white update can change after some have grown with Black to move.
    pub(crate) fn readers<const N: usize>(&self, kernel: &Kernel<N>, tier: usize, grown: &Dirty) -> Dirty {
        let rows = self.layout.tier(tier).rows;
        let found = Dirty::none(rows);
        let which = |word| grown.word(word);
        self.visit(kernel, (tier, Color::White), 0..rows, which, |board| -> Option<()> {
            readers(board, self.layout.inner(), |row| found.mark(row));
            None
        });
        found
    }
}
