//! Closures: conditions K4 and K5 over the listed positions alone.

use super::CHUNK;
use super::replies::Replies;
use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::rules::{Color, Game, Position};
use crate::symmetry::canonical;

/// Checks a closure. Returns for how many positions: those listed.
///
/// # Errors
/// The first condition that does not hold.
pub(super) fn check(game: &Game, listed: Vec<[u64; 2]>, workers: &Workers<'_>) -> Result<u64, Breach> {
    let start = Position::empty(Color::Black);
    let k4 = |position, reason| Err(Breach::at(Condition::K4, position, None, reason));
    let replies = Replies::new(listed, Color::Black, true);
    if !replies.counts(&start) {
        return k4(&start, "the empty board with Black to move is not listed");
    }
    let white_first = start.with_turn(Color::White);
    if !replies.answer(game, &white_first) {
        return k4(&white_first, "no first white move leads to a listed position");
    }
    workers.run(replies.len().div_ceil(CHUNK), |chunk| {
        let listed = replies.images(chunk * CHUNK).take(CHUNK).map(|image| canonical(&image));
        listed.map(|position| check_position(game, &replies, &position).map(|()| 1)).sum()
    })
}

/// K5 for one listed position.
fn check_position(game: &Game, replies: &Replies, position: &Position) -> Result<(), Breach> {
    game.moves(position).try_for_each(|mv| {
        let question = position.moved(mv);
        let reason = match game.winner(position, mv, &question) {
            Some(Color::Black) => "a black move wins",
            None if !replies.answer(game, &question) => {
                "after a black move no white move wins or leads to a listed position"
            }
            _ => return Ok(()),
        };
        Err(Breach::at(Condition::K5, position, Some(mv), reason))
    })
}
