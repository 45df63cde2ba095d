//! Remembered distances of Black's quickest answers, valid until a position comes in. Most positions with Black to move
//! are met many times while answers are weighed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::order::FAR;

/// How many locks there are, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// Odd, with ones and zeros mixed: the golden ratio's first bits.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// What is known of positions with Black to move, by their keys.
pub(crate) struct Memo {
    shards: Vec<Mutex<HashMap<u128, Bounds>>>,
}

/// What is known of a position with Black to move.
#[derive(Clone, Copy)]
struct Bounds {
    /// The least known distance of an answer that is in; 0 if Black wins at once, [`FAR`] if none is known.
    answered: u8,
    /// No answer that is in has a distance below this.
    open: u8,
    /// The least distance of an answer below `open`; [`FAR`] if there is none.
    quickest: u8,
}

impl Bounds {
    /// Nothing is known.
    const NOTHING: Bounds = Bounds { answered: FAR, open: 0, quickest: FAR };

    /// The least distance of Black's answers below `fewer`: `Some(None)` if there is none, if one of them is in, or if Black
    /// wins at once; `None` if it is not known.
    fn quickest(self, fewer: u8) -> Option<Option<u8>> {
        if self.answered < fewer {
            Some(None)
        } else {
            (fewer <= self.open).then(|| Some(self.quickest).filter(|&quickest| quickest < fewer))
        }
    }
}

impl Memo {
    pub(crate) fn new() -> Memo {
        Memo { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, key: u128) -> MutexGuard<'_, HashMap<u128, Bounds>> {
        let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(FACTOR);
        self.shards[(mixed >> 32) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The least distance of Black's answers below `fewer`: `Some(None)` if there is none, if one of them is in, or if Black
    /// wins at once; `None` if it is not known.
    pub(crate) fn quickest(&self, key: u128, fewer: u8) -> Option<Option<u8>> {
        self.shard(key).get(&key).and_then(|known| known.quickest(fewer))
    }

    /// Records that an answer with this distance is in, or with 0 moves that Black wins at once.
    pub(crate) fn answered(&self, key: u128, moves: u8) {
        let mut shard = self.shard(key);
        let known = shard.entry(key).or_insert(Bounds::NOTHING);
        known.answered = known.answered.min(moves);
    }

    /// Records that no answer that is in has a distance below `fewer`, and the least distance below `fewer` of the others.
    pub(crate) fn open(&self, key: u128, fewer: u8, quickest: Option<u8>) {
        let mut shard = self.shard(key);
        let known = shard.entry(key).or_insert(Bounds::NOTHING);
        if fewer > known.open {
            (known.open, known.quickest) = (fewer, quickest.unwrap_or(FAR));
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let shards = self.shards.iter_mut().map(Mutex::get_mut);
        shards.for_each(|shard| shard.unwrap_or_else(PoisonError::into_inner).clear());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_follows_from_what_was_told_is_known() {
        let mut memo = Memo::new();
        let known = |memo: &Memo, key| [3, 5, 6, 7, 8].map(|fewer| memo.quickest(key, fewer));
        assert_eq!(known(&memo, 1), [None; 5]);
        // The quickest answer takes 4 moves, and none within 6 is in.
        memo.open(1, 6, Some(4));
        let open = [Some(None), Some(Some(4)), Some(Some(4))];
        assert_eq!(known(&memo, 1), [open[0], open[1], open[2], None, None]);
        memo.open(1, 5, Some(4));
        // One that is in takes 7, and then one that takes 6.
        memo.answered(1, 7);
        assert_eq!(known(&memo, 1), [open[0], open[1], open[2], None, Some(None)]);
        memo.answered(1, 6);
        memo.answered(1, 7);
        assert_eq!(known(&memo, 1), [open[0], open[1], open[2], Some(None), Some(None)]);
        // Black wins at once, or has no answer within 5.
        memo.answered(2, 0);
        memo.open(3, 5, None);
        assert_eq!(known(&memo, 2), [Some(None); 5]);
        assert_eq!(known(&memo, 3), [Some(None), Some(None), None, None, None]);
        memo.clear();
        assert_eq!((1..4).map(|key| known(&memo, key)).collect::<Vec<_>>(), [[None; 5]; 3]);
    }

    #[test]
    fn positions_are_spread_over_the_locks() {
        let memo = Memo::new();
        (0..10_000_u128).for_each(|key| memo.answered(key << 37 | key << 101, 1));
        let lens = memo.shards.iter().map(|shard| shard.lock().expect("nobody panics").len());
        assert!(lens.clone().sum::<usize>() == 10_000 && lens.max() < Some(400));
    }
}
