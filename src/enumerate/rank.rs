//! Ranks: a number for every placement of a tier, without gaps.

use std::fmt;

use super::layer;
use super::tier::Tier;
use crate::rules::{ByColor, BySize, Color, Mask, Position, Size};

/// The numbering of a tier's placements: 0 … `len − 1`, in the order of [`key`](crate::symmetry::key). The
/// layers from A to D are the digits, most significant first. The side to move does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranking {
    tier: Tier,
    /// How many placements each layer has, A first.
    layers: [u32; 4],
}

/// A rank at or beyond the tier's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchRank {
    /// The tier.
    pub tier: Tier,
    /// The rank.
    pub rank: u128,
    /// How many placements the tier has.
    pub len: u128,
}

impl fmt::Display for NoSuchRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} is outside tier {}, which has {} placements", self.rank, self.tier, self.len)
    }
}

impl std::error::Error for NoSuchRank {}

impl Ranking {
    /// The numbering of a tier.
    #[must_use]
    pub fn new(tier: Tier) -> Ranking {
        let len = |size| layer::len(tier.count(Color::White, size), tier.count(Color::Black, size));
        Ranking { tier, layers: Size::ALL.map(len) }
    }

    /// The tier.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// How many placements the tier has.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "no tier is empty")]
    pub fn len(&self) -> u128 {
        self.layers.iter().map(|&len| u128::from(len)).product()
    }

    /// How many placements share a layer of A.
    #[must_use]
    pub fn len_above_a(&self) -> u128 {
        self.layers[1..].iter().map(|&len| u128::from(len)).product()
    }

    /// The rank of a placement. It means nothing for a position of another tier.
    #[must_use]
    pub fn rank(&self, position: &Position) -> u128 {
        let mut rank = 0;
        for size in Size::ALL {
            let len = self.layers[size as usize];
            if len > 1 {
                let digit =
                    layer::rank(position.pieces(Color::White, size), position.pieces(Color::Black, size));
                rank = rank * u128::from(len) + u128::from(digit);
            }
        }
        rank
    }

    /// The placement of a rank, with a side to move.
    ///
    /// # Errors
    /// The rank is not below [`Ranking::len`].
    pub fn unrank(&self, rank: u128, turn: Color) -> Result<Position, NoSuchRank> {
        if rank >= self.len() {
            return Err(NoSuchRank { tier: self.tier, rank, len: self.len() });
        }
        let mut pieces = ByColor::default();
        let rest = self.unrank_above_a(rank, &mut pieces);
        self.unrank_layer(rest as u32, Size::A, &mut pieces);
        Ok(Position::from_pieces_unchecked(pieces, turn))
    }

    /// The placement with the layer of A of a position, and the `above`-th of the layers above it.
    pub(super) fn on_layer_of_a(&self, layer: &Position, above: u128, turn: Color) -> Position {
        let mut pieces = ByColor::default();
        self.unrank_above_a(above, &mut pieces);
        for color in Color::ALL {
            pieces[color][Size::A] = layer.pieces(color, Size::A);
        }
        Position::from_pieces_unchecked(pieces, turn)
    }

    /// Puts down the layers above A that a rank names, and gives what it names of A.
    fn unrank_above_a(&self, rank: u128, pieces: &mut ByColor<BySize<Mask>>) -> u128 {
        let mut rest = rank;
        for size in [Size::D, Size::C, Size::B] {
            let len = u128::from(self.layers[size as usize]);
            if len > 1 {
                self.unrank_layer((rest % len) as u32, size, pieces);
                rest /= len;
            }
        }
        rest
    }

    fn unrank_layer(&self, digit: u32, size: Size, pieces: &mut ByColor<BySize<Mask>>) {
        let count = |color| self.tier.count(color, size);
        (pieces.white[size], pieces.black[size]) =
            layer::unrank(digit, count(Color::White), count(Color::Black));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tiers;
    use super::*;
    use crate::rules::{Setup, Variant};
    use crate::symmetry::key;

    fn every_tier(variant: &str) -> Vec<Ranking> {
        Tiers::new(variant.parse().expect("a variant")).as_slice().iter().map(|&t| Ranking::new(t)).collect()
    }

    #[test]
    fn small_tiers_are_numbered_without_gaps_in_the_order_of_keys() {
        let variant: Variant = "A2B2-A2B2".parse().expect("a variant");
        for ranking in every_tier("A2B2-A2B2").into_iter().filter(|ranking| ranking.len() < 400_000) {
            let mut before = None;
            for number in 0..ranking.len() {
                let position = ranking.unrank(number, Color::White).expect("a placement");
                assert_eq!(ranking.rank(&position), number);
                assert!(before < Some(key(&position)));
                before = Some(key(&position));
                if number % 1009 == 0 {
                    assert_eq!(
                        Setup::from(&position).position(variant),
                        Ok(position),
                        "through the only door"
                    );
                }
            }
        }
    }

    #[test]
    fn large_tiers_at_the_ends_and_in_between() {
        let variant: Variant = "abcd-full".parse().expect("a variant");
        for ranking in every_tier("abcd-full") {
            let len = ranking.len();
            for number in (0..7).map(|i| (len - 1) / 6 * i).chain([len - 1]) {
                let position = ranking.unrank(number, Color::Black).expect("a placement");
                assert_eq!(ranking.rank(&position), number);
                assert_eq!(Tier::of(&position), ranking.tier());
                assert_eq!(Setup::from(&position).position(variant), Ok(position));
            }
            assert!(ranking.unrank(len, Color::Black).is_err());
            assert!(ranking.unrank(u128::MAX, Color::Black).is_err());
        }
    }
}
