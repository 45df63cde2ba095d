//! `gobprove estimate`: the memory, disk and time that a variant takes, before the work begins.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use crate::bitbase::Keep;
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::lattice::settled_by;
use crate::cli::console::memory::{self, Memory};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped};
use crate::cli::console::shipped::Shipped;
use crate::cli::console::work::on_threads;
use crate::enumerate::Discipline;
use crate::enumerate::census;
use crate::passes;
use crate::passes::FixpointError;
use crate::rules::{Color, Game, Material, Reading, Size, Variant};
use crate::store::{Claim, HEADER_LEN, Kind};
use crate::strategy::Seed;
use crate::symmetry::Symmetry;

const AFTER_HELP: &str = "\
A row for each command that could settle the variant; first what ships already, or follows from what
ships. Positions are exact, and so is the memory of solve and refute: less is refused. That of generate
and prove goes by the guessed size of the closure. Time and disk are guesses: smaller variants of the same kind are solved here for about a second, and what they
took is scaled by the number of canonical positions. A guess can be wrong by a factor of three, and
more the larger the step. A closure's size is carried on from those that ship: so many positions for
each black placement, times a factor for each black piece smaller than B. Under a --discipline solve
and refute take less.

Examples:
  gobprove estimate abc
  gobprove estimate A3-A3B3C1 --reading robust --json";

/// How long small variants are solved before what they took is scaled.
const MEASURE: Duration = Duration::from_millis(1000);

/// The most canonical positions of the first variant that is solved to measure, and of those after it.
const FIRST_MEASURED: u128 = 2_000_000;
const MOST_MEASURED: u128 = 20_000_000;

/// Estimate the memory, the disk and the time that a variant takes
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct EstimateArgs {
    /// A variant: a name or material spelled out
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// A variant that was solved to measure.
struct Sample {
    variant: Variant,
    canonical: u128,
    /// Canonical exceptions, both sides to move.
    exceptions: u128,
    seconds: f64,
}

/// What a variant takes.
struct Estimate {
    count: census::Count,
    memory: u128,
    /// The memory that `solve --no-file --dir` takes.
    least: u128,
    /// What each command takes that could settle the variant.
    commands: Vec<Taken>,
    sample: Sample,
    seconds: f64,
    working: u128,
    closure: Closure,
    cut: u128,
}

/// What a command takes.
struct Taken {
    command: String,
    memory: u128,
    disk: u128,
    seconds: f64,
}

impl EstimateArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The threads cannot be started, memory runs out, or the result cannot be written.
    pub fn run(&self) -> Ended {
        let progress = Progress::new("solving smaller variants to measure", self.talk);
        let sample = on_threads(self.threads.count(), || self.measure())??;
        let known = settled_by(&Game::new(self.variant, self.reading), None);
        let estimate = Estimate::of(self.variant, self.reading, sample, self.threads.count().get(), known);
        drop(progress);
        let mut out = Out::new();
        if self.format.json {
            out.json(&self.json(&estimate, known))?;
        } else {
            out.line(&self.text(&estimate, known))?;
        }
        Ok(Exit::Done)
    }

    /// Solves ever larger variants below this one until the time is used up; what the last took.
    fn measure(&self) -> Result<Sample, Failure> {
        let started = Instant::now();
        let mut last = None;
        for (variant, canonical) in below(self.variant) {
            let limit = u128::from(self.memory.most());
            if last.is_some() && passes::bytes(variant, Seed::Rules) > limit {
                break;
            }
            self.memory.allow(variant, passes::bytes(variant, Seed::Rules))?;
            let begun = Instant::now();
            // One that takes three times the time is broken off: the one before it will do.
            let mut listener = |_| match started.elapsed() > 3 * MEASURE && last.is_some() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let game = Game::new(variant, self.reading);
            match passes::solve(&game, Seed::Rules, None, &mut listener) {
                Err(FixpointError::Interrupted) => break,
                Err(error) => return Err(Failure::unavailable(error)),
                Ok(solution) => {
                    let seconds = begun.elapsed().as_secs_f64();
                    let exceptions =
                        Color::ALL.map(|turn| solution.exception_count(turn).canonical).iter().sum();
                    last = Some(Sample { variant, canonical, exceptions, seconds });
                }
            }
            if started.elapsed() > MEASURE {
                break;
            }
        }
        last.ok_or_else(|| Failure::new(Exit::Bug, "nothing was measured"))
    }

    fn json(&self, estimate: &Estimate, known: Option<&Shipped>) -> Value {
        let Estimate { count, memory, least, commands, sample, seconds, working, closure, cut } = estimate;
        let row = |taken: &Taken| {
            json!({
                "command": taken.command,
                "memory_bytes": taken.memory,
                "disk_bytes": taken.disk,
                "seconds": taken.seconds,
            })
        };
        json!({
            "variant": self.variant.to_string(),
            "reading": self.reading.tag(),
            "positions": count.positions,
            "canonical": count.canonical,
            "memory_bytes": memory,
            "memory_least_bytes": least,
            "memory_allowed_bytes": self.memory.most(),
            "settled": known.map(|known| json!({ "value": known.kind.value(), "file": known.file })),
            "commands": commands.iter().map(row).collect::<Vec<_>>(),
            "guess": {
                "solve_s": seconds,
                "working_bytes": working,
                "closure_positions": rounded(closure.positions),
                "closure_bytes": rounded(closure.bytes),
                "cut_bytes": cut,
            },
            "measured": {
                "variant": sample.variant.to_string(),
                "canonical": sample.canonical,
                "exceptions": sample.exceptions,
                "elapsed_s": sample.seconds,
                "threads": self.threads.count().get(),
            },
        })
    }

    fn text(&self, estimate: &Estimate, known: Option<&Shipped>) -> String {
        let Estimate { count, commands, sample, closure, cut, .. } = estimate;
        let allowed = self.memory.most();
        let settled = match known {
            Some(known) => format!(
                "{} {} is settled already: {}, by {}",
                self.variant,
                self.reading,
                known.kind.value(),
                known.file
            ),
            None => format!("{} {} is open", self.variant, self.reading),
        };
        let mut table = Table::new(&[
            ("command", Align::Left),
            ("memory", Align::Right),
            ("", Align::Left),
            ("disk, a guess", Align::Right),
            ("time, a guess", Align::Right),
        ]);
        for taken in commands {
            let fits = if taken.memory <= allowed.into() { "fits" } else { "too much" };
            table.row([
                taken.command.clone(),
                memory::shown(taken.memory),
                fits.to_owned(),
                memory::shown(taken.disk),
                duration(taken.seconds),
            ]);
        }
        let positions =
            format!("{} positions, {} canonical", grouped(count.positions), grouped(count.canonical));
        let certificate = format!(
            "a closure would have some {} positions in {}, a cut {}",
            grouped(rounded(closure.positions)),
            memory::shown(closure.bytes as u128),
            memory::shown(*cut)
        );
        format!(
            "{settled}\n{positions}\n{}\n{} of memory may be taken\n{}guessed from {}: {} canonical positions solved in {:.2} s on {} threads",
            table.text(),
            memory::shown(allowed.into()),
            if known.is_some_and(|known| known.kind == Kind::Refutation) {
                String::new()
            } else {
                certificate + "\n"
            },
            sample.variant,
            grouped(sample.canonical),
            sample.seconds,
            self.threads.count(),
        )
    }
}

/// How many positions a minute a core brings into a closure: out of a solution, and without one.
const GROWN_SOLVED: f64 = 3e6;
const GROWN: f64 = 1e6;

/// How many bytes a position of a closure takes while it grows out of a solution, and while it is proven without one.
const BYTES_SOLVED: f64 = 1000.0;
const BYTES: f64 = 9.0;

impl Estimate {
    fn of(
        variant: Variant,
        reading: Reading,
        sample: Sample,
        threads: usize,
        known: Option<&Shipped>,
    ) -> Estimate {
        let count = census::variant(variant);
        let scale = count.canonical as f64 / sample.canonical as f64;
        let exceptions = sample.exceptions as f64 * scale;
        let seconds = sample.seconds * scale;
        // The set with White to move, nine bytes for a word of eight.
        let working = passes::bytes(variant, Seed::Rules) / 2 * 9 / 8;
        let closure = closure(variant);
        let least = passes::bytes_within(variant, Discipline::FREE, Keep::Needed, true);
        let with_files = passes::bytes_within(variant, Discipline::FREE, Keep::All, true);
        let grown = |a_minute: f64| closure.positions / a_minute * 60.0 / threads as f64;
        let taken = |command: &str, memory, disk, seconds| {
            let by =
                if reading == Reading::Official { String::new() } else { format!(" --reading {reading}") };
            Taken {
                command: format!("{}{by}", command.replace('V', &variant.to_string())),
                memory,
                disk,
                seconds,
            }
        };
        let mut commands = vec![
            taken("solve V", 2 * with_files, working, seconds),
            taken("solve V --no-file --dir DIR", least, working, seconds),
        ];
        let value = known.map(|known| known.kind);
        if value != Some(Kind::Refutation) {
            let proof = (closure.positions * BYTES) as u128;
            let proving = proof * u128::from(crate::closure::prover::TIMES);
            commands.push(taken(
                "generate V",
                with_files + (closure.positions * BYTES_SOLVED) as u128,
                working,
                seconds + grown(GROWN_SOLVED),
            ));
            commands.push(taken("prove V", proving, proof, grown(GROWN)));
        }
        if value.is_none_or(|kind| kind == Kind::Refutation) && reading != Reading::Robust {
            let memory = crate::refute::bytes_of_refutation(variant, Discipline::FREE, true);
            commands.push(taken("refute V", memory, working, 2.0 * seconds));
        }
        Estimate {
            count,
            memory: passes::bytes(variant, Seed::Rules),
            least,
            commands,
            seconds,
            working,
            closure,
            // Exceptions lie close together: a byte for each, as in the cut of ab.
            cut: HEADER_LEN as u128 + exceptions as u128,
            sample,
        }
    }
}

/// Variants of the same kind to measure, ever larger: Black with as much of its material as is quick to solve
/// against a single A, White with more and more of its own. How fast a pass is and how much is lost depend on
/// Black's pieces more than on White's.
fn below(variant: Variant) -> Vec<(Variant, u128)> {
    let materials = |most: Material| {
        let counts = (0..256u32).map(|code| std::array::from_fn(|size| (code >> (2 * size) & 3) as u8));
        let all = counts.filter_map(Material::new);
        all.filter(move |material| material.at_most(most))
    };
    let sized = |white, black| {
        let variant = Variant { white, black };
        (variant, census::variant(variant).canonical)
    };
    let quick = |all: &mut Vec<(Variant, u128)>, most: u128| {
        all.retain(|one| one.1 <= most);
        all.sort_by_key(|one| one.1);
    };
    let least = materials(variant.white).min().unwrap_or(variant.white);
    let mut by_black: Vec<_> = materials(variant.black).map(|black| sized(least, black)).collect();
    quick(&mut by_black, FIRST_MEASURED);
    let black = by_black.last().map_or(variant.black, |one| one.0.black);
    let mut all: Vec<_> = materials(variant.white).map(|white| sized(white, black)).collect();
    quick(&mut all, MOST_MEASURED);
    let mut chosen: Vec<(Variant, u128)> = Vec::new();
    for one in all {
        if chosen.last().is_none_or(|last| one.1 >= 2 * last.1) {
            chosen.push(one);
        }
    }
    chosen
}

/// How large a closure is, if White holds.
#[derive(Clone, Copy, Debug)]
struct Closure {
    positions: f64,
    bytes: f64,
}

/// A closure's size, carried on from those that ship. White's placement is nearly a function of Black's, so what
/// is carried on is how many positions there are for each canonical black placement. It grows by a factor for
/// each black piece smaller than B, where Black has all three B: the straight line nearest to its logarithms. And it
/// shrinks by a factor for each B that Black has not: what is left of the others beside that line.
fn closure(variant: Variant) -> Closure {
    let official = |claim: &Claim| claim.kind == Kind::Closure && claim.game.reading == Reading::Official;
    let all: Vec<&Shipped> = Shipped::of(official).collect();
    let known = |shipped: &&Shipped| {
        let variant = shipped.variant;
        (variant, (shipped.positions as f64 / black_placements(variant)).ln())
    };
    let (full, others): (Vec<_>, Vec<_>) =
        all.iter().map(known).partition(|&(variant, _)| missing(variant) == 0.0);
    let (x, y) = (mean(full.iter().map(|one| small(one.0))), mean(full.iter().map(|one| one.1)));
    let together = mean(full.iter().map(|one| (small(one.0) - x) * (one.1 - y)));
    let spread = mean(full.iter().map(|one| (small(one.0) - x).powi(2)));
    let slope = if spread > 0.0 { together / spread } else { 0.0 };
    let line = |variant| y + slope * (small(variant) - x);
    let fewer = mean(others.iter().map(|&(variant, found)| (found - line(variant)) / missing(variant)));
    let positions = (line(variant) + fewer * missing(variant)).exp() * black_placements(variant);
    let listed: u64 = all.iter().map(|shipped| shipped.positions).sum();
    let length: u64 = all.iter().map(|shipped| shipped.bytes).sum();
    Closure { positions, bytes: positions * length as f64 / listed as f64 }
}

/// The mean, 0 of nothing.
fn mean(of: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = of.len().max(1);
    of.sum::<f64>() / count as f64
}

/// How many of the three B Black has not.
fn missing(variant: Variant) -> f64 {
    3.0 - f64::from(variant.black.count(Size::B))
}

/// How many pieces smaller than B Black has.
fn small(variant: Variant) -> f64 {
    [Size::C, Size::D].map(|size| f64::from(variant.black.count(size))).into_iter().sum()
}

/// How many ways Black's pieces can stand, up to symmetry, nearly: few are kept by a symmetry.
fn black_placements(variant: Variant) -> f64 {
    let binomial = [1.0, 16.0, 120.0, 560.0];
    // For each number of pieces of the size before, in how many ways.
    let mut placements = [0.0, 0.0, 0.0, 1.0];
    for size in Size::ALL {
        let most = usize::from(variant.black.count(size));
        let mut longer = [0.0; 4];
        for (outer, ways) in placements.into_iter().enumerate() {
            for count in 0..=most.min(outer) {
                longer[count] += ways * binomial[count];
            }
        }
        placements = longer;
    }
    placements.into_iter().sum::<f64>() / Symmetry::COUNT as f64
}

/// A guess to two digits: it has no more.
fn rounded(guess: f64) -> u128 {
    let unit = 10f64.powf((guess.max(1.0).log10().floor() - 1.0).max(0.0));
    ((guess / unit).round() * unit) as u128
}

/// A time for people, rounded: a guess has no more digits.
fn duration(seconds: f64) -> String {
    let (per, unit) = match seconds {
        s if s < 60.0 => (1.0, "seconds"),
        s if s < 5_400.0 => (60.0, "minutes"),
        s if s < 172_800.0 => (3_600.0, "hours"),
        s if s < 63_072_000.0 => (86_400.0, "days"),
        _ => (31_536_000.0, "years"),
    };
    let number = seconds / per;
    if number < 1.0 {
        format!("less than a {}", &unit[..unit.len() - 1])
    } else {
        format!("{} {unit}", grouped(number.round() as u128))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn variant(text: &str) -> Variant {
        text.read().expect("a variant")
    }

    #[test]
    fn what_is_measured_grows_and_is_below() {
        for text in ["A1-A1", "ab", "abc", "abcd-full", "A3-A3B3C1"] {
            let chosen = below(variant(text));
            assert!(!chosen.is_empty(), "{text}");
            assert!(chosen.is_sorted_by_key(|one| one.1), "{text}");
            for (one, canonical) in chosen {
                assert!(one.white.at_most(variant(text).white) && one.black.at_most(variant(text).black));
                assert!(canonical <= MOST_MEASURED, "{one}");
            }
        }
    }

    #[test]
    fn what_ships_is_guessed_well_and_more_is_carried_on() {
        // A few hundred of the black placements are kept by a symmetry.
        assert!((12_700.0..13_400.0).contains(&black_placements(variant("ab"))));
        for shipped in Shipped::of(|claim| claim.kind == Kind::Closure) {
            let guessed = closure(shipped.variant).positions;
            let ratio = guessed / shipped.positions as f64;
            assert!((0.8..1.25).contains(&ratio), "{}: {guessed}", shipped.file);
        }
        let [one, two, three] = ["A3B1-A3B3C1", "A3B1-A3B3C2", "A3B1-A3B3C3"]
            .map(|text| closure(variant(text)).positions / black_placements(variant(text)));
        let factor = two / one;
        assert!(factor > 2.0 && (three / two / factor - 1.0).abs() < 1e-9, "{one} {two} {three}");
    }

    #[test]
    fn guesses_have_two_digits() {
        for (guess, digits) in [(7.4, 7), (0.0, 0), (43_585.0, 44_000), (1.26e6, 1_300_000)] {
            assert_eq!(rounded(guess), digits);
        }
    }

    #[test]
    fn times_are_told_in_fitting_units() {
        for (seconds, text) in [
            (0.2, "less than a second"),
            (1.4, "1 seconds"),
            (59.0, "59 seconds"),
            (90.0, "2 minutes"),
            (7_200.0, "2 hours"),
            (864_000.0, "10 days"),
            (1e11, "3,171 years"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
