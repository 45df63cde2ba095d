//! Sets of orbits with one side to move: one bit for each position, laid out like a bitbase, without hashing.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::closure::outer::Outer;
use crate::closure::question::Placed;
use crate::enumerate::Tier;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::enumerate::rows::ranked::Ranked;
use crate::rules::{Bitboard, Position};

/// A set of orbits. Some threads may add orbits while others look them up.
pub(crate) struct Orbits<'a> {
    layout: &'a Layout,
    /// The word with which each tier begins.
    starts: Vec<usize>,
    words: Vec<AtomicU64>,
}

impl<'a> Orbits<'a> {
    pub(crate) fn none(layout: &'a Layout) -> Orbits<'a> {
        let mut len = 0;
        let start = |tier: &TierLayout| {
            len += tier.len();
            len - tier.len()
        };
        let starts = layout.all().iter().map(start).collect();
        let words = std::iter::repeat_with(AtomicU64::default).take(len).collect();
        Orbits { layout, starts, words }
    }

    /// A position with the place of its tier, or with 0 if it is not a position of the variant.
    pub(crate) fn placed(&self, position: Position) -> Placed {
        (self.layout.tiers().index(Tier::of(&position)).unwrap_or_default(), position)
    }

    /// Whether an orbit is in, given by an outer placement and the inner pieces over it. It must have been added by
    /// [`Orbits::insert`]. An orbit outside the discipline is never in.
    #[inline]
    pub(crate) fn holds(&self, outer: &Outer<'_>, inner: Bitboard) -> bool {
        outer.bit(inner).is_some_and(|bit| self.bit(64 * self.starts[outer.tier()] + bit))
    }

    /// Adds an orbit, with a bit in each row that has it, so that [`Orbits::holds`] finds it from any image.
    #[inline]
    pub(crate) fn insert(&self, outer: &Outer<'_>, inner: Bitboard) {
        let start = 64 * self.starts[outer.tier()];
        outer.bits(inner, |bit| self.set(start + bit));
    }

    /// Adds an orbit by its least bit alone, as [`Orbits::numbered`] needs it.
    #[inline]
    pub(crate) fn name(&self, outer: &Outer<'_>, inner: Bitboard) {
        if let Some(bit) = least(outer, inner) {
            self.set(64 * self.starts[outer.tier()] + bit);
        }
    }

    /// Whether a bit is set.
    fn bit(&self, bit: usize) -> bool {
        self.words[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 == 1
    }

    /// Sets a bit.
    fn set(&self, bit: usize) {
        let (word, mask) = (&self.words[bit / 64], 1 << (bit % 64));
        // Most often the bit is set already, and looking is cheaper than writing.
        if word.load(Ordering::Relaxed) & mask == 0 {
            word.fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// Numbers the orbits that were named.
    pub(crate) fn numbered(self) -> Numbered {
        let words = self.words.into_iter().map(AtomicU64::into_inner).collect();
        Numbered { starts: self.starts, bits: Ranked::new(words) }
    }
}

/// The least of an orbit's bits in its tier: its name. None if it is outside a discipline.
#[inline]
fn least(outer: &Outer<'_>, inner: Bitboard) -> Option<usize> {
    let mut least = usize::MAX;
    outer.bits(inner, |bit| least = least.min(bit));
    (least != usize::MAX).then_some(least)
}

/// A set of orbits, each with its number.
pub(crate) struct Numbered {
    /// The word with which each tier begins.
    starts: Vec<usize>,
    bits: Ranked,
}

impl Numbered {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.bits.count()
    }

    /// The number of an orbit, `None` if it was not named.
    #[inline]
    pub(crate) fn number(&self, outer: &Outer<'_>, inner: Bitboard) -> Option<u32> {
        let place = self.bits.place(64 * self.starts[outer.tier()] + least(outer, inner)?)?;
        Some(u32::try_from(place).expect("what a u32 cannot number does not fit into memory"))
    }
}
