//! A square of the board (R1).

use std::fmt;
use std::str::FromStr;

/// One of the 16 squares, `a1` … `d4`. The index is `file + 4 · rank`, both counted from 0, so `a1`
/// is 0, `d1` is 3 and `d4` is 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 16;

    /// All squares in the order of their index.
    pub const ALL: [Square; Self::COUNT] = {
        let mut all = [Square(0); Self::COUNT];
        let mut index = 0;
        while index < Self::COUNT {
            all[index] = Square(index as u8);
            index += 1;
        }
        all
    };

    /// The square with an index, 0 … 15.
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < Self::COUNT as u8 { Some(Square(index)) } else { None }
    }

    /// The index, 0 … 15.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The square of the lowest set bit of `bits`, `None` if there is none.
    pub(super) const fn lowest(bits: u16) -> Option<Square> {
        Self::new(bits.trailing_zeros() as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (self.0 % 4, self.0 / 4);
        write!(f, "{}{}", char::from(b'a' + file), char::from(b'1' + rank))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is no square's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchSquare(pub String);

impl fmt::Display for NoSuchSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a square: squares are a1 … d4", self.0)
    }
}

impl std::error::Error for NoSuchSquare {}

impl FromStr for Square {
    type Err = NoSuchSquare;

    fn from_str(text: &str) -> Result<Square, NoSuchSquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'd', rank @ b'1'..=b'4'] => Ok(Square(file - b'a' + 4 * (rank - b'1'))),
            _ => Err(NoSuchSquare(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices() {
        assert_eq!("a1".parse(), Ok(Square(0)));
        assert_eq!("d1".parse(), Ok(Square(3)));
        assert_eq!("a2".parse(), Ok(Square(4)));
        assert_eq!("d4".parse(), Ok(Square(15)));
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "a", "e1", "a5", "a0", "A1", "a1 "] {
            let error = bad.parse::<Square>().expect_err(bad).to_string();
            assert_eq!(error, format!("{bad:?} is not a square: squares are a1 … d4"));
        }
        assert_eq!(Square::new(16), None);
        assert_eq!(format!("{:?}", Square::new(6)), "Some(c2)");
    }
}
