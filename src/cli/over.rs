//! The command line of `gobprove-mpi`: a solve over several processes.

use std::time::Instant;

use clap::{Parser, Subcommand};

use super::commands::solve::SolveArgs;
use super::console::args::{self, Format, Talk, Threads};
use super::console::exit::{Ended, Exit, Failure};
use super::console::memory::Memory;
use super::console::progress::Progress;
use super::console::signals::{Left, Signals};
use super::console::work::{self, Files};
use crate::cluster::{self, Division, Wire, agreed};
use crate::enumerate::Discipline;
use crate::passes::FixpointError;
use crate::rules::{Game, Reading, Variant};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
All processes get the same command line. Each takes its part of the bitbases, and as many threads as it is given. The
process with the number 0 has the working files and speaks for all. The working files are those of
gobprove solve VARIANT --no-file --dir DIR: either program goes on where the other was interrupted.

Processes on one machine share its free memory equally, and processes on the same cores share those. --threads and
--memory say instead what each process takes.

Examples:
  mpirun -n 4 gobprove-mpi solve A3B1-A3B3C1 --threads 1
  srun gobprove-mpi solve abc --dir /shared/abc";

/// Solve a variant of Gobblet with several processes that MPI has started
#[derive(Parser, Debug)]
#[command(name = "gobprove-mpi", version, max_term_width = 100)]
pub(super) struct OverCli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Solve(SolveOverArgs),
}

/// Find the value of every position of a variant
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
struct SolveOverArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

impl OverCli {
    /// Runs the command in one of the processes.
    ///
    /// # Errors
    /// The variant does not fit into memory, the working files cannot be used, or a signal came.
    pub(super) fn run(&self, wire: &dyn Wire) -> Ended {
        let Command::Solve(args) = &self.command;
        args.run(wire)
    }
}

impl SolveOverArgs {
    fn run(&self, wire: &dyn Wire) -> Ended {
        let started = Instant::now();
        let (game, speaks) = (Game::new(self.variant, self.reading), wire.rank() == 0);
        let talk = if speaks { self.talk } else { Talk { quiet: true, verbose: false } };
        let machine = machine();
        let on_machine = sharing(wire, &machine);
        // A launcher may have given each process cores of its own.
        let on_cores = sharing(wire, &(machine + &cores()));
        // The thread that talks to the other processes is this one, whichever threads work.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.thread_count(on_cores)).build_global();
        agreed(wire, pool.map_err(Failure::unavailable), elsewhere)?;
        let needed = Division::new(self.variant).bytes(wire.size(), self.files.are_named());
        agreed(wire, self.allow(on_machine, needed), elsewhere)?;
        let opened =
            if speaks { self.files.open(&game, Seed::Rules, &Discipline::FREE, None) } else { Ok(None) };
        let mut checkpoint = agreed(wire, opened, elsewhere)?;
        // A signal may come to each process, and none may end before the one with the files has saved.
        let signals = Signals::catch(if self.files.are_named() { Left::Files } else { Left::Nothing });
        let solved = {
            let progress = Progress::new(format!("solving {} {}", game.variant, game.reading), talk);
            cluster::solve(&game, wire, checkpoint.as_mut(), &mut work::listener(&progress, &signals))
        };
        let solution = ended(wire, solved, &signals)?;
        if speaks {
            let own = (self.files.clone(), self.memory, self.threads);
            let reporting = SolveArgs::reporting(&game, own, (self.format, self.talk));
            reporting.report_solved(&solution, started)?;
            self.files.done(checkpoint)?;
        }
        Ok(Exit::Done)
    }

    /// How many threads this process has, if `sharing` processes share its cores.
    fn thread_count(&self, sharing: usize) -> usize {
        let count = self.threads.count().get();
        // Without the option, `count` is the number of cores.
        if self.threads == Threads::default() { (count / sharing).max(1) } else { count }
    }

    /// Lets work begin for which each of `sharing` processes on this machine needs `needed` bytes.
    ///
    /// # Errors
    /// They need more than may be taken.
    fn allow(&self, sharing: usize, needed: u128) -> Result<(), Failure> {
        // A limit that is given is one for each process.
        if sharing == 1 || self.memory.is_given() {
            return self.memory.allow(self.variant, needed);
        }
        let all = format!("{} in {sharing} processes on one machine", self.variant);
        self.memory.allow(all, needed * sharing as u128)
    }
}

/// The name of this machine. Without names, all processes count as processes on one machine.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    name.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default()
}

/// The cores on which this process may run, as Linux lists them. Without lists, all processes on a machine count as processes
/// on the same cores.
fn cores() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("Cpus_allowed_list:")).unwrap_or_default().to_owned()
}

/// How many processes have the same text as this one, itself included.
fn sharing(wire: &dyn Wire, own: &str) -> usize {
    let own: Vec<u64> = own.bytes().map(u64::from).collect();
    let all = wire.exchange(vec![own.clone(); wire.size()]);
    all.into_iter().filter(|other| *other == own).count()
}

/// What a solve over several processes came to. Where a process has failed, the others are not told that a signal came.
///
/// # Errors
/// A process failed, or a signal came.
fn ended<T>(wire: &dyn Wire, solved: Result<T, FixpointError>, signals: &Signals) -> Result<T, Failure> {
    // A process that is not at fault gets `Interrupted`, with a signal and without one.
    let failed = wire.any(matches!(&solved, Err(error) if !matches!(error, FixpointError::Interrupted)));
    solved.map_err(|error| match error {
        FixpointError::Interrupted if failed => elsewhere(),
        error => work::broken_off(error, signals),
    })
}

/// Why a process ends where another one says what is wrong.
pub(super) fn elsewhere() -> Failure {
    Failure::unavailable("another process has failed, and says why")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Alone;

    /// The first of two processes. The second has failed, and sent these words.
    struct Beside(Vec<u64>);

    impl Wire for Beside {
        fn rank(&self) -> usize {
            0
        }

        fn size(&self) -> usize {
            2
        }

        fn exchange(&self, mut out: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
            out[1].clone_from(&self.0);
            out
        }

        fn or(&self, words: &mut [u64]) {
            words[0] |= 0b10;
        }

        fn sum(&self, _: &mut [u64]) {}
    }

    #[test]
    fn where_another_process_has_failed_no_signal_is_told() {
        let beside = Beside(Vec::new());
        assert_eq!(agreed(&beside, Ok(()), elsewhere), Err(elsewhere()));
        let signals = Signals::catch(Left::Nothing);
        let ended = |wire: &dyn Wire| ended(wire, Err::<(), _>(FixpointError::Interrupted), &signals);
        assert_eq!(ended(&beside), Err(elsewhere()));
        assert_eq!(ended(&Alone).map_err(|failure| failure.exit()), Err(Exit::Interrupted));
    }

    /// The arguments of a command line.
    fn parsed(more: &[&str]) -> SolveOverArgs {
        let line = ["gobprove-mpi", "solve", "A1-A2B2"].into_iter().chain(more.iter().copied());
        let Command::Solve(args) = OverCli::try_parse_from(line).expect("a command line").command;
        args
    }

    #[test]
    fn processes_on_one_machine_share_what_it_has() {
        let beside = |text: &str| Beside(text.bytes().map(u64::from).collect());
        assert_eq!([sharing(&beside("node1"), "node1"), sharing(&beside("node2"), "node1")], [2, 1]);
        let (shared, given) = (parsed(&[]), parsed(&["--threads", "3", "--memory", "1G"]));
        assert_eq!(shared.thread_count(1), Threads::default().count().get());
        assert_eq!([shared.thread_count(usize::MAX), given.thread_count(2)], [1, 3]);
        let quarter = u128::from(shared.memory.most() / 4);
        assert_eq!([shared.allow(1, quarter), given.allow(64, 1 << 30)], [Ok(()), Ok(())]);
        let refused = shared.allow(64, quarter).expect_err("16 times as much").to_string();
        assert!(refused.contains("in 64 processes on one machine needs"), "{refused}");
    }
}
