//! `gobprove query junior`.

use gobjunior::rules::Position;
use gobjunior::solver::Solved;
use serde_json::json;

use super::{position, text};
use crate::cli::console::args::{Format, JUNIOR};
use crate::cli::console::asked::Asked;
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::report::{Align, Out, Table};

/// Says what each position is worth and, unless `brief`, what each of its moves is worth.
///
/// # Errors
/// A position does not belong to the game.
pub(in crate::cli::commands) fn query(solved: &Solved, asked: &Asked, brief: bool, format: Format) -> Ended {
    let game = solved.game();
    let read = position::reader(game, asked, "query");
    asked.each_read(read, format.json, &mut Out::new(), |out, position: &Position| {
        let none = || Failure::new(Exit::Bug, format!("{position} has no value"));
        let value = solved.value(position).ok_or_else(none)?;
        let moves = match brief {
            true => None,
            false => Some(solved.moves(position).ok_or_else(none)?),
        };
        if format.json {
            let answer = json!({
                "variant": JUNIOR,
                "reading": game.reading.tag(),
                "position": position.to_string(),
                "value": value.word(),
                "plies": value.plies(),
                "moves": moves.map(|moves| moves.iter().map(|(mv, value)| json!({
                    "move": mv.to_string(), "value": value.word(), "plies": value.plies(),
                })).collect::<Vec<_>>()),
            });
            if asked.is_one() {
                out.json(&answer)?
            } else {
                out.json_line(&answer)?
            }
            return Ok(Exit::Done);
        }
        let turn = position.turn();
        let mut told = position.drawing();
        told.push_str(&format!("{turn} to move: {} for {turn}\n", text(value)));
        let moves = moves.unwrap_or_default();
        if !moves.is_empty() {
            let mut table = Table::new(&[("moves", Align::Left), ("", Align::Left)]);
            for alike in moves.chunk_by(|(_, one), (_, next)| one == next) {
                let names: Vec<String> = alike.iter().map(|(mv, _)| mv.to_string()).collect();
                table.row([text(alike[0].1), names.join(" ")]);
            }
            told.push_str(&format!("{}\n", table.text()));
        }
        // An empty line separates several positions.
        out.line(if asked.is_one() { told.trim_end() } else { &told })?;
        Ok(Exit::Done)
    })
}
