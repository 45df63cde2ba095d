//! The fixpoint driver (thesis, Algorithm 4): white and black updates in turn until neither adds anything.
//!
//! A piece never leaves the board (R5), so what is lost in a tier depends on that tier and later ones only:
//! the tiers are brought to their fixpoints one by one, from the last to the first. With working files,
//! each finished tier is on disk, and one that takes long is saved between rounds: the next run goes on from
//! there. Sets only grow, to one fixpoint, so it does not matter where a run stopped.

use std::ops::ControlFlow;
use std::time::Instant;

use thiserror::Error;

use super::kernel::Kernel;
use super::layout::Layout;
use super::lost::OutOfMemory;
use super::solution::{Select, Solution};
use super::sweep::{Dirty, Tables, with_kernel};
use super::working::{TierRecord, Working, WorkingError};
use crate::enumerate::NoSuchRank;
use crate::rules::{Color, Game, Variant};
use crate::strategy::Seed;

/// How far a fixpoint is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Rows of finished tiers.
    pub rows_done: u64,
    /// Rows of all tiers.
    pub rows: u64,
}

/// Hears how far a fixpoint is, after each round and tier; may break it off.
pub type Listener<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// How many bytes the dense lost-sets of a variant take over a seed: one bit a position and side to move,
/// and the same again for a seed that is not found by a look at the board.
#[must_use]
pub fn bytes(variant: Variant, seed: Seed) -> u128 {
    let layout = Layout::new(variant);
    let sides: u128 = match seed {
        Seed::Rules => 2,
        Seed::Thesis => 4,
    };
    layout.all().iter().map(|tier| sides * 8 * tier.words as u128 * tier.rows as u128).sum()
}

/// Why there is no fixpoint.
#[derive(Debug, Error)]
pub enum FixpointError {
    /// The working files.
    #[error(transparent)]
    Working(#[from] WorkingError),
    /// A working file names a position that is none.
    #[error("a working file is damaged ({0}); --fresh discards the working files")]
    Rank(#[from] NoSuchRank),
    /// The variant does not fit into memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The listener broke it off; what is finished is in the working files.
    #[error("interrupted")]
    Interrupted,
}

/// Brings a game to its fixpoint over a seed.
///
/// # Errors
/// The variant does not fit into memory, the working files cannot be used, or the listener broke it off.
pub fn solve(
    game: &Game,
    seed: Seed,
    working: Option<&Working>,
    listener: Listener<'_>,
) -> Result<Solution, FixpointError> {
    let mut solution = Solution::start(game, seed)?;
    let rows = solution.layout.all().iter().map(|tier| tier.rows as u64).sum();
    let mut rows_done = 0;
    for tier in (0..solution.layout.all().len()).rev() {
        let known = working.map(|working| working.load(tier)).transpose()?.flatten();
        let mut rounds = 0;
        if let Some(record) = &known {
            take_in(&mut solution, tier, record)?;
            derive(&solution, tier, record);
            rounds = record.rounds;
        }
        if known.is_none_or(|record| !record.finished) {
            let mut saved = Instant::now();
            let mut unfinished = Unfinished { tier, dirty: None };
            while unfinished.round(&solution) {
                rounds += 1;
                let stop = listener(Progress { rows_done, rows }).is_break();
                if let Some(working) = working
                    && (stop || saved.elapsed() >= working.checkpoint_every())
                {
                    working.save(tier, record(&solution, tier, rounds, false))?;
                    saved = Instant::now();
                }
                if stop {
                    return Err(FixpointError::Interrupted);
                }
            }
            rounds += 1;
            solution.rounds = solution.rounds.max(rounds);
            if let Some(working) = working {
                working.save(tier, record(&solution, tier, rounds, true))?;
            }
        }
        rows_done += solution.layout.tier(tier).rows as u64;
        if listener(Progress { rows_done, rows }).is_break() {
            return Err(FixpointError::Interrupted);
        }
    }
    Ok(solution)
}

/// A tier on its way to the fixpoint.
struct Unfinished {
    tier: usize,
    /// The rows that the next white update must look at; `None` before the first.
    dirty: Option<Dirty>,
}

impl Unfinished {
    /// Runs a round. Whether it added anything.
    fn round(&mut self, solution: &Solution) -> bool {
        let k = solution.layout.tier(self.tier).k;
        with_kernel!(solution.kernels, k, kernel => self.round_with(&solution.tables(), kernel))
    }

    fn round_with<const N: usize>(&mut self, tables: &Tables<'_>, kernel: &Kernel<N>) -> bool {
        let tier = self.tier;
        let Some(dirty) = self.dirty.take() else {
            let all = Dirty::all(tables.layout.tier(tier).rows);
            let by_white = !tables.white(kernel, tier, &all).is_empty();
            let by_black = black(tables, kernel, tier);
            self.dirty = Some(all);
            return by_white | by_black;
        };
        let new = tables.white(kernel, tier, &dirty);
        let grown = Dirty::none(tables.layout.tier(tier).rows);
        tables.follow(kernel, tier, &new, &grown);
        self.dirty = Some(tables.readers(kernel, tier, &grown));
        !(new.is_empty() && grown.is_empty())
    }
}

/// Runs the whole black update of a tier; whether a row grew.
pub(super) fn black<const N: usize>(tables: &Tables<'_>, kernel: &Kernel<N>, tier: usize) -> bool {
    let grown = Dirty::none(tables.layout.tier(tier).rows);
    tables.opening(kernel, tier, &grown);
    let lost = tables.lost_without_line(kernel, tier);
    tables.follow(kernel, tier, &lost, &grown);
    !grown.is_empty()
}

fn take_in(solution: &mut Solution, tier: usize, record: &TierRecord) -> Result<(), NoSuchRank> {
    solution.rounds = solution.rounds.max(record.rounds);
    solution.add(tier, Color::White, &record.white_to_move)?;
    solution.add(tier, Color::Black, record.black_to_move.as_deref().unwrap_or_default())
}

/// Adds what a record leaves to a black update, when its tier and the later ones are taken in.
fn derive(solution: &Solution, tier: usize, record: &TierRecord) {
    if record.rounds > 0 && record.black_to_move.is_none() {
        let k = solution.layout.tier(tier).k;
        with_kernel!(solution.kernels, k, kernel => black(&solution.tables(), kernel, tier));
    }
}

/// What a run keeps of a tier after a round.
fn record(solution: &Solution, tier: usize, rounds: u32, finished: bool) -> TierRecord {
    let white_to_move = solution.exceptions(tier, Color::White);
    TierRecord { rounds, finished, white_to_move, black_to_move: None }
}

/// What one pass by hand did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Updated {
    /// How many canonical exceptions the side had before.
    pub before: u64,
    /// How many it has, or in verify mode would have, after.
    pub after: u64,
}

/// Runs one pass, the white update (Algorithm 3) or the black update (Algorithm 2), over all tiers, from
/// the exception sets in the working files. In update mode the sets there grow; in verify mode nothing is
/// written, and the answer is "yes" when nothing would be added.
///
/// # Errors
/// The variant does not fit into memory, or the working files cannot be used.
pub fn update(
    game: &Game,
    seed: Seed,
    turn: Color,
    verify: bool,
    working: &Working,
) -> Result<Updated, FixpointError> {
    let mut solution = Solution::start(game, seed)?;
    let tiers = solution.layout.all().len();
    let mut known = Vec::with_capacity(tiers);
    for tier in 0..tiers {
        let record = working.load(tier)?.unwrap_or_default();
        take_in(&mut solution, tier, &record)?;
        known.push(record);
    }
    let (mut before, mut after) = (0, 0);
    for (tier, record) in known.iter().enumerate() {
        derive(&solution, tier, record);
    }
    let count = |tier| solution.count_in(tier, turn, Select::Exceptions).canonical as u64;
    for (tier, old) in known.iter().enumerate() {
        let had = count(tier);
        let tables = solution.tables();
        let plan = solution.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, kernel => match turn {
            Color::White => {
                tables.white(kernel, tier, &Dirty::all(plan.rows));
            }
            Color::Black => {
                black(&tables, kernel, tier);
            }
        });
        let has = count(tier);
        before += had;
        after += has;
        if !verify && has != had {
            let new = TierRecord {
                rounds: old.rounds + 1,
                finished: false,
                white_to_move: solution.exceptions(tier, Color::White),
                black_to_move: Some(solution.exceptions(tier, Color::Black)),
            };
            working.save(tier, new)?;
        }
    }
    Ok(Updated { before, after })
}
