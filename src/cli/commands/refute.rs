//! `gobprove refute`: makes a certificate that Black wins.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::lattice::tell_of_the_opposite;
use crate::cli::console::memory::Memory;
use crate::cli::console::progress::{Progress, growing};
use crate::cli::console::report::{Out, grouped, say};
use crate::cli::console::signals::Signals;
use crate::cli::console::work::{self, Files, on_threads, publish_checked};
use crate::closure::Growth;
use crate::enumerate::Discipline;
use crate::passes;
use crate::refute::{Refuting, SavedRefutation};
use crate::rules::{Game, Reading, Variant};
use crate::store::{Certificate, Checkpoint, Claim, Kind, sha256_hex};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
Examples:
  gobprove refute A2B2-A3B3                        to A2B2-A3B3-official-refutation.gobcert
  gobprove refute A3-A3B3C1 --discipline a=1,b=0   a smaller one: Black keeps to few squares
  gobprove refute A3-A3B3C1 --low-memory           another one, made in less memory

A refutation lists positions with White to move. From each of them Black wins, whatever White does,
by way of others of them. The same command run again goes on where an interrupted one stopped. The same
inputs give the same bytes whatever the threads. The certificate is checked before it takes its name.";

/// Prove that Black wins: from the empty board, whoever moves first
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct RefuteArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// What Black keeps to, to save memory and time: a=1 for at most one black A off the long diagonals, a=2/2/1/0 by how
    /// many of them are on the board, b, c and d likewise
    #[arg(long, value_name = "SIZE=MOST,...", default_value_t, hide_default_value = true)]
    #[arg(value_parser = args::discipline_of_black)]
    discipline: Discipline,
    /// The file to write; one that is there is replaced when the new one is complete [default: named after the claim]
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    out: Option<PathBuf>,
    /// Take half of the memory or less: half of the sets lie in files beside the working files, and of each position it is
    /// known whether Black wins it near or far, not in how many moves. The certificate is another, most often a larger one
    #[arg(long)]
    low_memory: bool,
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

/// A certificate and its bytes.
type Written = (Certificate, Vec<u8>);

impl RefuteArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The reading is `robust`, the output cannot be written, the variant does not fit into memory, or a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        if self.reading == Reading::Robust {
            let what = "robust favours Black in every doubt, so a win of Black under it proves nothing";
            return Err(Failure::usage(what).next("give another reading"));
        }
        let game = Game::new(self.variant, self.reading);
        let out = work::place(self.out.as_ref(), Claim { game, kind: Kind::Refutation })?;
        tell_of_the_opposite(&game, Kind::Refutation, self.talk);
        let needed = || match self.low_memory {
            true => crate::refute::bytes_in_low_memory(self.variant, self.discipline),
            false => {
                let on_disk = self.files.are_kept(Some(&out));
                crate::refute::bytes_of_refutation(self.variant, self.discipline, on_disk)
            }
        };
        let allowed = self.memory.allow_within(self.variant, self.discipline, needed, self.talk);
        allowed.map_err(|refused| self.naming_low_memory(refused))?;
        let mut checkpoint = self.files.open(&game, Seed::Rules, &self.discipline, Some(&out))?;
        let signals = Signals::catch(work::left(&checkpoint));
        let written = match self.refute(&game, checkpoint.as_mut(), &signals)? {
            Some(certificate) => {
                let bytes = certificate.encode();
                let claim = certificate.claim;
                publish_checked(&out, claim, &bytes, self.threads.count(), self.talk, &signals)?;
                Some((certificate, bytes))
            }
            None => None,
        };
        self.report(written.as_ref(), &shown(&out), started)?;
        self.files.done(checkpoint)?;
        // A discipline may have kept Black from the moves that win.
        Ok(match written {
            Some(_) => Exit::Done,
            None if self.discipline.is_free() => Exit::Rejected,
            None => Exit::Inconclusive,
        })
    }

    /// The failure for want of memory. It names `--low-memory` if that is enough.
    fn naming_low_memory(&self, refused: Failure) -> Failure {
        let most = self.memory.most().into();
        let fits = || {
            passes::bytes_of_table(self.variant, self.discipline) <= most
                && crate::refute::bytes_in_low_memory(self.variant, self.discipline) <= most
        };
        if self.low_memory || !fits() {
            return refused;
        }
        refused.next(format!(
            "give more with --memory; or `gobprove refute {} --reading {}{} --low-memory` makes another certificate in less",
            self.variant,
            self.reading.tag(),
            work::within(&self.discipline)
        ))
    }

    /// The certificate, `None` if Black does not win.
    fn refute(
        &self,
        game: &Game,
        saving: Option<&mut Checkpoint<SavedRefutation>>,
        signals: &Signals,
    ) -> Result<Option<Certificate>, Failure> {
        let progress = Progress::new(format!("refuting {} {}", game.variant, game.reading), self.talk);
        let mut watcher = |at: Refuting| {
            match at {
                // Nobody knows how many moves it will take.
                Refuting::Moves(moves) => {
                    progress.so_far(|| match moves {
                        0 => "step 1 of 2, what Black wins at once".to_owned(),
                        1 => "step 1 of 2, what Black wins within 1 white move".to_owned(),
                        moves => format!("step 1 of 2, what Black wins within {moves} white moves"),
                    });
                }
                Refuting::Growing(Growth { positions, open }) => {
                    progress.so_far(|| format!("step 2 of 2, {}", growing(positions, open)));
                }
            }
            signals.goes_on()
        };
        let refute = || match saving {
            Some(saving) if self.low_memory => {
                crate::refute::refute_in_low_memory(game, self.discipline, saving, &mut watcher)
            }
            saving => crate::refute::refute(game, self.discipline, saving, &mut watcher),
        };
        let refuted = on_threads(self.threads.count(), refute)?;
        refuted.map_err(|error| work::broken_off(error, signals))
    }

    fn report(&self, written: Option<&Written>, file: &str, started: Instant) -> Result<(), Failure> {
        let mut out = Out::new();
        let elapsed_s = started.elapsed().as_secs_f64();
        let count = |certificate: &Certificate| certificate.white_to_move.len();
        if self.format.json {
            return out.json(&json!({
                "variant": self.variant.to_string(),
                "reading": self.reading.tag(),
                "discipline": self.discipline.to_string(),
                "value": match written {
                    Some(_) => "lost",
                    None if self.discipline.is_free() => "not lost",
                    None => "open",
                },
                "positions": written.map(|(certificate, _)| count(certificate)),
                "file": written.map(|_| file),
                "bytes": written.map(|(_, bytes)| bytes.len()),
                "sha256": written.map(|(_, bytes)| sha256_hex(bytes)),
                "elapsed_s": elapsed_s,
            }));
        }
        if let Some((certificate, bytes)) = written {
            let positions = grouped(count(certificate).into());
            out.line(&format!(
                "{} {}: lost for White; {positions} positions, {elapsed_s:.2} s",
                self.variant, self.reading
            ))?;
            return out.line(&format!(
                "{file}: {} bytes, sha256 {}",
                grouped(bytes.len() as u128),
                sha256_hex(bytes)
            ));
        }
        let within = match self.discipline.to_string() {
            free if free.is_empty() => free,
            discipline => format!(" within {discipline}"),
        };
        say(&format!(
            "there is no refutation: Black does not win {} under {}{within} whoever moves first",
            self.variant, self.reading
        ));
        say(&format!("  next: `gobprove solve {} --reading {}` says who wins", self.variant, self.reading));
        Ok(())
    }
}
