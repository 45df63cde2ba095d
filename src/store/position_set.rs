//! Sets of positions as sorted ranks.

use std::fmt;

use gobcheck::index::{Ranking, Tier, Tiers};
use gobcheck::rules::{Color, Position, Variant};

/// A set of positions of one variant, as strictly increasing ranks tier by tier. Membership is exact. The side to move
/// is no part of it: each set of a certificate has one for all its positions.
///
/// A certificate lists canonical positions only. This type does not look: the checker does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionSet {
    tiers: Tiers,
    /// One list for each tier, in the tiers' order.
    ranks: Vec<Vec<u128>>,
}

/// The error that lists of ranks are no set of positions: there is not one list for each tier, a list does not increase
/// strictly, or a rank is not below its tier's length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSet;

impl fmt::Display for NoSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "lists of ranks must be one for each tier, increase strictly, and stay below the tier's length",
        )
    }
}

impl std::error::Error for NoSet {}

impl PositionSet {
    /// No positions.
    #[must_use]
    pub fn empty(variant: Variant) -> PositionSet {
        let tiers = Tiers::new(variant);
        let ranks = vec![Vec::new(); tiers.as_slice().len()];
        PositionSet { tiers, ranks }
    }

    /// The set with these ranks, one list for each tier.
    ///
    /// # Errors
    /// The lists are no set.
    pub fn new(variant: Variant, ranks: Vec<Vec<u128>>) -> Result<PositionSet, NoSet> {
        let tiers = Tiers::new(variant);
        let fits = |(list, &tier): (&Vec<u128>, _)| {
            list.is_sorted_by(|one, next| one < next)
                && list.last().is_none_or(|&last| last < Ranking::new(tier).len())
        };
        let all = ranks.len() == tiers.as_slice().len() && ranks.iter().zip(tiers.as_slice()).all(fits);
        if all { Ok(PositionSet { tiers, ranks }) } else { Err(NoSet) }
    }

    /// The set of these positions, which may come in any order and more than once. The caller makes them canonical.
    ///
    /// # Panics
    /// If a position is not one of the variant.
    #[must_use]
    pub fn from_positions(variant: Variant, positions: impl IntoIterator<Item = Position>) -> PositionSet {
        let PositionSet { tiers, mut ranks } = PositionSet::empty(variant);
        let rankings: Vec<Ranking> = tiers.as_slice().iter().map(|&tier| Ranking::new(tier)).collect();
        for position in positions {
            let tier = Tier::of(&position);
            let Some(index) = tiers.index(tier) else {
                panic!("{position} has tier {tier}, which {variant} has not")
            };
            ranks[index].push(rankings[index].rank(&position));
        }
        for list in &mut ranks {
            list.sort_unstable();
            list.dedup();
            list.shrink_to_fit();
        }
        PositionSet { tiers, ranks }
    }

    /// Adds ranks at the end of a tier's list. The caller makes them larger than those that are there, and keeps them below the
    /// tier's length.
    pub(super) fn extend(&mut self, tier_index: usize, ranks: &[u128]) {
        self.ranks[tier_index].extend_from_slice(ranks);
    }

    /// The tiers whose positions are listed.
    #[must_use]
    pub fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    /// The ranks listed in a tier, strictly increasing; none for an index that is no tier's.
    #[must_use]
    pub fn ranks(&self, tier_index: usize) -> &[u128] {
        self.ranks.get(tier_index).map_or(&[], Vec::as_slice)
    }

    /// How many positions are listed.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ranks.iter().map(|list| list.len() as u64).sum()
    }

    /// Whether no position is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this very position is listed, not only an image of it. Its side to move is ignored. The caller makes it
    /// canonical.
    #[must_use]
    pub fn contains(&self, position: &Position) -> bool {
        let tier = Tier::of(position);
        let list = self.tiers.index(tier).map_or(&[][..], |index| self.ranks(index));
        !list.is_empty() && list.binary_search(&Ranking::new(tier).rank(position)).is_ok()
    }

    /// The positions in the order of the certificate, tier by tier and by rank, with `turn` to move: exactly
    /// [`PositionSet::len`] of them.
    pub fn positions(&self, turn: Color) -> impl Iterator<Item = Position> + '_ {
        (0..self.ranks.len()).flat_map(move |tier_index| self.positions_of(tier_index, turn))
    }

    /// The positions of one tier in the order of the certificate, with `turn` to move; none for an index that is no tier's.
    pub fn positions_of(&self, tier_index: usize, turn: Color) -> impl Iterator<Item = Position> + '_ {
        let ranking = self.tiers.as_slice().get(tier_index).map(|&tier| Ranking::new(tier));
        let position = move |&rank: &u128| ranking?.unrank(rank, turn);
        self.ranks(tier_index).iter().filter_map(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn variant() -> Variant {
        "A1-A1B1".read().expect("a variant")
    }

    #[test]
    fn positions_go_in_and_come_out_sorted_and_once() {
        let all: Vec<Position> = [
            ".,.,.,./.,.,.,./.,.,.,./A,.,.,a b",
            ".,.,.,./.,.,.,./.,.,.,./a,.,.,. b",
            ".,.,.,./.,.,.,./.,.,.,./A,.,.,a w",
            ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b",
        ]
        .iter()
        .map(|text| variant().parse(text).expect("a position"))
        .collect();
        let set = PositionSet::from_positions(variant(), all.iter().copied());
        assert_eq!(set.len(), 3, "the side to move does not count");
        assert!(!set.is_empty() && PositionSet::empty(variant()).is_empty());
        assert!(all.iter().all(|position| set.contains(position)));
        let back: Vec<Position> = set.positions(Color::Black).collect();
        assert_eq!(back, [all[3], all[1], all[0]]);
        assert_eq!(set.ranks(0), [0]);
        assert_eq!(set.ranks(99), []);
        let other = variant().parse(".,.,.,./.,.,.,./.,.,.,./A,.,a,. b").expect("a position");
        assert!(!set.contains(&other));
        let ranks = (0..6).map(|index| set.ranks(index).to_vec()).collect();
        assert_eq!(PositionSet::new(variant(), ranks), Ok(set));
    }

    #[test]
    fn a_position_of_another_variant_is_in_no_set() {
        let ab: Variant = "ab".read().expect("a variant");
        let position = ab.parse(".,.,.,./.,.,.,./.,.,.,./A,A,.,a b").expect("a position");
        assert!(!PositionSet::empty(variant()).contains(&position));
    }

    #[test]
    #[should_panic(expected = "which A1-A1B1 has not")]
    fn a_position_of_another_variant_makes_no_set() {
        let ab: Variant = "ab".read().expect("a variant");
        let position = ab.parse(".,.,.,./.,.,.,./.,.,.,./A,A,.,a b").expect("a position");
        let _ = PositionSet::from_positions(variant(), [position]);
    }

    #[test]
    fn lists_that_are_no_set() {
        let from = |ranks: &[(usize, &[u128])], lists| {
            let mut all = vec![Vec::new(); lists];
            for &(index, list) in ranks {
                all[index] = list.to_vec();
            }
            PositionSet::new(variant(), all)
        };
        assert_eq!(from(&[], 5), Err(NoSet));
        assert_eq!(from(&[], 7), Err(NoSet));
        assert_eq!(from(&[(1, &[3, 16])], 6), Err(NoSet));
        for list in [[3, 3], [4, 3]] {
            assert_eq!(from(&[(1, &list)], 6), Err(NoSet));
        }
        assert_eq!(from(&[(0, &[0]), (1, &[3, 15])], 6).map(|set| set.len()), Ok(3));
    }
}
