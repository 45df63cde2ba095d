//! The exception lists of Algorithm 4 after each round, counted.

use std::convert::Infallible;

use super::start::Start;
use crate::bitbase::lost::{Lost, OutOfMemory};
use crate::bitbase::solution::Solution;
use crate::bitbase::solution::{Select, ones};
use crate::bitbase::tables::with_kernel;
use crate::enumerate::{Ranking, Tier, positions_above, roots};
use crate::passes::rounds::black;
use crate::rules::{ByColor, Color, Game};
use crate::symmetry::Symmetry;
use crate::thesis::conventions::{Convention, OrbitCount};

/// In which order the positions with all pieces placed and those with some in hand are run. The thesis ran these two
/// parts apart. The first part does not depend on the second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ListOrder {
    /// Each round goes over all positions.
    Together,
    /// The positions with all pieces placed reach their fixpoint before the others begin.
    PlacedFirst,
    /// The positions with some piece in hand use only the start functions of the others, not their lists.
    Apart,
}

impl ListOrder {
    /// All orders.
    pub const ALL: [ListOrder; 3] = [ListOrder::Together, ListOrder::PlacedFirst, ListOrder::Apart];

    /// The tag that reports use.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            ListOrder::Together => "together",
            ListOrder::PlacedFirst => "placed-first",
            ListOrder::Apart => "apart",
        }
    }
}

/// How many positions each tier lists, by side to move: White's are the exceptions of B, Black's those of W.
pub type Sums = Vec<(Tier, ByColor<OrbitCount>)>;

/// The lists after each round that added something. A round is a white update over all tiers, then a black one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lists {
    /// The order of the two parts.
    pub order: ListOrder,
    rounds: Vec<Sums>,
}

impl Lists {
    /// How many rounds added something.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// How many positions are listed with `turn` to move after a round. Rounds count from 1; before the first none are
    /// listed.
    #[must_use]
    pub fn listed(&self, game: &Game, round: usize, turn: Color, convention: Convention) -> u64 {
        let sums = round.checked_sub(1).and_then(|round| self.rounds.get(round));
        sums.map_or(0, |sums| total(game, sums, turn, convention).in_unit(convention.unit))
    }

    /// The last round that added something to the tiers of a convention, for either side to move; 0 if none did.
    #[must_use]
    pub fn rounds_in(&self, game: &Game, convention: Convention) -> usize {
        let listed = |round| Color::ALL.map(|turn| self.listed(game, round, turn, convention));
        (1..=self.rounds()).rev().find(|&round| listed(round) != listed(round - 1)).unwrap_or(0)
    }
}

/// How many positions are listed with `turn` to move in the tiers of a convention.
#[must_use]
pub fn total(game: &Game, sums: &Sums, turn: Color, convention: Convention) -> OrbitCount {
    let mut count = OrbitCount::default();
    for (_, listed) in sums.iter().filter(|(tier, _)| convention.holds(game, *tier, turn)) {
        count += listed[turn];
    }
    count
}

/// Runs Algorithm 4 from a start once for each of `orders`. [`ListOrder::PlacedFirst`] has to come after
/// [`ListOrder::Together`], which finds the fixpoint that it begins with.
///
/// # Errors
/// The system does not give the memory.
pub fn lists(game: &Game, start: Start, orders: &[ListOrder]) -> Result<Vec<Lists>, OutOfMemory> {
    let mut solution = start.solution(game)?;
    let started = solution.lost.copy(&solution.layout)?;
    let all = solution.layout.all().len();
    // The last tier is the one with all pieces placed.
    let last = all - 1;
    let mut together: Option<Lost> = None;
    let mut run = |&order: &ListOrder| {
        solution.lost = started.copy(&solution.layout)?;
        if let (ListOrder::PlacedFirst, Some(together)) = (order, &together) {
            solution.lost.take_over(together, last);
        }
        let rounds = rounds(&solution, if order == ListOrder::Together { all } else { last });
        if order == ListOrder::Together {
            together = Some(solution.lost.copy(&solution.layout)?);
        }
        Ok(Lists { order, rounds })
    };
    orders.iter().map(&mut run).collect()
}

/// Runs rounds over the first `tiers` tiers until one adds nothing. Returns the lists after each of the others.
fn rounds(solution: &Solution, tiers: usize) -> Vec<Sums> {
    let tables = solution.tables();
    let mut rounds = Vec::new();
    loop {
        let mut grew = false;
        for turn in Color::ALL {
            for tier in 0..tiers {
                let plan = solution.layout.tier(tier);
                grew |= with_kernel!(tables.kernels, plan.k, kernel => match turn {
                    Color::White => tables.white_everywhere(kernel, tier),
                    Color::Black => !black(&tables, kernel, tier).is_empty(),
                });
            }
        }
        if !grew {
            return rounds;
        }
        rounds.push(sums(solution, tiers));
    }
}

/// How many positions each of the first `tiers` tiers lists.
fn sums(solution: &Solution, tiers: usize) -> Sums {
    let of_tier = |tier| {
        let of = |turn| tally(solution, tier, turn);
        (solution.layout.tier(tier).tier, ByColor { white: of(Color::White), black: of(Color::Black) })
    };
    (0..tiers).map(of_tier).collect()
}

/// The shortest lists of a sound cut over a start: the positions that are lost by the rules and that the start does not
/// call lost. `exact` is solved over the seed `rules`. K2 and K3 hold for no shorter lists.
///
/// # Errors
/// The system does not give the memory.
pub fn least(exact: &Solution, start: Start) -> Result<Sums, OutOfMemory> {
    let mut solution = start.solution(&exact.game)?;
    solution.lost = exact.lost.copy(&exact.layout)?;
    let tiers = solution.layout.all().len();
    Ok(sums(&solution, tiers))
}

/// The largest number that divides the size of every orbit of a tier. So it divides the number of placements in every
/// set that is closed under the symmetries.
#[must_use]
pub fn share(tier: Tier) -> u64 {
    let ranking = Ranking::new(tier);
    // Orbit sizes are powers of two, so the smallest divides the others.
    let sizes = roots(tier).into_iter().map(|root| match root.stabiliser.len() {
        1 => Symmetry::COUNT as u64,
        _ => positions_above(&ranking, &root, Color::White)
            .map(|position| OrbitCount::of(&position, &root.stabiliser).placements)
            .min()
            .unwrap_or(Symmetry::COUNT as u64),
    });
    sizes.min().unwrap_or(1)
}

/// How many positions of a tier are exceptions, in every unit.
fn tally(solution: &Solution, tier: usize, turn: Color) -> OrbitCount {
    let plan = solution.layout.tier(tier);
    let add = |mut all: OrbitCount, part: OrbitCount| {
        all += part;
        all
    };
    let of = |index: usize, row: &[u64]| match plan.stabiliser(index) {
        [_] => OrbitCount::of_orbits(ones(row)),
        stabiliser => {
            let all = solution.canonical(tier, turn, index, row);
            all.map(|position| OrbitCount::of(&position, stabiliser)).fold(OrbitCount::default(), add)
        }
    };
    let Ok(all) = solution.sum(tier, turn, Select::Exceptions, of, add, &mut || Ok::<(), Infallible>(()));
    all
}
