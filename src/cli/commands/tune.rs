//! `gobprove tune`: weights under which a closure comes out smaller.

use std::ops::ControlFlow;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::cli::console::answers::{Answers, Known};
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::on_threads;
use crate::closure::Reached;
use crate::closure::Tuned;
use crate::closure::Weights;
use crate::rules::{Game, Reading, Variant};

const AFTER_HELP: &str = "\
Where White has several answers, prove and generate take the one of least weight. This command
changes one weight at a time, grows a closure under each change as prove does, keeps the best, and
goes on until none helps.

Examples:
  gobprove tune ab
  gobprove tune ab-full --most 100000
  gobprove tune ab --weights two=8,small=50 --steps 3

What it prints goes to gobprove prove --weights, and to gobprove generate.";

/// Look for weights under which closures come out smaller
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct TuneArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    #[command(flatten)]
    answers: Answers,
    /// Where to begin; those that are not named are as usual
    #[arg(long, value_name = "NAME=NUMBER,...", default_value_t, hide_default_value = true)]
    weights: Weights,
    /// Stop growing a closure at this number of positions
    #[arg(long, value_name = "POSITIONS", default_value_t = 1_000_000)]
    most: u64,
    /// The most steps, each a change of one weight [default: until none helps]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// About how many bytes a position takes in a growing closure, with the positions that wait for an answer.
const BYTES: u128 = 60;

impl TuneArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The variant does not fit into memory, or a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let game = Game::new(self.variant, self.reading);
        let signals = Signals::catch(Left::Tidy);
        let grown = BYTES * u128::from(self.most);
        let values = self.answers.values(&game, grown, self.memory, self.threads, self.talk, &signals)?;
        let guide = self.answers.guide(values.as_ref());
        let progress = Progress::new(format!("tuning for {}", self.variant), self.talk);
        let mut steps: Vec<Tuned> = Vec::new();
        let mut heard = |step: &Tuned| {
            steps.push(*step);
            progress.so_far(|| format!("step {}", steps.len()));
            let enough = self.steps.is_some_and(|most| steps.len() > most);
            if enough { ControlFlow::Break(()) } else { signals.goes_on() }
        };
        let goes_on = || signals.came().is_none();
        let tune = || crate::closure::tune(&game, guide, &self.weights, self.most, &mut heard, &goes_on);
        let best = on_threads(self.threads.count(), tune)?;
        drop(progress);
        if let Some(error) = values.as_ref().and_then(Known::failed) {
            return Err(Failure::unavailable(error));
        }
        let Some(best) = best else {
            if signals.came().is_some() {
                return Err(signals.failure());
            }
            let (exit, within) = match self.answers.are_all() {
                true => (Exit::Rejected, ""),
                false => (Exit::Inconclusive, " with these answers alone"),
            };
            let what = format!("White does not hold {} under {}{within}", self.variant, self.reading);
            return Err(Failure::new(exit, what).next("there is no closure to make smaller"));
        };
        self.report(&steps, &best, started)?;
        if signals.came().is_some() {
            // What was found so far is worth having.
            return Err(signals.failure_with("--weights", &best.weights.to_string()));
        }
        Ok(Exit::Done)
    }

    fn report(&self, steps: &[Tuned], best: &Tuned, started: Instant) -> Result<(), Failure> {
        let mut out = Out::new();
        let elapsed_s = started.elapsed().as_secs_f64();
        if self.format.json {
            let reached = |reached| match reached {
                Reached::Closed { positions } => json!({ "closed": true, "positions": positions }),
                Reached::Open { open, positions } => {
                    json!({ "closed": false, "positions": positions, "open": open })
                }
            };
            let step = |step: &Tuned| json!({ "weights": step.weights.to_string(), "reached": reached(step.reached), "tried": step.tried });
            return out.json(&json!({
                "variant": self.variant.to_string(),
                "reading": self.reading.tag(),
                "discipline": self.answers.discipline.to_string(),
                "values": self.answers.values.as_deref().map(shown),
                "beyond": self.answers.beyond.map(|beyond| beyond.to_string()),
                "most": self.most,
                "weights": best.weights.to_string(),
                "steps": steps.iter().map(step).collect::<Vec<_>>(),
                "tried": best.tried,
                "elapsed_s": elapsed_s,
            }));
        }
        use Align::{Left, Right};
        let mut table = Table::new(&[("tried", Right), ("positions", Right), ("", Left), ("changed", Left)]);
        let mut before = self.weights;
        for step in steps {
            let (positions, how) = match step.reached {
                Reached::Closed { positions } => (positions, "closed".to_owned()),
                Reached::Open { open, positions } => (positions, format!("{} open", grouped(open.into()))),
            };
            let changed: Vec<String> = before
                .named()
                .zip(step.weights.named())
                .filter(|(old, new)| old != new)
                .map(|((name, old), (_, new))| format!("{name} {old} to {new}"))
                .collect();
            table.row([grouped(step.tried as u128), grouped(positions.into()), how, changed.join(", ")]);
            before = step.weights;
        }
        out.line(&table.text())?;
        out.line(&format!("tried {} in {elapsed_s:.2} s; the best:", grouped(best.tried as u128)))?;
        out.line(&format!("--weights {}", best.weights))
    }
}
