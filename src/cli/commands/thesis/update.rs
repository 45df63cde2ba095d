//! `gobprove update`: one pass by hand over the exception sets in a working directory.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Out, grouped, say};
use crate::cli::console::work::on_threads;
use crate::passes;
use crate::prelude::*;
use crate::rules::{Color, Game, Reading, Variant};
use crate::store::Checkpoint;
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
Examples:
  gobprove update black ab --dir work            Algorithm 2: positions with Black to move that are lost
  gobprove update white ab --dir work            Algorithm 3: positions with White to move that are lost
  gobprove update black ab --dir work --verify   say whether it would add anything; exit 1 if so

Black and white updates in turn until neither adds anything are what `generate` does, a tier at a time.
A white update before any black one adds nothing, since no position with Black to move is known to be lost.";

/// Run one pass by hand: the white update (thesis, Algorithm 3) or the black update (Algorithm 2)
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct UpdateArgs {
    /// Whose exception set: positions with this side to move
    #[arg(value_parser = args::color(), value_name = "white|black")]
    side: Color,
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// The directory with the exception sets; one that is not there starts with empty sets
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Verify mode: write nothing, and say whether anything would be added
    #[arg(long)]
    verify: bool,
    /// The start functions
    #[arg(long, default_value = "rules", value_parser = args::seed())]
    seed: Seed,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// Discard the exception sets that are there and start with empty ones
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

impl UpdateArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The variant does not fit into memory, or working files cannot be used.
    pub fn run(&self) -> Ended {
        if !self.seed.suits(self.variant) {
            return Err(Failure::usage(format!("the seed {} is not made for {}", self.seed, self.variant)));
        }
        let game = Game::new(self.variant, self.reading);
        self.memory.allow(self.variant, passes::bytes(self.variant, self.seed))?;
        let mut checkpoint =
            Checkpoint::open(&self.dir, &game, self.seed, self.fresh).map_err(Failure::unavailable)?;
        let progress = Progress::new(format!("updating {}", self.variant), self.talk);
        let pass = || passes::update(&game, self.seed, self.side, self.verify, &mut checkpoint);
        let updated = on_threads(self.threads.count(), pass)?.map_err(Failure::unavailable)?;
        drop(progress);
        let added = updated.after - updated.before;
        if self.talk.verbose {
            say(&format!("working files in {}", shown(&self.dir)));
        }
        let mut out = Out::new();
        if self.format.json {
            out.json(&json!({
                "variant": self.variant.to_string(),
                "reading": self.reading.tag(),
                "seed": self.seed.tag(),
                "side": self.side.name(),
                "mode": if self.verify { "verify" } else { "update" },
                "before": updated.before,
                "added": added,
            }))?;
        } else {
            let [before, added, after] =
                [updated.before, added, updated.after].map(|count| grouped(count.into()));
            let verb = if self.verify { "would be" } else { "are" };
            out.line(&format!(
                "{} to move: {before} canonical exceptions before, {added} {verb} added, {after} in all",
                self.side
            ))?;
        }
        Ok(if self.verify && added > 0 { Exit::Rejected } else { Exit::Done })
    }
}
