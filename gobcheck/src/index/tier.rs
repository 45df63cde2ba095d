//! Tiers: what each side has on the board.

use std::fmt;

use crate::rules::{Color, Position, Size, Variant};

/// How many pieces of each colour, White first, and size, A first, are on the board. A piece never leaves the board (R5), so play goes from a
/// tier to itself or to a later one, never back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tier(pub [[u8; 4]; 2]);

impl Tier {
    /// The tier of a position.
    pub fn of(position: &Position) -> Tier {
        let side = |color| Size::ALL.map(|size| position.pieces(color, size).count() as u8);
        Tier(Color::ALL.map(side))
    }

    /// How many pieces of a colour and size are on the board.
    pub fn count(self, color: Color, size: Size) -> u8 {
        self.0[color as usize][size as usize]
    }
}

/// `A3.A3B2`: White's pieces, a dot, Black's; `0` for none.
impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            f.write_str(if color == Color::Black { "." } else { "" })?;
            f.write_str(if self.count(color, Size::A) == 0 { "0" } else { "" })?;
            for size in Size::ALL.into_iter().filter(|&size| self.count(color, size) > 0) {
                write!(f, "{size}{}", self.count(color, size))?;
            }
        }
        Ok(())
    }
}

/// The tiers of a variant in their fixed order: by white counts, A first, then by black counts. The empty board comes
/// first, and every move leads to the same tier or a later one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tiers(Vec<Tier>);

impl Tiers {
    /// The tiers of a variant.
    pub fn new(variant: Variant) -> Tiers {
        let counts = |color| {
            let fits = move |counts: &[u8; 4]| {
                let nested = counts.is_sorted_by(|larger, smaller| larger >= smaller);
                nested && counts.iter().zip(variant.material(color).counts()).all(|(&count, most)| count <= most)
            };
            (0..=u8::MAX).map(|code| [code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3]).filter(fits)
        };
        Tiers(
            counts(Color::White)
                .flat_map(|white| counts(Color::Black).map(move |black| Tier([white, black])))
                .collect(),
        )
    }

    /// The tiers in their order.
    pub fn as_slice(&self) -> &[Tier] {
        &self.0
    }

    /// The place of a tier in the order, counted from 0; `None` if the variant does not have it.
    pub fn index(&self, tier: Tier) -> Option<usize> {
        self.0.binary_search(&tier).ok()
    }
}
