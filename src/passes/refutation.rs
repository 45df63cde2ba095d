//! Refutations out of a fixpoint: Black keeps to one answer to each white move, one that is in already if there is, else
//! the one that asks for least itself.
//!
//! Every answer is nearer to the end than the question, so what is needed for some distance is known once all that is
//! farther from the end has been looked at, and nothing has to be mended. The quickest answer would do, but it is seldom
//! the one that needs the fewest positions.

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
use crate::rules::{Color, Game, Move, Outcome, Position, Size, Variant};
use crate::strategy::Seed;
use crate::symmetry;

/// As many moves, or more than can be told.
const FAR: u8 = u8::MAX;

/// So many positions are looked at together: what Black can answer to their white moves is in memory meanwhile.
const BATCH: usize = 1024;

/// The number of white moves from which on all answers weigh the same.
const WEIGHTIEST: u8 = 48;

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

/// How many white moves Black needs at most to win from positions with White to move.
struct Distances {
    solution: Solution,
    /// For each tier by the number of a position's bit; [`FAR`] where Black does not win, or not soon enough.
    moves: Vec<Vec<AtomicU8>>,
    /// For each tier how many white moves it takes at least to come there from the empty board.
    earliest: Vec<u8>,
}

impl Distances {
    /// Finds those that are needed for a shortest way from the empty board, whoever moves first, if Black wins then.
    ///
    /// A refutation gets nearer to the end with each white move. So where it takes some moves at least to come to a
    /// tier, that many fewer are left there, and no position matters that takes more. The large tiers are late.
    ///
    /// `None` if the watcher broke it off.
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
        let earliest: Vec<u8> = solution.layout.all().iter().map(|tier| earliest(tier.tier)).collect();
        let latest = earliest.iter().copied().max().unwrap_or_default();
        let distances = Distances { solution, moves, earliest };
        distances.solution.add_wins_in_one();
        let steps = Steps {
            dirty: distances.rows(Dirty::all),
            found: distances.rows(Dirty::none),
            grown: distances.rows(Dirty::none),
            of: &distances,
        };
        for most in 1..FAR {
            for earliest in (0..=latest.min(most - 1)).rev() {
                steps.step(earliest, most - earliest);
            }
            if watcher(Refuting::Moves(most.into())).is_break() {
                return Ok(None);
            }
            let all_over = most > latest && steps.dirty.iter().all(Dirty::is_empty);
            if all_over || distances.of_empty_board().is_some() {
                break;
            }
        }
        drop(steps);
        Ok(Some(distances))
    }

    fn rows(&self, dirty: impl Fn(usize) -> Dirty) -> Vec<Dirty> {
        self.solution.layout.all().iter().map(|tier| dirty(tier.rows)).collect()
    }

    /// The empty board with White to move, and what Black can answer to it when it moves first itself; `None` if Black is
    /// not known to win both.
    fn of_empty_board(&self) -> Option<(Position, Vec<Answer>)> {
        let start = Position::empty(Color::White);
        let first = self.answers(&Position::empty(Color::Black), FAR)?;
        (self.of(&start) < FAR && !first.is_empty()).then_some((start, first))
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
        self.tier(position).map_or(FAR, |tier| self.in_tier(tier, position))
    }

    fn tier(&self, position: &Position) -> Option<usize> {
        self.solution.layout.tiers().index(Tier::of(position))
    }

    fn in_tier(&self, tier: usize, position: &Position) -> u8 {
        let layout = &self.solution.layout;
        let plan = layout.tier(tier);
        let bit = layout.bit(plan, position);
        bit.map_or(FAR, |bit| self.moves[tier][plan.number(bit)].load(Ordering::Relaxed))
    }

    /// The positions that Black can go to and wins from within fewer moves; `None` if a black move wins at once.
    fn answers(&self, position: &Position, fewer: u8) -> Option<Vec<Answer>> {
        let game = self.solution.game();
        let tier = self.tier(position)?;
        let after = &self.solution.layout.tier(tier).after[Color::Black];
        let mut answers = Vec::new();
        for mv in game.moves(position) {
            match (game.play_unchecked(position, mv), mv) {
                (Outcome::BlackWins, _) => return None,
                (Outcome::WhiteWins, _) => {}
                (Outcome::GoesOn(next), Move::Place { size, .. }) => {
                    answers.extend(after[size].zip(Some(next)))
                }
                (Outcome::GoesOn(next), Move::Transfer { .. }) => answers.push((tier, next)),
            }
        }
        let answer = |(tier, next): (usize, Position)| {
            let moves = self.in_tier(tier, &next);
            (moves < fewer).then(|| Answer { moves, key: key(&next), next })
        };
        Some(answers.into_iter().filter_map(answer).collect())
    }
}

/// How many white moves it takes at least to come to a tier: a move puts down one piece at most.
fn earliest(tier: Tier) -> u8 {
    let pieces = |color| Size::ALL.map(|size| tier.count(color, size)).iter().sum();
    Color::ALL.map(pieces).into_iter().max().unwrap_or_default()
}

/// The rows that the steps work on, of all tiers.
struct Steps<'a> {
    of: &'a Distances,
    /// Those that a white step must look at.
    dirty: Vec<Dirty>,
    /// Those in which one found something.
    found: Vec<Dirty>,
    /// Those that a black step let grow.
    grown: Vec<Dirty>,
}

impl Steps<'_> {
    /// Finds from where Black needs so many moves in the tiers with an earliest, and what it can go there from.
    fn step(&self, earliest: u8, moves: u8) {
        let tiers = || (0..self.of.earliest.len()).filter(|&tier| self.of.earliest[tier] == earliest);
        tiers().for_each(|tier| self.white(tier, moves));
        tiers().for_each(|tier| self.black(tier, moves));
        for (tier, grown) in
            self.grown.iter().enumerate().filter(|&(tier, _)| self.of.earliest[tier] <= earliest)
        {
            self.of.solution.tables().mark_readers(tier, grown, &self.dirty);
            grown.clear();
        }
    }

    /// Runs the white update over the dirty rows of a tier, and notes how many moves what it finds takes.
    fn white(&self, tier: usize, moves: u8) {
        let tables = self.of.solution.tables();
        let plan = tables.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, kernel => {
            for part in parts(plan.rows) {
                tables.white(kernel, tier, part, &self.dirty[tier]).par_iter().for_each(|(row, places)| {
                    self.found[tier].mark(*row);
                    for bit in bits(places).filter_map(|place| plan.bit(*row, place)) {
                        self.of.moves[tier][plan.number(bit)].store(moves, Ordering::Relaxed);
                    }
                });
            }
        });
        self.dirty[tier].clear();
    }

    /// Runs the black update after a white step in a tier.
    fn black(&self, tier: usize, moves: u8) {
        let tables = self.of.solution.tables();
        let plan = tables.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, kernel => {
            (0..plan.rows).into_par_iter().filter(|&row| self.found[tier].contains(row)).for_each(|row| {
                tables.follow_everywhere(kernel, tier, row, &self.of.found_in(tier, row, moves), &self.grown);
            });
        });
        self.found[tier].clear();
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

/// What Black can answer to a white move.
struct Question {
    /// The keys of all answers.
    answers: Vec<u128>,
    /// The one that asks for the least itself.
    best: Position,
}

/// The sets of rows that [`Steps`] has.
const ROW_SETS: usize = 3;

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
    let Some((start, first)) = distances.of_empty_board() else { return Ok(None) };
    let mut growing = Growing {
        distances: &distances,
        open: vec![Vec::new(); usize::from(FAR)],
        members: HashSet::new(),
        all: Vec::new(),
    };
    let Some(first) = growing.question(first) else { return Ok(None) };
    growing.add(&start);
    growing.add(&first.best);
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
                let questions: Vec<Question> =
                    batch.par_iter().flat_map_iter(|position| self.questions(position, moves)).collect();
                for question in questions {
                    // One that came in for another question of the batch will do.
                    if !self.has_one_of(question.answers) {
                        self.add(&question.best);
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

    /// The white moves of a position after which Black neither wins at once nor has an answer that is in.
    fn questions(&self, position: &Position, moves: u8) -> impl Iterator<Item = Question> {
        self.open_questions(position, moves).filter_map(|answers| self.question(answers))
    }

    /// What Black can answer to each of those white moves of a position after which it neither wins at once nor has an
    /// answer that is in.
    fn open_questions(&self, position: &Position, moves: u8) -> impl Iterator<Item = Vec<Answer>> {
        let game = self.distances.solution.game();
        let outcomes = game.moves(position).map(move |mv| game.play_unchecked(position, mv));
        let questions = outcomes.filter_map(move |outcome| match outcome {
            Outcome::GoesOn(next) => self.distances.answers(&next, moves),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        });
        questions.filter(|answers| !self.has_one_of(answers.iter().map(|answer| answer.key)))
    }

    fn question(&self, answers: Vec<Answer>) -> Option<Question> {
        let best = answers.iter().min_by_key(|answer| (self.weight(answer), answer.moves, answer.key))?.next;
        Some(Question { answers: answers.into_iter().map(|answer| answer.key).collect(), best })
    }

    /// How much an answer is thought to bring in: of each question that it leaves open the quickest answer, which counts
    /// twice as much for each white move more that it takes.
    fn weight(&self, answer: &Answer) -> u64 {
        let quickest = |answers: Vec<Answer>| answers.iter().map(|answer| answer.moves).min();
        let quickest = self.open_questions(&answer.next, answer.moves).filter_map(quickest);
        quickest.map(|moves| 1 << moves.min(WEIGHTIEST)).sum()
    }

    fn has_one_of(&self, keys: impl IntoIterator<Item = u128>) -> bool {
        keys.into_iter().any(|key| self.members.contains(&key))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZeroUsize;

    use super::*;
    use crate::checker;
    use crate::enumerate::{Ranking, Tiers};
    use crate::passes::scalar;
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

    /// How many white moves Black needs, by definition, a position at a time, whatever way leads there.
    fn moves_by_definition(game: &Game) -> HashMap<u128, u8> {
        let tiers = Tiers::new(game.variant);
        let rankings = tiers.as_slice().iter().map(|&tier| Ranking::new(tier));
        let all = rankings.flat_map(|ranking| {
            (0..ranking.len()).map(move |rank| ranking.unrank(rank, Color::White).expect("below the length"))
        });
        let mut open: Vec<Position> = all
            .filter(|position| position.finished().is_none() && symmetry::is_canonical(position))
            .collect();
        let mut known = HashMap::new();
        for moves in 1.. {
            let black_answers =
                |next: &Position| scalar::black_wins(game, next, |next| known.contains_key(&key(next)));
            let (new, left): (Vec<Position>, Vec<Position>) =
                open.into_iter().partition(|position| scalar::white_loses(game, position, black_answers));
            if new.is_empty() {
                break;
            }
            known.extend(new.iter().map(|position| (symmetry::key(position), moves)));
            open = left;
        }
        known
    }

    #[test]
    fn distances_are_exact_as_far_as_they_are_needed() {
        let mut met = [0; 2];
        for (variant, reading) in [("A1-A3B1", Reading::Official), ("A1-A2B2", Reading::Thesis)] {
            let game = game(variant, reading);
            let by_definition = moves_by_definition(&game);
            let found = Distances::new(&game, Discipline::FREE, &mut |_| ControlFlow::Continue(()));
            let distances = found.expect("memory").expect("nothing breaks it off");
            let (start, first) = distances.of_empty_board().expect("Black wins");
            let quickest = first.iter().map(|answer| by_definition[&answer.key]).min().expect("an answer");
            let most = by_definition[&symmetry::key(&start)].max(quickest + 1);
            for &tier in distances.solution.layout.tiers().as_slice() {
                let ranking = Ranking::new(tier);
                for rank in 0..ranking.len() {
                    let position = ranking.unrank(rank, Color::White).expect("below the length");
                    if position.finished().is_some() {
                        continue;
                    }
                    let moves = by_definition.get(&key(&position));
                    let needed = moves.filter(|&&moves| moves <= most.saturating_sub(earliest(tier)));
                    assert_eq!(distances.of(&position), *needed.unwrap_or(&FAR), "{variant} {position}");
                    met[usize::from(needed.is_some())] += usize::from(moves.is_some());
                }
            }
        }
        assert!(met.iter().all(|&met| met > 100), "{met:?}");
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
