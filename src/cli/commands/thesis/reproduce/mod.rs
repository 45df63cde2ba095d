//! `gobprove reproduce`: the thesis's figures, each beside the same number computed here.

mod branching;
mod fixpoint;
mod readings;
mod quantity;
mod runs;
mod sizes;
mod strategy;
mod times;

use clap::{Args, ValueEnum};

use crate::cli::console::args::{Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::Out;
use crate::cli::console::work;
use quantity::Report;
use runs::Runs;

const EXAMPLES: &str = "\
Each row has the thesis's figure, ours, and a verdict: equal, differs, or not comparable. Where the
thesis's text can be read in several ways, all were tried: the row says how many numbers that gave and
which comes nearest, and --attempts lists them. Exit code 0 says that the numbers were computed, not
that they agree.

Without TABLE: all tables; with --markdown all but times, which are no two times the same.

Examples:
  gobprove reproduce
  gobprove reproduce fixpoint --attempts
  gobprove reproduce sizes branching --json
  gobprove reproduce --markdown";

/// Compute the thesis's figures again and print them side by side
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArgs {
    /// Which tables [default: all]
    #[arg(value_name = "TABLE")]
    tables: Vec<Name>,
    /// Print tables in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// List every number that was tried
    #[arg(long)]
    attempts: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// A table.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Name {
    /// How many positions the named variants have
    Sizes,
    /// How many moves positions have
    Branching,
    /// Algorithm 1: its answer, and how many positions it worked
    Strategy,
    /// Algorithm 4: how many exceptions it listed, and in how many rounds
    Fixpoint,
    /// Value, lost positions and exceptions under every reading of the rules
    Readings,
    /// How long it all took
    Times,
}

impl Name {
    /// How a command line has it.
    fn word(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn report(self, runs: &Runs) -> Result<Report, Failure> {
        match self {
            Name::Sizes => Ok(sizes::report()),
            Name::Branching => branching::report(runs),
            Name::Strategy => Ok(strategy::report(runs)),
            Name::Fixpoint => fixpoint::report(runs),
            Name::Readings => readings::report(runs),
            Name::Times => times::report(runs),
        }
    }
}

impl ReproduceArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The threads cannot be started, memory runs out, or the result cannot be written.
    pub fn run(&self) -> Ended {
        let names = self.names();
        let progress = Progress::new("reproducing", self.talk);
        let threads = self.threads.count();
        let reports = work::on_threads(threads, || {
            let runs = Runs::new(threads);
            let report = |(done, name): (usize, &Name)| {
                // One table takes a hundred times as long as another, so nobody knows how much time is left.
                progress.so_far(|| format!("{}, table {} of {}", name.word(), done + 1, names.len()));
                name.report(&runs)
            };
            names.iter().enumerate().map(report).collect::<Result<Vec<Report>, Failure>>()
        })?;
        drop(progress);
        self.print(&reports?)?;
        Ok(Exit::Done)
    }

    fn names(&self) -> Vec<Name> {
        if !self.tables.is_empty() {
            return self.tables.clone();
        }
        let wanted = |name: &Name| !self.markdown || *name != Name::Times;
        Name::value_variants().iter().copied().filter(wanted).collect()
    }

    fn print(&self, reports: &[Report]) -> Result<(), Failure> {
        let mut out = Out::new();
        if self.format.json {
            let values: Vec<_> = reports.iter().map(|report| report.json(self.attempts)).collect();
            return out.json_one_or_many(&values);
        }
        for (number, report) in reports.iter().enumerate() {
            let text =
                if self.markdown { report.markdown(self.attempts) } else { report.text(self.attempts) };
            out.line(&format!("{}{text}", if number == 0 { "" } else { "\n" }))?;
        }
        Ok(())
    }
}
