//! Ctrl-C and SIGTERM: the first lets the work reach its next safe point, the second ends it at once.

use std::env;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, Failure};

/// The signals that have come since [`Signals::catch`].
#[derive(Clone, Debug)]
pub struct Signals {
    last: Arc<AtomicUsize>,
    kept: bool,
}

impl Signals {
    /// From now on a first signal is only noted. What the work has on disk is whole at any time, so a
    /// second one may end the process where it stands. `kept` says whether the same command finds there what this one
    /// has finished.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn catch(kept: bool) -> Result<Signals, Failure> {
        let last = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds `again` unset, sets it, and is noted.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&last), signal as usize))
                .map_err(|error| Failure::unavailable(format!("cannot catch signals: {error}")))?;
        }
        Ok(Signals { last, kept })
    }

    /// How the process should end if a signal came.
    #[must_use]
    pub fn came(&self) -> Option<Exit> {
        match self.last.load(Ordering::Relaxed) {
            0 => None,
            signal if signal == SIGTERM as usize => Some(Exit::Terminated),
            _ => Some(Exit::Interrupted),
        }
    }

    /// The failure that ends an interrupted command, with the command that goes on from here or begins anew.
    #[must_use]
    pub fn failure(&self) -> Failure {
        let (kept, resuming) = self.kept();
        Failure::new(self.came().unwrap_or(Exit::Interrupted), format!("interrupted; {kept}")).next(resuming)
    }

    /// The failure of a disk in the middle of the work.
    #[must_use]
    pub fn disk_failure(&self, error: impl Display) -> Failure {
        let (kept, resuming) = self.kept();
        Failure::unavailable(error).next(format!("{kept}: once the cause is mended, {resuming}"))
    }

    /// What is kept, and what the same command does with it.
    fn kept(&self) -> (&'static str, String) {
        let command = resuming_command();
        if self.kept {
            ("what is finished is kept", format!("{command} goes on from here"))
        } else {
            ("nothing is kept", format!("{command} begins anew"))
        }
    }
}

/// The command that goes on where this one stops.
fn resuming_command() -> String {
    // Going on must not discard what this run has done.
    let kept = env::args_os().filter(|argument| argument != "--fresh");
    kept.map(|argument| quoted(&argument.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// An argument as a shell reads it back.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    if !argument.contains(char::is_control) {
        return format!("'{}'", argument.replace('\'', r"'\''"));
    }
    let letter = |c: char| match c {
        '\'' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("$'{}'", argument.chars().map(letter).collect::<String>())
}

#[cfg(test)]
impl Signals {
    /// As after Ctrl-C, of a process that keeps nothing.
    pub fn that_came() -> Signals {
        Signals { last: Arc::new(AtomicUsize::new(SIGINT as usize)), kept: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quoted("--out=a/b.gobcert"), "--out=a/b.gobcert");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a\n'\x1b"), r"$'a\u000a\'\u001b'");
    }
}
