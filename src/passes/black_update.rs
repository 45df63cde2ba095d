//! The black update (thesis, Algorithm 2), a row at a time: a position with Black to move is lost when some black move
//! is judged *Black wins* or leads to a position that is lost with White to move.
//!
//! It has two parts. [`opening`] finds what lines and later tiers make lost; this never changes while a tier is worked
//! on, so it is done once. [`follow`] starts from the positions of the tier that were added last and takes black moves
//! back from them; there are few.

use std::ops::Range;

use rayon::prelude::*;

use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Dirty, MIN_ROWS, Part};
use crate::bitbase::tables::{Tables, with_kernel};
use crate::enumerate::rows::board::{Board, add_where};
use crate::enumerate::rows::kernel::Kernel;
use crate::enumerate::rows::kernel::{Row, and, is_empty, minus, or_into};
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Position, Reading, Size, Square};

/// The placements of a row from which Black can complete a line, or put a piece from hand so that the
/// result is lost with White to move.
pub(crate) fn opening<const N: usize>(tables: &Tables, board: &Board<'_, N>) -> Row<N> {
    let inner = tables.layout.inner();
    if board.outer.has_line(Color::White) {
        return [0; N];
    }
    let possible = board.possible(inner);
    let all = |lost: &Row<N>| is_empty(&minus(&possible, lost));
    let mut lost = board.kernel.transfers_to_lines(board.outer.visible(Color::Black), board.closed);
    tables.inner_places(board, &mut lost);
    if !all(&lost) {
        outer_places(tables, board, &mut lost);
    }
    if !all(&lost) {
        outer_lines(board, inner, &mut lost);
    }
    and(&lost, &possible)
}

/// Adds the placements from which the transfer of an outer piece completes a line.
fn outer_lines<const N: usize>(board: &Board<'_, N>, inner: Size, lost: &mut Row<N>) {
    for lift in board.lifts(inner) {
        let uncovers = lift.lifted.has_line(Color::White);
        for to in lift.targets.squares() {
            let mut outer = lift.lifted;
            outer.add(Color::Black, lift.size, to);
            if !uncovers || line_counts(board.game.reading, &outer) {
                or_into(lost, &lines_through(board, to, &outer));
            }
        }
    }
}

/// Whether a black line in `outer` wins for Black, who has just moved and uncovered a white line by lifting.
fn line_counts(reading: Reading, outer: &Position) -> bool {
    match reading {
        Reading::Official | Reading::NoEntryCover => !outer.has_line(Color::White),
        Reading::Thesis | Reading::Robust => true,
        Reading::StrictLift => false,
    }
}

/// The placements over which a black line stands in `outer`, when none stood before a piece went to a square.
fn lines_through<const N: usize>(board: &Board<'_, N>, to: Square, outer: &Position) -> Row<N> {
    board.kernel.lines_through(to, outer.visible(Color::Black), outer.occupied())
}

fn outer_places<const N: usize>(tables: &Tables, board: &Board<'_, N>, lost: &mut Row<N>) {
    let inner = tables.layout.inner();
    for size in Size::ALL.into_iter().take_while(|&size| size < inner) {
        let Some(next) = board.plan.after.black[size] else { continue };
        for to in Bitboard::ALL.squares() {
            let legal = board.entry(size, inner, to);
            if !is_empty(&legal) {
                let mut outer = board.outer.with_turn(Color::White);
                outer.add(Color::Black, size, to);
                // Rows with White to move are not known to be full.
                if let Some(row) = tables.lost_after(board, next, size, &outer) {
                    add_where(lost, &legal, &row);
                }
            }
        }
    }
}

/// Adds the positions from which a transfer by Black leads to `new` placements of the board's row, which
/// are lost with White to move and hold no line. `grown` gets the rows that grew.
pub(crate) fn follow<const N: usize>(
    tables: &Tables,
    board: &Board<'_, N>,
    new: &Row<N>,
    mut grown: impl FnMut(usize),
) {
    let inner = tables.layout.inner();
    let mut add = |size: Size, outer: &Position, row: &Row<N>| {
        board.plan.images(board.plan.row_after(board.seat, size, outer), |index, symmetries| {
            if tables.lost.is_full(board.tier, index) {
                return;
            }
            let image = |row: Row<N>| {
                symmetries.iter().fold(row, |row, &symmetry| board.kernel.image(&row, symmetry))
            };
            if tables.lost.add(board.tier, Color::Black, index, &image(*row)) {
                grown(index);
                let possible = board.kernel.apart_from(outer.pieces(Color::White, inner));
                tables.lost.note_full(board.tier, index, &image(possible));
            }
        });
    };
    // A transfer can be taken back by a transfer, and both lift the piece to the same effect.
    for lift in board.lifts(inner) {
        let uncovers = lift.lifted.has_line(Color::White);
        let counts = match board.game.reading {
            Reading::Official | Reading::NoEntryCover | Reading::Robust => true,
            Reading::Thesis | Reading::StrictLift => !uncovers,
        };
        if counts {
            for from in lift.targets.squares() {
                let mut outer = lift.lifted;
                outer.add(Color::Black, lift.size, from);
                if !(uncovers && outer.has_line(Color::White)) {
                    add(lift.size, &outer, new);
                }
            }
        }
    }
    if tables.lost.is_full(board.tier, board.row) {
        return;
    }
    let moved = board.kernel.transfers(new, board.occupied, board.closed);
    add(inner, &board.outer, &and(&moved, &board.possible(inner)));
}

/// As [`follow`], for pieces put from hand: the positions are of earlier tiers, and `grown` gets those too.
pub(crate) fn follow_places<const N: usize>(
    tables: &Tables,
    board: &Board<'_, N>,
    new: &Row<N>,
    mut grown: impl FnMut(usize, usize),
) {
    let inner = tables.layout.inner();
    for size in Size::ALL.into_iter().take_while(|&size| size < inner) {
        let Some(tier) = board.plan.before.black[size] else { continue };
        let plan = tables.layout.tier(tier);
        for to in board.outer.visible_of(Color::Black, size).squares() {
            let before = board.without(Color::Black, size, to);
            let placed = and(&before.entry(size, inner, to), new);
            if is_empty(&placed) || before.outer.has_line(Color::White) {
                continue;
            }
            plan.images(plan.row_after(board.seat, size, &before.outer), |index, symmetries| {
                let image =
                    symmetries.iter().fold(placed, |row, &symmetry| board.kernel.image(&row, symmetry));
                if tables.lost.add(tier, Color::Black, index, &image) {
                    grown(tier, index);
                }
            });
        }
    }
    if let Some(tier) = board.plan.before.black[inner] {
        let plan = tables.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, fewer => {
            let placed = fewer.places(new, board.kernel, board.occupied);
            // The outer pieces stay, so the row has the same number there.
            if tables.lost.add(tier, Color::Black, board.row, &placed) {
                grown(tier, board.row);
            }
        });
    }
}

/// Adds the positions in which Black can win in one move. Nothing but lines may be lost yet: these are just what a black
/// update finds then.
pub(crate) fn add_wins_in_one(solution: &Solution) {
    let tables = solution.tables();
    for (tier, plan) in solution.layout.all().iter().enumerate() {
        let grown = Dirty::none(plan.rows);
        with_kernel!(tables.kernels, plan.k, kernel => tables.opening(kernel, tier, 0..plan.rows, &grown));
    }
}

/// The pass over the rows of a tier, split over the cores.
impl Tables<'_> {
    /// Adds to some rows of a tier what Black reaches without a transfer inside the tier, see
    /// [`opening`], and marks those that grew.
    pub(crate) fn opening<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Range<usize>,
        grown: &Dirty,
    ) {
        rows.into_par_iter().with_min_len(MIN_ROWS).for_each(|index| {
            if self.lost.is_full(tier, index) {
                return;
            }
            let board = self.board(kernel, tier, index, Color::Black);
            let row = opening(self, &board);
            let grew = self.lost.add(tier, Color::Black, index, &row);
            if grew {
                grown.mark(index);
                self.lost.note_full(tier, index, &board.possible(self.layout.inner()));
            }
        });
    }

    /// Runs the black update after what was added with White to move, and marks the rows that grew.
    pub(crate) fn follow<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        new: &[Part<N>],
        grown: &Dirty,
    ) {
        new.par_iter().with_min_len(MIN_ROWS).for_each(|(index, new)| {
            let board = self.board(kernel, tier, *index, Color::Black);
            let mut useful = false;
            follow(self, &board, new, |row| {
                useful = true;
                grown.mark(row);
            });
        });
    }
}
