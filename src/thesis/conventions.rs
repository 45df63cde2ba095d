//! The ways in which the thesis may have counted positions: in which unit, and in which tiers.

use std::ops::AddAssign;
use std::sync::LazyLock;

use crate::enumerate::Tier;
use crate::prelude::*;
use crate::rules::{Color, Game, Position, Size, Square};
use crate::symmetry::{Symmetry, key};

/// The same positions counted in three units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct OrbitCount {
    /// Placements: symmetric positions count separately.
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

impl OrbitCount {
    /// Counts the orbit of a canonical position. `stabiliser` holds all symmetries that keep the position, and maybe
    /// others.
    #[must_use]
    pub fn of(position: &Position, stabiliser: &[Symmetry]) -> OrbitCount {
        let keeping = stabiliser.iter().filter(|symmetry| symmetry.position(position) == *position).count();
        let placements = (Symmetry::COUNT / keeping) as u64;
        let by_8 = if keeping == 1 { placements / RIGID.len() as u64 } else { rigid_orbits(position) };
        OrbitCount { placements, by_8, by_32: 1 }
    }

    /// Counts `orbits` orbits of 32 positions each: only the identity keeps such a position.
    #[must_use]
    pub(crate) fn of_orbits(orbits: u64) -> OrbitCount {
        let (all, rigid) = (Symmetry::COUNT as u64, RIGID.len() as u64);
        OrbitCount { placements: all * orbits, by_8: all / rigid * orbits, by_32: orbits }
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

impl AddAssign for OrbitCount {
    fn add_assign(&mut self, other: OrbitCount) {
        self.placements += other.placements;
        self.by_8 += other.by_8;
        self.by_32 += other.by_32;
    }
}

/// How many orbits under the rigid symmetries make up the position's orbit.
fn rigid_orbits(position: &Position) -> u64 {
    let smallest = |image: Position| RIGID.iter().map(|s| key(&s.position(&image))).min();
    let mut orbits: Vec<_> = Symmetry::all().map(|symmetry| smallest(symmetry.position(position))).collect();
    orbits.sort_unstable();
    orbits.dedup();
    orbits.len() as u64
}

/// Which tiers are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountedTiers {
    /// All.
    All,
    /// Those with at least one A of each side on the board, where the thesis's sums of section 2.2 start.
    BothHaveA,
    /// Those, and the tier in which an A of the side not to move is the only piece. After the first move play reaches
    /// no others if White never leaves Black with more A than White has.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Reading;

    fn position(text: &str) -> Position {
        Game::new("ab".read().expect("a variant"), Reading::Official).parse(text).expect("a position")
    }

    #[test]
    fn an_unoccupied_board_has_one_orbit_and_a_crowded_one_many() {
        let trivial = [Symmetry::all().next().expect("the identity")];
        let crowded = position("a,a,.,A/.,b,.,./.,.,A,./.,A,.,. w");
        assert_eq!(OrbitCount::of(&crowded, &trivial), OrbitCount { placements: 32, by_8: 4, by_32: 1 });
        let all: Vec<Symmetry> = Symmetry::all().collect();
        let empty = position(".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
        assert_eq!(OrbitCount::of(&empty, &all), OrbitCount { placements: 1, by_8: 1, by_32: 1 });
        // A piece on a diagonal has 8 squares: 4 corners and 4 in the middle. No rigid symmetry takes a corner to the
        // middle.
        let diagonal = position("A,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
        assert_eq!(OrbitCount::of(&diagonal, &all), OrbitCount { placements: 8, by_8: 2, by_32: 1 });
    }
}
