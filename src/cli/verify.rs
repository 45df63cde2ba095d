//! `gobprove verify`: checks certificates, those that ship or any file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};

use super::args::{self, Format, Talk, Threads};
use super::exit::{Ended, Exit, Failure, shown};
use super::nearest;
use super::progress::Progress;
use super::report::{Out, say};
use super::shipped::SHIPPED;
use crate::certificate::{Claim, FormatError, Header, Kind, read_file};
use crate::checker::{self, Refusal};
use crate::rules::{Reading, Variant};

const AFTER_HELP: &str = "\
Examples:
  gobprove verify ab                     every closure that ships for ab
  gobprove verify ab --kind cut          the cut of ab: every position of the game is looked at
  gobprove verify my.gobcert --json      a file
  gobprove verify                        all that ships

A name takes every certificate for exactly its black material and at most its white material. Success is exit 0 and
a line `s VERIFIED <claim>` for each certificate; a refusal says which condition fails, where, and by which move.";

/// Check certificates: those that ship for a variant, or files
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct VerifyArgs {
    /// Variants or certificate files [default: all that ships]
    #[arg(value_name = "VARIANT|FILE")]
    what: Vec<PathBuf>,
    /// Take certificates of this kind [default: closures; for files and for all that ships, either]
    #[arg(long, value_parser = args::kind())]
    kind: Option<Kind>,
    /// Take certificates of this reading [default: any]
    #[arg(long, value_parser = args::reading())]
    reading: Option<Reading>,
    /// Take certificates from this directory instead of those inside the program
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// A certificate to check.
struct Candidate {
    /// Where it comes from.
    name: String,
    bytes: Vec<u8>,
    /// The variant that was asked for by name.
    asked: Option<Variant>,
}

/// A candidate with what the checker said of it.
struct Checked {
    candidate: Candidate,
    verdict: Result<checker::Verified, Refusal>,
    elapsed: f64,
}

impl VerifyArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A name is neither a variant nor a path, a file cannot be read, or nothing ships for a variant.
    pub fn run(&self) -> Ended {
        let candidates = self.candidates()?;
        let mut out = Out::new();
        let mut results = Vec::new();
        let mut all_verified = true;
        for candidate in candidates {
            let checked = self.check(candidate);
            all_verified &= checked.verdict.is_ok();
            if self.format.json {
                results.push(checked.json());
            }
            match &checked.verdict {
                Ok(verified) if !self.format.json => {
                    out.line(&format!(
                        "s VERIFIED {}",
                        claim_text(&verified.claim, checked.candidate.asked)
                    ))?;
                }
                Ok(_) => {}
                Err(refusal) => say(&format!(
                    "rejected: {}: {refusal}\n  next: take the file from where it was published, or generate it anew",
                    checked.candidate.name
                )),
            }
        }
        if self.format.json {
            match results.as_slice() {
                [one] => out.json(one)?,
                many => out.json(&json!({ "verdict": verdict(all_verified), "certificates": many }))?,
            }
        }
        Ok(if all_verified { Exit::Done } else { Exit::Rejected })
    }

    fn check(&self, candidate: Candidate) -> Checked {
        let started = Instant::now();
        let progress = Progress::new(format!("checking {}", candidate.name), self.talk);
        let verdict =
            checker::check(&candidate.bytes, self.threads.count(), &|done, total| progress.at(done, total));
        Checked { candidate, verdict, elapsed: started.elapsed().as_secs_f64() }
    }

    fn candidates(&self) -> Result<Vec<Candidate>, Failure> {
        if self.what.is_empty() {
            let all = self.on_offer(None)?;
            return if all.is_empty() { Err(nothing("what was asked for")) } else { Ok(all) };
        }
        let mut candidates = Vec::new();
        for what in &self.what {
            let text = what.to_string_lossy();
            match text.parse::<Variant>() {
                Ok(variant) => {
                    let found = self.on_offer(Some(variant))?;
                    if found.is_empty() {
                        return Err(nothing(&format!(
                            "{variant} of kind {}",
                            self.kind.unwrap_or(Kind::Closure)
                        )));
                    }
                    candidates.extend(found);
                }
                Err(_) if looks_like_a_file(what) => candidates.push(file(what)?),
                Err(error) => {
                    let near = nearest::did_you_mean(&nearest::variants(&text));
                    return Err(Failure::usage(format!("{error}, and no file has that name{near}")));
                }
            }
        }
        Ok(candidates)
    }

    /// The certificates on offer that fit what is asked: those inside the program, or in a directory.
    fn on_offer(&self, asked: Option<Variant>) -> Result<Vec<Candidate>, Failure> {
        let kind = if asked.is_some() { Some(self.kind.unwrap_or(Kind::Closure)) } else { self.kind };
        let fits = |bytes: &[u8]| match Header::parse(bytes).map(|header| header.claim()) {
            Ok(claim) => {
                kind.is_none_or(|kind| claim.kind == kind)
                    && self.reading.is_none_or(|reading| claim.game.reading == reading)
                    && asked.is_none_or(|asked| claim.covers(asked))
            }
            // What cannot be read may be what was asked for: to pass it over would hide the damage.
            Err(_) => true,
        };
        let candidate = |name: String, bytes: Vec<u8>| Candidate { name, bytes, asked };
        let Some(dir) = &self.certificates else {
            let inside = SHIPPED.iter().filter(|shipped| fits(shipped.bytes));
            return Ok(inside
                .map(|shipped| candidate(shipped.name.to_owned(), shipped.bytes.to_vec()))
                .collect());
        };
        let mut found = Vec::new();
        for path in certificate_files(dir)? {
            let one = file(&path)?;
            if fits(&one.bytes) {
                found.push(candidate(one.name, one.bytes));
            }
        }
        Ok(found)
    }
}

/// The certificate files of a directory, by name.
fn certificate_files(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failure = |error| Failure::unavailable(format!("{}: cannot be listed: {error}", shown(dir)));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        if path.extension().is_some_and(|extension| extension == "gobcert") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn file(path: &Path) -> Result<Candidate, Failure> {
    let bytes = read_file(path).map_err(Failure::unavailable)?;
    Ok(Candidate { name: shown(path), bytes, asked: None })
}

/// Whether a word is meant as a path: it is there, or it could be nothing else.
fn looks_like_a_file(path: &Path) -> bool {
    path.exists()
        || path.components().count() > 1
        || path.is_absolute()
        || path.extension().is_some_and(|extension| extension == "gobcert")
}

fn nothing(what: &str) -> Failure {
    Failure::unavailable(format!("no certificate ships for {what}"))
        .next("`gobprove generate` makes one, and `gobprove verify` without a name checks all that ships")
}

fn verdict(verified: bool) -> &'static str {
    if verified { "verified" } else { "rejected" }
}

fn claim_text(claim: &Claim, asked: Option<Variant>) -> String {
    asked.map_or_else(|| claim.to_string(), |asked| claim.text_for(asked))
}

impl Checked {
    fn json(&self) -> Value {
        let bytes = &self.candidate.bytes;
        let claim = Header::parse(bytes).ok().map(|header| header.claim());
        let mut object = Map::new();
        object.insert("verdict".to_owned(), verdict(self.verdict.is_ok()).into());
        object.insert("file".to_owned(), self.candidate.name.clone().into());
        object.insert("claim".to_owned(), claim.map(|claim| claim_text(&claim, self.candidate.asked)).into());
        object.insert("variant".to_owned(), claim.map(|claim| claim.game.variant.to_string()).into());
        object.insert("reading".to_owned(), claim.map(|claim| claim.game.reading.tag()).into());
        object.insert("kind".to_owned(), claim.map(|claim| claim.kind.tag()).into());
        object.insert("sha256".to_owned(), crate::certificate::sha256_hex(bytes).into());
        let checked = self.verdict.as_ref().ok().map(|verified| verified.positions_checked);
        object.insert("positions_checked".to_owned(), checked.into());
        object.insert("elapsed_s".to_owned(), self.elapsed.into());
        if let Err(refusal) = &self.verdict {
            let (condition, position, mv, reason) = match refusal {
                Refusal::Format(error) => (format_condition(error), None, None, error.to_string()),
                Refusal::Condition(breach) => (
                    breach.condition.to_string(),
                    breach.position.map(|position| position.to_string()),
                    breach.mv.map(|mv| mv.to_string()),
                    breach.reason.clone(),
                ),
            };
            object.insert("condition".to_owned(), condition.into());
            object.insert("position".to_owned(), position.into());
            object.insert("move".to_owned(), mv.into());
            object.insert("reason".to_owned(), reason.into());
        }
        Value::Object(object)
    }
}

fn format_condition(error: &FormatError) -> String {
    format!("format/{}", error.code())
}
