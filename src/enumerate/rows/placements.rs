//! The numbered placements of the outer pieces of one size, and where the symmetries take them.

use crate::enumerate::layer;
use crate::enumerate::rows::ranks::rank_of_set;
use crate::prelude::*;
use crate::rules::{Bitboard, Square};
use crate::symmetry::Symmetry;

/// The placements of some white and some black pieces of one size.
pub(crate) struct Placements {
    /// White and black squares of each, in the order of their ranks.
    all: Vec<(Bitboard, Bitboard)>,
    /// How many sets of squares the black pieces could have by themselves.
    stride: usize,
    /// The numbers of the placements, by white set and black set.
    numbers: Vec<u32>,
    /// For each placement its images under the symmetries.
    images: Vec<[u32; Symmetry::COUNT]>,
}

impl Placements {
    pub(crate) fn new(whites: u8, blacks: u8) -> Placements {
        let squares = Square::COUNT as u8;
        let all: Vec<(Bitboard, Bitboard)> =
            (0..layer::len(whites, blacks)).map(|rank| layer::unrank(rank, whites, blacks)).collect();
        let stride = layer::binomial(squares, blacks) as usize;
        let numbers = vec![u32::MAX; layer::binomial(squares, whites) as usize * stride];
        let mut placements = Placements { all, stride, numbers, images: Vec::new() };
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
        rank_of_set(white) * self.stride + rank_of_set(black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_images_agree_with_ranks() {
        for (whites, blacks) in [(0, 0), (0, 3), (1, 2), (2, 1), (3, 0)] {
            let placements = Placements::new(whites, blacks);
            assert_eq!(placements.len(), layer::len(whites, blacks) as usize);
            for number in 0..placements.len() {
                let (white, black) = placements.squares(number);
                assert_eq!(
                    placements.number(white, black),
                    layer::rank_among(white, black, layer::alike(whites, blacks)) as usize
                );
                for symmetry in Symmetry::all() {
                    let image = placements.squares(placements.image(number, symmetry));
                    assert_eq!(image, (symmetry.bitboard(white), symmetry.bitboard(black)));
                }
            }
        }
    }
}
