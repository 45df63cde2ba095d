//! The order by distance in less memory: of each position whether Black wins it near, far, or not in time.
//!
//! A refutation grows from the farthest positions to the nearest. While positions of one distance are answered, an answer must
//! be nearer. Of the nearer ones half the distance parts near from far. What is not nearer is crossed out when its turn comes,
//! and what is far is parted anew. More positions come in than by [`Distances`](super::distances::Distances), since less is
//! known: 1.1 to 1.8 times as many where that was tried.

use std::ops::RangeInclusive;

use super::Refuting;
use super::found::{self, SavedRefutation};
use super::grown::SLIDING_FORM;
use super::order::{FAR, Order};
use super::packed::Packed;
use crate::bitbase::lost::OutOfMemory;
use crate::closure::Watcher;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::FixpointError;
use crate::rules::Game;
use crate::store::Checkpoint;

/// The number of a position that Black wins within half of the distance that is worked on.
const NEAR: u8 = 1;

/// The number of the other positions that are nearer than that distance.
const FAR_OFF: u8 = 2;

/// The number stored for a position that no answer may lead to.
const CROSSED_OUT: u8 = 0;

/// The largest distance that is near, while this one is worked on.
fn near(distance: u8) -> u8 {
    distance / 2
}

/// For each position whether Black wins it nearer than the distance that is worked on, and whether near.
pub(crate) struct Sliding {
    game: Game,
    layout: Layout,
    /// The numbers of each tier's positions, by [`TierLayout::number`].
    soon: Vec<Packed>,
    /// Positions with this distance or a larger one are crossed out.
    crossed_out: u8,
    /// Those with this distance or a larger one are far.
    far: u8,
}

impl Sliding {
    /// The order by what all steps found.
    ///
    /// # Errors
    /// The system does not give the memory, the working files cannot be used, or the watcher broke it off.
    pub(crate) fn new(
        game: &Game,
        layout: Layout,
        saved: &Checkpoint<SavedRefutation>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<Sliding, FixpointError> {
        let none = |plan: &TierLayout| {
            Packed::new(plan.numbers(), FAR_OFF)
                .map_err(|_| OutOfMemory { tier: plan.tier, bytes: Sliding::bytes(plan.numbers()) })
        };
        let soon = layout.all().iter().map(none).collect::<Result<Vec<_>, _>>()?;
        let after = saved.manifest.done.most.saturating_add(1);
        let sliding = Sliding { game: *game, layout, soon, crossed_out: after, far: after };
        sliding.replace(saved, 0..=FAR, NEAR, watcher)?;
        Ok(sliding)
    }

    /// The bytes that it takes for a tier with this number of positions.
    pub(crate) fn bytes(len: usize) -> u128 {
        Packed::bytes(len, FAR_OFF)
    }

    /// Replaces the numbers of the positions with some distances.
    fn replace(
        &self,
        saved: &Checkpoint<SavedRefutation>,
        distances: RangeInclusive<u8>,
        number: u8,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError> {
        found::read_numbers(saved, &self.layout, distances, watcher, |tier, _, place| {
            self.soon[tier].replace(place, number);
        })
    }
}

impl Order for Sliding {
    fn game(&self) -> &Game {
        &self.game
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn form(&self) -> u32 {
        SLIDING_FORM
    }

    fn number(&self, tier: usize, bit: usize) -> u8 {
        match self.soon[tier].get(self.layout.tier(tier).number(bit)) {
            CROSSED_OUT => FAR,
            number => number,
        }
    }

    fn below(&self, number: u8) -> u8 {
        number + 1
    }

    fn limit(&self, _: u8) -> u8 {
        FAR
    }

    fn most(&self) -> u8 {
        self.crossed_out.saturating_sub(1)
    }

    fn enter(
        &mut self,
        distance: u8,
        saved: Option<&Checkpoint<SavedRefutation>>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError> {
        let saved = saved.expect("this order is made from working files");
        let crossed_out = distance.min(self.crossed_out);
        self.replace(saved, crossed_out..=self.most(), CROSSED_OUT, &mut *watcher)?;
        self.crossed_out = crossed_out;
        let far = near(crossed_out) + 1;
        self.replace(saved, far..=self.most().min(self.far.saturating_sub(1)), FAR_OFF, watcher)?;
        self.far = far;
        Ok(())
    }
}
