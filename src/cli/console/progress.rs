//! Progress on stderr: a moving line on a terminal, otherwise a plain line now and then.

use std::io::IsTerminal as _;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::args::Talk;
use super::report::{grouped, say};
use super::wrap;

/// When the first plain line is printed. The time to the next one doubles, up to [`SELDOM`].
const FIRST: Duration = Duration::from_secs(10);

/// The most time between two plain lines.
const SELDOM: Duration = Duration::from_secs(60);

/// The time between two plain lines with `--verbose`.
const VERBOSE: Duration = Duration::from_secs(1);

/// After this time the time left is shown, even if little is done.
const SETTLED: Duration = Duration::from_secs(5);

/// How often the line on a terminal moves by itself.
const TICK: Duration = Duration::from_millis(200);

/// Shows people how far one piece of work is. Threads may share it. It moves by itself, even while the work reports
/// nothing. Once a total is known, it shows the part that is done, which never falls, and about how much time is left.
/// Dropping it clears the line on a terminal.
#[derive(Debug)]
pub struct Progress {
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Silent,
    Bar { bar: ProgressBar, state: Mutex<State> },
    Lines { told: Arc<Told>, teller: Option<JoinHandle<()>> },
}

/// What the thread that prints lines shares with the work.
#[derive(Debug)]
struct Told {
    state: Mutex<State>,
    ended: Condvar,
}

/// How far the work is.
#[derive(Debug)]
struct State {
    label: String,
    started: Instant,
    /// The part that was done when this run began its own work, and when that was. An earlier run may have done it.
    first: Option<(f64, Instant)>,
    /// The part that is done, from 0 to 1.
    part: f64,
    /// Some words on the current step.
    words: String,
    done: bool,
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants, and a test reads them.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

const WITHOUT_TOTAL: &str = "{spinner} {prefix}, {elapsed}{wide_msg}";
const WITH_TOTAL: &str = "{prefix} {bar:8} {percent}%, {elapsed}{wide_msg}";

/// The bar on the terminal. Pieces of work follow each other, so there is at most one.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Takes the bar off the terminal, before the last lines are printed.
pub fn clear() {
    if let Some(bar) = lock(&SHOWN).take() {
        bar.finish_and_clear();
    }
}

/// Prints a line above the bar on the terminal.
pub fn say_above(text: &str) {
    let shown = lock(&SHOWN).clone();
    match shown {
        Some(bar) => bar.suspend(|| say(text)),
        None => say(text),
    }
}

/// Into how many parts the bar divides the work.
const PARTS: f64 = 10_000.0;

impl Progress {
    /// Progress of some work, named in a few words such as `checking ab`.
    #[must_use]
    pub fn new(label: impl Into<String>, talk: Talk) -> Progress {
        if talk.quiet {
            return Progress { shape: Shape::Silent };
        }
        let state = Mutex::new(State::new(label.into()));
        let shape = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::no_length().with_style(style(WITHOUT_TOTAL));
            bar.set_prefix(lock(&state).label.clone());
            bar.enable_steady_tick(TICK);
            *lock(&SHOWN) = Some(bar.clone());
            Shape::Bar { bar, state }
        } else {
            let told = Arc::new(Told { state, ended: Condvar::new() });
            let shared = Arc::clone(&told);
            let first = if talk.verbose { VERBOSE } else { FIRST };
            let seldom = if talk.verbose { VERBOSE } else { SELDOM };
            // Without the thread there are no lines, and the work goes on.
            let teller = thread::Builder::new().spawn(move || shared.tell(first, seldom)).ok();
            Shape::Lines { told, teller }
        };
        Progress { shape }
    }

    /// Shows that `done` of `total` units are done. Both may change from call to call; a `total` of 0 means that it is not
    /// known yet.
    pub fn at(&self, done: u64, total: u64) {
        match total {
            0 => self.so_far(String::new),
            _ => self.part(done as f64 / total as f64, String::new),
        }
    }

    /// Shows which part is done, from 0 to 1, with a few words on the current step. If the part is smaller than one shown
    /// before, that one stays.
    pub fn part(&self, part: f64, now: impl FnOnce() -> String) {
        self.change(|state| {
            state.first.get_or_insert((part, Instant::now()));
            state.part = state.part.max(part).min(1.0);
            state.words = now();
        });
    }

    /// As [`Progress::part`], for what an earlier run did: how long this run takes for the rest cannot be told from it.
    pub fn earlier(&self, part: f64, now: impl FnOnce() -> String) {
        self.change(|state| {
            state.part = state.part.max(part).min(1.0);
            state.first = Some((state.part, Instant::now()));
            state.words = now();
        });
    }

    /// Shows in a few words how much is done, when the total is not known.
    pub fn so_far(&self, now: impl FnOnce() -> String) {
        self.change(|state| state.words = now());
    }

    /// Shows a set that grows until none of its positions is open. The two numbers let people see whether it will close.
    pub fn growing(&self, positions: u64, open: u64) {
        self.so_far(|| growing(positions, open));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        match &self.shape {
            Shape::Silent => {}
            Shape::Lines { told, .. } => change(&mut lock(&told.state)),
            Shape::Bar { bar, state } => {
                let mut state = lock(state);
                change(&mut state);
                if state.first.is_some() {
                    if bar.length().is_none() {
                        bar.set_length(PARTS as u64);
                        bar.set_style(style(WITH_TOTAL));
                    }
                    bar.set_position((state.part * PARTS) as u64);
                }
                let left = state.left().map(|left| format!(", {} left", time(left)));
                let words = format!("{}{}", left.unwrap_or_default(), state.step());
                let room =
                    wrap::terminal().map_or(usize::MAX, |columns| columns.saturating_sub(state.beside()));
                bar.set_message(wrap::cut(&words, room).into_owned());
            }
        }
    }
}

/// The size of a growing set, in words.
#[must_use]
pub fn growing(positions: u64, open: u64) -> String {
    format!("{} positions, {} open", grouped(positions.into()), grouped(open.into()))
}

/// Locks what threads share. It is whole even if a thread panicked while it held the lock.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Told {
    /// Prints now and then how far the work is, until it has ended.
    fn tell(&self, first: Duration, seldom: Duration) {
        let (mut state, mut wait) = (lock(&self.state), first);
        let mut due = Instant::now() + wait;
        while !state.done {
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                say(&state.line());
                wait = (2 * wait).min(seldom);
                due = Instant::now() + wait;
                continue;
            }
            let waited = self.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
        }
    }
}

impl State {
    fn new(label: String) -> State {
        let started = Instant::now();
        State { label, started, first: None, part: 0.0, words: String::new(), done: false }
    }

    /// A line that says how far the work is.
    fn line(&self) -> String {
        let part = self.first.map(|_| format!("{:.0} %, ", (self.part * 100.0).floor())).unwrap_or_default();
        let left = self.left().map(|left| format!(", {} left", time(left))).unwrap_or_default();
        format!("{}: {part}{}{left}{}", self.label, time(self.started.elapsed()), self.step())
    }

    /// How much time is left if the work goes on as fast as since the first part was reported. `None` until [`SETTLED`] has
    /// passed or a twentieth of the work is done since: the beginning is seldom like the rest.
    fn left(&self) -> Option<Duration> {
        let (before, since) = self.first?;
        let own = self.part - before;
        let left = since.elapsed().as_secs_f64() * (1.0 - self.part) / own;
        let is_known = own > 0.05 || own > 0.0 && since.elapsed() >= SETTLED;
        Duration::try_from_secs_f64(left).ok().filter(|_| is_known)
    }

    /// How many columns the rest of the line takes beside the words: the label, the bar and its percentage, and the time.
    fn beside(&self) -> usize {
        let shown = if self.first.is_some() { " ████████ 100%, 100s" } else { "⠋ , 100s" };
        self.label.chars().count() + shown.chars().count()
    }

    fn step(&self) -> String {
        if self.words.is_empty() { String::new() } else { format!("; {}", self.words) }
    }
}

/// A time for people.
fn time(time: Duration) -> String {
    match time.as_secs() {
        s if s < 60 => format!("{s} s"),
        s if s < 3_600 => format!("{} min {:02} s", s / 60, s % 60),
        s if s < 172_800 => format!("{} h {:02} min", s / 3_600, s / 60 % 60),
        s => format!("{} days", grouped(u128::from(s / 86_400))),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        match &mut self.shape {
            Shape::Silent => {}
            Shape::Bar { bar, .. } => bar.finish_and_clear(),
            Shape::Lines { told, teller } => {
                lock(&told.state).done = true;
                told.ended.notify_all();
                if let Some(teller) = teller.take() {
                    let _ = teller.join();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Progress {
        /// Progress that nobody sees but tests.
        pub(in crate::cli::console) fn unseen() -> Progress {
            let told = Told { state: Mutex::new(State::new("x".to_owned())), ended: Condvar::new() };
            Progress { shape: Shape::Lines { told: Arc::new(told), teller: None } }
        }

        fn look<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
            match &self.shape {
                Shape::Lines { told, .. } => look(&mut lock(&told.state)),
                _ => panic!("it is seen"),
            }
        }

        /// The part that this run did, from 0 to 1, of one that is unseen.
        pub(in crate::cli::console) fn own(&self) -> f64 {
            self.look(|state| state.first.map_or(0.0, |(before, _)| state.part - before))
        }
    }

    #[test]
    fn a_line_says_how_far() {
        let mut state = State::new("solving ab".to_owned());
        assert_eq!(state.line(), "solving ab: 0 s");
        state.words = "round 3: 12 of 40 rows".to_owned();
        assert_eq!(state.line(), "solving ab: 0 s; round 3: 12 of 40 rows");
        let ago =
            |s| Instant::now().checked_sub(Duration::from_secs(s)).expect("the machine runs for longer");
        (state.started, state.first, state.part) = (ago(90), Some((0.5, ago(30))), 0.75);
        assert_eq!(state.line(), "solving ab: 75 %, 1 min 30 s, 30 s left; round 3: 12 of 40 rows");
        (state.first, state.part) = (Some((0.0, ago(1))), 0.01);
        assert_eq!(state.line(), "solving ab: 1 %, 1 min 30 s; round 3: 12 of 40 rows");
        state.first = Some((0.0, ago(6)));
        assert!(state.line().contains(" left; "), "{}", state.line());
    }

    #[test]
    fn the_part_that_is_shown_never_falls() {
        let progress = Progress::unseen();
        let mut most = 0.0f64;
        for part in [0.2, 0.1, 0.7, 0.3, 1.5] {
            progress.part(part, String::new);
            most = most.max(part).min(1.0);
            assert_eq!(progress.look(|state| state.part), most);
        }
    }

    /// Reading what an earlier run did is fast, and says nothing about the rest.
    #[test]
    fn what_an_earlier_run_did_does_not_count_for_the_time_left() {
        let progress = Progress::unseen();
        for part in [0.0, 0.5, 0.6] {
            progress.earlier(part, String::new);
            assert_eq!(progress.look(|state| state.left()), None);
        }
        let ago = Instant::now().checked_sub(Duration::from_secs(60)).expect("the machine runs for longer");
        progress.look(|state| state.first.as_mut().expect("a part was reported").1 = ago);
        progress.part(0.8, String::new);
        let left = progress.look(|state| state.left()).expect("a fifth is done");
        assert_eq!(left.as_secs(), 60);
    }

    #[test]
    fn times_are_told_in_fitting_units() {
        let shown = [7, 67, 4_000, 200_000].map(|s| time(Duration::from_secs(s)));
        assert_eq!(shown, ["7 s", "1 min 07 s", "1 h 06 min", "2 days"]);
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
