//! Growing a refutation from the empty board.

use std::collections::HashSet;

use rayon::prelude::*;

use super::distances::{BlackReply, MOST_MOVES, key};
use super::found::SavedRefutation;
use super::grown::Keeping;
use super::memo::Memo;
use super::order::{FAR, Order};
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

/// A refutation that grows.
pub(crate) struct Growing<'a, O> {
    order: O,
    /// Its positions in the order in which they came.
    all: Vec<Position>,
    /// The keys of its positions.
    members: HashSet<u128>,
    /// Its positions whose distance [`Growing::grow`] has not taken up, by their places in `all`.
    open: Vec<u32>,
    /// The distance that is worked on, in white moves, and how many of its positions are answered. All positions farther
    /// from the win are answered.
    begun: (u8, usize),
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
        let mut growing = Growing {
            begun: (order.most(), 0),
            order,
            open: Vec::new(),
            members: HashSet::new(),
            all: Vec::new(),
            keeping: None,
        };
        let mut read = |positions: usize| {
            tell(watcher, Refuting::Growing(Growth { positions: positions as u64, open: 0 }))
        };
        let tiers = growing.order.layout().tiers();
        let kept = saving
            .map(|checkpoint| Keeping::begin(checkpoint, tiers, growing.order.form(), &mut read))
            .transpose()?;
        let (keeping, kept) = kept.map_or((None, None), |(keeping, kept)| (Some(keeping), kept));
        growing.keeping = keeping;
        if let Some((grown, all)) = kept {
            for some in all.chunks(BATCH) {
                some.iter().for_each(|position| growing.add(position));
                read(growing.all.len())?;
            }
            growing.begun = (grown.moves, grown.answered);
            if grown.moves > 0 {
                // What is farther from the win is answered.
                growing.take(grown.moves.saturating_add(1), watcher)?;
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
            self.open.push(number);
            self.all.push(position);
        }
    }

    /// Takes the open positions that have this distance or a larger one.
    fn take(&mut self, distance: u8, watcher: Watcher<'_, Refuting>) -> Result<Vec<u32>, FixpointError> {
        self.order.enter(distance, self.keeping.as_ref().map(Keeping::saved), watcher)?;
        let limit = self.order.limit(distance);
        let is_due = |number: &u32| self.order.of(&self.all[*number as usize]) >= limit;
        let (due, open) = std::mem::take(&mut self.open).into_par_iter().partition(is_due);
        self.open = open;
        Ok(due)
    }

    /// Answers all open positions. Returns the positions of the whole refutation.
    ///
    /// # Errors
    /// The working files cannot be used, or the watcher broke it off.
    pub(crate) fn grow(mut self, watcher: Watcher<'_, Refuting>) -> Result<Vec<Position>, FixpointError> {
        let mut memo = Memo::new();
        let (first, mut answered) = self.begun;
        for distance in (1..=first).rev() {
            // All farther positions are answered, and every answer is nearer to the win. So this list is complete.
            let due = self.take(distance, &mut *watcher)?;
            let limit = self.order.limit(distance);
            for batch in due.get(answered..).unwrap_or_default().chunks(BATCH) {
                let questions = |&number: &u32| self.questions(&self.all[number as usize], limit, &memo);
                let questions: Vec<Unanswered> = batch.par_iter().flat_map_iter(questions).collect();
                memo.clear();
                for question in questions {
                    // An answer that came in for another question of the batch serves here too.
                    if !self.has_one_of(question.answers) {
                        self.add(&question.best);
                    }
                }
                answered += batch.len();
                self.begun = (distance, answered);
                let (positions, open) = (self.all.len(), self.open.len() + due.len() - answered);
                let growth = Growth { positions: positions as u64, open: open as u64 };
                let told = tell(watcher, Refuting::Growing(growth));
                if told.is_err() || self.keeping.as_ref().is_some_and(Keeping::is_due) {
                    self.keep()?;
                }
                told?;
            }
            answered = 0;
        }
        self.begun = (0, 0);
        self.keep()?;
        Ok(self.all)
    }

    /// Keeps what has grown, if there are working files.
    fn keep(&mut self) -> Result<(), FixpointError> {
        let Some(keeping) = &mut self.keeping else { return Ok(()) };
        let (moves, answered) = self.begun;
        Ok(keeping.write(self.order.layout().tiers(), &self.all, moves, answered)?)
    }

    /// The white moves of a position after which Black neither wins at once nor has an answer that is in. Answers have a
    /// number below `limit`.
    fn questions(&self, position: &Position, limit: u8, memo: &Memo) -> Vec<Unanswered> {
        let mut replies = Replies::default();
        let asked = |next: Position| self.answers(&next, limit, &mut replies).ok();
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
