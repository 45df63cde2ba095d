//! The eight symmetries of the board, and canonical positions (J1).

use std::sync::LazyLock;

use crate::rules::{Color, Position, Size, Square, Squares};

/// One of the eight symmetries: mirrors of files and of ranks, and both exchanged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry(u8);

/// Where each symmetry takes each set of squares.
static IMAGES: LazyLock<Vec<[Squares; 512]>> = LazyLock::new(|| {
    let table = |symmetry: Symmetry| {
        let image = |set: usize| {
            let squares = Squares(set as u16).squares();
            squares.fold(Squares::EMPTY, |image, square| image.with(symmetry.moved(square)))
        };
        std::array::from_fn(image)
    };
    Symmetry::all().map(table).collect()
});

impl Symmetry {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// The symmetry that leaves every square where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All symmetries; the first is the identity.
    pub fn all() -> impl Iterator<Item = Symmetry> + Clone {
        (0..Self::COUNT as u8).map(Symmetry)
    }

    /// The number, 0 to 7.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Where a square goes: bit 0 mirrors the files, bit 1 the ranks, bit 2 then exchanges files and ranks.
    fn moved(self, square: Square) -> Square {
        let mirrored = |place: usize, bit: u8| if self.0 >> bit & 1 == 1 { 2 - place } else { place };
        let (file, rank) = (mirrored(square.file(), 0), mirrored(square.rank(), 1));
        let (file, rank) = if self.0 >> 2 == 1 { (rank, file) } else { (file, rank) };
        // Both are below 3 as they were.
        Square::new(file, rank).unwrap_or(square)
    }

    /// The symmetry that takes everything back.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            // A turn by a quarter: the other one.
            5 => Symmetry(6),
            6 => Symmetry(5),
            own => Symmetry(own),
        }
    }

    /// Where a set of squares goes.
    #[must_use]
    pub fn squares(self, squares: Squares) -> Squares {
        IMAGES[self.index()][usize::from(squares.0 & Squares::ALL.0)]
    }

    /// Where a position goes; the side to move stays.
    #[must_use]
    pub fn position(self, position: &Position) -> Position {
        let side = |color| Size::ALL.map(|size| self.squares(position.pieces(color, size)));
        // What was apart stays apart.
        Position::new(Color::ALL.map(side), position.turn()).unwrap_or(*position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LINES;

    #[test]
    fn symmetries_map_lines_to_lines_and_have_inverses() {
        let mut images: Vec<Vec<Square>> = Vec::new();
        for symmetry in Symmetry::all() {
            for line in LINES {
                assert!(LINES.contains(&symmetry.squares(line)));
            }
            for square in Square::all() {
                let there = symmetry.squares(square.into());
                assert_eq!(symmetry.inverse().squares(there), square.into());
            }
            images.push(Square::all().map(|square| symmetry.moved(square)).collect());
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), Symmetry::COUNT);
        assert_eq!(Symmetry::IDENTITY.squares(Squares(5)), Squares(5));
    }
}
