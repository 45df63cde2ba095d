//! Methods that the prover adds to sets of squares.

use gobcheck::rules::{Bitboard, Square};

/// Set operations that the trusted part does not need.
pub trait Squares: Sized {
    /// The set of one square.
    #[must_use]
    fn of(square: Square) -> Self;

    /// The set of these squares.
    #[must_use]
    fn gather(squares: impl IntoIterator<Item = Square>) -> Self;

    /// Whether the two sets share a square.
    #[must_use]
    fn meets(self, other: Self) -> bool;

    /// The set with the square taken away.
    #[must_use]
    fn without(self, square: Square) -> Self;
}

impl Squares for Bitboard {
    fn of(square: Square) -> Bitboard {
        Bitboard::EMPTY.with(square)
    }

    fn gather(squares: impl IntoIterator<Item = Square>) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }

    fn meets(self, other: Bitboard) -> bool {
        !(self & other).is_empty()
    }

    fn without(self, square: Square) -> Bitboard {
        self - Bitboard::of(square)
    }
}
