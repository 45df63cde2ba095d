//! The order by distance in the least memory: one bit a position.
//!
//! A refutation grows from the farthest positions to the nearest. While positions of one distance are answered, all that has
//! to be known of an answer is whether it is nearer. So a bit is set where Black wins in time, and the bits of each distance
//! are cleared when its turn comes. Which of two answers is nearer is not known, so more positions come in than by
//! [`Distances`](super::distances::Distances).

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::Refuting;
use super::found::{self, SavedRefutation};
use super::grown::SLIDING_FORM;
use super::order::{FAR, Order, Stage};
use crate::bitbase::lost::OutOfMemory;
use crate::closure::Watcher;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::FixpointError;
use crate::rules::{Game, Position};
use crate::store::Checkpoint;

/// The number of a position that is nearer than the stage.
const NEARER: u8 = 1;

/// For each position whether Black wins it nearer than the stage.
pub(crate) struct Sliding {
    game: Game,
    layout: Layout,
    /// The bits of each tier, by [`TierLayout::number`].
    nearer: Vec<Vec<AtomicU64>>,
    /// The bits of this distance and of larger ones are cleared.
    cleared: u8,
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
            no_bits(plan.numbers())
                .map_err(|_| OutOfMemory { tier: plan.tier, bytes: Sliding::bytes(plan.numbers()) })
        };
        let nearer = layout.all().iter().map(none).collect::<Result<Vec<_>, _>>()?;
        found::read(saved, &layout, 0..=FAR, watcher, |tier, _, found| {
            let set = |number: usize| {
                nearer[tier][number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
            };
            let plan = layout.tier(tier);
            found.into_par_iter().for_each(|(row, places)| found::numbers(plan, row, places).for_each(set));
        })?;
        let cleared = saved.manifest.done.most.saturating_add(1);
        Ok(Sliding { game: *game, layout, nearer, cleared })
    }

    /// The bytes that it takes for a tier with this number of positions.
    pub(crate) fn bytes(len: usize) -> u128 {
        8 * len.div_ceil(64) as u128
    }
}

/// A bit for each of `len` numbers, none of them set.
///
/// # Errors
/// The system does not give the memory.
pub(crate) fn no_bits(len: usize) -> Result<Vec<AtomicU64>, std::collections::TryReserveError> {
    let (len, mut bits) = (len.div_ceil(64), Vec::new());
    bits.try_reserve_exact(len)?;
    bits.resize_with(len, AtomicU64::default);
    Ok(bits)
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
        let number = self.layout.tier(tier).number(bit);
        let word = self.nearer[tier].get(number / 64).map_or(0, |word| word.load(Ordering::Relaxed));
        if word >> (number % 64) & 1 == 1 { NEARER } else { FAR }
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
        Stage { list: 0, place: self.cleared.saturating_sub(1) }
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
        let distances = stage.place..=self.cleared.saturating_sub(1);
        found::read(saved, &self.layout, distances, watcher, |tier, _, found| {
            let clear = |number: usize| {
                self.nearer[tier][number / 64].fetch_and(!(1 << (number % 64)), Ordering::Relaxed);
            };
            let plan = self.layout.tier(tier);
            found.into_par_iter().for_each(|(row, places)| found::numbers(plan, row, places).for_each(clear));
        })?;
        self.cleared = self.cleared.min(stage.place);
        Ok(())
    }

    fn is_due(&self, position: &Position, _: Stage) -> bool {
        self.of(position) == FAR
    }
}
