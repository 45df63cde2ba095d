//! Progress on stderr: a bar on a terminal, otherwise a plain line now and then.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Talk;
use super::report::{grouped, say};

/// How often a plain line is printed.
const INTERVAL: Duration = Duration::from_secs(10);

/// As [`INTERVAL`], with `--verbose`.
const VERBOSE_INTERVAL: Duration = Duration::from_secs(1);

/// How often what is shown on a terminal moves by itself.
const TICK: Duration = Duration::from_millis(200);

/// Shows people how far one piece of work is; threads may share it. On a terminal it moves from the start. Once a total is
/// known it shows the part that is done and the time that is left. Dropping it clears the line.
#[derive(Debug)]
pub struct Progress {
    label: String,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Silent,
    Bar { bar: ProgressBar, has_total: AtomicBool },
    Lines { interval: Duration, last: Mutex<Instant> },
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constant, and a test has them.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

const WITHOUT_TOTAL: &str = "{spinner} {prefix} {elapsed_precise}{wide_msg}";
const WITH_TOTAL: &str = "{prefix} {bar:30} {percent:>3}% {elapsed_precise}, left {eta_precise}{wide_msg}";

impl Progress {
    /// Progress of some work, named in a few words such as `checking ab`.
    #[must_use]
    pub fn new(label: impl Into<String>, talk: Talk) -> Progress {
        let label = label.into();
        let shape = if talk.quiet {
            Shape::Silent
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::no_length().with_style(style(WITHOUT_TOTAL)).with_prefix(label.clone());
            bar.enable_steady_tick(TICK);
            Shape::Bar { bar, has_total: AtomicBool::new(false) }
        } else {
            let interval = if talk.verbose { VERBOSE_INTERVAL } else { INTERVAL };
            Shape::Lines { interval, last: Mutex::new(Instant::now()) }
        };
        Progress { label, shape }
    }

    /// Shows that `done` of `of` units are done. Both may change from call to call; an `of` of 0 means that the total is not
    /// known yet.
    pub fn at(&self, done: u64, total: u64) {
        self.at_with(done, total, String::new);
    }

    /// As above, with a few words on the current step.
    pub fn at_with(&self, done: u64, total: u64, now: impl FnOnce() -> String) {
        match &self.shape {
            Shape::Bar { bar, has_total } if total > 0 => {
                if !has_total.swap(true, Ordering::Relaxed) {
                    bar.set_length(total);
                    bar.set_style(style(WITH_TOTAL));
                    bar.reset_eta();
                }
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(now());
            }
            _ => self.tell(|| format!("{}{}", of(done, total), now())),
        }
    }

    /// Shows how much is done where the total is not known.
    pub fn so_far(&self, now: impl FnOnce() -> String) {
        self.tell(now);
    }

    /// A set that grows until none of its positions is open. The two numbers show whether it will close.
    pub fn growing(&self, positions: u64, open: u64) {
        self.tell(|| format!("{} positions, {} open", grouped(positions.into()), grouped(open.into())));
    }

    /// Shows some words.
    fn tell(&self, words: impl FnOnce() -> String) {
        match &self.shape {
            Shape::Silent => {}
            Shape::Bar { bar, .. } => bar.set_message(format!("; {}", words())),
            Shape::Lines { interval, last } => {
                // A thread that finds the lock taken has nothing to add.
                if let Ok(mut last) = last.try_lock()
                    && last.elapsed() >= *interval
                {
                    *last = Instant::now();
                    say(&format!("{}: {}", self.label, words()));
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Shape::Bar { bar, .. } = &self.shape {
            bar.finish_and_clear();
        }
    }
}

fn of(done: u64, total: u64) -> String {
    match u128::from(done) * 100 / u128::from(total.max(1)) {
        _ if total == 0 => "begun".to_owned(),
        percent => format!("{done} of {total} ({percent} %)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far() {
        assert_eq!(of(1, 3), "1 of 3 (33 %)");
        assert_eq!(of(0, 0), "begun");
        assert_eq!(of(u64::MAX, u64::MAX), format!("{0} of {0} (100 %)", u64::MAX));
    }

    #[test]
    fn the_templates_can_be_read() {
        for template in [WITHOUT_TOTAL, WITH_TOTAL] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn quiet_is_silent() {
        let talk = Talk { quiet: true, verbose: false };
        assert!(matches!(Progress::new("x", talk).shape, Shape::Silent));
    }
}
