//! `gobprove query`: looks up the values of positions in a solved variant.

use std::path::{Path, PathBuf};

use clap::Args;

use super::junior;
use super::solve::{command, file_name};
use crate::bitbase::{Value, is_symmetric};
use crate::cli::console::args::{self, Format, Subject};
use crate::cli::console::asked::Asked;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::{self, Memory};
use crate::cli::console::report::{Align, Out, Table, say};
use crate::explain::solved_file::{SolvedFile, Valued, word};
use crate::passes;
use crate::prelude::*;
use crate::rules::{Game, Position, Reading};
use crate::store::{Store, StoreError, plies_beside};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
The file is the one that gobprove solve wrote. It is not loaded: a question reads a few blocks of
it. After gobprove solve --distances it is also said in how many plies each win comes, the move
itself counted, and moves are sorted, the best first. In JSON `plies` is null for a draw, and where
the plies are not at hand. A position is written as for gobprove explain. Several positions, or `-`
for those on stdin, a line or a board each, are answered in order, with --json by an object on a line
of its own. One that cannot be read is told of in its place, and the exit code says so at the end. In
junior the ranks go from 3 down and the pieces are L, M and S: L,2/1,s,1/3 w. Its file always has the
plies.

Examples:
  gobprove query ab '.,.,.,./.,A,.,./.,.,a,./.,.,.,. w'       after gobprove solve ab
  gobprove query ab start --moves 'A@a1 a@b2 a1-c3'
  gobprove query ab '4/1,A,2/2,a,1/4 w' 'A,3/4/4/4 b'
  gobprove query ab - --brief --json < positions.txt
  gobprove query A2-A3B1 'start b' --file my.gobsolved --json
  gobprove query junior start --moves 'S@b1 m@a2'
  gobprove query junior 'L,2/1,s,1/3 w' --json";

/// Look up positions of a solved variant
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct QueryArgs {
    /// The variant that was solved, or junior
    #[arg(value_parser = args::subject)]
    variant: Subject,
    #[command(flatten)]
    asked: Asked,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// What gobprove solve wrote [default: VARIANT-READING.gobsolved]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Leave out what each move is worth: many positions are then answered twenty times as fast
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    format: Format,
}

impl QueryArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A position does not belong to the variant, or the file cannot be used or is of another game.
    pub fn run(&self) -> Ended {
        let variant = match self.variant {
            Subject::Gobblet(variant) => variant,
            Subject::Junior => {
                let solved = junior::open(junior::reading(self.reading)?, self.file.as_deref())?;
                return junior::query(&solved, &self.asked, self.brief, self.format);
            }
        };
        let game = Game::new(variant, self.reading);
        let mut solved = open(&game, self.file.as_deref())?;
        let mut out = Out::new();
        self.asked.each(&game, "query", self.format.json, &mut out, |out, position| {
            self.answer(&mut solved, position, out)
        })
    }

    /// Prints what a position is worth.
    fn answer(&self, solved: &mut SolvedFile, position: &Position, out: &mut Out) -> Ended {
        let game = *solved.game();
        let cannot_use = |error| cannot_use(error, &game, self.file.as_deref());
        if self.format.json {
            let answer = solved.told(position, self.brief).map_err(cannot_use)?;
            if self.asked.is_one() {
                out.json(&answer)?
            } else {
                out.json_line(&answer)?
            }
            return Ok(Exit::Done);
        }
        let worth = solved.worth(position).map_err(cannot_use)?;
        let moves = match self.brief {
            true => None,
            false => Some(solved.moves(position).map_err(cannot_use)?),
        };
        let turn = position.turn();
        let of_mover = if is_symmetric(&game) { format!(" for {turn}") } else { String::new() };
        let mut told = position.drawing();
        told.push_str(&format!("{turn} to move: {}{of_mover}\n", text(&game, worth)));
        let moves = moves.unwrap_or_default();
        if !moves.is_empty() {
            let mut table = Table::new(&[("moves", Align::Left), ("", Align::Left)]);
            for alike in moves.chunk_by(|(_, one), (_, next)| one == next) {
                let names: Vec<String> = alike.iter().map(|(mv, _)| mv.to_string()).collect();
                table.row([text(&game, alike[0].1), names.join(" ")]);
            }
            told.push_str(&format!("{}\n", table.text()));
        }
        // An empty line separates several positions.
        out.line(if self.asked.is_one() { told.trim_end() } else { &told })?;
        Ok(Exit::Done)
    }
}

/// The solved variant of a game and the name of its file: `file`, else, if `wanted`, the one that `gobprove solve` writes,
/// if it is there. If that one cannot be used, a note says so, and the result is `None`.
///
/// # Errors
/// A file that is given is not there, is damaged or is of another game.
pub(super) fn find(
    game: &Game,
    file: Option<&Path>,
    wanted: bool,
) -> Result<Option<(String, SolvedFile)>, Failure> {
    if let Some(file) = file {
        return Ok(Some((shown(file), open(game, Some(file))?)));
    }
    let lies_here = file_name(game);
    if !wanted || !lies_here.exists() {
        return Ok(None);
    }
    match open(game, None) {
        Ok(solved) => Ok(Some((shown(&lies_here), solved))),
        Err(failure) => {
            say(&failure.note());
            Ok(None)
        }
    }
}

/// Why a solved variant, which was to be read from a file or from where `gobprove solve` writes it, cannot be used.
pub(super) fn cannot_use(error: StoreError, game: &Game, file: Option<&Path>) -> Failure {
    let path = file.map_or_else(|| file_name(game), Path::to_owned);
    let (StoreError::Read { path: at_fault, .. } | StoreError::Damaged { path: at_fault, .. }) = &error;
    let of_plies = *at_fault == plies_beside(&path);
    let missing = matches!(error, StoreError::Read { .. });
    let solve = command(game, file);
    if let Some(file) = file.filter(|file| !of_plies && !missing && !Store::is_one(file)) {
        let what = format!("{} cannot be used: it is no solved variant of Gobblet", shown(file));
        let next = format!("give the file that `{}` writes", command(game, None));
        return Failure::unavailable(what).at(shown(file)).next(next);
    }
    Failure::from(error).next(match (of_plies, missing) {
        (true, _) => format!("{solve} --distances writes it anew"),
        _ if memory::no_machine_has(passes::bytes(game.variant, Seed::Rules)) => {
            "no machine has the memory to solve it; gobprove explain says what is proven of it".to_owned()
        }
        _ if !is_solved_here(game) => format!(
            "solving it takes more memory than there is here, as `gobprove estimate {}` says; gobprove explain says what is proven \
             of it",
            game.variant
        ),
        (false, true) => format!("{solve} writes it"),
        (false, false) => format!("{solve} writes it anew"),
    })
}

/// Whether the memory here is enough to solve a game into a file, which takes twice the memory of solving it.
pub(super) fn is_solved_here(game: &Game) -> bool {
    2 * passes::bytes(game.variant, Seed::Rules) <= Memory::default().most().into()
}

/// The solved variant of a game, from a file or where `gobprove solve` writes it.
///
/// # Errors
/// The file is not there, is damaged, or is of another game.
fn open(game: &Game, file: Option<&Path>) -> Result<SolvedFile, Failure> {
    open_or(game, file, |error| cannot_use(error, game, file))
}

/// The same, where `cannot_use` says what to do about a file that is not there or damaged.
///
/// # Errors
/// As there.
pub(super) fn open_or(
    game: &Game,
    file: Option<&Path>,
    cannot_use: impl FnOnce(StoreError) -> Failure,
) -> Result<SolvedFile, Failure> {
    let path = file.map_or_else(|| file_name(game), Path::to_owned);
    let solved = SolvedFile::open(&path).map_err(cannot_use)?;
    if solved.game() != game {
        let is = solved.game();
        let what = format!(
            "{} holds {} {}, not {} {}",
            shown(&path),
            is.variant,
            is.reading,
            game.variant,
            game.reading
        );
        return Err(Failure::unavailable(what).at(shown(&path)).next("give that variant and that reading"));
    }
    Ok(solved)
}

/// The value in words: for the side to move if both sides have the same pieces, else with the side's name.
fn text(game: &Game, valued: Valued) -> String {
    let value = match valued.value {
        value if is_symmetric(game) => word(game, value),
        Value::Win => "White wins",
        Value::Draw => "White holds",
        Value::Loss => "Black wins",
    };
    match valued.plies {
        Some(1) => format!("{value} in 1 ply"),
        Some(plies) => format!("{value} in {plies} plies"),
        None => value.to_owned(),
    }
}
