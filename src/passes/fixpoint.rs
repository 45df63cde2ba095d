//! The fixpoint (thesis, Algorithm 4): white and black updates take turns until neither adds a position.
//!
//! A piece never leaves the board (R5), so which positions of a tier are lost depends on this tier and later ones only.
//! The tiers are brought to their fixpoints one by one, from the last to the first. With working files each finished
//! tier is written once, and a tier that takes long is also saved at intervals: from this checkpoint the next run goes
//! on. Sets only grow and the fixpoint is unique, so it does not matter where a run stopped.

use std::convert::Infallible;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bitbase::Lost;
use crate::bitbase::lost::OutOfMemory;
use crate::bitbase::solution::{Select, Solution, start, start_heeding};
use crate::bitbase::tables::{Dirty, with_kernel};
use crate::bitbase::window::{self, Keep, Place, Window, window};
use crate::enumerate::Tier;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::enumerate::rows::ranked::Ranked;
use crate::passes::black_update::add_wins_in_one;
use crate::passes::rounds::{Heed, Unfinished, black, black_heeding};
use crate::rules::{Color, Game, Variant};
use crate::store::saved_tiers::{SavedTier, SavedTiers, TierState, load, save};
use crate::store::{Checkpoint, WorkingError};
use crate::strategy::Seed;

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixpointProgress {
    /// Bytes of the bitbases of finished tiers. A row of a tier with more inner pieces has more bytes and takes longer.
    pub bytes_done: u128,
    /// Bytes of the bitbases of all tiers.
    pub bytes: u128,
    /// The step under way in a tier; `None` when a tier has just been finished.
    pub round: Option<Round>,
}

/// A kind of work on a tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Positions with a black line, and those that a discipline forbids White to move to, are marked as lost.
    Starting,
    /// The sets that an earlier run saved are read.
    Reading,
    /// Black's set was saved incomplete or not at all; the rest of it is found from White's set.
    Completing,
    /// A round of updates runs.
    Updating,
    /// The lost positions of the tier are counted.
    Counting,
}

/// How far a step of a tier has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The tier.
    pub tier: Tier,
    /// The step.
    pub step: Step,
    /// How many rows the tier has.
    pub tier_rows: u64,
    /// How many bytes its bitbase takes.
    pub tier_bytes: u128,
    /// How many rounds of the tier are finished.
    pub finished: u32,
    /// The number of rows that this step has gone over. In a round a row counts once for each pass over it.
    pub rows_done: u64,
    /// The number of rows that this step goes over in all. In a round, fewer rows mean that the fixpoint is nearer.
    pub rows: u64,
}

/// Called now and then in each step, and after each tier. It breaks the run off by returning [`ControlFlow::Break`].
pub type Listener<'a> = &'a mut dyn FnMut(FixpointProgress) -> ControlFlow<()>;

/// The working files of a run; `None` if it is not saved.
pub type Saving<'a> = Option<&'a mut Checkpoint<SavedTiers>>;

/// How many bytes the bitbases of a variant take: one bit per position and side to move. The seed `thesis` doubles
/// this, as the positions that it calls lost are stored too.
#[must_use]
pub fn bytes(variant: Variant, seed: Seed) -> u128 {
    let times = match seed {
        Seed::Rules => 1,
        Seed::Thesis => 2,
    };
    times * bytes_within(variant, Discipline::FREE, Keep::All, false)
}

/// The most bytes that the bitbases, and the table of a discipline, take at a time over the seed `rules`. `keep` says
/// which bitbases stay in memory, `on_disk` whether there are working files.
#[must_use]
pub fn bytes_within(variant: Variant, discipline: Discipline, keep: Keep, on_disk: bool) -> u128 {
    bytes_of(variant, discipline, |layout| window::most_bytes(layout, keep, on_disk))
}

/// The bytes of the bitbases that `sets` counts, and of the table of a discipline, see [`bytes_of_table`].
fn bytes_of(variant: Variant, discipline: Discipline, sets: impl Fn(&Layout) -> u128) -> u128 {
    bytes_of_table(variant, discipline) + sets(&Layout::within(variant, discipline))
}

/// How many bytes the table of the rows that a discipline allows takes. The size of the bitbases is computed from this
/// table, so it has to be made first.
#[must_use]
pub fn bytes_of_table(variant: Variant, discipline: Discipline) -> u128 {
    let rows = |layout: &Layout| layout.all().iter().map(|tier| Ranked::bytes(tier.rows)).sum();
    if discipline.is_free() { 0 } else { rows(&Layout::new(variant)) }
}

/// Why there is no fixpoint.
#[derive(Debug, Error)]
pub enum FixpointError {
    /// The working files cannot be used.
    #[error(transparent)]
    Working(#[from] WorkingError),
    /// The variant does not fit into memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The file of a set cannot be made or mapped.
    #[error(
        "{dir:?}: cannot map {bytes} bytes for tier {tier} there: {source}; give another --dir, or one with more room"
    )]
    Map {
        /// The directory.
        dir: PathBuf,
        /// The tier.
        tier: Tier,
        /// The length of the file.
        bytes: u128,
        /// The system's error.
        source: io::Error,
    },
    /// Working files are not those of a finished solve.
    #[error("{dir:?}: tier {tier} is not solved, or what Black can reach there was not kept")]
    Unfinished {
        /// The directory.
        dir: PathBuf,
        /// The first tier at fault.
        tier: Tier,
    },
    /// The listener broke the run off; the working files hold what was saved.
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
    saving: Saving<'_>,
    listener: Listener<'_>,
) -> Result<Solution, FixpointError> {
    run(seeded(game, seed, Discipline::FREE)?, Keep::All, saving, listener)
}

/// As [`solve`] over the seed `rules`, with one side keeping to a discipline. `keep` says which sets stay in memory.
///
/// What the keeper achieves under a discipline it achieves in the game too. In the game it may achieve more.
///
/// # Errors
/// As [`solve`].
pub fn solve_within(
    game: &Game,
    discipline: Discipline,
    keep: Keep,
    saving: Saving<'_>,
    listener: Listener<'_>,
) -> Result<Solution, FixpointError> {
    run(Solution::nowhere(game, Seed::Rules, discipline), keep, saving, listener)
}

/// The bitbases with Black to move, from the working files of a finished [`solve_within`] that did not run with
/// [`Keep::All`]. White's answers can be chosen by them. Looking up a position with White to move panics.
///
/// # Errors
/// It does not fit into memory, the working files cannot be used, they are not of a finished solve, or `goes_on` broke it off.
pub fn safe_answers(
    game: &Game,
    discipline: Discipline,
    saved: &Checkpoint<SavedTiers>,
    goes_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Solution, FixpointError> {
    let mut solution = Solution::nowhere(game, Seed::Rules, discipline);
    let window = window::answers(&solution.layout);
    hold_finished(&mut solution, saved, &window, goes_on)?;
    Ok(solution)
}

/// Keeps only the sets of a window in memory, and loads new ones from the working files of a finished solve. `goes_on`
/// is asked every few blocks. After an error the sets are incomplete.
pub(crate) fn hold_finished(
    solution: &mut Solution,
    saved: &Checkpoint<SavedTiers>,
    window: &Window,
    goes_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<(), FixpointError> {
    let mut new = solution.hold(window)?;
    new.extend(map(solution, window, saved.dir())?);
    for (tier, turn) in new {
        load_finished(solution, saved, tier, turn, &mut |_, _| stopped(goes_on()))?;
    }
    Ok(())
}

/// How many bytes [`safe_answers`] takes.
#[must_use]
pub fn bytes_of_answers(variant: Variant, discipline: Discipline) -> u128 {
    bytes_of(variant, discipline, |layout| window::bytes(layout, &window::answers(layout)))
}

fn run(
    mut solution: Solution,
    keep: Keep,
    mut saving: Saving<'_>,
    listener: Listener<'_>,
) -> Result<Solution, FixpointError> {
    let ended = run_tiers(&mut solution, keep, saving.as_deref_mut(), listener);
    // Finished or broken off: what was written counts.
    if let (Ok(()) | Err(FixpointError::Interrupted), Some(checkpoint)) = (&ended, saving) {
        checkpoint.publish_news()?;
    }
    ended.map(|()| solution)
}

fn run_tiers(
    solution: &mut Solution,
    keep: Keep,
    mut saving: Saving<'_>,
    listener: Listener<'_>,
) -> Result<(), FixpointError> {
    let bytes = solution.layout.all().iter().map(TierLayout::bytes).sum();
    let mut bytes_done = 0;
    // Sets leave the memory, so they must be on disk for both sides to move.
    let with_black = keep != Keep::All;
    for tier in (0..solution.layout.all().len()).rev() {
        let window = window(&solution.layout, tier, keep, saving.is_some());
        let plan = solution.layout.tier(tier);
        let (this, tier_rows, tier_bytes) = (plan.tier, plan.rows as u64, plan.bytes());
        let mut hear = |step, finished, rows_of_step_done, rows_of_step| {
            let round = Round {
                tier: this,
                step,
                tier_rows,
                tier_bytes,
                finished,
                rows_done: rows_of_step_done,
                rows: rows_of_step,
            };
            listener(FixpointProgress { bytes_done, bytes, round: Some(round) })
        };
        let dir = saving.as_deref().map(Checkpoint::dir);
        let new =
            hold_started(solution, &window, dir, &mut || stopped(hear(Step::Starting, 0, 0, tier_rows)))?;
        let known = match saving.as_deref() {
            Some(checkpoint) => {
                let mut heed = |read: u32, blocks: u32| {
                    let part = u128::from(tier_rows) * u128::from(read) / u128::from(blocks);
                    stopped(hear(Step::Reading, 0, part as u64, tier_rows))
                };
                for (later, turn) in new.into_iter().filter(|&(index, _)| index > tier) {
                    load_finished(solution, checkpoint, later, turn, &mut heed)?;
                }
                load(solution, checkpoint, tier, &Color::ALL, &mut heed)?
            }
            None => TierState::default(),
        };
        if let Some(checkpoint) = saving.as_deref_mut() {
            checkpoint.go_on();
        }
        let mut rounds = known.rounds;
        let bytes_to_save = tier_bytes * if with_black { 2 } else { 1 };
        derive(solution, tier, known, &mut |done, of, _| {
            let stop = hear(Step::Completing, rounds, done, of).is_break();
            if let Some(checkpoint) = saving.as_deref_mut()
                && with_black
                && !known.finished
                && (checkpoint.is_due() || stop && checkpoint.is_worth(bytes_to_save))
            {
                let state = TierState { rounds, first_round: done, finished: false, with_black };
                save(solution, checkpoint, tier, state)?;
                checkpoint.publish()?;
            }
            if stop { Err(FixpointError::Interrupted) } else { Ok(()) }
        })?;
        if !known.finished {
            let first_round = if known.rounds == 0 { known.first_round } else { 0 };
            // When a tier is resumed its set with Black to move is complete, but which rows changed is not known.
            let dirty = (known.rounds > 0).then(|| Dirty::all(solution.layout.tier(tier).rows));
            let mut unfinished = Unfinished { tier, first_round, dirty };
            loop {
                let mut heed = |done, of, is_followed| {
                    let stop = hear(Step::Updating, rounds, done, of).is_break();
                    if let Some(checkpoint) = saving.as_deref_mut()
                        && (checkpoint.is_due() || stop && checkpoint.is_worth(bytes_to_save))
                    {
                        // A save does not wait until Black's set is complete: the next run then takes all black
                        // transfers back.
                        let first_round = match (rounds, is_followed) {
                            (0, _) => done,
                            (_, true) => 0,
                            (_, false) => solution.layout.tier(tier).rows as u64,
                        };
                        save(
                            solution,
                            checkpoint,
                            tier,
                            TierState { rounds, first_round, finished: false, with_black },
                        )?;
                        checkpoint.publish()?;
                    }
                    if stop { Err(FixpointError::Interrupted) } else { Ok(()) }
                };
                let grew = unfinished.round(solution, &mut heed)?;
                rounds += 1;
                if !grew {
                    break;
                }
            }
        }
        solution.rounds = solution.rounds.max(rounds);
        if let Some(checkpoint) = saving.as_deref_mut()
            && (!known.finished || with_black && !known.with_black)
        {
            save(
                solution,
                checkpoint,
                tier,
                TierState { rounds, first_round: 0, finished: true, with_black },
            )?;
            // The tier is on disk, and counts once a manifest names it. A manifest is small however large the tier is.
            checkpoint.begin_another();
            if checkpoint.is_due() {
                checkpoint.publish()?;
            }
        }
        if keep != Keep::All {
            let counted = solution
                .tier_lost(tier, &mut || stopped(hear(Step::Counting, rounds, tier_rows, tier_rows)))?;
            solution.counted[tier] = Some(counted);
        }
        bytes_done += tier_bytes;
        if listener(FixpointProgress { bytes_done, bytes, round: None }).is_break() {
            return Err(FixpointError::Interrupted);
        }
    }
    Ok(())
}

/// Turns a listener's answer into a result.
fn stopped(told: ControlFlow<()>) -> Result<(), FixpointError> {
    if told.is_break() { Err(FixpointError::Interrupted) } else { Ok(()) }
}

/// Keeps only the sets of a window, in memory and in files of the directory, and starts the new ones over the seed `rules`.
/// Returns these.
pub(crate) fn hold_started(
    solution: &mut Solution,
    window: &Window,
    dir: Option<&Path>,
    heed: &mut dyn FnMut() -> Result<(), FixpointError>,
) -> Result<Vec<(usize, Color)>, FixpointError> {
    let mut new = solution.lost.hold(window)?;
    if let Some(dir) = dir {
        new.extend(map(solution, window, dir)?);
    }
    for &place in &new {
        start_heeding(solution, Seed::Rules, place, heed)?;
    }
    Ok(new)
}

/// Maps the sets that a window places in [`Place::Mapped`] to files in the working directory. Returns the new ones.
fn map(solution: &mut Solution, window: &Window, dir: &Path) -> Result<Vec<(usize, Color)>, FixpointError> {
    let mut new = Vec::new();
    for (tier, held) in window.iter().enumerate() {
        for turn in Color::ALL.into_iter().filter(|&turn| held[turn] == Place::Mapped) {
            let was_away = solution.lost.map(tier, turn, dir).map_err(|source| {
                let (plan, dir) = (solution.layout.tier(tier), dir.to_owned());
                FixpointError::Map { dir, tier: plan.tier, bytes: plan.bytes(), source }
            })?;
            new.extend(was_away.then_some((tier, turn)));
        }
    }
    Ok(new)
}

impl Solution {
    /// Whether the update of a side to move would add nothing if it ran over all rows once more.
    #[doc(hidden)]
    #[must_use]
    pub fn adds_nothing(&self, turn: Color) -> bool {
        let tables = self.tables();
        self.layout.all().iter().enumerate().all(|(tier, plan)| {
            with_kernel!(tables.kernels, plan.k, kernel => match turn {
                Color::White => tables.white_would_add(kernel, tier, 0..plan.rows, &Dirty::all(plan.rows)).is_empty(),
                Color::Black => black(&tables, kernel, tier).is_empty(),
            })
        })
    }
}

/// Adds to a set of a tier all its lost positions, from the working files. An error if it is not complete there.
fn load_finished(
    solution: &mut Solution,
    checkpoint: &Checkpoint<SavedTiers>,
    tier: usize,
    turn: Color,
    heed: &mut dyn FnMut(u32, u32) -> Result<(), FixpointError>,
) -> Result<(), FixpointError> {
    let known = load(solution, checkpoint, tier, &[turn], heed)?;
    finished(&solution.layout, checkpoint, tier, (known, turn))
}

/// An error if working files are not those of a finished solve that has both sets of each tier.
pub(crate) fn all_finished(
    layout: &Layout,
    checkpoint: &Checkpoint<SavedTiers>,
) -> Result<(), FixpointError> {
    (0..layout.all().len()).try_for_each(|tier| {
        let saved = SavedTier::of(checkpoint, tier, layout.tier(tier));
        let known = saved.map_or_else(TierState::default, |saved| saved.state);
        finished(layout, checkpoint, tier, (known, Color::Black))
    })
}

/// An error if a tier's set with this side to move is not complete.
fn finished(
    layout: &Layout,
    checkpoint: &Checkpoint<SavedTiers>,
    tier: usize,
    (known, turn): (TierState, Color),
) -> Result<(), FixpointError> {
    if known.finished && (known.with_black || turn == Color::White) {
        return Ok(());
    }
    Err(FixpointError::Unfinished { dir: checkpoint.dir().to_owned(), tier: layout.tier(tier).tier })
}

/// Completes a tier's set with Black to move by what follows from its set with White to move.
fn derive<E>(solution: &Solution, tier: usize, known: TierState, heed: Heed<'_, E>) -> Result<(), E> {
    if known.rounds > 0 && (!known.with_black || known.first_round > 0) {
        let before = if known.with_black { known.first_round } else { 0 };
        let k = solution.layout.tier(tier).k;
        with_kernel!(solution.kernels, k, kernel => black_heeding(&solution.tables(), kernel, tier, before, heed)?);
    }
    Ok(())
}

/// What [`update`] did.
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
    checkpoint: &mut Checkpoint<SavedTiers>,
) -> Result<Updated, FixpointError> {
    let mut solution = seeded(game, seed, Discipline::FREE)?;
    let tiers = solution.layout.all().len();
    let mut known = Vec::with_capacity(tiers);
    for tier in 0..tiers {
        let read = load::<FixpointError>(&mut solution, checkpoint, tier, &Color::ALL, &mut |_, _| Ok(()));
        known.push(read?);
    }
    let (mut before, mut after) = (0, 0);
    for (tier, &known) in known.iter().enumerate() {
        let Ok(()) = derive::<Infallible>(&solution, tier, known, &mut |_, _, _| Ok(()));
    }
    let count = |tier| solution.count_in(tier, turn, Select::Exceptions).canonical as u64;
    for tier in 0..tiers {
        let had = count(tier);
        let tables = solution.tables();
        let plan = solution.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, kernel => match turn {
            Color::White => {
                tables.white_everywhere(kernel, tier);
            }
            Color::Black => {
                black(&tables, kernel, tier);
            }
        });
        let has = count(tier);
        before += had;
        after += has;
        if !verify && has != had {
            // Saved with no round finished, so that a solve goes over the whole tier: later tiers may still grow.
            let by_hand = TierState { with_black: true, ..TierState::default() };
            save(&solution, checkpoint, tier, by_hand)?;
        }
    }
    checkpoint.publish_news()?;
    Ok(Updated { before, after })
}

/// A game in which only the positions that the seed calls lost are lost. One side may keep to a discipline: positions
/// outside it count against that side.
///
/// # Errors
/// The system does not give the memory.
pub(crate) fn seeded(game: &Game, seed: Seed, discipline: Discipline) -> Result<Solution, OutOfMemory> {
    let mut solution = Solution::start_within(game, seed, discipline)?;
    if seed == Seed::Thesis {
        add_wins_in_one(&solution);
        for tier in 0..solution.layout.all().len() {
            start(&solution, seed, tier, Color::Black);
        }
        solution.seeded = Some(solution.lost.copy(&solution.layout)?);
    }
    Ok(solution)
}

/// The positions *lost at sight*: a black line stands, or Black wins with its next move, with Black to move or after every
/// white move. The result takes as much memory as the solution.
///
/// # Errors
/// The system does not give the memory.
pub fn lost_at_sight(solution: &Solution) -> Result<Lost, OutOfMemory> {
    let sight = seeded(solution.game(), Seed::Rules, Discipline::FREE)?;
    add_wins_in_one(&sight);
    let tables = sight.tables();
    for (tier, plan) in sight.layout.all().iter().enumerate() {
        with_kernel!(tables.kernels, plan.k, kernel => {
            tables.white_everywhere(kernel, tier);
        });
    }
    Ok(sight.lost)
}
