//! Listed positions: what any of them must be, and quick membership.

use super::verdict::{Breach, Condition};
use crate::certificate::PositionSet;
use crate::enumerate::{Ranking, Tier};
use crate::rules::{Color, Position};
use crate::symmetry::{self, Symmetry};

/// Refuses a listed position that is not canonical or holds a line.
///
/// # Errors
/// The breach of [`Condition::Listed`].
pub(super) fn check(position: &Position) -> Result<(), Breach> {
    let breach = |reason: &str| Breach {
        condition: Condition::Listed,
        position: Some(*position),
        mv: None,
        reason: reason.to_owned(),
    };
    if !symmetry::is_canonical(position) {
        return Err(breach("a listed position is not the canonical one of its orbit"));
    }
    if Color::ALL.into_iter().any(|color| position.has_line(color)) {
        return Err(breach("a listed position holds a line"));
    }
    Ok(())
}

/// A set of positions with all their images: one bit for every placement of the variant.
pub(super) struct Images {
    tiers: Vec<Ranking>,
    /// For each tier the bits, by rank.
    bits: Vec<Vec<u64>>,
}

impl Images {
    /// The most placements that a variant may have, 2³⁶: a set of them takes 8 GiB.
    pub(super) const MOST: u128 = 1 << 36;

    /// The images of the listed positions.
    pub(super) fn of(set: &PositionSet) -> Images {
        let tiers: Vec<Ranking> = set.tiers().as_slice().iter().map(|&tier| Ranking::new(tier)).collect();
        let zeros = |ranking: &Ranking| vec![0; ranking.len().div_ceil(64) as usize];
        let mut images = Images { bits: tiers.iter().map(zeros).collect(), tiers };
        for position in set.positions(Color::Black) {
            if let Some(tier) = set.tiers().index(Tier::of(&position)) {
                for symmetry in Symmetry::all() {
                    let rank = images.tiers[tier].rank(&symmetry.position(&position));
                    images.bits[tier][(rank / 64) as usize] |= 1 << (rank % 64);
                }
            }
        }
        images
    }

    /// Whether the position, or an image of it, is listed. `tier` is the place of its tier in the order.
    pub(super) fn contains(&self, tier: usize, position: &Position) -> bool {
        let rank = self.tiers[tier].rank(position);
        self.bits[tier][(rank / 64) as usize] >> (rank % 64) & 1 == 1
    }
}
