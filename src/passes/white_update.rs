//! The white update (thesis, Algorithm 3), a row at a time: a position with White to move is lost when no
//! white move is judged *White wins* or goes on to a position that is not lost with Black to move.

use super::board::{Board, add_where, black_lines};
use super::kernel::{Row, and, is_empty, minus};
use super::sweep::Tables;
use crate::prelude::*;
use crate::rules::{Color, Mask, Reading, Size};

/// Of the `open` placements of a row, over which no line stands, those that are lost with White to move,
/// given what is lost with Black to move.
///
/// A few moves show most placements to be safe, and the rest of the moves is not looked at.
pub(super) fn lost_row<const N: usize>(tables: &Tables, board: &Board<'_, N>, mut open: Row<N>) -> Row<N> {
    let inner = tables.layout.inner();
    for size in Size::ALL.into_iter().take_while(|&size| size <= inner) {
        let Some(next) = board.plan.after.white[size] else { continue };
        for to in Mask::ALL.squares() {
            let legal = and(&board.entry(size, inner, to), &open);
            if !is_empty(&legal) {
                let mut outer = board.outer.with_turn(Color::Black);
                outer.add(Color::White, size, to);
                if let Some(lost) = tables.lost_after(board, next, size, &outer) {
                    open = minus(&open, &minus(&legal, &lost));
                }
            }
        }
    }
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
        for to in lift.targets.squares() {
            let mut outer = lift.lifted.with_turn(Color::Black);
            outer.add(Color::White, lift.size, to);
            let lost = tables.lost_within(board, lift.size, &outer);
            if lost.is_none() && !uncovers {
                continue;
            }
            let legal = and(&board.landing(lift.size, inner, to), &open);
            let mut good = lost.map_or([0; N], |lost| minus(&legal, &lost));
            if uncovers {
                good = minus(&good, &uncovered);
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
pub(super) fn readers<const N: usize>(board: &Board<'_, N>, inner: Size, mut visit: impl FnMut(usize)) {
    for lift in board.lifts(inner) {
        for from in lift.targets.squares() {
            let mut outer = lift.lifted;
            outer.add(Color::White, lift.size, from);
            let row = board.plan.row_after(board.seat, lift.size, &outer);
            board.plan.images(row, |row, _| visit(row));
        }
    }
}

/// As [`readers`], for pieces put from hand: visits tiers and rows.
pub(super) fn place_readers<const N: usize>(
    tables: &Tables,
    board: &Board<'_, N>,
    mut visit: impl FnMut(usize, usize),
) {
    for size in Size::ALL.into_iter().take_while(|&size| size <= tables.layout.inner()) {
        let Some(tier) = board.plan.before.white[size] else { continue };
        let plan = tables.layout.tier(tier);
        for to in board.outer.visible_of(Color::White, size).squares() {
            let before = board.without(Color::White, size, to);
            plan.images(plan.row_after(board.seat, size, &before.outer), |row, _| visit(tier, row));
        }
    }
}
