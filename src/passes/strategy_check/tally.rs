//! The counts of Algorithm 1, positions worked and failures, in several units.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::LazyLock;

use super::failure::{Failure, Step};
use crate::enumerate::Tier;
use crate::prelude::*;
use crate::rules::{ByColor, Color, Game, Position, Size, Square};
use crate::strategy::thesis::PositionType;
use crate::symmetry::{Symmetry, key};

/// The same positions counted in three units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Count {
    /// Placements: no symmetry.
    pub placements: u64,
    /// Up to the 8 turns and reflections of the square.
    pub by_8: u64,
    /// Up to the 32 symmetries: canonical positions.
    pub by_32: u64,
}

/// A unit of counting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// Every placement.
    Placements,
    /// Up to the 8 turns and reflections of the square.
    By8,
    /// Up to the 32 symmetries.
    By32,
}

impl Unit {
    /// All units.
    pub const ALL: [Unit; 3] = [Unit::Placements, Unit::By8, Unit::By32];

    /// The tag that reports use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Unit::Placements => "placements",
            Unit::By8 => "up-to-8",
            Unit::By32 => "up-to-32",
        }
    }
}

/// The symmetries that keep neighbours neighbours: turns and reflections of the square.
static RIGID: LazyLock<Vec<Symmetry>> = LazyLock::new(|| {
    let near = |a: Square, b: Square| {
        let distance = |x: usize, y: usize| x.abs_diff(y);
        let (a, b) = (a.index(), b.index());
        distance(a % 4, b % 4) + distance(a / 4, b / 4) == 1
    };
    let rigid = |symmetry: &Symmetry| {
        Square::ALL
            .iter()
            .all(|&a| Square::ALL.iter().all(|&b| near(a, b) == near(symmetry.square(a), symmetry.square(b))))
    };
    Symmetry::all().filter(rigid).collect()
});

impl Count {
    /// The orbit of a canonical position; `stabiliser` holds at least the symmetries that keep the position.
    #[must_use]
    pub fn of(position: &Position, stabiliser: &[Symmetry]) -> Count {
        let keeping = stabiliser.iter().filter(|symmetry| symmetry.position(position) == *position).count();
        let placements = (Symmetry::COUNT / keeping) as u64;
        let by_8 = if keeping == 1 { placements / RIGID.len() as u64 } else { rigid_orbits(position) };
        Count { placements, by_8, by_32: 1 }
    }

    /// The count of a number of orbits of 32 positions, those that only the identity keeps.
    #[must_use]
    pub(crate) fn of_orbits(orbits: u64) -> Count {
        let (all, rigid) = (Symmetry::COUNT as u64, RIGID.len() as u64);
        Count { placements: all * orbits, by_8: all / rigid * orbits, by_32: orbits }
    }

    /// The number in a unit.
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> u64 {
        match unit {
            Unit::Placements => self.placements,
            Unit::By8 => self.by_8,
            Unit::By32 => self.by_32,
        }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.placements += other.placements;
        self.by_8 += other.by_8;
        self.by_32 += other.by_32;
    }
}

/// Into how many orbits of the rigid symmetries the position's orbit falls.
fn rigid_orbits(position: &Position) -> u64 {
    let smallest = |image: Position| RIGID.iter().map(|s| key(&s.position(&image))).min();
    let mut orbits: Vec<_> = Symmetry::all().map(|symmetry| smallest(symmetry.position(position))).collect();
    orbits.sort_unstable();
    orbits.dedup();
    orbits.len() as u64
}

/// What was counted in one tier, by side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TierTally {
    /// Positions worked: no line stands and the position is not in the set, so moves were played.
    pub worked: ByColor<Count>,
    /// Positions in the set where no line stands.
    pub lost: ByColor<Count>,
    /// Positions where a line stands.
    pub decided: ByColor<Count>,
    /// Positions worked where the answer is "No", and those of step (a).
    pub failed: ByColor<Count>,
}

/// Where a failure belongs: its step, the clause or rule to blame, and the type of the position.
pub type Where = (char, &'static str, &'static str);

/// Everything that Algorithm 1 counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    tiers: BTreeMap<Tier, TierTally>,
    failures: BTreeMap<Where, (Count, Failure)>,
    first: Option<Failure>,
}

impl Tally {
    /// Counts one step.
    pub(crate) fn add(&mut self, position: &Position, count: Count, step: Step) {
        let turn = position.turn();
        let tier = self.tiers.entry(Tier::of(position)).or_default();
        match step {
            Step::Decided => tier.decided[turn] += count,
            Step::Lost => tier.lost[turn] += count,
            Step::Holds => tier.worked[turn] += count,
            Step::Fails(broken) => {
                tier.failed[turn] += count;
                if broken.step() == 'a' {
                    tier.decided[turn] += count;
                } else {
                    tier.worked[turn] += count;
                }
                let place = (broken.step(), broken.blame(), group(position));
                let failure = Failure { position: *position, broken };
                if self.first.is_none() {
                    self.first = Some(failure.clone());
                }
                self.failures.entry(place).or_insert((Count::default(), failure)).0 += count;
            }
        }
    }

    /// This tally and one of later positions.
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
            self.failures.entry(place).or_insert((Count::default(), failure)).0 += count;
        }
        self.first = self.first.or(later.first);
        self
    }

    /// The first failure by tier and rank, White to move before Black to move.
    #[must_use]
    pub fn first_failure(&self) -> Option<&Failure> {
        self.first.as_ref()
    }

    /// The failures by step, clause or rule, and type: how many, and the first of each.
    pub fn failures(&self) -> impl Iterator<Item = (Where, Count, &Failure)> {
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

/// `in hand`, the type's name, or `untyped`.
fn group(position: &Position) -> &'static str {
    match PositionType::of(position) {
        Some(position_type) => position_type.name(),
        None if Tier::of(position).pieces() < 9 => "in hand",
        None => "untyped",
    }
}

/// Which tiers are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountedTiers {
    /// All.
    All,
    /// Those with at least one A of each side on the board, where the thesis's sums of section 2.2 start.
    BothHaveA,
    /// Those, and the tiers in which the other side has placed the first piece: what play reaches, given that
    /// White never leaves Black more A than its own.
    BothHaveAOrFirst,
    /// The one with every piece placed.
    AllPlaced,
    /// Those with some piece in hand.
    SomeInHand,
    /// Those with some piece in hand and at least one A of each side on the board.
    SomeInHandBothHaveA,
}

impl CountedTiers {
    /// All of them.
    pub const ALL: [CountedTiers; 6] = [
        CountedTiers::All,
        CountedTiers::BothHaveA,
        CountedTiers::BothHaveAOrFirst,
        CountedTiers::AllPlaced,
        CountedTiers::SomeInHand,
        CountedTiers::SomeInHandBothHaveA,
    ];

    /// The tag that reports use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            CountedTiers::All => "all",
            CountedTiers::BothHaveA => "both-have-a",
            CountedTiers::BothHaveAOrFirst => "both-have-a-or-first",
            CountedTiers::AllPlaced => "all-placed",
            CountedTiers::SomeInHand => "some-in-hand",
            CountedTiers::SomeInHandBothHaveA => "some-in-hand-both-have-a",
        }
    }

    fn hold(self, game: &Game, tier: Tier, side: Color) -> bool {
        let both = Color::ALL.into_iter().all(|color| tier.count(color, Size::A) >= 1);
        let placed = Color::ALL.into_iter().all(|color| {
            Size::ALL
                .into_iter()
                .all(|size| tier.count(color, size) == game.variant.material(color).count(size))
        });
        match self {
            CountedTiers::All => true,
            CountedTiers::BothHaveA => both,
            CountedTiers::BothHaveAOrFirst => both || tier.pieces() == 1 && tier.count(!side, Size::A) == 1,
            CountedTiers::AllPlaced => placed,
            CountedTiers::SomeInHand => !placed,
            CountedTiers::SomeInHandBothHaveA => !placed && both,
        }
    }
}

/// A way of counting positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Convention {
    /// The unit.
    pub unit: Unit,
    /// The tiers.
    pub tiers: CountedTiers,
}

impl Convention {
    /// Whether positions of a tier are counted for the side to move.
    #[must_use]
    pub fn holds(self, game: &Game, tier: Tier, side: Color) -> bool {
        self.tiers.hold(game, tier, side)
    }

    /// All conventions.
    #[must_use]
    pub fn all() -> Vec<Convention> {
        let of_unit = |unit| CountedTiers::ALL.into_iter().map(move |tiers| Convention { unit, tiers });
        Unit::ALL.into_iter().flat_map(of_unit).collect()
    }
}
