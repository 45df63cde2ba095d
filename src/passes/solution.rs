//! What a fixpoint found: every position of a variant, lost or safe.

use std::ops::{Add as _, ControlFlow};

use rayon::prelude::*;

use super::board::Board;
use super::closure::{self, Watcher};
use super::counters;
use super::discipline::Discipline;
use super::domain::List;
use super::kernel::{Kernel, Row, and, bits, is_empty, minus, or_into};
use super::layout::{Layout, TierLayout};
use super::lost::{Lost, OutOfMemory};
use super::outcome::TierLost;
use super::shrink;
use super::strategy_check::Count as Tally;
use super::sweep::{Dirty, Kernels, Tables, with_kernel};
use super::weights::Weights;
use super::window::{self, Window};
use crate::certificate::{self, Certificate, NoSet, PositionSet};
use crate::enumerate::Ranking;
use crate::enumerate::census::Count;
use crate::prelude::*;
use crate::rules::{Color, Game, Position};
use crate::strategy::Seed;
use crate::symmetry::{self, Symmetry};

/// How many rows a part of the exceptions has, if its layers have no more.
const PART: usize = 1 << 16;

/// The lost-sets of a fixpoint, for both sides to move.
pub struct Solution {
    pub(super) game: Game,
    pub(super) seed: Seed,
    pub(super) layout: Layout,
    pub(super) kernels: Kernels,
    /// What the seed calls lost; `None` where that is the positions with a black line.
    pub(super) seeded: Option<Lost>,
    /// What the seed and the exceptions call lost.
    pub(super) lost: Lost,
    pub(super) rounds: u32,
    /// What was counted of tiers before their lost-sets left the memory.
    pub(super) counted: Vec<Option<TierLost>>,
}

impl Solution {
    /// A game with nothing lost but what the seed says.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn start(game: &Game, seed: Seed) -> Result<Solution, OutOfMemory> {
        Solution::start_within(game, seed, Discipline::FREE)
    }

    /// The same where one side keeps to a discipline: what is outside counts against it.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn start_within(
        game: &Game,
        seed: Seed,
        discipline: Discipline,
    ) -> Result<Solution, OutOfMemory> {
        let mut solution = Solution::nowhere(game, seed, discipline);
        solution.hold(&window::whole(&solution.layout))?;
        if seed == Seed::Thesis {
            solution.add_wins_in_one();
            for tier in 0..solution.layout.all().len() {
                start(&solution, seed, tier, Color::Black);
            }
            solution.seeded = Some(solution.lost.copy(&solution.layout)?);
        }
        Ok(solution)
    }

    /// The same with no lost-set in memory.
    pub(super) fn nowhere(game: &Game, seed: Seed, discipline: Discipline) -> Solution {
        let (layout, kernels) = counters::pass("tables", || {
            let layout = Layout::within(game.variant, discipline);
            let kernels = Kernels::new(&layout);
            (layout, kernels)
        });
        let lost = Lost::nowhere(&layout);
        let counted = vec![None; layout.all().len()];
        Solution { game: *game, seed, layout, kernels, seeded: None, lost, rounds: 0, counted }
    }

    /// The layout alone; the lost-sets leave the memory.
    pub(super) fn into_layout(self) -> Layout {
        self.layout
    }

    /// Keeps the lost-sets of a window in memory and forgets the others. Those that were not there hold what the rules
    /// say of each position by itself; they are named.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn hold(&mut self, window: &Window) -> Result<Vec<(usize, Color)>, OutOfMemory> {
        let new = counters::pass("empty sets", || self.lost.hold(window))?;
        for &(tier, turn) in &new {
            counters::pass("lines", || start(self, Seed::Rules, tier, turn));
        }
        Ok(new)
    }

    /// Adds the positions in which Black can win in one move. Nothing but lines may be lost yet: these are just
    /// what a black update finds then.
    pub(super) fn add_wins_in_one(&self) {
        let tables = self.tables();
        for (tier, plan) in self.layout.all().iter().enumerate() {
            let grown = Dirty::none(plan.rows);
            with_kernel!(tables.kernels, plan.k, kernel => tables.opening(kernel, tier, 0..plan.rows, &grown));
        }
    }

    /// What is lost at sight: a black line stands, or Black wins in one move, or does so after each white move. It
    /// takes as much memory as the solution once more.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(super) fn lost_at_sight(&self) -> Result<Lost, OutOfMemory> {
        let sight = Solution::start(&self.game, Seed::Rules)?;
        sight.add_wins_in_one();
        let tables = sight.tables();
        for (tier, plan) in sight.layout.all().iter().enumerate() {
            with_kernel!(tables.kernels, plan.k, kernel => {
                tables.white_everywhere(kernel, tier);
            });
        }
        Ok(sight.lost)
    }

    /// What the passes read and write.
    pub(super) fn tables(&self) -> Tables<'_> {
        Tables { game: &self.game, layout: &self.layout, kernels: &self.kernels, lost: &self.lost }
    }

    /// The cut: all that is lost and holds no black line.
    ///
    /// # Errors
    /// The exceptions are no set of positions, which would be a mistake of the passes.
    pub fn cut(&self) -> Result<Certificate, NoSet> {
        let set = |turn| {
            let tiers = 0..self.layout.tiers().as_slice().len();
            let lost =
                |tier| self.ranks_in_parts(tier, turn, Select::LostWithoutALine, None).flatten().collect();
            PositionSet::new(self.game.variant, tiers.map(lost).collect()).ok_or(NoSet)
        };
        let (black_to_move, white_to_move) = (set(Color::Black)?, set(Color::White)?);
        Ok(certificate::cut(self.game, black_to_move, white_to_move))
    }

    /// The closure that White keeps to, `None` if White does not hold.
    #[must_use]
    pub fn closure(&self, weights: &Weights) -> Option<Certificate> {
        self.closure_watched(weights, &mut |_| ControlFlow::Continue(()))
    }

    /// The same; `watcher` hears how it grows. `None` also if it broke it off.
    #[must_use]
    pub fn closure_watched(&self, weights: &Weights, watcher: Watcher<'_>) -> Option<Certificate> {
        let positions = closure::grow(self, weights, watcher)?;
        let positions = shrink::shrink(&self.game, &self.layout, positions);
        let set = PositionSet::from_positions(self.game.variant, positions);
        Some(certificate::closure(self.game, set))
    }

    /// What one side keeps to: what is outside counts against it.
    #[must_use]
    pub fn discipline(&self) -> &Discipline {
        self.layout.discipline()
    }

    /// The game that was solved.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The seed that it was solved over.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many rounds, a white and a black update each, the tier that needed most took; the last of them
    /// added nothing.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// How many bytes the dense lost-sets take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.lost.bytes()
    }

    /// Whether a position of the variant is lost for White. Over the seed `rules` this is the truth.
    #[must_use]
    pub fn is_lost(&self, position: &Position) -> bool {
        self.tables().is_lost(position)
    }

    /// Whether the seed calls a position of the variant lost.
    #[must_use]
    pub fn is_seeded(&self, position: &Position) -> bool {
        match &self.seeded {
            Some(seeded) => Tables { lost: seeded, ..self.tables() }.is_lost(position),
            None => position.has_line(Color::Black),
        }
    }

    /// Whether White holds: the empty board is safe whoever moves first.
    #[must_use]
    pub fn white_holds(&self) -> bool {
        Color::ALL.into_iter().all(|turn| !self.is_lost(&Position::empty(turn)))
    }

    /// How many positions with a side to move are lost, those with a black line and those of the seed
    /// included.
    #[must_use]
    pub fn lost_count(&self, turn: Color) -> Count {
        self.count(turn, Select::Lost)
    }

    /// How many positions with a side to move are exceptions: lost, and not so by the seed.
    #[must_use]
    pub fn exception_count(&self, turn: Color) -> Count {
        self.count(turn, Select::Exceptions)
    }

    /// The ranks of the canonical exceptions of a tier with a side to move, in order.
    #[must_use]
    pub fn exceptions(&self, tier: usize, turn: Color) -> Vec<u128> {
        self.exceptions_in_parts(tier, turn).flatten().collect()
    }

    /// The same, a part after the other: where there are many, not all of them are in memory at once.
    pub fn exceptions_in_parts(&self, tier: usize, turn: Color) -> impl Iterator<Item = Vec<u128>> + '_ {
        self.exceptions_beyond(tier, turn, None)
    }

    /// The same, without those that `known` calls lost.
    pub(super) fn exceptions_beyond<'a>(
        &'a self,
        tier: usize,
        turn: Color,
        known: Option<&'a Lost>,
    ) -> impl Iterator<Item = Vec<u128>> + 'a {
        self.ranks_in_parts(tier, turn, Select::Exceptions, known)
    }

    /// The ranks of the canonical positions of a tier that are selected, a part after the other, without those that
    /// `known` calls lost.
    fn ranks_in_parts<'a>(
        &'a self,
        tier: usize,
        turn: Color,
        select: Select,
        known: Option<&'a Lost>,
    ) -> impl Iterator<Item = Vec<u128>> + 'a {
        let plan = self.layout.tier(tier);
        let ranking = Ranking::new(plan.tier);
        // Rows stand in the order of their layers of A, and so do ranks: a part is some whole layers.
        plan.rows_of_whole_layers(PART).map(move |rows| {
            with_kernel!(self.kernels, plan.k, kernel => {
                let ranks = |index: usize| -> Vec<u128> {
                    let mut row = self.selected(kernel, tier, turn, index, select);
                    if let Some(known) = known {
                        row = minus(&row, &known.row(tier, turn, index));
                    }
                    counters::row(!is_empty(&row));
                    let found = self.canonical(tier, turn, index, &row);
                    found.map(|position| ranking.rank(&position)).collect()
                };
                let mut ranks: Vec<u128> = rows.into_par_iter().flat_map_iter(ranks).collect();
                ranks.par_sort_unstable();
                ranks
            })
        })
    }

    fn count(&self, turn: Color, select: Select) -> Count {
        (0..self.layout.all().len()).fold(Count::default(), |sum, tier| {
            let count = self.count_in(tier, turn, select);
            Count { positions: sum.positions + count.positions, canonical: sum.canonical + count.canonical }
        })
    }

    /// How many positions of a tier are selected.
    pub(super) fn count_in(&self, tier: usize, turn: Color, select: Select) -> Count {
        let plan = self.layout.tier(tier);
        let canonical = |index: usize, row: &[u64]| match plan.stabiliser(index) {
            [_] => ones(row),
            _ => self.canonical(tier, turn, index, row).count() as u64,
        };
        let both = |index, row: &[u64]| [orbits(plan, index, row), canonical(index, row)];
        let add = |one: [u64; 2], other: [u64; 2]| [one[0] + other[0], one[1] + other[1]];
        let [positions, canonical] = self.sum(tier, turn, select, both, add).map(u128::from);
        Count { positions, canonical }
    }

    /// The same, without those that no symmetry makes equal: they take longer to count.
    pub(super) fn positions_in(&self, tier: usize, turn: Color, select: Select) -> u128 {
        let plan = self.layout.tier(tier);
        u128::from(self.sum(tier, turn, select, |index, row| orbits(plan, index, row), u64::add))
    }

    /// How many positions of a tier are exceptions, in every unit.
    pub(super) fn tally(&self, tier: usize, turn: Color) -> Tally {
        let plan = self.layout.tier(tier);
        let add = |mut all: Tally, part: Tally| {
            all += part;
            all
        };
        let of = |index: usize, row: &[u64]| match plan.stabiliser(index) {
            [_] => Tally::of_orbits(ones(row)),
            stabiliser => {
                let all = self.canonical(tier, turn, index, row);
                all.map(|position| Tally::of(&position, stabiliser)).fold(Tally::default(), add)
            }
        };
        self.sum(tier, turn, Select::Exceptions, of, add)
    }

    /// The sum over a tier's rows of what their selected placements come to.
    fn sum<T: Default + Send>(
        &self,
        tier: usize,
        turn: Color,
        select: Select,
        of: impl Fn(usize, &[u64]) -> T + Sync,
        add: impl Fn(T, T) -> T + Sync,
    ) -> T {
        let plan = self.layout.tier(tier);
        with_kernel!(self.kernels, plan.k, kernel => {
            let row = |index: usize| {
                let row = self.selected(kernel, tier, turn, index, select);
                counters::row(!is_empty(&row));
                of(index, &row)
            };
            (0..plan.rows).into_par_iter().map(row).reduce(T::default, &add)
        })
    }

    /// The selected placements of a row.
    fn selected<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        turn: Color,
        index: usize,
        select: Select,
    ) -> Row<N> {
        let plan = self.layout.tier(tier);
        let lost = || self.lost.row(tier, turn, index);
        let tables = self.tables();
        let board = || tables.board(kernel, tier, index, turn);
        match select {
            Select::Stored => {
                let all = match plan.list(index) {
                    _ if plan.slot(index).is_none() => [0; N],
                    Some(list) => list.stored(),
                    None => kernel.full(),
                };
                and(&all, &board().possible(self.layout.inner()))
            }
            Select::Lost => lost(),
            Select::LostBesideAWhiteLine if plan.outer(index, turn).has_line(Color::White) => lost(),
            Select::LostBesideAWhiteLine => [0; N],
            Select::LostWithoutALine => match lost() {
                lost if is_empty(&lost) => lost,
                lost => minus(&lost, &board().black_lines()),
            },
            Select::Exceptions => match (lost(), &self.seeded) {
                (lost, _) if is_empty(&lost) => lost,
                (lost, Some(seeded)) => minus(&lost, &seeded.row(tier, turn, index)),
                (lost, None) => minus(&lost, &board().black_lines()),
            },
        }
    }

    /// The canonical ones among the positions of a row.
    fn canonical<'a>(
        &'a self,
        tier: usize,
        turn: Color,
        index: usize,
        row: &'a [u64],
    ) -> impl Iterator<Item = Position> + 'a {
        let plan = self.layout.tier(tier);
        let outer = plan.outer(index, turn);
        let sets = self.layout.order(plan.k).sets();
        bits(row)
            .map(move |bit| outer.with_black(self.layout.inner(), sets[bit]))
            .filter(move |position| is_first(plan.stabiliser(index), position))
    }
}

/// Which positions are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Select {
    /// All that a discipline leaves.
    Stored,
    /// All that are lost.
    Lost,
    /// Those with a line of each side: a line of White and none of Black is not lost.
    LostBesideAWhiteLine,
    /// Those of the lost that the seed does not call so.
    Exceptions,
    /// Those of the lost that hold no black line.
    LostWithoutALine,
}

/// How many placements a row has.
fn ones(row: &[u64]) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// How many positions the placements of a row stand for.
fn orbits(plan: &TierLayout, index: usize, row: &[u64]) -> u64 {
    (Symmetry::COUNT / plan.stabiliser(index).len()) as u64 * ones(row)
}

/// Whether no symmetry of the stabiliser, the first of which is the identity, brings the position to a smaller one.
fn is_first(stabiliser: &[Symmetry], position: &Position) -> bool {
    let own = symmetry::key(position);
    stabiliser[1..].iter().all(|symmetry| own <= symmetry::key(&symmetry.position(position)))
}

/// The placements of a stored row to which White must not move.
fn barred<const N: usize>(layout: &Layout, board: &Board<'_, N>) -> Row<N> {
    let discipline = layout.discipline();
    if discipline.is_free() || board.outer.turn() == Color::White {
        return [0; N];
    }
    let above = layout.inner().larger();
    if above.is_some_and(|above| !discipline.allows_down_to(above, &board.outer)) {
        return board.kernel.full();
    }
    board.plan.list(board.row).map_or([0; N], List::barred)
}

/// Adds to a tier's lost-set what a seed says of each position by itself, its look-ahead apart.
fn start(solution: &Solution, seed: Seed, tier: usize, turn: Color) {
    let tables = solution.tables();
    let Tables { layout, lost, .. } = tables;
    let plan = layout.tier(tier);
    with_kernel!(tables.kernels, plan.k, kernel => {
        (0..plan.rows).into_par_iter().for_each(|index| {
            if plan.slot(index).is_none() {
                return;
            }
            let board = tables.board(kernel, tier, index, turn);
            let barred = barred(layout, &board);
            let mut row = match seed {
                Seed::Rules => and(&board.black_lines(), &board.possible(layout.inner())),
                Seed::Thesis if plan.k == 3 => kernel.apart_from(board.closed),
                Seed::Thesis => [0; _],
            };
            or_into(&mut row, &and(&barred, &board.possible(layout.inner())));
            counters::row(lost.add(tier, turn, index, &row));
        });
    });
}

/// Solutions for the tests of the passes.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::passes::solve;

    use crate::rules::Reading;

    pub fn game(variant: &str, reading: Reading) -> Game {
        Game::new(variant.read().expect("a variant"), reading)
    }

    pub fn solved(game: &Game, seed: Seed) -> Solution {
        solve(game, seed, None, &mut |_| ControlFlow::Continue(())).expect("nothing breaks it off")
    }
}
