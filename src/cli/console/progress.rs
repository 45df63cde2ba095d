//! How far the work is, on stderr: a bar on a terminal, a plain line now and then elsewhere.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Talk;
use super::report::say;

/// How often a plain line is printed.
const INTERVAL: Duration = Duration::from_secs(10);

/// As [`INTERVAL`], with `--verbose`.
const VERBOSE_INTERVAL: Duration = Duration::from_secs(1);

/// Tells people how far one piece of work is; threads may share it. What it showed on a terminal is gone
/// when it is dropped.
#[derive(Debug)]
pub struct Progress {
    label: String,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Silent,
    Bar(ProgressBar),
    Lines { interval: Duration, last: Mutex<Instant> },
}

impl Progress {
    /// Progress of some work, named in a few words such as `checking ab`.
    #[must_use]
    pub fn new(label: impl Into<String>, talk: Talk) -> Progress {
        let label = label.into();
        let shape = if talk.quiet {
            Shape::Silent
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(0);
            let style =
                ProgressStyle::with_template("{prefix} {bar:40} {percent:>3}% {elapsed_precise}{wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(label.clone());
            Shape::Bar(bar)
        } else {
            let interval = if talk.verbose { VERBOSE_INTERVAL } else { INTERVAL };
            Shape::Lines { interval, last: Mutex::new(Instant::now()) }
        };
        Progress { label, shape }
    }

    /// So much is done, of so much. Both may change from call to call.
    pub fn at(&self, done: u64, total: u64) {
        self.at_with(done, total, String::new);
    }

    /// The same, with a few words on what is done just now.
    pub fn at_with(&self, done: u64, total: u64, now: impl FnOnce() -> String) {
        match &self.shape {
            Shape::Silent => {}
            Shape::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(now());
            }
            Shape::Lines { interval, last } => {
                // A thread that finds the lock taken has nothing to add.
                if let Ok(mut last) = last.try_lock()
                    && last.elapsed() >= *interval
                {
                    *last = Instant::now();
                    say(&format!("{}{}", line(&self.label, done, total), now()));
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Shape::Bar(bar) = &self.shape {
            bar.finish_and_clear();
        }
    }
}

fn line(label: &str, done: u64, total: u64) -> String {
    let percent = u128::from(done) * 100 / u128::from(total.max(1));
    format!("{label}: {done} of {total} ({percent} %)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_and_how_far() {
        assert_eq!(line("checking ab", 1, 3), "checking ab: 1 of 3 (33 %)");
        assert_eq!(line("x", 0, 0), "x: 0 of 0 (0 %)");
        assert_eq!(line("x", u64::MAX, u64::MAX), format!("x: {0} of {0} (100 %)", u64::MAX));
    }

    #[test]
    fn quiet_is_silent() {
        let talk = Talk { quiet: true, verbose: false };
        assert!(matches!(Progress::new("x", talk).shape, Shape::Silent));
    }
}
