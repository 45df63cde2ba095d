//! The transposition table: what the search has found out, by position.
//!
//! A slot holds the whole position and not only a part of its hash, so that no position is ever taken for another.

use std::mem::MaybeUninit;

#[cfg(target_os = "linux")]
use rustix::mm::{Advice, madvise};

use crate::board::{PackedMove, hash};
use crate::score::WIN;

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is this one.
    Exact,
    /// It is at least this one.
    Lower,
    /// It is at most this one.
    Upper,
}

/// The entry of one position. A proven score in it counts plies from that position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub mv: PackedMove,
    pub score: i16,
    pub depth: i8,
    pub bound: Bound,
}

impl Entry {
    /// Whether it says that a side wins by force.
    #[inline]
    pub fn is_proven(&self) -> bool {
        let score = i32::from(self.score);
        match self.bound {
            Bound::Exact => score.abs() >= WIN,
            Bound::Lower => score >= WIN,
            Bound::Upper => score <= -WIN,
        }
    }
}

/// The position of an entry: its pieces, and who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub sides: [u64; 2],
    pub turn: u8,
}

#[derive(Clone, Copy)]
struct Slot {
    sides: [u64; 2],
    entry: Entry,
    turn: u8,
    /// The search that wrote it; 0 if there was none.
    age: u8,
}

const EMPTY: Slot = Slot {
    sides: [u64::MAX; 2],
    entry: Entry { mv: PackedMove::NONE, score: 0, depth: i8::MIN, bound: Bound::Upper },
    turn: 0,
    age: 0,
};

/// The deepest entry of late, then the newest.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; 2]);

/// The table.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    mask: usize,
    age: u8,
}

impl Table {
    /// A table of at most `bytes` bytes, but of one bucket at least.
    pub fn new(bytes: usize) -> Table {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        let mut buckets = Vec::with_capacity(count);
        in_large_pages(buckets.spare_capacity_mut());
        buckets.resize(count, Bucket([EMPTY; 2]));
        Table { buckets, mask: count - 1, age: 1 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([EMPTY; 2]));
    }

    /// What was stored before may be replaced from now on.
    pub fn begin(&mut self) {
        self.age = if self.age == u8::MAX { 1 } else { self.age + 1 };
    }

    fn place(&self, key: &Key) -> usize {
        hash(key.sides, key.turn) as usize & self.mask
    }

    /// Asks the memory for the bucket of a position that is looked up soon.
    #[inline]
    pub fn ask_for(&self, key: &Key) {
        prefetch(&self.buckets[self.place(key)]);
    }

    /// The entry of a position, if it is still there.
    #[inline]
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let Bucket(slots) = &self.buckets[self.place(key)];
        let slot = slots.iter().find(|slot| slot.sides == key.sides && slot.turn == key.turn)?;
        Some(slot.entry)
    }

    /// Stores what was found out of a position.
    #[inline]
    pub fn put(&mut self, key: &Key, entry: Entry) {
        let (place, age) = (self.place(key), self.age);
        let Bucket([deepest, newest]) = &mut self.buckets[place];
        let is_same = |slot: &Slot| slot.sides == key.sides && slot.turn == key.turn;
        // What is proven stays so, however deep another search was.
        let proven = |slot: &Slot| is_same(slot) && slot.entry.is_proven();
        if !entry.is_proven() && (proven(deepest) || proven(newest)) {
            return;
        }
        let slot = Slot { sides: key.sides, entry, turn: key.turn, age };
        if is_same(deepest) || deepest.age != age || entry.depth >= deepest.entry.depth {
            if !is_same(deepest) && deepest.age != 0 && !is_same(newest) {
                *newest = *deepest;
            } else if is_same(newest) {
                *newest = EMPTY;
            }
            *deepest = slot;
        } else {
            *newest = slot;
        }
    }
}

/// Asks the memory for a bucket, where the processor can be told.
#[inline]
#[allow(unsafe_code, reason = "there is no safe way to ask")]
fn prefetch(bucket: &Bucket) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, and it changes nothing that a program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bucket;
}

/// Asks the system for large pages where buckets are going to be. If it gives small ones, the table is only slower.
#[allow(unsafe_code, reason = "there is no safe way to ask")]
fn in_large_pages(room: &mut [MaybeUninit<Bucket>]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 1 << 12;
        let Some(pages) = room.get_mut(room.as_ptr().align_offset(PAGE)..) else { return };
        let bytes = size_of_val(pages) / PAGE * PAGE;
        // SAFETY: the pages belong to this room, and large pages change nothing that a program can see.
        let _ = unsafe { madvise(pages.as_mut_ptr().cast(), bytes, Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = room;
}
