//! `gobprove regenerate`: the certificates that ship, made again and compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use crate::cli::console::args::{Format, Talk};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::{self, Memory};
use crate::cli::console::nearest;
use crate::cli::console::report::{Align, Out, Table, say};
use crate::cli::console::shipped::{SHIPPED, Shipped};
use crate::cli::console::signals::{Left, PART, Signals, pass_on};
use crate::prelude::*;
use crate::rules::Variant;
use crate::store::{read_file, sha256_hex};

const AFTER_HELP: &str = "\
Each certificate is made by its command in certificates/recipes.toml, in a process of its own, and its
SHA-256 is compared with the published one. What is there already with the right bytes is not made
again, and what was interrupted goes on: the same command run again comes to the end. What takes more
memory than there is, or more time than is left, is left out and told. The exit code is 1 if bytes
differ, 3 if something failed or was left out.

Examples:
  gobprove regenerate ab-official-closure --into again   one, named as its file
  gobprove regenerate ab --into again                    all of a variant's, but not those of ab-full
  gobprove regenerate --under 10K                        all whose files are smaller than 10 KiB
  gobprove regenerate --all --within 8h                  a night's worth
  gobprove regenerate --all --memory 4G --json

Keys of the JSON object: certificates (file, outcome, seconds, sha256), where an outcome is same, differs,
failed or left out; and why.";

/// Make the certificates that ship again, and compare their bytes
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct RegenerateArgs {
    /// Variants, or the first words of certificates' names: ab, A3-A3B3C1-thesis, ab-official-closure
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// All that ships
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Only those whose files have fewer bytes than this, such as 100K; without names, of all that ships
    #[arg(long, value_name = "SIZE", value_parser = memory::size)]
    under: Option<u64>,
    /// The directory to write into, which is made if it is not there
    #[arg(long, value_name = "DIR", default_value = "regenerated")]
    into: PathBuf,
    /// Begin nothing that would not be done by then, such as 30m or 8h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = time)]
    within: Option<Duration>,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// How often to look whether the process that was started has ended.
const OFTEN: Duration = Duration::from_millis(20);

/// Reads a time: a number with s, m or h.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "give a number with s, m or h, such as 90s, 30m or 8h".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).filter(|&seconds| seconds > 0).map(Duration::from_secs).ok_or_else(wrong)
}

/// A certificate and what came of making it.
struct Made {
    shipped: &'static Shipped,
    outcome: Outcome,
    seconds: f64,
}

enum Outcome {
    /// The bytes that ship.
    Same,
    /// Other bytes, with both checksums.
    Differs(String),
    /// The command ended with an error of its own.
    Failed(String),
    /// It was not begun.
    LeftOut(String),
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Outcome::Same => "same",
            Outcome::Differs(_) => "differs",
            Outcome::Failed(_) => "failed",
            Outcome::LeftOut(_) => "left out",
        }
    }

    fn why(&self) -> Option<&str> {
        match self {
            Outcome::Same => None,
            Outcome::Differs(why) | Outcome::Failed(why) | Outcome::LeftOut(why) => Some(why),
        }
    }
}

impl RegenerateArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A name fits nothing that ships, the directory cannot be made, or a signal came.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let wanted = self.wanted()?;
        let unmade = |error| Failure::unavailable(format!("cannot make {}: {error}", shown(&self.into)));
        std::fs::create_dir_all(&self.into).map_err(unmade)?;
        // After a signal the finished certificates stay, and so do the working files of the others.
        let signals = Signals::catch(Left::Files);
        let mut made = Vec::new();
        for (place, shipped) in (1..).zip(&wanted) {
            if !self.talk.quiet {
                say(&format!("{place} of {}: {}", wanted.len(), shipped.file));
            }
            let begun = Instant::now();
            let outcome = self.make(shipped, started, &signals)?;
            made.push(Made { shipped, outcome, seconds: begun.elapsed().as_secs_f64() });
        }
        let mut out = Out::new();
        if self.format.json {
            out.json(&json!({ "certificates": made.iter().map(Made::json).collect::<Vec<_>>() }))?;
        } else {
            out.line(&table(&made))?;
        }
        let any = |wanted: fn(&Outcome) -> bool| made.iter().any(|made| wanted(&made.outcome));
        Ok(match () {
            () if any(|outcome| matches!(outcome, Outcome::Differs(_))) => Exit::Rejected,
            () if any(|outcome| !matches!(outcome, Outcome::Same)) => Exit::Inconclusive,
            () => Exit::Done,
        })
    }

    /// The certificates that are asked for, the quick ones first.
    fn wanted(&self) -> Result<Vec<&'static Shipped>, Failure> {
        if self.names.is_empty() && !self.all && self.under.is_none() {
            let next = "give names, --all for all that ships, or --under 100K for what is small";
            return Err(Failure::usage("no certificate is named").next(next));
        }
        for name in &self.names {
            if !SHIPPED.iter().any(|shipped| is_named(shipped, name)) {
                let near = nearest::variants(name);
                let ships = |near: &String| SHIPPED.iter().any(|shipped| is_named(shipped, near));
                let near = nearest::did_you_mean(&near.into_iter().filter(ships).collect::<Vec<_>>());
                return Err(Failure::usage(format!("nothing that ships is called {name:?}{near}"))
                    .at(name)
                    .next(format!("what ships is of {}", variants_that_ship().join(", "))));
            }
        }
        let is_asked = |shipped: &&Shipped| {
            let named = self.names.is_empty() || self.names.iter().any(|name| is_named(shipped, name));
            named && self.under.is_none_or(|under| shipped.bytes < under)
        };
        let mut wanted: Vec<&Shipped> = SHIPPED.iter().filter(is_asked).collect();
        if let (true, Some(under)) = (wanted.is_empty(), self.under) {
            let what = format!("no file of what is asked for is under {}", memory::shown(under.into()));
            return Err(Failure::usage(what).at("--under").next("give a larger size"));
        }
        wanted.sort_by_key(|shipped| shipped.minutes);
        Ok(wanted)
    }

    /// Makes a certificate, unless its bytes are there.
    fn make(&self, shipped: &Shipped, started: Instant, signals: &Signals) -> Result<Outcome, Failure> {
        if signals.came().is_some() {
            return Err(signals.failure());
        }
        let out = self.into.join(&shipped.file);
        if checksum(&out).is_some_and(|sum| sum == shipped.sha256) {
            return Ok(Outcome::Same);
        }
        let most = self.memory.most();
        if shipped.memory > most {
            let [needed, most] = [shipped.memory, most].map(|bytes| memory::shown(bytes.into()));
            return Ok(Outcome::LeftOut(format!("it takes {needed} of memory, and {most} may be taken")));
        }
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let takes = Duration::from_secs(60 * shipped.minutes / cores);
        if self.within.is_some_and(|within| started.elapsed() + takes > within) {
            let minutes = if shipped.minutes == 1 { "minute" } else { "minutes" };
            return Ok(Outcome::LeftOut(format!("it takes {} {minutes} of a core", shipped.minutes)));
        }
        let program = std::env::current_exe()
            .map_err(|error| Failure::unavailable(format!("cannot tell where gobprove is: {error}")))?;
        let mut command = Command::new(program);
        command
            .args(shipped.command.split(' '))
            .env(PART, "")
            .arg("--out")
            .arg(&out)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if self.talk.quiet {
            command.arg("--quiet");
        }
        // Its stderr goes on to the person at the terminal. Ctrl-C there reaches it as it reaches this process.
        let failed = |error| Failure::unavailable(format!("cannot start it: {error}"));
        let mut child = command.spawn().map_err(failed)?;
        let mut is_told = false;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if let Some(signal) = signals.came().filter(|_| !is_told) {
                is_told = true;
                pass_on(signal, &child);
            }
            thread::sleep(OFTEN);
        };
        let is_ended = |code| [130, 143].contains(&code);
        Ok(match checksum(&out) {
            Some(sum) if sum == shipped.sha256 => Outcome::Same,
            // The signal may have been for that process alone.
            _ if signals.came().is_some() || status.code().is_some_and(is_ended) => {
                return Err(signals.failure());
            }
            Some(sum) if status.success() => Outcome::Differs(format!("{sum} instead of {}", shipped.sha256)),
            _ => Outcome::Failed(format!("gobprove {} ended with {status}", shipped.command)),
        })
    }
}

/// The variants that something ships for, in the order of the files.
fn variants_that_ship() -> Vec<String> {
    let mut variants: Vec<String> = SHIPPED.iter().map(|shipped| shipped.variant.to_string()).collect();
    variants.dedup();
    variants
}

/// Whether a name means a certificate: it is the variant, or whole first words of the file's name.
fn is_named(shipped: &Shipped, name: &str) -> bool {
    let own = shipped.file.strip_suffix(".gobcert").unwrap_or(&shipped.file);
    let name = name.strip_suffix(".gobcert").unwrap_or(name);
    match name.read::<Variant>() {
        // `ab` does not mean `ab-full`.
        Ok(variant) => shipped.variant == variant,
        Err(_) => own.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
    }
}

fn checksum(path: &Path) -> Option<String> {
    read_file(path).ok().map(|bytes| sha256_hex(&bytes))
}

impl Made {
    fn json(&self) -> Value {
        json!({
            "file": self.shipped.file,
            "outcome": self.outcome.word(),
            "why": self.outcome.why(),
            "seconds": self.seconds,
            "sha256": self.shipped.sha256,
        })
    }
}

fn table(all: &[Made]) -> String {
    use Align::{Left, Right};
    let mut table = Table::new(&[("certificate", Left), ("bytes", Left), ("seconds", Right), ("", Left)]);
    for made in all {
        let why = made.outcome.why().unwrap_or_default().to_owned();
        let seconds = format!("{:.1}", made.seconds);
        table.row([made.shipped.file.clone(), made.outcome.word().to_owned(), seconds, why]);
    }
    let same = all.iter().filter(|made| matches!(made.outcome, Outcome::Same)).count();
    format!("{}\n{same} of {} are the bytes that ship", table.text(), all.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("8h", 28_800)] {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for bad in ["", "8", "h", "0h", "-1h", "1.5h", "8d", "99999999999999999999h"] {
            assert!(time(bad).is_err(), "{bad:?}");
        }
    }
}
