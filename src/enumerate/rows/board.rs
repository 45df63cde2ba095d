//! What both passes use of a row: its outer placement, and the moves on it.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::enumerate::fold::Transfer;
use crate::enumerate::rows::kernel::{Kernel, Row, and, or_into};
use crate::enumerate::rows::layout::TierLayout;
use crate::enumerate::rows::strip::Strip;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, Position, Reading, Size, Square};
use crate::symmetry::Symmetry;

/// An outer placement with the side to move, read for a pass. A [`Walk`](crate::enumerate::rows::strip::Walk) makes it.
#[derive(Clone, Copy)]
pub(crate) struct Board<'a, const N: usize> {
    pub game: &'a Game,
    pub kernel: &'a Kernel<N>,
    /// The index of the row's tier.
    pub tier: usize,
    /// The tier's layout.
    pub plan: &'a TierLayout,
    /// The row's number in its tier.
    pub row: usize,
    pub outer: Position,
    /// The squares of all outer pieces.
    pub occupied: Bitboard,
    /// The squares of the outer pieces that are not smaller than the inner ones: no inner piece can land or show there.
    /// For example, a white piece of the inner size is outer and closes its square to inner pieces.
    pub closed: Bitboard,
    /// What the row shares with its neighbours.
    pub(super) strip: &'a Strip,
    /// For each symmetry the number of the image of the smallest outer pieces.
    pub(super) images: &'a [u32; Symmetry::COUNT],
}

impl<const N: usize> Board<'_, N> {
    /// The board before the side to move put this piece on this square from hand. `row` stays as it is.
    pub(crate) fn without(&self, color: Color, size: Size, square: Square) -> Self {
        let mut outer = self.outer;
        outer.remove(color, size, square);
        Board { outer, occupied: outer.occupied(), closed: outer.barred(self.plan.inner), ..*self }
    }

    /// The placements in which a black line stands.
    pub(crate) fn black_lines(&self) -> Row<N> {
        black_lines(self.kernel, &self.outer)
    }

    /// The placements of inner pieces that the outer pieces leave room for (R3).
    pub(crate) fn possible(&self) -> Row<N> {
        self.kernel.apart_from(self.outer.pieces(Color::White, self.plan.inner))
    }

    /// The outer pieces that the side to move can lift; [`Board::transfer`] says where an inner piece bars them.
    pub(crate) fn lifts(&self) -> impl Iterator<Item = Lift> {
        self.lifts_of(Size::A..=Size::D)
    }

    /// As [`Board::lifts`], without A.
    pub(crate) fn lifts_below_a(&self) -> impl Iterator<Item = Lift> {
        self.lifts_of(Size::B..=Size::D)
    }

    /// The outer pieces of these sizes that the side to move can lift.
    fn lifts_of(&self, sizes: RangeInclusive<Size>) -> impl Iterator<Item = Lift> {
        let of_size = move |size| self.visible(size).map(move |from| self.lift(size, from));
        Size::ALL.into_iter().filter(move |size| sizes.contains(size)).flat_map(of_size)
    }

    /// The squares of the pieces of a size that the side to move can lift.
    fn visible(&self, size: Size) -> impl Iterator<Item = Square> {
        self.outer.visible_of(self.outer.turn(), size).squares()
    }

    /// Lifts the outer piece of a size from a square.
    pub(crate) fn lift(&self, size: Size, from: Square) -> Lift {
        let mut lifted = self.outer;
        lifted.remove(lifted.turn(), size, from);
        Lift { lifted, size, from, targets: !self.outer.barred(size) }
    }

    /// The rows that this one becomes when a lifted piece below A lands in turn on each of its targets.
    #[inline(always)]
    pub(crate) fn landings(&self, lift: &Lift) -> impl Iterator<Item = (Square, Landing)> {
        let &Lift { lifted, size, targets, .. } = lift;
        debug_assert!(size > Size::A, "a transfer of A changes the layer");
        let mover = self.outer.turn();
        targets.squares().map(move |to| {
            let mut outer = lifted;
            outer.add(mover, size, to);
            let row = match self.plan.below.last() {
                Some((last, placements)) if *last == size => {
                    let pieces = |color| outer.pieces(color, size);
                    self.strip.first() + placements.number(pieces(Color::White), pieces(Color::Black))
                }
                _ => self.plan.row_on(self.strip.place(), &outer),
            };
            (to, Landing { row, symmetry: Symmetry::IDENTITY, alone: self.strip.alone() })
        })
    }

    /// The transfers of A of the side to move: each square that an A comes from, with the ways from there. All rows of
    /// a strip share them.
    pub(crate) fn ways_of_a(&self) -> impl Iterator<Item = (Square, impl Iterator<Item = Way>)> {
        let mover = self.outer.turn();
        let targets = (!self.outer.barred(Size::A)).count().max(1) as usize;
        let transfers = self.plan.layers.transfers(self.strip.place(), mover).chunks(targets);
        self.visible(Size::A).zip(transfers).map(|(from, transfers)| {
            let way = |&Transfer { to, root, symmetry }: &Transfer| {
                self.way(self.plan, to, usize::from(root), symmetry)
            };
            (from, transfers.iter().map(way))
        })
    }

    /// The row that this one becomes by a transfer of A.
    #[inline(always)]
    pub(crate) fn landing_of_a(&self, way: &Way) -> Landing {
        let &Way { base, symmetry, alone, .. } = way;
        Landing { row: base + self.images[symmetry.index()] as usize, symmetry, alone }
    }

    /// The row itself, where a transfer of an inner piece leads.
    pub(crate) fn stays(&self) -> Landing {
        Landing { row: self.row, symmetry: Symmetry::IDENTITY, alone: self.strip.alone() }
    }

    /// The ways of an A from hand to the squares without an A, for the side to move. `next` is the layout of the tier
    /// that they lead to. All rows of a strip share them.
    pub(crate) fn ways_of_a_from_hand(&self, next: &TierLayout) -> impl Iterator<Item = Way> {
        self.strip.placed(next).iter().map(|&(to, place, symmetry)| self.way(next, to, place, symmetry))
    }

    /// The way to the layer of A with the number `place`, in the tier with the layout `plan`.
    fn way(&self, plan: &TierLayout, to: Square, place: usize, symmetry: Symmetry) -> Way {
        let base = place * plan.middle + self.strip.turned(self.plan, symmetry);
        Way { to, base, symmetry, alone: plan.layers.roots()[place].stabiliser.len() == 1 }
    }

    /// The row of the next tier that this one becomes when a piece below A of the side to move comes from hand to a square.
    pub(crate) fn placed(&self, next: &TierLayout, size: Size, to: Square) -> (usize, Symmetry) {
        let mut outer = self.outer;
        outer.add(outer.turn(), size, to);
        (next.row_on(self.strip.place(), &outer), Symmetry::IDENTITY)
    }

    /// The row of `outer` in the tier with the layout `plan`, and the symmetry that takes the inner pieces there.
    /// `outer` is this board's outer placement without a piece of `size`.
    pub(crate) fn row_after(&self, plan: &TierLayout, size: Size, outer: &Position) -> (usize, Symmetry) {
        if size > Size::A {
            return (plan.row_on(self.strip.place(), outer), Symmetry::IDENTITY);
        }
        let (place, symmetry) = plan.way(outer);
        (
            place * plan.middle
                + self.strip.turned(self.plan, symmetry)
                + self.images[symmetry.index()] as usize,
            symmetry,
        )
    }

    /// The placements in which an outer piece of a size can go from one square to another that no outer piece bars. It
    /// covers a smaller inner piece. An inner piece of the same size bars the target. A larger one bars both squares.
    pub(crate) fn transfer(&self, size: Size, from: Square, to: Square) -> Row<N> {
        match size.cmp(&self.plan.inner) {
            Ordering::Less => self.kernel.full(),
            Ordering::Equal => *self.kernel.lacking(to),
            Ordering::Greater => and(self.kernel.lacking(from), self.kernel.lacking(to)),
        }
    }

    /// The squares where the side to move may be able to put an outer piece from hand, as the placement allows (R4).
    /// For all other squares [`Board::entry`] is empty.
    pub(crate) fn entries(&self, size: Size) -> Bitboard {
        let shown = self.outer.visible(!self.outer.turn());
        let covered = match self.outer.turn() {
            Color::Black => self.covered_by_black(),
            Color::White if self.covers() => shown,
            Color::White => Bitboard::EMPTY,
        };
        !self.occupied | (covered - self.outer.barred(size))
    }

    /// The squares of white pieces that Black may cover with any larger piece from hand, in every placement (R4).
    pub(crate) fn covered_by_black(&self) -> Bitboard {
        let white = self.outer.visible(Color::White);
        if self.covers() { white & white.lines_of_three() } else { Bitboard::EMPTY }
    }

    /// Whether the reading lets the side to move cover with a piece from hand.
    fn covers(&self) -> bool {
        match self.game.reading {
            Reading::NoEntryCover => false,
            Reading::Robust => self.outer.turn() == Color::Black,
            Reading::Official | Reading::Thesis | Reading::StrictLift => true,
        }
    }

    /// The placements in which the side to move can put an outer piece from hand on a square (R4).
    pub(crate) fn entry(&self, size: Size, to: Square) -> Row<N> {
        let (mut entry, inner) = ([0; N], self.plan.inner);
        if !self.occupied.contains(to) {
            entry = *self.kernel.lacking(to);
        }
        if !self.covers() || self.outer.barred(size).contains(to) {
            return entry;
        }
        match self.outer.turn() {
            Color::Black => {
                if self.covered_by_black().contains(to) {
                    entry = self.kernel.full();
                }
            }
            Color::White => {
                let black = self.outer.visible(Color::Black);
                if black.contains(to) || (!self.occupied.contains(to) && size < inner) {
                    let mut three = self.kernel.threes_with(to, black, self.closed);
                    if size == inner {
                        three = and(&three, self.kernel.lacking(to));
                    }
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
    /// Where it came from.
    pub from: Square,
    /// The squares where no outer piece bars it, which never include `from`.
    pub targets: Bitboard,
}

/// A transfer of A from the rows of a strip to those of another.
pub(crate) struct Way {
    /// Where the A lands.
    pub to: Square,
    /// The row's number without the part that the smallest outer pieces add.
    base: usize,
    /// The symmetry that takes the inner pieces there.
    symmetry: Symmetry,
    /// Whether each orbit of an outer placement there has one row only.
    alone: bool,
}

impl Way {
    /// The symmetry that takes the inner pieces to where the way leads.
    pub(crate) fn symmetry(&self) -> Symmetry {
        self.symmetry
    }
}

impl Lift {
    /// Whether lifting it uncovers an outer piece of a colour.
    pub(crate) fn uncovers(&self, color: Color) -> bool {
        self.lifted.visible(color).contains(self.from)
    }
}

/// Where a transfer leads.
pub(crate) struct Landing {
    /// The row.
    pub row: usize,
    /// The symmetry that takes the inner pieces there.
    pub symmetry: Symmetry,
    /// Whether that row is the only one of its outer placement's orbit, see [`TierLayout::images`].
    pub alone: bool,
}

impl Landing {
    /// The row and the symmetry.
    pub(crate) fn place(&self) -> (usize, Symmetry) {
        (self.row, self.symmetry)
    }
}

/// The placements of inner pieces in which a black line stands.
pub(crate) fn black_lines<const N: usize>(kernel: &Kernel<N>, outer: &Position) -> Row<N> {
    // What an inner piece covers is black, so it does not matter that smaller pieces close no square to inner ones.
    kernel.lines(outer.visible(Color::Black), outer.occupied())
}

/// Adds to `sum` the placements of `row` that are in `legal`.
pub(crate) fn add_where<const N: usize>(sum: &mut Row<N>, legal: &Row<N>, row: &Row<N>) {
    or_into(sum, &and(legal, row));
}
