//! The canonical positions of a variant in order, cut into blocks for several threads.
//!
//! The layer of A comes first in every key. So a canonical position has a canonical layer of A, and only the symmetries
//! that keep this layer can make the position smaller.

use gobcheck::index::{Ranking, Tier, Tiers, layer};
use rayon::prelude::*;

use crate::prelude::*;
use crate::rules::{Bitboard, ByColor, BySize, Color, Position, Size, Variant};
use crate::symmetry::{self, Symmetry};

/// A canonical layer of A with the symmetries that keep it. The positions on it are scanned together.
#[derive(Clone, Debug)]
pub struct Root {
    /// The layer, as a position with only A on the board.
    pub layer: Position,
    /// The symmetries that map the layer to itself, the identity first.
    pub stabiliser: Vec<Symmetry>,
}

impl Root {
    /// The orbit of the A of one colour: the least rank of their images. No move of the other colour changes it.
    #[must_use]
    pub fn orbit(&self, color: Color) -> usize {
        let pieces = self.layer.pieces(color, Size::A);
        let ranks = Symmetry::all().map(|symmetry| layer::rank_of_set(symmetry.bitboard(pieces)) as usize);
        ranks.min().unwrap_or_default()
    }
}

/// The roots of a tier, in the order of their ranks.
#[must_use]
pub fn roots(tier: Tier) -> Vec<Root> {
    let (white, black) = (tier.count(Color::White, Size::A), tier.count(Color::Black, Size::A));
    let mut roots = Vec::new();
    for rank in 0..layer::len(white, black) {
        let (white, black) = layer::unrank(rank, white, black);
        let mut pieces: ByColor<BySize<Bitboard>> = ByColor::default();
        pieces.white[Size::A] = white;
        pieces.black[Size::A] = black;
        let layer = Position::from_pieces(pieces, Color::White);
        if symmetry::is_canonical(&layer) {
            let keeps = |symmetry: &Symmetry| symmetry.position(&layer) == layer;
            roots.push(Root { layer, stabiliser: Symmetry::all().filter(keeps).collect() });
        }
    }
    roots
}

/// A root with the numbering of its tier: a part of a scan that one thread takes.
#[derive(Clone, Debug)]
pub struct Block {
    /// The numbering of the tier.
    pub ranking: Ranking,
    /// The root.
    pub root: Root,
}

impl Block {
    /// The canonical positions that stand on the root, in the order of their ranks.
    pub fn positions(&self, turn: Color) -> impl Iterator<Item = Position> + use<'_> {
        positions_above(&self.ranking, &self.root, turn)
    }
}

/// The blocks of a variant, in the order of their tiers and ranks. Together they have every canonical position once.
#[must_use]
pub fn blocks(variant: Variant) -> Vec<Block> {
    let of_tier = |&tier: &Tier| {
        let ranking = Ranking::new(tier);
        roots(tier).into_iter().map(move |root| Block { ranking, root }).collect::<Vec<_>>()
    };
    Tiers::new(variant).as_slice().par_iter().flat_map_iter(of_tier).collect()
}

/// The canonical positions of the numbering's tier that stand on a root, in the order of their ranks.
pub fn positions_above<'a>(
    ranking: &'a Ranking,
    root: &'a Root,
    turn: Color,
) -> impl Iterator<Item = Position> + use<'a> {
    (0..ranking.len_above_a()).filter_map(move |above| {
        let position = on_layer_of_a(ranking, &root.layer, above, turn);
        let own = symmetry::key(&position);
        let smallest =
            root.stabiliser.iter().all(|symmetry| own <= symmetry::key(&symmetry.position(&position)));
        smallest.then_some(position)
    })
}

/// The placement with the A of `layer` and with placement number `above`, counted from 0, of the smaller pieces.
#[must_use]
pub fn on_layer_of_a(ranking: &Ranking, layer: &Position, above: u128, turn: Color) -> Position {
    let first = u128::from(ranking.digit(layer, Size::A)) * ranking.len_above_a();
    ranking.unrank(first + above, turn).expect("a rank of the tier")
}
