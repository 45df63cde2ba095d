//! A layer: the pieces of one size, white and black. Ranks of layers multiply into ranks of positions.

use std::sync::LazyLock;

use crate::rules::Mask;

/// Binomial coefficients `C(n, k)` for n ≤ 16, k ≤ 16.
const BINOMIAL: [[u32; 17]; 17] = {
    let mut table = [[0; 17]; 17];
    let mut n = 0;
    while n <= 16 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// `C(n, k)`.
///
/// # Panics
/// If n or k is above 16.
pub(crate) const fn binomial(n: u8, k: u8) -> u32 {
    BINOMIAL[n as usize][k as usize]
}

/// For each set of squares how many sets of as many squares come before it as numbers: the rank of a
/// k-set {c₁ < … < c_k} is Σ C(cᵢ, i).
static RANK: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let rank = |bits: u16| {
        let squares = Mask(bits).squares().zip(1u8..);
        squares.map(|(square, k)| binomial(square.index(), k)).sum::<u32>() as u16
    };
    (0..=u16::MAX).map(rank).collect()
});

/// The rank of a set among the sets of as many squares.
pub(crate) fn rank_of_set(set: Mask) -> u32 {
    u32::from(RANK[usize::from(set.0)])
}

/// The `rank`-th set of `count` squares.
pub(crate) fn set_of_rank(mut rank: u32, count: u8) -> Mask {
    let mut set = 0;
    for k in (1..=count).rev() {
        let mut square = k - 1;
        while binomial(square + 1, k) <= rank {
            square += 1;
        }
        rank -= binomial(square, k);
        set |= 1 << square;
    }
    Mask(set)
}

/// Renumbers the squares outside `taken` from 0 and gives `set`, which shares no square with `taken`.
fn compress(set: Mask, taken: Mask) -> Mask {
    let (mut set, mut taken) = (set.0, taken.0);
    while taken != 0 {
        // The lowest taken square goes, and what is above it moves down by one.
        let below = (1 << taken.trailing_zeros()) - 1;
        set = set & below | set >> 1 & !below;
        taken = taken >> 1 & !below;
    }
    Mask(set)
}

/// The inverse of [`compress`].
fn expand(set: Mask, taken: Mask) -> Mask {
    let mut set = set.0;
    for square in taken.squares() {
        // What is at the taken square or above moves up by one.
        let below = (1 << square.index()) - 1;
        set = set & below | (set & !below) << 1;
    }
    Mask(set)
}

/// How many placements a layer of `white` and `black` pieces has: C(16, white) · C(16 − white, black).
pub(crate) const fn len(white: u8, black: u8) -> u32 {
    binomial(16, white) * binomial(16 - white, black)
}

/// The rank of a layer among those with as many pieces: by white squares as a number, then by black.
pub(crate) fn rank(white: Mask, black: Mask) -> u32 {
    let (whites, blacks) = (white.count() as u8, black.count() as u8);
    rank_of_set(white) * binomial(16 - whites, blacks) + rank_of_set(compress(black, white))
}

/// The layer of a rank below [`len`]: white squares, black squares.
pub(crate) fn unrank(rank: u32, white: u8, black: u8) -> (Mask, Mask) {
    let blacks = binomial(16 - white, black);
    let white_set = set_of_rank(rank / blacks, white);
    (white_set, expand(set_of_rank(rank % blacks, black), white_set))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_layers_in_order() {
        for white in 0..=3 {
            for black in 0..=3 {
                let mut before = None;
                for number in 0..len(white, black) {
                    let (w, b) = unrank(number, white, black);
                    assert!(!w.meets(b) && w.count() == u32::from(white) && b.count() == u32::from(black));
                    assert_eq!(rank(w, b), number);
                    assert!(before < Some((w, b)), "ranks follow the order of keys");
                    before = Some((w, b));
                }
            }
        }
        // 16·15·14/6 · 13·12·11/6
        assert_eq!(len(3, 3), 160_160);
    }
}
