//! The solution of a variant: for each position whether White has lost it.

use std::convert::Infallible;
use std::ops::Add as _;
use std::slice;

use rayon::prelude::*;

use crate::bitbase::lost::{Lost, OutOfMemory};
use crate::bitbase::outcome::TierLost;
use crate::bitbase::tables::{Kernels, Tables, parts, with_kernel};
use crate::bitbase::window::{self, Window};
use crate::enumerate::Ranking;
use crate::enumerate::census::Count;
use crate::enumerate::rows::board::Board;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::domain::List;
use crate::enumerate::rows::kernel::{Kernel, Row, and, bits, is_empty, minus, or_into};
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::prelude::*;
use crate::rules::{Color, Game, Position};
use crate::strategy::Seed;
use crate::symmetry::{self, Symmetry};

/// The most positions among which a part of the exceptions is looked for; a layer of A that has more is a part by itself.
const PART: usize = if cfg!(test) { 1 << 12 } else { 1 << 21 };

/// The bitbases of a fixpoint, for both sides to move.
pub struct Solution {
    pub(crate) game: Game,
    pub(crate) seed: Seed,
    pub(crate) layout: Layout,
    pub(crate) kernels: Kernels,
    /// The positions that the seed calls lost; `None` where these are the positions with a black line.
    pub(crate) seeded: Option<Lost>,
    /// The positions that the seed calls lost, and the exceptions.
    pub(crate) lost: Lost,
    pub(crate) rounds: u32,
    /// The counts of the tiers whose bitbases have left the memory.
    pub(crate) counted: Vec<Option<TierLost>>,
}

impl Solution {
    /// A game in which only the positions with a black line are lost so far.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn start(game: &Game, seed: Seed) -> Result<Solution, OutOfMemory> {
        Solution::start_within(game, seed, Discipline::FREE)
    }

    /// The same where one side keeps to a discipline: positions outside it count against that side.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn start_within(
        game: &Game,
        seed: Seed,
        discipline: Discipline,
    ) -> Result<Solution, OutOfMemory> {
        Solution::start_heeding(game, seed, discipline, &mut || Ok(()))
    }

    /// The same; `heed` is called before each part of a tier, and what it returns may break it off.
    ///
    /// # Errors
    /// The system does not give the memory, or that of `heed`.
    pub(crate) fn start_heeding<E: From<OutOfMemory>>(
        game: &Game,
        seed: Seed,
        discipline: Discipline,
        heed: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Solution, E> {
        let mut solution = Solution::nowhere(game, seed, discipline);
        for place in solution.lost.hold(&window::whole(&solution.layout))? {
            start_heeding(&solution, Seed::Rules, place, heed)?;
        }
        Ok(solution)
    }

    /// The same with no bitbase in memory.
    pub(crate) fn nowhere(game: &Game, seed: Seed, discipline: Discipline) -> Solution {
        Solution::over(game, seed, Layout::within(game.variant, discipline))
    }

    /// The same over a layout of the game's variant.
    pub(crate) fn over(game: &Game, seed: Seed, layout: Layout) -> Solution {
        let kernels = Kernels::new(&layout);
        let lost = Lost::nowhere(&layout);
        let counted = vec![None; layout.all().len()];
        Solution { game: *game, seed, layout, kernels, seeded: None, lost, rounds: 0, counted }
    }

    /// The layout alone; the bitbases leave the memory.
    pub(crate) fn into_layout(self) -> Layout {
        self.layout
    }

    /// Keeps the bitbases of a window in memory and drops the others. Returns those that were not in memory before;
    /// they hold what the seed `rules` says of each position.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn hold(&mut self, window: &Window) -> Result<Vec<(usize, Color)>, OutOfMemory> {
        let new = self.lost.hold(window)?;
        for &(tier, turn) in &new {
            start(self, Seed::Rules, tier, turn);
        }
        Ok(new)
    }

    /// What the passes read and write.
    pub(crate) fn tables(&self) -> Tables<'_> {
        Tables { game: &self.game, layout: &self.layout, kernels: &self.kernels, lost: &self.lost }
    }

    /// The discipline that one side keeps to. Positions outside it count against that side.
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

    /// How many rounds the tier that needed most took. A round is a white and a black update; the last one added
    /// nothing.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The most bytes that the bitbases took in memory at a time.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.lost.bytes()
    }

    /// The most bytes that bitbases took at a time in mapped files.
    #[must_use]
    pub fn bytes_in_files(&self) -> u64 {
        self.lost.bytes_in_files()
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

    /// The same, part by part, so that not all of them need be in memory at once.
    pub fn exceptions_in_parts(&self, tier: usize, turn: Color) -> impl Iterator<Item = Vec<u128>> + '_ {
        self.exceptions_beyond(tier, turn, None)
    }

    /// The same, without those that `known` calls lost.
    pub(crate) fn exceptions_beyond<'a>(
        &'a self,
        tier: usize,
        turn: Color,
        known: Option<&'a Lost>,
    ) -> impl Iterator<Item = Vec<u128>> + 'a {
        self.ranks_in_parts(tier, turn, Select::Exceptions, known)
    }

    /// The ranks of the selected canonical positions of a tier, part by part, without those that `known` calls lost.
    pub(crate) fn ranks_in_parts<'a>(
        &'a self,
        tier: usize,
        turn: Color,
        select: Select,
        known: Option<&'a Lost>,
    ) -> impl Iterator<Item = Vec<u128>> + 'a {
        let plan = self.layout.tier(tier);
        let ranking = Ranking::new(plan.tier);
        // Ranks are in the order of their layers of A, so a part consists of whole layers.
        plan.rows_by_layers(PART).into_iter().map(move |layers| {
            with_kernel!(self.kernels, plan.k, kernel => {
                let ranks = |index: usize| -> Vec<u128> {
                    let mut row = self.selected(kernel, tier, turn, index, select);
                    if let Some(known) = known {
                        row = minus(&row, &known.row(tier, turn, index));
                    }
                    let found = self.canonical(tier, turn, index, &row);
                    found.map(|position| ranking.rank(&position)).collect()
                };
                let rows = layers.into_par_iter().flat_map(|rows| rows);
                let mut ranks: Vec<u128> = rows.flat_map_iter(ranks).collect();
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
    pub(crate) fn count_in(&self, tier: usize, turn: Color, select: Select) -> Count {
        let plan = self.layout.tier(tier);
        let canonical = |index: usize, row: &[u64]| match plan.stabiliser(index) {
            [_] => ones(row),
            _ => self.canonical(tier, turn, index, row).count() as u64,
        };
        let both = |index, row: &[u64]| [orbits(plan, index, row), canonical(index, row)];
        let add = |one: [u64; 2], other: [u64; 2]| [one[0] + other[0], one[1] + other[1]];
        let Ok(sums) = self.sum(tier, turn, select, both, add, &mut || Ok::<(), Infallible>(()));
        let [positions, canonical] = sums.map(u128::from);
        Count { positions, canonical }
    }

    /// The same without the number of canonical positions, which takes longer to count.
    ///
    /// # Errors
    /// As [`Solution::sum`].
    pub(crate) fn positions_in<E>(
        &self,
        tier: usize,
        turn: Color,
        select: Select,
        heed: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<u128, E> {
        let plan = self.layout.tier(tier);
        let of = |index: usize, row: &[u64]| orbits(plan, index, row);
        self.sum(tier, turn, select, of, u64::add, heed).map(u128::from)
    }

    /// The sum over a tier's rows of `of`, a function of a row's selected placements.
    ///
    /// # Errors
    /// That of `heed`, which is asked after each part of the rows.
    pub(crate) fn sum<T: Default + Send, E>(
        &self,
        tier: usize,
        turn: Color,
        select: Select,
        of: impl Fn(usize, &[u64]) -> T + Sync,
        add: impl Fn(T, T) -> T + Sync,
        heed: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<T, E> {
        let plan = self.layout.tier(tier);
        with_kernel!(self.kernels, plan.k, kernel => {
            let row = |index: usize| {
                let row = self.selected(kernel, tier, turn, index, select);
                of(index, &row)
            };
            parts(plan.rows).try_fold(T::default(), |sum, part| {
                self.lost.fetch(tier, turn, slice::from_ref(&part));
                let own = part.into_par_iter().map(row).reduce(T::default, &add);
                heed().map(|()| add(sum, own))
            })
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
        let mut walk = tables.walk(kernel, tier, turn);
        match select {
            Select::Stored => {
                let all = match plan.list(index) {
                    _ if plan.slot(index).is_none() => [0; N],
                    Some(list) => list.stored(),
                    None => kernel.full(),
                };
                and(&all, &walk.board(index).possible())
            }
            Select::Lost => lost(),
            Select::LostBesideAWhiteLine if plan.outer(index, turn).has_line(Color::White) => lost(),
            Select::LostBesideAWhiteLine => [0; N],
            Select::LostWithoutALine => match lost() {
                lost if is_empty(&lost) => lost,
                lost => minus(&lost, &walk.board(index).black_lines()),
            },
            Select::Exceptions => match (lost(), &self.seeded) {
                (lost, _) if is_empty(&lost) => lost,
                (lost, Some(seeded)) => minus(&lost, &seeded.row(tier, turn, index)),
                (lost, None) => minus(&lost, &walk.board(index).black_lines()),
            },
        }
    }

    /// The canonical ones among the positions of a row.
    pub(crate) fn canonical<'a>(
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

/// A selection of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Select {
    /// All that the discipline allows.
    Stored,
    /// All that are lost.
    Lost,
    /// The lost positions with a white line. They hold a black line too: a white line alone is not lost.
    LostBesideAWhiteLine,
    /// The lost positions that the seed does not call lost.
    Exceptions,
    /// The lost positions that hold no black line.
    LostWithoutALine,
}

/// The number of placements in a row.
pub(crate) fn ones(row: &[u64]) -> u64 {
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

/// Adds to a tier's bitbase the positions that a seed calls lost without look-ahead, and those White must not move to.
pub(crate) fn start(solution: &Solution, seed: Seed, tier: usize, turn: Color) {
    let Ok(()) = start_heeding::<Infallible>(solution, seed, (tier, turn), &mut || Ok(()));
}

/// The same; `heed` is called before each part of the tier, and what it returns may break it off.
pub(crate) fn start_heeding<E>(
    solution: &Solution,
    seed: Seed,
    (tier, turn): (usize, Color),
    heed: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let tables = solution.tables();
    let Tables { layout, lost, .. } = tables;
    let plan = layout.tier(tier);
    with_kernel!(tables.kernels, plan.k, kernel => {
        let add = |board: &Board<'_, _>| -> Option<()> {
            let barred = barred(layout, board);
            let mut row = match seed {
                Seed::Rules => and(&board.black_lines(), &board.possible()),
                Seed::Thesis if plan.k == 3 => kernel.apart_from(board.closed),
                Seed::Thesis => [0; _],
            };
            or_into(&mut row, &and(&barred, &board.possible()));
            lost.add(tier, turn, board.row, &row);
            None
        };
        for part in parts(plan.rows) {
            heed()?;
            tables.visit(kernel, (tier, turn), part, |word| plan.stored_word(word), add);
        }
    });
    Ok(())
}

/// Solutions for the tests of the passes.
#[cfg(test)]
pub(crate) mod testing {
    use std::ops::ControlFlow;

    use super::*;
    use crate::passes::solve;

    use crate::rules::Reading;

    #[test]
    fn ranks_ascend_from_part_to_part() {
        let mut parts = 0;
        for variant in ["A2-A2B2", "A2B1-A2B1"] {
            let solution = solved(&game(variant, Reading::Official), Seed::Rules);
            for tier in 0..solution.layout.all().len() {
                let ranks: Vec<Vec<u128>> =
                    solution.ranks_in_parts(tier, Color::White, Select::Stored, None).collect();
                parts += ranks.iter().filter(|part| !part.is_empty()).count();
                assert!(ranks.concat().is_sorted_by(|one, next| one < next), "{variant} {tier}");
            }
        }
        assert!(parts > 50, "{parts}");
    }

    pub fn game(variant: &str, reading: Reading) -> Game {
        Game::new(variant.read().expect("a variant"), reading)
    }

    pub fn solved(game: &Game, seed: Seed) -> Solution {
        solve(game, seed, None, &mut |_| ControlFlow::Continue(())).expect("nothing breaks it off")
    }
}
