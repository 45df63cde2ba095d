//! `gobprove solve junior`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use gobjunior::rules::{Color, Game, Move, Position, Reading};
use gobjunior::solver::{Solved, Value};
use gobjunior::symmetry::Symmetry;
use serde_json::json;

use super::{file_name, text};
use crate::cli::console::args::{Format, JUNIOR, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::on_threads;
use crate::store::{System, check_writable, encode_junior, write_file};

/// The bytes of memory that solving takes.
pub(super) const BYTES: u128 = 500 << 20;

/// Progress is told as a part of this number of plies, which hold most of the work.
const PLIES: f64 = 12.0;

/// The options of `solve` that apply.
pub(in crate::cli::commands) struct Solving<'a> {
    pub reading: Reading,
    /// The file to write, `Some(None)` for the usual one; `None` for no file.
    pub out: Option<Option<&'a Path>>,
    pub memory: Memory,
    pub threads: Threads,
    pub format: Format,
    pub talk: Talk,
}

/// Solves the game, and says how far it is.
///
/// # Errors
/// The threads cannot be started, or a signal came.
pub(super) fn solve(reading: Reading, threads: Threads, talk: Talk) -> Result<Solved, Failure> {
    let signals = Signals::catch(Left::Nothing);
    let progress = Progress::new(format!("solving {JUNIOR} {reading}"), talk);
    let mut listener = |at: gobjunior::solver::Progress| {
        let done = f64::from(at.ply - 1) + at.done as f64 / at.of as f64;
        progress.part(done / PLIES, || format!("ply {}", at.ply));
        signals.goes_on()
    };
    let solved =
        on_threads(threads.count(), || gobjunior::solver::solve(Game::full(reading), &mut listener))?;
    solved.map_err(|_| signals.failure())
}

impl Solving<'_> {
    /// Runs the command.
    ///
    /// # Errors
    /// It does not fit into memory, the file cannot be written, or a signal came.
    pub(in crate::cli::commands) fn run(&self) -> Ended {
        let started = Instant::now();
        let file = self.out.map(|out| out.map_or_else(|| file_name(self.reading), Path::to_owned));
        if let Some(file) = &file {
            check_writable(&System, file)?;
        }
        self.memory.allow(JUNIOR, BYTES)?;
        let solved = solve(self.reading, self.threads, self.talk)?;
        let solved_s = started.elapsed().as_secs_f64();
        let mut written = None;
        if let Some(file) = file {
            let bytes = encode_junior(&solved);
            write_file(&System, &file, &bytes)?;
            written = Some((file, bytes.len() as u64));
        }
        self.report(&solved, written, solved_s, started)?;
        Ok(Exit::Done)
    }

    fn report(
        &self,
        solved: &Solved,
        written: Option<(PathBuf, u64)>,
        solved_s: f64,
        started: Instant,
    ) -> Result<(), Failure> {
        let mut out = Out::new();
        let value = value(solved)?;
        let first = first_moves(solved)?;
        let count = |word: &str| -> u64 {
            solved.counts().iter().filter(|(value, _)| value.word() == word).map(|(_, count)| count).sum()
        };
        let [wins, draws, losses] = ["win", "draw", "loss"].map(count);
        let longest = solved.counts().keys().filter_map(|value| value.plies()).max();
        if self.format.json {
            return out.json(&json!({
                "variant": JUNIOR,
                "reading": self.reading.tag(),
                "value": value.word(),
                "plies": value.plies(),
                "first_moves": first.iter().map(|(mv, value)| json!({
                    "move": mv.to_string(), "value": value.word(), "plies": value.plies(),
                })).collect::<Vec<_>>(),
                "positions": wins + draws + losses,
                "counts": { "wins": wins, "draws": draws, "losses": losses },
                "values": solved.counts().iter().map(|(value, count)| json!({
                    "value": value.word(), "plies": value.plies(), "positions": count,
                })).collect::<Vec<_>>(),
                "longest_win": longest,
                "solved_s": solved_s,
                "elapsed_s": started.elapsed().as_secs_f64(),
                "file": written.as_ref().map(|(path, _)| shown(path)),
                "bytes": written.as_ref().map(|(_, bytes)| bytes),
            }));
        }
        let mut table =
            Table::new(&[("first move", Align::Left), ("for the side that makes it", Align::Left)]);
        for (mv, value) in &first {
            table.row([mv.to_string(), text(*value)]);
        }
        out.line(&table.text())?;
        if self.talk.verbose {
            let mut table =
                Table::new(&[("value", Align::Left), ("plies", Align::Right), ("positions", Align::Right)]);
            for (value, count) in solved.counts() {
                let plies = value.plies().map_or_else(|| "-".to_owned(), |plies| plies.to_string());
                table.row([value.word().to_owned(), plies, grouped((*count).into())]);
            }
            out.line(&format!("\n{}\n", table.text()))?;
        }
        out.line(&format!("{JUNIOR} {}: {} for the side that moves first", self.reading, text(value)))?;
        out.line(&format!(
            "{} positions that differ by more than a symmetry: {} wins, {} draws, {} losses for the side to move",
            grouped((wins + draws + losses).into()),
            grouped(wins.into()),
            grouped(draws.into()),
            grouped(losses.into())
        ))?;
        if let Some(plies) = longest {
            out.line(&format!("the longest forced win takes {plies} plies; solved in {solved_s:.1} s"))?;
        }
        if let Some((path, bytes)) = written {
            out.line(&format!("{}: {} bytes", shown(&path), grouped(bytes.into())))?;
        }
        Ok(())
    }
}

/// What the game is worth to the side that moves first.
fn value(solved: &Solved) -> Result<Value, Failure> {
    solved.value(&Position::empty(Color::White)).ok_or_else(bug)
}

/// The first moves, with what each is worth to the side that makes it. Of moves that a symmetry makes equal there is one.
fn first_moves(solved: &Solved) -> Result<Vec<(Move, Value)>, Failure> {
    let start = Position::empty(Color::White);
    let mut moves = solved.moves(&start).ok_or_else(bug)?;
    moves.retain(|(mv, _)| match mv {
        Move::Place { to, .. } => {
            let images = Symmetry::all().map(|symmetry| symmetry.squares((*to).into()));
            images.min() == Some((*to).into())
        }
        Move::Transfer { .. } => false,
    });
    Ok(moves)
}

fn bug() -> Failure {
    Failure::new(Exit::Bug, "the empty board is not a position of the game")
}
