//! Processes that are threads of a test.

use std::cell::RefCell;
use std::sync::{Arc, Barrier, Mutex};

use gobprove::cluster::Wire;

/// What processes have in common: a place for each to put words, and a place where all wait.
struct Shared {
    words: Vec<Mutex<Vec<Vec<u64>>>>,
    barrier: Barrier,
}

/// A process that is a thread.
pub struct Thread {
    rank: usize,
    shared: Arc<Shared>,
    /// How many words it has sent to others.
    pub sent: RefCell<usize>,
}

impl Thread {
    /// Shows words to all, and returns what the others show to this one.
    fn show(&self, words: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        *self.shared.words[self.rank].lock().expect("a lock") = words;
        self.shared.barrier.wait();
        let seen = self.shared.words.iter().map(|words| {
            let words = words.lock().expect("a lock");
            words.get(self.rank.min(words.len() - 1)).cloned().expect("some words")
        });
        let seen = seen.collect();
        self.shared.barrier.wait();
        seen
    }

    fn fold(&self, own: &mut [u64], fold: impl Fn(u64, u64) -> u64) {
        let all = self.show(vec![own.to_vec()]);
        for (at, word) in own.iter_mut().enumerate() {
            assert!(all.iter().all(|words| words.len() == all[0].len()), "all say as much");
            *word = all.iter().map(|words| words[at]).reduce(&fold).expect("some words");
        }
    }
}

impl Wire for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.words.len()
    }

    fn exchange(&self, out: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        assert_eq!(out.len(), self.size());
        let others = out.iter().enumerate().filter(|&(to, _)| to != self.rank);
        *self.sent.borrow_mut() += others.map(|(_, words)| words.len()).sum::<usize>();
        self.show(out)
    }

    fn or(&self, words: &mut [u64]) {
        self.fold(words, |one, other| one | other);
    }

    fn sum(&self, numbers: &mut [u64]) {
        self.fold(numbers, |one, other| one + other);
    }
}

/// Runs a function in a number of processes; what each comes to.
pub fn together<T: Send>(size: usize, run: impl Fn(&Thread) -> T + Sync) -> Vec<T> {
    let words = (0..size).map(|_| Mutex::default()).collect();
    let shared = Arc::new(Shared { words, barrier: Barrier::new(size) });
    std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..size)
            .map(|rank| {
                let process = Thread { rank, shared: Arc::clone(&shared), sent: RefCell::new(0) };
                scope.spawn(move || run(&process))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    })
}
