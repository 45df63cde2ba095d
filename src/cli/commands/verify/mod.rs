//! `gobprove verify`: checks certificates, those that ship or any file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use crate::certificate::{Claim, Header, Kind, read_file, sha256_hex};
use crate::checker::{self, Condition, Refusal};
use crate::cli::console::args::{self, Format, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::nearest;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Out, say};
use crate::cli::console::shipped::SHIPPED;
use crate::rules::{Game, Move, Position, Reading, Variant};

const AFTER_HELP: &str = "\
A name takes every certificate for exactly its black material and at most its white material; a
refutation, which says that Black wins, is taken for exactly its own. A word that is a variant is
taken as one; write ./ab for a file called ab. Success is exit 0 and a line
`s VERIFIED <claim>` for each certificate; a refusal says which condition fails, where, and by which
move.

Examples:
  gobprove verify ab                     every closure that ships for ab
  gobprove verify ab --kind cut          the cut of ab: every position of the game is looked at
  gobprove verify my.gobcert --json      a file
  gobprove verify --certificates DIR     all that is in a directory
  gobprove verify                        all that ships";

/// Check certificates: those that ship for a variant, or files
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct VerifyArgs {
    /// Variants or certificate files [default: all that ships]
    #[arg(value_name = "VARIANT|FILE")]
    what: Vec<PathBuf>,
    /// The kind of certificate; a file of another is refused [default: all but cuts for a variant, else any]
    #[arg(long, value_parser = args::kind())]
    kind: Option<Kind>,
    /// The reading of the rules; a file made for another is refused [default: any]
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

/// A candidate with what came of it.
struct Checked {
    candidate: Candidate,
    verdict: Result<checker::Verified, Objection>,
    /// In seconds.
    elapsed: f64,
}

/// Why a candidate is not accepted.
enum Objection {
    /// It claims something else than what was asked for.
    Other(String),
    /// The checker's refusal.
    Refusal(Refusal),
}

impl VerifyArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A name is neither a variant nor a path, a file cannot be read, or nothing ships for a variant.
    pub fn run(&self) -> Ended {
        let mut out = Out::new();
        let mut results = Vec::new();
        let mut exits = Vec::new();
        for candidate in self.candidates()? {
            let checked = self.check(candidate);
            exits.push(checked.exit());
            match &checked.verdict {
                Ok(verified) if !self.format.json => {
                    let claim = claim_text(&verified.claim, checked.candidate.asked);
                    out.line(&format!("s VERIFIED {claim}"))?;
                }
                Ok(_) => {}
                Err(objection) => say(&objection.failure(&checked.candidate).to_string()),
            }
            if self.format.json {
                results.push(checked.json());
            }
        }
        let exit = overall(&exits);
        if self.format.json {
            match results.as_slice() {
                [one] => out.json(one)?,
                many => out.json(&json!({ "verdict": word(exit), "certificates": many }))?,
            }
        }
        Ok(exit)
    }

    fn check(&self, candidate: Candidate) -> Checked {
        let started = Instant::now();
        let verdict = match self.objection(&candidate) {
            Some(other) => Err(other),
            None => {
                let progress = Progress::new(format!("checking {}", candidate.name), self.talk);
                let listener = |done, total| progress.at(done, total);
                checker::check(&candidate.bytes, self.threads.count(), &listener).map_err(Objection::Refusal)
            }
        };
        Checked { candidate, verdict, elapsed: started.elapsed().as_secs_f64() }
    }

    /// Whether a file claims something else than what `--kind` and `--reading` ask for.
    fn objection(&self, candidate: &Candidate) -> Option<Objection> {
        let claim = Header::parse(&candidate.bytes).ok()?.claim();
        let kind = self.kind.filter(|&kind| kind != claim.kind).map(|kind| format!("--kind {kind}"));
        let reading = self.reading.filter(|&reading| reading != claim.game.reading);
        let asked = kind.or(reading.map(|reading| format!("--reading {reading}")))?;
        Some(Objection::Other(format!("it claims {claim}, and {asked} was asked for")))
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
                        let kind = self.kind.map_or("closure or refutation", Kind::tag);
                        return Err(nothing(&format!("{variant} of kind {kind}")));
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
        // For a cut every position of the game is looked at: a name means one only if that is asked for.
        let is_meant = |kind| match self.kind {
            Some(wanted) => kind == wanted,
            None => asked.is_none() || kind != Kind::Cut,
        };
        let fits = |bytes: &[u8]| match Header::parse(bytes).map(|header| header.claim()) {
            Ok(claim) => {
                is_meant(claim.kind)
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
        || path.to_string_lossy().contains(std::path::is_separator)
        || path.extension().is_some_and(|extension| extension == "gobcert")
}

fn nothing(what: &str) -> Failure {
    Failure::unavailable(format!("no certificate ships for {what}"))
        .next("`gobprove generate` and `gobprove refute` make some, and `gobprove verify` without a name checks all that ships")
}

/// The exit for several certificates: one that is refuted counts for more than one that could not be
/// checked, and both for more than any that are verified.
fn overall(exits: &[Exit]) -> Exit {
    let met = |exit: &Exit| exits.contains(exit);
    [Exit::Rejected, Exit::Inconclusive].into_iter().find(met).unwrap_or(Exit::Done)
}

/// The verdict in a word.
fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Done => "verified",
        Exit::Inconclusive => "inconclusive",
        _ => "rejected",
    }
}

fn claim_text(claim: &Claim, asked: Option<Variant>) -> String {
    asked.map_or_else(|| claim.to_string(), |asked| claim.text_for(asked))
}

impl Objection {
    /// How a command ends that met it. Where the checker cannot enumerate the variant as its census demands,
    /// nothing is said about the certificate.
    fn exit(&self) -> Exit {
        match self {
            Objection::Refusal(Refusal::Condition(breach)) if breach.condition == Condition::Census => {
                Exit::Inconclusive
            }
            Objection::Other(_) | Objection::Refusal(_) => Exit::Rejected,
        }
    }

    /// What to tell people.
    fn failure(&self, candidate: &Candidate) -> Failure {
        let exit = self.exit();
        let is = if exit == Exit::Inconclusive { "cannot be checked here" } else { "is rejected" };
        let why = match self {
            Objection::Other(other) => other.clone(),
            Objection::Refusal(refusal) => refusal.to_string(),
        };
        let failure = Failure::new(exit, format!("{} {is}: {}", candidate.name, why.trim_end()));
        match (self, Header::parse(&candidate.bytes)) {
            (Objection::Other(_), _) => {
                failure.next("ask for what it claims, or give a file that claims what you ask for")
            }
            (_, Ok(header)) => {
                let Game { variant, reading } = header.game;
                let generate = match header.kind {
                    Kind::Refutation => format!("gobprove refute {variant} --reading {reading}"),
                    kind => format!("gobprove generate {variant} --reading {reading} --kind {kind}"),
                };
                failure.next(format!(
                    "do not rely on this file: take it again from where it was published, or make it anew with `{generate}`"
                ))
            }
            (_, Err(_)) => failure.next(
                "take the file again from where it was published, or make one with `gobprove generate`",
            ),
        }
    }

    /// The condition that fails, the position, the move that escapes, and the reason.
    fn parts(&self) -> (String, Option<Position>, Option<Move>, String) {
        match self {
            Objection::Other(other) => ("asked".to_owned(), None, None, other.clone()),
            Objection::Refusal(Refusal::Format(error)) => {
                (format!("format/{}", error.code()), None, None, error.to_string())
            }
            Objection::Refusal(Refusal::Condition(breach)) => {
                (breach.condition.to_string(), breach.position, breach.mv, breach.reason.clone())
            }
        }
    }
}

impl Checked {
    fn exit(&self) -> Exit {
        self.verdict.as_ref().err().map_or(Exit::Done, Objection::exit)
    }

    fn json(&self) -> Value {
        let bytes = &self.candidate.bytes;
        let claim = Header::parse(bytes).ok().map(|header| header.claim());
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
        if let (Err(objection), Some(object)) = (&self.verdict, value.as_object_mut()) {
            let (condition, position, mv, reason) = objection.parts();
            object.insert("condition".to_owned(), condition.into());
            object.insert("position".to_owned(), position.map(|position| position.to_string()).into());
            object.insert("move".to_owned(), mv.map(|mv| mv.to_string()).into());
            object.insert("reason".to_owned(), reason.into());
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::Breach;

    #[test]
    fn what_is_refuted_counts_most() {
        use Exit::{Done, Inconclusive, Rejected};
        assert_eq!(overall(&[Done, Done]), Done);
        assert_eq!(overall(&[Done, Inconclusive, Done]), Inconclusive);
        assert_eq!(overall(&[Inconclusive, Rejected, Done]), Rejected);
    }

    #[test]
    fn a_variant_beyond_the_checker_refutes_nothing() {
        let breach = |condition| Breach {
            condition,
            position: None,
            mv: None,
            reason: "too many placements".to_owned(),
        };
        let exit = |condition| Objection::Refusal(Refusal::Condition(breach(condition))).exit();
        assert_eq!(exit(Condition::Census), Exit::Inconclusive);
        assert_eq!(exit(Condition::K3), Exit::Rejected);
        let candidate = Candidate { name: "x.gobcert".to_owned(), bytes: Vec::new(), asked: None };
        let text = Objection::Refusal(Refusal::Condition(breach(Condition::Census))).failure(&candidate);
        assert!(text.to_string().starts_with("error: x.gobcert cannot be checked here: "), "{text}");
    }
}
