//! A layer: the pieces of one size, white and black. Ranks of layers multiply into ranks of positions.

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
static RANK: [u16; 1 << 16] = {
    let mut table = [0; 1 << 16];
    let mut set: u16 = 1;
    while set != 0 {
        let last = set.ilog2();
        let before = set ^ 1 << last;
        table[set as usize] = table[before as usize] + binomial(last as u8, set.count_ones() as u8) as u16;
        set = set.wrapping_add(1);
    }
    table
};

/// The rank of a set among the sets of as many squares.
pub(crate) fn rank_of_set(set: Mask) -> u32 {
    u32::from(RANK[usize::from(set.0)])
}

/// The sets of 0 … 3 squares by their ranks; nothing after the last.
static SETS: [[u16; 560]; 4] = {
    let mut sets = [[0; 560]; 4];
    let mut set: u16 = 0;
    while set != u16::MAX {
        if set.count_ones() <= 3 {
            sets[set.count_ones() as usize][RANK[set as usize] as usize] = set;
        }
        set += 1;
    }
    sets
};

/// The `rank`-th set of `count` squares, of which there are 3 at most.
///
/// # Panics
/// If there are more, or the rank is beyond the last set.
pub(crate) fn set_of_rank(rank: u32, count: u8) -> Mask {
    let sets = &SETS[usize::from(count)][..binomial(16, count) as usize];
    Mask(sets[rank as usize])
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
    binomial(16, white) * alike(white, black)
}

/// How many of them share their white squares: C(16 − white, black).
pub(super) const fn alike(white: u8, black: u8) -> u32 {
    binomial(16 - white, black)
}

/// The rank of a layer among those with as many pieces: by white squares as a number, then by black.
pub(crate) fn rank(white: Mask, black: Mask) -> u32 {
    rank_among(white, black, alike(white.count() as u8, black.count() as u8))
}

/// The rank of a layer of which `alike` share the white squares, itself among them.
pub(super) fn rank_among(white: Mask, black: Mask, alike: u32) -> u32 {
    rank_of_set(white) * alike + rank_of_set(compress(black, white))
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
