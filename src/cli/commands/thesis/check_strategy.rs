//! `gobprove check-strategy`: Algorithm 1 on the thesis's strategy for `ab`.

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped, say};
use crate::cli::console::work;
use crate::passes::strategy_check::{Broken, StrategyFailure};
use crate::prelude::*;
use crate::rules::{Color, Game, Reading, Variant};
use crate::strategy::Triple;
use crate::strategy::repaired::Repaired;
use crate::strategy::thesis::{Options, Thesis};
use crate::thesis::algorithm_1::{self, Where};
use crate::thesis::conventions::{Convention, OrbitCount};

const EXAMPLES: &str = "\
A strategy is three functions: StratW gives White's moves, FceW and FceB name positions to keep out of. The
check plays every black move and the strategy's moves in every position that the functions do not name. Exit
code 0 means Yes, 1 means No.

Where the thesis's text can be read in two ways, --option chooses; an unknown name lists them all.

Examples:
  gobprove check-strategy repaired       Yes
  gobprove check-strategy thesis         No, exit 1
  gobprove check-strategy thesis --option untyped=lost --option counted=a --json   No, exit 1";

/// Check a strategy as the thesis's Algorithm 1 does
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CheckStrategyArgs {
    /// Whose functions: the thesis's own, or the repaired ones
    #[arg(value_name = "STRATEGY")]
    strategy: Strategy,
    /// The variant; both strategies are made for ab
    #[arg(long, value_name = "V", default_value = "ab", value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, value_name = "R", default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// How a clause of the thesis is read, NAME=VALUE; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    /// StratW, FceW and FceB as the thesis states them
    Thesis,
    /// The same with the deviations that make the answer Yes
    Repaired,
}

#[derive(Serialize)]
struct Report {
    strategy: &'static str,
    variant: String,
    reading: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<(&'static str, &'static str)>,
    answer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_failure: Option<FailureReport>,
    failures: Vec<GroupReport>,
    worked: Vec<WorkedReport>,
}

#[derive(Serialize)]
struct FailureReport {
    position: String,
    step: char,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
    why: String,
}

impl FailureReport {
    fn of(failure: &StrategyFailure) -> FailureReport {
        let moves = match &failure.broken {
            Broken::Decided => Vec::new(),
            Broken::BlackMove { mv, .. } => vec![mv.to_string()],
            Broken::WhiteReply { moves, .. } => moves.iter().map(|(mv, _)| mv.to_string()).collect(),
        };
        FailureReport {
            position: failure.position.to_string(),
            step: failure.broken.step(),
            moves,
            why: failure.broken.to_string(),
        }
    }
}

#[derive(Serialize)]
struct GroupReport {
    step: char,
    blame: &'static str,
    position_type: &'static str,
    placements: u64,
    canonical: u64,
    first: FailureReport,
}

#[derive(Serialize)]
struct WorkedReport {
    unit: &'static str,
    tiers: &'static str,
    white: u64,
    black: u64,
}

impl CheckStrategyArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The variant is not `ab`, there is no such option, or the result cannot be written.
    pub fn run(&self) -> Ended {
        if self.variant.name() != Some("ab") {
            return Err(Failure::usage(format!("the strategies are made for ab, not for {}", self.variant))
                .next("leave --variant out"));
        }
        let options = self.chosen_options()?;
        let game = Game::new(self.variant, self.reading);
        let triple: &dyn Triple = match self.strategy {
            Strategy::Thesis => &Thesis { options },
            Strategy::Repaired => &Repaired::default(),
        };
        if self.talk.verbose {
            say(&format!("options: {options}"));
        }
        let progress = Progress::new(format!("checking strategy {}", self.name()), self.talk);
        let found = work::on_threads(self.threads.count(), || algorithm_1::check(&game, triple))?;
        drop(progress);
        let mut out = Out::new();
        if self.format.json {
            out.json(&self.report(&game, &options, &found))?;
        } else {
            out.line(&self.text(&game, &found))?;
        }
        Ok(if found.holds() { Exit::Done } else { Exit::Rejected })
    }

    fn chosen_options(&self) -> Result<Options, Failure> {
        let mut options = Options::default();
        if self.strategy == Strategy::Repaired && !self.options.is_empty() {
            return Err(Failure::usage("the repaired strategy has no options")
                .next("leave --option out, or check the thesis's own strategy"));
        }
        for text in &self.options {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            options
                .set(name, value)
                .map_err(|error| Failure::usage(format!("--option {text:?}: {error}")))?;
        }
        Ok(options)
    }

    fn name(&self) -> &'static str {
        match self.strategy {
            Strategy::Thesis => "thesis",
            Strategy::Repaired => "repaired",
        }
    }

    fn report(&self, game: &Game, options: &Options, found: &algorithm_1::Report) -> Report {
        let worked = |convention: Convention| WorkedReport {
            unit: convention.unit.tag(),
            tiers: convention.tiers.tag(),
            white: found.tally.worked(game, Color::White, convention),
            black: found.tally.worked(game, Color::Black, convention),
        };
        let group = |((step, blame, position_type), count, first): (Where, OrbitCount, &StrategyFailure)| {
            GroupReport {
                step,
                blame,
                position_type,
                placements: count.placements,
                canonical: count.by_32,
                first: FailureReport::of(first),
            }
        };
        Report {
            strategy: self.name(),
            variant: self.variant.to_string(),
            reading: self.reading.tag(),
            options: if self.strategy == Strategy::Thesis { options.tags() } else { Vec::new() },
            answer: answer(found),
            first_failure: found.first.as_ref().map(FailureReport::of),
            failures: found.tally.failures().map(group).collect(),
            worked: Convention::all().into_iter().map(worked).collect(),
        }
    }

    fn text(&self, game: &Game, found: &algorithm_1::Report) -> String {
        let mut text =
            format!("{} {}, strategy {}: {}\n", self.variant, self.reading, self.name(), answer(found));
        if let Some(failure) = &found.first {
            text.push_str(&format!(
                "\n{}{}\n{}\n",
                failure.position.drawing(),
                failure.position,
                failure.broken
            ));
            text.push_str("\nAll failures\n");
            text.push_str(&failures(found));
            text.push('\n');
        }
        text.push_str("\nPositions worked\n");
        text.push_str(&worked(game, found));
        text
    }
}

fn answer(found: &algorithm_1::Report) -> &'static str {
    if found.holds() { "Yes" } else { "No" }
}

fn failures(found: &algorithm_1::Report) -> String {
    use Align::{Left, Right};
    let mut table = Table::new(&[
        ("step", Left),
        ("clause or rule", Left),
        ("type", Left),
        ("placements", Right),
        ("canonical", Right),
        ("first", Left),
    ]);
    for ((step, blame, position_type), count, first) in found.tally.failures() {
        table.row([
            step.to_string(),
            blame.to_owned(),
            position_type.to_owned(),
            grouped(count.placements.into()),
            grouped(count.by_32.into()),
            first.position.to_string(),
        ]);
    }
    table.text()
}

fn worked(game: &Game, found: &algorithm_1::Report) -> String {
    use Align::{Left, Right};
    let mut table =
        Table::new(&[("unit", Left), ("tiers", Left), ("for White", Right), ("for Black", Right)]);
    for convention in Convention::all() {
        let count = |side| grouped(found.tally.worked(game, side, convention).into());
        table.row([
            convention.unit.tag().to_owned(),
            convention.tiers.tag().to_owned(),
            count(Color::White),
            count(Color::Black),
        ]);
    }
    table.text()
}
