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
pub(crate) struct Growing<'a> {
    distances: &'a Distances,
    /// Its positions in the order in which they came.
    all: Vec<Position>,
    /// The keys of its positions.
    members: HashSet<u128>,
    /// `open[m]` lists the positions with distance `m`, by their places in `all`, until [`Growing::grow`] takes them up.
    open: Vec<Vec<u32>>,
    /// The distance that is worked on, in white moves, and how many of its positions are answered. All positions farther
    /// from the win are answered.
    begun: (u8, usize),
    keeping: Option<Keeping<'a>>,
}

impl<'a> Growing<'a> {
    /// Begins with what is on disk. If nothing is, it begins with the empty board with White to move, and with the position
    /// after Black's best first move.
    ///
    /// # Errors
    /// The working files cannot be used, or the watcher broke it off.
    pub(crate) fn begin(
        distances: &'a Distances,
        saving: Option<&'a mut Checkpoint<SavedRefutation>>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<Growing<'a>, FixpointError> {
        // What was kept is not trusted. A position that Black does not win is never answered, and the checker notices that.
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

    /// Answers all open positions. Returns the positions of the whole refutation.
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
            // All farther positions are answered, and every answer is nearer to the win. So this list is complete.
            let all_open = std::mem::take(&mut self.open[usize::from(moves)]);
            for batch in all_open.get(answered..).unwrap_or_default().chunks(BATCH) {
                let questions = |&number: &u32| self.questions(&self.all[number as usize], moves, &memo);
                let questions: Vec<Unanswered> = batch.par_iter().flat_map_iter(questions).collect();
                memo.clear();
                for question in questions {
                    // An answer that came in for another question of the batch serves here too.
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

    /// Black's answers with a distance below `fewer`, if none of them is in.
    ///
    /// # Errors
    /// The distance of an answer that is in, or 0 if Black wins at once.
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

    /// The distance of the position after a legal black move, if it is in and nearer than `fewer`; 0 if the move wins.
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
        let quickest = |next: Position| self.quickest(&next, answer.moves, memo, replies);
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
