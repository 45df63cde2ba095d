//! Runs of `generate`, `prove` and `refute` that something stops: nothing finished is lost, and the run that goes on ends
//! in the bytes of one that nothing stopped.
//!
//! Each test is named after the ways to stop, C01 to C15, that it tries: at a sample of the calls that are made to the
//! operating system, and with `GOBPROVE_TESTS=all` at each ([`every_call`]), with what is on disk changed in between ([`on_disk`]), and with real
//! processes and signals ([`processes`]). What has no test and why:
//!
//! - C03, a journal: there is none. A block is written whole or not at all, and counts from when a manifest names it.
//! - C05, space reserved beforehand: `gobprove estimate` guesses what the working files take. A full disk stops the run
//!   and loses nothing.
//! - C06, a failing close: files are synchronised before they are closed, and a close has nothing left to say.
//!   An interrupted system call is tried again by the standard library.
//! - C09, a full pipe: whoever keeps stderr open and does not read it makes the run wait, as with any program.
//! - C12, memory that flips bits: the checker judges what comes of it before it takes its name.
//! - C13, clocks: nothing that is kept depends on the time. Blocks take new names, and the old ones go when the manifest
//!   that names the new ones was read back and has its name.

mod every_call;
mod faulty;
mod on_disk;
#[cfg(unix)]
mod processes;
#[path = "../support/thorough.rs"]
mod thorough;

use std::convert::Infallible;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use gobcheck::check as checker;
use gobprove::closure::Weights;
use gobprove::closure::prover::{Guide, Kept, Proved, ROUNDS, prove_kept};
use gobprove::enumerate::Discipline;
use gobprove::passes::FixpointError;
use gobprove::passes::solve;
use gobprove::prelude::*;
use gobprove::refute::Refuting;
use gobprove::rules::{Game, Reading};
use gobprove::store::{Certificate, Checkpoint, Disk, PublishError, System, check_writable, publish};
use gobprove::strategy::Seed;

/// A small game with exceptions in several tiers.
fn game() -> Game {
    Game::new("A1-A2B2".read().expect("a variant"), Reading::Official)
}

/// What is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Job {
    /// What `gobprove generate` does.
    Generate,
    /// What `gobprove prove` does, broken off four times by a signal.
    Prove,
    /// What `gobprove refute --dir` does, broken off three times by a signal.
    Refute,
}

impl Job {
    const ALL: [Job; 3] = [Job::Generate, Job::Prove, Job::Refute];
}

/// What a run works with: a place for the certificate, and one for working files.
struct Place {
    job: Job,
    dir: tempfile::TempDir,
}

impl Place {
    /// A new place, in memory where the system offers that: these tests synchronise many thousand files.
    fn new(job: Job) -> Place {
        let memory = Path::new("/dev/shm");
        let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        Place { job, dir: dir.expect("a directory") }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("x.gobcert")
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    /// The names here and in the working directory.
    fn names(&self) -> Vec<String> {
        let names = |dir: &Path| -> Vec<String> {
            let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
        };
        let mut all = names(self.dir.path());
        all.extend(names(&self.work()));
        all.sort();
        all
    }

    /// Runs on the system's disk to the end. Nothing but the certificate is left.
    #[track_caller]
    fn finish(&self) -> Vec<u8> {
        run(Arc::new(System), self).expect("nothing stops it");
        assert_eq!(self.names(), ["x.gobcert"]);
        fs::read(self.out()).expect("the certificate")
    }
}

/// A process that starts holds a copy of all files that are open here, locks among them, until it has become another
/// program: whoever starts one is alone for so long.
static STARTING: RwLock<()> = RwLock::new(());

/// Nobody starts a process as long as this is there. It is not asked for twice.
fn nobody_starts() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a job, step by step.
///
/// # Errors
/// What stopped it, as people are told.
fn run(disk: Arc<dyn Disk>, place: &Place) -> Result<(), String> {
    let _nobody = nobody_starts();
    let out = place.out();
    check_writable(&*disk, &out).map_err(|error| error.to_string())?;
    match place.job {
        Job::Generate => generate(&disk, place),
        Job::Prove => prove(&disk, place),
        Job::Refute => refute(&disk, place),
    }
}

/// Generates with every round saved.
fn generate(disk: &Arc<dyn Disk>, place: &Place) -> Result<(), String> {
    let working = Checkpoint::open_on(Arc::clone(disk), &place.work(), &game(), Seed::Rules, false);
    let mut working = working.map_err(|error| error.to_string())?;
    working.set_interval(Duration::ZERO);
    let solution = solve(&game(), Seed::Rules, Some(&mut working), &mut |_| ControlFlow::Continue(()))
        .map_err(|error| error.to_string())?;
    write(&**disk, place, &gobprove::closure::closure(&solution, &Weights::default()).expect("White holds"))?;
    working.remove().map_err(|error| error.to_string())
}

/// Proves in several runs. Each but the last is broken off when the watcher has been asked a number of times.
fn prove(disk: &Arc<dyn Disk>, place: &Place) -> Result<(), String> {
    let (game, guide, weights) = (game(), Guide::Discipline(&Discipline::FREE), Weights::default());
    // Twice while it grows, and twice in the first round of making it smaller, which begins with 65 questions.
    for most in [5, 40, 70, 75, u32::MAX] {
        let kept = Kept::open_on(Arc::clone(disk), &place.work(), &game, guide.choice(), &weights, false);
        let mut kept = kept.map_err(|error| error.to_string())?;
        let mut asked = 0;
        let proved = prove_kept(&game, guide, &weights, ROUNDS, &mut kept, &mut |_| {
            asked += 1;
            if asked > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match proved.map_err(|error| error.to_string())? {
            Proved::Holds(certificate) => {
                write(&**disk, place, &certificate)?;
                return kept.remove().map_err(|error| error.to_string());
            }
            Proved::Lost => panic!("White holds"),
            Proved::BrokenOff => {}
        }
    }
    panic!("it comes to its end")
}

/// Refutes in several runs, broken off likewise: while it looks for what Black wins, or while the refutation grows.
fn refute(disk: &Arc<dyn Disk>, place: &Place) -> Result<(), String> {
    let game = Game::new("A1-A3B1".read().expect("a variant"), Reading::Official);
    for most in [[20, 0], [40, 0], [u32::MAX, 3], [u32::MAX; 2]] {
        let working = Checkpoint::open_on(Arc::clone(disk), &place.work(), &game, Seed::Rules, false);
        let mut working = working.map_err(|error| error.to_string())?;
        working.set_interval(Duration::ZERO);
        let mut asked = [0; 2];
        let refuted = gobprove::refute::refute(&game, Discipline::FREE, Some(&mut working), &mut |at| {
            let stage = usize::from(matches!(at, Refuting::Growing(_)));
            asked[stage] += 1;
            if asked[stage] > most[stage] { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match refuted {
            Ok(certificate) => {
                write(&**disk, place, &certificate.expect("Black wins"))?;
                return working.remove().map_err(|error| error.to_string());
            }
            Err(FixpointError::Interrupted) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    panic!("it comes to its end")
}

/// Writes a certificate to its place when it is checked.
fn write(disk: &dyn Disk, place: &Place, certificate: &Certificate) -> Result<(), String> {
    let verify = |bytes: Vec<u8>| {
        checker::check(&bytes, NonZeroUsize::MIN, &|_, _| ()).expect("verified");
        Ok::<(), Infallible>(())
    };
    publish(disk, &place.out(), &certificate.encode(), verify).map_err(|error| match error {
        PublishError::Write(error) => error.to_string(),
        PublishError::Refused(never) => match never {},
    })
}

/// The bytes of a run that nothing stops.
fn undisturbed(job: Job) -> Vec<u8> {
    Place::new(job).finish()
}
