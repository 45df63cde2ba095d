//! Sides, sizes, squares and lines (J1, J2).

use std::fmt;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The side with capital letters.
    White,
    /// The side with small letters.
    Black,
}

impl Color {
    /// Both sides.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The opponent.
    #[must_use]
    pub const fn opponent(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// How large a piece is (J2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Size {
    /// Fits under both others.
    Small,
    /// Covers a Small, fits under a Large.
    Medium,
    /// Covers both others.
    Large,
}

impl Size {
    /// All sizes, the smallest first.
    pub const ALL: [Size; 3] = [Size::Small, Size::Medium, Size::Large];

    /// The larger sizes.
    #[must_use]
    pub fn larger(self) -> &'static [Size] {
        &Size::ALL[self as usize + 1..]
    }

    /// The capital letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Size::Small => 'S',
            Size::Medium => 'M',
            Size::Large => 'L',
        }
    }

    /// The size with a capital letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.letter() == letter)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One of the nine squares: a1, b1, c1, a2 and so on to c3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// How many squares there are (J1).
    pub const COUNT: usize = 9;

    /// All squares in order.
    pub fn all() -> impl Iterator<Item = Square> + Clone {
        (0..Self::COUNT as u8).map(Square)
    }

    /// The square in a file and a rank, both from 0 to 2; `None` outside the board.
    #[must_use]
    pub const fn new(file: usize, rank: usize) -> Option<Square> {
        if file < 3 && rank < 3 { Some(Square((file + 3 * rank) as u8)) } else { None }
    }

    /// The number, 0 to 8.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 to 2 for a to c.
    #[must_use]
    pub const fn file(self) -> usize {
        self.index() % 3
    }

    /// The rank, 0 to 2 for 1 to 3.
    #[must_use]
    pub const fn rank(self) -> usize {
        self.index() / 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

/// A set of squares: bit n is the square with number n.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Squares(pub u16);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);
    /// All nine.
    pub const ALL: Squares = Squares(0x1FF);

    /// How many squares it has.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has a square.
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// With a square more.
    #[must_use]
    pub const fn with(self, square: Square) -> Squares {
        Squares(self.0 | 1 << square.0)
    }

    /// The squares of either.
    #[must_use]
    pub const fn or(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }

    /// The squares of both.
    #[must_use]
    pub const fn and(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }

    /// The squares that the other has not.
    #[must_use]
    pub const fn without(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// Whether the other has all of its squares.
    #[must_use]
    pub const fn within(self, other: Squares) -> bool {
        self.without(other).is_empty()
    }

    /// Its squares in order.
    pub fn squares(self) -> impl Iterator<Item = Square> + Clone {
        Square::all().filter(move |square| self.has(*square))
    }
}

impl From<Square> for Squares {
    fn from(square: Square) -> Squares {
        Squares::EMPTY.with(square)
    }
}

/// The eight lines (J1): ranks, files, diagonals.
pub const LINES: [Squares; 8] = [
    Squares(0o007),
    Squares(0o070),
    Squares(0o700),
    Squares(0o111),
    Squares(0o222),
    Squares(0o444),
    Squares(0o421),
    Squares(0o124),
];
