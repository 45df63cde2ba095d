//! A refutation that grows from the empty board.

use std::collections::HashSet;

use rayon::prelude::*;

use super::distances::{Answer, Distances, FAR};
use super::grown::Kept;
use super::{Refuting, Watcher, tell};
use crate::passes::closure::Growth;
use crate::passes::fixpoint::FixpointError;
use crate::passes::working::Working;
use crate::rules::{Color, Outcome, Position};
use crate::symmetry;

/// So many positions are looked at together: what Black can answer to their white moves is in memory meanwhile.
const BATCH: usize = 1024;

/// The number of white moves from which on all answers weigh the same.
const WEIGHTIEST: u8 = 48;

/// What Black can answer to a white move.
struct Question {
    /// The keys of all answers.
    answers: Vec<u128>,
    /// The one that asks for the least itself.
    best: Position,
}

/// A refutation on its way.
pub(super) struct Growing<'a> {
    distances: &'a Distances,
    /// In the order in which they came.
    all: Vec<Position>,
    /// By their keys.
    members: HashSet<u128>,
    /// By how many moves it takes: the numbers of those whose white moves are still to be answered.
    open: Vec<Vec<u32>>,
    /// All that takes more moves has been answered, and so many of what takes as many.
    begun: (u8, usize),
    kept: Option<Kept<'a>>,
}

impl<'a> Growing<'a> {
    /// What is on disk, or the empty board and what Black answers to it.
    ///
    /// # Errors
    /// The working files cannot be used.
    pub(super) fn begin(
        distances: &'a Distances,
        working: Option<&'a Working>,
    ) -> Result<Growing<'a>, FixpointError> {
        // What was kept is not trusted: what Black does not win is never answered, and the checker notices.
        let open = vec![Vec::new(); usize::from(FAR) + 1];
        let mut growing = Growing {
            distances,
            open,
            members: HashSet::new(),
            all: Vec::new(),
            begun: (FAR - 1, 0),
            kept: None,
        };
        let tiers = distances.layout.tiers();
        if let Some((grown, all)) = working.map(|working| Kept::read(working, tiers)).transpose()?.flatten() {
            all.iter().for_each(|position| growing.add(position));
            growing.begun = (grown.moves, grown.answered as usize);
        } else {
            growing.add(&Position::empty(Color::White));
            let first = distances.answers(&Position::empty(Color::Black), FAR);
            if let Some(first) = first.and_then(|first| growing.question(first)) {
                growing.add(&first.best);
            }
        }
        growing.kept = working.map(|working| Kept::new(working, growing.all.len()));
        Ok(growing)
    }

    /// Adds a position from which Black wins.
    fn add(&mut self, position: &Position) {
        let position = symmetry::canonical(position);
        if self.members.insert(symmetry::key(&position)) {
            let number = u32::try_from(self.all.len()).expect("four thousand million are not held in memory");
            self.open[usize::from(self.distances.of(&position))].push(number);
            self.all.push(position);
        }
    }

    /// Answers all that is open; what it comes to.
    ///
    /// # Errors
    /// The working files cannot be used, or the watcher broke it off.
    pub(super) fn grow(mut self, watcher: Watcher<'_>) -> Result<Vec<Position>, FixpointError> {
        let tiers = self.distances.layout.tiers();
        let (first, mut answered) = self.begun;
        let farther = self.open.iter().skip(usize::from(first) + 1).map(Vec::len).sum::<usize>();
        let mut done = farther + answered;
        for moves in (1..=first).rev() {
            // What is farther from the end has been looked at, and an answer is nearer: nothing comes in meanwhile.
            let all_open = std::mem::take(&mut self.open[usize::from(moves)]);
            for batch in all_open.get(answered..).unwrap_or_default().chunks(BATCH) {
                let questions = |&number: &u32| self.questions(&self.all[number as usize], moves);
                let questions: Vec<Question> = batch.par_iter().flat_map_iter(questions).collect();
                for question in questions {
                    // One that came in for another question of the batch will do.
                    if !self.has_one_of(question.answers) {
                        self.add(&question.best);
                    }
                }
                answered += batch.len();
                done += batch.len();
                if let Some(kept) = self.kept.as_mut().filter(|kept| kept.is_due()) {
                    kept.write(tiers, &self.all, moves, answered)?;
                }
                let growth =
                    Growth { positions: self.all.len() as u64, open: (self.all.len() - done) as u64 };
                tell(watcher, Refuting::Growing(growth))?;
            }
            answered = 0;
        }
        if let Some(kept) = &mut self.kept {
            kept.write(tiers, &self.all, 0, 0)?;
        }
        Ok(self.all)
    }

    /// The white moves of a position after which Black neither wins at once nor has an answer that is in.
    fn questions(&self, position: &Position, moves: u8) -> impl Iterator<Item = Question> {
        self.open_questions(position, moves).filter_map(|answers| self.question(answers))
    }

    /// What Black can answer to each of those white moves of a position after which it neither wins at once nor has an
    /// answer that is in.
    fn open_questions(&self, position: &Position, moves: u8) -> impl Iterator<Item = Vec<Answer>> {
        let game = &self.distances.game;
        let outcomes = game.moves(position).map(move |mv| game.play_unchecked(position, mv));
        let questions = outcomes.filter_map(move |outcome| match outcome {
            Outcome::GoesOn(next) => self.distances.answers(&next, moves),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        });
        questions.filter(|answers| !self.has_one_of(answers.iter().map(|answer| answer.key)))
    }

    fn question(&self, mut answers: Vec<Answer>) -> Option<Question> {
        // Those that weigh little come early, and the others need not be weighed to the end.
        answers.sort_unstable_by_key(|answer| (answer.moves, answer.key));
        let mut best = (answers.first()?.next, u64::MAX);
        for answer in &answers {
            best = self.weight_below(best.1, answer).map_or(best, |weight| (answer.next, weight));
        }
        Some(Question { answers: answers.into_iter().map(|answer| answer.key).collect(), best: best.0 })
    }

    /// How much an answer is thought to bring in, if that is less than `most`: of each question that it leaves open the
    /// quickest answer, which counts twice as much for each white move more that it takes.
    fn weight_below(&self, most: u64, answer: &Answer) -> Option<u64> {
        let quickest = |answers: Vec<Answer>| answers.iter().map(|answer| answer.moves).min();
        let mut quickest = self.open_questions(&answer.next, answer.moves).filter_map(quickest);
        let below = |weight: &u64| *weight < most;
        let add = |weight: u64, moves: u8| weight.checked_add(1 << moves.min(WEIGHTIEST)).filter(below);
        Some(0).filter(below).and_then(|nothing| quickest.try_fold(nothing, add))
    }

    fn has_one_of(&self, keys: impl IntoIterator<Item = u128>) -> bool {
        keys.into_iter().any(|key| self.members.contains(&key))
    }
}
