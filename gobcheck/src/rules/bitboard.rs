//! Sets of squares, and the ten lines (R1).

use std::ops::{BitAnd, BitOr, Not, Sub};

use super::square::Square;

/// A set of squares: bit `i` stands for the square with index `i`.
///
/// ```text
/// rank 4   12 13 14 15
/// rank 3    8  9 10 11
/// rank 2    4  5  6  7
/// rank 1    0  1  2  3
///           a  b  c  d
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bitboard(pub u16);

/// The ten lines: four files, four ranks, two long diagonals (R1).
pub const LINES: [Bitboard; 10] = {
    let mut lines = [Bitboard::EMPTY; 10];
    let mut i = 0;
    while i < 4 {
        lines[i] = Bitboard(0x1111 << i);
        lines[4 + i] = Bitboard(0x000F << (4 * i));
        lines[8] = Bitboard(lines[8].0 | 1 << (5 * i));
        lines[9] = Bitboard(lines[9].0 | 1 << (3 + 3 * i));
        i += 1;
    }
    lines
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 16 squares.
    pub const ALL: Bitboard = Bitboard(0xFFFF);

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in the set, 0 … 16.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square.index()) != 0
    }

    /// Whether every square of `other` is in the set.
    pub const fn includes(self, other: Bitboard) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set with the square added.
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square.index())
    }

    /// Whether the set holds a whole line.
    pub fn has_line(self) -> bool {
        // Without a short cut: ten comparisons side by side are faster than a jump after each.
        LINES.iter().fold(false, |found, &line| found | self.includes(line))
    }

    /// The union of all lines in which the set has three squares or more.
    pub fn lines_of_three(self) -> Bitboard {
        let three = LINES.into_iter().filter(|&line| (self & line).count() >= 3);
        three.fold(Bitboard::EMPTY, BitOr::bitor)
    }

    /// The squares in the order of their index.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let square = Square::new(rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some(square)
        })
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

/// The squares of the first set that are not in the second.
impl Sub for Bitboard {
    type Output = Bitboard;
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}
