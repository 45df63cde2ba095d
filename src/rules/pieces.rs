//! Methods that the prover adds to positions.

use gobcheck::rules::{Bitboard, Color, Position, Size};

use super::by::{ByColor, BySize};

/// Methods that the trusted part does not need.
pub trait Pieces: Sized {
    /// The position with these pieces. The caller guarantees R2 and R3: no square holds two pieces of one size, and the
    /// counts are nested and within the variant's material.
    #[must_use]
    fn from_pieces(pieces: ByColor<BySize<Bitboard>>, turn: Color) -> Self;

    /// Whether nothing stands on the board.
    #[must_use]
    fn is_empty(&self) -> bool;

    /// Where pieces of a colour and size stand visible (R3).
    #[must_use]
    fn visible_of(&self, color: Color, size: Size) -> Bitboard;

    /// The position in which Black's pieces of a size stand on these squares instead.
    #[must_use]
    fn with_black(&self, size: Size, squares: Bitboard) -> Self;

    /// The position with the colours exchanged, the side to move too.
    #[must_use]
    fn exchanged(&self) -> Self;
}

impl Pieces for Position {
    fn from_pieces(pieces: ByColor<BySize<Bitboard>>, turn: Color) -> Position {
        let side = |BySize(sizes): BySize<Bitboard>| {
            sizes.iter().rev().fold(0, |side, set| side << 16 | u64::from(set.0))
        };
        Position::from_sides([side(pieces.white), side(pieces.black)], turn)
    }

    fn is_empty(&self) -> bool {
        self.side(Color::White) | self.side(Color::Black) == 0
    }

    fn visible_of(&self, color: Color, size: Size) -> Bitboard {
        match size.larger() {
            None => self.pieces(color, size),
            Some(larger) => self.pieces(color, size) - self.barred(larger),
        }
    }

    fn with_black(&self, size: Size, squares: Bitboard) -> Position {
        let lane = 16 * size as u32;
        let others = self.side(Color::Black) & !(u64::from(u16::MAX) << lane);
        Position::from_sides([self.side(Color::White), others | u64::from(squares.0) << lane], self.turn())
    }

    fn exchanged(&self) -> Position {
        Position::from_sides([self.side(Color::Black), self.side(Color::White)], !self.turn())
    }
}

/// A colour's name in output for programs.
pub trait Named {
    /// `"white"` or `"black"`.
    #[must_use]
    fn name(self) -> &'static str;
}

impl Named for Color {
    fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}
