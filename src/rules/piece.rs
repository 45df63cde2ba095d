//! Colours, sizes and pieces (R2).

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// A side. White is the side whose draw is claimed, Black its opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The draw player.
    White,
    /// The opponent.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// `"white"` or `"black"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
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

    /// The size's capital letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Size::A => 'A',
            Size::B => 'B',
            Size::C => 'C',
            Size::D => 'D',
        }
    }

    /// The size with a capital letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Size> {
        match letter {
            'A' => Some(Size::A),
            'B' => Some(Size::B),
            'C' => Some(Size::C),
            'D' => Some(Size::D),
            _ => None,
        }
    }

    /// The next larger size, `None` for A.
    #[must_use]
    pub const fn larger(self) -> Option<Size> {
        match self {
            Size::A => None,
            Size::B => Some(Size::A),
            Size::C => Some(Size::B),
            Size::D => Some(Size::C),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A piece: a colour and a size. Pieces of the same colour and size are not told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// How large it is.
    pub size: Size,
}

impl Piece {
    /// The size's letter: upper-case for White, lower-case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.size.letter(),
            Color::Black => self.size.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with a letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Size::from_letter(letter.to_ascii_uppercase()) {
            Some(size) => Some(Piece { color, size }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.size)
    }
}

/// One value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

/// One value for each size, largest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BySize<T>(pub [T; 4]);

impl<T> Index<Size> for BySize<T> {
    type Output = T;
    fn index(&self, size: Size) -> &T {
        &self.0[size as usize]
    }
}

impl<T> IndexMut<Size> for BySize<T> {
    fn index_mut(&mut self, size: Size) -> &mut T {
        &mut self.0[size as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for color in Color::ALL {
            for size in Size::ALL {
                let piece = Piece { color, size };
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('b'), Some(Piece { color: Color::Black, size: Size::B }));
        assert_eq!(Piece::from_letter('b').map(|piece| piece.to_string()), Some("Black B".to_owned()));
        assert_eq!(Piece::from_letter('D').map(|piece| piece.to_string()), Some("White D".to_owned()));
        assert_eq!(Piece::from_letter('e'), None);
        assert_eq!(Piece::from_letter('.'), None);
    }

    #[test]
    fn earlier_sizes_are_larger() {
        assert!(Size::A < Size::B && Size::B < Size::C && Size::C < Size::D);
        assert_eq!(Size::ALL.map(Size::larger), [None, Some(Size::A), Some(Size::B), Some(Size::C)]);
    }
}
