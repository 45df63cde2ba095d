//! The census: how many placements and canonical positions a tier has, by a formula.
//!
//! By Burnside's lemma the number of orbits is the mean, over the 32 symmetries, of the number of placements that a
//! symmetry leaves unchanged. A symmetry leaves a layer unchanged when each colour's squares are a union of its cycles.
//! So the number of unchanged layers with w white and b black pieces is the coefficient of xʷ yᵇ in ∏ (1 + x^|c| +
//! y^|c|) over the cycles c. Layers are independent. Nothing is enumerated here, so the census tests everything that
//! enumerates.

use gobcheck::index::{Tier, Tiers, layer};

use crate::prelude::*;
use crate::rules::{Bitboard, Color, Size, Square, Variant};
use crate::symmetry::Symmetry;

/// How many positions there are with a given side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Placements.
    pub positions: u128,
    /// Orbits of placements, each with one canonical position.
    pub canonical: u128,
}

/// The most pieces of a colour that a layer holds.
const MOST: usize = 3;

/// `fixed[w][b]`: how many layers of w white and b black pieces a symmetry leaves unchanged.
type Fixed = [[u128; MOST + 1]; MOST + 1];

/// The counts of all tiers of a variant, in the tiers' order.
#[must_use]
pub fn tiers(tiers: &Tiers) -> Vec<Count> {
    let fixed: Vec<Fixed> = Symmetry::all().map(fixed_layers).collect();
    tiers.as_slice().iter().map(|&tier| count(tier, &fixed)).collect()
}

/// The counts of one tier.
#[must_use]
pub fn tier(tier: Tier) -> Count {
    let fixed: Vec<Fixed> = Symmetry::all().map(fixed_layers).collect();
    count(tier, &fixed)
}

/// The sum over all tiers of a variant.
#[must_use]
pub fn variant(variant: Variant) -> Count {
    tiers(&Tiers::new(variant)).into_iter().fold(Count::default(), |sum, count| Count {
        positions: sum.positions + count.positions,
        canonical: sum.canonical + count.canonical,
    })
}

/// The number of placements as the thesis counts them (section 2.2): only tiers with at least one A of
/// each side on the board.
#[must_use]
pub fn thesis_convention(variant: Variant) -> u128 {
    let both_have_a = |tier: &&Tier| Color::ALL.into_iter().all(|color| tier.count(color, Size::A) >= 1);
    Tiers::new(variant).as_slice().iter().filter(both_have_a).map(|&tier| placements(tier)).sum()
}

fn counts(tier: Tier, size: Size) -> (u8, u8) {
    (tier.count(Color::White, size), tier.count(Color::Black, size))
}

fn placements(tier: Tier) -> u128 {
    Size::ALL.into_iter().map(|size| counts(tier, size)).map(|(w, b)| u128::from(layer::len(w, b))).product()
}

fn count(tier: Tier, fixed: &[Fixed]) -> Count {
    let fixed_by = |fixed: &Fixed| -> u128 {
        Size::ALL
            .into_iter()
            .map(|size| counts(tier, size))
            .map(|(w, b)| fixed[usize::from(w)][usize::from(b)])
            .product()
    };
    let canonical = fixed.iter().map(fixed_by).sum::<u128>() / Symmetry::COUNT as u128;
    Count { positions: placements(tier), canonical }
}

fn fixed_layers(symmetry: Symmetry) -> Fixed {
    let mut fixed: Fixed = Default::default();
    fixed[0][0] = 1;
    for len in cycles(symmetry) {
        for white in (0..=MOST).rev() {
            for black in (0..=MOST).rev() {
                let with_white = if white >= len { fixed[white - len][black] } else { 0 };
                let with_black = if black >= len { fixed[white][black - len] } else { 0 };
                fixed[white][black] += with_white + with_black;
            }
        }
    }
    fixed
}

/// The lengths of a symmetry's cycles.
fn cycles(symmetry: Symmetry) -> Vec<usize> {
    let mut seen = Bitboard::EMPTY;
    let mut lengths = Vec::new();
    for start in Square::ALL {
        let mut square = start;
        let mut len = 0;
        while !seen.contains(square) {
            seen = seen.with(square);
            square = symmetry.square(square);
            len += 1;
        }
        if len > 0 {
            lengths.push(len);
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::super::{Ranking, positions_above, roots};
    use super::*;

    fn variant_of(name: &str) -> Variant {
        name.read().expect("a variant")
    }

    #[test]
    fn the_thesis_sizes_to_every_printed_digit() {
        // Thesis, section 2.2: the figures as printed, with their number of digits.
        for (name, digits, exponent, printed) in [
            ("ab-full", 6, 10, 506_294),
            ("ab", 6, 8, 155_017),
            ("abc-full", 4, 15, 8_386),
            ("abc", 5, 13, 26_946),
            ("abcd", 5, 18, 44_068),
            ("abcd-full", 6, 21, 135_531),
        ] {
            let exact = thesis_convention(variant_of(name));
            let unit = 10u128.pow(exponent + 1 - digits);
            assert_eq!((exact + unit / 2) / unit, printed, "{name}: {exact}");
        }
    }

    #[test]
    fn published_counts() {
        // From independent programs.
        assert_eq!(variant(variant_of("ab")).canonical, 4_872_077);
        assert_eq!(variant(variant_of("abc")).canonical, 842_077_418_731);
        assert_eq!(variant(variant_of("ab-full")).positions, 50_630_180_265);
        assert_eq!(variant(variant_of("A3-A3B3C3")).positions, 87_105_875_305);
    }

    #[test]
    fn enumeration_agrees_tier_by_tier() {
        for name in ["A2-A2B2", "A2B1-A1B1C1"] {
            for &each in Tiers::new(variant_of(name)).as_slice() {
                let ranking = Ranking::new(each);
                let census = tier(each);
                assert_eq!(ranking.len(), census.positions, "{each}");
                let all = roots(each);
                let found: usize =
                    all.iter().map(|root| positions_above(&ranking, root, Color::White).count()).sum();
                assert_eq!(found as u128, census.canonical, "{each}");
            }
        }
    }
}
