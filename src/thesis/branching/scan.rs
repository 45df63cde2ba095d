//! Adds up the number of moves over every position of a variant.

use std::collections::BTreeMap;
use std::fmt;

use rayon::prelude::*;

use super::Mean;
use crate::bitbase::solution::Solution;
use crate::enumerate::{Block, Tier, blocks};
use crate::rules::{ByColor, Color, Game, Position};
use crate::strategy::Triple;
use crate::strategy::repaired::{OPTIONS, Repaired};
use crate::strategy::thesis::Thesis;
use crate::thesis::conventions::{Convention, CountedTiers, OrbitCount, Unit};

/// Which positions a mean is over. Positions with a line are never among them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Over {
    /// All of them.
    All,
    /// Those that are not lost by the rules.
    Safe,
    /// Those that the start functions of Algorithm 4 do not call lost: what its first round works.
    Start,
    /// Those that are not lost when Algorithm 4 has ended: what its last round works.
    End,
    /// Those that Algorithm 1 works under the options of the repair.
    Worked,
    /// Those that Algorithm 1 works with the repaired functions.
    WorkedRepaired,
}

impl Over {
    /// All of them.
    pub const ALL: [Over; 6] =
        [Over::All, Over::Safe, Over::Start, Over::End, Over::Worked, Over::WorkedRepaired];

    /// The tag that reports use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Over::All => "all",
            Over::Safe => "safe",
            Over::Start => "algorithm-4-start",
            Over::End => "algorithm-4-end",
            Over::Worked => "algorithm-1-options",
            Over::WorkedRepaired => "algorithm-1-repaired",
        }
    }
}

/// Whose moves are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sides {
    /// White's and Black's.
    Both,
    /// One side's.
    One(Color),
}

impl Sides {
    /// All of them.
    pub const ALL: [Sides; 3] = [Sides::Both, Sides::One(Color::White), Sides::One(Color::Black)];

    fn hold(self, turn: Color) -> bool {
        self == Sides::Both || self == Sides::One(turn)
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sides::Both => f.write_str("both sides"),
            Sides::One(color) => write!(f, "{color}"),
        }
    }
}

/// A mean that was compared with the thesis's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Averaged {
    /// Over which positions.
    pub over: Over,
    /// Whose moves.
    pub sides: Sides,
    /// In which tiers, and how a position and its images are weighed.
    pub convention: Convention,
    /// The mean.
    pub mean: Mean,
}

impl fmt::Display for Averaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Convention { unit, tiers } = self.convention;
        write!(
            f,
            "positions {}, {} to move, tiers {}, {}",
            self.over.tag(),
            self.sides,
            tiers.tag(),
            unit.tag()
        )
    }
}

/// The moves of all positions of a variant in which no line stands.
pub struct Branching {
    game: Game,
    /// By tier and by a mask of the [`Over`]s that the positions belong to: bit `over as u8`. Each side to move has one
    /// mean for each [`Unit`].
    sums: BTreeMap<(Tier, u8), ByColor<[Mean; 3]>>,
    most: BTreeMap<Tier, ByColor<u64>>,
}

impl Branching {
    /// A mean over some of the positions.
    #[must_use]
    pub fn mean(&self, over: Over, sides: Sides, convention: Convention) -> Mean {
        let mut mean = Mean::default();
        for (&(tier, class), sums) in &self.sums {
            for turn in Color::ALL.into_iter().filter(|&turn| sides.hold(turn)) {
                if class >> over as u8 & 1 == 1 && convention.holds(&self.game, tier, turn) {
                    mean += sums[turn][convention.unit as usize];
                }
            }
        }
        mean
    }

    /// The mean for every choice of unit, positions, sides and tiers. Those over all positions, in placements, come
    /// first.
    #[must_use]
    pub fn attempts(&self) -> Vec<Averaged> {
        let mut attempts = Vec::new();
        for unit in Unit::ALL {
            for over in Over::ALL {
                for sides in Sides::ALL {
                    for tiers in CountedTiers::ALL {
                        let convention = Convention { unit, tiers };
                        let mean = self.mean(over, sides, convention);
                        attempts.push(Averaged { over, sides, convention, mean });
                    }
                }
            }
        }
        attempts
    }

    /// The most moves that a position of each tier has, by side to move.
    #[must_use]
    pub fn most(&self) -> &BTreeMap<Tier, ByColor<u64>> {
        &self.most
    }
}

/// Adds up the moves of every position of the game's variant. `exact` is the game solved over the seed
/// `rules`, `over_thesis` over the seed `thesis`.
#[must_use]
pub fn scan(game: &Game, exact: &Solution, over_thesis: &Solution) -> Branching {
    let empty = || Branching { game: *game, sums: BTreeMap::new(), most: BTreeMap::new() };
    let of_block = |block: &Block| {
        let mut branching = empty();
        for position in block.positions(Color::White) {
            if position.finished().is_none() {
                let count = OrbitCount::of(&position, &block.root.stabiliser);
                for turn in Color::ALL {
                    let position = position.with_turn(turn);
                    branching.add(&position, count, class(game, &position, exact, over_thesis));
                }
            }
        }
        branching
    };
    blocks(game.variant).par_iter().map(of_block).reduce(empty, Branching::with)
}

impl Branching {
    fn add(&mut self, position: &Position, count: OrbitCount, class: u8) {
        let moves = self.game.moves(position).count() as u64;
        let (tier, turn) = (Tier::of(position), position.turn());
        let sums = &mut self.sums.entry((tier, class)).or_default()[turn];
        for unit in Unit::ALL {
            let positions = count.in_unit(unit);
            sums[unit as usize] += Mean { positions, moves: positions * moves };
        }
        let most = &mut self.most.entry(tier).or_default()[turn];
        *most = moves.max(*most);
    }

    fn with(mut self, other: Branching) -> Branching {
        for (key, sums) in other.sums {
            let all = self.sums.entry(key).or_default();
            for turn in Color::ALL {
                for (all, sum) in all[turn].iter_mut().zip(sums[turn]) {
                    *all += sum;
                }
            }
        }
        for (tier, most) in other.most {
            let all = self.most.entry(tier).or_default();
            for turn in Color::ALL {
                all[turn] = all[turn].max(most[turn]);
            }
        }
        self
    }
}

/// A mask of the [`Over`]s that a position without a line belongs to: bit `over as u8`.
fn class(game: &Game, position: &Position, exact: &Solution, over_thesis: &Solution) -> u8 {
    let belongs = |over| match over {
        Over::All => true,
        Over::Safe => !exact.is_lost(position),
        Over::Start => !over_thesis.is_seeded(position),
        Over::End => !over_thesis.is_lost(position),
        Over::Worked => !Thesis { options: OPTIONS }.lost(game, position),
        Over::WorkedRepaired => !Repaired::default().lost(game, position),
    };
    Over::ALL.into_iter().map(|over| u8::from(belongs(over)) << over as u8).sum()
}
