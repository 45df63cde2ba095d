//! A game line by line: through a pipe, or at a terminal that is not to be taken over.

use std::io::{self, BufRead as _, IsTerminal as _};

use super::drawing::drawn;
use super::table::{Heard, Remark, Table};
use crate::cli::console::exit::Failure;
use crate::cli::console::report::{Out, say};

/// Plays until the game is over or the person leaves.
///
/// # Errors
/// Stdin cannot be read, or stdout not be written.
pub(super) fn play(table: &mut Table, out: &mut Out) -> Result<(), Failure> {
    let stdin = io::stdin();
    let mut lines = stdin.lock().split(b'\n');
    let mut shown = usize::MAX;
    out.line(&table.greeting())?;
    while table.record.ending.is_none() {
        let turn = table.record.position().turn();
        if table.record.moves().len() != shown {
            shown = table.record.moves().len();
            out.line(&format!("\n{}", drawn(&table.record)))?;
        }
        if !table.is_person(turn) {
            for remark in table.answer(&|| false)? {
                match remark {
                    Remark::Move(text) => out.line(&format!("\n{text}"))?,
                    Remark::Note(text) => say(&text),
                }
            }
            continue;
        }
        if stdin.is_terminal() {
            say(&format!("{turn}'s move, or help:"));
        }
        let line = match lines.next() {
            None => return Ok(()),
            Some(line) => {
                line.map_err(|error| Failure::unavailable(format!("cannot read stdin: {error}")).at("stdin"))?
            }
        };
        match table.heed(String::from_utf8_lossy(&line).trim()) {
            Heard::Changed => shown = usize::MAX,
            Heard::Said(text) if text.is_empty() => {}
            Heard::Said(text) => out.line(&text)?,
            Heard::Left => return Ok(()),
        }
    }
    let ending = table.record.ending.as_ref().map(ToString::to_string).unwrap_or_default();
    out.line(&format!("\n{}\n\n{ending}", drawn(&table.record)))
}
