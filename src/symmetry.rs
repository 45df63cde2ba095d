//! The 32 symmetries, and the methods that the prover adds to them.

pub use gobcheck::symmetry::{Symmetry, canonical, least_for, to_canonical};

use crate::rules::{Bitboard, Color, Position, Size, Square, Squares as _};

/// Methods that the trusted part does not need.
pub trait Permutation: Sized {
    /// The symmetry with a number.
    ///
    /// # Panics
    /// If the number is not below 32.
    #[must_use]
    fn from_index(index: u8) -> Self;

    /// The symmetry that undoes this one.
    #[must_use]
    fn inverse(self) -> Self;

    /// Where a square goes.
    #[must_use]
    fn square(self, square: Square) -> Square;
}

impl Permutation for Symmetry {
    fn from_index(index: u8) -> Symmetry {
        Symmetry::new(index).expect("symmetries are numbered from 0 to 31")
    }

    fn inverse(self) -> Symmetry {
        let undoes =
            |other: &Symmetry| Square::ALL.iter().all(|&square| other.square(self.square(square)) == square);
        Symmetry::all().find(undoes).expect("a group")
    }

    fn square(self, square: Square) -> Square {
        self.bitboard(Bitboard::of(square)).squares().next().expect("a square goes to a square")
    }
}

/// Whether the position is the canonical one of its orbit.
#[must_use]
pub fn is_canonical(position: &Position) -> bool {
    canonical(position) == *position
}

/// A number that orders positions as [`canonical`] and the ranks do: the bitboards of white A, black A, white B, …, the
/// most significant first. The side to move does not count.
#[must_use]
pub fn key(position: &Position) -> u128 {
    Size::ALL.into_iter().fold(0, |key, size| {
        let [white, black] = Color::ALL.map(|color| u128::from(position.pieces(color, size).0));
        key << 32 | white << 16 | black
    })
}

/// How many different positions the orbit has: 32 divided by the order of the stabiliser.
#[must_use]
pub fn orbit_len(position: &Position) -> usize {
    let keeps = |symmetry: &Symmetry| symmetry.position(position) == *position;
    Symmetry::COUNT / Symmetry::all().filter(keeps).count()
}
