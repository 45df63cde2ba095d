//! Distances: in how many white moves Black wins, for each position.

use super::Refuting;
use super::found::SavedRefutation;
use super::grown::FORM;
use super::order::{FAR, Order};
use super::tier_distances::TierDistances;
use crate::closure::Watcher;
use crate::enumerate::Tier;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::fixpoint::FixpointError;
use crate::rules::{Color, Game, Move, Position, Size};
use crate::store::Checkpoint;
use crate::symmetry;

/// Positions seldom have more moves.
pub(crate) const MOST_MOVES: usize = 96;

/// How many white moves Black needs at most to win from positions with White to move.
pub(crate) struct Distances {
    pub game: Game,
    pub layout: Layout,
    /// The distances of each tier.
    pub moves: Vec<TierDistances>,
}

impl Order for Distances {
    fn game(&self) -> &Game {
        &self.game
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn form(&self) -> u32 {
        FORM
    }

    fn number(&self, tier: usize, bit: usize) -> u8 {
        match self.moves[tier].get(self.layout.tier(tier).number(bit)) {
            0 => FAR,
            moves => moves,
        }
    }

    fn below(&self, number: u8) -> u8 {
        number
    }

    fn limit(&self, distance: u8) -> u8 {
        distance
    }

    fn most(&self) -> u8 {
        FAR - 1
    }

    fn enter(
        &mut self,
        _: u8,
        _: Option<&Checkpoint<SavedRefutation>>,
        _: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError> {
        Ok(())
    }
}

/// The fewest moves of one side after which a tier can be reached: a move puts down one piece at most.
pub(crate) fn earliest(tier: Tier) -> u8 {
    let pieces = |color| Size::ALL.map(|size| tier.count(color, size)).iter().sum();
    Color::ALL.map(pieces).into_iter().max().unwrap_or_default()
}

/// How many white moves are left in a tier, if Black is to win within `most` white moves from the empty board.
pub(crate) fn left(most: u8, tier: &TierLayout) -> u8 {
    most.saturating_sub(earliest(tier.tier))
}

/// A black move and the position that it leads to.
#[derive(Debug)]
pub(crate) struct BlackReply {
    /// The move.
    pub mv: Move,
    /// The distance of the position, in white moves.
    pub moves: u8,
    /// The key of the position's orbit.
    pub key: u128,
    pub next: Position,
}

/// The key of a position's orbit.
pub(crate) fn key(position: &Position) -> u128 {
    symmetry::key(&symmetry::canonical(position))
}
