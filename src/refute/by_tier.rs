//! The order of a solve that went tier by tier and kept what each round found.
//!
//! A piece never leaves the board. So a refutation may go to any lost position of a later tier, and in its own tier to what
//! an earlier round found. Only one tier's rounds are needed at a time, and of later tiers which positions are lost.
//!
//! Rounds are known by classes, so that a position takes a few bits. Inside a class the order is kept by going through the
//! rounds from the last to the first: what a round found is crossed out before its own positions are answered.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::order::{FAR, Order, Stage};
use super::tier_distances::{TierDistances, no_bits};
use super::{Refuting, tell};
use crate::bitbase::solution::Solution;
use crate::bitbase::window::Place;
use crate::closure::Watcher;
use crate::enumerate::Tier;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::{FixpointError, all_finished, bytes_of_table, hold_finished};
use crate::rules::{ByColor, Color, Game, Position, Variant};
use crate::store::saved::rounds::{FoundInRounds, RoundBlock};
use crate::store::{Checkpoint, SavedTiers};
use crate::strategy::Seed;

/// The number of classes.
const CLASSES: u8 = 15;

/// Each of the first rounds has a class of its own.
const ALONE: u32 = 8;

/// What is stored of a position that is crossed out.
const CROSSED_OUT: u8 = CLASSES + 1;

/// The number of a lost position of a later tier. Those of the tier itself have the number of their class and one more.
const LATER: u8 = 1;

/// The class of a round, from 1. The last rounds share the classes that the first ones leave.
fn class(round: u32, rounds: u32) -> u8 {
    if rounds <= CLASSES.into() || round <= ALONE {
        return round as u8;
    }
    let (beyond, left) = (u64::from(round - ALONE - 1), u64::from(u32::from(CLASSES) - ALONE));
    (u64::from(ALONE + 1) + beyond * left / u64::from(rounds - ALONE)) as u8
}

/// The most bytes that the order takes, if the share `won`, in percent, of each tier is lost.
pub(crate) fn bytes(variant: Variant, discipline: Discipline, won: usize) -> u128 {
    let layout = Layout::within(variant, discipline);
    let (mut later, mut most) = (0, 0);
    for tier in layout.all().iter().rev() {
        let numbers = tier.numbers();
        most = most.max(later + TierDistances::bytes(numbers, numbers / 100 * won, CROSSED_OUT));
        later += tier.bytes();
    }
    bytes_of_table(variant, discipline) + most.max(later)
}

/// The order, with one tier at hand.
pub(crate) struct ByTier<'a> {
    solved: &'a Checkpoint<SavedTiers>,
    /// The lost positions with White to move of the tiers after the one at hand.
    later: Solution,
    hand: Option<Hand>,
}

/// The tier at hand.
struct Hand {
    tier: usize,
    classes: TierDistances,
    /// Rounds from this one on are crossed out.
    crossed_out: u32,
}

impl<'a> ByTier<'a> {
    /// The order of a finished solve within a discipline.
    ///
    /// # Errors
    /// A tier is not finished.
    pub(crate) fn new(
        game: &Game,
        discipline: Discipline,
        solved: &'a Checkpoint<SavedTiers>,
    ) -> Result<ByTier<'a>, FixpointError> {
        let later = Solution::nowhere(game, Seed::Rules, discipline);
        all_finished(&later.layout, solved)?;
        Ok(ByTier { solved, later, hand: None })
    }

    /// Whether Black wins from the empty board, whoever moves first.
    ///
    /// # Errors
    /// As [`Order::enter`].
    pub(crate) fn black_wins(&mut self, watcher: Watcher<'_, Refuting>) -> Result<bool, FixpointError> {
        let rounds = self.rounds(0);
        self.enter(Stage { list: 0, place: rounds + 1 }, watcher)?;
        let is_answered = |answers: Result<Vec<_>, _>| answers.map_or(true, |answers| !answers.is_empty());
        let answered = is_answered(self.answers(&Position::empty(Color::Black), FAR));
        Ok(answered && self.of(&Position::empty(Color::White)) != FAR)
    }

    fn plan(&self, tier: usize) -> &TierLayout {
        self.later.layout.tier(tier)
    }

    fn found(&self, tier: usize) -> &'a [FoundInRounds] {
        let rounds = self.solved.manifest.rounds.as_ref();
        rounds.and_then(|rounds| rounds.get(&tier)).map_or(&[], Vec::as_slice)
    }

    /// The number of rounds of a tier.
    fn rounds(&self, tier: usize) -> u32 {
        self.found(tier).iter().map(|found| found.rounds.1).max().unwrap_or(0)
    }

    /// Hands the numbers of what some rounds of a tier found to `each`, with the round. The rounds come in ascending order.
    fn read(
        &self,
        tier: usize,
        (first, last): (u32, u32),
        each: impl Fn(u32, usize) + Sync,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError> {
        let plan = self.plan(tier);
        let is_asked = |found: &&FoundInRounds| found.rounds.0 <= last && first <= found.rounds.1;
        for found in self.found(tier).iter().filter(is_asked) {
            tell(watcher, Refuting::Reading(plan.tier))?;
            let damaged = || self.solved.damaged(found.rows, "its rows are not the tier's");
            let block = |place: u32| -> Result<(), FixpointError> {
                let block: RoundBlock = self.solved.read_one(found.rows, place)?;
                for (round, rows) in block.iter().filter(|(round, _)| (first..=last).contains(round)) {
                    for (row, places) in rows.rows(plan).ok_or_else(damaged)? {
                        plan.numbers_of(row, places).for_each(|number| each(*round, number));
                    }
                }
                Ok(())
            };
            (0..found.rows.blocks()).into_par_iter().try_for_each(block)?;
        }
        Ok(())
    }

    /// Takes a tier in hand.
    fn take(&mut self, tier: usize, watcher: Watcher<'_, Refuting>) -> Result<(), FixpointError> {
        self.hand = None;
        let after = |later: usize| if later > tier { Place::Memory } else { Place::Away };
        let window: Vec<_> = (0..self.later.layout.all().len())
            .map(|index| ByColor { white: after(index), black: Place::Away })
            .collect();
        let name = self.plan(tier).tier;
        hold_finished(&mut self.later, self.solved, &window, &mut || watcher(Refuting::Reading(name)))?;
        let (plan, rounds) = (self.plan(tier), self.rounds(tier));
        let refused = || TierDistances::refused(plan, plan.numbers(), CROSSED_OUT);
        let won: Vec<AtomicU64> = no_bits(plan.numbers()).map_err(|_| refused())?;
        let add = |_, number: usize| {
            won[number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
        };
        self.read(tier, (1, rounds), add, &mut *watcher)?;
        let classes = TierDistances::new(won, plan.numbers(), CROSSED_OUT).map_err(|_| refused())?;
        let set = |round, number| classes.set(number, class(round, rounds));
        self.read(tier, (1, rounds), set, watcher)?;
        self.hand = Some(Hand { tier, classes, crossed_out: rounds + 1 });
        Ok(())
    }
}

impl Order for ByTier<'_> {
    fn game(&self) -> &Game {
        self.later.game()
    }

    fn layout(&self) -> &Layout {
        &self.later.layout
    }

    fn number(&self, tier: usize, bit: usize) -> u8 {
        match &self.hand {
            Some(hand) if hand.tier == tier => match hand.classes.get(self.plan(tier).number(bit)) {
                0 | CROSSED_OUT => FAR,
                class => class + LATER,
            },
            Some(hand) if hand.tier < tier && self.later.lost.bit(tier, Color::White, bit) => LATER,
            _ => FAR,
        }
    }

    fn below(&self, number: u8) -> u8 {
        let rounds = self.hand.as_ref().map_or(0, |hand| self.rounds(hand.tier));
        let is_alone = rounds <= CLASSES.into() || u32::from(number) <= ALONE + u32::from(LATER);
        if number > LATER && is_alone { number } else { number + 1 }
    }

    fn below_stage(&self, stage: Stage) -> u8 {
        // What this round and later ones found is crossed out.
        class(stage.place, self.rounds(stage.list)) + LATER + 1
    }

    fn list(&self, position: &Position) -> usize {
        self.layout().tiers().index(Tier::of(position)).unwrap_or_default()
    }

    fn lists(&self) -> usize {
        self.layout().all().len()
    }

    fn first(&self) -> Stage {
        Stage { list: 0, place: self.rounds(0).max(1) }
    }

    fn next(&self, stage: Stage) -> Option<Stage> {
        if stage.place > 1 {
            return Some(Stage { place: stage.place - 1, ..stage });
        }
        let list = stage.list + 1;
        (list < self.lists()).then(|| Stage { list, place: self.rounds(list).max(1) })
    }

    fn enter(&mut self, stage: Stage, watcher: Watcher<'_, Refuting>) -> Result<(), FixpointError> {
        if self.hand.as_ref().is_none_or(|hand| hand.tier != stage.list) {
            self.take(stage.list, &mut *watcher)?;
        }
        if let Some(hand) = &self.hand {
            let some = (stage.place, hand.crossed_out.saturating_sub(1));
            self.read(hand.tier, some, |_, number| hand.classes.raise(number, CROSSED_OUT), watcher)?;
        }
        if let Some(hand) = &mut self.hand {
            hand.crossed_out = hand.crossed_out.min(stage.place);
        }
        Ok(())
    }

    fn is_due(&self, position: &Position, _: Stage) -> bool {
        self.of(position) == FAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_ascend_with_the_rounds_and_the_first_rounds_have_their_own() {
        for rounds in 1..200 {
            let classes: Vec<u8> = (1..=rounds).map(|round| class(round, rounds)).collect();
            assert!(classes.is_sorted() && classes[0] == 1 && classes.iter().all(|&class| class <= CLASSES));
            let own = if rounds <= 15 { rounds } else { ALONE };
            assert!((1..=own).all(|round| u32::from(class(round, rounds)) == round), "{rounds}");
            assert!(rounds < 15 || classes[rounds as usize - 1] == CLASSES, "{rounds}: {classes:?}");
        }
    }
}
