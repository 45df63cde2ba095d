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
use crate::rules::{Game, Reading, Variant};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
All processes get the same command line. Each takes its part of the bitbases, and as many threads as it is given. The
process with the number 0 has the working files and speaks for all. The working files are those of
gobprove solve VARIANT --no-file --dir DIR: either program goes on where the other was interrupted.

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
        // The thread that talks to the other processes is this one, whichever threads work.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.count().get()).build_global();
        agreed(wire, pool.map_err(Failure::unavailable), elsewhere)?;
        let needed = Division::new(self.variant).bytes(wire.size(), self.files.are_named());
        agreed(wire, self.memory.allow(self.variant, needed), elsewhere)?;
        let opened =
            if speaks { self.files.open(&game, Seed::Rules, &Discipline::FREE, None) } else { Ok(None) };
        let mut checkpoint = agreed(wire, opened, elsewhere)?;
        // A signal may come to each process, and none may end before the one with the files has saved.
        let signals = Signals::catch(if self.files.are_named() { Left::Files } else { Left::Nothing });
        let solved = {
            let progress = Progress::new(format!("solving {} {}", game.variant, game.reading), talk);
            cluster::solve(&game, wire, checkpoint.as_mut(), &mut work::listener(&progress, &signals))
        };
        let solution = solved.map_err(|error| work::broken_off(error, &signals))?;
        if speaks {
            let own = (self.files.clone(), self.memory, self.threads);
            let reporting = SolveArgs::reporting(&game, own, (self.format, self.talk));
            reporting.report_solved(&solution, started)?;
            self.files.done(checkpoint)?;
        }
        Ok(Exit::Done)
    }
}

/// Why a process ends before the work begins where another one says what is wrong.
fn elsewhere() -> Failure {
    Failure::unavailable("another process cannot begin, and says why")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first of two processes, of which the second has failed.
    struct Beside;

    impl Wire for Beside {
        fn rank(&self) -> usize {
            0
        }

        fn size(&self) -> usize {
            2
        }

        fn exchange(&self, out: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
            out
        }

        fn or(&self, words: &mut [u64]) {
            words[0] |= 0b10;
        }

        fn sum(&self, _: &mut [u64]) {}
    }

    #[test]
    fn where_another_process_cannot_begin_no_signal_is_told() {
        let failure = agreed(&Beside, Ok(()), elsewhere).expect_err("the other has failed");
        assert_eq!(failure.exit(), Exit::Unavailable);
    }
}
