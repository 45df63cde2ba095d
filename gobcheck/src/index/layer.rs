//! A layer: the pieces of one size, white and black. Ranks of layers are the digits of ranks of positions.

use std::sync::LazyLock;

use crate::rules::Bitboard;

/// The sets of k squares in the order of their numbers, for k = 0 … 16; and for each set its place among them.
static SETS: LazyLock<([Vec<u16>; 17], Vec<u16>)> = LazyLock::new(|| {
    let (mut sets, mut ranks) = ([const { Vec::new() }; 17], Vec::new());
    for set in 0..=u16::MAX {
        let alike = &mut sets[set.count_ones() as usize];
        ranks.push(alike.len() as u16);
        alike.push(set);
    }
    (sets, ranks)
});

/// The binomial coefficient `C(n, k)`, for n up to 16.
pub const fn binomial(n: u8, k: u8) -> u32 {
    let (mut product, mut i) = (1, 0);
    while i < k {
        product = product * (n - i) as u32 / (i + 1) as u32;
        i += 1;
    }
    product
}

/// The rank of a set among the sets of as many squares: how many of them are smaller as numbers.
pub fn rank_of_set(set: Bitboard) -> u32 {
    u32::from(SETS.1[usize::from(set.0)])
}

/// The `rank`-th set of `count` squares.
///
/// # Panics
/// If `count` is above 16, or the rank is not below C(16, `count`).
pub fn set_of_rank(rank: u32, count: u8) -> Bitboard {
    Bitboard(SETS.0[usize::from(count)][rank as usize])
}

/// Renumbers the squares outside `taken` from 0 and gives `set`, which shares no square with `taken`.
fn compress(set: Bitboard, taken: Bitboard) -> Bitboard {
    let (mut set, mut taken) = (set.0, taken.0);
    while taken != 0 {
        // The lowest taken square goes, and what is above it moves down by one.
        let below = (1 << taken.trailing_zeros()) - 1;
        set = set & below | set >> 1 & !below;
        taken = taken >> 1 & !below;
    }
    Bitboard(set)
}

/// The inverse of [`compress`].
fn expand(set: Bitboard, taken: Bitboard) -> Bitboard {
    let mut set = set.0;
    for square in taken.squares() {
        // What is at the taken square or above moves up by one.
        let below = (1 << square.index()) - 1;
        set = set & below | (set & !below) << 1;
    }
    Bitboard(set)
}

/// How many placements a layer of `white` and `black` pieces has: C(16, white) · C(16 − white, black).
pub const fn len(white: u8, black: u8) -> u32 {
    binomial(16, white) * alike(white, black)
}

/// How many of them share their white squares: C(16 − white, black).
pub const fn alike(white: u8, black: u8) -> u32 {
    binomial(16 - white, black)
}

/// The rank of a layer of which `alike` share the white squares, itself among them: by white squares as a number, then
/// by black.
pub fn rank_among(white: Bitboard, black: Bitboard, alike: u32) -> u32 {
    rank_of_set(white) * alike + rank_of_set(compress(black, white))
}

/// The layer of a rank below [`len`]: white squares, black squares.
///
/// # Panics
/// If the rank is not below [`len`].
pub fn unrank(rank: u32, white: u8, black: u8) -> (Bitboard, Bitboard) {
    let alike = alike(white, black);
    let white = set_of_rank(rank / alike, white);
    (white, expand(set_of_rank(rank % alike, black), white))
}
