//! What each pass takes: rows, memory, time.
//!
//! It is counted where the feature `counters` is on, for `cargo bench --bench passes`. Elsewhere [`ON`] is a
//! constant `false`, and the compiler leaves nothing of it in the loops.

use std::cell::Cell;
use std::ops::AddAssign;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Whether anything is counted.
pub const ON: bool = cfg!(feature = "counters");

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Rows that were worked on.
    pub rows: u64,
    /// Of these, how many nothing came from.
    pub in_vain: u64,
    /// Rows of the lost-sets that were fetched, to read them or to add to them.
    pub fetched: u64,
    /// Rows that were not fetched, as they are known to be full.
    pub skipped: u64,
    /// Bytes of the rows that were fetched.
    pub bytes_read: u64,
    /// Bytes that were changed in them.
    pub bytes_written: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.rows += other.rows;
        self.in_vain += other.in_vain;
        self.fetched += other.fetched;
        self.skipped += other.skipped;
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
    }
}

/// What a pass took, all its runs together.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Account {
    /// What it is called.
    pub pass: &'static str,
    /// How long it took, by the clock that was given.
    pub time: Duration,
    /// What was counted meanwhile.
    pub counts: Counts,
}

/// The clock, and what passes took by it.
struct Book {
    clock: Option<fn() -> Duration>,
    /// The account of the pass that runs.
    current: usize,
    /// Since when it runs.
    since: Duration,
    accounts: Vec<Account>,
}

static BOOK: Mutex<Book> =
    Mutex::new(Book { clock: None, current: 0, since: Duration::ZERO, accounts: Vec::new() });

thread_local! {
    /// What this thread counted; threads that shared it would wait for each other at every row.
    static COUNTS: Cell<Counts> = const {
        Cell::new(Counts { rows: 0, in_vain: 0, fetched: 0, skipped: 0, bytes_read: 0, bytes_written: 0 })
    };
}

/// Forgets what was counted, and times passes by a clock from now on.
pub fn start(clock: fn() -> Duration) {
    take_counts();
    let accounts = vec![Account { pass: "all else", ..Account::default() }];
    *book() = Book { clock: Some(clock), current: 0, since: clock(), accounts };
}

/// What each pass took since the start, in the order in which they first ran; before them what ran outside of all.
pub fn accounts() -> Vec<Account> {
    let mut book = book();
    let current = book.current;
    book.switch_to(current);
    book.accounts.clone()
}

/// Runs a pass and counts what it takes. A pass inside another is left out of that one.
pub fn pass<T>(name: &'static str, run: impl FnOnce() -> T) -> T {
    if !ON {
        return run();
    }
    let before = {
        let mut book = book();
        let before = book.current;
        let place = book.place(name);
        book.switch_to(place);
        before
    };
    let result = run();
    book().switch_to(before);
    result
}

fn book() -> MutexGuard<'static, Book> {
    BOOK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Book {
    /// The place of a pass's account, a new one if it never ran.
    fn place(&mut self, name: &'static str) -> usize {
        self.accounts.iter().position(|account| account.pass == name).unwrap_or_else(|| {
            self.accounts.push(Account { pass: name, ..Account::default() });
            self.accounts.len() - 1
        })
    }

    /// Books what came up so far under the current pass; from now on another is the current one.
    fn switch_to(&mut self, place: usize) {
        let Some(clock) = self.clock else { return };
        let now = clock();
        let account = &mut self.accounts[self.current];
        account.time += now.saturating_sub(self.since);
        account.counts += take_counts();
        (self.current, self.since) = (place, now);
    }
}

/// What all threads counted since the last call.
fn take_counts() -> Counts {
    let mut all = COUNTS.take();
    for counts in rayon::broadcast(|_| COUNTS.take()) {
        all += counts;
    }
    all
}

#[inline(always)]
fn count(change: impl FnOnce(&mut Counts)) {
    if ON {
        let mut counts = COUNTS.get();
        change(&mut counts);
        COUNTS.set(counts);
    }
}

/// A row was worked on; whether something came from it.
#[inline(always)]
pub(super) fn row(useful: bool) {
    count(|counts| {
        counts.rows += 1;
        counts.in_vain += u64::from(!useful);
    });
}

/// A row of so many words was fetched.
#[inline(always)]
pub(super) fn fetch(words: usize) {
    count(|counts| {
        counts.fetched += 1;
        counts.bytes_read += 8 * words as u64;
    });
}

/// A row was not fetched.
#[inline(always)]
pub(super) fn skip() {
    count(|counts| counts.skipped += 1);
}

/// A word was changed.
#[inline(always)]
pub(super) fn write() {
    count(|counts| counts.bytes_written += 8);
}
