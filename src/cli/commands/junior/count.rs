//! `gobprove count junior`.

use gobjunior::index::Rows;
use gobjunior::rules::{Game, Material, Reading, Size};
use gobjunior::solver::{Reached, reachable};
use serde::Serialize;

use crate::cli::console::args::{JUNIOR, Talk, Threads};
use crate::cli::console::exit::Failure;
use crate::cli::console::progress::Progress;
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::on_threads;

/// Progress is told as a part of this number of plies, in which nearly all positions come up.
const PLIES: f64 = 14.0;

/// How many positions there are, with one side to move.
#[derive(Serialize)]
pub(in crate::cli::commands) struct JuniorCount {
    pub variant: &'static str,
    pub reading: &'static str,
    /// Placements of at most two pieces of each size and side.
    pub positions: u64,
    /// The number of placements up to symmetry.
    pub canonical: u64,
    /// How many canonical placements can come up in play: without a line, with one, and together.
    pub unfinished: u64,
    pub finished: u64,
    pub reachable: u64,
    /// The number of plies after which no new position comes up.
    pub plies: u32,
}

/// Counts the positions, and says how far it is.
///
/// # Errors
/// The threads cannot be started, or a signal came.
pub(in crate::cli::commands) fn count(
    reading: Reading,
    threads: Threads,
    talk: Talk,
) -> Result<JuniorCount, Failure> {
    let signals = Signals::catch(Left::Nothing);
    let progress = Progress::new(format!("counting {JUNIOR} {reading}"), talk);
    let mut listener = |at: gobjunior::solver::Progress| {
        let done = f64::from(at.ply - 1) + at.done as f64 / at.of as f64;
        progress.part(done / PLIES, || format!("ply {}", at.ply));
        signals.goes_on()
    };
    let found = on_threads(threads.count(), || reachable(Game::full(reading), &mut listener))?;
    let Reached { unfinished, finished, plies } = found.map_err(|_| signals.failure())?;
    let rows = Rows::new(Material::FULL);
    let placements = |size| rows.placements(size).len() as u64;
    Ok(JuniorCount {
        variant: JUNIOR,
        reading: reading.tag(),
        positions: Size::ALL.into_iter().map(placements).product(),
        canonical: rows.canonical(),
        unfinished,
        finished,
        reachable: unfinished + finished,
        plies,
    })
}
