//! Growing a refutation from the empty board.

use std::collections::HashSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::distances::{BlackReply, MOST_MOVES, key};
use super::found::SavedRefutation;
use super::grown::Keeping;
use super::memo::Memo;
use super::order::{FAR, Order, Stage};
use super::{Refuting, tell};
use crate::closure::{Growth, Watcher};
use crate::passes::fixpoint::FixpointError;
use crate::prelude::*;
use crate::rules::{Color, Move, Outcome, Position};
use crate::store::Checkpoint;
use crate::symmetry;

/// The number of positions looked at together. Black's possible answers to their white moves are in memory meanwhile.
const BATCH: usize = 1024;

/// A question weighs two to the power of its quickest answer's distance; beyond this many white moves it weighs no more.
const WEIGHTIEST: u8 = 48;

/// A white move that nothing in the refutation answers yet, with the answers that Black can choose from.
struct Unanswered {
    /// The keys of all answers.
    answers: Vec<u128>,
    /// The answer of least weight, see [`Growing::weight_below`].
    best: Position,
}

/// The most moves that [`Replies`] remembers.
const REPLIES: usize = 12;

/// Black moves that answered other white moves, the latest last. They are tried first: most often one answers the next too.
#[derive(Default)]
struct Replies(Vec<Move>);

impl Replies {
    /// Tries the moves from the latest on until `reply` is not `None`, and returns that. The move becomes the latest.
    fn first<T>(&mut self, reply: impl Fn(Move) -> Option<T>) -> Option<T> {
        let replies = self.0.iter().enumerate().rev();
        let (found, reply) = replies.filter_map(|(at, &mv)| Some((at, reply(mv)?))).next()?;
        self.0[found..].rotate_left(1);
        Some(reply)
    }

    /// Adds a move as the latest; the earliest is dropped if there is no room.
    fn add(&mut self, mv: Move) {
        if self.0.len() == REPLIES {
            self.0.remove(0);
        }
        self.0.push(mv);
    }
}

/// How far the growth is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Begun {
    /// The stage that is worked on; `None` at the end. All positions of the stages before it are answered.
    pub stage: Option<Stage>,
    /// How many of the stage's positions are answered, in the order in which they came.
    pub answered: usize,
    /// How many positions are answered in all.
    pub done: usize,
}

/// A refutation that grows.
pub(crate) struct Growing<'a, O> {
    order: O,
    /// Its positions in the order in which they came.
    all: Vec<Position>,
    /// The keys of its positions.
    members: HashSet<u128>,
    /// The positions of each list of the order, by their places in `all`, until [`Growing::grow`] takes them up.
    open: Vec<Vec<u32>>,
    begun: Begun,
    keeping: Option<Keeping<'a>>,
}

impl<'a, O: Order> Growing<'a, O> {
    /// Begins with what is on disk. If nothing is, it begins with the empty board with White to move, and with the position
    /// after Black's best first move.
    ///
    /// # Errors
    /// The working files cannot be used, or the watcher broke it off.
    pub(crate) fn begin(
        order: O,
        saving: Option<&'a mut Checkpoint<SavedRefutation>>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<Growing<'a, O>, FixpointError> {
        // What was kept is not trusted. A position that Black does not win is never answered, and the checker notices that.
        let begun = Begun { stage: Some(order.first()), answered: 0, done: 0 };
        let open = vec![Vec::new(); order.lists()];
        let mut growing =
            Growing { order, open, members: HashSet::new(), all: Vec::new(), begun, keeping: None };
        let mut read = |positions: usize| {
            tell(watcher, Refuting::Growing(Growth { positions: positions as u64, open: 0 }))
        };
        let tiers = growing.order.layout().tiers();
        let kept = saving
            .map(|checkpoint| Keeping::begin(checkpoint, tiers, growing.order.form(), &mut read))
            .transpose()?;
        let (keeping, kept) = kept.map_or((None, None), |(keeping, kept)| (Some(keeping), kept));
        growing.keeping = keeping;
        let is_of_the_order =
            |begun: &Begun| begun.stage.is_none_or(|stage| stage.list < growing.order.lists());
        if let Some((begun, all)) = kept.filter(|(begun, _)| is_of_the_order(begun)) {
            for some in all.chunks(BATCH) {
                some.iter().for_each(|position| growing.add(position));
                read(growing.all.len())?;
            }
            growing.begun = begun;
            if let Some(stage) = begun.stage {
                // Of the stage's list, the positions of the stages before it are answered.
                let before = Stage { place: stage.place.saturating_add(1), ..stage };
                growing.order.enter(before, growing.keeping.as_ref().map(Keeping::saved), watcher)?;
                growing.take(before);
            }
        } else {
            growing.add(&Position::empty(Color::White));
            let first = growing.order.answers(&Position::empty(Color::Black), FAR);
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
            self.open[self.order.list(&position)].push(number);
            self.all.push(position);
        }
    }

    /// Takes the positions that are due from the list of a stage.
    fn take(&mut self, stage: Stage) -> Vec<u32> {
        let all_open = std::mem::take(&mut self.open[stage.list]);
        let is_due = |number: &u32| self.order.is_due(&self.all[*number as usize], stage);
        let (due, open) = all_open.into_par_iter().partition(is_due);
        self.open[stage.list] = open;
        due
    }

    /// Answers all open positions. Returns the positions of the whole refutation.
    ///
    /// # Errors
    /// The working files or the order cannot be used, or the watcher broke it off.
    pub(crate) fn grow(mut self, watcher: Watcher<'_, Refuting>) -> Result<Vec<Position>, FixpointError> {
        let mut memo = Memo::new();
        while let Some(stage) = self.begun.stage {
            if !self.open[stage.list].is_empty() {
                self.order.enter(stage, self.keeping.as_ref().map(Keeping::saved), &mut *watcher)?;
                self.answer(stage, &mut memo, &mut *watcher)?;
            }
            (self.begun.stage, self.begun.answered) = (self.order.next(stage), 0);
        }
        self.keep()?;
        Ok(self.all)
    }

    /// Answers the positions of a stage.
    fn answer(
        &mut self,
        stage: Stage,
        memo: &mut Memo,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError> {
        // Every answer is earlier in the order, so this list is complete.
        let due = self.take(stage);
        let fewer = self.order.below_stage(stage);
        for batch in due.get(self.begun.answered..).unwrap_or_default().chunks(BATCH) {
            let questions = |&number: &u32| self.questions(&self.all[number as usize], fewer, memo);
            let questions: Vec<Unanswered> = batch.par_iter().flat_map_iter(questions).collect();
            memo.clear();
            for question in questions {
                // An answer that came in for another question of the batch serves here too.
                if !self.has_one_of(question.answers) {
                    self.add(&question.best);
                }
            }
            self.begun.answered += batch.len();
            self.begun.done += batch.len();
            let (positions, open) =
                (self.all.len() as u64, self.all.len().saturating_sub(self.begun.done) as u64);
            let told = tell(watcher, Refuting::Growing(Growth { positions, open }));
            if told.is_err() || self.keeping.as_ref().is_some_and(Keeping::is_due) {
                self.keep()?;
            }
            told?;
        }
        Ok(())
    }

    /// Keeps what has grown, if there are working files.
    fn keep(&mut self) -> Result<(), FixpointError> {
        let Some(keeping) = &mut self.keeping else { return Ok(()) };
        Ok(keeping.write(self.order.layout().tiers(), &self.all, self.begun)?)
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
        let game = self.order.game();
        game.moves(position).filter_map(move |mv| match game.play_unchecked(position, mv) {
            Outcome::GoesOn(next) => Some(next),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        })
    }

    /// Black's answers with a distance below `fewer`, if none of them is in.
    ///
    /// # Errors
    /// The distance of an answer that is in, or 0 if Black wins at once.
    fn answers(&self, position: &Position, fewer: u8, replies: &mut Replies) -> Result<Vec<BlackReply>, u8> {
        let mut legal = Vec::with_capacity(MOST_MOVES);
        legal.extend(self.order.game().moves(position));
        let reply = |mv| legal.contains(&mv).then(|| self.reply(position, mv, fewer)).flatten();
        if let Some(moves) = replies.first(reply) {
            return Err(moves);
        }
        match self.order.answers(position, fewer) {
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

    /// The distance of the position after a legal black move, if it is in and nearer than `fewer`; 0 if the move wins.
    fn reply(&self, position: &Position, mv: Move, fewer: u8) -> Option<u8> {
        match self.order.game().play_unchecked(position, mv) {
            Outcome::BlackWins => Some(0),
            Outcome::WhiteWins => None,
            Outcome::GoesOn(next) => {
                let is_in = self.members.contains(&key(&next));
                is_in.then(|| self.order.of(&next)).filter(|&moves| moves < fewer)
            }
        }
    }

    fn question(&self, mut answers: Vec<BlackReply>, memo: &Memo) -> Option<Unanswered> {
        // Quick answers tend to weigh little. With these first, the others need not be weighed to the end.
        answers.sort_unstable_by_key(|answer| (answer.moves, answer.key));
        let mut best = (answers.first()?.next, u64::MAX);
        let mut replies = Replies::default();
        for answer in &answers {
            let weight = self.weight_below(best.1, answer, memo, &mut replies);
            best = weight.map_or(best, |weight| (answer.next, weight));
        }
        Some(Unanswered { answers: answers.into_iter().map(|answer| answer.key).collect(), best: best.0 })
    }

    /// The estimated weight of an answer, if it is below `most`. It is a sum over the questions that the answer leaves open:
    /// 2^m for a question whose quickest answer has distance `m`, up to [`WEIGHTIEST`].
    fn weight_below(
        &self,
        most: u64,
        answer: &BlackReply,
        memo: &Memo,
        replies: &mut Replies,
    ) -> Option<u64> {
        let fewer = self.order.below(answer.moves);
        let quickest = |next: Position| self.quickest(&next, fewer, memo, replies);
        let mut quickest = self.asked(&answer.next).filter_map(quickest);
        let below = |weight: &u64| *weight < most;
        let add = |weight: u64, moves: u8| weight.checked_add(1 << moves.min(WEIGHTIEST)).filter(below);
        Some(0).filter(below).and_then(|nothing| quickest.try_fold(nothing, add))
    }

    /// The least distance of Black's answers below `fewer`. `None` if there is none, if one of them is in, or if Black wins
    /// at once.
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
