//! A game line by line: through a pipe, or at a terminal that is not to be taken over.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::drawing::drawn;
use super::table::{Heard, Remark, Table, interrupted};
use crate::cli::console::args::Talk;
use crate::cli::console::exit::Failure;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Out, say};
use crate::cli::console::signals::{Left, Signals};

/// How often a signal is looked for while no line comes.
const OFTEN: Duration = Duration::from_millis(100);

/// Plays until the game is over or the person leaves.
///
/// # Errors
/// Stdin cannot be read, stdout not be written, or a signal ended it.
pub(super) fn play(table: &mut Table, out: &mut Out) -> Result<(), Failure> {
    let signals = Signals::catch(Left::Tidy);
    let (lines, mut shown) = (lines()?, usize::MAX);
    out.line(&table.greeting())?;
    while table.record.ending.is_none() {
        let turn = table.record.position().turn();
        if table.record.moves().len() != shown {
            shown = table.record.moves().len();
            out.line(&format!("\n{}", drawn(&table.record)))?;
        }
        if !table.is_person(turn) {
            let thinking = Progress::new(format!("{turn} thinks"), Talk::default());
            let said = table.answer(&|| signals.came().is_some())?;
            drop(thinking);
            for remark in said {
                match remark {
                    Remark::Move(text) => out.line(&format!("\n{text}"))?,
                    Remark::Note(text) => say(&text),
                }
            }
            if signals.came().is_some() {
                return Err(interrupted(&signals));
            }
            continue;
        }
        if io::stdin().is_terminal() {
            say(&format!("{turn}'s move, or help:"));
        }
        let line = loop {
            let line = lines.recv_timeout(OFTEN);
            if signals.came().is_some() {
                return Err(interrupted(&signals));
            }
            match line {
                Ok(line) => break line.map_err(unread)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        match table.heed(String::from_utf8_lossy(&line).trim(), &|| signals.came().is_some()) {
            Heard::Changed => shown = usize::MAX,
            Heard::Said(text) if text.is_empty() => {}
            Heard::Said(text) => out.line(&text)?,
            Heard::Left => return Ok(()),
        }
    }
    let ending = table.record.ending.as_ref().map(ToString::to_string).unwrap_or_default();
    out.line(&format!("\n{}\n\n{ending}", drawn(&table.record)))
}

/// The lines of stdin. A thread of its own reads them, since a thread that waits for a line sees no signal.
fn lines() -> Result<Receiver<io::Result<Vec<u8>>>, Failure> {
    // Without a buffer, so that no more than one line is in memory.
    let (tell, told) = mpsc::sync_channel(0);
    let read = move || io::stdin().lock().split(b'\n').try_for_each(|line| tell.send(line));
    thread::Builder::new().spawn(read).map_err(unread)?;
    Ok(told)
}

fn unread(error: io::Error) -> Failure {
    Failure::unavailable(format!("cannot read stdin: {error}")).at("stdin")
}
