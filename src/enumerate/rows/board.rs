//! What both passes need to know of a row: its outer placement, and the moves of the game on it.

use crate::enumerate::rows::kernel::{Kernel, Row, and, or_into};
use crate::enumerate::rows::layout::{Seat, TierLayout};
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, Position, Reading, Size, Square};

/// An outer placement with the side to move, read for a pass.
pub(crate) struct Board<'a, const N: usize> {
    pub game: &'a Game,
    pub kernel: &'a Kernel<N>,
    /// The place of the row's tier.
    pub tier: usize,
    /// The tier's layout.
    pub plan: &'a TierLayout,
    /// The row in its tier.
    pub row: usize,
    /// The same in two parts.
    pub seat: Seat,
    pub outer: Position,
    /// The squares of all outer pieces: no inner piece can land there.
    pub occupied: Bitboard,
    /// The squares where an inner piece does not show: under a larger piece, or where a white piece of its
    /// size bars it.
    pub closed: Bitboard,
}

impl<'a, const N: usize> Board<'a, N> {
    /// The outer placement of a row.
    pub(crate) fn new(
        game: &'a Game,
        kernel: &'a Kernel<N>,
        tier: usize,
        plan: &'a TierLayout,
        row: usize,
        turn: Color,
    ) -> Self {
        let outer = plan.outer(row, turn);
        // A white piece of the inner size is outer: its square is closed to inner pieces like any other.
        let occupied = outer.occupied();
        Board { game, kernel, tier, plan, row, seat: plan.seat(row), outer, occupied, closed: occupied }
    }

    /// The same row before a piece of its side to move came to a square: what that side could have placed.
    pub(crate) fn without(&self, color: Color, size: Size, square: Square) -> Self {
        let mut outer = self.outer;
        outer.remove(color, size, square);
        let occupied = outer.occupied();
        Board { outer, occupied, closed: occupied, ..*self }
    }

    /// The placements over which a black line stands.
    pub(crate) fn black_lines(&self) -> Row<N> {
        black_lines(self.kernel, &self.outer)
    }

    /// The placements of inner pieces that the outer ones leave room for (R3).
    pub(crate) fn possible(&self, inner: Size) -> Row<N> {
        self.kernel.apart_from(self.outer.pieces(Color::White, inner))
    }

    /// The transfers of outer pieces of the side to move: the position with the piece lifted, its size,
    /// and where it can land. Whether an inner piece is in the way is for [`Board::landing`].
    pub(crate) fn lifts(&self, inner: Size) -> impl Iterator<Item = Lift> + use<'_, N> {
        let mover = self.outer.turn();
        Size::ALL.into_iter().take_while(move |&size| size <= inner).flat_map(move |size| {
            let targets = !self.outer.barred(size);
            self.outer.visible_of(mover, size).squares().map(move |from| {
                let mut lifted = self.outer;
                lifted.remove(mover, size, from);
                Lift { lifted, size, targets }
            })
        })
    }

    /// The placements over which an outer piece of a size can land on a square that no outer piece bars: an
    /// inner piece of the same size does, a smaller one is covered.
    pub(crate) fn landing(&self, size: Size, inner: Size, to: Square) -> Row<N> {
        if size == inner { *self.kernel.lacking(to) } else { self.kernel.full() }
    }

    /// The placements over which the side to move can put an outer piece from hand on a square (R4).
    pub(crate) fn entry(&self, size: Size, inner: Size, to: Square) -> Row<N> {
        let mut entry = [0; N];
        if !self.occupied.contains(to) {
            entry = *self.kernel.lacking(to);
        }
        let mover = self.outer.turn();
        let covers = match self.game.reading {
            Reading::NoEntryCover => false,
            Reading::Robust => mover == Color::Black,
            Reading::Official | Reading::Thesis | Reading::StrictLift => true,
        };
        if !covers || self.outer.barred(size).contains(to) {
            return entry;
        }
        match mover {
            Color::Black => {
                let white = self.outer.visible(Color::White);
                if (white & white.lines_of_three()).contains(to) {
                    entry = self.kernel.full();
                }
            }
            Color::White => {
                let black = self.outer.visible(Color::Black);
                if black.contains(to) || (!self.occupied.contains(to) && size < inner) {
                    let three = self.kernel.threes_with(to, black, self.closed);
                    or_into(&mut entry, &three);
                }
            }
        }
        entry
    }
}

/// An outer piece in the air.
pub(crate) struct Lift {
    /// The outer placement without it.
    pub lifted: Position,
    /// Its size.
    pub size: Size,
    /// The squares where no outer piece bars it; never the one that it came from, unless inner.
    pub targets: Bitboard,
}

/// The placements of inner pieces over which a black line stands.
pub(crate) fn black_lines<const N: usize>(kernel: &Kernel<N>, outer: &Position) -> Row<N> {
    kernel.lines(outer.visible(Color::Black), outer.occupied())
}

/// `row` where `legal`, added to `sum`.
pub(crate) fn add_where<const N: usize>(sum: &mut Row<N>, legal: &Row<N>, row: &Row<N>) {
    or_into(sum, &and(legal, row));
}
