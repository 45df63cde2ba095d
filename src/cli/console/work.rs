//! What commands that solve a variant share: the threads, and the solving.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::args::Talk;
use super::exit::{Exit, Failure};
use super::progress::Progress;
use super::report::grouped;
use super::signals::{Left, Signals};
use crate::bitbase::Keep;
use crate::bitbase::Solution;
use crate::enumerate::Discipline;
use crate::passes;
use crate::passes::{FixpointError, Step};
use crate::rules::{Game, Variant};
use crate::store::{
    Checkpoint, Claim, Manifest, PublishError, System, WorkingError, check_writable, publish,
};
use crate::strategy::Seed;
use gobcheck::check::{self as checker, Refusal};

/// Runs some work so that rayon splits it over this many threads.
///
/// # Errors
/// The threads cannot be started.
pub fn on_threads<T: Send>(threads: NonZeroUsize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build().map_err(|error| {
        Failure::unavailable(format!("cannot start {threads} threads: {error}"))
            .next("ask for fewer with --threads")
    })?;
    Ok(pool.install(work))
}

/// Where work keeps what it has done.
#[derive(Args, Clone, Debug)]
pub struct Files {
    /// The directory for working files, kept when the work is done [default: FILE.work, removed when it is done; none where
    /// no file is written: then an interrupted run is lost]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Discard working files of an earlier run
    #[arg(long)]
    fresh: bool,
}

impl Files {
    /// Opens the working files of a game under a seed and a discipline: in the directory that `--dir` names, else
    /// [`beside`] the file `out`. `None` if there is neither.
    ///
    /// # Errors
    /// They cannot be used, or `--fresh` is given where there is neither.
    pub fn open<M: Manifest>(
        &self,
        game: &Game,
        seed: Seed,
        discipline: &Discipline,
        out: Option<&Path>,
    ) -> Result<Option<Checkpoint<M>>, Failure> {
        let Some(dir) = self.dir.clone().or_else(|| out.map(beside)) else {
            return match self.fresh {
                true => {
                    Err(Failure::usage("--fresh discards working files, and without --dir there are none"))
                }
                false => Ok(None),
            };
        };
        let checkpoint = Checkpoint::open_within(&dir, game, seed, discipline, self.fresh);
        checkpoint.map(Some).map_err(Failure::unavailable)
    }

    /// Whether a command that writes `out` keeps working files.
    #[must_use]
    pub fn are_kept(&self, out: Option<&Path>) -> bool {
        self.dir.is_some() || out.is_some()
    }

    /// Whether `--dir` names the directory, which may then hold the work of an earlier run.
    #[must_use]
    pub fn are_named(&self) -> bool {
        self.dir.is_some()
    }

    /// Whether working files of an earlier run are to be discarded.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Removes the working files when the work is done, unless `--dir` names the directory.
    ///
    /// # Errors
    /// They cannot be removed.
    pub fn done<M: Manifest>(&self, checkpoint: Option<Checkpoint<M>>) -> Result<(), Failure> {
        match checkpoint {
            Some(checkpoint) if self.dir.is_none() => checkpoint.remove().map_err(Failure::unavailable),
            _ => Ok(()),
        }
    }
}

/// What is to be solved of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The start functions.
    pub seed: Seed,
    /// What one side keeps to, over the seed `rules`.
    pub discipline: Discipline,
    /// What stays in memory, over the seed `rules`.
    pub keep: Keep,
}

impl Terms {
    /// All of a game over the seed `rules`.
    pub const ALL: Terms = Terms { seed: Seed::Rules, discipline: Discipline::FREE, keep: Keep::All };

    /// The most bytes of memory that the solve takes, with working files or without.
    #[must_use]
    pub fn bytes(self, variant: Variant, on_disk: bool) -> u128 {
        match self.seed {
            Seed::Rules => passes::bytes_within(variant, self.discipline, self.keep, on_disk),
            seed => passes::bytes(variant, seed),
        }
    }

    /// Where only what later tiers need stays in memory, and working files are kept: leaves it in them too if `most` bytes of
    /// memory are not enough. Returns [`Terms::bytes`].
    pub fn fit(&mut self, variant: Variant, on_disk: bool, most: u64) -> u128 {
        let bytes = self.bytes(variant, on_disk);
        if self.keep != Keep::Needed || !on_disk || bytes <= most.into() {
            return bytes;
        }
        self.keep = Keep::Mapped;
        self.bytes(variant, on_disk)
    }
}

/// Solves a game and shows its progress. Without working files an interrupted run is lost.
///
/// # Errors
/// The variant does not fit into memory, the working files cannot be used, or a signal came.
pub fn solve(
    game: &Game,
    terms: Terms,
    saving: passes::Saving<'_>,
    talk: Talk,
    signals: &Signals,
) -> Result<Solution, Failure> {
    let progress = Progress::new(format!("solving {} {}", game.variant, game.reading), talk);
    let mut listener = listener(&progress, signals);
    let solved = match terms.seed {
        Seed::Rules => passes::solve_within(game, terms.discipline, terms.keep, saving, &mut listener),
        seed => passes::solve(game, seed, saving, &mut listener),
    };
    solved.map_err(|error| broken_off(error, signals))
}

/// Shows how far a solve is, and breaks it off at a signal.
pub fn listener<'a>(
    progress: &'a Progress,
    signals: &'a Signals,
) -> impl FnMut(passes::FixpointProgress) -> ControlFlow<()> + use<'a> {
    let mut is_solving = false;
    move |at| {
        let now = || at.round.map(just_now).unwrap_or_default();
        match at.round {
            // Until this run adds something, it only reads what an earlier run did.
            _ if !is_solving => progress.earlier(part(&at), now),
            // Which part of the tier is done is known only once its files are read.
            Some(round) if round.step == Step::Reading => progress.so_far(now),
            _ => progress.part(part(&at), now),
        }
        is_solving |= at.round.is_some_and(|round| round.step == Step::Updating);
        signals.goes_on()
    }
}

/// The failure for work that was broken off. It says what is kept.
pub fn broken_off(error: FixpointError, signals: &Signals) -> Failure {
    match error {
        FixpointError::Interrupted => signals.failure(),
        FixpointError::Working(WorkingError::Io { .. } | WorkingError::Write(_))
        | FixpointError::Map { .. } => signals.disk_failure(error),
        FixpointError::Memory(_) => Failure::unavailable(error)
            .next("take a smaller variant: the system does not give as much as --memory allows"),
        // These errors say themselves what is wrong and what to do.
        FixpointError::Working(_) | FixpointError::Unfinished { .. } => Failure::unavailable(error),
    }
}

/// How many rounds a tier of this number of rows is expected to take. This is a guess: tiers of a million rows took about
/// 8, tiers of a hundred million 24 to 78.
fn rounds(tier_rows: u64) -> f64 {
    (6.0 * (tier_rows.max(1) as f64).log10() - 27.0).clamp(6.0, 24.0)
}

/// Which part of a solve is done, from 0 to 1. Tiers are weighed by the bytes of their bitbases. In A3-A3B3C2 the tiers
/// A3.A3B3C2 and A3.A3B3C1 have equally many rows, of 120 and 16 placements, and took 18.8 and 2.1 seconds.
fn part(at: &passes::FixpointProgress) -> f64 {
    let begun = at.round.map_or(0.0, |round| round.tier_bytes as f64 * part_of_tier(&round));
    (at.bytes_done as f64 + begun) / at.bytes.max(1) as f64
}

/// Which part of its tier a solve has done, from 0 to 1: the rows that rounds have gone over, divided by all that they will
/// go over. Each round but the first is taken to have as many rows as this one. At least a third of the finished number of
/// rounds is still expected.
fn part_of_tier(round: &passes::Round) -> f64 {
    let (rows, finished) = (round.rows.max(1) as f64, f64::from(round.finished));
    // The first round goes over all rows, for each side's update.
    let before =
        if round.finished == 0 { 0.0 } else { 2.0 * round.tier_rows as f64 + (finished - 1.0) * rows };
    let now = match round.step {
        Step::Updating => (round.rows_done as f64).min(rows),
        Step::Starting | Step::Reading | Step::Completing => 0.0,
        // The rounds are done.
        Step::Counting => return 1.0,
    };
    let further = (rounds(round.tier_rows) - finished - 1.0).max(finished / 3.0);
    (before + now) / (before + rows * (1.0 + further))
}

/// What is being done inside a tier. A later round usually goes over fewer rows.
fn just_now(round: passes::Round) -> String {
    let [done, of] = [round.rows_done, round.rows].map(|rows| grouped(rows.into()));
    let what = match round.step {
        Step::Starting => return format!("marking what is lost at sight, tier {}", round.tier),
        Step::Reading => "reading what is saved".to_owned(),
        Step::Completing => format!("completing Black's set after round {}", round.finished),
        Step::Updating => format!("round {}", round.finished + 1),
        Step::Counting => return format!("counting, tier {}", round.tier),
    };
    format!("{what}: {done} of {of} rows, tier {}", round.tier)
}

/// What a command leaves when it is interrupted: its working files, if it has any.
#[must_use]
pub fn left<M: Manifest>(checkpoint: &Option<Checkpoint<M>>) -> Left {
    if checkpoint.is_some() { Left::Files } else { Left::Nothing }
}

/// Where to write a certificate: the file that was asked for, or one named after the claim. No two claims share a name.
///
/// # Errors
/// Nothing can be written there.
pub fn place(out: Option<&PathBuf>, claim: Claim) -> Result<PathBuf, Failure> {
    let Claim { game, kind } = claim;
    let named = || format!("{}-{}-{kind}.gobcert", game.variant, game.reading).into();
    let out = out.cloned().unwrap_or_else(named);
    check_writable(&System, &out)?;
    Ok(out)
}

/// The directory for working files beside a file.
#[must_use]
pub fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".work");
    PathBuf::from(name)
}

/// The option that keeps a command to a discipline, with a blank before it; nothing if the discipline is free.
#[must_use]
pub fn within(discipline: &Discipline) -> String {
    if discipline.is_free() { String::new() } else { format!(" --discipline {discipline}") }
}

/// Writes the bytes of a certificate when the checker has accepted them.
///
/// # Errors
/// A signal came before, they cannot be written, or the checker rejects them, which is a bug.
pub fn publish_checked(
    out: &Path,
    claim: Claim,
    bytes: &[u8],
    threads: NonZeroUsize,
    talk: Talk,
    signals: &Signals,
) -> Result<(), Failure> {
    if signals.came().is_some() {
        return Err(signals.failure());
    }
    let progress = Progress::new(format!("checking {claim}"), talk);
    publish(&System, out, bytes, |back| checked(back, threads, &progress, signals)).map_err(|error| {
        match error {
            PublishError::Write(error) => signals.disk_failure(error),
            PublishError::Refused(failure) => failure,
        }
    })
}

/// Has the checker check the bytes of a certificate. The checker cannot be interrupted, so it runs in a thread of its own.
/// After a signal this returns and leaves the thread running: the process ends soon.
fn checked(
    bytes: Vec<u8>,
    threads: NonZeroUsize,
    progress: &Progress,
    signals: &Signals,
) -> Result<(), Failure> {
    let (tell, told) = mpsc::channel();
    let check = move || {
        let far = tell.clone();
        let result = checker::check(&bytes, threads, &|done, total| {
            // Nobody listens any more after a signal.
            let _ = far.send(Told::Far(done, total));
        });
        let _ = tell.send(Told::End(result.map(|_| ())));
    };
    let refused = |error| Failure::unavailable(format!("cannot start a thread for the checker: {error}"));
    thread::Builder::new().spawn(check).map_err(refused)?;
    loop {
        match told.recv_timeout(OFTEN) {
            Ok(Told::Far(done, total)) => progress.at(done, total),
            // The prover was wrong, and the checker noticed.
            Ok(Told::End(Err(refusal))) => {
                return Err(Failure::new(Exit::Bug, format!("what was generated is rejected: {refusal}"))
                    .next("this is a bug in gobprove; report the command and the lines above"));
            }
            Ok(Told::End(Ok(()))) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::new(Exit::Bug, "the checker panicked"));
            }
        }
        if signals.came().is_some() {
            return Err(signals.failure());
        }
    }
}

/// What the checker tells while it works.
enum Told {
    /// How much is done, of how much; see [`Progress::at`].
    Far(u64, u64),
    /// The check has ended.
    End(Result<(), Refusal>),
}

/// How often a signal is looked for while the checker says nothing.
const OFTEN: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use gobcheck::index::Tier;

    use super::*;
    use crate::bitbase::OutOfMemory;
    use crate::store::Certificate;

    /// Millions of rows in each round of the fullest tier of A3B2-A3B3C2, from a run in which all rounds took about the
    /// same time. Once three rounds are finished, the part that is told is within a factor of two of the part that is done.
    #[test]
    fn the_part_that_is_told_is_near_the_part_that_is_done() {
        let rows = [
            676, 451, 433, 426, 429, 432, 432, 428, 418, 408, 402, 400, 399, 396, 392, 385, 374, 360, 345,
            328, 311, 285,
        ];
        // The run was broken off there. It has 44 rounds: the rest are made to fall in a straight line.
        let rows: Vec<u64> = rows.into_iter().chain((0..22).map(|round| 285 - 12 * round)).collect();
        let all: u64 = rows.iter().sum();
        let mut last = 0.0;
        for (finished, &own) in rows.iter().enumerate() {
            let tier = Tier([[3, 2, 0, 0], [3, 3, 2, 0]]);
            let (step, finished) = (Step::Updating, finished as u32);
            let round = passes::Round {
                tier,
                step,
                tier_rows: 338_000_000,
                tier_bytes: 5_400_000_000,
                finished,
                rows_done: 0,
                rows: own * 1_000_000,
            };
            let told = part_of_tier(&round);
            let done = rows[..finished as usize].iter().sum::<u64>() as f64 / all as f64;
            assert!(
                (0.0..1.0).contains(&told) && (told >= last || finished > 20),
                "{finished}: {told} after {last}"
            );
            assert!(
                finished < 3 || (0.5..2.0).contains(&(told / done)),
                "{finished}: {told} where {done} is done"
            );
            last = told;
            let ended = passes::Round { step: Step::Counting, ..round };
            assert_eq!(part_of_tier(&ended), 1.0);
        }
    }

    /// An earlier run did 60 of 100 bytes, which this run reads. Then it does 20, and reads again what it let go.
    #[test]
    fn what_an_earlier_run_did_is_not_taken_for_work_of_this_run() {
        let (progress, signals) = (Progress::unseen(), Signals::catch(Left::Nothing));
        let mut listener = listener(&progress, &signals);
        let mut own_after = |bytes_done, step: Option<Step>| {
            let (tier, tier_rows, tier_bytes, rows) = (Tier([[1, 0, 0, 0]; 2]), 1000, 20, 3000);
            let round =
                |step| passes::Round { tier, step, tier_rows, tier_bytes, finished: 0, rows_done: 0, rows };
            let at = passes::FixpointProgress { bytes_done, bytes: 100, round: step.map(round) };
            assert!(listener(at).is_continue());
            (100.0 * progress.own()).round()
        };
        for (bytes_done, step, own) in [
            (0, Some(Step::Starting), 0.0),
            (0, Some(Step::Reading), 0.0),
            (60, None, 0.0),
            (60, Some(Step::Completing), 0.0),
            (60, Some(Step::Updating), 0.0),
            (80, None, 20.0),
            (80, Some(Step::Reading), 20.0),
            (100, None, 40.0),
        ] {
            assert_eq!(own_after(bytes_done, step), own, "{bytes_done} {step:?}");
        }
    }

    #[test]
    fn where_the_system_has_no_memory_it_is_said_what_to_do() {
        let error = FixpointError::Memory(OutOfMemory { tier: Tier([[1, 0, 0, 0]; 2]), bytes: 1 << 50 });
        let failure = broken_off(error, &Signals::catch(Left::Nothing));
        assert_eq!(failure.exit(), Exit::Unavailable);
        assert!(failure.to_string().contains("\n  next: take a smaller variant"), "{failure}");
    }

    #[test]
    fn nothing_is_published_after_a_signal() {
        let own = tempfile::tempdir().expect("a directory");
        let out = own.path().join("out.gobcert");
        let bytes = include_bytes!("../../../certificates/A3-A3B2C2-official-refutation.gobcert");
        let claim = Certificate::decode(bytes).expect("what ships").claim;
        let talk = Talk { quiet: true, verbose: false };
        let publish = |signals| publish_checked(&out, claim, bytes, NonZeroUsize::MIN, talk, signals);
        let told = publish(&Signals::that_came()).expect_err("a signal came");
        assert_eq!(told.exit(), Exit::Interrupted);
        assert!(told.to_string().contains("nothing is kept") && told.to_string().contains("begins anew"));
        assert!(!out.exists());
    }

    #[test]
    fn a_signal_does_not_wait_for_the_checker() {
        let bytes = include_bytes!("../../../certificates/ab-official-closure.gobcert");
        let progress = Progress::new("checking", Talk { quiet: true, verbose: false });
        let checked = |bytes: &[u8], signals: &Signals| {
            checked(bytes.to_vec(), NonZeroUsize::MIN, &progress, signals).map_err(|failure| failure.exit())
        };
        assert_eq!(checked(bytes, &Signals::that_came()), Err(Exit::Interrupted));
        assert_eq!(checked(bytes, &Signals::catch(Left::Nothing)), Ok(()));
        assert_eq!(checked(&bytes[1..], &Signals::catch(Left::Nothing)), Err(Exit::Bug));
    }
}
