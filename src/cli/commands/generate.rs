//! `gobprove generate`: solves a variant and makes a closure or a cut from the solution.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use crate::bitbase::Solution;
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::lattice::tell_of_the_opposite;
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped, say};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::{self, Files, Terms, on_threads, publish_checked};
use crate::closure::{self, Making, Weights};
use crate::enumerate::Discipline;
use crate::enumerate::census::Count;
use crate::passes;
use crate::rules::{Color, Game, Position, Reading, Variant};
use crate::store::{Certificate, Claim, Kind, sha256_hex};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
Examples:
  gobprove generate ab                              the closure of ab, to ab-official-closure.gobcert
  gobprove generate ab --kind cut --out ab.gobcert  the cut of ab, to a file of your choice
  gobprove generate ab --reading robust --json      under the worst reading for White

The same command run again goes on where an interrupted one stopped. The same inputs give the same
bytes whatever the threads. The certificate is checked before it takes its name.";

/// Generate a certificate that White holds: solve the variant, then make a closure or a cut from it
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct GenerateArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// What to generate; gobprove refute makes refutations
    #[arg(long, default_value = "closure", value_parser = args::kind_of_white())]
    kind: Kind,
    /// The start functions of the fixpoint
    #[arg(long, default_value = "rules", value_parser = args::seed())]
    seed: Seed,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// Which safe answers a closure prefers, as gobprove tune prints it; those that are not named are as usual
    #[arg(long, value_name = "NAME=NUMBER,...", default_value_t, hide_default_value = true)]
    weights: Weights,
    /// What White keeps to, to save memory: A=2 for at most two white A that cover no black B, A=3/3/2/1 by how many
    /// black B are on the board, B=1 likewise over black C; B@=2 for at most two white B on the board, B@=2/2/3/3 by how
    /// many black C are there; a loss then leaves the variant open
    #[arg(long, value_name = "SIZE=MOST,...", default_value_t, hide_default_value = true)]
    #[arg(value_parser = args::discipline_of_white)]
    discipline: Discipline,
    /// The file to write; one that is there is replaced when the new one is complete [default: named after the claim]
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    out: Option<PathBuf>,
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

impl GenerateArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The output cannot be written, the variant does not fit into memory, working files cannot be used, or
    /// a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let game = Game::new(self.variant, self.reading);
        if self.kind == Kind::Refutation {
            let what =
                "a refutation is of what Black wins, and generate makes certificates of what White holds";
            return Err(
                Failure::usage(what).next(format!("gobprove refute {} makes a refutation", self.variant))
            );
        }
        if !self.seed.suits(self.variant) {
            let what =
                format!("the seed {} is not made for {}: it is for Black with A3B3", self.seed, self.variant);
            return Err(Failure::usage(what).next("leave --seed out: the seed rules is for every variant"));
        }
        if !self.discipline.is_free() && (self.kind, self.seed) != (Kind::Closure, Seed::Rules) {
            let what =
                "what White does under a discipline makes a closure over the seed rules, and nothing else";
            return Err(Failure::usage(what).next("leave --discipline, --kind and --seed out"));
        }
        let out = work::place(self.out.as_ref(), Claim { game, kind: self.kind })?;
        tell_of_the_opposite(&game, self.kind, self.talk);
        let terms = Terms { seed: self.seed, discipline: self.discipline, ..Terms::ALL };
        let needed = || {
            let solving = terms.bytes(self.variant, true);
            if self.kind != Kind::Closure {
                return solving;
            }
            // While a closure grows, it takes one more set, beside those of the solution.
            let set = passes::bytes_of_answers(self.variant, self.discipline)
                - passes::bytes_of_table(self.variant, self.discipline);
            solving + set
        };
        self.memory.allow_within(self.variant, self.discipline, needed, self.talk)?;
        let mut checkpoint = self.files.open(&game, self.seed, &self.discipline, Some(&out))?;
        let signals = Signals::catch(Left::Files);
        let solve = || work::solve(&game, terms, checkpoint.as_mut(), self.talk, &signals);
        let solution = on_threads(self.threads.count(), solve)??;
        if signals.came().is_some() {
            return Err(signals.failure());
        }
        let certificate = self.certificate(&solution, &Signals::catch(Left::Whole))?;
        let signals = Signals::catch(Left::Files);
        if signals.came().is_some() {
            return Err(signals.failure());
        }
        let Some(certificate) = certificate else {
            self.report(&solution, None, started)?;
            self.files.done(checkpoint)?;
            // Other white answers may be safe.
            return Ok(if self.discipline.is_free() { Exit::Rejected } else { Exit::Inconclusive });
        };
        let bytes = certificate.encode();
        publish_checked(&out, certificate.claim, &bytes, self.threads.count(), self.talk, &signals)?;
        self.report(&solution, Some((&out, &bytes)), started)?;
        self.files.done(checkpoint)?;
        Ok(Exit::Done)
    }

    /// The certificate, `None` if White does not hold.
    fn certificate(&self, solution: &Solution, signals: &Signals) -> Result<Option<Certificate>, Failure> {
        if !solution.white_holds() {
            return Ok(None);
        }
        match self.kind {
            Kind::Closure => {
                let progress = Progress::new(format!("answering for {}", self.variant), self.talk);
                let mut watcher = |making: Making| {
                    match making {
                        Making::Growing(growth) => progress.growing(growth.positions, growth.open),
                        Making::Shrinking { rounds, positions } => progress.so_far(|| {
                            let positions = grouped(positions.into());
                            format!("made smaller, round {}: {positions} positions", rounds + 1)
                        }),
                    }
                    signals.goes_on()
                };
                let grow = || closure::closure_watched(solution, &self.weights, &mut watcher);
                Ok(on_threads(self.threads.count(), grow)?)
            }
            Kind::Refutation => Err(Failure::new(Exit::Bug, "a refutation is made by gobprove refute")),
            Kind::Cut => {
                let _progress =
                    Progress::new(format!("listing the exceptions of {}", self.variant), self.talk);
                let cut = on_threads(self.threads.count(), || closure::cut(solution))?;
                cut.map(Some).map_err(|error| Failure::new(Exit::Bug, error))
            }
        }
    }

    fn report(
        &self,
        solution: &Solution,
        written: Option<(&Path, &[u8])>,
        started: Instant,
    ) -> Result<(), Failure> {
        let mut out = Out::new();
        let elapsed = started.elapsed().as_secs_f64();
        let value = match written {
            Some(_) => "draw",
            None if self.discipline.is_free() => "lost",
            // Other white answers may be safe.
            None => "open",
        };
        let lost = Color::ALL.map(|turn| solution.lost_count(turn));
        let exceptions = Color::ALL.map(|turn| solution.exception_count(turn));
        if self.format.json {
            return out.json(&json!({
                "variant": self.variant.to_string(),
                "reading": self.reading.tag(),
                "seed": self.seed.tag(),
                "kind": self.kind.tag(),
                "discipline": self.discipline.to_string(),
                "value": value,
                "rounds": solution.rounds(),
                "file": written.map(|(path, _)| shown(path)),
                "sha256": written.map(|(_, bytes)| sha256_hex(bytes)),
                "lost": sides(lost),
                "exceptions": sides(exceptions),
                "elapsed_s": elapsed,
            }));
        }
        let columns = [("", Align::Left), ("positions", Align::Right), ("canonical", Align::Right)];
        let mut table = Table::new(&columns);
        for (name, counts) in [("lost", lost), ("exceptions", exceptions)] {
            for (color, count) in Color::ALL.into_iter().zip(counts) {
                table.row([
                    format!("{name}, {color} to move"),
                    grouped(count.positions),
                    grouped(count.canonical),
                ]);
            }
        }
        out.line(&table.text())?;
        out.line(&format!("rounds {}, {elapsed:.2} s", solution.rounds()))?;
        match written {
            Some((path, bytes)) => {
                let length = grouped(bytes.len() as u128);
                out.line(&format!("{}: {length} bytes, sha256 {}", shown(path), sha256_hex(bytes)))
            }
            None => {
                let within = match self.discipline.to_string() {
                    free if free.is_empty() => free,
                    discipline => format!(" within {discipline}"),
                };
                say(&format!(
                    "White does not hold {} under {}{within}: the empty board is lost, and there is nothing to certify",
                    self.variant, self.reading
                ));
                let wins = |first| solution.is_lost(&Position::empty(first));
                if Color::ALL.into_iter().all(wins)
                    && self.discipline.is_free()
                    && self.reading != Reading::Robust
                {
                    let command = format!("gobprove refute {} --reading {}", self.variant, self.reading);
                    say(&format!("{command} proves that Black wins"));
                }
                Ok(())
            }
        }
    }
}

/// Counts for White and Black to move as JSON.
fn sides(counts: [Count; 2]) -> Value {
    let one = |count: Count| json!({ "positions": count.positions, "canonical": count.canonical });
    json!({ "white_to_move": one(counts[0]), "black_to_move": one(counts[1]) })
}
