//! Visiting the rows of a tier in order: what neighbouring rows share is computed once for all of them.
//!
//! Neighbouring rows that differ only in the smallest outer pieces make a *strip*. They share the layer of A. So one
//! transfer of an A takes all of them to rows that share a layer of A too, by the same symmetry. In `A3B3-A3B3C2` the
//! longest strip has 160,160 rows.

use std::cell::OnceCell;
use std::ops::Range;

use arrayvec::ArrayVec;

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

/// The most rows that are visited together.
pub(crate) const TOGETHER: usize = 64;

/// The images if there are no outer pieces below A.
const NO_IMAGES: &[u32; Symmetry::COUNT] = &[0; Symmetry::COUNT];

impl<'a, const N: usize> Walk<'a, N> {
    /// A walk over rows of the tier with the index `tier` and the layout `plan`.
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

    /// Visits `things` in order, at most [`TOGETHER`] of one strip at a time, with the outer placements of their rows.
    /// `row` returns the row of a thing; the rows must ascend.
    pub(crate) fn together<T>(
        &mut self,
        mut things: &[T],
        row: impl Fn(&T) -> usize,
        mut visit: impl FnMut(&[Board<'_, N>], &[T]),
    ) {
        while let Some(first) = things.first() {
            self.enter(row(first));
            let near = &things[..things.len().min(TOGETHER)];
            let alike = near.partition_point(|thing| row(thing) < self.strip.rows.end);
            let (alike, others) = things.split_at(alike);
            things = others;
            let boards: ArrayVec<_, TOGETHER> = alike.iter().map(|thing| self.here(row(thing))).collect();
            visit(&boards, alike);
        }
    }

    /// Makes the strip of a row the current one.
    fn enter(&mut self, row: usize) {
        if !self.strip.rows.contains(&row) {
            self.strip = Strip::of(self.plan, row, self.turn);
        }
    }

    /// The outer placement of a row of the current strip.
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
        let (occupied, closed) = (outer.occupied(), outer.barred(plan.inner));
        Board { game, kernel, tier: *tier, plan, row, outer, occupied, closed, strip, images }
    }
}

/// Rows that differ only in the smallest outer pieces below A.
pub(crate) struct Strip {
    /// The rows.
    rows: Range<usize>,
    /// The number of their layer of A.
    place: usize,
    /// Whether only the identity keeps that layer.
    alone: bool,
    /// The outer pieces that they share.
    larger: Position,
    /// The number of the placement of the shared pieces below A.
    number: usize,
    /// For each symmetry what the shared pieces below A, if there are any, add to the number of an image.
    turned: OnceCell<[usize; Symmetry::COUNT]>,
    /// For each square without an A the number of the layer with one more A of the side to move there, and the symmetry
    /// that makes this layer canonical.
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

    /// The strip of a row.
    fn of(plan: &TierLayout, row: usize, turn: Color) -> Strip {
        let len = plan.below.last().map_or(1, |(_, placements)| placements.len());
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

    /// The number of the layer of A.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    /// Whether each orbit of an outer placement of the strip has one row only, see [`TierLayout::images`].
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

    /// The squares without an A. With each come the number, in the tier with the layout `next`, of the layer with one
    /// more A of the side to move there, and the symmetry that makes this layer canonical.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::enumerate::rows::board::Landing;
    use crate::enumerate::rows::layout::Layout;
    use crate::rules::Reading;

    /// Calls a function with a walk over each tier of some variants, with each side to move.
    macro_rules! each_tier {
        ($check:ident) => {
            for variant in ["A2-A2B2", "A1B1-A2B1C1", "A2B2-A1B1C1"] {
                let game = Game { variant: variant.read().expect("a variant"), reading: Reading::Official };
                let layout = Layout::new(game.variant);
                for (tier, plan) in layout.all().iter().enumerate() {
                    for turn in Color::ALL {
                        let order = Arc::clone(layout.order(plan.k));
                        match plan.k {
                            0 | 1 => {
                                $check(Walk::<1>::new(&game, &Kernel::new(order), tier, plan, turn), &layout)
                            }
                            _ => {
                                $check(Walk::<2>::new(&game, &Kernel::new(order), tier, plan, turn), &layout)
                            }
                        }
                    }
                }
            }
        };
    }

    #[test]
    fn rows_are_visited_once_in_order_with_their_outer_placements() {
        fn check<const N: usize>(mut walk: Walk<'_, N>, _: &Layout) {
            let (plan, turn) = (walk.plan, walk.turn);
            for step in [1, 7] {
                let rows: Vec<usize> = (0..plan.rows).step_by(step).collect();
                let mut visited = Vec::new();
                walk.together(
                    &rows,
                    |&row| row,
                    |boards, alike| {
                        let layers = boards.iter().map(|board| board.outer.pieces(Color::White, Size::A));
                        assert_eq!(layers.collect::<BTreeSet<_>>().len(), 1, "a strip has one layer of A");
                        assert_eq!(boards.iter().map(|board| board.row).collect::<Vec<_>>(), alike);
                        visited.extend(boards.iter().map(|board| (board.row, board.outer, board.occupied)));
                    },
                );
                let expected = rows.iter().map(|&row| {
                    let outer = plan.outer(row, turn);
                    (row, outer, outer.occupied())
                });
                assert!(visited.into_iter().eq(expected), "{}", plan.tier);
            }
            for row in (0..plan.rows).rev().step_by(11) {
                assert_eq!(walk.board(row).outer, plan.outer(row, turn), "backwards");
            }
        }
        each_tier!(check);
    }

    #[test]
    fn moves_lead_to_the_rows_of_the_positions_that_come_about() {
        fn check<const N: usize>(mut walk: Walk<'_, N>, layout: &Layout) {
            let (plan, turn) = (walk.plan, walk.turn);
            let next = plan.after[turn][Size::A].map(|next| layout.tier(next));
            let check = |plan: &TierLayout, outer: Position, landing: &Landing| {
                assert_eq!((landing.row, landing.symmetry), plan.row(&outer), "{outer}");
                assert_eq!(landing.alone, plan.stabiliser(landing.row).len() == 1, "{outer}");
            };
            for row in (0..plan.rows).step_by(5) {
                let board = walk.board(row);
                let mut moves = BTreeSet::new();
                for (from, ways) in board.ways_of_a() {
                    for way in ways {
                        let mut outer = board.outer;
                        outer.remove(turn, Size::A, from);
                        outer.add(turn, Size::A, way.to);
                        check(plan, outer, &board.landing_of_a(&way));
                        moves.insert((Size::A, from, way.to));
                    }
                }
                for lift in board.lifts_below_a() {
                    for (to, landing) in board.landings(&lift) {
                        let mut outer = lift.lifted;
                        outer.add(turn, lift.size, to);
                        check(plan, outer, &landing);
                        moves.insert((lift.size, lift.from, to));
                    }
                }
                let targets = |size| (!board.outer.barred(size)).squares();
                let expected = Size::ALL.into_iter().flat_map(|size| {
                    let from = board.outer.visible_of(turn, size).squares();
                    from.flat_map(move |from| targets(size).map(move |to| (size, from, to)))
                });
                assert_eq!(moves, expected.collect(), "{}", board.outer);
                for way in next.into_iter().flat_map(|next| board.ways_of_a_from_hand(next)) {
                    let mut outer = board.outer;
                    outer.add(turn, Size::A, way.to);
                    check(next.expect("a tier"), outer, &board.landing_of_a(&way));
                }
            }
        }
        each_tier!(check);
    }
}
