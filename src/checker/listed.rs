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

/// A set of positions with all their images.
pub(super) struct Images {
    tiers: Vec<(Ranking, Ranks)>,
}

/// Ranks of one tier, in whichever form takes less memory: what a short file costs is little, whatever the
/// variant that it names.
enum Ranks {
    /// In order.
    Few(Vec<u128>),
    /// A bit for each placement of the tier.
    Many(Vec<u64>),
}

impl Images {
    /// The most placements that a variant may have, 2³⁶: a set of them takes at most 8 GiB.
    pub(super) const MOST: u128 = 1 << 36;

    /// The images of the listed positions.
    pub(super) fn of(set: &PositionSet) -> Images {
        // A rank has 128 bits, and a position up to 32 images.
        let room = |listed: usize| (listed * Symmetry::COUNT) as u128 * 128;
        let none = |(index, &tier): (usize, &Tier)| {
            let ranking = Ranking::new(tier);
            let ranks = if ranking.len() > room(set.ranks(index).len()) {
                Ranks::Few(Vec::new())
            } else {
                Ranks::Many(vec![0; ranking.len().div_ceil(64) as usize])
            };
            (ranking, ranks)
        };
        let mut tiers: Vec<_> = set.tiers().as_slice().iter().enumerate().map(none).collect();
        for position in set.positions(Color::Black) {
            if let Some(index) = set.tiers().index(Tier::of(&position)) {
                let (ranking, ranks) = &mut tiers[index];
                for symmetry in Symmetry::all() {
                    let rank = ranking.rank(&symmetry.position(&position));
                    match ranks {
                        Ranks::Few(list) => list.push(rank),
                        Ranks::Many(bits) => bits[(rank / 64) as usize] |= 1 << (rank % 64),
                    }
                }
            }
        }
        for (_, ranks) in &mut tiers {
            if let Ranks::Few(list) = ranks {
                list.sort_unstable();
            }
        }
        Images { tiers }
    }

    /// Whether the position, or an image of it, is listed. `tier` is the place of its tier in the order.
    pub(super) fn contains(&self, tier: usize, position: &Position) -> bool {
        let (ranking, ranks) = &self.tiers[tier];
        match ranks {
            Ranks::Few(list) if list.is_empty() => false,
            Ranks::Few(list) => list.binary_search(&ranking.rank(position)).is_ok(),
            Ranks::Many(bits) => {
                let rank = ranking.rank(position);
                bits[(rank / 64) as usize] >> (rank % 64) & 1 == 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Tiers;

    #[test]
    fn images_are_found_whether_few_or_many_are_listed() {
        let tiers = Tiers::new("A1-A2B1".parse().expect("a variant"));
        for step in [1, 7, 1000, 20_000] {
            let every_so_many = |&tier: &Tier| (0..Ranking::new(tier).len()).step_by(step).collect();
            let ranks = tiers.as_slice().iter().map(every_so_many).collect();
            let set = PositionSet::from_ranks(tiers.clone(), ranks).expect("a set");
            let images = Images::of(&set);
            let (mut few, mut many) = (0, 0);
            for (index, &tier) in tiers.as_slice().iter().enumerate() {
                *(if matches!(images.tiers[index].1, Ranks::Few(_)) { &mut few } else { &mut many }) += 1;
                for rank in 0..Ranking::new(tier).len() {
                    let position = Ranking::new(tier).unrank(rank, Color::White).expect("a placement");
                    let mut orbit = Symmetry::all().map(|symmetry| symmetry.position(&position));
                    assert_eq!(images.contains(index, &position), orbit.any(|image| set.contains(&image)));
                }
            }
            assert!(many > 0 && (few > 0) == (step > 4096), "{few} and {many}");
        }
    }
}
