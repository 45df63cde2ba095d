//! Sets of positions as sorted ranks.

use std::fmt;

use crate::enumerate::{NoSuchRank, Ranking, Tier, Tiers};
use crate::rules::{Color, Position, Variant};

/// A set of positions of one variant, as strictly increasing ranks tier by tier. Membership is exact. The
/// side to move is no part of it: each set of a certificate has one for all its positions.
///
/// A certificate lists canonical positions only. This type does not look: the checker does, and who asks
/// or builds brings canonical ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionSet {
    tiers: Tiers,
    /// One list for each tier, in the tiers' order.
    ranks: Vec<Vec<u128>>,
    len: u64,
}

/// Why lists of ranks are no set of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetError {
    /// There is not one list for each tier.
    Lists {
        /// How many lists there are.
        lists: usize,
        /// How many tiers the variant has.
        tiers: usize,
    },
    /// A rank is not below its tier's length.
    Range(NoSuchRank),
    /// A rank is not above the one before it.
    Order {
        /// The tier.
        tier: Tier,
        /// The place of the later rank in its list, counted from 0.
        place: usize,
        /// The rank.
        rank: u128,
    },
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::Lists { lists, tiers } => {
                write!(f, "{lists} lists of ranks for a variant of {tiers} tiers")
            }
            SetError::Range(error) => error.fmt(f),
            SetError::Order { tier, place, rank } => {
                write!(f, "rank {rank}, entry {place} of tier {tier}, is not above the entry before it")
            }
        }
    }
}

impl std::error::Error for SetError {}

impl PositionSet {
    /// No positions.
    #[must_use]
    pub fn empty(variant: Variant) -> PositionSet {
        let tiers = Tiers::new(variant);
        let ranks = vec![Vec::new(); tiers.as_slice().len()];
        PositionSet { tiers, ranks, len: 0 }
    }

    /// The set with these ranks, one list for each tier.
    ///
    /// # Errors
    /// There is not one list for each tier, a rank is beyond its tier, or a list is not strictly increasing.
    pub fn from_ranks(tiers: Tiers, ranks: Vec<Vec<u128>>) -> Result<PositionSet, SetError> {
        if ranks.len() != tiers.as_slice().len() {
            return Err(SetError::Lists { lists: ranks.len(), tiers: tiers.as_slice().len() });
        }
        for (&tier, list) in tiers.as_slice().iter().zip(&ranks) {
            let end = Ranking::new(tier).len();
            let mut before = None;
            for (place, &rank) in list.iter().enumerate() {
                if rank >= end {
                    return Err(SetError::Range(NoSuchRank { tier, rank, len: end }));
                }
                if before >= Some(rank) {
                    return Err(SetError::Order { tier, place, rank });
                }
                before = Some(rank);
            }
        }
        Ok(PositionSet::from_checked(tiers, ranks))
    }

    /// The set with these ranks: one list for each tier, all strictly increasing and inside their tiers.
    pub(super) fn from_checked(tiers: Tiers, ranks: Vec<Vec<u128>>) -> PositionSet {
        let len = ranks.iter().map(|list| list.len() as u64).sum();
        PositionSet { tiers, ranks, len }
    }

    /// The set of these positions, in any order and however often each is named.
    ///
    /// # Panics
    /// If a position is not one of the variant.
    #[must_use]
    pub fn from_positions(variant: Variant, positions: impl IntoIterator<Item = Position>) -> PositionSet {
        let mut set = PositionSet::empty(variant);
        for position in positions {
            let tier = Tier::of(&position);
            let list = set.tiers.index(tier).and_then(|index| set.ranks.get_mut(index));
            let Some(list) = list else { panic!("{position} has tier {tier}, which {variant} has not") };
            list.push(Ranking::new(tier).rank(&position));
        }
        for list in &mut set.ranks {
            list.sort_unstable();
            list.dedup();
            list.shrink_to_fit();
        }
        PositionSet::from_checked(set.tiers, set.ranks)
    }

    /// The tiers whose positions are listed.
    #[must_use]
    pub fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    /// The variant whose positions are listed.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.tiers.variant()
    }

    /// The ranks listed in a tier, strictly increasing; none for an index that is no tier's.
    #[must_use]
    pub fn ranks(&self, tier_index: usize) -> &[u128] {
        self.ranks.get(tier_index).map_or(&[], Vec::as_slice)
    }

    /// How many positions are listed.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no position is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the very position is listed, whatever its side to move; bring it in canonical form.
    #[must_use]
    pub fn contains(&self, position: &Position) -> bool {
        let tier = Tier::of(position);
        let list = self.tiers.index(tier).map(|index| self.ranks(index));
        list.is_some_and(|list| {
            !list.is_empty() && list.binary_search(&Ranking::new(tier).rank(position)).is_ok()
        })
    }

    /// The positions in the order of the certificate, tier by tier and by rank, each with the side to move
    /// that is given: exactly [`PositionSet::len`] of them.
    pub fn positions(&self, turn: Color) -> impl Iterator<Item = Position> + '_ {
        (0..self.ranks.len()).flat_map(move |tier_index| self.positions_of(tier_index, turn))
    }

    /// The positions of one tier in that order.
    ///
    /// # Panics
    /// If the index is no tier's.
    pub fn positions_of(&self, tier_index: usize, turn: Color) -> impl Iterator<Item = Position> + '_ {
        let ranking = Ranking::new(self.tiers.as_slice()[tier_index]);
        // No rank enters a set without being held to its tier. To skip one would hide an entry
        // from a check, so a bug here has to stop it.
        let position = move |&rank| ranking.unrank(rank, turn).expect("ranks are held to their tier");
        self.ranks[tier_index].iter().map(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant() -> Variant {
        "A1-A1B1".parse().expect("a variant")
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
        .map(|text| Position::parse(text, variant()).expect("a position"))
        .collect();
        let set = PositionSet::from_positions(variant(), all.iter().copied());
        assert_eq!(set.len(), 3, "the side to move does not count");
        assert!(!set.is_empty() && PositionSet::empty(variant()).is_empty());
        assert!(all.iter().all(|position| set.contains(position)));
        let back: Vec<Position> = set.positions(Color::Black).collect();
        assert_eq!(back, [all[3], all[1], all[0]]);
        assert_eq!(set.ranks(0), [0]);
        assert_eq!(set.ranks(99), []);
        let other = Position::parse(".,.,.,./.,.,.,./.,.,.,./A,.,a,. b", variant()).expect("a position");
        assert!(!set.contains(&other));
        let ranks = (0..6).map(|index| set.ranks(index).to_vec()).collect();
        assert_eq!(PositionSet::from_ranks(Tiers::new(variant()), ranks), Ok(set));
    }

    #[test]
    fn a_position_of_another_variant_is_in_no_set() {
        let ab: Variant = "ab".parse().expect("a variant");
        let position = Position::parse(".,.,.,./.,.,.,./.,.,.,./A,A,.,a b", ab).expect("a position");
        assert!(!PositionSet::empty(variant()).contains(&position));
    }

    #[test]
    #[should_panic(expected = "which A1-A1B1 has not")]
    fn a_position_of_another_variant_makes_no_set() {
        let ab: Variant = "ab".parse().expect("a variant");
        let position = Position::parse(".,.,.,./.,.,.,./.,.,.,./A,A,.,a b", ab).expect("a position");
        let _ = PositionSet::from_positions(variant(), [position]);
    }

    #[test]
    fn lists_that_are_no_set() {
        let from = |ranks: &[(usize, &[u128])], lists| {
            let mut all = vec![Vec::new(); lists];
            for &(index, list) in ranks {
                all[index] = list.to_vec();
            }
            PositionSet::from_ranks(Tiers::new(variant()), all)
        };
        let tier = Tiers::new(variant()).as_slice()[1];
        assert_eq!(from(&[], 5), Err(SetError::Lists { lists: 5, tiers: 6 }));
        assert_eq!(from(&[(1, &[3, 16])], 6), Err(SetError::Range(NoSuchRank { tier, rank: 16, len: 16 })));
        for list in [[3, 3], [4, 3]] {
            assert_eq!(from(&[(1, &list)], 6), Err(SetError::Order { tier, place: 1, rank: 3 }));
        }
        assert_eq!(from(&[(0, &[0]), (1, &[3, 15])], 6).map(|set| set.len()), Ok(3));
        for (ranks, lists, words) in [
            (&[][..], 5, ["5 lists", "6 tiers"]),
            (&[(1, &[3, 16][..])], 6, ["rank 16", "16 placements"]),
            (&[(1, &[4, 3])], 6, ["rank 3, entry 1", "not above"]),
        ] {
            let text = from(ranks, lists).expect_err("no set").to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
        }
    }
}
