//! A square of the board (R1).

use std::fmt;

/// One of the 16 squares, `a1` … `d4`. The index is `file + 4 · rank`, both counted from 0: `a1` is 0, `d1` is 3,
/// `a2` is 4 and `d4` is 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    pub const fn new(index: u8) -> Option<Square> {
        if index < Self::COUNT as u8 { Some(Square(index)) } else { None }
    }

    /// The index, 0 … 15.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (self.0 % 4, self.0 / 4);
        write!(f, "{}{}", char::from(b'a' + file), char::from(b'1' + rank))
    }
}
