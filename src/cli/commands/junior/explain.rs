//! `gobprove explain --variant junior`: the value of a position, and how the win goes.

use gobjunior::rules::{Color, Game, Move, Outcome, Position, Reading};
use gobjunior::solver::{Solved, Value};
use serde_json::json;

use super::{position, text};
use crate::cli::console::args::{Format, JUNIOR};
use crate::cli::console::asked::Asked;
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::report::Out;

/// A move of a line of play.
struct Ply {
    before: Position,
    mv: Move,
}

/// Says what is wrong with the position if there is only one, before the game is solved.
///
/// # Errors
/// It does not belong to the game.
pub(in crate::cli::commands) fn read_ahead(reading: Reading, asked: &Asked) -> Result<(), Failure> {
    asked.read_ahead(position::reader(Game::full(reading), asked, "explain"))
}

/// Says what each position is worth, and shows the win by best play of both sides.
///
/// # Errors
/// A position does not belong to the game.
pub(in crate::cli::commands) fn explain(solved: &Solved, asked: &Asked, format: Format) -> Ended {
    let game = solved.game();
    let read = position::reader(game, asked, "explain");
    asked.each_read(read, format.json, &mut Out::new(), |out, position: &Position| {
        let none = || Failure::new(Exit::Bug, format!("{position} has no value"));
        let value = solved.value(position).ok_or_else(none)?;
        let line = line(solved, position).ok_or_else(none)?;
        if format.json {
            let answer = json!({
                "variant": JUNIOR,
                "reading": game.reading.tag(),
                "position": position.to_string(),
                "turn": side(position.turn()),
                "value": value.word(),
                "plies": value.plies(),
                "decided": position.finished().map(side),
                "line": line.iter().map(|ply| json!({
                    "by": side(ply.before.turn()), "move": ply.mv.to_string(), "position": ply.before.to_string(),
                })).collect::<Vec<_>>(),
            });
            if asked.is_one() {
                out.json(&answer)?
            } else {
                out.json_line(&answer)?
            }
            return Ok(Exit::Done);
        }
        let told = told(position, value, &line);
        out.line(if asked.is_one() { told.trim_end() } else { &told })?;
        Ok(Exit::Done)
    })
}

/// A side as JSON has it.
fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The line of best play by both sides to the end of the game. It is empty for a draw, and where a line already stands.
fn line(solved: &Solved, start: &Position) -> Option<Vec<Ply>> {
    let (mut line, mut position) = (Vec::new(), *start);
    let mut left = solved.value(start)?.plies().unwrap_or(0);
    while left > 0 {
        let mv = solved.moves(&position)?.first()?.0;
        line.push(Ply { before: position, mv });
        match solved.game().play(&position, mv).ok()? {
            Outcome::Won(_) => break,
            Outcome::GoesOn(next) => position = next,
        }
        left -= 1;
    }
    Some(line)
}

/// The text for people.
fn told(position: &Position, value: Value, line: &[Ply]) -> String {
    let turn = position.turn();
    let mut told = format!("{}{position}\n\n", position.drawing());
    if let Some(winner) = position.finished() {
        told.push_str(&format!("{winner} has a line: the game is over (J6)\n"));
        return told;
    }
    told.push_str(&format!("{turn} to move: {} for {turn}\n", text(value)));
    match value {
        Value::Draw => told.push_str("neither side can force a line (J7)\n"),
        Value::Win(_) => told.push_str("\nthe quickest win, against the longest defence:\n"),
        Value::Loss(_) => told.push_str("\nthe longest defence, against the quickest win:\n"),
    }
    for (number, ply) in (1..).zip(line) {
        told.push_str(&format!("{number:>2}  {}  {}\n", ply.before.turn(), ply.mv));
    }
    told
}
