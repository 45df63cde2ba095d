//! Splitting a check over threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use gobcheck::check::{Breach, Condition};
use gobprove::rules::{Color, Position};
use inside::Workers;

// Its crate has a width of its own.
#[rustfmt::skip]
#[path = "../../gobcheck/src/check/work.rs"]
mod inside;

/// Where the piece looks for its neighbour.
mod verdict {
    pub use gobcheck::check::Breach;
}

/// A breach that carries the number of its item.
fn breach(item: usize) -> Breach {
    let position = Position::from_sides([item as u64, 0], Color::White);
    Breach { condition: Condition::K5, position, mv: None, reason: "" }
}

fn number(breach: &Breach) -> usize {
    breach.position.side(Color::White) as usize
}

fn run(threads: usize, count: usize, faults: &[usize]) -> Result<u64, usize> {
    let threads = NonZeroUsize::new(threads).expect("not 0");
    let workers = Workers { threads, progress: &|_, _| () };
    let check = |item| if faults.contains(&item) { Err(breach(item)) } else { Ok(1) };
    workers.run(count, check).map_err(|breach| number(&breach))
}

#[test]
fn every_item_is_checked_once() {
    for threads in [1, 2, 8] {
        assert_eq!(run(threads, 1000, &[]), Ok(1000));
        assert_eq!(run(threads, 0, &[]), Ok(0));
        assert_eq!(run(threads, 1, &[]), Ok(1));
    }
}

#[test]
fn of_two_faults_at_a_time_the_first_is_named_whoever_found_it() {
    // The helper's fault is the first, and is not told before this thread has found a later one.
    let (own, helpers, found) =
        (thread::current().id(), AtomicUsize::new(usize::MAX), AtomicBool::new(false));
    let check = |item: usize| {
        if thread::current().id() != own {
            helpers.store(item, Ordering::SeqCst);
            while !found.load(Ordering::SeqCst) {
                thread::yield_now();
            }
        } else if item < helpers.load(Ordering::SeqCst) {
            thread::yield_now();
            return Ok(1);
        } else {
            found.store(true, Ordering::SeqCst);
        }
        Err(breach(item))
    };
    let threads = NonZeroUsize::new(2).expect("not 0");
    let workers = Workers { threads, progress: &|_, _| () };
    let named = workers.run(usize::MAX / 2, check).map_err(|breach| number(&breach));
    assert_eq!(named, Err(helpers.into_inner()));
}

#[test]
fn progress_hears_of_each_item_that_is_done() {
    for threads in [1, 8].map(NonZeroUsize::new) {
        let heard = std::sync::Mutex::new(Vec::new());
        let progress = |done, of| heard.lock().expect("no test panics with it").push((done, of));
        let workers = Workers { threads: threads.expect("not 0"), progress: &progress };
        assert_eq!(workers.run(100, |_| Ok(7)), Ok(700));
        let mut heard = heard.into_inner().expect("no test panics with it");
        heard.sort_unstable();
        assert_eq!(heard, (1..=100).map(|done| (done, 100)).collect::<Vec<_>>());
    }
}

#[test]
fn no_more_threads_are_asked_for_than_there_are_items() {
    for count in [0, 1, 3] {
        assert_eq!(run(usize::MAX, count, &[]), Ok(count as u64));
    }
}

#[test]
fn the_first_fault_is_named_whatever_the_threads() {
    for threads in [1, 2, 8] {
        for _ in 0..50 {
            assert_eq!(run(threads, 1000, &[700, 3, 4, 999]), Err(3));
            assert_eq!(run(threads, 1000, &[999]), Err(999));
            assert_eq!(run(threads, 1000, &[0]), Err(0));
        }
    }
}
