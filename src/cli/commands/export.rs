//! `gobprove export`: writes a variant's game, or a strategy for it, in a format that other programs read.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::lattice::no_certificate_of;
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Out, grouped};
use crate::cli::console::shipped::{self, Shipped, missing, no_certificate};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::on_threads;
use crate::export::MOST_NODES;
use crate::export::{ParityGame, Strategy, TextFormat, pgsolver};
use crate::page::{self, Offered};
use crate::prelude::*;
use crate::rules::{Game, Reading, Variant};
use crate::store::{Certificate, Claim, Kind, System, Writing, check_writable, write_file};

const AFTER_HELP: &str = "\
--format json, csv or dot writes a strategy: what the keeper of a closure (White) or of a refutation
(Black) replies to each move of the other side, from the empty board on. A step has six fields:
  depth      how many plies were played before, at least
  position   with the other side to move; or the empty board, where the keeper begins
  move       the other side's move; nothing where the keeper begins
  reply      the keeper's; nothing where the move has lost the game at once
  next       where that leads to; nothing where the keeper has won
  left       of a refutation, in how many plies Black wins from the position, at most
Each position stands for its images: `next` is turned or mirrored until it is a `position` of another
step. Steps come by depth. JSON has one object a line, with null for nothing. dot is for Graphviz.

--format web writes a page that explores the certificate and checks it in the browser: one HTML file
that works from a disk or, if --out does not end in .html, a folder for any web server.

--format pgsolver writes the game for solvers of parity games. It is the one that White's claim is about: owner 0 is White, who wants to go on for ever,
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
  gobprove export A3-A3B3C1 --format csv        Black's win, to A3-A3B3C1-official.csv
  gobprove export ab --format dot --plies 2     how White begins, as a graph
  gobprove export ab --format web               the explorer with the proof, to ab-official.html
  gobprove export A2-A3B1                       to A2-A3B1-official.pg
  gobprove export A1-A2B2 --reading strict-lift --out strict.pg
  gobprove export A2-A3B1 --no-names --json     for solvers that cannot read names, such as MERC";

/// Export the game of a variant, or a strategy for it, for other programs
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
    /// The closure or refutation whose strategy or page is written [default: one that ships]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Of a strategy, only the moves that can come up within this number of plies, and the replies to them
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// The file to write; one that is there is replaced when the new one is complete [default: VARIANT-READING.FORMAT, with
    /// .pg for pgsolver and .html for web]
    #[arg(long, value_name = "FILE", value_parser = args::output())]
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

/// A format of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// A parity game as text.
    Pgsolver,
    /// A strategy.
    Steps(TextFormat),
    /// The explorer's page.
    Web,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Shape::Pgsolver => "pgsolver",
            Shape::Steps(TextFormat::Json) => "json",
            Shape::Steps(TextFormat::Csv) => "csv",
            Shape::Steps(TextFormat::Dot) => "dot",
            Shape::Web => "web",
        }
    }

    /// The extension of its files.
    fn extension(self) -> &'static str {
        match self {
            Shape::Pgsolver => "pg",
            Shape::Steps(_) => self.name(),
            Shape::Web => "html",
        }
    }
}

fn shape() -> impl TypedValueParser<Value = Shape> {
    const ALL: [Shape; 5] = [
        Shape::Pgsolver,
        Shape::Steps(TextFormat::Json),
        Shape::Steps(TextFormat::Csv),
        Shape::Steps(TextFormat::Dot),
        Shape::Web,
    ];
    PossibleValuesParser::new(ALL.map(Shape::name))
        .map(|name| ALL.into_iter().find(|shape| shape.name() == name).unwrap_or(Shape::Pgsolver))
}

/// Steps are written in chunks of about this many bytes.
const CHUNK: usize = 1 << 16;

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
        let named = || format!("{}-{}.{}", self.variant, self.reading, self.shape.extension()).into();
        let file = self.out.clone().unwrap_or_else(named);
        if self.shape != Shape::Pgsolver && (self.no_names || self.memory.is_given()) {
            let what = format!(
                "--no-names and --memory are about the whole game, and {} takes a certificate",
                self.shape.name()
            );
            return Err(Failure::usage(what).next("leave them out, or take --format pgsolver"));
        }
        if self.shape == Shape::Web {
            return self.write_page(&file, started);
        }
        check_writable(&System, &file)?;
        if let Shape::Steps(table) = self.shape {
            return self.write_strategy(table, &file, started);
        }
        if self.certificate.is_some() || self.plies.is_some() {
            let what = "--certificate and --plies are about a strategy, and pgsolver takes the whole game";
            return Err(Failure::usage(what).next("add --format json, csv, dot or web"));
        }
        let too_many = |error| {
            let next =
                format!("take a variant of fewer pieces; {MOST_NODES} nodes are what solvers can number");
            Failure::unavailable(error).next(next)
        };
        let threads = self.threads.count();
        self.memory.allow(self.variant, pgsolver::bytes(self.variant, threads.get()).map_err(too_many)?)?;
        let game = Game::new(self.variant, self.reading);
        let parity = on_threads(threads, || ParityGame::new(game))?.map_err(too_many)?;
        // From here on there is a file to remove when a signal comes.
        let signals = Signals::catch(Left::Tidy);
        let writing = Writing::begin(&System, &file)?;
        let Written { nodes, edges, bytes } =
            on_threads(threads, || self.write(&parity, writing, &signals))??;
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

    /// Writes the strategy of a certificate.
    fn write_strategy(&self, table: TextFormat, file: &Path, started: Instant) -> Ended {
        let (name, certificate, _) = self.certificate()?;
        let claim = certificate.claim;
        let progress = Progress::new(format!("exporting {claim}"), self.talk);
        let no_strategy = |error| Failure::new(Exit::Rejected, format!("{name}: {error}"));
        let strategy =
            on_threads(self.threads.count(), || Strategy::new(certificate))?.map_err(no_strategy)?;
        let signals = Signals::catch(Left::Tidy);
        let mut writing = Writing::begin(&System, file)?;
        let (mut steps, mut text, mut failed) = (0u64, table.head().to_owned(), None);
        let visited = strategy.visit(&mut |step| {
            if self.plies.is_some_and(|most| step.depth >= most) {
                return ControlFlow::Break(());
            }
            text.push_str(&table.step(step));
            steps += 1;
            if text.len() >= CHUNK {
                failed = writing.write(text.as_bytes()).map_err(Failure::from).err();
                text.clear();
                progress.so_far(|| format!("{} steps, ply {}", grouped(steps.into()), step.depth));
                if signals.came().is_some() {
                    failed = Some(signals.failure());
                }
            }
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        failed.map_or(Ok(()), Err)?;
        visited.map_err(no_strategy)?;
        text.push_str(table.tail());
        writing.write(text.as_bytes())?;
        let bytes = writing.written();
        writing.finish()?;
        drop(progress);
        let mut out = Out::new();
        if self.json.json {
            out.json(&json!({
                "variant": claim.game.variant.to_string(),
                "reading": claim.game.reading.tag(),
                "format": self.shape.name(),
                "certificate": name,
                "keeper": if claim.kind == Kind::Refutation { "black" } else { "white" },
                "steps": steps,
                "file": shown(file),
                "bytes": bytes,
                "elapsed_s": started.elapsed().as_secs_f64(),
            }))?;
        } else {
            let [steps, bytes] = [steps, bytes].map(|count| grouped(count.into()));
            out.line(&format!("{}: {steps} steps of {claim}, by {name}, {bytes} bytes", shown(file)))?;
        }
        Ok(Exit::Done)
    }

    /// Writes the explorer's page with a certificate.
    fn write_page(&self, to: &Path, started: Instant) -> Ended {
        if self.plies.is_some() {
            return Err(Failure::usage(
                "--plies is about a strategy, and the page takes the whole certificate",
            ));
        }
        let (name, certificate, bytes) = self.certificate()?;
        let claim = certificate.claim;
        let offered = vec![Offered::new(&claim.file_name(), bytes)];
        // The rest of the work is short, and is finished even if a signal comes.
        let _ = Signals::catch(Left::Tidy);
        let mut written = 0;
        let mut write = |path: &Path, bytes: &[u8]| {
            written += bytes.len() as u64;
            write_file(&System, path, bytes).map_err(Failure::from)
        };
        if to.extension().is_some_and(|extension| extension == "html") {
            write(to, page::single(offered).as_bytes())?;
        } else {
            let mut files = page::files(offered, &[]);
            // Where a file cannot be written, no list names certificates that are not there, and no page opens.
            files.sort_by_key(|file| {
                ["certificates.json", "index.html"].iter().position(|&last| last == file.name)
            });
            for file in files {
                let path = to.join(&*file.name);
                let folder = path.parent().unwrap_or(to);
                std::fs::create_dir_all(folder).map_err(|error| {
                    Failure::unavailable(format!("cannot make {}: {error}", shown(folder))).at(shown(folder))
                })?;
                write(&path, &file.bytes)?;
            }
        }
        let mut out = Out::new();
        if self.json.json {
            out.json(&json!({
                "variant": claim.game.variant.to_string(),
                "reading": claim.game.reading.tag(),
                "format": self.shape.name(),
                "certificate": name,
                "file": shown(to),
                "bytes": written,
                "elapsed_s": started.elapsed().as_secs_f64(),
            }))?;
        } else {
            let bytes = grouped(written.into());
            out.line(&format!("{}: the explorer with {claim}, by {name}, {bytes} bytes", shown(to)))?;
        }
        Ok(Exit::Done)
    }

    /// The certificate to export, with its name and its bytes: the one that is given, else the first that ships.
    fn certificate(&self) -> Result<(String, Certificate, Cow<'static, [u8]>), Failure> {
        let game = Game::new(self.variant, self.reading);
        let (name, certificate, bytes) = match &self.certificate {
            Some(path) => {
                let (certificate, bytes) = shipped::given(path)?;
                (shown(path), certificate, bytes.into())
            }
            None => {
                let covers = |claim: &Claim| {
                    claim.covers(self.variant)
                        && claim.game.reading == self.reading
                        && claim.kind != Kind::Cut
                };
                let shipped =
                    Shipped::of(covers).next().ok_or_else(|| no_certificate_of(&game).at("--certificate"))?;
                let (name, bytes) = shipped.find()?.ok_or_else(|| missing(&[&shipped.file]))?;
                let certificate =
                    Certificate::decode(&bytes).map_err(|error| no_certificate(&name, &error))?;
                (name, certificate, bytes)
            }
        };
        let claim = certificate.claim;
        if !claim.covers(game.variant) || claim.game.reading != game.reading {
            let what =
                format!("{name} claims {claim}, and the strategy is for {} {}", game.variant, game.reading);
            return Err(Failure::new(Exit::Rejected, what)
                .next("name the variant and the reading of the certificate"));
        }
        Ok((name, certificate, bytes))
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
            writing.write(&piece.text)?;
            written.nodes += piece.nodes;
            written.edges += piece.edges;
            progress.at(written.nodes, parity.nodes());
        }
        written.bytes = writing.written();
        writing.finish()?;
        Ok(written)
    }
}
