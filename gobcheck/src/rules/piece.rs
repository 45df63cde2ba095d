//! Colours and sizes (R2). Pieces of one colour and size are not told apart.

use std::fmt;
use std::ops::Not;

/// A side. White is the side whose draw is claimed, Black its opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The side that claims not to lose.
    White,
    /// Its opponent.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        if self == Color::White { Color::Black } else { Color::White }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A piece's size, A the largest. `Size::A < Size::B` in the order of this type: earlier covers later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Size {
    /// The largest.
    A,
    /// The second largest.
    B,
    /// The second smallest.
    C,
    /// The smallest.
    D,
}

impl Size {
    /// All sizes, largest first.
    pub const ALL: [Size; 4] = [Size::A, Size::B, Size::C, Size::D];

    /// The next larger size, `None` for A.
    pub const fn larger(self) -> Option<Size> {
        if self as usize == 0 { None } else { Some(Size::ALL[self as usize - 1]) }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
