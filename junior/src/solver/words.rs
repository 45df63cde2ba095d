//! A set of positions of one row as 46 words.
//!
//! The position in which one side's Large pieces stand on the set with number `i` and the other side's on that with number `j` is
//! bit `j` of word `i`. Which side has the words and which the bits is said where the words are used; [`transposed`] exchanges
//! them. So a move of a Large piece of the side that has the words is a move of whole words, and every other move leaves each
//! word in its place.

use crate::index::{SETS, set, set_number};
use crate::rules::{LINES, Squares};
use crate::symmetry::Symmetry;

/// The positions of a row.
pub(crate) type Words = [u64; SETS];

/// No position.
pub(crate) const NONE: Words = [0; SETS];

/// What is looked up: masks by sets of squares, and how symmetries permute bits.
pub(crate) struct Masks {
    /// The placements there are.
    pub(crate) valid: Words,
    /// By the number of a set: the placements with no Large piece of either side on it.
    free: Vec<Words>,
    /// By a set of squares: the bits of the sets that are apart from it.
    apart: Vec<u64>,
    /// By a set of squares: the bits of the sets that hold all of it.
    holding: Vec<u64>,
    /// By symmetry: where it takes the number of each set.
    images: Vec<[u8; SETS]>,
    /// By symmetry, byte of a word and value of the byte: where the bits go.
    bits: Vec<[[u64; 256]; 6]>,
}

impl Masks {
    /// The masks for a greatest number of Large pieces a side.
    pub(crate) fn new(most: usize) -> Masks {
        let bits_of = |keep: &dyn Fn(Squares) -> bool| -> u64 {
            (0..SETS).filter(|&j| set(j).len() <= most && keep(set(j))).fold(0, |bits, j| bits | 1 << j)
        };
        let all = (0..=Squares::ALL.0).map(Squares);
        let apart: Vec<u64> =
            all.clone().map(|squares| bits_of(&|set| set.and(squares).is_empty())).collect();
        let holding = all.map(|squares| bits_of(&|set| squares.within(set))).collect();
        let valid: Words =
            std::array::from_fn(|i| if set(i).len() <= most { apart[usize::from(set(i).0)] } else { 0 });
        let free = |squares: Squares| -> Words {
            let word =
                |i: usize| if set(i).and(squares).is_empty() { apart[usize::from(squares.0)] } else { 0 };
            std::array::from_fn(|i| word(i) & valid[i])
        };
        let free = (0..SETS).map(|number| free(set(number))).collect();
        let image =
            |symmetry: Symmetry, i: usize| set_number(symmetry.squares(set(i))).unwrap_or_default() as u8;
        let images: Vec<[u8; SETS]> =
            Symmetry::all().map(|symmetry| std::array::from_fn(|i| image(symmetry, i))).collect();
        let bits = images.iter().map(permuted_bytes).collect();
        Masks { valid, free, apart, holding, images, bits }
    }

    /// The placements with no Large piece on a set of at most two squares, by its number.
    pub(crate) fn free(&self, number: usize) -> &Words {
        &self.free[number]
    }

    /// Where a symmetry takes the set with a number.
    pub(crate) fn image(&self, symmetry: Symmetry, number: usize) -> usize {
        usize::from(self.images[symmetry.index()][number])
    }

    /// What the symmetry takes to the given words.
    pub(crate) fn before(&self, symmetry: Symmetry, words: &Words) -> Words {
        if symmetry == Symmetry::IDENTITY {
            return *words;
        }
        let (images, bits) = (&self.images[symmetry.index()], &self.bits[symmetry.inverse().index()]);
        let word = |i: usize| {
            let bytes = words[usize::from(images[i])].to_le_bytes();
            bits.iter().zip(bytes).fold(0, |word, (table, byte)| word | table[usize::from(byte)])
        };
        std::array::from_fn(word)
    }

    /// Where the side with the words, and where that with the bits, has a line. The sets are the squares on which each shows a
    /// piece as long as no Large one is there.
    pub(crate) fn lines(&self, words: Squares, bits: Squares) -> [Words; 2] {
        let mut lines = [NONE; 2];
        for (i, valid) in self.valid.iter().enumerate() {
            let own = set(i);
            for line in LINES {
                if line.without(own).within(words) {
                    lines[0][i] |= self.apart[usize::from(line.0)] & valid;
                }
                if line.and(own).is_empty() {
                    lines[1][i] |= self.holding[usize::from(line.without(bits).0)] & valid;
                }
            }
        }
        lines
    }
}

/// By byte and its value, where a permutation of the sets takes the bits.
fn permuted_bytes(images: &[u8; SETS]) -> [[u64; 256]; 6] {
    let image = |byte: usize, value: usize| {
        let bits = (0..8).filter(|bit| value >> bit & 1 == 1).map(|bit| 8 * byte + bit);
        bits.filter(|bit| *bit < SETS).fold(0, |word, bit| word | 1 << images[bit])
    };
    std::array::from_fn(|byte| std::array::from_fn(|value| image(byte, value)))
}

/// Words and bits exchanged.
pub(crate) fn transposed(words: &Words) -> Words {
    let mut square = [0u64; 64];
    square[..SETS].copy_from_slice(words);
    // Exchanges the off-diagonal quarters of ever smaller squares.
    let (mut width, mut mask) = (32, u64::from(u32::MAX));
    while width > 0 {
        let mut row = 0;
        while row < 64 {
            let moved = (square[row] >> width ^ square[row + width]) & mask;
            square[row] ^= moved << width;
            square[row + width] ^= moved;
            row = (row + width + 1) & !width;
        }
        width /= 2;
        mask ^= mask << width;
    }
    std::array::from_fn(|i| square[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_exchanges_words_and_bits() {
        let words: Words = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 18);
        let other = transposed(&words);
        for (i, j) in (0..SETS).flat_map(|i| (0..SETS).map(move |j| (i, j))) {
            assert_eq!(words[i] >> j & 1, other[j] >> i & 1, "{i} {j}");
        }
        assert_eq!(transposed(&other), words);
    }

    #[test]
    fn a_symmetry_moves_words_and_bits() {
        let masks = Masks::new(2);
        for symmetry in Symmetry::all() {
            let image = |i: usize| set_number(symmetry.squares(set(i))).expect("as many squares");
            for (i, j) in [(0, 1), (3, 45), (17, 2), (45, 0)] {
                let mut words = NONE;
                words[image(i)] = 1 << image(j);
                let before = masks.before(symmetry, &words);
                let expected: Words = std::array::from_fn(|word| if word == i { 1 << j } else { 0 });
                assert_eq!(before, expected);
            }
        }
    }
}
