//! Sets of positions: making one from positions, and looking up whether a position is in a set.

use std::fmt;

use gobcheck::format::{Certificate, Kind, PositionSet};
use gobcheck::index::{Ranking, Tier, Tiers};
use gobcheck::rules::{Color, Position, Variant};

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

/// Operations on a set that the trusted part does not need.
pub trait Positions: Sized {
    /// The set of these positions, which may come in any order and more than once. The caller makes them canonical.
    ///
    /// # Panics
    /// If a position is not one of the variant.
    #[must_use]
    fn from_positions(variant: Variant, positions: impl IntoIterator<Item = Position>) -> Self;

    /// Whether this very position is listed, not only an image of it. Its side to move is ignored. The caller makes it
    /// canonical.
    #[must_use]
    fn contains(&self, position: &Position) -> bool;

    /// The positions of one tier in the order of the certificate, with `turn` to move; none for an index that is no tier's.
    fn positions_of(&self, tier_index: usize, turn: Color) -> impl Iterator<Item = Position> + '_;
}

impl Positions for PositionSet {
    fn from_positions(variant: Variant, positions: impl IntoIterator<Item = Position>) -> PositionSet {
        let tiers = Tiers::new(variant);
        let rankings: Vec<Ranking> = tiers.as_slice().iter().map(|&tier| Ranking::new(tier)).collect();
        let mut lists = vec![Vec::new(); rankings.len()];
        for position in positions {
            let tier = Tier::of(&position);
            let Some(index) = tiers.index(tier) else {
                panic!("{position} has tier {tier}, which {variant} has not")
            };
            lists[index].push(rankings[index].rank(&position));
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
            list.shrink_to_fit();
        }
        PositionSet::new(variant, lists).expect("sorted ranks of positions of the variant")
    }

    fn contains(&self, position: &Position) -> bool {
        let tier = Tier::of(position);
        let list = self.tiers().index(tier).map_or(&[][..], |index| self.ranks(index));
        !list.is_empty() && list.binary_search(&Ranking::new(tier).rank(position)).is_ok()
    }

    fn positions_of(&self, tier_index: usize, turn: Color) -> impl Iterator<Item = Position> + '_ {
        let ranking = self.tiers().as_slice().get(tier_index).map(|&tier| Ranking::new(tier));
        let position = move |&rank: &u128| ranking?.unrank(rank, turn);
        self.ranks(tier_index).iter().filter_map(position)
    }
}

/// What a certificate lists, by side to move.
pub trait Listing {
    /// The positions listed with a side to move; `None` where the kind lists none: a closure's White, a refutation's
    /// Black.
    #[must_use]
    fn listed(&self, turn: Color) -> Option<&PositionSet>;
}

impl Listing for Certificate {
    fn listed(&self, turn: Color) -> Option<&PositionSet> {
        match (self.claim.kind, turn) {
            (Kind::Cut | Kind::Closure, Color::Black) => Some(&self.black_to_move),
            (Kind::Cut | Kind::Refutation, Color::White) => Some(&self.white_to_move),
            (Kind::Closure, Color::White) | (Kind::Refutation, Color::Black) => None,
        }
    }
}
