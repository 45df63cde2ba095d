//! Refutations: conditions K6 and K7 over the listed positions alone.
//!
//! The file does not say in which order Black wins them: it is found here. A piece never leaves the board (R5), and in
//! the order of the tiers one with a piece more comes later; so the tiers are gone through from the last to the first,
//! and each again and again until nothing more of it is won. A position counts as won once all white moves from it are
//! answered by wins or by positions that counted before, so no answers go round in circles.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::CHUNK;
use super::replies::Replies;
use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::index::Tier;
use crate::rules::{Color, Game, Move, Position};

/// Checks a refutation. Returns for how many positions: those listed.
///
/// # Errors
/// The first condition that does not hold.
pub(super) fn check(game: &Game, listed: &[[u64; 2]], workers: &Workers<'_>) -> Result<u64, Breach> {
    let start = Position::empty(Color::White);
    let k6 = |position, reason| Err(Breach::at(Condition::K6, position, None, reason));
    let position = |&sides: &[u64; 2]| Position::from_sides(sides, Color::White);
    if !listed.iter().any(|sides| position(sides) == start) {
        return k6(&start, "the empty board with White to move is not listed");
    }
    let quiet = Workers { threads: workers.threads, progress: &|_, _| () };
    let replies = Replies::new(listed.to_vec(), Color::White, false);
    let mut won = 0;
    let tier = |sides: &[u64; 2]| Tier::of(&position(sides));
    for tier in listed.chunk_by(|one, next| tier(one) == tier(next)).rev() {
        let mut open: Vec<Open> =
            tier.iter().map(|sides| Open { position: position(sides), answered: AtomicUsize::new(0) }).collect();
        while !open.is_empty() {
            quiet.run(open.len().div_ceil(CHUNK), |chunk| {
                let chunk = open.chunks(CHUNK).nth(chunk).unwrap_or_default();
                chunk.iter().for_each(|open| open.answer(game, &replies));
                Ok(0)
            })?;
            let before = open.len();
            open.retain(|open| open.unanswered(game).is_some());
            if let (Some(first), true) = (open.first(), open.len() == before) {
                let reason =
                    "a white move wins, or no black move after it wins or leads to a listed position won before";
                return Err(Breach::at(Condition::K7, &first.position, first.unanswered(game), reason));
            }
            won += (before - open.len()) as u64;
            (workers.progress)(won, listed.len() as u64);
        }
    }
    let black_first = start.with_turn(Color::Black);
    if !replies.answer(game, &black_first) {
        return k6(&black_first, "no first black move leads to a listed position");
    }
    Ok(won)
}

/// A listed position with White to move that is not known to be won for Black.
struct Open {
    position: Position,
    /// How many of the white moves, the first ones, Black is known to have an answer to.
    answered: AtomicUsize,
}

impl Open {
    /// Looks for answers to the white moves, up to the first that has none yet. With all of them the position counts.
    fn answer(&self, game: &Game, replies: &Replies) {
        let before = self.answered.load(Ordering::Relaxed);
        let answers = |&mv: &Move| {
            let question = self.position.moved(mv);
            match game.winner(&self.position, mv, &question) {
                Some(color) => color == Color::Black,
                None => replies.answer(game, &question),
            }
        };
        let found = game.moves(&self.position).skip(before).take_while(answers).count();
        self.answered.store(before + found, Ordering::Relaxed);
        if self.unanswered(game).is_none() {
            replies.count(&self.position);
        }
    }

    /// The first white move without an answer.
    fn unanswered(&self, game: &Game) -> Option<Move> {
        game.moves(&self.position).nth(self.answered.load(Ordering::Relaxed))
    }
}
