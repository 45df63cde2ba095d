//! Closures: conditions K4 and K5 over the listed positions alone.

use std::collections::HashSet;

use super::listed;
use super::verdict::{Breach, Condition};
use super::work::Workers;
use crate::certificate::PositionSet;
use crate::rules::{Color, Game, LINES, Mask, Move, Outcome, Position, Square};
use crate::symmetry;

/// How many positions a thread takes at a time.
const CHUNK: usize = 4096;

/// Checks a closure. Returns for how many positions: those listed.
///
/// # Errors
/// The first condition that does not hold.
pub(super) fn check(game: &Game, set: &PositionSet, workers: &Workers<'_>) -> Result<u64, Breach> {
    let members: HashSet<u128> =
        set.positions(Color::Black).map(|position| symmetry::key(&position)).collect();
    let start = Position::empty(Color::Black);
    let k4 = |position, reason| Err(Breach::at(Condition::K4, position, None, reason));
    if !members.contains(&symmetry::key(&start)) {
        return k4(&start, "the empty board with Black to move is not listed");
    }
    let white_first = start.with_turn(Color::White);
    if !white_answers(game, &members, &white_first, None) {
        return k4(&white_first, "no first white move leads to a listed position");
    }
    let listed: Vec<Position> = set.positions(Color::Black).collect();
    workers.run(listed.len().div_ceil(CHUNK), |chunk| {
        let chunk = listed.chunks(CHUNK).nth(chunk).unwrap_or_default();
        let mut answered = HashSet::new();
        chunk.iter().try_for_each(|position| check_position(game, &members, position, &mut answered))?;
        Ok(chunk.len() as u64)
    })
}

/// K5 for one listed position. Sets hold keys: `members` those of the listed positions, `answered` those of
/// the canonical positions known to have a white answer, because the same question comes from many.
fn check_position(
    game: &Game,
    members: &HashSet<u128>,
    position: &Position,
    answered: &mut HashSet<u128>,
) -> Result<(), Breach> {
    listed::check(position)?;
    for mv in game.moves(position) {
        let reason = match game.play_unchecked(position, mv) {
            Outcome::WhiteWins => continue,
            Outcome::GoesOn(next) => {
                let question = symmetry::canonical(&next);
                if answered.contains(&symmetry::key(&question)) {
                    continue;
                }
                if white_answers(game, members, &next, Some(mv)) {
                    answered.insert(symmetry::key(&question));
                    continue;
                }
                "after a black move no white move wins or leads to a listed position"
            }
            Outcome::BlackWins => "a black move wins",
        };
        return Err(Breach::at(Condition::K5, position, Some(mv), reason));
    }
    Ok(())
}

/// Whether some white move wins or goes on to a listed position.
///
/// All are tried until one does. An answer mostly lands where Black's last move left or landed, else in line
/// with where it landed, so that to begin there halves the time.
fn white_answers(game: &Game, members: &HashSet<u128>, position: &Position, last: Option<Move>) -> bool {
    let answers = |mv| match game.play_unchecked(position, mv) {
        Outcome::WhiteWins => true,
        Outcome::BlackWins => false,
        Outcome::GoesOn(next) => members.contains(&symmetry::key(&symmetry::canonical(&next))),
    };
    let (near, in_line) = match last {
        Some(Move::Transfer { from, to }) => (Mask::of(from).with(to), lines_through(to)),
        Some(Move::Place { to, .. }) => (Mask::of(to), lines_through(to)),
        None => (Mask::EMPTY, Mask::EMPTY),
    };
    [near, in_line - near, !(in_line | near)].into_iter().any(|squares| {
        let lands = |mv: &Move| match *mv {
            Move::Place { to, .. } | Move::Transfer { to, .. } => squares.contains(to),
        };
        game.moves(position).filter(lands).any(answers)
    })
}

fn lines_through(square: Square) -> Mask {
    LINES.into_iter().filter(|line| line.contains(square)).fold(Mask::EMPTY, |union, line| union | line)
}
