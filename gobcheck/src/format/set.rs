//! Sets of positions as sorted ranks.

use crate::index::{Ranking, Tiers};
use crate::rules::{Color, Position, Variant};

/// A set of positions of one variant, as strictly increasing ranks tier by tier. Membership is exact. The side to move
/// is no part of it: each set of a certificate has one for all its positions.
///
/// A certificate lists canonical positions only. This type does not look: the checker does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionSet {
    tiers: Tiers,
    /// One list for each tier, in the tiers' order.
    pub(super) ranks: Vec<Vec<u128>>,
}

impl PositionSet {
    /// No positions.
    pub fn empty(variant: Variant) -> PositionSet {
        let tiers = Tiers::new(variant);
        let ranks = vec![Vec::new(); tiers.as_slice().len()];
        PositionSet { tiers, ranks }
    }

    /// The set with these ranks; `None` unless there is one list for each tier, strictly increasing, and each rank is
    /// below its tier's length.
    pub fn new(variant: Variant, ranks: Vec<Vec<u128>>) -> Option<PositionSet> {
        let tiers = Tiers::new(variant);
        let fits = |(list, &tier): (&Vec<u128>, _)| {
            list.is_sorted_by(|one, next| one < next) && list.last().is_none_or(|&last| last < Ranking::new(tier).len())
        };
        let all = ranks.len() == tiers.as_slice().len() && ranks.iter().zip(tiers.as_slice()).all(fits);
        all.then_some(PositionSet { tiers, ranks })
    }

    /// The tiers whose positions are listed.
    pub fn tiers(&self) -> &Tiers {
        &self.tiers
    }

    /// The ranks listed in a tier, strictly increasing; none for an index that is no tier's.
    pub fn ranks(&self, tier_index: usize) -> &[u128] {
        self.ranks.get(tier_index).map_or(&[], Vec::as_slice)
    }

    /// How many positions are listed.
    pub fn len(&self) -> u64 {
        self.ranks.iter().map(|list| list.len() as u64).sum()
    }

    /// Whether no position is listed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The positions in the order of the certificate, tier by tier and by rank, each with the side to move that is
    /// given: exactly [`PositionSet::len`] of them, since every rank is below its tier's length.
    pub fn positions(&self, turn: Color) -> impl Iterator<Item = Position> + '_ {
        self.tiers.as_slice().iter().zip(&self.ranks).flat_map(move |(&tier, ranks)| {
            let ranking = Ranking::new(tier);
            ranks.iter().filter_map(move |&rank| ranking.unrank(rank, turn))
        })
    }
}
