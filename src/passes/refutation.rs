//! Refutations out of a fixpoint: Black keeps to one answer to each white move, the quickest if none is in already.
//!
//! Every answer is nearer to the end than the question, so what is needed for some distance is known once all that is
//! farther from the end has been looked at, and nothing has to be mended.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::prelude::*;

use super::closure::Growth;
use super::discipline::Discipline;
use super::fixpoint::bytes_within;
use super::kernel::{Row, bits};
use super::layout::{Layout, TierLayout};
use super::lost::OutOfMemory;
use super::solution::Solution;
use super::sweep::{Dirty, parts, with_kernel};
use super::window::Keep;
use crate::certificate::{Body, Certificate, PositionSet};
use crate::enumerate::Tier;
use crate::rules::{Color, Game, Outcome, Position, Variant};
use crate::strategy::Seed;
use crate::symmetry;

/// As many moves, or more than can be told.
const FAR: u8 = u8::MAX;

/// So many positions are looked at together: what Black can answer to their white moves is in memory meanwhile.
const BATCH: usize = 1024;

/// How far a refutation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuting {
    /// All is known that Black wins by so many white moves at most.
    Moves(u32),
    /// The refutation itself, as [`Growth`] tells of a closure.
    Growing(Growth),
}

/// Hears how far a refutation is; may break it off.
type Watcher<'a> = &'a mut dyn FnMut(Refuting) -> ControlFlow<()>;

/// How many white moves Black needs at most to win from each position with White to move.
struct Distances {
    solution: Solution,
    /// For each tier by the number of a position's bit; [`FAR`] where Black does not win.
    moves: Vec<Vec<AtomicU8>>,
}

impl Distances {
    /// Finds them; `None` if the watcher broke it off.
    fn new(
        game: &Game,
        discipline: Discipline,
        watcher: Watcher<'_>,
    ) -> Result<Option<Distances>, OutOfMemory> {
        let solution = Solution::start_within(game, Seed::Rules, discipline)?;
        let moves = solution.layout.all().iter().map(|tier| {
            let (len, mut moves) = (tier.numbers(), Vec::new());
            let refused = |_| OutOfMemory { tier: tier.tier, bytes: len as u128 };
            moves.try_reserve_exact(len).map_err(refused)?;
            moves.resize_with(len, || AtomicU8::new(FAR));
            Ok(moves)
        });
        let moves = moves.collect::<Result<_, OutOfMemory>>()?;
        let distances = Distances { solution, moves };
        distances.solution.add_wins_in_one();
        let mut dirty = distances.rows(Dirty::all);
        for moves in 1..FAR {
            let found = distances.white_step(&dirty, moves);
            if found.iter().all(Dirty::is_empty) {
                break;
            }
            dirty = distances.black_step(&found, moves);
            if watcher(Refuting::Moves(moves.into())).is_break() {
                return Ok(None);
            }
        }
        Ok(Some(distances))
    }

    fn rows(&self, dirty: impl Fn(usize) -> Dirty) -> Vec<Dirty> {
        self.solution.layout.all().iter().map(|tier| dirty(tier.rows)).collect()
    }

    /// Runs the white update over the dirty rows of all tiers, and notes how many moves what it finds takes; the rows in
    /// which it found something.
    fn white_step(&self, dirty: &[Dirty], moves: u8) -> Vec<Dirty> {
        let found = self.rows(Dirty::none);
        let tables = self.solution.tables();
        for (tier, plan) in self.solution.layout.all().iter().enumerate() {
            with_kernel!(tables.kernels, plan.k, kernel => {
                for part in parts(plan.rows) {
                    tables.white(kernel, tier, part, &dirty[tier]).par_iter().for_each(|(row, places)| {
                        found[tier].mark(*row);
                        for bit in bits(places).filter_map(|place| plan.bit(*row, place)) {
                            self.moves[tier][plan.number(bit)].store(moves, Ordering::Relaxed);
                        }
                    });
                }
            });
        }
        found
    }

    /// Runs the black update after a white step; the rows that the next white step must look at.
    fn black_step(&self, found: &[Dirty], moves: u8) -> Vec<Dirty> {
        let grown = self.rows(Dirty::none);
        let tables = self.solution.tables();
        for (tier, plan) in self.solution.layout.all().iter().enumerate() {
            with_kernel!(tables.kernels, plan.k, kernel => {
                (0..plan.rows).into_par_iter().filter(|&row| found[tier].contains(row)).for_each(|row| {
                    tables.follow_everywhere(kernel, tier, row, &self.found_in(tier, row, moves), &grown);
                });
            });
        }
        let dirty = self.rows(Dirty::none);
        for (tier, grown) in grown.iter().enumerate() {
            tables.mark_readers(tier, grown, &dirty);
        }
        dirty
    }

    /// What a white step found in a row.
    fn found_in<const N: usize>(&self, tier: usize, row: usize, moves: u8) -> Row<N> {
        let plan = self.solution.layout.tier(tier);
        let is_new = |&place: &usize| {
            let bit = plan.bit(row, place);
            bit.is_some_and(|bit| self.moves[tier][plan.number(bit)].load(Ordering::Relaxed) == moves)
        };
        let mut new = [0; N];
        for place in bits(&self.solution.lost.row::<N>(tier, Color::White, row)).filter(is_new) {
            new[place / 64] |= 1 << (place % 64);
        }
        new
    }

    fn of(&self, position: &Position) -> u8 {
        let layout = &self.solution.layout;
        let Some(tier) = layout.tiers().index(Tier::of(position)) else { return FAR };
        let plan = layout.tier(tier);
        let bit = layout.bit(plan, position);
        bit.map_or(FAR, |bit| self.moves[tier][plan.number(bit)].load(Ordering::Relaxed))
    }

    /// The positions that Black can go to and wins from within fewer moves; `None` if a black move wins at once.
    fn answers(&self, position: &Position, fewer: u8) -> Option<Vec<Answer>> {
        let game = self.solution.game();
        let mut answers = Vec::new();
        for mv in game.moves(position) {
            match game.play_unchecked(position, mv) {
                Outcome::BlackWins => return None,
                Outcome::WhiteWins => {}
                Outcome::GoesOn(next) => answers.push(next),
            }
        }
        let answer = |next: Position| {
            let moves = self.of(&next);
            (moves < fewer).then(|| Answer { moves, key: key(&next), next })
        };
        Some(answers.into_iter().filter_map(answer).collect())
    }
}

/// A position that Black can go to.
struct Answer {
    /// How many white moves it takes from there.
    moves: u8,
    /// That of its orbit.
    key: u128,
    next: Position,
}

fn key(position: &Position) -> u128 {
    symmetry::key(&symmetry::canonical(position))
}

fn quickest(answers: &[Answer]) -> Option<&Position> {
    answers.iter().min_by_key(|answer| (answer.moves, answer.key)).map(|answer| &answer.next)
}

/// A step looks at some rows, finds something in some, lets some grow, and leaves some to the next.
const ROW_SETS: usize = 4;

/// How many bytes it takes to find a refutation, without its own positions: the lost-sets, the distances, and sets of rows.
#[must_use]
pub fn bytes_of_refutation(variant: Variant, discipline: Discipline) -> u128 {
    let tier = |tier: &TierLayout| (tier.numbers() + ROW_SETS * tier.rows / 8) as u128;
    let beside: u128 = Layout::within(variant, discipline).all().iter().map(tier).sum();
    bytes_within(variant, discipline, Keep::All, false) + beside
}

/// A refutation of a game under another reading than `robust`, which says that Black wins from the empty board whoever
/// moves first, with Black keeping to a discipline; `None` if it does not win then, or if the watcher broke it off.
///
/// # Errors
/// The system does not give the memory.
pub fn refute(
    game: &Game,
    discipline: Discipline,
    watcher: Watcher<'_>,
) -> Result<Option<Certificate>, OutOfMemory> {
    let Some(distances) = Distances::new(game, discipline, watcher)? else { return Ok(None) };
    let first = distances.answers(&Position::empty(Color::Black), FAR).unwrap_or_default();
    let start = Position::empty(Color::White);
    let (Some(first), true) = (quickest(&first), distances.of(&start) < FAR) else { return Ok(None) };
    let mut growing = Growing {
        distances: &distances,
        open: vec![Vec::new(); usize::from(FAR)],
        members: HashSet::new(),
        all: Vec::new(),
    };
    growing.add(&start);
    growing.add(first);
    let whole = growing.grow(watcher).is_continue();
    let set = || PositionSet::from_positions(game.variant, growing.all);
    Ok(whole.then(|| Certificate { game: *game, body: Body::Refutation(set()) }))
}

/// A refutation on its way.
struct Growing<'a> {
    distances: &'a Distances,
    /// By how many moves it takes: the positions whose white moves are still to be answered.
    open: Vec<Vec<Position>>,
    /// By their keys.
    members: HashSet<u128>,
    all: Vec<Position>,
}

impl Growing<'_> {
    fn add(&mut self, position: &Position) {
        let position = symmetry::canonical(position);
        if self.members.insert(symmetry::key(&position)) {
            self.open[usize::from(self.distances.of(&position))].push(position);
            self.all.push(position);
        }
    }

    /// Answers all that is open.
    fn grow(&mut self, watcher: Watcher<'_>) -> ControlFlow<()> {
        let mut done = 0;
        for moves in (1..FAR).rev() {
            // What is farther from the end has been looked at, and an answer is nearer: nothing comes in meanwhile.
            let all_open = std::mem::take(&mut self.open[usize::from(moves)]);
            for batch in all_open.chunks(BATCH) {
                let questions: Vec<Vec<Answer>> =
                    batch.par_iter().flat_map_iter(|position| self.questions(position, moves)).collect();
                for answers in questions {
                    // One that came in for another question of the batch will do.
                    if let (false, Some(best)) = (self.has_one_of(&answers), quickest(&answers)) {
                        self.add(best);
                    }
                }
                done += batch.len();
                let growth =
                    Growth { positions: self.all.len() as u64, open: (self.all.len() - done) as u64 };
                watcher(Refuting::Growing(growth))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What Black can answer to each of those white moves of a position after which it neither wins at once nor has an
    /// answer that is in.
    fn questions(&self, position: &Position, moves: u8) -> Vec<Vec<Answer>> {
        let game = self.distances.solution.game();
        let outcomes = game.moves(position).map(|mv| game.play_unchecked(position, mv));
        let questions = outcomes.filter_map(|outcome| match outcome {
            Outcome::GoesOn(next) => self.distances.answers(&next, moves),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        });
        questions.filter(|answers| !self.has_one_of(answers)).collect()
    }

    fn has_one_of(&self, answers: &[Answer]) -> bool {
        answers.iter().any(|answer| self.members.contains(&answer.key))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::checker;
    use crate::passes::solution::testing::{game, solved};
    use crate::rules::Reading;

    fn refuted(variant: &str, reading: Reading, discipline: &str) -> Option<Certificate> {
        let discipline = discipline.parse().expect("a discipline");
        refute(&game(variant, reading), discipline, &mut |_| ControlFlow::Continue(())).expect("memory")
    }

    #[test]
    fn what_black_wins_from_the_empty_board_is_refuted_and_nothing_else() {
        let mut met = [0; 2];
        for variant in ["A1-A3B1", "A1-A2B2", "A2-A3B1", "A1B1-A2B2", "A1-A2B1C1"] {
            for reading in Reading::ALL.into_iter().filter(|&reading| reading != Reading::Robust) {
                let game = game(variant, reading);
                let refutation = refuted(variant, reading, "");
                let solution = solved(&game, Seed::Rules);
                let wins = Color::ALL.into_iter().all(|first| solution.is_lost(&Position::empty(first)));
                assert_eq!(refutation.is_some(), wins, "{variant} {reading}");
                met[usize::from(wins)] += 1;
                let Some(refutation) = refutation else { continue };
                let Body::Refutation(set) = &refutation.body else { panic!("a refutation") };
                assert!(set.positions(Color::White).all(|position| solution.is_lost(&position)));
                let threads = NonZeroUsize::new(2).expect("not 0");
                let verified =
                    checker::check(&refutation.encode(), threads, &|_, _| ()).expect("it is accepted");
                assert_eq!(verified.positions_checked, set.len());
                assert_eq!(verified.claim.to_string(), format!("{variant} {reading} lost refutation"));
            }
        }
        assert!(met.iter().all(|&met| met > 3), "{met:?}");
    }

    #[test]
    fn black_wins_within_a_discipline_or_it_is_open() {
        let within = refuted("A2-A3B3", Reading::Official, "a=0").expect("Black wins");
        let Body::Refutation(set) = &within.body else { panic!("a refutation") };
        let discipline: Discipline = "a=0".parse().expect("a discipline");
        assert!(set.positions(Color::White).all(|position| discipline.allows(&position)));
        assert_eq!(refuted("A2-A3B3", Reading::Official, "a=0,b=0"), None);
    }

    #[test]
    fn a_watcher_hears_how_far_it_is_and_may_break_it_off() {
        let game = game("A2-A3B3", Reading::Official);
        let refuted = |most| {
            let mut heard = Vec::new();
            let found = refute(&game, Discipline::FREE, &mut |refuting| {
                heard.push(refuting);
                if heard.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            (found.expect("memory"), heard)
        };
        let (whole, heard) = refuted(usize::MAX);
        let Body::Refutation(set) = whole.expect("Black wins").body else { panic!("a refutation") };
        let end = Growth { positions: set.len(), open: 0 };
        assert_eq!(heard.last(), Some(&Refuting::Growing(end)));
        let steps = heard.iter().take_while(|refuting| matches!(refuting, Refuting::Moves(_))).count();
        let expected: Vec<Refuting> = (1..).map(Refuting::Moves).take(steps).collect();
        assert_eq!(heard[..steps], expected);
        for most in [1, steps, steps + 1] {
            assert_eq!(
                refuted(most),
                (None, heard[..most].to_vec()),
                "while it is sought, and while it grows"
            );
        }
    }
}
