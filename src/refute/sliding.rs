//! The order by distance in less memory: of each position whether Black wins it near, far, or not in time.
//!
//! A refutation grows from the farthest positions to the nearest. While positions of one distance are answered, an answer must
//! be nearer. Of the nearer ones half the distance parts near from far. What is not nearer is crossed out when its turn comes,
//! and what is far is parted anew. More positions come in than by [`Distances`](super::distances::Distances), since less is
//! known: 1.1 to 1.8 times as many where that was tried.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::Refuting;
use super::found::{self, SavedRefutation};
use super::grown::SLIDING_FORM;
use super::order::{FAR, Order, Stage};
use super::packed::Packed;
use crate::bitbase::lost::OutOfMemory;
use crate::closure::Watcher;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::FixpointError;
use crate::rules::{Game, Position};
use crate::store::Checkpoint;

/// The number of a position that Black wins within half of the distance of the stage.
const NEAR: u8 = 1;

/// The number of other positions that are nearer than the stage.
const FAR_OFF: u8 = 2;

/// What is stored where no answer may lead.
const CROSSED_OUT: u8 = 0;

/// The largest distance that is near, for a stage of this distance.
fn near(stage: u8) -> u8 {
    stage / 2
}

/// For each position whether Black wins it nearer than the stage, and whether near.
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
        found::read(saved, &self.layout, distances, watcher, |tier, _, found| {
            let (plan, soon) = (self.layout.tier(tier), &self.soon[tier]);
            found.into_par_iter().for_each(|(row, places)| {
                found::numbers(plan, row, places).for_each(|place| soon.replace(place, number));
            });
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

    fn below_stage(&self, _: Stage) -> u8 {
        FAR
    }

    /// All positions are in one list, since their distances are not known before their turn.
    fn list(&self, _: &Position) -> usize {
        0
    }

    fn lists(&self) -> usize {
        1
    }

    fn first(&self) -> Stage {
        Stage { list: 0, place: self.crossed_out.saturating_sub(1) }
    }

    fn next(&self, stage: Stage) -> Option<Stage> {
        (stage.place > 1).then(|| Stage { place: stage.place - 1, ..stage })
    }

    fn enter(
        &mut self,
        stage: Stage,
        saved: Option<&Checkpoint<SavedRefutation>>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError> {
        let saved = saved.expect("this order is made from working files");
        let crossed_out = stage.place.min(self.crossed_out);
        self.replace(saved, crossed_out..=self.crossed_out.saturating_sub(1), CROSSED_OUT, &mut *watcher)?;
        self.crossed_out = crossed_out;
        let far = near(crossed_out) + 1;
        let last = self.far.min(crossed_out).saturating_sub(1);
        self.replace(saved, far..=last, FAR_OFF, watcher)?;
        self.far = far;
        Ok(())
    }

    fn is_due(&self, position: &Position, _: Stage) -> bool {
        self.of(position) == FAR
    }
}
