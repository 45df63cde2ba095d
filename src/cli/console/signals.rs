//! Ctrl-C and SIGTERM. A first signal lets a command that keeps something reach its next safe point; a second one ends it
//! at once. A signal within a tenth of a second of the first counts as the same one, sent to the process and to its group.

use std::fmt::Display;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use std::{env, process, thread};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, iterator};

use super::exit::{Exit, Failure};
use super::progress;

/// What an interrupted command leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// Nothing: it may end at any time.
    Nothing,
    /// Working files, from which the same command goes on. It ends when they are whole.
    Files,
    /// Working files that are whole, beside work that is not saved: it may end at any time.
    Whole,
    /// A result, or something that it tidies up first. It ends by itself.
    Tidy,
}

impl Left {
    /// Whether the command may end at any time. If so, the thread that waits for signals ends it.
    fn may_end(self) -> bool {
        matches!(self, Left::Nothing | Left::Whole)
    }

    /// What a number in [`LEFT`] means.
    fn of(number: u8) -> Left {
        let all = [Left::Nothing, Left::Files, Left::Whole];
        all.into_iter().find(|&left| left as u8 == number).unwrap_or(Left::Tidy)
    }
}

/// The signals that have come since [`Signals::catch`].
#[derive(Clone, Debug)]
pub struct Signals {
    last: Arc<AtomicUsize>,
    left: Left,
}

/// A signal this soon after the first does not count as a second one: `timeout` sends its signal twice, and [`pass_on`]
/// sends it once more.
const TWICE: Duration = Duration::from_millis(100);

/// How long a command may take to end by itself.
const PATIENCE: Duration = Duration::from_millis(900);

/// What the running command leaves, as a number; see [`Left`].
static LEFT: AtomicU8 = AtomicU8::new(Left::Nothing as u8);

/// Whether a thread waits for signals.
static WAITED_FOR: AtomicBool = AtomicBool::new(false);

/// The bytes of that thread's stack: it prints a line.
const STACK: usize = 256 << 10;

/// The last signal that came, 0 before the first.
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The environment variable that marks a process started by another gobprove for a part of its work. A signal reaches both,
/// and the process that the user started says what comes next.
pub const PART: &str = "GOBPROVE_PART";

/// Whether another gobprove says how this process ends.
#[must_use]
pub fn is_part() -> bool {
    env::var_os(PART).is_some()
}

/// From now on a first signal ends the command within a second, unless it has something to leave in order. A second one ends
/// it at once. `tell` says why it ends; with `None` another process says so.
///
/// # Errors
/// The system does not allow signals to be caught.
pub fn heed(tell: Option<fn(&Failure)>) -> Result<(), Failure> {
    let again = Arc::new(AtomicBool::new(false));
    let register = || {
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))?;
            flag::register_usize(signal, Arc::clone(&LAST), signal as usize)?;
        }
        let mut signals = iterator::Signals::new([SIGINT, SIGTERM])?;
        let has_come = Arc::clone(&again);
        let waiting = thread::Builder::new().stack_size(STACK).spawn(move || {
            WAITED_FOR.store(true, Ordering::Relaxed);
            if signals.forever().next().is_some() {
                end(tell, &has_come);
            }
        });
        if waiting.is_ok() {
            // The C library aborts a process in which a thread that begins finds no memory. So it begins before the work takes any.
            while !WAITED_FOR.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        } else {
            // Without memory for that thread, the work itself asks [`Signals::came`], and a second signal ends the process.
            for signal in [SIGINT, SIGTERM] {
                flag::register(signal, Arc::clone(&again))?;
            }
        }
        Ok(())
    };
    register().map_err(|error: io::Error| Failure::unavailable(format!("cannot catch signals: {error}")))
}

/// Acts on a first signal. A command that may end at any time is ended at once. Any other gets [`PATIENCE`] to end by
/// itself, and after [`TWICE`] `again` is set, so that another signal ends the process at once. When that time is over it
/// is ended if it may end by then; else the user is told that it is saving.
fn end(tell: Option<fn(&Failure)>, again: &AtomicBool) {
    let left = || Left::of(LEFT.load(Ordering::Relaxed));
    if !left().may_end() {
        thread::sleep(TWICE);
        again.store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE.saturating_sub(TWICE));
    }
    let left = left();
    if left.may_end() {
        let signals = Signals { last: Arc::clone(&LAST), left };
        let failure = signals.failure();
        progress::clear();
        tell.into_iter().for_each(|tell| tell(&failure));
        process::exit(failure.exit().code().into());
    }
    if is_part() || tell.is_none() {
        return;
    }
    progress::say_above("interrupted: it saves what is done; Ctrl-C once more ends it without that");
}

/// Sends a process the signal that came, in case only this process received it.
#[cfg_attr(not(unix), expect(unused_variables))]
pub fn pass_on(signal: Exit, child: &process::Child) {
    // If it has ended meanwhile there is nobody to tell.
    #[cfg(unix)]
    let _ = rustix::process::kill_process(
        rustix::process::Pid::from_child(child),
        if signal == Exit::Interrupted {
            rustix::process::Signal::INT
        } else {
            rustix::process::Signal::TERM
        },
    );
}

impl Signals {
    /// Sets what the command leaves if a signal comes from now on. Its files on disk are whole at any time, so a second
    /// signal may end the process at once.
    #[must_use]
    pub fn catch(left: Left) -> Signals {
        LEFT.store(left as u8, Ordering::Relaxed);
        Signals { last: Arc::clone(&LAST), left }
    }

    /// How the process should end if a signal came. `None` for a command that may end at any time, while a thread waits for
    /// signals: that thread ends it.
    #[must_use]
    pub fn came(&self) -> Option<Exit> {
        self.last().filter(|_| !self.left.may_end() || !WAITED_FOR.load(Ordering::Relaxed))
    }

    /// [`ControlFlow::Break`] if [`Signals::came`] says that the process should end.
    pub fn goes_on(&self) -> ControlFlow<()> {
        if self.came().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn last(&self) -> Option<Exit> {
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
        self.failure_after(kept, resuming)
    }

    /// The failure that ends an interrupted command: `kept` says what is kept, and `next` how to go on from there.
    #[must_use]
    pub fn failure_after(&self, kept: &str, next: impl Display) -> Failure {
        Failure::new(self.last().unwrap_or(Exit::Interrupted), format!("interrupted; {kept}")).next(next)
    }

    /// The failure that ends an interrupted command that has printed what it found: the same command with this value of
    /// `option` goes on from there.
    #[must_use]
    pub fn failure_with(&self, option: &str, value: &str) -> Failure {
        let arguments = env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        let mut command: Vec<String> = without(arguments, option).collect();
        command.extend([option.to_owned(), value.to_owned()]);
        self.failure_after("what was found is printed", format!("{} goes on from there", quoted_all(command)))
    }

    /// The failure for a disk error in the middle of the work.
    #[must_use]
    pub fn disk_failure(&self, error: impl Display) -> Failure {
        let (kept, resuming) = self.kept();
        Failure::unavailable(error).next(format!("{kept}: once the cause is mended, {resuming}"))
    }

    /// What is kept, and what the same command does with it.
    fn kept(&self) -> (&'static str, String) {
        let command = resuming_command();
        if matches!(self.left, Left::Files | Left::Whole) {
            ("what is finished is kept", format!("{command} goes on from here"))
        } else {
            ("nothing is kept", format!("{command} begins anew"))
        }
    }
}

/// The command that goes on where this one stops.
fn resuming_command() -> String {
    // With `--fresh` the next run would discard what this one has done.
    let kept = env::args_os().filter(|argument| argument != "--fresh");
    quoted_all(kept.map(|argument| argument.to_string_lossy().into_owned()))
}

/// The arguments without an option and its value.
fn without(arguments: impl Iterator<Item = String>, option: &str) -> impl Iterator<Item = String> {
    let mut is_value = false;
    arguments.filter(move |argument| {
        let is_option = argument == option;
        let stays = !is_value && !is_option && !argument.starts_with(&format!("{option}="));
        is_value = is_option;
        stays
    })
}

/// A command, quoted so that a shell reads it back.
fn quoted_all(arguments: impl IntoIterator<Item = String>) -> String {
    arguments.into_iter().map(|argument| quoted(&argument)).collect::<Vec<_>>().join(" ")
}

/// An argument, quoted if a shell would not read it back as it stands.
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
    /// The state after Ctrl-C in a command that keeps nothing.
    pub fn that_came() -> Signals {
        Signals { last: Arc::new(AtomicUsize::new(SIGINT as usize)), left: Left::Tidy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_left_out_with_its_value() {
        for text in ["tune ab --weights x=1 --json", "tune ab --weights=x=1 --json", "tune ab --json"] {
            let arguments = text.split(' ').map(str::to_owned);
            assert_eq!(without(arguments, "--weights").collect::<Vec<_>>(), ["tune", "ab", "--json"]);
        }
    }

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quoted("--out=a/b.gobcert"), "--out=a/b.gobcert");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a\n'\x1b"), r"$'a\u000a\'\u001b'");
    }
}
