//! The 32 symmetries of the board, and canonical positions (R1).
//!
//! A symmetry is a permutation of the squares that maps lines to lines.

use std::sync::LazyLock;

use crate::rules::{Bitboard, Color, Position, Size, Square};

/// One of the 32 symmetries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry(u8);

/// Where a symmetry takes sets of squares, a byte at a time.
struct Table {
    low: [u16; 256],
    high: [u16; 256],
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| permutations().into_iter().map(Table::new).collect());

impl Symmetry {
    /// The order of the group (R1).
    pub const COUNT: usize = 32;

    /// The symmetry that leaves every square where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All symmetries; the first is the identity.
    pub fn all() -> impl Iterator<Item = Symmetry> + Clone {
        (0..Self::COUNT as u8).map(Symmetry)
    }

    /// The symmetry's number, 0 … 31.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The symmetry with a number; `None` from 32 on.
    pub const fn new(index: u8) -> Option<Symmetry> {
        if index < Self::COUNT as u8 { Some(Symmetry(index)) } else { None }
    }

    /// Where a set of squares goes.
    pub fn bitboard(self, board: Bitboard) -> Bitboard {
        Bitboard(TABLES[self.index()].bits(board.0))
    }

    /// Where all pieces of a side go ([`Position::side`]).
    pub fn side(self, side: u64) -> u64 {
        let table = &TABLES[self.index()];
        let image = |lane: u32| u64::from(table.bits((side >> (16 * lane)) as u16)) << (16 * lane);
        // Most positions have few sizes: what has no piece is not looked up.
        (0..4).filter(|lane| side >> (16 * lane) != 0).fold(0, |image_so_far, lane| image_so_far | image(lane))
    }

    /// Where a position goes; the side to move stays.
    pub fn position(self, position: &Position) -> Position {
        Position::from_sides(position.sides().map(|side| self.side(side)), position.turn())
    }
}

impl Table {
    fn new(images: [Square; Square::COUNT]) -> Table {
        let image =
            |bits| Bitboard(bits).squares().fold(0, |image, square| image | 1 << images[square.index()].index());
        let mut table = Table { low: [0; 256], high: [0; 256] };
        for byte in 0..=u8::MAX {
            table.low[usize::from(byte)] = image(u16::from(byte));
            table.high[usize::from(byte)] = image(u16::from(byte) << 8);
        }
        table
    }

    fn bits(&self, bits: u16) -> u16 {
        let [low, high] = bits.to_le_bytes();
        self.low[usize::from(low)] | self.high[usize::from(high)]
    }
}

/// All permutations of the squares that map lines to lines, in lexicographic order of their images, so that the identity
/// comes first: those that permute files and ranks alike by a permutation that keeps both diagonals, each with the board
/// mirrored or not, and its files exchanged with its ranks or not.
fn permutations() -> Vec<[Square; Square::COUNT]> {
    let mut found = Vec::new();
    for (a, b) in (0..16).map(|pair| (pair % 4, pair / 4)).filter(|&(a, b)| b != a && b != 3 - a) {
        let along = [a, b, 3 - b, 3 - a];
        for (mirrored, turned) in [(false, false), (false, true), (true, false), (true, true)] {
            found.push(Square::ALL.map(|square| {
                let (file, rank) = (along[square.index() % 4], along[square.index() / 4]);
                let rank = if mirrored { 3 - rank } else { rank };
                Square::ALL[if turned { rank + 4 * file } else { file + 4 * rank }]
            }));
        }
    }
    found.sort_unstable();
    found
}

/// The bitboards of a position in the order in which positions are compared: white A, black A, white B, ….
fn boards(position: &Position) -> impl Iterator<Item = Bitboard> {
    Size::ALL.into_iter().flat_map(move |size| Color::ALL.map(|color| position.pieces(color, size)))
}

/// For each set of squares the symmetries that bring it to its smallest image, bit `i` for number `i`.
static SMALLEST: LazyLock<Vec<u32>> =
    LazyLock::new(|| (0..=u16::MAX).map(|bits| smallest(Bitboard(bits), u32::MAX)).collect());

/// Those of the `among` symmetries that bring a set of squares to its smallest image.
fn smallest(board: Bitboard, among: u32) -> u32 {
    let (mut least, mut found) = (Bitboard::ALL, 0);
    for symmetry in symmetries(among) {
        let image = symmetry.bitboard(board);
        if image < least {
            (least, found) = (image, 0);
        }
        if image == least {
            found |= 1 << symmetry.0;
        }
    }
    found
}

/// The symmetries of a set given by bits.
fn symmetries(mut bits: u32) -> impl Iterator<Item = Symmetry> {
    std::iter::from_fn(move || {
        let symmetry = Symmetry::new(bits.trailing_zeros() as u8)?;
        bits &= bits - 1;
        Some(symmetry)
    })
}

/// The symmetries that bring bitboards, compared one after the other, to their smallest images.
fn least(boards: impl Iterator<Item = Bitboard>) -> u32 {
    boards.filter(|board| !board.is_empty()).fold(u32::MAX, |left, board| match left {
        u32::MAX => SMALLEST[usize::from(board.0)],
        one if one.is_power_of_two() => one,
        several => smallest(board, several),
    })
}

/// The first of the symmetries that bring a position to the canonical one of its orbit.
pub fn to_canonical(position: &Position) -> Symmetry {
    symmetries(least(boards(position))).next().unwrap_or(Symmetry::IDENTITY)
}

/// The position of the orbit that comes first, which is the one of smallest rank in its tier.
pub fn canonical(position: &Position) -> Position {
    to_canonical(position).position(position)
}

/// The symmetries that bring the pieces of one colour to their smallest images; there is at least one. If a symmetry maps that
/// colour's pieces in one position to those in another, the smallest images are the same.
pub fn least_for(position: &Position, color: Color) -> impl Iterator<Item = Symmetry> {
    symmetries(least(Size::ALL.into_iter().map(move |size| position.pieces(color, size))))
}
