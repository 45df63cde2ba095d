//! Splitting a check over threads so that the answer does not depend on them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

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
    /// Items are handed out in order and every item handed out is finished, so the first item at fault is found whatever
    /// the threads.
    ///
    /// # Errors
    /// The breach of the first item at fault.
    pub(super) fn run(&self, count: usize, check: impl Fn(usize) -> Result<u64, Breach> + Sync) -> Result<u64, Breach> {
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
            // This thread works too: where the system gives fewer than asked for, the work is done all the same.
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, worker).ok();
            let helpers: Vec<_> = (1..self.threads.get().min(count)).map_while(spawn).collect();
            let own = worker();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))
            };
            std::iter::once(own).chain(helpers.into_iter().map(join)).collect()
        });
        let checked = finished.iter().map(|(checked, _)| checked).sum();
        let first = finished.into_iter().filter_map(|(_, fault)| fault).min_by_key(|&(item, _)| item);
        first.map_or(Ok(checked), |(_, breach)| Err(breach))
    }
}
