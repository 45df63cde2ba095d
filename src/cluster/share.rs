//! The part of a game that one process has.

use std::ops::Range;
use std::sync::atomic::Ordering;

use crate::bitbase::Keep;
use crate::bitbase::lost::OutOfMemory;
use crate::bitbase::outcome::TierLost;
use crate::bitbase::solution::Solution;
use crate::bitbase::window::{self, Place, Window};
use crate::cluster::deal::Deal;
use crate::cluster::wire::Wire;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::inner::inner;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::rules::{ByColor, Color, Game};
use crate::strategy::Seed;

/// The rows that a process has: dealt by black pieces for the white updates, and by white pieces for the black updates.
/// A later tier's set is in memory in one of the two shares, the sets of the tier in work are in both.
pub(crate) struct Share {
    /// What a white update reads: no white move changes a black piece.
    pub for_white: Solution,
    /// What a black update reads and writes.
    pub for_black: Solution,
    /// For each colour, how rows are dealt by its pieces.
    pub deals: ByColor<Deal>,
}

impl Share {
    pub(crate) fn new(game: &Game, wire: &dyn Wire) -> Share {
        let deals =
            ByColor::from_fn(|color| Deal::by(color, inner(game.variant, &Discipline::FREE), wire.size()));
        let dealt = |by: Color| {
            let layout = Layout::new(game.variant);
            let own = |plan: &TierLayout| deals[by].rows(plan, wire.rank());
            // A process without others has everything, and whole layouts are quicker.
            let layout = if wire.size() == 1 { layout } else { layout.with_rows(own) };
            Solution::over(game, Seed::Rules, layout)
        };
        Share { for_white: dealt(Color::Black), for_black: dealt(Color::White), deals }
    }

    /// Keeps in memory what the work on a tier needs, and what earlier tiers will read if that is not on disk. Returns which sets
    /// of later tiers were not in memory before.
    pub(crate) fn hold(&mut self, tier: usize, on_disk: bool) -> Result<Vec<(usize, Color)>, OutOfMemory> {
        let window = window::window(&self.for_white.layout, tier, Keep::Needed, on_disk);
        let both = [(&mut self.for_white, Color::Black), (&mut self.for_black, Color::White)];
        let mut new = Vec::new();
        for (solution, read) in both {
            let mut own: Window = vec![Default::default(); window.len()];
            for (later, held) in window.iter().enumerate().skip(tier + 1) {
                own[later][read] = held[read];
            }
            own[tier].white = Place::Memory;
            own[tier].black = Place::Memory;
            new.extend(solution.hold(&own)?.into_iter().filter(|&(later, _)| later > tier));
        }
        Ok(new)
    }

    /// The most bytes that the bitbases of the two shares took, added up.
    pub(crate) fn bytes(&self) -> u64 {
        self.for_white.lost.bytes() + self.for_black.lost.bytes()
    }

    /// Counts the lost positions of a tier in the rows of this process. All processes ask `heed` equally often.
    ///
    /// # Errors
    /// That of `heed`.
    pub(crate) fn lost_in<E>(
        &self,
        tier: usize,
        heed: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<TierLost, E> {
        self.for_white.tier_lost(tier, heed)
    }

    /// The share that has a tier's set with a side to move for the work on earlier tiers.
    fn of_later(&self, turn: Color) -> &Solution {
        match turn {
            Color::White => &self.for_black,
            Color::Black => &self.for_white,
        }
    }

    /// Puts together words of a tier's whole set from the shares of all processes. Each process gets them.
    pub(crate) fn gather(
        &self,
        wire: &dyn Wire,
        whole: &Layout,
        (tier, turn): (usize, Color),
        words: Range<usize>,
    ) -> Vec<u64> {
        let mut gathered = vec![0; words.len()];
        let share = self.of_later(turn);
        let (from, held) = (words.start, share.lost.words(tier, turn));
        each_word(whole.tier(tier), share.layout.tier(tier), words, |at, shift, mask, own, own_shift| {
            gathered[at - from] |= (held[own].load(Ordering::Relaxed) >> own_shift & mask) << shift;
        });
        wire.or(&mut gathered);
        gathered
    }

    /// Adds words of a tier's whole set, from word `from` on, to the shares. Each share takes the bits of its own rows.
    pub(crate) fn scatter(&self, whole: &Layout, (tier, turn): (usize, Color), from: usize, words: &[u64]) {
        for share in [&self.for_white, &self.for_black] {
            let held = share.lost.words(tier, turn);
            if held.is_empty() {
                continue;
            }
            let range = from..from + words.len();
            each_word(whole.tier(tier), share.layout.tier(tier), range, |at, shift, mask, own, own_shift| {
                let bits = (words[at - from] >> shift & mask) << own_shift;
                held[own].fetch_or(bits, Ordering::Relaxed);
            });
        }
    }
}

/// Visits the words of a share's rows that lie in a range of the whole set's words. `visit` gets the word's place in the whole
/// set, the row's first bit there and its mask from there on, the word's place in the share, and the first bit there.
fn each_word(
    whole: &TierLayout,
    share: &TierLayout,
    words: Range<usize>,
    mut visit: impl FnMut(usize, u32, u64, usize, u32),
) {
    for row in whole.rows_in(&words) {
        let Some(slot) = share.slot(row) else { continue };
        let (to, own) = (whole.bits(row), share.bits(slot));
        for (at, own_at) in to.words.zip(own.words) {
            if words.contains(&at) {
                visit(at, to.shift, to.mask, own_at, own.shift);
            }
        }
    }
}
