//! The order in which a closure grows by known values: all questions of a tier after those of the tiers before it.
//!
//! A piece never leaves the board (R5). So an answer to a question of a tier brings questions of this tier and later ones
//! only, and the values that a tier needs have to be read only once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::growth::AtTier;
use super::view::Code;
use crate::closure::Values;
use crate::enumerate::Tier;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::enumerate::rows::playable::Playable;
use crate::rules::{Color, Game, Position, Size};

/// The positions that wait for their questions to be answered, by the tier of the questions.
pub(crate) struct ByTier<'a> {
    values: &'a dyn Values,
    layout: Layout,
    /// The tier whose questions are answered now.
    at: usize,
    /// For each other tier the positions that wait for its questions, the next one last.
    later: BTreeMap<usize, Vec<Code>>,
}

impl<'a> ByTier<'a> {
    pub(crate) fn new(game: &Game, values: &'a dyn Values) -> ByTier<'a> {
        ByTier { values, layout: Layout::new(game.variant), at: 0, later: BTreeMap::new() }
    }

    /// Makes the values for the first tier available. It breaks off as [`Values::enter`] does.
    pub(crate) fn begin(&self, goes_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        self.values.enter(self.at, goes_on)
    }

    /// The place and the layout of a position's tier.
    pub(crate) fn tier(&self, position: &Position) -> (usize, &TierLayout) {
        let tier = self.layout.tiers().index(Tier::of(position)).expect("a position of the variant");
        (tier, self.layout.tier(tier))
    }

    /// Whether moves of a black piece from a position of the tier lead to questions that are answered now.
    pub(crate) fn is_asked_now(&self, (tier, plan): (usize, &TierLayout), piece: &Playable) -> bool {
        piece.tier_after(tier, plan, Color::Black) == Some(self.at)
    }

    /// The tier whose questions are answered now.
    pub(crate) fn at(&self) -> AtTier {
        let all = self.layout.all();
        AtTier { tier: all[self.at].tier, number: self.at + 1, of: all.len() }
    }

    /// Queues a position once for each tier that its questions can be of. If that is the tier answered now, it goes to `open`.
    pub(crate) fn wait(&mut self, code: Code, position: &Position, open: &mut Vec<Code>) {
        let (tier, plan) = self.tier(position);
        let after = Size::ALL.map(|size| plan.after[Color::Black][size]);
        for asked in after.into_iter().flatten().chain([tier]) {
            if asked == self.at { open.push(code) } else { self.later.entry(asked).or_default().push(code) }
        }
    }

    /// Goes on to the next tier, if there is one: its positions go to `open`. It breaks off as [`Values::enter`] does.
    pub(crate) fn next(
        &mut self,
        open: &mut Vec<Code>,
        goes_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some((tier, waiting)) = self.later.pop_first() {
            (self.at, *open) = (tier, waiting);
            return self.values.enter(tier, goes_on);
        }
        ControlFlow::Continue(())
    }

    /// Whether positions wait for questions of other tiers.
    pub(crate) fn has_later(&self) -> bool {
        !self.later.is_empty()
    }

    /// How many positions wait for questions of other tiers.
    pub(crate) fn len(&self) -> usize {
        self.later.values().map(Vec::len).sum()
    }

    /// For how many such positions memory is reserved.
    pub(crate) fn capacity(&self) -> usize {
        self.later.values().map(Vec::capacity).sum()
    }

    /// The positions that wait for questions of other tiers, tier by tier.
    pub(crate) fn later(&self) -> impl Iterator<Item = &Code> {
        self.later.values().flatten()
    }

    /// For each tier how many positions wait for its questions: first `open` for the tier answered now, then those of
    /// [`ByTier::later`].
    pub(crate) fn counts(&self, open: &[Code]) -> Vec<(usize, u64)> {
        let later = self.later.iter().map(|(&tier, list)| (tier, list.len() as u64));
        std::iter::once((self.at, open.len() as u64)).chain(later).collect()
    }

    /// Queues the waiting positions in `open` again, by the `tiers` that [`ByTier::counts`] gave. The first tier is entered by
    /// [`ByTier::next`].
    pub(crate) fn take_up(&mut self, open: &mut Vec<Code>, tiers: &[(usize, u64)]) {
        let mut all = std::mem::take(open).into_iter();
        self.at = tiers.first().map_or(0, |&(tier, _)| tier);
        for &(tier, count) in tiers {
            let list: Vec<Code> = all.by_ref().take(count as usize).collect();
            if !list.is_empty() {
                self.later.insert(tier, list);
            }
        }
    }
}
