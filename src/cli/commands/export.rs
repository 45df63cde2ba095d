//! `gobprove export`: writes a variant's game in a format that other solvers read.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Out, grouped};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::on_threads;
use crate::export::MOST_NODES;
use crate::export::ParityGame;
use crate::export::pgsolver;
use crate::rules::{Game, Reading, Variant};
use crate::store::{System, Writing, check_writable};

const AFTER_HELP: &str = "\
The game is the one that White's claim is about: owner 0 is White, who wants to go on for ever,
owner 1 is Black. Canonical positions are counted from 0 by tier, as gobprove count lists them, and
rank; the p-th is node 2p with White to move and 2p + 1 with Black to move, named as positions are
written. All that goes on has priority 0, so play without end is White's. A finished position leads
to itself, with priority 0 if White has won and 1 if Black has. Two nodes follow, \"White wins\" and
\"Black wins\": there lead the moves that end the game, since a reading judges the move and not the
position that it leads to.

Player 1 wins from just those positions that are lost for White: the ends apart, as many as gobprove
generate prints for each side to move. No path has both priorities for ever, so it is the same game
whether the least or the greatest counts. A variant of more than 2147483648 nodes is refused; ab has
9744156, in 3.3 GB of text.

Examples:
  gobprove export A2-A3B1                       to A2-A3B1-official.pg
  gobprove export A1-A2B2 --reading strict-lift --out strict.pg
  gobprove export A2-A3B1 --no-names --json     for solvers that cannot read names, such as MERC";

/// Export the game of a variant for solvers of parity games
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ExportArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// The format of the file
    #[arg(long = "format", value_name = "FORMAT", default_value = "pgsolver", value_parser = shape())]
    shape: Shape,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// The file to write; one that is there is replaced when the new one is complete [default: VARIANT-READING.pg]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Leave out the names of the nodes
    #[arg(long)]
    no_names: bool,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    json: Format,
    #[command(flatten)]
    talk: Talk,
}

/// A format that other solvers read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// A parity game as text.
    Pgsolver,
}

fn shape() -> impl TypedValueParser<Value = Shape> {
    PossibleValuesParser::new(["pgsolver"]).map(|_| Shape::Pgsolver)
}

/// What was written.
#[derive(Clone, Copy, Default)]
struct Written {
    nodes: u64,
    edges: u64,
    bytes: u64,
}

impl ExportArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The variant has too many nodes or does not fit into memory, the file cannot be written, or a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let Shape::Pgsolver = self.shape;
        let file = self.out.clone().unwrap_or_else(|| format!("{}-{}.pg", self.variant, self.reading).into());
        check_writable(&System, &file).map_err(Failure::unavailable)?;
        let too_many = |error| {
            let next =
                format!("take a variant of fewer pieces; {MOST_NODES} nodes are what solvers can number");
            Failure::unavailable(error).next(next)
        };
        let threads = self.threads.count();
        self.memory.allow(self.variant, pgsolver::bytes(self.variant, threads.get()).map_err(too_many)?)?;
        let signals = Signals::catch(Left::Tidy);
        let writing = Writing::begin(&System, &file).map_err(Failure::unavailable)?;
        let export = || {
            let parity = ParityGame::new(Game::new(self.variant, self.reading)).map_err(too_many)?;
            self.write(&parity, writing, &signals)
        };
        let Written { nodes, edges, bytes } = on_threads(threads, export)??;
        let mut out = Out::new();
        if self.json.json {
            out.json(&json!({
                "variant": self.variant.to_string(),
                "reading": self.reading.tag(),
                "format": "pgsolver",
                "nodes": nodes,
                "edges": edges,
                "file": shown(&file),
                "bytes": bytes,
                "elapsed_s": started.elapsed().as_secs_f64(),
            }))?;
        } else {
            let [nodes, edges, bytes] = [nodes, edges, bytes].map(|count| grouped(count.into()));
            out.line(&format!("{}: {nodes} nodes, {edges} edges, {bytes} bytes", shown(&file)))?;
        }
        Ok(Exit::Done)
    }

    fn write(
        &self,
        parity: &ParityGame,
        mut writing: Writing<'_>,
        signals: &Signals,
    ) -> Result<Written, Failure> {
        let progress = Progress::new(format!("exporting {} {}", self.variant, self.reading), self.talk);
        let mut written = Written::default();
        for piece in pgsolver::pieces(parity, !self.no_names) {
            if signals.came().is_some() {
                return Err(signals.failure());
            }
            writing.write(&piece.text).map_err(Failure::unavailable)?;
            written.nodes += piece.nodes;
            written.edges += piece.edges;
            progress.at(written.nodes, parity.nodes());
        }
        written.bytes = writing.written();
        writing.finish().map_err(Failure::unavailable)?;
        Ok(written)
    }
}
