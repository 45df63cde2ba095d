//! The fixpoint driver (thesis, Algorithm 4): white and black updates in turn until neither adds anything.
//!
//! A piece never leaves the board (R5), so what is lost in a tier depends on that tier and later ones only:
//! the tiers are brought to their fixpoints one by one, from the last to the first. With working files,
//! each finished tier is on disk, and the next run goes on from there.

use std::ops::ControlFlow;

use thiserror::Error;

use super::layout::Layout;
use super::solution::Solution;
use super::sweep::{self, Dirty, sweep};
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

/// Hears how far a fixpoint is, after each tier; may break it off.
pub type Listener<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// How many bytes the dense lost-sets of a variant take: one bit a position and side to move, once for what
/// the seed says and once for what is found.
#[must_use]
pub fn bytes(variant: Variant) -> u128 {
    let layout = Layout::new(variant);
    layout.all().iter().map(|tier| 4 * 8 * tier.words as u128 * tier.rows as u128).sum()
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
    /// The listener broke it off; what is finished is in the working files.
    #[error("interrupted")]
    Interrupted,
}

/// Brings a game to its fixpoint over a seed.
///
/// # Errors
/// The working files cannot be used, or the listener broke it off.
pub fn solve(
    game: &Game,
    seed: Seed,
    working: Option<&Working>,
    listener: Listener<'_>,
) -> Result<Solution, FixpointError> {
    let mut solution = Solution::start(game, seed);
    let rows = solution.layout.all().iter().map(|tier| tier.rows as u64).sum();
    let mut rows_done = 0;
    for tier in (0..solution.layout.all().len()).rev() {
        let known = working.map(|working| working.load(tier)).transpose()?.flatten();
        let finished = known.as_ref().is_some_and(|record| record.finished);
        if let Some(record) = &known {
            take_in(&mut solution, tier, record)?;
        }
        if !finished {
            let rounds = finish(&mut solution, tier);
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

/// Runs rounds in a tier until one adds nothing. Returns how many.
fn finish(solution: &mut Solution, tier: usize) -> u32 {
    let rows = solution.layout.tier(tier).rows;
    let (mut white, mut black) = (Dirty::all(rows), Dirty::all(rows));
    let mut rounds = 0;
    loop {
        rounds += 1;
        let by_white = sweep(solution, tier, Color::White, &white, &black);
        white = Dirty::none(rows);
        let by_black = sweep(solution, tier, Color::Black, &black, &white);
        black = Dirty::none(rows);
        if by_white.grew + by_black.grew == 0 {
            return rounds;
        }
    }
}

fn take_in(solution: &mut Solution, tier: usize, record: &TierRecord) -> Result<(), NoSuchRank> {
    solution.rounds = solution.rounds.max(record.rounds);
    Color::ALL.into_iter().try_for_each(|turn| solution.add(tier, turn, record.ranks(turn)))
}

fn record(solution: &Solution, tier: usize, rounds: u32, finished: bool) -> TierRecord {
    TierRecord {
        rounds,
        finished,
        white_to_move: solution.exceptions(tier, Color::White),
        black_to_move: solution.exceptions(tier, Color::Black),
    }
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
/// The working files cannot be used.
pub fn update(
    game: &Game,
    seed: Seed,
    turn: Color,
    verify: bool,
    working: &Working,
) -> Result<Updated, FixpointError> {
    let mut solution = Solution::start(game, seed);
    let tiers = solution.layout.all().len();
    let mut known = Vec::with_capacity(tiers);
    for tier in 0..tiers {
        let record = working.load(tier)?.unwrap_or_default();
        take_in(&mut solution, tier, &record)?;
        known.push(record);
    }
    let (mut before, mut after) = (0, 0);
    for (tier, old) in known.into_iter().enumerate() {
        sweep::whole(&mut solution, tier, turn);
        let new = record(&solution, tier, old.rounds + 1, false);
        before += old.ranks(turn).len() as u64;
        after += new.ranks(turn).len() as u64;
        if !verify && new.ranks(turn) != old.ranks(turn) {
            working.save(tier, new)?;
        }
    }
    Ok(Updated { before, after })
}
