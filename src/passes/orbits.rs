//! Sets of orbits of one side to move, a bit a position: as dense as the lost-sets, and nothing is hashed.

use std::sync::atomic::{AtomicU64, Ordering};

use super::layout::{Layout, TierLayout};
use super::outer::Outer;
use super::question::Placed;
use crate::enumerate::Tier;
use crate::rules::{Mask, Position};

/// A set of orbits. More may be added while others look.
pub(super) struct Orbits<'a> {
    layout: &'a Layout,
    /// The word with which each tier begins.
    starts: Vec<usize>,
    words: Vec<AtomicU64>,
}

impl<'a> Orbits<'a> {
    pub(super) fn none(layout: &'a Layout) -> Orbits<'a> {
        let mut len = 0;
        let start = |tier: &TierLayout| {
            len += tier.words * tier.stored;
            len - tier.words * tier.stored
        };
        let starts = layout.all().iter().map(start).collect();
        let words = std::iter::repeat_with(AtomicU64::default).take(len).collect();
        Orbits { layout, starts, words }
    }

    /// A position with the place of its tier: nowhere in the variant is the first.
    pub(super) fn placed(&self, position: Position) -> Placed {
        (self.layout.tiers().index(Tier::of(&position)).unwrap_or_default(), position)
    }

    /// Whether the orbit of a placement of the inner pieces over an outer one is in: it was added with all its
    /// bits. One outside White's discipline is not.
    #[inline]
    pub(super) fn holds(&self, outer: &Outer<'_>, inner: Mask) -> bool {
        outer.bit(inner).is_some_and(|bit| self.bit(64 * self.starts[outer.tier()] + bit))
    }

    /// Adds an orbit, with a bit in each row that has it, so that [`Orbits::holds`] finds it from any image.
    #[inline]
    pub(super) fn insert(&self, outer: &Outer<'_>, inner: Mask) {
        let start = 64 * self.starts[outer.tier()];
        outer.bits(inner, |bit| self.set(start + bit));
    }

    /// The least of an orbit's bits: its name. None if it is outside White's discipline.
    #[inline]
    pub(super) fn least(&self, outer: &Outer<'_>, inner: Mask) -> Option<usize> {
        let mut least = usize::MAX;
        outer.bits(inner, |bit| least = least.min(bit));
        (least != usize::MAX).then(|| 64 * self.starts[outer.tier()] + least)
    }

    /// Whether a bit is set.
    pub(super) fn bit(&self, bit: usize) -> bool {
        self.words[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 == 1
    }

    /// Sets a bit.
    pub(super) fn set(&self, bit: usize) {
        let (word, mask) = (&self.words[bit / 64], 1 << (bit % 64));
        // Most often it is set, and looking is cheaper than writing.
        if word.load(Ordering::Relaxed) & mask == 0 {
            word.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// Numbers the bits that are set.
    pub(super) fn numbered(self) -> Numbered<'a> {
        let mut count = 0;
        let before = self.words.chunks(BLOCK).map(|block| {
            let before = count;
            count += block.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum::<u32>();
            before
        });
        let before = before.collect();
        Numbered { orbits: self, before, count }
    }
}

/// How many words share a count of the bits before them.
const BLOCK: usize = 8;

/// A set of orbits, each with the number of bits before its own.
pub(super) struct Numbered<'a> {
    orbits: Orbits<'a>,
    before: Vec<u32>,
    count: u32,
}

impl Numbered<'_> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// The set itself.
    pub(super) fn orbits(&self) -> &Orbits<'_> {
        &self.orbits
    }

    /// How many bits are set before this one.
    pub(super) fn number(&self, bit: usize) -> u32 {
        let (block, word) = (bit / 64 / BLOCK, bit / 64);
        let ones = |word: &AtomicU64, mask: u64| (word.load(Ordering::Relaxed) & mask).count_ones();
        let words = &self.orbits.words;
        let earlier: u32 = words[block * BLOCK..word].iter().map(|word| ones(word, u64::MAX)).sum();
        self.before[block] + earlier + ones(&words[word], (1 << (bit % 64)) - 1)
    }
}
