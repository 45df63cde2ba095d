//! What Algorithm 1 counts: positions worked, and failures by where they belong.

use std::collections::BTreeMap;

use crate::enumerate::Tier;
use crate::passes::strategy_check::{StepResult, StrategyFailure, Visit};
use crate::prelude::*;
use crate::rules::{ByColor, Color, Game, Position};
use crate::strategy::thesis::PositionType;
use crate::thesis::conventions::{Convention, OrbitCount};

/// What was counted in one tier, by side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TierTally {
    /// Positions worked: no line stands and the position is not in the set, so moves were played.
    pub worked: ByColor<OrbitCount>,
    /// Positions in the set where no line stands.
    pub lost: ByColor<OrbitCount>,
    /// Positions where a line stands.
    pub decided: ByColor<OrbitCount>,
    /// Positions where the answer is "No". They also count as decided if step (a) fails, otherwise as worked.
    pub failed: ByColor<OrbitCount>,
}

/// Where a failure belongs: its step, the clause or rule to blame, and the type of the position.
pub type Where = (char, &'static str, &'static str);

/// Everything that Algorithm 1 counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    tiers: BTreeMap<Tier, TierTally>,
    failures: BTreeMap<Where, (OrbitCount, StrategyFailure)>,
    first: Option<StrategyFailure>,
}

impl Tally {
    /// Counts the orbit of a position.
    pub(crate) fn add(&mut self, visit: Visit<'_>) {
        let position = &visit.position;
        let (turn, count) = (position.turn(), OrbitCount::of(position, visit.stabiliser));
        let tier = self.tiers.entry(Tier::of(position)).or_default();
        match visit.result {
            StepResult::Decided => tier.decided[turn] += count,
            StepResult::Lost => tier.lost[turn] += count,
            StepResult::Holds => tier.worked[turn] += count,
            StepResult::Fails(broken) => {
                tier.failed[turn] += count;
                if broken.step() == 'a' {
                    tier.decided[turn] += count;
                } else {
                    tier.worked[turn] += count;
                }
                let place = (broken.step(), broken.blame(), group(position));
                let failure = StrategyFailure { position: *position, broken };
                if self.first.is_none() {
                    self.first = Some(failure.clone());
                }
                self.failures.entry(place).or_insert((OrbitCount::default(), failure)).0 += count;
            }
        }
    }

    /// This tally together with one of later positions.
    #[must_use]
    pub(crate) fn then(mut self, later: Tally) -> Tally {
        for (tier, tally) in later.tiers {
            let sum = self.tiers.entry(tier).or_default();
            for color in Color::ALL {
                sum.worked[color] += tally.worked[color];
                sum.lost[color] += tally.lost[color];
                sum.decided[color] += tally.decided[color];
                sum.failed[color] += tally.failed[color];
            }
        }
        for (place, (count, failure)) in later.failures {
            self.failures.entry(place).or_insert((OrbitCount::default(), failure)).0 += count;
        }
        self.first = self.first.or(later.first);
        self
    }

    /// The first failure by tier and rank, White to move before Black to move.
    #[must_use]
    pub fn first_failure(&self) -> Option<&StrategyFailure> {
        self.first.as_ref()
    }

    /// The failures by step, clause or rule, and type: how many, and the first of each.
    pub fn failures(&self) -> impl Iterator<Item = (Where, OrbitCount, &StrategyFailure)> {
        self.failures.iter().map(|(&place, (count, failure))| (place, *count, failure))
    }

    /// The tiers with what was counted in each.
    pub fn tiers(&self) -> impl Iterator<Item = (Tier, &TierTally)> {
        self.tiers.iter().map(|(&tier, tally)| (tier, tally))
    }

    /// The positions worked for a side, counted by a convention.
    #[must_use]
    pub fn worked(&self, game: &Game, side: Color, convention: Convention) -> u64 {
        let tiers = self.tiers.iter().filter(|(tier, _)| convention.holds(game, **tier, side));
        tiers.map(|(_, tally)| tally.worked[side].in_unit(convention.unit)).sum()
    }
}

/// The type's name, `in hand` if some piece is in hand, or `untyped`.
fn group(position: &Position) -> &'static str {
    match PositionType::of(position) {
        Some(position_type) => position_type.name(),
        None if Tier::of(position).pieces() < 9 => "in hand",
        None => "untyped",
    }
}
