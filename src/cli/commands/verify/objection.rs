//! Why a certificate is not accepted.

use super::candidates::Candidate;
use crate::cli::console::exit::{Exit, Failure};
use crate::prelude::*;
use crate::rules::{Game, Move, Position};
use crate::store::{Header, Kind, advice};
use gobcheck::check::Refusal;

/// Why a candidate is not accepted.
pub(super) enum Objection {
    /// It claims something else than what was asked for.
    Other(String),
    /// The checker's refusal.
    Refusal(Refusal),
}

impl Objection {
    /// The exit code for it. If the checker cannot enumerate the variant as its census demands, that says nothing about the
    /// certificate.
    pub(super) fn exit(&self) -> Exit {
        match self {
            Objection::Refusal(Refusal::TooLarge) => Exit::Inconclusive,
            Objection::Other(_) | Objection::Refusal(_) => Exit::Rejected,
        }
    }

    /// What to tell people.
    pub(super) fn failure(&self, candidate: &Candidate) -> Failure {
        let exit = self.exit();
        let is = if exit == Exit::Inconclusive { "cannot be checked here" } else { "is rejected" };
        let why = match self {
            Objection::Other(other) => other.clone(),
            Objection::Refusal(Refusal::Condition(breach)) => {
                format!("{breach}\n{}", breach.position.drawing())
            }
            Objection::Refusal(_) => self.parts(&candidate.bytes).3,
        };
        let failure = Failure::new(exit, format!("{} {is}: {}", candidate.name, why.trim_end()));
        match (self, Header::parse(&candidate.bytes)) {
            (Objection::Other(_), _) => {
                failure.next("ask for what it claims, or give a file that claims what you ask for")
            }
            (_, Ok(header)) => {
                let Game { variant, reading } = header.claim.game;
                let generate = match header.claim.kind {
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

    /// The condition that fails, the position, the move that escapes, and the reason, of a file with these bytes.
    pub(super) fn parts(&self, bytes: &[u8]) -> (String, Option<Position>, Option<Move>, String) {
        match self {
            Objection::Other(other) => ("asked".to_owned(), None, None, other.clone()),
            Objection::Refusal(Refusal::Format(error)) => {
                (format!("format/{}", error.code), None, None, format!("{error}; {}", advice(error, bytes)))
            }
            Objection::Refusal(refusal @ Refusal::TooLarge) => {
                ("too-large".to_owned(), None, None, refusal.to_string())
            }
            Objection::Refusal(Refusal::Condition(breach)) => (
                format!("{:?}", breach.condition),
                Some(breach.position),
                breach.mv,
                breach.reason.to_owned(),
            ),
        }
    }
}
