//! Growing a refutation from the empty board.

use std::collections::HashSet;

use rayon::prelude::*;

use super::distances::{BlackReply, Distances, FAR, MOST_MOVES, key};
use super::found::SavedRefutation;
use super::grown::Keeping;
use super::memo::Memo;
use super::{Refuting, tell};
use crate::closure::{Growth, Watcher};
use crate::passes::fixpoint::FixpointError;
use crate::prelude::*;
use crate::rules::{Color, Move, Outcome, Position};
use crate::store::Checkpoint;
use crate::symmetry;

/// The number of positions looked at together. Black's possible answers to their white moves are in memory meanwhile.
const BATCH: usize = 1024;

/// The number of white moves from which on all answers weigh the same.
const WEIGHTIEST: u8 = 48;

/// What Black can answer to a white move.
struct Unanswered {
    /// The keys of all answers.
    answers: Vec<u128>,
    /// The one that asks for the least itself.
    best: Position,
}

/// The number of moves that are tried first.
const REPLIES: usize = 12;

/// Black moves that answered other white moves, the latest last: most often one of them answers the next white move too.
#[derive(Default)]
struct Replies(Vec<Move>);

impl Replies {
    /// What `reply` gives for the first move, the latest first, for which it gives something.
    fn first<T>(&mut self, reply: impl Fn(Move) -> Option<T>) -> Option<T> {
        let replies = self.0.iter().enumerate().rev();
        let (found, reply) = replies.filter_map(|(at, &mv)| Some((at, reply(mv)?))).next()?;
        self.0[found..].rotate_left(1);
        Some(reply)
    }

    /// Adds one.
    fn add(&mut self, mv: Move) {
        if self.0.len() == REPLIES {
            self.0.remove(0);
        }
        self.0.push(mv);
    }
}

/// A refutation on its way.
pub(crate) struct Growing<'a> {
    distances: &'a Distances,
    /// In the order in which they came.
    all: Vec<Position>,
    /// By their keys.
    members: HashSet<u128>,
    /// By how many moves it takes: the numbers of those whose white moves are still to be answered.
    open: Vec<Vec<u32>>,
    /// The distance that is in work, in white moves, and how many of its positions have been answered. All positions that
    /// are farther from the win have been.
    begun: (u8, usize),
    keeping: Option<Keeping<'a>>,
}

impl<'a> Growing<'a> {
    /// What is on disk, or the empty board and what Black answers to it.
    ///
    /// # Errors
    /// The working files cannot be used, or the watcher broke it off.
    pub(crate) fn begin(
        distances: &'a Distances,
        saving: Option<&'a mut Checkpoint<SavedRefutation>>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<Growing<'a>, FixpointError> {
        // What was kept is not trusted: what Black does not win is never answered, and the checker notices.
        let open = vec![Vec::new(); usize::from(FAR) + 1];
        let mut growing = Growing {
            distances,
            open,
            members: HashSet::new(),
            all: Vec::new(),
            begun: (FAR - 1, 0),
            keeping: None,
        };
        let tiers = distances.layout.tiers();
        let mut read = |positions: usize| {
            tell(watcher, Refuting::Growing(Growth { positions: positions as u64, open: 0 }))
        };
        let kept = saving.map(|checkpoint| Keeping::begin(checkpoint, tiers, &mut read)).transpose()?;
        let (keeping, kept) = kept.map_or((None, None), |(keeping, kept)| (Some(keeping), kept));
        growing.keeping = keeping;
        if let Some((grown, all)) = kept {
            for some in all.chunks(BATCH) {
                some.iter().for_each(|position| growing.add(position));
                read(growing.all.len())?;
            }
            growing.begun = (grown.moves, grown.answered);
        } else {
            growing.add(&Position::empty(Color::White));
            let first = distances.answers(&Position::empty(Color::Black), FAR);
            if let Some(first) = first.ok().and_then(|first| growing.question(first, &Memo::new())) {
                growing.add(&first.best);
            }
        }
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
    pub(crate) fn grow(mut self, watcher: Watcher<'_, Refuting>) -> Result<Vec<Position>, FixpointError> {
        let tiers = self.distances.layout.tiers();
        let (first, mut answered) = self.begun;
        let farther = self.open.iter().skip(usize::from(first) + 1).map(Vec::len).sum::<usize>();
        let mut done = farther + answered;
        let mut memo = Memo::new();
        for moves in (1..=first).rev() {
            // What is farther from the end has been looked at, and an answer is nearer: nothing comes in meanwhile.
            let all_open = std::mem::take(&mut self.open[usize::from(moves)]);
            for batch in all_open.get(answered..).unwrap_or_default().chunks(BATCH) {
                let questions = |&number: &u32| self.questions(&self.all[number as usize], moves, &memo);
                let questions: Vec<Unanswered> = batch.par_iter().flat_map_iter(questions).collect();
                memo.clear();
                for question in questions {
                    // One that came in for another question of the batch will do.
                    if !self.has_one_of(question.answers) {
                        self.add(&question.best);
                    }
                }
                answered += batch.len();
                done += batch.len();
                let growth =
                    Growth { positions: self.all.len() as u64, open: (self.all.len() - done) as u64 };
                let told = tell(watcher, Refuting::Growing(growth));
                if let Some(keeping) = &mut self.keeping
                    && (told.is_err() || keeping.is_due())
                {
                    keeping.write(tiers, &self.all, moves, answered)?;
                }
                told?;
            }
            answered = 0;
        }
        if let Some(keeping) = &mut self.keeping {
            keeping.write(tiers, &self.all, 0, 0)?;
        }
        Ok(self.all)
    }

    /// The white moves of a position after which Black neither wins at once nor has an answer that is in.
    fn questions(&self, position: &Position, moves: u8, memo: &Memo) -> Vec<Unanswered> {
        let mut replies = Replies::default();
        let asked = |next: Position| self.answers(&next, moves, &mut replies).ok();
        let open: Vec<Vec<BlackReply>> = self.asked(position).filter_map(asked).collect();
        open.into_iter().filter_map(|answers| self.question(answers, memo)).collect()
    }

    /// Where White can go to without ending the game.
    fn asked(&self, position: &Position) -> impl Iterator<Item = Position> {
        let game = &self.distances.game;
        game.moves(position).filter_map(move |mv| match game.play_unchecked(position, mv) {
            Outcome::GoesOn(next) => Some(next),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        })
    }

    /// What Black can answer within fewer moves.
    ///
    /// # Errors
    /// How many moves it takes from an answer that is in, or 0 if Black wins at once.
    fn answers(&self, position: &Position, fewer: u8, replies: &mut Replies) -> Result<Vec<BlackReply>, u8> {
        let mut legal = Vec::with_capacity(MOST_MOVES);
        legal.extend(self.distances.game.moves(position));
        let reply = |mv| legal.contains(&mv).then(|| self.reply(position, mv, fewer)).flatten();
        if let Some(moves) = replies.first(reply) {
            return Err(moves);
        }
        match self.distances.answers(position, fewer) {
            Ok(answers) => match answers.iter().find(|answer| self.members.contains(&answer.key)) {
                None => Ok(answers),
                Some(answer) => {
                    replies.add(answer.mv);
                    Err(answer.moves)
                }
            },
            Err(mv) => {
                replies.add(mv);
                Err(0)
            }
        }
    }

    /// How many moves it takes from where a legal move leads to, if that is in and fewer, or 0 if Black wins at once.
    fn reply(&self, position: &Position, mv: Move, fewer: u8) -> Option<u8> {
        match self.distances.game.play_unchecked(position, mv) {
            Outcome::BlackWins => Some(0),
            Outcome::WhiteWins => None,
            Outcome::GoesOn(next) => {
                let is_in = self.members.contains(&key(&next));
                is_in.then(|| self.distances.of(&next)).filter(|&moves| moves < fewer)
            }
        }
    }

    fn question(&self, mut answers: Vec<BlackReply>, memo: &Memo) -> Option<Unanswered> {
        // Those that weigh little come early, and the others need not be weighed to the end.
        answers.sort_unstable_by_key(|answer| (answer.moves, answer.key));
        let mut best = (answers.first()?.next, u64::MAX);
        let mut replies = Replies::default();
        for answer in &answers {
            let weight = self.weight_below(best.1, answer, memo, &mut replies);
            best = weight.map_or(best, |weight| (answer.next, weight));
        }
        Some(Unanswered { answers: answers.into_iter().map(|answer| answer.key).collect(), best: best.0 })
    }

    /// The estimated weight of an answer, if it is below `most`: the sum over the questions that it leaves open. Each counts by its
    /// quickest answer, which weighs twice as much for each further white move that it takes.
    fn weight_below(
        &self,
        most: u64,
        answer: &BlackReply,
        memo: &Memo,
        replies: &mut Replies,
    ) -> Option<u64> {
        let quickest = |next: Position| self.quickest(&next, answer.moves, memo, replies);
        let mut quickest = self.asked(&answer.next).filter_map(quickest);
        let below = |weight: &u64| *weight < most;
        let add = |weight: u64, moves: u8| weight.checked_add(1 << moves.min(WEIGHTIEST)).filter(below);
        Some(0).filter(below).and_then(|nothing| quickest.try_fold(nothing, add))
    }

    /// The fewest moves that an answer takes within fewer moves; `None` if one is in, or Black wins at once.
    fn quickest(&self, position: &Position, fewer: u8, memo: &Memo, replies: &mut Replies) -> Option<u8> {
        let key = key(position);
        if let Some(quickest) = memo.quickest(key, fewer) {
            return quickest;
        }
        match self.answers(position, fewer, replies) {
            Ok(answers) => {
                let quickest = answers.iter().map(|answer| answer.moves).min();
                memo.open(key, fewer, quickest);
                quickest
            }
            Err(moves) => {
                memo.answered(key, moves);
                None
            }
        }
    }

    fn has_one_of(&self, keys: impl IntoIterator<Item = u128>) -> bool {
        keys.into_iter().any(|key| self.members.contains(&key))
    }
}
