//! `gobprove verify`: checks certificates, those that ship or any file.

mod candidates;
mod objection;
mod with;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use candidates::Candidate;
use objection::Objection;
use with::{CheckerFound, Other, Said};

use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::lattice;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, say};
use crate::cli::console::shipped::Shipped;
use crate::explain::knowledge::follows;
use crate::prelude::*;
use crate::rules::{Game, Reading, Variant};
use crate::store::{Claim, Header, Kind, sha256_hex};
use gobcheck::check as checker;

const AFTER_HELP: &str = "\
A variant selects the closures and cuts with the same black pieces and no more white ones, and the
refutations, which say that Black wins, with exactly its pieces. A word that is a variant is taken
as one; write ./ab for a file called ab. Success is exit 0 and a line `s VERIFIED <claim>` for each
certificate; a refusal says which condition fails, where, and by which move. Where nothing ships for
a variant and its value follows from what ships for another, that is checked, and a line `therefore
<claim>: <why>` says what follows: more white pieces never hurt White, more black ones never Black,
and what White holds under robust it holds under every reading.

Examples:
  gobprove verify ab                     every closure that ships for ab
  gobprove verify ab --kind cut          the cut of ab: every position of the game is looked at
  gobprove verify my.gobcert --json      a file
  gobprove verify --certificates DIR     all that is in a directory
  gobprove verify                        all that ships and is at hand
  gobprove verify --all                  all that ships, with a line that sums up
  gobprove verify ab --with coq,python   two more checkers, and a table of what each says

A table of other checkers has a row for each file and a column for each checker, with its verdict and
seconds. The checker in Coq judges no cuts. The one in Python judges some 2,000 to 5,000 positions a second, and
is asked of files from 100 kB on only with --any-size. All that ships takes it hours, so name some files
at a time. Ctrl-C ends the checker that runs and prints the rows that are done.

Certificates of less than 100 kB are inside the program. The others that ship are looked for in the
directory that GOBPROVE_CERTIFICATES names, in certificates/ beside the program, in ../share/gobprove and
../../certificates from there, and in ./certificates.";

const REPORT: &str = "one of the checkers is wrong: rely on neither verdict, and report the file";

/// Check certificates: those that ship for a variant, or files
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct VerifyArgs {
    /// Variants or certificate files, - for one on stdin [default: all that ships and can be found]
    #[arg(value_name = "VARIANT|FILE")]
    what: Vec<PathBuf>,
    /// All that ships, with a line that sums up; what cannot be found is a failure
    #[arg(long, conflicts_with_all = ["what", "certificates"])]
    all: bool,
    /// The kind of certificate; a file of another is refused [default: all but cuts for a variant, else any]
    #[arg(long, value_parser = args::kind())]
    kind: Option<Kind>,
    /// The reading of the rules; a file made for another is refused [default: any]
    #[arg(long, value_parser = args::reading())]
    reading: Option<Reading>,
    /// Take all certificates of this directory instead of those that ship
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    /// Have other checkers judge each file too; a file on which they differ is a failure
    #[arg(long, value_name = "CHECKER", value_delimiter = ',')]
    with: Vec<Other>,
    /// Have the checker in Python judge files of 100 kB or more too, which takes minutes to hours each
    #[arg(long, requires = "with")]
    any_size: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// A candidate with what came of it.
struct Checked {
    candidate: Candidate,
    verdict: Result<checker::Verified, Objection>,
    /// In seconds.
    elapsed: f64,
    /// What the other checkers say, in the order in which they were asked for.
    others: Vec<(&'static str, Said)>,
}

impl VerifyArgs {
    /// Runs the command. A file that cannot be found or read is reported in its place, and the others are still checked.
    ///
    /// # Errors
    /// The result cannot be written.
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let mut out = Out::new();
        let (mut told, mut exits, mut files) = (Vec::new(), Vec::new(), Vec::new());
        let others = self.with.iter().map(|other| other.find()).collect::<Result<Vec<_>, _>>()?;
        let names = ["file", "gobcheck"].into_iter().chain(others.iter().map(|other| other.name));
        let mut table = Table::new(&names.map(|name| (name, Align::Left)).collect::<Vec<_>>());
        let asked = self.asked();
        let count = asked.len();
        let mut ended = Ok(());
        for (place, asked) in (1..).zip(asked) {
            let checked = match asked {
                Ok(candidate) => {
                    let place = (count > 1).then(|| format!("{place} of {count}, "));
                    match self.check(candidate, place, &others) {
                        Ok(checked) => checked,
                        Err(failure) => {
                            ended = Err(failure);
                            break;
                        }
                    }
                }
                Err(failure) => {
                    exits.push(failure.exit());
                    say(&failure.to_string());
                    told.push(failure.json());
                    continue;
                }
            };
            exits.push(checked.exit());
            match &checked.verdict {
                Ok(verified) if !self.format.json => {
                    let claim = claim_text(&verified.claim, checked.candidate.asked);
                    out.line(&format!("s VERIFIED {claim}"))?;
                    for game in &checked.candidate.implied {
                        let because = lattice::reason(&verified.claim, game);
                        out.line(&format!("therefore {}: {because}", carried_over(&verified.claim, game)))?;
                    }
                }
                Ok(_) => {}
                Err(objection) => say(&objection.failure(&checked.candidate).to_string()),
            }
            for (name, said) in checked.contradictions() {
                let failure =
                    Failure::new(Exit::Rejected, format!("the checker {name} says: {}", said.text()));
                say(&failure.at(&checked.candidate.name).next(REPORT).to_string());
            }
            table.row(checked.row());
            told.push(checked.json());
            files.push(checked);
        }
        if !others.is_empty() && !self.format.json {
            out.line(&table.text())?;
            for (place, other) in others.iter().enumerate() {
                out.line(&agreement(other.name, place, &files))?;
            }
        }
        ended?;
        let exit = Exit::overall(&exits);
        let verified = exits.iter().filter(|exit| **exit == Exit::Done).count();
        let elapsed = started.elapsed().as_secs_f64();
        if self.format.json {
            match told.as_slice() {
                [one] => out.json(one)?,
                many => out.json(&json!({ "verdict": word(exit), "certificates": many }))?,
            }
        } else if self.all {
            let (all, which) = (Shipped::of(|claim| self.fits(claim)).count(), self.which_of_all());
            out.line(&format!(
                "{verified} of the {all} certificates that ship{which} are verified, in {elapsed:.1} s"
            ))?;
        }
        Ok(exit)
    }

    /// Which of those that ship were asked for, as words after that; empty for all.
    fn which_of_all(&self) -> String {
        let kind = self.kind.map(|kind| format!("of kind {kind}"));
        let reading = self.reading.map(|reading| format!("for the reading {reading}"));
        kind.into_iter().chain(reading).map(|which| format!(" {which}")).collect()
    }

    /// Checks a candidate. `place` says which of several it is.
    fn check(
        &self,
        candidate: Candidate,
        place: Option<String>,
        others: &[CheckerFound],
    ) -> Result<Checked, Failure> {
        let started = Instant::now();
        let label = format!("checking {}{}", place.unwrap_or_default(), candidate.name);
        let verdict = match self.objection(&candidate) {
            Some(other) => Err(other),
            None => {
                let progress = Progress::new(label.as_str(), self.talk);
                let listener = |done, total| progress.at(done, total);
                checker::check(&candidate.bytes, self.threads.count(), &listener).map_err(Objection::Refusal)
            }
        };
        let elapsed = started.elapsed().as_secs_f64();
        let ask = |other: &CheckerFound| {
            let _progress = Progress::new(format!("{label} by {}", other.name), self.talk);
            Ok((other.name, other.judge(&candidate.bytes, self.any_size)?))
        };
        let others = others.iter().map(ask).collect::<Result<_, Failure>>()?;
        Ok(Checked { candidate, verdict, elapsed, others })
    }

    /// Whether a file claims something else than what was asked for.
    fn objection(&self, candidate: &Candidate) -> Option<Objection> {
        let claim = Header::parse(&candidate.bytes).ok()?.claim;
        let variant = candidate.asked.filter(|&asked| !claim.covers(asked)).map(|asked| asked.to_string());
        let implied = candidate.implied.iter().find(|game| !follows(&claim, game));
        if let Some(game) = implied {
            let what = format!("it claims {claim}, and nothing follows of {} {}", game.variant, game.reading);
            return Some(Objection::Other(what));
        }
        let kind = self.kind.filter(|&kind| kind != claim.kind).map(|kind| format!("--kind {kind}"));
        let reading =
            self.reading.filter(|&reading| reading != claim.game.reading && candidate.implied.is_empty());
        let asked = variant.or(kind).or(reading.map(|reading| format!("--reading {reading}")))?;
        Some(Objection::Other(format!("it claims {claim}, and {asked} was asked for")))
    }
}

/// The verdict in a word.
fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Done => "verified",
        Exit::Rejected => "rejected",
        _ => "inconclusive",
    }
}

/// A line that says on how many files the checker at `place` agrees with the one inside.
fn agreement(name: &str, place: usize, files: &[Checked]) -> String {
    let judged = |checked: &&Checked| checked.others.get(place).is_some_and(|(_, said)| said.is_verdict());
    let differs = |checked: &&Checked| checked.contradictions().any(|(other, _)| other == name);
    let (all, judged) = (files.len(), files.iter().filter(judged).count());
    let agrees = judged - files.iter().filter(differs).count().min(judged);
    format!("{name}: the verdict of gobcheck on {agrees} of {judged} files, {} not judged", all - judged)
}

fn exit_of(verdict: &Result<checker::Verified, Objection>) -> Exit {
    verdict.as_ref().err().map_or(Exit::Done, Objection::exit)
}

/// What a claim says of another game.
fn carried_over(claim: &Claim, game: &Game) -> String {
    format!("{} {} {}", game.variant, game.reading, claim.kind.value())
}

fn claim_text(claim: &Claim, asked: Option<Variant>) -> String {
    asked.map_or_else(|| claim.to_string(), |asked| claim.text_for(asked))
}

impl Checked {
    fn exit(&self) -> Exit {
        let exit = exit_of(&self.verdict);
        if self.contradictions().next().is_some() { Exit::Rejected } else { exit }
    }

    /// The other verdicts that differ from that of the checker inside. Other checkers judge the file alone, so a refusal
    /// because another claim was asked for is no contradiction.
    fn contradictions(&self) -> impl Iterator<Item = (&'static str, &Said)> {
        let line = self.verdict.as_ref().ok().map(|verified| format!("s VERIFIED {}", verified.claim));
        let judged = match &self.verdict {
            Err(Objection::Other(_)) => false,
            verdict => matches!(exit_of(verdict), Exit::Done | Exit::Rejected),
        };
        let differs = move |said: &Said| judged && !said.agrees(line.as_deref());
        self.others.iter().filter(move |(_, said)| differs(said)).map(|(name, said)| (*name, said))
    }

    /// The row of the table.
    fn row(&self) -> Vec<String> {
        let own = format!("{}, {:.1} s", word(exit_of(&self.verdict)), self.elapsed);
        let own = [self.candidate.name.clone(), own];
        own.into_iter().chain(self.others.iter().map(|(_, said)| said.cell())).collect()
    }

    fn json(&self) -> Value {
        let bytes = &self.candidate.bytes;
        let claim = Header::parse(bytes).ok().map(|header| header.claim);
        let mut value = json!({
            "verdict": word(self.exit()),
            "file": self.candidate.name,
            "claim": claim.map(|claim| claim_text(&claim, self.candidate.asked)),
            "variant": claim.map(|claim| claim.game.variant.to_string()),
            "reading": claim.map(|claim| claim.game.reading.tag()),
            "value": claim.filter(|_| self.verdict.is_ok()).map(|claim| claim.kind.value()),
            "kind": claim.map(|claim| claim.kind.tag()),
            "sha256": sha256_hex(bytes),
            "positions_checked": self.verdict.as_ref().ok().map(|verified| verified.positions_checked),
            "elapsed_s": self.elapsed,
        });
        if !self.others.is_empty() {
            let of = |(name, said): &(&str, Said)| ((*name).to_owned(), Value::from(said.word()));
            value["others"] = Value::Object(self.others.iter().map(of).collect());
            value["contradicted"] = self.contradictions().next().is_some().into();
        }
        let implied = &self.candidate.implied;
        if let (Ok(verified), false) = (&self.verdict, implied.is_empty()) {
            value["therefore"] = implied.iter().map(|game| carried_over(&verified.claim, game)).collect();
        }
        if let (Err(objection), Some(object)) = (&self.verdict, value.as_object_mut()) {
            let (condition, position, mv, reason) = objection.parts(bytes);
            object.insert("condition".to_owned(), condition.into());
            object.insert("position".to_owned(), position.map(|position| position.to_string()).into());
            object.insert("move".to_owned(), mv.map(|mv| mv.to_string()).into());
            object.insert("reason".to_owned(), reason.into());
            object.insert("next".to_owned(), objection.failure(&self.candidate).json()["next"].take());
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Color, Position};
    use gobcheck::check::{Breach, Condition, Refusal};

    #[test]
    fn a_variant_beyond_the_checker_refutes_nothing() {
        let position = Position::empty(Color::White);
        let breach = Breach { condition: Condition::K3, position, mv: None, reason: "a reason" };
        assert_eq!(Objection::Refusal(Refusal::TooLarge).exit(), Exit::Inconclusive);
        assert_eq!(Objection::Refusal(Refusal::Condition(breach)).exit(), Exit::Rejected);
        let name = "x.gobcert".to_owned();
        let candidate = Candidate { name, bytes: Vec::new().into(), asked: None, implied: Vec::new() };
        let text = Objection::Refusal(Refusal::TooLarge).failure(&candidate);
        assert!(text.to_string().starts_with("error: x.gobcert cannot be checked here: "), "{text}");
    }
}
