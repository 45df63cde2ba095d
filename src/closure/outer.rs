//! Placements of the outer pieces, each with its row. The row is found once and serves all placements of the inner pieces
//! over it.

use crate::closure::question::Placed;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::enumerate::rows::order::Order;
use crate::enumerate::{Ranking, Tier};
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Position, Size};
use crate::symmetry::Symmetry;

/// An outer placement of a tier.
pub(crate) struct Outer<'a> {
    layout: &'a Layout,
    tier: usize,
    plan: &'a TierLayout,
    order: &'a Order,
    /// Without the inner pieces.
    placement: Position,
    /// The row, and the symmetry under which the inner pieces are found there.
    row: (usize, Symmetry),
}

impl<'a> Outer<'a> {
    /// The outer pieces of a position.
    pub(crate) fn new(layout: &'a Layout, tier: usize, position: &Position) -> Outer<'a> {
        let plan = layout.tier(tier);
        let placement = position.with_black(layout.inner(), Bitboard::EMPTY);
        let row = plan.row(&placement);
        Outer { layout, tier, plan, order: layout.order(plan.k), placement, row }
    }

    /// The place of the tier.
    pub(crate) fn tier(&self) -> usize {
        self.tier
    }

    /// The position with the inner pieces on these squares.
    pub(crate) fn placed(&self, inner: Bitboard) -> Placed {
        (self.tier, self.placement.with_black(self.layout.inner(), inner))
    }

    /// The squares that White's visible pieces stand on: the inner pieces cover none.
    pub(crate) fn white(&self) -> Bitboard {
        self.placement.visible(Color::White)
    }

    /// As [`Layout::bit`].
    #[inline]
    pub(crate) fn bit(&self, inner: Bitboard) -> Option<usize> {
        let (row, symmetry) = self.row;
        self.bit_in(row, symmetry.bitboard(inner))
    }

    /// Visits the places of the orbit's bits, some perhaps more than once. It visits none if the orbit is not stored.
    #[inline]
    pub(crate) fn bits(&self, inner: Bitboard, mut visit: impl FnMut(usize)) {
        self.plan.images(self.row, |row, symmetries| {
            let image = symmetries.iter().fold(inner, |mask, symmetry| symmetry.bitboard(mask));
            if let Some(bit) = self.bit_in(row, image) {
                visit(bit);
            }
        });
    }

    /// A key that orders the orbits of a tier whatever pieces are inner: the rank of the least image without Black's
    /// `smallest` pieces, then the place of those.
    pub(crate) fn rank(&self, inner: Bitboard, smallest: Size) -> (u128, usize) {
        let (_, position) = self.placed(inner);
        let pieces = position.pieces(Color::Black, smallest);
        let rest = position.with_black(smallest, Bitboard::EMPTY);
        let (ranking, order) = (Ranking::new(Tier::of(&rest)), self.layout.order(pieces.count() as u8));
        let mut least = (u128::MAX, usize::MAX);
        self.plan.images(self.row, |_, [first, second]| {
            let rest = second.position(&first.position(&rest));
            let place = order.place(second.bitboard(first.bitboard(pieces)));
            least = least.min((ranking.rank(&rest), place));
        });
        least
    }

    #[inline]
    fn bit_in(&self, row: usize, inner: Bitboard) -> Option<usize> {
        self.plan.bit(row, self.order.place(inner))
    }
}
