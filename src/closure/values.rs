//! The values by which a closure grows: which positions with Black to move White holds.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, RwLock};

use crate::bitbase::solution::Solution;
use crate::bitbase::window::Place;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::layout::Layout;
use crate::passes::{self, FixpointError, bytes_of_table};
use crate::rules::{ByColor, Color, Game, Position, Size, Variant};
use crate::store::{Checkpoint, SavedTiers};
use crate::strategy::Seed;

/// The values of positions with Black to move.
pub trait Values: Sync {
    /// The discipline that White keeps to in them.
    fn discipline(&self) -> Discipline;

    /// Whether White has lost a position with Black to move. It must answer a question of the tier that was entered last.
    fn is_lost(&self, position: &Position) -> bool;

    /// Makes the values of White's answers to the questions of a tier available, and calls `goes_on` again and again meanwhile.
    /// Returns [`ControlFlow::Break`] if `goes_on` does, or if the values cannot be read.
    fn enter(&self, tier: usize, goes_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()>;

    /// Frees the values, which are not needed any more.
    fn leave(&self) {}
}

/// All values are in memory.
impl Values for Solution {
    fn discipline(&self) -> Discipline {
        *Solution::discipline(self)
    }

    fn is_lost(&self, position: &Position) -> bool {
        Solution::is_lost(self, position)
    }

    fn enter(&self, _tier: usize, _: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Values in the working files of a finished solve. Only those of White's answers to the questions of one tier are
/// available at a time. They are in memory, or in mapped files if they take too much of it.
pub struct SavedValues {
    checkpoint: Checkpoint<SavedTiers>,
    /// The most bytes that values may take in memory.
    room: u128,
    known: RwLock<Solution>,
    failed: Mutex<Option<FixpointError>>,
}

impl SavedValues {
    /// The values that working files hold; they must be those of the game and the discipline. Those that take more than
    /// `room` bytes are to lie in files in the same directory.
    ///
    /// # Errors
    /// A tier is not finished, or was saved without the values of positions with Black to move.
    pub fn new(
        game: &Game,
        discipline: Discipline,
        checkpoint: Checkpoint<SavedTiers>,
        room: u128,
    ) -> Result<SavedValues, FixpointError> {
        let known = Solution::nowhere(game, Seed::Rules, discipline);
        passes::fixpoint::all_finished(&known.layout, &checkpoint)?;
        Ok(SavedValues { checkpoint, room, known: RwLock::new(known), failed: Mutex::new(None) })
    }

    /// Why values could not be read, if that broke a run off. It is told once.
    pub fn failed(&self) -> Option<FixpointError> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The most bytes that values may take in memory.
    #[must_use]
    pub fn room(&self) -> u128 {
        self.room
    }

    /// The most bytes that the values take in memory, if those that take more than `room` lie in files.
    #[must_use]
    pub fn bytes(variant: Variant, discipline: Discipline, room: u128) -> u128 {
        let layout = Layout::within(variant, discipline);
        let all = (0..layout.all().len()).map(|tier| bytes(&layout, tier)).filter(|&bytes| bytes <= room);
        bytes_of_table(variant, discipline) + all.max().unwrap_or_default()
    }
}

impl Values for SavedValues {
    fn discipline(&self) -> Discipline {
        *self.known.read().unwrap_or_else(PoisonError::into_inner).discipline()
    }

    fn is_lost(&self, position: &Position) -> bool {
        self.known.read().unwrap_or_else(PoisonError::into_inner).is_lost(position)
    }

    fn enter(&self, tier: usize, goes_on: &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let mut window = vec![ByColor::default(); known.layout.all().len()];
        let place = if bytes(&known.layout, tier) > self.room { Place::Mapped } else { Place::Memory };
        for answer in answers(&known.layout, tier) {
            window[answer].black = place;
        }
        let held = passes::fixpoint::hold_finished(&mut known, &self.checkpoint, &window, goes_on);
        drop(known);
        let Err(error) = held else { return ControlFlow::Continue(()) };
        // A set may have been read only in part.
        self.leave();
        if !matches!(error, FixpointError::Interrupted) {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
        ControlFlow::Break(())
    }

    fn leave(&self) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let nothing = vec![ByColor::default(); known.layout.all().len()];
        // No memory is asked for, so none is refused.
        let _ = known.hold(&nothing);
    }
}

/// The tiers of White's answers to the questions of a tier: a move stays in the tier or puts a piece down.
fn answers(layout: &Layout, tier: usize) -> impl Iterator<Item = usize> {
    let after = &layout.tier(tier).after[Color::White];
    Size::ALL.into_iter().filter_map(|size| after[size]).chain([tier])
}

/// How many bytes the values of White's answers to the questions of a tier take.
fn bytes(layout: &Layout, tier: usize) -> u128 {
    answers(layout, tier).map(|answer| layout.tier(answer).bytes()).sum()
}
