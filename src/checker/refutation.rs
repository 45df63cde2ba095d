//! Refutations: conditions K6 and K7 over the listed positions alone.
//!
//! The file does not say in which order Black wins them: it is found here. A piece never leaves the board (R5), and in
//! the order of the tiers one with a piece more comes later; so the tiers are gone through from the last to the first,
//! and each again and again until nothing more of it is won.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::listed;
use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::certificate::PositionSet;
use crate::enumerate::Tier;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::symmetry;

/// How many positions a thread takes at a time.
const CHUNK: usize = 256;

/// Checks a refutation. Returns for how many positions: those listed.
///
/// # Errors
/// The first condition that does not hold.
pub(super) fn check(game: &Game, set: &PositionSet, workers: &Workers<'_>) -> Result<u64, Breach> {
    let listed: Vec<Position> = set.positions(Color::White).collect();
    let tiers: Vec<&[Position]> = listed.chunk_by(|one, next| Tier::of(one) == Tier::of(next)).collect();
    // What was won in the rounds before: what a round finds counts from the next on.
    let mut won: HashSet<u128> = HashSet::with_capacity(listed.len());
    let quiet = Workers { threads: workers.threads, progress: &|_, _| () };
    for tier in tiers.into_iter().rev() {
        tier.iter().try_for_each(listed::check)?;
        let new = |position: &Position| Open { position: *position, answered: AtomicUsize::new(0) };
        let mut open: Vec<Open> = tier.iter().map(new).collect();
        while !open.is_empty() {
            quiet.run(open.len().div_ceil(CHUNK), |chunk| {
                let chunk = open.chunks(CHUNK).nth(chunk).unwrap_or_default();
                chunk.iter().try_for_each(|open| open.answer(game, &won))?;
                Ok(0)
            })?;
            let before = open.len();
            open.retain(|open| {
                let is_open = open.unanswered(game).is_some();
                if !is_open {
                    won.insert(symmetry::key(&open.position));
                }
                is_open
            });
            if let (Some(first), true) = (open.first(), open.len() == before) {
                let reason = "after a white move no black move wins or leads to a listed position won before";
                return Err(first.breach(first.unanswered(game), reason));
            }
            (workers.progress)(won.len() as u64, listed.len() as u64);
        }
    }
    let start = Position::empty(Color::White);
    let k6 = |position, reason| Err(Breach::at(Condition::K6, position, None, reason));
    if !won.contains(&symmetry::key(&start)) {
        return k6(&start, "the empty board with White to move is not listed");
    }
    let black_first = start.with_turn(Color::Black);
    if !black_answers(game, &won, &black_first) {
        return k6(&black_first, "no first black move leads to a listed position");
    }
    Ok(listed.len() as u64)
}

/// A listed position with White to move that is not known to be won for Black.
struct Open {
    position: Position,
    /// To so many of the white moves, the first ones, Black is known to have an answer.
    answered: AtomicUsize,
}

impl Open {
    /// Looks for answers to the white moves, as far as there are some.
    fn answer(&self, game: &Game, won: &HashSet<u128>) -> Result<(), Breach> {
        let before = self.answered.load(Ordering::Relaxed);
        for (place, mv) in game.moves(&self.position).enumerate().skip(before) {
            let holds = match game.play_unchecked(&self.position, mv) {
                Outcome::BlackWins => true,
                Outcome::WhiteWins => return Err(self.breach(Some(mv), "a white move wins")),
                Outcome::GoesOn(next) => black_answers(game, won, &next),
            };
            if !holds {
                break;
            }
            self.answered.store(place + 1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The first white move without an answer.
    fn unanswered(&self, game: &Game) -> Option<Move> {
        game.moves(&self.position).nth(self.answered.load(Ordering::Relaxed))
    }

    fn breach(&self, mv: Option<Move>, reason: &str) -> Breach {
        Breach::at(Condition::K7, &self.position, mv, reason)
    }
}

/// Whether some black move wins or goes on to a position that is won. To complete a line is the quickest to see.
fn black_answers(game: &Game, won: &HashSet<u128>, position: &Position) -> bool {
    let outcomes = || game.moves(position).map(|mv| game.play_unchecked(position, mv));
    outcomes().any(|outcome| outcome == Outcome::BlackWins)
        || outcomes().any(|outcome| match outcome {
            Outcome::GoesOn(next) => won.contains(&symmetry::key(&symmetry::canonical(&next))),
            Outcome::BlackWins | Outcome::WhiteWins => false,
        })
}
