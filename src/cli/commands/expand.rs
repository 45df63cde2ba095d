//! `gobprove expand`: makes a certificate from its recipe.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde::Deserialize;
use serde_json::json;

use super::prove::{Place, Proof, Ran};
use crate::bitbase::Keep;
use crate::cli::console::answers::Answers;
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::report::{Out, grouped};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::{self, Terms, on_threads, publish_checked};
use crate::closure::Weights;
use crate::closure::prover::Proved;
use crate::prelude::*;
use crate::rules::Game;
use crate::store::SavedTiers;
use crate::store::{Checkpoint, Claim, Kind, sha256_hex};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
A recipe is what gobprove prove --json printed when it wrote the certificate. What comes out is
checked like anything else: a recipe is a hint, never evidence.

Examples:
  gobprove expand ab.json --out again.gobcert    after gobprove prove ab --json > ab.json

Where a recipe needs known values, they are solved first, in --dir. The same command run again goes
on where an interrupted one stopped.";

/// Make a certificate again from its recipe
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ExpandArgs {
    /// A recipe
    #[arg(value_name = "FILE")]
    recipe: PathBuf,
    /// The file to write; one that is there is replaced when the new one is complete [default: named after the claim]
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    out: Option<PathBuf>,
    /// The directory for known values, kept when the work is done [default: beside the recipe, removed when it is done]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Discard working files of an earlier run
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// The parts of a recipe that are used; the others are for people.
#[derive(Deserialize)]
struct Recipe {
    /// The version that made it: another one may choose otherwise.
    gobprove: String,
    variant: String,
    reading: String,
    discipline: String,
    /// Where the known values were; they are solved anew.
    values: Option<String>,
    beyond: Option<String>,
    weights: String,
    rounds: u32,
    bytes: u64,
    sha256: String,
}

/// A recipe, understood.
struct Plan {
    game: Game,
    answers: Answers,
    weights: Weights,
}

impl Recipe {
    fn read(path: &Path) -> Result<Recipe, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::unavailable(format!("cannot read {path:?}: {error}")).at(shown(path))
        })?;
        serde_json::from_str(&text).map_err(|error| refused(path, &error.to_string()))
    }

    /// What the recipe asks for, with known values in `dir`.
    fn plan(&self, dir: &Path) -> Result<Plan, String> {
        let variant = self.variant.read().map_err(|error| format!("variant: {error}"))?;
        let reading = self.reading.read().map_err(|error| format!("reading: {error}"))?;
        let discipline =
            args::discipline_of_white(&self.discipline).map_err(|error| format!("discipline: {error}"))?;
        let beyond = self.beyond.as_deref().map(args::discipline_of_white).transpose();
        let beyond = beyond.map_err(|error| format!("beyond: {error}"))?;
        let weights = self.weights.parse().map_err(|error| format!("weights: {error}"))?;
        let values = self.values.as_ref().map(|_| dir.to_owned());
        Ok(Plan {
            game: Game::new(variant, reading),
            answers: Answers { values, discipline, beyond },
            weights,
        })
    }
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::new(Exit::Rejected, format!("{} is no recipe: {why}", shown(path)))
        .next("a recipe is what gobprove prove --json prints")
}

impl ExpandArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The file is no recipe, the output cannot be written, there is too little memory, working files cannot be used,
    /// a signal came, or something else came out than the recipe says.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let recipe = Recipe::read(&self.recipe)?;
        let dir = self.dir.clone().unwrap_or_else(|| work::beside(&self.recipe));
        let Plan { game, answers, weights } = recipe.plan(&dir).map_err(|why| refused(&self.recipe, &why))?;
        let out = work::place(self.out.as_ref(), Claim { game, kind: Kind::Closure })?;
        let signals = Signals::catch(Left::Files);
        let proof = Proof {
            game,
            answers: &answers,
            weights: &weights,
            most: None,
            rounds: recipe.rounds,
            dir: &work::beside(&out),
            fresh: self.fresh,
        };
        // What is in the way of the work is found before it, and before anything of the proof is discarded.
        let place = proof.open()?;
        let solving = match self.solving(&game, &answers, &dir) {
            Ok(solving) => solving,
            Err(failure) => {
                place.leave();
                return Err(failure);
            }
        };
        let place = Place::Open(Box::new(proof.begin(place)?));
        if let Some((terms, checkpoint)) = solving
            && let Err(failure) = self.solve(&game, terms, checkpoint, &signals)
        {
            place.leave();
            return Err(failure);
        }
        let ran = proof.prove(place, self.memory, self.threads, self.talk, &signals)?;
        let Ran { proved, curve, kept } = ran;
        let Proved::Holds(certificate) = proved else {
            curve.fits()?;
            kept.remove().map_err(Failure::unavailable)?;
            let what = format!("{}: no closure comes of it", shown(&self.recipe));
            return Err(Failure::new(Exit::Rejected, what).next("do not rely on this recipe"));
        };
        let bytes = certificate.encode();
        let sha256 = sha256_hex(&bytes);
        if sha256 != recipe.sha256 {
            kept.remove().map_err(Failure::unavailable)?;
            let what = format!(
                "{}: {} bytes with sha256 {sha256} come of it, and it says {} bytes with sha256 {}",
                shown(&self.recipe),
                grouped(bytes.len() as u128),
                grouped(recipe.bytes.into()),
                recipe.sha256
            );
            let version = &recipe.gobprove;
            return Err(Failure::new(Exit::Rejected, what)
                .next(format!("do not rely on this recipe, or try gobprove {version}, which made it")));
        }
        publish_checked(&out, certificate.claim, &bytes, self.threads.count(), self.talk, &signals)?;
        kept.remove().map_err(Failure::unavailable)?;
        if self.dir.is_none() && answers.values.is_some() {
            self.checkpoint(&game, &answers, &dir, false)?.remove().map_err(Failure::unavailable)?;
        }
        let elapsed_s = started.elapsed().as_secs_f64();
        let mut said = Out::new();
        if self.format.json {
            said.json(&json!({
                "variant": game.variant.to_string(),
                "reading": game.reading.tag(),
                "file": shown(&out),
                "positions": certificate.black_to_move.len(),
                "bytes": bytes.len(),
                "sha256": sha256,
                "elapsed_s": elapsed_s,
            }))?;
        } else {
            said.line(&format!(
                "{}: {} bytes, sha256 {sha256}, as the recipe says; {elapsed_s:.2} s",
                shown(&out),
                grouped(bytes.len() as u128)
            ))?;
        }
        Ok(Exit::Done)
    }

    /// How the known values are solved, and with which working files; `None` if the recipe needs no values.
    fn solving(
        &self,
        game: &Game,
        answers: &Answers,
        dir: &Path,
    ) -> Result<Option<(Terms, Checkpoint<SavedTiers>)>, Failure> {
        if answers.values.is_none() {
            return Ok(None);
        }
        let mut terms = Terms { discipline: answers.discipline, keep: Keep::Needed, ..Terms::ALL };
        let needed = || terms.fit(game.variant, true, self.memory.most());
        self.memory.allow_within(game.variant, answers.discipline, needed, self.talk)?;
        Ok(Some((terms, self.checkpoint(game, answers, dir, self.fresh)?)))
    }

    /// Solves the variant for the known values.
    fn solve(
        &self,
        game: &Game,
        terms: Terms,
        mut checkpoint: Checkpoint<SavedTiers>,
        signals: &Signals,
    ) -> Result<(), Failure> {
        let solve = || work::solve(game, terms, Some(&mut checkpoint), self.talk, signals);
        on_threads(self.threads.count(), solve)?.map(drop)
    }

    fn checkpoint(
        &self,
        game: &Game,
        answers: &Answers,
        dir: &Path,
        fresh: bool,
    ) -> Result<Checkpoint<SavedTiers>, Failure> {
        Checkpoint::open_within(dir, game, Seed::Rules, &answers.discipline, fresh)
            .map_err(Failure::unavailable)
    }
}
