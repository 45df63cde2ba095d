//! The black update (thesis, Algorithm 2), a row at a time: a position with Black to move is lost when some
//! black move is judged *Black wins* or goes on to a position that is lost with White to move.

use super::board::{Board, add_where, black_lines};
use super::kernel::{Row, and, or_into};
use super::sweep::Tables;
use crate::enumerate::Tier;
use crate::rules::{Color, Mask, Position, Reading, Size};

/// The placements of a row that are lost with Black to move, given what is lost with White to move.
pub(super) fn lost_row<const N: usize>(tables: &Tables, board: &Board<'_, N>, tier: Tier) -> Row<N> {
    let inner = tables.layout.inner();
    let mut lost = board.black_lines();
    if !board.outer.has_line(Color::White) {
        outer_places(tables, board, tier, &mut lost);
        outer_transfers(tables, board, tier, &mut lost);
        let same = tables.lost_row(board.kernel, tier, &board.outer.with_turn(Color::White));
        or_into(&mut lost, &board.kernel.transfers(&same, board.occupied, board.closed));
        tables.inner_places(board, tier, &mut lost);
    }
    and(&lost, &board.possible(inner))
}

fn outer_places<const N: usize>(tables: &Tables, board: &Board<'_, N>, tier: Tier, lost: &mut Row<N>) {
    let inner = tables.layout.inner();
    for size in Size::ALL.into_iter().take_while(|&size| size < inner) {
        let Some(next) = tier.after_place(board.game.variant, Color::Black, size) else { continue };
        for to in Mask::ALL.squares() {
            let legal = board.entry(size, inner, to);
            if legal != [0; N] {
                let mut outer = board.outer.with_turn(Color::White);
                outer.add(Color::Black, size, to);
                add_where(lost, &legal, &tables.lost_row(board.kernel, next, &outer));
            }
        }
    }
}

fn outer_transfers<const N: usize>(tables: &Tables, board: &Board<'_, N>, tier: Tier, lost: &mut Row<N>) {
    let inner = tables.layout.inner();
    for lift in board.lifts(inner) {
        let uncovers = lift.lifted.has_line(Color::White);
        for to in lift.targets.squares() {
            let mut outer = lift.lifted.with_turn(Color::White);
            outer.add(Color::Black, lift.size, to);
            let reached = match board.game.reading {
                _ if !uncovers => tables.lost_row(board.kernel, tier, &outer),
                Reading::Official | Reading::NoEntryCover if outer.has_line(Color::White) => [0; N],
                Reading::Official | Reading::NoEntryCover | Reading::Robust => {
                    tables.lost_row(board.kernel, tier, &outer)
                }
                Reading::Thesis => black_lines(board.kernel, &outer),
                Reading::StrictLift => [0; N],
            };
            add_where(lost, &board.landing(lift.size, inner, to), &reached);
        }
    }
}

/// The rows of a tier whose black update can change when this row changes with White to move.
pub(super) fn readers<const N: usize>(board: &Board<'_, N>, inner: Size) -> Vec<Position> {
    let landed = |lift: super::board::Lift| {
        lift.targets.squares().map(move |to| {
            let mut outer = lift.lifted;
            outer.add(Color::Black, lift.size, to);
            outer
        })
    };
    board.lifts(inner).flat_map(landed).chain([board.outer]).collect()
}
