//! What a cut calls lost: by its seed, or listed.

use std::sync::OnceLock;

use super::listed;
use super::verdict::Breach;
use super::work::Workers;
use crate::certificate::PositionSet;
use crate::enumerate::{Folding, Tiers, foldings};
use crate::rules::{ByColor, BySize, Color, Game, Move, Position};
use crate::strategy::Seed;

/// The lost positions of a game.
pub(super) struct Lost<'a> {
    pub game: &'a Game,
    seed: Seed,
    /// One for each tier, in the tiers' order.
    pub foldings: Vec<Folding>,
    /// For each tier the place of the one that a piece from hand leads to, `None` where it leads nowhere.
    after_place: Vec<ByColor<BySize<Option<usize>>>>,
    /// What is listed, by side to move and tier. Where nothing is, there is nothing: what a short file costs
    /// is little, whatever the variant that it names.
    listed: ByColor<Vec<Option<Images>>>,
}

impl<'a> Lost<'a> {
    /// What the seed and these sets, by side to move, call lost.
    ///
    /// # Errors
    /// The first listed position that a certificate may not list.
    pub(super) fn new(
        game: &'a Game,
        seed: Seed,
        tiers: &Tiers,
        sets: &ByColor<&PositionSet>,
        workers: &Workers<'_>,
    ) -> Result<Lost<'a>, Breach> {
        let foldings = foldings(tiers);
        let mut lists = Vec::new();
        for turn in [Color::Black, Color::White] {
            let some = |tier: &usize| !sets[turn].ranks(*tier).is_empty();
            lists.extend((0..foldings.len()).filter(some).map(|tier| (turn, tier)));
        }
        let none = || (0..foldings.len()).map(|_| OnceLock::new()).collect();
        let listed: ByColor<Vec<_>> = ByColor { white: none(), black: none() };
        // Nothing is heard of this part, which is short.
        let workers = Workers { threads: workers.threads, progress: &|_, _| () };
        workers.run(lists.len(), |list| {
            let (turn, tier) = lists[list];
            let mut images = Images::none(&foldings[tier], sets[turn].ranks(tier).len());
            for position in sets[turn].positions_of(tier, turn) {
                listed::check(&position)?;
                if seed.lost(game, &position) {
                    return Err(listed::breach(&position, "a listed position is lost by the seed already"));
                }
                images.add(&foldings[tier], &position);
            }
            images.sort();
            listed[turn][tier].get_or_init(|| images);
            Ok(0)
        })?;
        let all = |cells: Vec<_>| cells.into_iter().map(OnceLock::into_inner).collect();
        Ok(Lost {
            game,
            seed,
            foldings,
            after_place: tiers.as_slice().iter().map(|&tier| tiers.after_place(tier)).collect(),
            listed: ByColor { white: all(listed.white), black: all(listed.black) },
        })
    }

    /// Whether a position is lost. `tier` is the place of its tier in the order.
    pub(super) fn contains(&self, tier: usize, position: &Position) -> bool {
        let images = self.listed[position.turn()][tier].as_ref();
        images.is_some_and(|images| images.contains(&self.foldings[tier], position))
            || self.seed.lost(self.game, position)
    }

    /// Whether the position that a move from tier `tier` led to is lost.
    pub(super) fn contains_after(&self, tier: usize, mv: Move, position: &Position) -> bool {
        let reached = match mv {
            Move::Transfer { .. } => Some(tier),
            Move::Place { size, .. } => self.after_place[tier][!position.turn()][size],
        };
        reached.is_none_or(|tier| self.contains(tier, position))
    }
}

/// Positions of one tier and side to move with all their images, by the numbers of the tier's folding, in
/// whichever form takes less memory: what a short file costs is little, whatever the variant that it names.
enum Images {
    /// The numbers, in order after [`Images::sort`].
    Few(Vec<usize>),
    /// A bit for each number of the folding.
    Many(Vec<u64>),
}

impl Images {
    /// None yet, with room for so many positions.
    fn none(folding: &Folding, positions: usize) -> Images {
        // A number has 64 bits, and nearly all positions have one image on a root.
        if folding.len() / 64 > positions {
            Images::Few(Vec::with_capacity(positions))
        } else {
            Images::Many(vec![0; folding.len().div_ceil(64)])
        }
    }

    fn add(&mut self, folding: &Folding, position: &Position) {
        let numbers = folding.all_numbers(position);
        match self {
            Images::Few(list) => list.extend(numbers),
            Images::Many(bits) => numbers.for_each(|number| bits[number / 64] |= 1 << (number % 64)),
        }
    }

    fn sort(&mut self) {
        if let Images::Few(list) = self {
            list.sort_unstable();
        }
    }

    fn contains(&self, folding: &Folding, position: &Position) -> bool {
        let number = folding.number(position);
        match self {
            Images::Few(list) => list.binary_search(&number).is_ok(),
            Images::Many(bits) => bits[number / 64] >> (number % 64) & 1 == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::Ranking;
    use crate::symmetry::{self, Symmetry};

    #[test]
    fn images_are_found_whether_few_or_many_are_listed_and_nothing_else() {
        let (mut few, mut many) = (0, 0);
        let tiers = Tiers::new("A1-A2B1".parse().expect("a variant"));
        for (folding, &tier) in foldings(&tiers).iter().zip(tiers.as_slice()) {
            let ranking = Ranking::new(tier);
            let all = || (0..ranking.len()).filter_map(|rank| ranking.unrank(rank, Color::White).ok());
            for step in [1, 7, 100, 1000] {
                let added: Vec<Position> = all().filter(symmetry::is_canonical).step_by(step).collect();
                let mut images = Images::none(folding, added.len());
                // In an order that the numbers do not have.
                added.iter().rev().for_each(|position| images.add(folding, position));
                images.sort();
                *(if matches!(images, Images::Few(_)) { &mut few } else { &mut many }) += 1;
                for position in all() {
                    let mut orbit = Symmetry::all().map(|symmetry| symmetry.position(&position));
                    let expected = orbit.any(|image| added.contains(&image));
                    assert_eq!(images.contains(folding, &position), expected, "{position}");
                }
            }
        }
        assert!(few > 0 && many > 0, "{few} and {many}");
    }

    #[test]
    fn one_listed_position_takes_little_memory_whatever_its_tier() {
        let tiers = Tiers::new("ab-full".parse().expect("a variant"));
        let folding = foldings(&tiers).pop().expect("the fullest tier");
        assert!(folding.len() > 1 << 29);
        assert!(matches!(Images::none(&folding, 1), Images::Few(list) if list.capacity() < 100));
    }
}
