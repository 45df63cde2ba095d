//! Ranks: a number for every placement of a tier, without gaps.

use super::layer;
use super::tier::Tier;
use crate::rules::{Color, Position, Size};

/// The numbering of a tier's placements: 0 … `len − 1`. The layers from A to D are the digits, most significant first. The
/// side to move does not count. The canonical position of an orbit is the one of smallest rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranking {
    tier: Tier,
    /// How many placements each layer has, A first.
    layers: [u32; 4],
    /// How many of them share their white squares.
    alike: [u32; 4],
}

impl Ranking {
    /// The numbering of a tier.
    pub fn new(tier: Tier) -> Ranking {
        let by_size = |f: fn(u8, u8) -> u32| {
            Size::ALL.map(|size| f(tier.count(Color::White, size), tier.count(Color::Black, size)))
        };
        Ranking { tier, layers: by_size(layer::len), alike: by_size(layer::alike) }
    }

    /// The tier.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// How many placements the tier has.
    #[allow(clippy::len_without_is_empty, reason = "no tier is empty")]
    pub fn len(&self) -> u128 {
        u128::from(self.layers[0]) * self.len_above_a()
    }

    /// How many placements share a layer of A.
    pub fn len_above_a(&self) -> u128 {
        let [_, above @ ..] = self.layers;
        above.into_iter().map(u128::from).product()
    }

    /// The rank of a placement. It means nothing for a position of another tier.
    pub fn rank(&self, position: &Position) -> u128 {
        u128::from(self.digit(position, Size::A)) * self.len_above_a() + self.rank_above_a(position)
    }

    /// The rank of a placement among those that share its layer of A.
    pub fn rank_above_a(&self, position: &Position) -> u128 {
        [Size::B, Size::C, Size::D].into_iter().fold(0, |rank, size| match self.layers[size as usize] {
            1 => rank,
            len => rank * u128::from(len) + u128::from(self.digit(position, size)),
        })
    }

    /// The digit of a size: the rank of that layer among those with as many pieces.
    pub fn digit(&self, position: &Position, size: Size) -> u32 {
        let [white, black] = Color::ALL.map(|color| position.pieces(color, size));
        layer::rank_among(white, black, self.alike[size as usize])
    }

    /// The placement of a rank, with a side to move; `None` if the rank is not below [`Ranking::len`].
    pub fn unrank(&self, rank: u128, turn: Color) -> Option<Position> {
        let (mut sides, mut rest) = ([0; 2], rank);
        for size in [Size::D, Size::C, Size::B, Size::A] {
            let len = u128::from(self.layers[size as usize]);
            let [white, black] = Color::ALL.map(|color| self.tier.count(color, size));
            let (white, black) = layer::unrank((rest % len) as u32, white, black);
            sides = [sides[0] << 16 | u64::from(white.0), sides[1] << 16 | u64::from(black.0)];
            rest /= len;
        }
        (rest == 0).then_some(Position::from_sides(sides, turn))
    }
}
