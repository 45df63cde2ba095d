//! Splitting a check over threads so that the answer does not depend on them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use super::verdict::Breach;

/// How many threads check, and who hears how far they are.
pub(super) struct Workers<'a> {
    pub threads: NonZeroUsize,
    /// Hears how many items are done, and of how many.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

impl Workers<'_> {
    /// Checks the items 0 … `count − 1` and adds up what each says it checked.
    ///
    /// Items are handed out in order and every item handed out is finished, so the first item at fault is
    /// found whatever the threads.
    ///
    /// # Errors
    /// The breach of the first item at fault.
    pub(super) fn run(
        &self,
        count: usize,
        check: impl Fn(usize) -> Result<u64, Breach> + Sync,
    ) -> Result<u64, Breach> {
        let (next, done) = (AtomicUsize::new(0), AtomicU64::new(0));
        let worker = || -> (u64, Option<(usize, Breach)>) {
            let mut checked = 0;
            loop {
                let item = next.fetch_add(1, Ordering::Relaxed);
                if item >= count {
                    return (checked, None);
                }
                match check(item) {
                    Ok(positions) => checked += positions,
                    Err(breach) => {
                        next.fetch_max(count, Ordering::Relaxed);
                        return (checked, Some((item, breach)));
                    }
                }
                (self.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, count as u64);
            }
        };
        let finished: Vec<_> = std::thread::scope(|scope| {
            // This thread works too: where the system gives fewer than asked for, the work is done all the
            // same. More threads than items would have nothing to do.
            let helpers = 1..self.threads.get().min(count);
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, worker).ok();
            let helpers: Vec<_> = helpers.map_while(spawn).collect();
            let own = worker();
            let join = |thread: ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
            };
            std::iter::once(own).chain(helpers.into_iter().map(join)).collect()
        });
        let mut checked = 0;
        let mut first: Option<(usize, Breach)> = None;
        for (positions, breach) in finished {
            checked += positions;
            if let Some((item, breach)) = breach
                && first.as_ref().is_none_or(|(before, _)| item < *before)
            {
                first = Some((item, breach));
            }
        }
        first.map_or(Ok(checked), |(_, breach)| Err(breach))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use super::super::verdict::Condition;
    use super::*;

    fn breach(item: usize) -> Breach {
        Breach { condition: Condition::K5, position: None, mv: None, reason: item.to_string() }
    }

    fn run(threads: usize, count: usize, faults: &[usize]) -> Result<u64, String> {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        let workers = Workers { threads, progress: &|_, _| () };
        let check = |item| if faults.contains(&item) { Err(breach(item)) } else { Ok(1) };
        workers.run(count, check).map_err(|breach| breach.reason)
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
        let named = workers.run(usize::MAX / 2, check).map_err(|breach| breach.reason);
        assert_eq!(named, Err(helpers.into_inner().to_string()));
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
                assert_eq!(run(threads, 1000, &[700, 3, 4, 999]), Err("3".to_owned()));
                assert_eq!(run(threads, 1000, &[999]), Err("999".to_owned()));
                assert_eq!(run(threads, 1000, &[0]), Err("0".to_owned()));
            }
        }
    }
}
