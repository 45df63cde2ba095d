//! The ranks of sets of squares, out of tables so small that they stay in the cache.

use crate::enumerate::layer::binomial;
use crate::rules::Bitboard;

/// The rank of a set is the sum of `C(square, i)` over its squares in ascending order, `i` counting from 1. The squares
/// of the low byte come first, so what the high byte adds depends on how many they are.
struct Tables {
    /// The number of set bits of a byte.
    count: [u8; 256],
    /// What a low byte adds to the rank.
    low: [u16; 256],
    /// What a high byte adds to the rank, by the count of the low byte.
    high: [[u16; 256]; 9],
}

static TABLES: Tables = {
    let mut tables = Tables { count: [0; 256], low: [0; 256], high: [[0; 256]; 9] };
    let mut byte = 0;
    while byte < 256 {
        tables.count[byte] = byte.count_ones() as u8;
        tables.low[byte] = sum(byte, 0, 0);
        let mut before = 0;
        while before < 9 {
            tables.high[before as usize][byte] = sum(byte, 8, before);
            before += 1;
        }
        byte += 1;
    }
    tables
};

/// What the bits of a byte add: `first` is the square of its lowest bit, `before` the number of squares of the set
/// below `first`.
const fn sum(byte: usize, first: u8, mut before: u8) -> u16 {
    let (mut sum, mut bit) = (0, 0);
    while bit < 8 {
        if byte >> bit & 1 == 1 {
            before += 1;
            sum += binomial_or_0(first + bit, before) as u16;
        }
        bit += 1;
    }
    sum
}

const fn binomial_or_0(n: u8, k: u8) -> u32 {
    if k > n { 0 } else { binomial(n, k) }
}

/// The rank of a set among all sets with the same number of squares, equal to [`layer::rank_of_set`].
///
/// [`layer::rank_of_set`]: crate::enumerate::layer::rank_of_set
#[inline]
pub(crate) fn rank_of_set(set: Bitboard) -> usize {
    let [low, high] = set.0.to_le_bytes().map(usize::from);
    let before = usize::from(TABLES.count[low]);
    usize::from(TABLES.low[low]) + usize::from(TABLES.high[before][high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::layer;

    #[test]
    fn ranks_are_those_of_layers() {
        for set in (0..=u16::MAX).map(Bitboard) {
            assert_eq!(rank_of_set(set), layer::rank_of_set(set) as usize, "{set:?}");
        }
    }
}
