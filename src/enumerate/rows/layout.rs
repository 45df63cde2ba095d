//! Where the bit of a position lies in a bitbase.
//!
//! The *inner* pieces are Black's of one size below A, all others are *outer*. In `ab` Black's B are inner;
//! [`inner`](mod@crate::enumerate::rows::inner) chooses the size.
//! A row has one bit for each placement of the inner pieces over one outer placement. Rows are stored only for outer
//! placements whose layer of A is canonical. Any other outer placement is found by the symmetry that makes its layer of
//! A canonical.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use crate::enumerate::rows::allowed::Allowed;
use crate::enumerate::rows::columns::Columns;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::domain::{Domain, List};
use crate::enumerate::rows::inner::inner;
use crate::enumerate::rows::order::Order;
use crate::enumerate::rows::placements::Placements;
use crate::enumerate::{Layers, RootOrder, Tier, Tiers};
use crate::prelude::*;
use crate::rules::{Bitboard, ByColor, BySize, Color, Position, Size, Variant};
use crate::symmetry::Symmetry;

/// The layout of a variant, or of the part of it that a discipline allows.
pub(crate) struct Layout {
    tiers: Tiers,
    discipline: Discipline,
    orders: [Arc<Order>; 4],
    all: Arc<[TierLayout]>,
    is_whole: bool,
}

/// The layout of one tier.
pub(crate) struct TierLayout {
    /// The tier.
    pub tier: Tier,
    /// The size of the inner pieces.
    pub inner: Size,
    /// How many inner pieces are on the board.
    pub k: u8,
    /// The most placements that are stored of a row.
    places: usize,
    /// The bits that a row takes: a part of a word that it shares, or whole words.
    width: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of rows that are stored.
    pub stored: usize,
    /// What is stored, `None` for everything.
    domain: Option<Domain>,
    /// The index of the tier that a move from hand leads to, by side and size; `None` if there is no such move.
    pub after: ByColor<BySize<Option<usize>>>,
    /// The index of the tier that a move from hand came from, by side and size; `None` if there is no such tier.
    pub before: ByColor<BySize<Option<usize>>>,
    /// How many outer placements share a layer of A.
    pub(super) middle: usize,
    pub(super) layers: Arc<Layers>,
    columns: Arc<Columns>,
    /// The outer pieces below A, by size; sizes of which none is on the board are left out.
    pub(super) below: Vec<(Size, Arc<Placements>)>,
    /// The next size above the inner one: White's discipline counts how many white pieces of it stand off inner ones.
    pub(super) above: Size,
}

/// A row's number within its tier, in two parts.
#[derive(Clone, Copy, Debug)]
struct Seat {
    /// The number of the canonical layer of A.
    place: usize,
    /// The number of the placement of the other outer pieces.
    middle: usize,
}

/// Where the bits of a row lie in the words of its tier: in a part of one word, or in whole words.
pub(crate) struct RowBits {
    /// The words.
    pub words: Range<usize>,
    /// How far to shift a word to the right, so that the row's bits begin at bit 0.
    pub shift: u32,
    /// The bits of the shifted word that belong to the row.
    pub mask: u64,
}

/// The bits that a row of `places` placements takes. A row shorter than a word never crosses the end of a word.
pub(super) fn width(places: usize) -> usize {
    if places <= 32 { places.max(1).next_power_of_two() } else { places.next_multiple_of(64) }
}

impl Layout {
    pub(crate) fn new(variant: Variant) -> Layout {
        Layout::within(variant, Discipline::FREE)
    }

    /// The layout of the part of a variant that a discipline allows.
    pub(crate) fn within(variant: Variant, discipline: Discipline) -> Layout {
        let inner = inner(variant, &discipline);
        let tiers = Tiers::new(variant);
        let mut placements = HashMap::new();
        let mut placements = |(whites, blacks): (u8, u8)| {
            let new = || Arc::new(Placements::new(whites, blacks));
            Arc::clone(placements.entry((whites, blacks)).or_insert_with(new))
        };
        let orders: [_; 4] = std::array::from_fn(|k| Arc::new(Order::new(k as u8)));
        let above = inner.larger().unwrap_or(Size::A);
        let mut layers = HashMap::new();
        let mut all = Vec::with_capacity(tiers.as_slice().len());
        for &tier in tiers.as_slice() {
            let counts = Color::ALL.map(|color| tier.count(color, Size::A));
            let (layers, columns) = layers.entry(counts).or_insert_with(|| {
                let layers = Layers::new(tier, RootOrder::Orbits);
                let columns = Columns::of(&layers);
                (Arc::new(layers), Arc::new(columns))
            });
            let below: Vec<(Size, Arc<Placements>)> = [Size::B, Size::C, Size::D]
                .into_iter()
                .map(|size| (size, middle_counts(tier, size, inner)))
                .filter(|&(_, counts)| counts != (0, 0))
                .map(|(size, counts)| (size, placements(counts)))
                .collect();
            let middle = below.iter().map(|(_, placements)| placements.len()).product();
            let k = tier.count(Color::Black, inner);
            let before = |color| {
                let leads_here =
                    |size, earlier: &Tier| earlier.after_place(variant, color, size) == Some(tier);
                let before = |size| tiers.as_slice().iter().position(|earlier| leads_here(size, earlier));
                BySize(Size::ALL.map(before))
            };
            let rows = layers.roots().len() * middle;
            let mut plan = TierLayout {
                tier,
                inner,
                k,
                places: orders[usize::from(k)].sets().len(),
                width: width(orders[usize::from(k)].sets().len()),
                rows,
                stored: rows,
                domain: None,
                after: tiers.after_place(variant, tier),
                before: ByColor { white: before(Color::White), black: before(Color::Black) },
                middle,
                layers: Arc::clone(layers),
                columns: Arc::clone(columns),
                below,
                above,
            };
            if !discipline.is_free() {
                plan.keep_to(&discipline, &orders[usize::from(k)]);
            }
            all.push(plan);
        }
        let is_whole = all.iter().all(TierLayout::is_whole);
        Layout { tiers, discipline, orders, all: all.into(), is_whole }
    }

    /// The same layout with only some rows of each tier stored. `rows` returns a bit for each row of a tier, set if it
    /// is stored.
    ///
    /// # Panics
    /// If the layout is shared already, or has a discipline.
    pub(crate) fn with_rows(mut self, rows: impl Fn(&TierLayout) -> Vec<u64>) -> Layout {
        assert!(self.discipline.is_free(), "what a discipline leaves is not divided");
        for plan in Arc::get_mut(&mut self.all).expect("nobody else has it yet") {
            let domain = Domain::of_rows(rows(plan));
            plan.stored = domain.rows();
            plan.domain = Some(domain);
        }
        self.is_whole = false;
        self
    }

    /// The discipline that one side keeps to, if any.
    pub(crate) fn discipline(&self) -> &Discipline {
        &self.discipline
    }

    pub(crate) fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    /// The size of the inner pieces.
    pub(crate) fn inner(&self) -> Size {
        self.all[0].inner
    }

    /// The order of the placements of `k` inner pieces in a row.
    pub(crate) fn order(&self, k: u8) -> &Arc<Order> {
        &self.orders[usize::from(k)]
    }

    pub(crate) fn tier(&self, index: usize) -> &TierLayout {
        &self.all[index]
    }

    /// Whether everything is stored of each tier.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The layouts of all tiers, in the tiers' order.
    pub(crate) fn all(&self) -> &[TierLayout] {
        &self.all
    }

    /// The layouts of all tiers, shared.
    pub(crate) fn plans(&self) -> Arc<[TierLayout]> {
        Arc::clone(&self.all)
    }

    /// Where a position's bit lies in its tier's rows, `None` if it is not stored.
    pub(crate) fn bit(&self, tier: &TierLayout, position: &Position) -> Option<usize> {
        let inner = position.pieces(Color::Black, self.inner());
        let (row, symmetry) = tier.row(&position.with_black(self.inner(), Bitboard::EMPTY));
        tier.bit(row, self.order(tier.k).place(symmetry.bitboard(inner)))
    }
}

impl TierLayout {
    /// Leaves out the rows and placements that a discipline forbids.
    fn keep_to(&mut self, discipline: &Discipline, order: &Order) {
        let inner = self.inner;
        let whites = self.tier.count(Color::White, self.above);
        // Black has no pieces below the inner size, so from there on the limits say the same of all rows.
        let allows_bare = Size::ALL
            .into_iter()
            .filter(|size| *size >= inner)
            .all(|size| discipline.allows_bare(size, self.tier.count(Color::White, size)));
        let allowed = Allowed::new(self, discipline);
        let left = |rows| if allows_bare { allowed.rows(rows) } else { 0 };
        self.domain = Domain::new(discipline, inner, order, whites, self.rows, left);
        if let Some(domain) = &self.domain {
            self.stored = domain.rows();
            self.places = domain.places().unwrap_or(self.places);
            self.width = width(self.places);
        }
    }

    /// The sizes of which Black's pieces are outer.
    pub(crate) fn outer_sizes(&self) -> impl Iterator<Item = Size> {
        Size::ALL.into_iter().filter(|size| *size != self.inner)
    }

    /// The number of words of the tier's bitbase for one side to move; `usize::MAX` if that does not fit in a `usize`.
    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.bytes() / 8).unwrap_or(usize::MAX)
    }

    /// The number of words that a row takes; a part of a word counts as one.
    pub(crate) fn row_words(&self) -> usize {
        self.width.div_ceil(64)
    }

    /// The number of bytes of the tier's bitbase for one side to move, even if it is more than any memory holds.
    pub(crate) fn bytes(&self) -> u128 {
        8 * (self.width as u128 * self.stored as u128).div_ceil(64)
    }

    /// The number of a row among the stored ones, `None` if it is not stored.
    #[inline]
    pub(crate) fn slot(&self, row: usize) -> Option<usize> {
        match &self.domain {
            None => Some(row),
            Some(domain) => domain.slot(row),
        }
    }

    /// A mask of 64 rows: bit i is set if row `64 * word + i` is stored. Bits beyond the last row mean nothing.
    pub(crate) fn stored_word(&self, word: usize) -> u64 {
        self.domain.as_ref().map_or(u64::MAX, |domain| domain.word(word))
    }

    /// Whether everything is stored. Then the slot of a row is its number, and no placement is left out.
    pub(crate) fn is_whole(&self) -> bool {
        self.domain.is_none()
    }

    /// Whether all placements of each stored row are stored.
    #[inline]
    pub(crate) fn has_whole_rows(&self) -> bool {
        self.domain.as_ref().is_none_or(Domain::has_whole_rows)
    }

    /// The placements of a row that are stored; `None` if all are.
    pub(crate) fn list(&self, row: usize) -> Option<&List> {
        self.domain.as_ref()?.list(|| self.whites_above(row))
    }

    /// Where the bit of a placement in a row lies, `None` if it is not stored.
    pub(crate) fn bit(&self, row: usize, place: usize) -> Option<usize> {
        let slot = self.slot(row)?;
        let place = match self.list(row) {
            None => place,
            Some(list) => list.place(place)?,
        };
        Some(self.width * slot + place)
    }

    /// The number of a bit if the padding at the end of each row is not counted.
    pub(crate) fn number(&self, bit: usize) -> usize {
        bit / self.width * self.places + bit % self.width
    }

    /// Where the bits of a stored row lie.
    pub(crate) fn bits(&self, slot: usize) -> RowBits {
        let first = self.width * slot;
        let words = first / 64..(first + self.width).div_ceil(64);
        RowBits { words, shift: (first % 64) as u32, mask: u64::MAX >> (64 - self.width.min(64)) }
    }

    /// The rows that have bits in `words`, if everything is stored.
    pub(crate) fn rows_in(&self, words: &Range<usize>) -> Range<usize> {
        let end = (64 * words.end).div_ceil(self.width).min(self.rows);
        64 * words.start / self.width..end
    }

    /// The number of bits without the padding: `places` for each stored row. `usize::MAX` if that does not fit in a
    /// `usize`.
    pub(crate) fn numbers(&self) -> usize {
        self.stored.saturating_mul(self.places)
    }

    /// The squares of a row's white pieces of the size `above`.
    fn whites_above(&self, row: usize) -> Bitboard {
        let Seat { place, middle } = self.seat(row);
        if self.above == Size::A {
            return self.layers.roots()[place].layer.pieces(Color::White, Size::A);
        }
        let mut rest = middle;
        for (size, placements) in self.below.iter().rev() {
            if *size == self.above {
                return placements.squares(rest % placements.len()).0;
            }
            rest /= placements.len();
        }
        Bitboard::EMPTY
    }

    /// All rows, in the order of the ranks of their layers of A, cut into parts that consist of whole layers. A part
    /// has at most `about` positions, or a single layer that has more.
    pub(crate) fn rows_by_layers(&self, about: usize) -> Vec<Vec<Range<usize>>> {
        let mut roots: Vec<usize> = (0..self.layers.roots().len()).collect();
        roots.sort_unstable_by_key(|&root| self.layers.rank(root));
        let rows = |root: &usize| self.middle * root..self.middle * (root + 1);
        let together = (about / (self.middle * self.places).max(1)).max(1);
        roots.chunks(together).map(|roots| roots.iter().map(rows).collect()).collect()
    }

    /// The place of a row if rows followed each other by the ranks of their outer placements, layer by layer.
    pub(crate) fn rank(&self, row: usize) -> usize {
        let Seat { place, middle } = self.seat(row);
        let rank = |placements: &Placements, number| placements.rank(number) as usize;
        self.layers.rank(place) * self.middle + self.renumbered(middle, rank)
    }

    /// The orbits of some rows for the moves of one side, see [`Columns`].
    pub(crate) fn orbits_of(&self, mover: Color, rows: &[Range<usize>]) -> BTreeSet<usize> {
        let roots = rows.iter().flat_map(|rows| rows.start / self.middle..rows.end.div_ceil(self.middle));
        roots.map(|root| self.columns.orbit(mover, root)).collect()
    }

    /// The rows of each orbit for the moves of one side: each band for White, each column for Black.
    pub(crate) fn groups(&self, mover: Color) -> Vec<Vec<Range<usize>>> {
        self.columns.roots(mover).values().map(|roots| self.rows_on(roots)).collect()
    }

    /// The rows of one orbit for the moves of one side.
    pub(crate) fn group(&self, mover: Color, orbit: usize) -> Vec<Range<usize>> {
        self.columns.roots(mover).get(&orbit).map_or_else(Vec::new, |roots| self.rows_on(roots))
    }

    /// The rows on some roots.
    fn rows_on(&self, roots: &[Range<usize>]) -> Vec<Range<usize>> {
        roots.iter().map(|roots| self.middle * roots.start..self.middle * roots.end).collect()
    }

    /// The number of rows of the largest group, for the moves of either side.
    pub(crate) fn most_together(&self) -> usize {
        let groups = Color::ALL.into_iter().flat_map(|mover| self.groups(mover));
        groups.map(|rows| rows.iter().map(Range::len).sum()).max().unwrap_or_default()
    }

    /// The two parts of a row.
    fn seat(&self, row: usize) -> Seat {
        Seat { place: row / self.middle, middle: row % self.middle }
    }

    /// The outer placement of a row.
    pub(crate) fn outer(&self, row: usize, turn: Color) -> Position {
        let Seat { place, middle } = self.seat(row);
        let root = &self.layers.roots()[place].layer;
        let mut pieces: ByColor<BySize<Bitboard>> = ByColor::default();
        pieces.white[Size::A] = root.pieces(Color::White, Size::A);
        pieces.black[Size::A] = root.pieces(Color::Black, Size::A);
        let mut rest = middle;
        for (size, placements) in self.below.iter().rev() {
            let (white, black) = placements.squares(rest % placements.len());
            rest /= placements.len();
            pieces.white[*size] = white;
            pieces.black[*size] = black;
        }
        Position::from_pieces(pieces, turn)
    }

    /// The row of an outer placement, and the symmetry that takes its inner pieces to that row.
    pub(crate) fn row(&self, outer: &Position) -> (usize, Symmetry) {
        let (place, symmetry) = self.way(outer);
        (place * self.middle + self.middle(outer, |mask| symmetry.bitboard(mask)), symmetry)
    }

    /// The row of an outer placement whose layer of A is canonical and has the number `place`.
    pub(super) fn row_on(&self, place: usize, outer: &Position) -> usize {
        place * self.middle + self.middle(outer, |mask| mask)
    }

    /// Visits all rows of the orbit of a row's outer placement, each with the two symmetries, applied one after the
    /// other, that take the inner pieces there. If a symmetry besides the identity keeps the layer of A, an orbit can
    /// have several rows, and a pass must keep each of them up to date.
    pub(crate) fn images(
        &self,
        (row, symmetry): (usize, Symmetry),
        mut visit: impl FnMut(usize, [Symmetry; 2]),
    ) {
        visit(row, [symmetry, Symmetry::IDENTITY]);
        for &stabiliser in &self.stabiliser(row)[1..] {
            let Seat { place, middle } = self.seat(row);
            visit(place * self.middle + self.turned(middle, stabiliser), [symmetry, stabiliser]);
        }
    }

    /// The symmetries that keep a row's layer of A, the identity first. Most layers have no other.
    pub(crate) fn stabiliser(&self, row: usize) -> &[Symmetry] {
        &self.layers.roots()[row / self.middle].stabiliser
    }

    /// The canonical layer of A of an outer placement, and a symmetry that leads there.
    pub(super) fn way(&self, outer: &Position) -> (usize, Symmetry) {
        let (root, symmetry) = self.layers.seat(outer);
        (usize::from(root), symmetry)
    }

    /// The number of the placement of the outer pieces below A. `image` maps their squares as the layer of A is mapped to its
    /// canonical form.
    fn middle(&self, outer: &Position, image: impl Fn(Bitboard) -> Bitboard) -> usize {
        self.below.iter().fold(0, |number, (size, placements)| {
            let (white, black) = (outer.pieces(Color::White, *size), outer.pieces(Color::Black, *size));
            number * placements.len() + placements.number(image(white), image(black))
        })
    }

    /// The number of the image of a placement of the outer pieces below A under a symmetry.
    fn turned(&self, middle: usize, symmetry: Symmetry) -> usize {
        match self.below.as_slice() {
            [] => middle,
            [(_, placements)] => placements.image(middle, symmetry),
            _ => self.renumbered(middle, |placements, number| placements.image(number, symmetry)),
        }
    }

    /// Replaces the number of the placement of each size in `middle` by the one that `number` returns.
    fn renumbered(&self, middle: usize, number: impl Fn(&Placements, usize) -> usize) -> usize {
        let (mut rest, mut scale, mut renumbered) = (middle, 1, 0);
        for (_, placements) in self.below.iter().rev() {
            renumbered += scale * number(placements, rest % placements.len());
            scale *= placements.len();
            rest /= placements.len();
        }
        renumbered
    }
}

/// How many outer pieces of a size below A stand on the board: white, black.
fn middle_counts(tier: Tier, size: Size, inner: Size) -> (u8, u8) {
    let black = if size == inner { 0 } else { tier.count(Color::Black, size) };
    (tier.count(Color::White, size), black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Ranking;

    #[test]
    fn rows_and_outer_placements_are_inverse() {
        for name in ["ab", "A2B1-A2B2", "A2-A2B2C1", "A3-A1"] {
            let layout = Layout::new(name.read().expect("a variant"));
            for tier in layout.all() {
                for row in 0..tier.rows {
                    let outer = tier.outer(row, Color::White);
                    let (found, symmetry) = tier.row(&outer);
                    assert_eq!((found, symmetry.index()), (row, 0), "{name} {}", tier.tier);
                }
            }
        }
    }

    #[test]
    fn rows_have_ranks_like_their_outer_placements() {
        for name in ["A2B1-A2B2", "A2B1-A2B2C1", "A1B1C1-A1B1C1D1"] {
            for tier in Layout::new(name.read().expect("a variant")).all() {
                let mut rows: Vec<usize> = (0..tier.rows).collect();
                rows.sort_unstable_by_key(|&row| tier.rank(row));
                let outer = rows.into_iter().map(|row| tier.outer(row, Color::White));
                let ranks: Vec<u128> =
                    outer.map(|outer| Ranking::new(Tier::of(&outer)).rank(&outer)).collect();
                assert!(ranks.is_sorted_by(|one, next| one < next), "{name} {}", tier.tier);
            }
        }
    }

    #[test]
    fn the_rows_that_are_stored_are_those_that_a_discipline_leaves() {
        let mut met = [0; 2];
        for variant in ["A2-A2B2", "A1B1-A2B2C2", "A2B2-A1B1C1", "A1B1C1-A2B2C1", "A1B1C1-A1B1C1D1"] {
            let of_black = ["a=1", "a=1,b=0", "b=1,c=0", "a=1/2/1/0,b=1/0/1/0"];
            let of_white = ["A=1", "A=0/1/2/1,B=0", "C=0", "A@=1", "A=1,B@=0/1/1/1"];
            for discipline in of_black.into_iter().chain(of_white) {
                let discipline = discipline.parse().expect("a discipline");
                let layout = Layout::within(variant.read().expect("a variant"), discipline);
                for tier in layout.all() {
                    // A tier that has no allowed position has no rows.
                    let has_some = (0..tier.rows).any(|row| {
                        let outer = tier.outer(row, Color::White);
                        let with = |&set: &Bitboard| outer.with_black(layout.inner(), set);
                        let mut boards = layout.order(tier.k).sets().iter().map(with);
                        boards.any(|board| discipline.allows(&board))
                    });
                    for row in 0..tier.rows {
                        let outer = tier.outer(row, Color::White);
                        let allowed = has_some && discipline.allows_down_to(tier.above, &outer);
                        assert_eq!(tier.slot(row).is_some(), allowed, "{variant} {discipline} {row}");
                        met[usize::from(allowed)] += 1;
                    }
                }
            }
        }
        assert!(met.iter().all(|&met| met > 1000), "{met:?}");
    }

    #[test]
    fn bits_have_numbers_of_their_own() {
        for discipline in ["", "a=1", "c=0", "a=1,c=1", "B=1"] {
            let discipline = discipline.parse().expect("a discipline");
            let layout = Layout::within("A1B1-A2B2C2".read().expect("a variant"), discipline);
            for tier in layout.all() {
                let places = layout.order(tier.k).sets().len();
                let bits =
                    (0..tier.rows).flat_map(|row| (0..places).filter_map(move |place| tier.bit(row, place)));
                let mut numbers: Vec<usize> = bits.map(|bit| tier.number(bit)).collect();
                assert!(numbers.len() <= tier.numbers() && tier.numbers() <= 64 * tier.len());
                assert!(numbers.is_sorted_by(|one, next| one < next) && numbers.pop() < Some(tier.numbers()));
                // Where no list leaves out placements, every number is used.
                let full = (0..tier.rows).all(|row| tier.list(row).is_none());
                assert!(!full || numbers.len() + 1 == tier.numbers(), "{discipline:?} {}", tier.tier);
            }
        }
    }

    #[test]
    fn an_image_lies_in_the_same_row_or_one_that_symmetry_makes_equal() {
        let layout = Layout::new("A2B1-A2B2C1".read().expect("a variant"));
        for tier in layout.all() {
            for row in (0..tier.rows).step_by(61) {
                let outer = tier.outer(row, Color::Black);
                for symmetry in Symmetry::all() {
                    let image = symmetry.position(&outer);
                    let (found, way) = tier.row(&image);
                    assert_eq!(tier.outer(found, Color::Black), way.position(&image));
                }
            }
        }
    }
}
