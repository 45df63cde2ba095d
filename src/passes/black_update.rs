//! The black update (thesis, Algorithm 2), rows at a time: a position with Black to move is lost when some
//! black move is judged *Black wins* or goes on to a position that is lost with White to move.
//!
//! It has two parts. What a row owes to lines and to later tiers never changes while its tier is worked on,
//! and is found once, by [`opening`]. What it owes to lost positions of its own tier comes from those that
//! were added last, by [`follow`]: they are few.

use super::board::{Board, add_where};
use super::kernel::{Row, and, or_into};
use super::sweep::Tables;
use crate::rules::{Color, Mask, Position, Reading, Size, Square};

/// The placements of a row from which Black can complete a line, or put a piece from hand so that the
/// result is lost with White to move.
pub(super) fn opening<const N: usize>(tables: &Tables, board: &Board<'_, N>) -> Row<N> {
    let inner = tables.layout.inner();
    if board.outer.has_line(Color::White) {
        return [0; N];
    }
    let mut lost = board.kernel.transfers_to_lines(board.outer.visible(Color::Black), board.closed);
    for lift in board.lifts(inner) {
        let uncovers = lift.lifted.has_line(Color::White);
        for to in lift.targets.squares() {
            let mut outer = lift.lifted;
            outer.add(Color::Black, lift.size, to);
            if !uncovers || line_counts(board.game.reading, &outer) {
                or_into(&mut lost, &lines_through(board, to, &outer));
            }
        }
    }
    outer_places(tables, board, &mut lost);
    tables.inner_places(board, &mut lost);
    and(&lost, &board.possible(inner))
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
        for to in Mask::ALL.squares() {
            let legal = board.entry(size, inner, to);
            if legal != [0; N] {
                let mut outer = board.outer.with_turn(Color::White);
                outer.add(Color::Black, size, to);
                add_where(lost, &legal, &tables.lost_after(board, next, size, &outer));
            }
        }
    }
}

/// Adds the positions from which a transfer by Black leads to `new` placements of the board's row, which
/// are lost with White to move and hold no line. `grown` gets the rows that grew.
pub(super) fn follow<const N: usize>(
    tables: &Tables,
    board: &Board<'_, N>,
    new: &Row<N>,
    mut grown: impl FnMut(usize),
) {
    let mut add = |size: Size, outer: &Position, row: &Row<N>| {
        board.plan.images(board.plan.row_after(board.seat, size, outer), |index, symmetries| {
            let image = symmetries.iter().fold(*row, |row, &symmetry| board.kernel.image(&row, symmetry));
            if tables.lost.add(board.tier, Color::Black, index, &image) {
                grown(index);
            }
        });
    };
    // A transfer can be taken back by a transfer, and both lift the piece to the same effect.
    for lift in board.lifts(tables.layout.inner()) {
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
    let moved = board.kernel.transfers(new, board.occupied, board.closed);
    let inner = tables.layout.inner();
    add(inner, &board.outer, &and(&moved, &board.possible(inner)));
}
