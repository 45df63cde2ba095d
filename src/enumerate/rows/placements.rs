//! The numbered placements of the outer pieces of one size, and where the symmetries take them.

use crate::enumerate::layer;
use crate::enumerate::rows::ranks::rank_of_set;
use crate::prelude::*;
use crate::rules::{Bitboard, Square};
use crate::symmetry::Symmetry;

/// The placements of some white and some black pieces of one size.
pub(crate) struct Placements {
    /// White and black squares by number. Those with the same black squares stand side by side: no white move changes a
    /// black piece, so white moves from them lead to neighbours again, and a cache holds them.
    all: Vec<(Bitboard, Bitboard)>,
    /// The rank of each: its number in the order of the white squares, then the black ones.
    ranks: Vec<u32>,
    /// The number of sets of squares for the white pieces alone.
    stride: usize,
    /// The numbers by the ranks of the black and white squares; `u32::MAX` if the two share a square.
    numbers: Vec<u32>,
    /// For each placement its images under the symmetries.
    images: Vec<[u32; Symmetry::COUNT]>,
}

impl Placements {
    pub(crate) fn new(whites: u8, blacks: u8) -> Placements {
        let squares = Square::COUNT as u8;
        let ranks = 0..layer::len(whites, blacks);
        let mut all: Vec<_> = ranks.map(|rank| (layer::unrank(rank, whites, blacks), rank)).collect();
        all.sort_by_key(|&((white, black), _)| (rank_of_set(black), rank_of_set(white)));
        let (all, ranks): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let stride = layer::binomial(squares, whites) as usize;
        let numbers = vec![u32::MAX; layer::binomial(squares, blacks) as usize * stride];
        let mut placements = Placements { all, ranks, stride, numbers, images: Vec::new() };
        for (number, &(white, black)) in placements.all.iter().enumerate() {
            let index = placements.index(white, black);
            placements.numbers[index] = number as u32;
        }
        let image = |symmetry: Symmetry, (white, black): (Bitboard, Bitboard)| {
            placements.number(symmetry.bitboard(white), symmetry.bitboard(black)) as u32
        };
        let images = |&placement: &(Bitboard, Bitboard)| {
            std::array::from_fn(|symmetry| image(Symmetry::from_index(symmetry as u8), placement))
        };
        placements.images = placements.all.iter().map(images).collect();
        placements
    }

    /// The number of placements.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The white and black squares of a placement.
    pub(crate) fn squares(&self, number: usize) -> (Bitboard, Bitboard) {
        self.all[number]
    }

    /// The white and black squares of a placement and of each one after it, in order.
    pub(crate) fn from(&self, number: usize) -> &[(Bitboard, Bitboard)] {
        &self.all[number..]
    }

    /// The rank of a placement.
    pub(crate) fn rank(&self, number: usize) -> u32 {
        self.ranks[number]
    }

    /// The number of a placement.
    pub(crate) fn number(&self, white: Bitboard, black: Bitboard) -> usize {
        self.numbers[self.index(white, black)] as usize
    }

    /// The number of a placement's image.
    pub(crate) fn image(&self, number: usize, symmetry: Symmetry) -> usize {
        self.images[number][symmetry.index()] as usize
    }

    /// The numbers of a placement's images, by symmetry.
    pub(crate) fn images(&self, number: usize) -> &[u32; Symmetry::COUNT] {
        &self.images[number]
    }

    fn index(&self, white: Bitboard, black: Bitboard) -> usize {
        rank_of_set(black) * self.stride + rank_of_set(white)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_placement_has_a_number_and_its_images() {
        for (whites, blacks) in [(0, 0), (0, 3), (1, 2), (2, 1), (3, 0)] {
            let placements = Placements::new(whites, blacks);
            assert_eq!(placements.len(), layer::len(whites, blacks) as usize);
            let mut ranks = BTreeSet::new();
            for number in 0..placements.len() {
                let (white, black) = placements.squares(number);
                assert_eq!(placements.number(white, black), number);
                ranks.insert(layer::rank_among(white, black, layer::alike(whites, blacks)));
                for symmetry in Symmetry::all() {
                    let image = placements.squares(placements.image(number, symmetry));
                    assert_eq!(image, (symmetry.bitboard(white), symmetry.bitboard(black)));
                }
            }
            assert_eq!(ranks.len(), placements.len(), "no two are the same");
        }
    }

    #[test]
    fn placements_with_the_same_black_pieces_stand_side_by_side() {
        let placements = Placements::new(2, 3);
        let blacks = placements.from(0).chunk_by(|one, next| one.1 == next.1);
        assert!(blacks.map(<[_]>::len).eq([78; 560]), "13 squares for two, and 16 for three");
    }
}
