//! `gobprove estimate`: the memory, disk and time that a variant takes, before the work begins.

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use super::speed::{self, Speed};
use super::taken::{self, Asked, Closure, Taken};
use crate::cli::commands::explain::basis::is_solved_on_the_spot;
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit};
use crate::cli::console::lattice::{computed, reason, settled_by};
use crate::cli::console::memory::{self, Memory};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, grouped};
use crate::cli::console::shipped::Shipped;
use crate::cli::console::work::on_threads;
use crate::cluster::Division;
use crate::enumerate::{Discipline, census};
use crate::passes;
use crate::rules::{Game, Reading, Variant};
use crate::store::{Claim, free_bytes};
use crate::strategy::Seed;

const AFTER_HELP: &str = "\
First what ships already, or follows from what ships. Then a row for each command that could settle
the variant; its last column compares it with the memory and the disk of this machine. Positions are
exact, and so is the memory that a command asks for: with less it does not begin. What it takes in the
end, the time and the disk are guesses from variants that are solved. On those the time of solve,
generate and prove is right within a factor of one and a half; that of refute and the memory are right
within a factor of two. A variant that is much larger may be further off, and so may one that is open:
where Black wins, generate and prove come to no closure. Time is that of one core: two threads take
about half of it. To know how fast a core is here, ab is solved. A closure's size is carried on from
those that ship: a number of positions for each black placement, times a factor for each black piece
smaller than B.

Examples:
  gobprove estimate abc
  gobprove estimate A3B3-A3B3C1 --discipline b=1,c=0
  gobprove estimate A3-A3B3C1 --reading robust --json
  gobprove estimate abc --ranks 4,16,64          how gobprove-mpi would divide it";

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
    /// What one side keeps to, as for gobprove solve, prove and refute: then only commands that take it have a row
    #[arg(long, value_name = "SIZE=MOST,...", default_value_t, hide_default_value = true)]
    discipline: Discipline,
    /// How a run of gobprove-mpi would be divided, for each of these numbers of ranks
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..))]
    #[arg(conflicts_with = "discipline")]
    ranks: Vec<u16>,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// What a run divided over a number of MPI ranks would take.
struct Divided {
    ranks: u16,
    /// The bytes of memory of the rank with the largest part, in a run with working files.
    bytes: u128,
    /// The largest part of a rank, as a multiple of the mean part.
    most_over_mean: f64,
    /// The bytes that each rank sends to the others, in all.
    sent: f64,
    /// The seconds that the rank with the largest part works on one core, without the time for sending.
    seconds: f64,
}

/// What there is to say of a variant.
struct Estimate {
    /// The certificate that settles it already.
    known: Option<&'static Shipped>,
    /// What was computed of it, where no certificate settles it.
    computed: Option<Claim>,
    count: census::Count,
    /// The bytes of all its bitbases.
    memory: u128,
    commands: Vec<Taken>,
    closure: Closure,
    speed: Speed,
    divided: Vec<Divided>,
    /// The bytes of disk that are free in the current directory, if the system says.
    free: Option<u64>,
}

impl EstimateArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The threads cannot be started, memory runs out, or the result cannot be written.
    pub fn run(&self) -> Ended {
        let game = Game::new(self.variant, self.reading);
        self.memory
            .allow(format!("measuring the machine, by solving {},", speed::MEASURED), speed::bytes())?;
        let table = || passes::bytes_of_table(self.variant, self.discipline);
        self.memory.allow_within(self.variant, self.discipline, table, self.talk)?;
        let known = settled_by(&game, None);
        let computed = computed(&game);
        let progress = Progress::new(format!("estimating {}", self.variant), self.talk);
        let speed = on_threads(self.threads.count(), Speed::measure)??;
        let asked =
            Asked { game, discipline: self.discipline, known: known.map(Shipped::claim).or(computed), speed };
        let commands = taken::commands(&asked);
        let divided = self.divided(&commands);
        let estimate = Estimate {
            known,
            computed,
            count: census::variant(self.variant),
            memory: passes::bytes(self.variant, Seed::Rules),
            divided,
            commands,
            closure: taken::closure(self.variant),
            speed,
            free: free_bytes(Path::new(".")),
        };
        drop(progress);
        let mut out = Out::new();
        if self.format.json {
            out.json(&self.json(&estimate))?;
        } else {
            out.line(&self.text(&estimate))?;
        }
        Ok(Exit::Done)
    }

    /// What runs over each asked number of ranks take, worked out from what one process takes (`commands`).
    fn divided(&self, commands: &[Taken]) -> Vec<Divided> {
        if self.ranks.is_empty() {
            return Vec::new();
        }
        let division = Division::new(self.variant);
        let alone = commands.iter().find(|taken| taken.command.contains("--no-file"));
        let over = |&ranks: &u16| {
            let most_over_mean = division.most_over_mean(ranks.into());
            Divided {
                ranks,
                bytes: division.bytes(ranks.into(), true),
                most_over_mean,
                sent: division.bytes_sent(ranks.into()),
                seconds: alone.map_or(0.0, |alone| alone.seconds) * most_over_mean / f64::from(ranks),
            }
        };
        self.ranks.iter().map(over).collect()
    }

    fn json(&self, estimate: &Estimate) -> Value {
        let Estimate { known, computed, count, memory, commands, closure, speed, divided, free } = estimate;
        let row = |taken: &Taken| {
            json!({
                "command": taken.command,
                "memory_bytes": taken.asked,
                "peak_bytes": taken.memory,
                "disk_bytes": taken.disk,
                "core_s": taken.seconds,
            })
        };
        json!({
            "variant": self.variant.to_string(),
            "reading": self.reading.tag(),
            "discipline": self.discipline.to_string(),
            "positions": count.positions,
            "canonical": count.canonical,
            "memory_bytes": memory,
            "memory_allowed_bytes": self.memory.most(),
            "disk_free_bytes": free,
            "settled": known.map(|known| json!({ "value": known.kind.value(), "file": known.file })),
            "computed": computed.map(|claim| claim.kind.value()),
            "commands": commands.iter().map(row).collect::<Vec<_>>(),
            "closure": {
                "positions": rounded(closure.positions),
                "bytes": rounded(closure.bytes),
            },
            "divided": divided.iter().map(|divided| json!({
                "ranks": divided.ranks,
                "rank_bytes": divided.bytes,
                "most_over_mean": divided.most_over_mean,
                "sent_bytes": rounded(divided.sent),
                "rank_s": divided.seconds,
            })).collect::<Vec<_>>(),
            "measured": {
                "variant": speed::MEASURED,
                "core_s": speed.measured.as_secs_f64(),
            },
        })
    }

    fn text(&self, estimate: &Estimate) -> String {
        let Estimate { count, commands, closure, speed, divided, free, .. } = estimate;
        let (allowed, free) = (u128::from(self.memory.most()), free.map(u128::from));
        let mut text = self.settled(estimate);
        let [positions, canonical] = [count.positions, count.canonical].map(grouped);
        text.push_str(&format!("\n{positions} positions, {canonical} canonical\n"));
        let mut table = Table::new(&[
            ("command", Align::Left),
            ("asks for", Align::Right),
            ("takes ~", Align::Right),
            ("disk ~", Align::Right),
            ("time ~", Align::Right),
            ("here", Align::Left),
        ]);
        for taken in commands {
            let lacking = [
                (taken.memory.max(taken.asked) > allowed, "too little memory"),
                (free.is_some_and(|free| taken.disk > free), "too little disk"),
            ];
            let here = lacking.iter().find(|(lacks, _)| *lacks).map_or("fits", |(_, what)| what);
            let asked = if taken.asked > 0 { memory::shown(taken.asked) } else { "-".to_owned() };
            table.row([
                taken.command.clone(),
                asked,
                memory::shown(taken.memory),
                memory::shown(taken.disk),
                duration(taken.seconds),
                here.to_owned(),
            ]);
        }
        text.push_str(&format!(
            "{}\nasks for: the tables that --memory bounds; takes: all that the process takes\n~ is a guess, and the time is that of one core\n{} of memory may be taken{}\n",
            table.text(),
            memory::shown(allowed),
            free.map(|free| format!(", and {} of disk are free here", memory::shown(free))).unwrap_or_default()
        ));
        if commands.iter().any(|taken| taken.command.starts_with("prove ")) {
            let positions = grouped(rounded(closure.positions));
            let bytes = memory::shown(closure.bytes as u128);
            text.push_str(&format!("a closure would have about {positions} positions in {bytes}\n"));
            if taken::is_beyond_what_ships(self.variant) {
                text.push_str(
                    "it may be many times larger: that is guessed from variants in which White has A and B only\n",
                );
            }
        }
        if !divided.is_empty() {
            let columns =
                ["ranks", "each takes ~", "most has", "sends ~", "time ~"].map(|name| (name, Align::Right));
            let mut table = Table::new(&columns);
            for divided in divided {
                table.row([
                    divided.ranks.to_string(),
                    memory::shown(divided.bytes),
                    format!("{:.2} times the mean", divided.most_over_mean),
                    memory::shown(rounded(divided.sent)),
                    duration(divided.seconds),
                ]);
            }
            let note = "a rank has one core here; what it sends to the others in all is a rough guess, and not in the time";
            text.push_str(&format!("\ngobprove-mpi solve {}:\n{}\n{note}\n\n", self.variant, table.text()));
        }
        let measured = speed.measured.as_secs_f64();
        text.push_str(&format!("a core of this machine solves {} in {measured:.2} s", speed::MEASURED));
        text
    }

    /// What is known of it already.
    fn settled(&self, estimate: &Estimate) -> String {
        let (variant, reading) = (self.variant, self.reading);
        let because = |claim: &Claim| match reason(claim, &Game::new(variant, reading)) {
            itself if itself.is_empty() => itself,
            reason => format!(": {reason}"),
        };
        match (estimate.known, &estimate.computed) {
            (Some(known), _) => format!(
                "{variant} {reading} is settled already: {}, by {}{}\n\
                 gobprove verify {variant} --reading {reading} checks that",
                known.kind.value(),
                known.file,
                because(&known.claim())
            ),
            (None, Some(claim)) => format!(
                "{variant} {reading} was computed already, by gobprove solve: {}{}; no certificate ships",
                claim.kind.value(),
                because(claim)
            ),
            (None, None) if is_solved_on_the_spot(variant) => format!(
                "no certificate settles {variant} {reading}\n\
                 gobprove explain start --variant {variant} --reading {reading} solves it on the spot"
            ),
            (None, None) => format!("{variant} {reading} is open"),
        }
    }
}

/// Rounds a guess to two digits: it is no more accurate.
fn rounded(guess: f64) -> u128 {
    let unit = 10f64.powf((guess.max(1.0).log10().floor() - 1.0).max(0.0));
    ((guess / unit).round() * unit) as u128
}

/// A time for people, in whole units: a guess is no more accurate.
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
        let number = number.round() as u128;
        let unit = if number == 1 { &unit[..unit.len() - 1] } else { unit };
        format!("{} {unit}", grouped(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (1.4, "1 second"),
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
