//! The positions that a command is asked about: one, several, or the lines of stdin.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::ops::ControlFlow;

use clap::Args;

use super::exit::{Ended, Exit, Failure};
use super::position;
use super::report::{Out, say};
use crate::rules::{Game, Position};

/// The positions that a command is asked about.
#[derive(Args, Debug)]
pub struct Asked {
    /// The positions; - for those on stdin, a line or a board each
    #[arg(value_name = "POSITION", required = true)]
    positions: Vec<String>,
    /// Moves to play from there, such as 'A@a1 a@b2 a1-c3'
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
}

/// Is given the text of a position and its place. It breaks off when nobody reads the answers any more.
type Visit<'a> = &'a mut dyn FnMut(&str, &Place) -> Result<ControlFlow<()>, Failure>;

/// The place of the only position.
const POSITION: &str = "POSITION";

/// Where a position was written.
struct Place {
    name: String,
    /// The line of stdin, counted from 1; `None` on the command line.
    line: Option<u64>,
}

impl Asked {
    /// Whether the command line has exactly one position, and none come from stdin.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.positions.len() == 1 && !self.asks_stdin()
    }

    fn asks_stdin(&self) -> bool {
        self.positions.iter().any(|text| text == "-")
    }

    /// Gives each position of the game to `answer`, in order. If there are several and one cannot be read, its failure
    /// takes the place of the answer, as a JSON object on a line of its own if `json`, and the others are still answered.
    ///
    /// # Errors
    /// The only position cannot be read, stdin cannot be read, or an answer fails.
    pub fn each(
        &self,
        game: &Game,
        command: &str,
        json: bool,
        out: &mut Out,
        answer: impl FnMut(&mut Out, &Position) -> Ended,
    ) -> Ended {
        self.each_read(self.reader(game, command), json, out, answer)
    }

    /// Reads a position of the game from its text and the name of its place, and plays the moves from there.
    pub fn reader(&self, game: &Game, command: &str) -> impl Fn(&str, &str) -> Result<Position, Failure> {
        move |text, name| position::read(game, text, &self.moves, name, command)
    }

    /// Moves to play from each position.
    #[must_use]
    pub fn moves(&self) -> &str {
        &self.moves
    }

    /// Reads the position if there is only one: what is wrong with it is to be said before long work, not after.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read_ahead<P>(&self, read: impl Fn(&str, &str) -> Result<P, Failure>) -> Result<(), Failure> {
        if self.is_one() { read(&self.positions[0], POSITION).map(|_| ()) } else { Ok(()) }
    }

    /// As [`Asked::each`], for positions of any game. `read` reads one from its text and the name of its place.
    ///
    /// # Errors
    /// As [`Asked::each`].
    pub fn each_read<P>(
        &self,
        read: impl Fn(&str, &str) -> Result<P, Failure>,
        json: bool,
        out: &mut Out,
        mut answer: impl FnMut(&mut Out, &P) -> Ended,
    ) -> Ended {
        if self.is_one() {
            return answer(out, &read(&self.positions[0], POSITION)?);
        }
        let mut exits = Vec::new();
        let all = self.texts(&mut |text, place| {
            let exit = match read(text, &place.name) {
                Ok(position) => answer(out, &position)?,
                Err(failure) => {
                    let failure = match place.line {
                        Some(line) => failure.on_line(line),
                        None => failure,
                    };
                    say(&failure.to_string());
                    if json {
                        out.json_line(&failure.json())?;
                    }
                    failure.exit()
                }
            };
            if !exits.contains(&exit) {
                exits.push(exit);
            }
            // Nobody reads further answers once stdout is closed.
            Ok(if out.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        if let (Err(failure), true) = (&all, json) {
            // The failure follows the answers. If stdout cannot be written there is nobody left to tell.
            let _ = out.json_line(&failure.json());
        }
        all.map(|()| Exit::overall(&exits))
    }

    /// Visits the text of each position, with its place, until a visit breaks off.
    fn texts(&self, visit: Visit<'_>) -> Result<(), Failure> {
        for (number, text) in (1..).zip(&self.positions) {
            if text != "-" {
                if visit(text, &Place { name: format!("POSITION {number}"), line: None })?.is_break() {
                    return Ok(());
                }
                continue;
            }
            let stdin = io::stdin().lock();
            if stdin.is_terminal() {
                say("reading positions from the terminal, a line or a board each; Ctrl-D ends them");
            }
            let mut lines = (1..).zip(stdin.split(b'\n').map(line_of)).peekable();
            while let Some((line, text)) = lines.next() {
                let mut text = text?;
                if let Some(first) = first_rank(&text) {
                    let mut take = |is_wanted: &dyn Fn(&str) -> bool| {
                        let next = lines.next_if(|(_, next)| next.as_deref().is_ok_and(is_wanted));
                        let taken = next.and_then(|(_, next)| next.ok());
                        taken.inspect(|next| text.extend(["\n", next])).is_some()
                    };
                    // If a line is missing, reading the position reports it.
                    let _ = (1..first).rev().all(|rank| take(&|next| is_rank(next, rank))) && take(&is_foot);
                }
                let place = Place { name: format!("line {line}"), line: Some(line) };
                if !text.trim().is_empty() && visit(&text, &place)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn line_of(bytes: io::Result<Vec<u8>>) -> Result<String, Failure> {
    let bytes =
        bytes.map_err(|error| Failure::unavailable(format!("cannot read stdin: {error}")).at("stdin"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The number of the rank if a line is the first of a board as it is drawn: 4, or 3 in junior.
fn first_rank(line: &str) -> Option<u32> {
    [4, 3].into_iter().find(|&rank| is_rank(line, rank))
}

/// Whether a line is this rank of a board as it is drawn: `4  Ab  .   .   a`.
fn is_rank(line: &str, rank: u32) -> bool {
    line.trim_start().strip_prefix(&format!("{rank}  ")).is_some() && !line.contains('/')
}

/// Whether a line is the one below a board as it is drawn: `a   b   c   d    White to move`.
fn is_foot(line: &str) -> bool {
    line.split_whitespace().take(3).eq(["a", "b", "c"])
}
