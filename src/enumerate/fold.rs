//! Foldings: a symmetry brings every placement of a tier to a *root*, a canonical layer of A, where it gets its number.
//!
//! Nearly every root is kept by the identity alone, so there are about 32 times fewer numbers than ranks. To fold a
//! placement, only its layer of A is looked up; to make it canonical would need a look at all of it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use gobcheck::index::{Ranking, Tier, Tiers, layer};

use super::scan::{Root, roots};
use crate::prelude::*;
use crate::rules::{ByColor, Color, Position, Size, Square};
use crate::symmetry::Symmetry;

/// The numbering of a tier's placements on its roots: from 0 to `len − 1`, root by root.
#[derive(Clone, Debug)]
pub struct Folding {
    ranking: Ranking,
    layers: Arc<Layers>,
    /// The layers of the smaller sizes that hold a piece, the largest size first.
    above: Vec<Layer>,
}

/// The layer of a size smaller than A.
#[derive(Clone, Copy, Debug)]
struct Layer {
    size: Size,
    /// The number of layers with as many white and black pieces.
    len: usize,
    /// The number of those with the same white squares.
    alike: u32,
}

/// All layers of A with the numbers of pieces of a tier: the roots, and each layer's way to its root.
#[derive(Debug)]
pub struct Layers {
    roots: Vec<Root>,
    /// The place of each root in the order of their ranks.
    ranks: Vec<usize>,
    /// The number of sets of squares that the black A could take if White had none.
    black: u32,
    /// For each white set of squares, and then for each black one, the number of the root and a symmetry that brings
    /// the layer there; [`NOWHERE`] where the two sets share a square.
    seats: Vec<(u16, Symmetry)>,
    /// By mover the transfers of A on all roots, root by root, computed on first use.
    transfers: ByColor<OnceLock<Vec<Transfer>>>,
}

/// How the roots of a tier follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootOrder {
    /// By their ranks.
    Ranks,
    /// By the orbit of the black A, then by the orbit of the white A, then by their ranks.
    Orbits,
}

/// The transfer of an A on a root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    /// Where the A goes.
    pub to: Square,
    /// The number of the root of the layer that results.
    pub root: u16,
    /// The symmetry that brings the layer there.
    pub symmetry: Symmetry,
}

/// The foldings of all tiers of a variant, in the tiers' order.
#[must_use]
pub fn foldings(tiers: &Tiers) -> Vec<Folding> {
    let mut known = BTreeMap::new();
    let folding = |&tier: &Tier| {
        let counts = Color::ALL.map(|color| tier.count(color, Size::A));
        let layers: &Arc<Layers> =
            known.entry(counts).or_insert_with(|| Arc::new(Layers::new(tier, RootOrder::Ranks)));
        let layer = |size| {
            let (white, black) = (tier.count(Color::White, size), tier.count(Color::Black, size));
            Layer { size, len: layer::len(white, black) as usize, alike: layer::alike(white, black) }
        };
        let above =
            [Size::B, Size::C, Size::D].map(layer).into_iter().filter(|layer| layer.len > 1).collect();
        Folding { ranking: Ranking::new(tier), layers: Arc::clone(layers), above }
    };
    tiers.as_slice().iter().map(folding).collect()
}

impl Folding {
    /// The numbering of the tier's placements by rank.
    #[must_use]
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The tier's roots, in the order of their ranks.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.layers.roots
    }

    /// The number of placements that stand on roots.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no tier is empty")]
    pub fn len(&self) -> usize {
        self.above.iter().fold(self.layers.roots.len(), |len, layer| len * layer.len)
    }

    /// The number of a placement's image on a root, or of one such image if several symmetries lead there. It means
    /// nothing for a position of another tier.
    #[must_use]
    pub fn number(&self, position: &Position) -> usize {
        let (root, symmetry) = self.layers.seat(position);
        self.number_on(root, symmetry, position)
    }

    /// The numbers of all a placement's images on roots.
    pub fn all_numbers(&self, position: &Position) -> impl Iterator<Item = usize> {
        let (root, symmetry) = self.layers.seat(position);
        let image = symmetry.position(position);
        let keeping = &self.layers.roots[root as usize].stabiliser;
        keeping.iter().map(move |&symmetry| self.number_on(root, symmetry, &image))
    }

    /// The number of the position's image under a symmetry that brings it to a root.
    fn number_on(&self, root: u16, symmetry: Symmetry, position: &Position) -> usize {
        self.above.iter().fold(root as usize, |number, layer| {
            let image = |color| {
                let squares = position.pieces(color, layer.size);
                // Half of all moves leave a root as it is.
                if symmetry == Symmetry::IDENTITY { squares } else { symmetry.bitboard(squares) }
            };
            let rank = layer::rank_among(image(Color::White), image(Color::Black), layer.alike);
            number * layer.len + rank as usize
        })
    }
}

/// The entry of [`Layers::seats`] for two sets of squares that form no layer.
const NOWHERE: (u16, Symmetry) = (u16::MAX, Symmetry::IDENTITY);

impl Layers {
    /// The layers of A of a tier.
    #[must_use]
    pub fn new(tier: Tier, order: RootOrder) -> Layers {
        let mut roots: Vec<(usize, Root)> = roots(tier).into_iter().enumerate().collect();
        if order == RootOrder::Orbits {
            roots.sort_by_cached_key(|(_, root)| [Color::Black, Color::White].map(|color| root.orbit(color)));
        }
        let (ranks, roots): (Vec<usize>, Vec<Root>) = roots.into_iter().unzip();
        let ways: Vec<_> = Symmetry::all().map(|way| (way, way.inverse())).collect();
        let [white, black] = Color::ALL.map(|color| layer::binomial(16, tier.count(color, Size::A)));
        let seats = vec![NOWHERE; (white * black) as usize];
        let mut layers = Layers { roots: Vec::new(), ranks, black, seats, transfers: ByColor::default() };
        for (number, root) in (0..).zip(&roots) {
            // The identity comes last and overwrites the others, so a root is mapped to itself by the identity.
            for &(way, inverse) in ways.iter().rev() {
                let place = layers.place(&inverse.position(&root.layer));
                layers.seats[place] = (number, way);
            }
        }
        Layers { roots, ..layers }
    }

    /// The roots in their order.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The place of a root in the order of their ranks.
    pub(crate) fn rank(&self, root: usize) -> usize {
        self.ranks[root]
    }

    /// The number of the root of a position's layer of A, and the first of the symmetries that bring it there.
    #[must_use]
    pub fn seat(&self, position: &Position) -> (u16, Symmetry) {
        self.seats[self.place(position)]
    }

    /// The transfers of one side's A on a root: for each square of such an A in turn, one transfer to each square
    /// without an A.
    pub(crate) fn transfers(&self, root: usize, color: Color) -> &[Transfer] {
        let all = self.transfers[color].get_or_init(|| {
            self.roots.iter().flat_map(|root| self.transfers_on(&root.layer, color)).collect()
        });
        let each = all.len() / self.roots.len();
        &all[root * each..][..each]
    }

    fn transfers_on(&self, layer: &Position, color: Color) -> impl Iterator<Item = Transfer> {
        layer.pieces(color, Size::A).squares().flat_map(move |from| {
            (!layer.occupied()).squares().map(move |to| {
                let mut after = *layer;
                after.remove(color, Size::A, from);
                after.add(color, Size::A, to);
                let (root, symmetry) = self.seat(&after);
                Transfer { to, root, symmetry }
            })
        })
    }

    fn place(&self, position: &Position) -> usize {
        let white = layer::rank_of_set(position.pieces(Color::White, Size::A));
        let black = layer::rank_of_set(position.pieces(Color::Black, Size::A));
        (white * self.black + black) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::rules::{Bitboard, ByColor, BySize};
    use crate::symmetry::canonical;

    #[test]
    fn each_number_is_that_of_one_orbit_and_each_image_has_them_all() {
        for variant in ["A2B1-A1B1", "A1-A1B1C1"] {
            let tiers = Tiers::new(variant.read().expect("a variant"));
            for (folding, &tier) in foldings(&tiers).iter().zip(tiers.as_slice()) {
                let ranking = *folding.ranking();
                assert_eq!((ranking.tier(), folding.roots().len()), (tier, roots(tier).len()));
                let mut orbits = vec![None; folding.len()];
                for rank in 0..ranking.len() {
                    let position = ranking.unrank(rank, Color::White).expect("a placement");
                    let orbit = canonical(&position);
                    let numbers: Vec<usize> = folding.all_numbers(&position).collect();
                    assert!(numbers.contains(&folding.number(&position)));
                    for number in numbers {
                        assert_eq!(*orbits[number].get_or_insert(orbit), orbit, "{position}: {number}");
                    }
                }
                assert!(orbits.iter().all(Option::is_some), "without gaps");
            }
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_layer_that_shares_a_square_is_on_no_root() {
        let tiers = Tiers::new("A1-A1".read().expect("a variant"));
        let folding = foldings(&tiers).pop().expect("the fullest tier");
        let corner: Bitboard = "a1".read().map(Bitboard::of).expect("a square");
        let side = BySize([corner, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY]);
        let pieces = ByColor { white: side, black: side };
        let _ = folding.all_numbers(&Position::from_pieces(pieces, Color::White)).count();
    }
}
