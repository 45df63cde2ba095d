//! Pieces and their letters.

use std::fmt;

use gobcheck::rules::{Color, Size};

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
            Color::White => (b'A' + self.size as u8) as char,
            Color::Black => (b'a' + self.size as u8) as char,
        }
    }

    /// The piece with a letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Piece> {
        let pieces = Color::ALL.into_iter().flat_map(|color| Size::ALL.map(|size| Piece { color, size }));
        pieces.into_iter().find(|piece| piece.letter() == letter)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.size)
    }
}
