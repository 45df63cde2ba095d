//! `gobprove prove`: a closure grown from the empty board, without solving the variant.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::cli::console::answers::{Answers, Known};
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::lattice::tell_of_the_opposite;
use crate::cli::console::memory::{self, Memory};
use crate::cli::console::progress::{Progress, growing};
use crate::cli::console::report::{Align, Out, Table, grouped, say};
use crate::cli::console::signals::{Left, Signals};
use crate::cli::console::work::{self, on_threads, publish_checked};
use crate::closure::Weights;
use crate::closure::prover::{self, AtTier, Kept, Proved, Proving, Stage};
use crate::rules::{Game, Reading, Variant};
use crate::store::{Claim, Kind, sha256_hex};
use crate::store::{Reserved, WorkingError, mistaken};

const AFTER_HELP: &str = "\
Examples:
  gobprove prove ab                                  the closure of ab, without solving ab
  gobprove prove A3B3-A3B3C2 --most 3000000          how far its closure comes, to its third million
  gobprove prove A3-A3B2C1 --values solved           with answers that are known to be safe, after
                                                     gobprove solve A3-A3B2C1 --no-file --dir solved

New per expansion tells whether a closure comes to an end: it must fall below 1. The same command run
again goes on where an interrupted one stopped. The certificate is checked before it takes its name.";

/// Prove that White holds by growing a closure from the empty board
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ProveArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    #[command(flatten)]
    answers: Answers,
    /// Which answers White prefers, as gobprove tune prints it; those that are not named are as usual
    #[arg(long, value_name = "NAME=NUMBER,...", default_value_t, hide_default_value = true)]
    weights: Weights,
    /// Stop growing at this number of positions; with --dir a higher number goes on from there
    #[arg(long, value_name = "POSITIONS")]
    most: Option<u64>,
    /// Make the closure smaller at most this number of times, or until that no longer helps; with --dir a higher number
    /// goes on from there
    #[arg(long, value_name = "N", default_value_t = prover::ROUNDS)]
    rounds: u32,
    /// The file to write; one that is there is replaced when the new one is complete [default: named after the claim]
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    out: Option<PathBuf>,
    /// The directory for working files, kept when the work is done [default: FILE.work, removed when it is done]
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

/// The first sample is taken after `FIRST` expansions, and the next ones each time the number has grown by a quarter.
const FIRST: u64 = 1000;
const SAMPLE: u64 = 4;

/// Why a proof ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Positions,
    Memory,
}

/// What is to be proven, and by what.
pub(super) struct Proof<'a> {
    pub game: Game,
    pub answers: &'a Answers,
    pub weights: &'a Weights,
    /// Growth stops at this number of positions.
    pub most: Option<u64>,
    /// The most rounds that make the closure smaller.
    pub rounds: u32,
    /// The directory for working files.
    pub dir: &'a Path,
    /// Whether working files of an earlier run are discarded.
    pub fresh: bool,
}

/// The directory for the working files of a proof, which belongs to this process.
pub(super) enum Place {
    /// It holds what the proof goes on from, or nothing yet.
    Open(Box<Kept>),
    /// What it holds is discarded when the proof begins.
    Reserved(Reserved),
}

impl Place {
    /// Gives the directory up, and removes it if it holds nothing to go on from.
    pub(super) fn leave(self) {
        match self {
            Place::Open(kept) => kept.leave(),
            Place::Reserved(reserved) => reserved.leave(),
        }
    }
}

/// What came of a proof.
pub(super) struct Ran {
    pub proved: Proved,
    pub curve: GrowthCurve,
    /// The proof's working files.
    pub kept: Kept,
}

impl Proof<'_> {
    /// Takes the directory for working files. Nothing is discarded before [`Proof::begin`].
    ///
    /// # Errors
    /// It cannot be used, or is for something else.
    pub(super) fn open(&self) -> Result<Place, Failure> {
        let Proof { answers, dir, fresh, .. } = *self;
        // One directory can be spelled in several ways.
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if answers.values.as_deref().is_some_and(|values| real(values) == real(dir)) {
            let what = format!("{} cannot hold both the values and the proof", shown(dir));
            return Err(Failure::usage(what).next("give the proof another directory"));
        }
        if fresh {
            return Reserved::new(dir).map(Place::Reserved).map_err(Failure::unavailable);
        }
        Ok(Place::Open(Box::new(self.kept()?)))
    }

    /// Discards what is to be discarded, and opens the working files. It is called when all else is checked.
    ///
    /// # Errors
    /// A file cannot be removed, or another process took the directory just now.
    pub(super) fn begin(&self, place: Place) -> Result<Kept, Failure> {
        match place {
            Place::Open(kept) => Ok(*kept),
            Place::Reserved(reserved) => {
                reserved.discard().map_err(Failure::unavailable)?;
                // Opening locks it once more. Nothing is discarded then, so a process that comes in between loses nothing.
                drop(reserved);
                self.kept()
            }
        }
    }

    /// Opens the working files.
    fn kept(&self) -> Result<Kept, Failure> {
        let Proof { game, answers, weights, dir, .. } = *self;
        Kept::open(dir, &game, answers.choice(), weights, false).map_err(|error| match error {
            WorkingError::Foreign { found, expected, .. } => {
                let what = format!("{}: {}", shown(dir), mistaken(&found, &expected));
                Failure::unavailable(what)
                    .next("--fresh discards what is there, another --out leaves it alone")
            }
            error => Failure::unavailable(error),
        })
    }

    /// Reads the values, grows a closure and makes it smaller, going on from what the working files hold.
    ///
    /// # Errors
    /// The values cannot be had, they or the closure do not fit into memory, the working files cannot be used, or a
    /// signal came.
    pub(super) fn prove(
        &self,
        place: Place,
        memory: Memory,
        threads: Threads,
        talk: Talk,
        signals: &Signals,
    ) -> Result<Ran, Failure> {
        // Read before the values are loaded, since they take a part of it.
        let most_bytes = memory.most();
        let values = match self.answers.values(&self.game, 0, memory, threads, talk, signals) {
            Ok(values) => values,
            Err(failure) => {
                place.leave();
                return Err(failure);
            }
        };
        let mut kept = self.begin(place)?;
        match self.prove_in(&mut kept, values.as_ref(), most_bytes, threads, talk, signals) {
            Ok((proved, curve)) => Ok(Ran { proved, curve, kept }),
            Err(failure) => {
                kept.leave();
                Err(failure)
            }
        }
    }

    fn prove_in(
        &self,
        kept: &mut Kept,
        values: Option<&Known>,
        most_bytes: u64,
        threads: Threads,
        talk: Talk,
        signals: &Signals,
    ) -> Result<(Proved, GrowthCurve), Failure> {
        let Proof { game, answers, weights, most, rounds, .. } = *self;
        let guide = answers.guide(values);
        let left = u128::from(most_bytes).saturating_sub(answers.taken(&game, values));
        let left = u64::try_from(left).unwrap_or(u64::MAX);
        let values_leave = matches!(values, Some(Known::ByTier(_)));
        let room = Room { most: most_bytes, left, values_leave, rounds };
        let mut curve = GrowthCurve::new();
        let progress = Progress::new(format!("proving {}", game.variant), talk);
        let mut last = Proving::default();
        let mut watcher = |growth: Proving| {
            progress.so_far(|| proving(&growth, &last));
            if growth.expanded > last.expanded + last.expanded / SAMPLE || growth.stage != last.stage {
                last = growth;
            }
            if matches!(growth.stage, Stage::Way | Stage::Growing) {
                curve.add(growth);
                curve.limit = match growth.positions {
                    positions if growth.open > 0 && most.is_some_and(|most| positions >= most) => {
                        Some(Limit::Positions)
                    }
                    _ if !room.holds(&growth) => Some(Limit::Memory),
                    _ => None,
                };
            }
            if curve.limit.is_some() { ControlFlow::Break(()) } else { signals.goes_on() }
        };
        let prove = || prover::prove_kept(&game, guide, weights, rounds, kept, &mut watcher);
        let proved = on_threads(threads.count(), prove)?.map_err(|error| match error {
            WorkingError::Io { .. } | WorkingError::Write(_) => signals.disk_failure(error),
            error => Failure::unavailable(error),
        })?;
        drop(progress);
        if let Some(error) = values.and_then(Known::failed) {
            return Err(Failure::unavailable(error));
        }
        if signals.came().is_some() {
            return Err(signals.failure());
        }
        Ok((proved, curve))
    }
}

/// The memory that a closure may take.
struct Room {
    /// The most bytes in all, and how many of them remain beside the values.
    most: u64,
    left: u64,
    /// Whether the values are dropped from memory once the closure has grown.
    values_leave: bool,
    /// The most rounds that make the closure smaller.
    rounds: u32,
}

/// A position of a grown closure takes `POSITION` bytes. Its certificate and the check take `CHECKED` times as much.
const POSITION: u64 = 9;
const CHECKED: u64 = 10;

impl Room {
    /// Whether there is room for a closure as large as `growth`, and for making it smaller and checking it afterwards.
    fn holds(&self, growth: &Proving) -> bool {
        if !self.values_leave {
            return growth.bytes <= self.left / prover::TIMES;
        }
        let times = if self.rounds == 0 { CHECKED } else { prover::TIMES };
        growth.bytes <= self.left && growth.positions.saturating_mul(POSITION * times) <= self.most
    }
}

/// How far a proof is, in words. `last` is an earlier state, to tell how fast it grows.
fn proving(growth: &Proving, last: &Proving) -> String {
    let counts = growing(growth.positions, growth.open);
    match growth.stage {
        Stage::Round(round) if growth.positions == 0 => format!("making it smaller, round {round}"),
        Stage::Round(round) => format!("making it smaller, round {round}: {counts}"),
        stage => {
            let what = if stage == Stage::Way { "growing a way to known positions" } else { "growing" };
            let new = if growth.expanded > last.expanded && growth.stage == last.stage {
                format!(", {:.2} new per expansion", growth.new_since(last))
            } else {
                String::new()
            };
            let at = growth.at.map_or_else(String::new, |AtTier { tier, number, of }| {
                format!("; questions of tier {number} of {of}, {tier}")
            });
            format!("{what}: {counts}{new}{at}")
        }
    }
}

/// How a closure grew.
pub(super) struct GrowthCurve {
    samples: Vec<Proving>,
    /// The state in which this run took up the growth.
    first: Proving,
    last: Proving,
    limit: Option<Limit>,
    started: Instant,
    /// How long it grew, in seconds.
    grown_s: f64,
}

impl ProveArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The output cannot be written, the values cannot be had or do not fit into memory, or a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let game = Game::new(self.variant, self.reading);
        let out = work::place(self.out.as_ref(), Claim { game, kind: Kind::Closure })?;
        let dir = self.dir.clone().unwrap_or_else(|| work::beside(&out));
        let proof = Proof {
            game,
            answers: &self.answers,
            weights: &self.weights,
            most: self.most,
            rounds: self.rounds,
            dir: &dir,
            fresh: self.fresh,
        };
        tell_of_the_opposite(&game, Kind::Closure, self.talk);
        let (place, signals) = (proof.open()?, Signals::catch(Left::Files));
        let ran = proof.prove(place, self.memory, self.threads, self.talk, &signals)?;
        let Ran { proved, curve, kept } = ran;
        let written = match &proved {
            Proved::Holds(certificate) => {
                let bytes = certificate.encode();
                let claim = certificate.claim;
                publish_checked(&out, claim, &bytes, self.threads.count(), self.talk, &signals)?;
                let listed = certificate.black_to_move.len();
                Some(Written { path: &out, bytes, listed })
            }
            Proved::Lost | Proved::BrokenOff => None,
        };
        // A loss under a discipline leaves the value open: other answers may be safe. So does a proof that was broken off.
        let value = match &proved {
            Proved::Holds(_) => "draw",
            Proved::Lost if self.answers.are_all() => "lost",
            Proved::Lost | Proved::BrokenOff => "open",
        };
        self.report(value, &curve, written.as_ref(), started)?;
        if matches!(proved, Proved::BrokenOff) {
            curve.fits()?;
        }
        // A higher --most goes on from the working files.
        if self.dir.is_none() && !matches!(proved, Proved::BrokenOff) {
            kept.remove().map_err(Failure::unavailable)?;
        }
        let (variant, reading) = (self.variant, self.reading);
        match proved {
            Proved::Holds(_) => Ok(Exit::Done),
            Proved::Lost if self.answers.are_all() => {
                say(&format!("White does not hold {variant} under {reading}: there is nothing to certify"));
                Ok(Exit::Rejected)
            }
            Proved::Lost => {
                say(&format!(
                    "White does not hold {variant} under {reading} with these answers alone; without --discipline it may"
                ));
                Ok(Exit::Inconclusive)
            }
            Proved::BrokenOff => {
                say(
                    "not proven: the closure reached the number of positions that --most allows; the same command with a higher --most goes on from there",
                );
                Ok(Exit::Inconclusive)
            }
        }
    }

    fn report(
        &self,
        value: &str,
        curve: &GrowthCurve,
        written: Option<&Written<'_>>,
        started: Instant,
    ) -> Result<(), Failure> {
        let mut out = Out::new();
        let elapsed_s = started.elapsed().as_secs_f64();
        let Proving { positions, open, lost, expanded, bytes, .. } = curve.last;
        if self.format.json {
            let sample = |(growth, new): (&Proving, f64)| {
                json!({
                    "expanded": growth.expanded,
                    "positions": growth.positions,
                    "open": growth.open,
                    "lost": growth.lost,
                    "new_per_expansion": new,
                })
            };
            return out.json(&json!({
                "gobprove": env!("CARGO_PKG_VERSION"),
                "variant": self.variant.to_string(),
                "reading": self.reading.tag(),
                "discipline": self.answers.discipline.to_string(),
                "values": self.answers.values.as_deref().map(shown),
                "beyond": self.answers.beyond.map(|beyond| beyond.to_string()),
                "weights": self.weights.to_string(),
                "rounds": self.rounds,
                "value": value,
                "expanded": expanded,
                "grown": positions,
                "open": open,
                "lost": lost,
                "bytes_per_position": bytes as f64 / positions.max(1) as f64,
                "curve": curve.samples().map(sample).collect::<Vec<_>>(),
                "positions": written.map(|written| written.listed),
                "file": written.map(|written| shown(written.path)),
                "bytes": written.map(|written| written.bytes.len()),
                "sha256": written.map(|written| sha256_hex(&written.bytes)),
                "grown_s": curve.grown_s,
                "elapsed_s": elapsed_s,
            }));
        }
        use Align::Right;
        let columns =
            ["expanded", "positions", "open", "lost", "new per expansion"].map(|name| (name, Right));
        let mut table = Table::new(&columns);
        for (growth, new) in curve.samples() {
            let counts = [growth.expanded, growth.positions, growth.open, growth.lost];
            let counts = counts.map(|count| grouped(count.into()));
            table.row(counts.into_iter().chain([format!("{new:.3}")]));
        }
        out.line(&table.text())?;
        // `grown_s` is the time of this run alone.
        let rate = match expanded - curve.first.expanded {
            0 if expanded > 0 => "grown before".to_owned(),
            0 => "nothing was expanded".to_owned(),
            own => {
                let a_minute = own as f64 / curve.grown_s / 1e6 * 60.0;
                format!("grown in {:.2} s, {a_minute:.1} million expansions a minute", curve.grown_s)
            }
        };
        out.line(&format!(
            "{rate}; {} MiB, {:.1} bytes a position",
            grouped(u128::from(bytes >> 20)),
            bytes as f64 / positions.max(1) as f64
        ))?;
        out.line(&format!("{} {}: {value}", self.variant, self.reading))?;
        let Some(Written { path, bytes, listed }) = written else { return Ok(()) };
        out.line(&format!(
            "{}: {} positions, {} bytes, sha256 {}; {elapsed_s:.2} s",
            shown(path),
            grouped((*listed).into()),
            grouped(bytes.len() as u128),
            sha256_hex(bytes)
        ))
    }
}

/// A certificate that was written.
struct Written<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    listed: u64,
}

impl GrowthCurve {
    fn new() -> GrowthCurve {
        let started = Instant::now();
        let (first, last) = Default::default();
        GrowthCurve { samples: Vec::new(), first, last, limit: None, started, grown_s: 0.0 }
    }

    /// Checks that the growth did not end for want of memory.
    ///
    /// # Errors
    /// It ended for want of memory.
    pub(super) fn fits(&self) -> Result<(), Failure> {
        if self.limit != Some(Limit::Memory) {
            return Ok(());
        }
        let positions = grouped(self.last.positions.into());
        let (bytes, times) = (memory::shown(self.last.bytes.into()), prover::TIMES);
        let what = format!(
            "with {positions} positions the closure takes {bytes}, and making it smaller and checking it may take {times} times as much: more than --memory allows"
        );
        Err(Failure::unavailable(what).next("give more with --memory, and it goes on from there"))
    }

    fn add(&mut self, growth: Proving) {
        if growth.stage != self.last.stage {
            // In another stage a new closure grows, from nothing.
            *self = GrowthCurve::new();
        }
        if self.last.positions == 0 {
            self.first = growth;
        }
        let last = self.samples.last().map_or(0, |last| last.expanded);
        if growth.expanded >= FIRST && growth.expanded >= last + last / SAMPLE {
            self.samples.push(growth);
        }
        self.last = growth;
        self.grown_s = self.started.elapsed().as_secs_f64();
    }

    /// The samples and the last state, each with the number of new positions per expansion since the one before.
    fn samples(&self) -> impl Iterator<Item = (&Proving, f64)> {
        let all = || self.samples.iter().chain([&self.last]);
        let before = std::iter::once(Proving::default()).chain(all().copied());
        all()
            .zip(before)
            .filter(|(growth, before)| growth.expanded > before.expanded)
            .map(|(growth, before)| (growth, growth.new_since(&before)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_what_comes_after_growing() {
        let holds = |values_leave, rounds, positions, bytes| {
            let room = Room { most: 1_000_000, left: 280_000, values_leave, rounds };
            room.holds(&Proving { positions, bytes, ..Proving::default() })
        };
        // With values that stay, 14 times the closure's bytes must be left.
        assert!(holds(false, 0, 1, 20_000) && !holds(false, 0, 1, 20_001));
        assert!(holds(false, 9, 1, 20_000) && !holds(false, 9, 1, 20_001));
        // With values that are dropped, the growing closure may take all that is left. What follows must fit into all there
        // is.
        assert!(holds(true, 9, 1, 280_000) && !holds(true, 9, 1, 280_001));
        assert!(holds(true, 9, 7_936, 1) && !holds(true, 9, 7_937, 1));
        assert!(holds(true, 0, 11_111, 1) && !holds(true, 0, 11_112, 1));
    }
}
