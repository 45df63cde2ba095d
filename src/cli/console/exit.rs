//! Exit codes, and failures that carry one.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::store::{ReadError, StoreError, WriteError};

/// The exit code of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exit {
    /// Done, or verified: 0.
    Done,
    /// Rejected or refuted: what was read is not an acceptable certificate, or the claim is false: 1.
    Rejected,
    /// The command line is wrong: 2.
    Usage,
    /// A limit was reached before there was an answer: 3.
    Inconclusive,
    /// Something cannot be opened, read, written or had: 4.
    Unavailable,
    /// A mistake in gobprove itself: 101, as Rust's panics exit.
    Bug,
    /// Stopped by Ctrl-C; the command that goes on is printed: 130.
    Interrupted,
    /// Stopped by SIGTERM; the command that goes on is printed: 143.
    Terminated,
}

impl Exit {
    /// All of them, by number.
    pub const ALL: [Exit; 8] = [
        Exit::Done,
        Exit::Rejected,
        Exit::Usage,
        Exit::Inconclusive,
        Exit::Unavailable,
        Exit::Bug,
        Exit::Interrupted,
        Exit::Terminated,
    ];

    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Rejected => 1,
            Exit::Usage => 2,
            Exit::Inconclusive => 3,
            Exit::Unavailable => 4,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
        }
    }
}

impl Exit {
    /// The word for it in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Rejected => "rejected",
            Exit::Usage => "usage",
            Exit::Inconclusive => "inconclusive",
            Exit::Unavailable => "unavailable",
            Exit::Bug => "bug",
            Exit::Interrupted => "interrupted",
            Exit::Terminated => "terminated",
        }
    }
}

impl Exit {
    /// The exit code of a command that did several things: the first of rejected, usage, unavailable and inconclusive that
    /// is among `exits`, else done.
    #[must_use]
    pub fn overall(exits: &[Exit]) -> Exit {
        let met = |exit: &Exit| exits.contains(exit);
        let order = [Exit::Rejected, Exit::Usage, Exit::Unavailable, Exit::Inconclusive];
        order.into_iter().find(met).unwrap_or(Exit::Done)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command ends without a result: what is wrong and where, and what to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    exit: Exit,
    what: String,
    place: Option<String>,
    line: Option<u64>,
    next: Option<String>,
}

impl Failure {
    /// A failure with this exit code. The message `what` is one clause without `error:` and without a full stop.
    #[must_use]
    pub fn new(exit: Exit, what: impl fmt::Display) -> Failure {
        Failure { exit, what: what.to_string(), place: None, line: None, next: None }
    }

    /// The command line asks for something that does not exist.
    #[must_use]
    pub fn usage(what: impl fmt::Display) -> Failure {
        Failure::new(Exit::Usage, what)
    }

    /// Something cannot be opened, read, written or had.
    #[must_use]
    pub fn unavailable(what: impl fmt::Display) -> Failure {
        Failure::new(Exit::Unavailable, what)
    }

    /// Says where the fault is: a file, or an argument of the command line.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Failure {
        self.place = Some(place.to_string());
        self
    }

    /// Says on which line of stdin the fault is, counted from 1.
    #[must_use]
    pub fn on_line(mut self, line: u64) -> Failure {
        self.line = Some(line);
        self
    }

    /// Says what to do next.
    #[must_use]
    pub fn next(mut self, next: impl fmt::Display) -> Failure {
        self.next = Some(next.to_string());
        self
    }

    /// The text for stderr when the command has not failed and this is only worth knowing.
    #[must_use]
    pub fn note(&self) -> String {
        let next = self.next.as_ref().map(|next| format!("\n  next: {next}"));
        format!("note: {}{}", self.what, next.unwrap_or_default())
    }

    /// The failure as an object, for commands that print JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut object = json!({
            "error": self.what,
            "code": self.exit.word(),
            "where": self.place,
            "next": self.next,
        });
        if let Some(line) = self.line {
            object["line"] = line.into();
        }
        object
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        self.exit
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        let place = shown(&error.path);
        Failure::unavailable(error).at(place)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        let place = shown(&error.path);
        Failure::unavailable(error).at(place)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let (StoreError::Read { path, .. } | StoreError::Damaged { path, .. }) = &error;
        let place = shown(path);
        Failure::unavailable(error).at(place)
    }
}

/// The whole text for stderr, without an end of line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        match &self.next {
            Some(next) => write!(f, "\n  next: {next}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// How a command ends.
pub type Ended = Result<Exit, Failure>;

/// A path as people type it; characters that a terminal would act on are escaped.
#[must_use]
pub fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.chars().any(char::is_control) { text.escape_debug().to_string() } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        assert_eq!(Exit::ALL.map(Exit::code), [0, 1, 2, 3, 4, 101, 130, 143]);
    }

    #[test]
    fn what_is_rejected_counts_most() {
        use Exit::{Done, Inconclusive, Rejected, Unavailable, Usage};
        assert_eq!(Exit::overall(&[Done, Done]), Done);
        assert_eq!(Exit::overall(&[Done, Inconclusive, Done]), Inconclusive);
        assert_eq!(Exit::overall(&[Inconclusive, Unavailable]), Unavailable);
        assert_eq!(Exit::overall(&[Unavailable, Usage]), Usage);
        assert_eq!(Exit::overall(&[Inconclusive, Rejected, Done]), Rejected);
    }

    #[test]
    fn a_failure_says_what_and_what_next() {
        let failure = Failure::unavailable("no closure ships for abc").next("generate one");
        assert_eq!(failure.to_string(), "error: no closure ships for abc\n  next: generate one");
        assert_eq!(failure.exit(), Exit::Unavailable);
        assert_eq!(Failure::usage("x").to_string(), "error: x");
        let object = r#"{"error":"x","code":"usage","where":"FILE","next":null}"#;
        assert_eq!(Failure::usage("x").at("FILE").json().to_string(), object);
        assert_eq!(Failure::usage("x").on_line(7).json()["line"], 7);
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(shown(Path::new("a b/č.gobcert")), "a b/č.gobcert");
        assert_eq!(shown(Path::new("a\x1b[2Jb")), "a\\u{1b}[2Jb");
    }
}
