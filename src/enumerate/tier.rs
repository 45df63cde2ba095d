//! Tiers: what each side has on the board.

use std::fmt;

use crate::rules::{ByColor, BySize, Color, Position, Size, Variant};

/// How many pieces of each colour and size are on the board. A piece never leaves the board (R5), so play
/// goes from a tier to itself or to a later one, never back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tier(ByColor<BySize<u8>>);

impl Tier {
    /// The tier of a position.
    #[must_use]
    pub fn of(position: &Position) -> Tier {
        let side = |color| BySize(Size::ALL.map(|size| position.pieces(color, size).count() as u8));
        Tier(ByColor { white: side(Color::White), black: side(Color::Black) })
    }

    /// How many pieces of a colour and size are on the board.
    #[must_use]
    pub fn count(self, color: Color, size: Size) -> u8 {
        self.0[color][size]
    }

    /// How many pieces are on the board.
    #[must_use]
    pub fn pieces(self) -> u32 {
        Color::ALL.into_iter().flat_map(|color| self.0[color].0).map(u32::from).sum()
    }

    /// The tier with the colours exchanged.
    #[cfg(feature = "prover")]
    #[must_use]
    pub fn exchanged(self) -> Tier {
        Tier(ByColor { white: self.0.black, black: self.0.white })
    }

    /// The tier after `color` has placed a piece of `size`, `None` where R2 or the variant forbid it.
    #[must_use]
    pub fn after_place(mut self, variant: Variant, color: Color, size: Size) -> Option<Tier> {
        let count = self.0[color][size] + 1;
        let nested = size.larger().is_some_and(|larger| count > self.0[color][larger]);
        self.0[color][size] = count;
        (count <= variant.material()[color].count(size) && !nested).then_some(self)
    }
}

/// `A3.A3B2`: White's pieces, a dot, Black's; `0` for none.
impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            if color == Color::Black {
                f.write_str(".")?;
            }
            if self.count(color, Size::A) == 0 {
                f.write_str("0")?;
            }
            for size in Size::ALL {
                if self.count(color, size) > 0 {
                    write!(f, "{size}{}", self.count(color, size))?;
                }
            }
        }
        Ok(())
    }
}

/// The tiers of a variant in their fixed order: by white counts, A first, then by black counts. The empty
/// board comes first, and every move leads to the same tier or a later one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tiers {
    variant: Variant,
    all: Vec<Tier>,
}

impl Tiers {
    /// The tiers of a variant.
    #[must_use]
    pub fn new(variant: Variant) -> Tiers {
        let counts = |color| {
            let material = variant.material()[color];
            let mut sides = vec![];
            for a in 0..=material.count(Size::A) {
                for b in 0..=a.min(material.count(Size::B)) {
                    for c in 0..=b.min(material.count(Size::C)) {
                        for d in 0..=c.min(material.count(Size::D)) {
                            sides.push(BySize([a, b, c, d]));
                        }
                    }
                }
            }
            sides
        };
        let (white, black) = (counts(Color::White), counts(Color::Black));
        let all = white
            .iter()
            .flat_map(|&white| black.iter().map(move |&black| Tier(ByColor { white, black })))
            .collect();
        Tiers { variant, all }
    }

    /// The variant whose tiers these are.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The tiers in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Tier] {
        &self.all
    }

    /// The place of a tier in the order, counted from 0; `None` if the variant does not have it.
    #[must_use]
    pub fn index(&self, tier: Tier) -> Option<usize> {
        self.all.binary_search(&tier).ok()
    }

    /// The places of the tiers that a piece from hand leads to, as [`Tier::after_place`] has them; `None` where
    /// there is none to place.
    #[must_use]
    pub fn after_place(&self, tier: Tier) -> ByColor<BySize<Option<usize>>> {
        let after = |color, size| self.index(tier.after_place(self.variant, color, size)?);
        let after = |color| BySize(Size::ALL.map(|size| after(color, size)));
        ByColor { white: after(Color::White), black: after(Color::Black) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_sorted_and_follows_play() {
        for (_, variant) in Variant::named() {
            let tiers = Tiers::new(variant);
            assert!(tiers.as_slice().is_sorted_by(|a, b| a < b));
            for (index, &tier) in tiers.as_slice().iter().enumerate() {
                assert_eq!(tiers.index(tier), Some(index));
                for color in Color::ALL {
                    for size in Size::ALL {
                        let next = tier.after_place(variant, color, size);
                        let later = tiers.after_place(tier)[color][size];
                        assert_eq!(later.map(|later| tiers.as_slice()[later]), next);
                        assert!(later.is_none_or(|later| later > index), "{tier} to {next:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn tier_counts() {
        // White has 0 … 3 A: 4. Black has a ≥ b: 10.
        assert_eq!(Tiers::new("ab".parse().expect("a variant")).as_slice().len(), 40);
        // a ≥ b ≥ c ≥ d in 0 … 3: the multisets of 4 out of 4, 35 a side.
        assert_eq!(Tiers::new("abcd-full".parse().expect("a variant")).as_slice().len(), 35 * 35);
    }

    #[test]
    fn tiers_are_named() {
        let names: Vec<_> = Tiers::new("A1-A1B1".parse().expect("a variant"))
            .as_slice()
            .iter()
            .map(Tier::to_string)
            .collect();
        assert_eq!(names, ["0.0", "0.A1", "0.A1B1", "A1.0", "A1.A1", "A1.A1B1"]);
    }
}
