//! Where a position's bit lies in the dense lost-sets.
//!
//! The *inner* pieces are Black's of the variant's smallest size; everything else is *outer*. A row holds
//! the placements of the inner pieces over one outer placement. Rows are kept for outer placements whose
//! layer of A is canonical; any other is reached by the symmetry that brings its layer of A there.

use super::kernel;
use crate::enumerate::{Root, Tier, Tiers, layer, roots};
use crate::rules::{ByColor, BySize, Color, Mask, Position, Size, Variant};
use crate::symmetry::Symmetry;

/// The canonical layers of A with given numbers of pieces, and the way there from every layer.
#[derive(Default)]
struct Layers {
    /// White and black squares of each canonical layer.
    canonical: Vec<(Mask, Mask)>,
    /// For each canonical layer the symmetries that keep it; none listed where only the identity does.
    stabiliser: Vec<Vec<Symmetry>>,
    /// For each layer, by rank: 32 · (place in `canonical`) + a symmetry that leads there.
    way: Vec<u32>,
}

/// The layout of a variant.
pub(super) struct Layout {
    tiers: Tiers,
    inner: Size,
    layers: [[Layers; 4]; 4],
    all: Vec<TierLayout>,
}

/// The layout of one tier.
#[derive(Clone, Copy, Debug)]
pub(super) struct TierLayout {
    /// The tier.
    pub tier: Tier,
    /// How many inner pieces are on the board.
    pub k: u8,
    /// How many words a row takes.
    pub words: usize,
    /// How many rows there are.
    pub rows: usize,
    /// How many outer placements share a layer of A.
    middle: usize,
}

impl Layout {
    pub(super) fn new(variant: Variant) -> Layout {
        let inner = Size::ALL
            .into_iter()
            .rev()
            .find(|&size| variant.black.count(size) + variant.white.count(size) > 0)
            .map_or(Size::B, |smallest| smallest.max(Size::B));
        let tiers = Tiers::new(variant);
        let layers: [[Layers; 4]; 4] = std::array::from_fn(|white| {
            std::array::from_fn(|black| {
                let holds = |tier: &&Tier| {
                    usize::from(tier.count(Color::White, Size::A)) == white
                        && usize::from(tier.count(Color::Black, Size::A)) == black
                };
                tiers.as_slice().iter().find(holds).map_or_else(Layers::default, |&tier| Layers::of(tier))
            })
        });
        let all = tiers
            .as_slice()
            .iter()
            .map(|&tier| {
                let middle = middle_lens(tier, inner).map(|len| len as usize).iter().product();
                let k = tier.count(Color::Black, inner);
                let rows = of(&layers, tier).canonical.len() * middle;
                TierLayout { tier, k, words: kernel::words(k), rows, middle }
            })
            .collect();
        Layout { tiers, inner, layers, all }
    }

    pub(super) fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    /// The size of the inner pieces.
    pub(super) fn inner(&self) -> Size {
        self.inner
    }

    pub(super) fn tier(&self, index: usize) -> &TierLayout {
        &self.all[index]
    }

    /// The layouts of all tiers, in the tiers' order.
    pub(super) fn all(&self) -> &[TierLayout] {
        &self.all
    }

    /// The outer placement of a row.
    pub(super) fn outer(&self, tier: &TierLayout, row: usize, turn: Color) -> Position {
        let (white, black) = of(&self.layers, tier.tier).canonical[row / tier.middle];
        let mut rest = (row % tier.middle) as u32;
        let mut pieces: ByColor<BySize<Mask>> = ByColor::default();
        pieces.white[Size::A] = white;
        pieces.black[Size::A] = black;
        let lens = middle_lens(tier.tier, self.inner);
        for size in [Size::D, Size::C, Size::B] {
            let len = lens[size as usize];
            let (whites, blacks) = middle_counts(tier.tier, size, self.inner);
            let (white, black) = layer::unrank(rest % len, whites, blacks);
            rest /= len;
            pieces.white[size] = white;
            pieces.black[size] = black;
        }
        Position::from_pieces_unchecked(pieces, turn)
    }

    /// The row of an outer placement, and the symmetry under which its inner pieces are found there.
    pub(super) fn row(&self, tier: &TierLayout, outer: &Position) -> (usize, Symmetry) {
        let (white, black) = (outer.pieces(Color::White, Size::A), outer.pieces(Color::Black, Size::A));
        let way = of(&self.layers, tier.tier).way[layer::rank(white, black) as usize];
        let symmetry = Symmetry::from_index((way % 32) as u8);
        (self.row_over(tier, (way / 32) as usize, outer, |mask| symmetry.mask(mask)), symmetry)
    }

    /// All rows that hold the orbit of an outer placement: where symmetries keep the layer of A, one orbit
    /// has several, and a pass must look at each of them.
    pub(super) fn rows(&self, tier: &TierLayout, outer: &Position, mut visit: impl FnMut(usize)) {
        self.images(tier, outer, |row, _| visit(row));
    }

    /// The symmetries that keep a row's layer of A; none listed where only the identity does.
    pub(super) fn stabiliser(&self, tier: &TierLayout, row: usize) -> &[Symmetry] {
        &of(&self.layers, tier.tier).stabiliser[row / tier.middle]
    }

    /// As [`Layout::rows`], with the symmetries that bring the inner pieces there, one after the other.
    pub(super) fn images(
        &self,
        tier: &TierLayout,
        outer: &Position,
        mut visit: impl FnMut(usize, [Symmetry; 2]),
    ) {
        let (row, symmetry) = self.row(tier, outer);
        visit(row, [symmetry, Symmetry::from_index(0)]);
        let place = row / tier.middle;
        for &stabiliser in self.stabiliser(tier, row) {
            let row = self.row_over(tier, place, outer, |mask| stabiliser.mask(symmetry.mask(mask)));
            visit(row, [symmetry, stabiliser]);
        }
    }

    /// Where a position's bit lies in its tier's rows.
    pub(super) fn bit(&self, tier: &TierLayout, position: &Position) -> usize {
        let inner = position.pieces(Color::Black, self.inner);
        let (row, symmetry) = self.row(tier, &position.with_black(self.inner, Mask::EMPTY));
        64 * tier.words * row + layer::rank_of_set(symmetry.mask(inner)) as usize
    }

    /// Where the bits of a position's orbit lie; one may be visited more than once.
    pub(super) fn bits(&self, tier: &TierLayout, position: &Position, mut visit: impl FnMut(usize)) {
        let inner = position.pieces(Color::Black, self.inner);
        let outer = position.with_black(self.inner, Mask::EMPTY);
        let (row, symmetry) = self.row(tier, &outer);
        visit(64 * tier.words * row + layer::rank_of_set(symmetry.mask(inner)) as usize);
        let place = row / tier.middle;
        for stabiliser in self.stabiliser(tier, row) {
            let image = |mask| stabiliser.mask(symmetry.mask(mask));
            let row = self.row_over(tier, place, &outer, image);
            visit(64 * tier.words * row + layer::rank_of_set(image(inner)) as usize);
        }
    }

    /// The row of an outer placement over a canonical layer of A, given how its other layers go there.
    fn row_over(
        &self,
        tier: &TierLayout,
        place: usize,
        outer: &Position,
        image: impl Fn(Mask) -> Mask,
    ) -> usize {
        let mut row = place;
        if tier.middle > 1 {
            let lens = middle_lens(tier.tier, self.inner);
            for size in [Size::B, Size::C, Size::D] {
                let len = lens[size as usize];
                if len > 1 {
                    let (white, black) = (outer.pieces(Color::White, size), outer.pieces(Color::Black, size));
                    row = row * len as usize + layer::rank(image(white), image(black)) as usize;
                }
            }
        }
        row
    }
}

impl Layers {
    fn of(tier: Tier) -> Layers {
        let (white, black) = (tier.count(Color::White, Size::A), tier.count(Color::Black, Size::A));
        let roots = roots(tier);
        let keeping =
            |root: &Root| if root.stabiliser.len() > 1 { root.stabiliser.clone() } else { Vec::new() };
        let stabiliser = roots.iter().map(keeping).collect();
        let canonical: Vec<(Mask, Mask)> = roots
            .iter()
            .map(|root| (root.layer.pieces(Color::White, Size::A), root.layer.pieces(Color::Black, Size::A)))
            .collect();
        let inverse: Vec<(Symmetry, u32)> =
            Symmetry::all().map(|symmetry| (symmetry, symmetry.inverse().index() as u32)).collect();
        let mut way = vec![u32::MAX; layer::len(white, black) as usize];
        for (place, &(white, black)) in canonical.iter().enumerate() {
            for &(symmetry, inverse) in &inverse {
                let image = layer::rank(symmetry.mask(white), symmetry.mask(black)) as usize;
                let code = 32 * place as u32 + inverse;
                way[image] = way[image].min(code);
            }
        }
        Layers { canonical, stabiliser, way }
    }
}

fn of(layers: &[[Layers; 4]; 4], tier: Tier) -> &Layers {
    &layers[usize::from(tier.count(Color::White, Size::A))][usize::from(tier.count(Color::Black, Size::A))]
}

/// How many outer pieces of a size below A stand on the board: white, black.
fn middle_counts(tier: Tier, size: Size, inner: Size) -> (u8, u8) {
    let black = if size == inner { 0 } else { tier.count(Color::Black, size) };
    (tier.count(Color::White, size), black)
}

/// How many placements each outer layer below A has; 1 for A.
fn middle_lens(tier: Tier, inner: Size) -> [u32; 4] {
    Size::ALL.map(|size| {
        if size == Size::A {
            return 1;
        }
        let (white, black) = middle_counts(tier, size, inner);
        layer::len(white, black)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_outer_placements_are_inverse() {
        for name in ["ab", "A2B1-A2B2", "A2-A2B2C1", "A3-A1"] {
            let layout = Layout::new(name.parse().expect("a variant"));
            for tier in layout.all() {
                for row in 0..tier.rows {
                    let outer = layout.outer(tier, row, Color::White);
                    let (found, symmetry) = layout.row(tier, &outer);
                    assert_eq!((found, symmetry.index()), (row, 0), "{name} {}", tier.tier);
                }
            }
        }
    }

    #[test]
    fn an_image_lies_in_the_same_row_or_one_that_symmetry_makes_equal() {
        let layout = Layout::new("A2B1-A2B2C1".parse().expect("a variant"));
        for tier in layout.all() {
            for row in (0..tier.rows).step_by(61) {
                let outer = layout.outer(tier, row, Color::Black);
                for symmetry in Symmetry::all() {
                    let image = symmetry.position(&outer);
                    let (found, way) = layout.row(tier, &image);
                    assert_eq!(layout.outer(tier, found, Color::Black), way.position(&image));
                }
            }
        }
    }
}
