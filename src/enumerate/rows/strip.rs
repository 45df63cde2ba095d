//! Going over the rows of a tier: what neighbours share is found once for all of them.
//!
//! Rows that stand side by side differ only in the smallest outer pieces: they make a *strip*. They share the layer of A, and
//! so do the rows that one of them becomes by the transfer of an A and by the symmetry that follows. In `A3B3-A3B3C2` the
//! longest strip has 160,160 rows.

use std::cell::OnceCell;
use std::ops::Range;

use crate::enumerate::rows::board::Board;
use crate::enumerate::rows::kernel::Kernel;
use crate::enumerate::rows::layout::TierLayout;
use crate::prelude::*;
use crate::rules::{Bitboard, ByColor, BySize, Color, Game, Position, Size, Square};
use crate::symmetry::Symmetry;

/// A walk over rows of a tier. It is fast while rows are visited in their order.
pub(crate) struct Walk<'a, const N: usize> {
    game: &'a Game,
    kernel: &'a Kernel<N>,
    tier: usize,
    plan: &'a TierLayout,
    turn: Color,
    strip: Strip,
}

/// The images of a placement if there is none.
const NO_IMAGES: &[u32; Symmetry::COUNT] = &[0; Symmetry::COUNT];

impl<'a, const N: usize> Walk<'a, N> {
    /// A walk over rows of the tier that has a place and a layout.
    pub(crate) fn new(
        game: &'a Game,
        kernel: &'a Kernel<N>,
        tier: usize,
        plan: &'a TierLayout,
        turn: Color,
    ) -> Self {
        Walk { game, kernel, tier, plan, turn, strip: Strip::nowhere() }
    }

    /// The outer placement of a row.
    pub(crate) fn board(&mut self, row: usize) -> Board<'_, N> {
        self.enter(row);
        self.here(row)
    }

    /// Visits things by their rows, which ascend: those of a strip together, with their outer placements.
    pub(crate) fn together<T>(
        &mut self,
        things: &[T],
        row: impl Fn(&T) -> usize,
        mut visit: impl FnMut(&[Board<'_, N>], &[T]),
    ) {
        let len = Strip::len(self.plan);
        for alike in things.chunk_by(|one, next| row(one) / len == row(next) / len) {
            self.enter(row(&alike[0]));
            let boards: Vec<_> = alike.iter().map(|thing| self.here(row(thing))).collect();
            visit(&boards, alike);
        }
    }

    /// Goes to the strip of a row.
    fn enter(&mut self, row: usize) {
        if !self.strip.rows.contains(&row) {
            self.strip = Strip::of(self.plan, row, self.turn);
        }
    }

    /// The outer placement of a row of this strip.
    fn here(&self, row: usize) -> Board<'_, N> {
        let Walk { game, kernel, tier, plan, strip, .. } = self;
        let (outer, images) = match plan.below.last() {
            None => (strip.larger, NO_IMAGES),
            Some((size, placements)) => {
                let number = row - strip.rows.start;
                let (white, black) = placements.squares(number);
                let lane = 16 * *size as u32;
                let side = |color, set: Bitboard| strip.larger.side(color) | u64::from(set.0) << lane;
                let sides = [side(Color::White, white), side(Color::Black, black)];
                (Position::from_sides(sides, self.turn), placements.images(number))
            }
        };
        let occupied = outer.occupied();
        Board { game, kernel, tier: *tier, plan, row, outer, occupied, strip, images }
    }
}

/// Rows that differ only in the smallest outer pieces below A.
pub(crate) struct Strip {
    /// The rows.
    rows: Range<usize>,
    /// Their layer of A.
    place: usize,
    /// Whether no symmetry but the identity keeps that layer.
    alone: bool,
    /// The outer pieces that they share.
    larger: Position,
    /// The number of those of them below A, and how many numbers the others have.
    number: usize,
    /// For each symmetry what the shared pieces below A add to the number of an image. It is needed where there are some.
    turned: OnceCell<[usize; Symmetry::COUNT]>,
    /// For each square without an A the place of the layer where one more A of the side to move stands there, and the
    /// symmetry that brings the layer there.
    placed: OnceCell<Vec<(Square, usize, Symmetry)>>,
}

impl Strip {
    /// No rows.
    fn nowhere() -> Strip {
        Strip {
            rows: 0..0,
            place: 0,
            alone: true,
            larger: Position::empty(Color::White),
            number: 0,
            turned: OnceCell::new(),
            placed: OnceCell::new(),
        }
    }

    /// The number of rows of each strip of a tier.
    fn len(plan: &TierLayout) -> usize {
        plan.below.last().map_or(1, |(_, placements)| placements.len())
    }

    /// The strip of a row.
    fn of(plan: &TierLayout, row: usize, turn: Color) -> Strip {
        let len = Strip::len(plan);
        let first = row - row % len;
        let (place, number) = (row / plan.middle, row % plan.middle / len);
        let root = &plan.layers.roots()[place];
        let alone = root.stabiliser.len() == 1;
        let mut pieces: ByColor<BySize<Bitboard>> = ByColor::from_fn(|color| {
            let mut pieces = BySize::default();
            pieces[Size::A] = root.layer.pieces(color, Size::A);
            pieces
        });
        let mut rest = number;
        for (size, placements) in plan.below.iter().rev().skip(1) {
            (pieces.white[*size], pieces.black[*size]) = placements.squares(rest % placements.len());
            rest /= placements.len();
        }
        let larger = Position::from_pieces(pieces, turn);
        Strip { rows: first..first + len, place, alone, larger, number, ..Strip::nowhere() }
    }

    /// The layer of A.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    /// Whether the orbits of the outer placements have one row each, see [`TierLayout::images`].
    pub(crate) fn alone(&self) -> bool {
        self.alone
    }

    /// The first row.
    pub(crate) fn first(&self) -> usize {
        self.rows.start
    }

    /// What the shared pieces below A add to the number of an image.
    pub(crate) fn turned(&self, plan: &TierLayout, symmetry: Symmetry) -> usize {
        if plan.below.len() < 2 {
            return 0;
        }
        let all = self.turned.get_or_init(|| {
            std::array::from_fn(|symmetry| {
                let symmetry = Symmetry::from_index(symmetry as u8);
                let (mut rest, mut scale, mut turned) = (self.number, self.rows.len(), 0);
                for (_, placements) in plan.below.iter().rev().skip(1) {
                    turned += scale * placements.image(rest % placements.len(), symmetry);
                    scale *= placements.len();
                    rest /= placements.len();
                }
                turned
            })
        });
        all[symmetry.index()]
    }

    /// The squares without an A, each with the place of the layer in another tier where one more A of the side to move stands
    /// there, and the symmetry that brings the layer there.
    pub(crate) fn placed(&self, next: &TierLayout) -> &[(Square, usize, Symmetry)] {
        self.placed.get_or_init(|| {
            let place = |to| {
                let mut after = self.larger;
                after.add(after.turn(), Size::A, to);
                let (place, symmetry) = next.way(&after);
                (to, place, symmetry)
            };
            (!self.larger.barred(Size::A)).squares().map(place).collect()
        })
    }
}
