//! What moves are worth as far as a search of some plies sees, for where no solved game is at hand.

use crate::rules::{Game, Move, Outcome, Position};
use crate::solver::Value;

/// What each move is worth to the side that makes it, as far as `plies` plies show it, the best first; `None` where neither side
/// wins by force within them, which lies between a win and a loss. A value that is given is exact. No moves where a line stands.
///
/// The work grows some thirtyfold with each ply.
#[must_use]
pub fn look_ahead(game: &Game, position: &Position, plies: u32) -> Vec<(Move, Option<Value>)> {
    let turn = position.turn();
    let worth = |(mv, outcome)| match outcome {
        Outcome::Won(winner) if winner == turn => (mv, Some(Value::Win(1))),
        Outcome::Won(_) => (mv, Some(Value::Loss(1))),
        // The fewest plies that show a value show the shortest win.
        Outcome::GoesOn(next) => {
            (mv, (1..plies).find_map(|plies| seen(game, &next, plies)).map(Value::before))
        }
    };
    let mut moves: Vec<(Move, Option<Value>)> = game.outcomes(position).map(worth).collect();
    moves.sort_by_key(|(_, value)| -value.unwrap_or(Value::Draw).rank());
    moves
}

/// The value of a position without a line that some plies show, none of fewer plies having shown one.
fn seen(game: &Game, position: &Position, plies: u32) -> Option<Value> {
    let turn = position.turn();
    let wins = |(_, outcome)| outcome == Outcome::Won(turn);
    if game.outcomes(position).any(wins) {
        return Some(Value::Win(1));
    }
    let mut longest = Some(0);
    for (_, outcome) in game.outcomes(position) {
        let loss_in = match outcome {
            Outcome::Won(_) => Some(1),
            Outcome::GoesOn(_) if plies <= 1 => None,
            Outcome::GoesOn(next) => match (1..plies).find_map(|plies| seen(game, &next, plies)) {
                Some(Value::Loss(plies)) => return Some(Value::Win(plies + 1)),
                Some(Value::Win(plies)) => Some(plies + 1),
                Some(Value::Draw) | None => None,
            },
        };
        longest = longest.zip(loss_in).map(|(longest, plies)| longest.max(plies));
    }
    longest.map(Value::Loss)
}
