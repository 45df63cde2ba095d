//! `junior`, the game on nine squares: what `solve`, `query`, `suite`, `explain`, `play`, `count` and `perft` do for it.
//!
//! It has a crate of its own, [`gobjunior`]. The commands branch off here as soon as they see its name.

mod count;
mod explain;
mod play;
mod position;
mod query;
mod solve;

use std::path::{Path, PathBuf};

use gobjunior::rules::Reading;
use gobjunior::solver::{Solved, Value};

use crate::cli::console::args::{JUNIOR, Talk, Threads};
use crate::cli::console::exit::{Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::report::say;
use crate::rules;
use crate::store::{JuniorError, read_junior};

pub(super) use count::{JuniorCount, count};
pub(super) use explain::{explain, read_ahead};
pub(super) use play::{Cited, Playing};
pub(super) use position::start;
pub(super) use query::query;
pub(super) use solve::Solving;

/// Junior's reading with the same name.
///
/// # Errors
/// Junior has no such reading.
pub(super) fn reading(reading: rules::Reading) -> Result<Reading, Failure> {
    Reading::from_tag(reading.tag()).ok_or_else(|| {
        let known = Reading::ALL.map(Reading::tag).join(" and ");
        Failure::usage(format!("junior has the readings {known}, and not {reading}"))
            .at("--reading")
            .next("gobprove rules junior says what they are")
    })
}

/// The name of the file of the solved game.
fn file_name(reading: Reading) -> PathBuf {
    format!("{JUNIOR}-{reading}.gobsolved").into()
}

/// The solved game from a file.
///
/// # Errors
/// It is not there, is damaged, or is of another reading.
pub(super) fn open(reading: Reading, file: Option<&Path>) -> Result<Solved, Failure> {
    let path = file.map_or_else(|| file_name(reading), Path::to_owned);
    let solved = read_junior(&path).map_err(|error| {
        let solve = format!("gobprove solve junior --reading {reading}");
        let next = match &error {
            JuniorError::Read { .. } => format!("{solve} writes it"),
            _ => format!("give the file that `{solve}` writes"),
        };
        Failure::unavailable(error).at(shown(&path)).next(next)
    })?;
    let found = solved.game().reading;
    if found != reading {
        let what = format!("{} holds junior {found}, not junior {reading}", shown(&path));
        return Err(Failure::unavailable(what).at(shown(&path)));
    }
    Ok(solved)
}

/// The solved game: from `file`, else from what `solve junior` writes if it is here, else solved on the spot.
///
/// # Errors
/// As [`open`] for a file that is there, or the threads cannot be started.
pub(super) fn open_or_solve(
    reading: Reading,
    file: Option<&Path>,
    threads: Threads,
    talk: Talk,
) -> Result<Solved, Failure> {
    let lies_here = || file_name(reading).exists();
    if file.is_some() || lies_here() { open(reading, file) } else { solve::solve(reading, threads, talk) }
}

/// The solved game to play by: from `file`, else from the file that lies here, else solved on the spot. `None` if there is
/// not the memory to solve it.
///
/// # Errors
/// As [`open`] for a file that is named or there, or the threads cannot be started.
pub(super) fn cite(reading: Reading, file: Option<&Path>, memory: Memory) -> Result<Option<Cited>, Failure> {
    let path = file.map_or_else(|| file_name(reading), Path::to_owned);
    if file.is_some() || path.exists() {
        return Ok(Some(Cited { solved: open(reading, Some(&path))?, name: shown(&path) }));
    }
    if let Err(failure) = memory.allow(JUNIOR, solve::BYTES) {
        let next =
            "give more with --memory to play by the solved game; till then a search of some plies plays";
        say(&failure.next(next).note());
        return Ok(None);
    }
    let solved = solve::solve(reading, Threads::default(), Talk::default())?;
    Ok(Some(Cited { solved, name: "solved on the spot".to_owned() }))
}

/// A value in words: `win in 13 plies`.
pub(super) fn text(value: Value) -> String {
    match value.plies() {
        None => value.word().to_owned(),
        Some(1) => format!("{} in 1 ply", value.word()),
        Some(plies) => format!("{} in {plies} plies", value.word()),
    }
}
