//! Distances: in how many white moves Black wins, for each position.

use super::tier_distances::TierDistances;
use crate::enumerate::Tier;
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Size};
use crate::symmetry;

/// Positions seldom have more moves.
pub(crate) const MOST_MOVES: usize = 96;

/// The distance of a position that Black does not win, or not soon enough: larger than any that is stored.
pub(crate) const FAR: u8 = u8::MAX;

/// How many white moves Black needs at most to win from positions with White to move.
pub(crate) struct Distances {
    pub game: Game,
    pub layout: Layout,
    /// The distances of each tier.
    pub moves: Vec<TierDistances>,
}

impl Distances {
    /// The distance of a position; [`FAR`] where Black does not win, or not soon enough.
    pub(crate) fn of(&self, position: &Position) -> u8 {
        self.tier(position).map_or(FAR, |tier| self.at(tier, self.number(tier, position)))
    }

    fn tier(&self, position: &Position) -> Option<usize> {
        self.layout.tiers().index(Tier::of(position))
    }

    /// The number of a position's bit in its tier, if it is stored.
    fn number(&self, tier: usize, position: &Position) -> Option<usize> {
        let plan = self.layout.tier(tier);
        Some(plan.number(self.layout.bit(plan, position)?))
    }

    fn at(&self, tier: usize, number: Option<usize>) -> u8 {
        match number.map_or(0, |number| self.moves[tier].get(number)) {
            0 => FAR,
            moves => moves,
        }
    }

    /// Black's moves to positions with a distance below `fewer`.
    ///
    /// # Errors
    /// The black move that wins at once, if one does.
    pub(crate) fn answers(&self, position: &Position, fewer: u8) -> Result<Vec<BlackReply>, Move> {
        let game = &self.game;
        let Some(tier) = self.tier(position) else { return Ok(Vec::new()) };
        let after = &self.layout.tier(tier).after[Color::Black];
        let mut answers = Vec::with_capacity(MOST_MOVES);
        for mv in game.moves(position) {
            match (game.play_unchecked(position, mv), mv) {
                (Outcome::BlackWins, _) => return Err(mv),
                (Outcome::WhiteWins, _) => {}
                (Outcome::GoesOn(next), Move::Place { size, .. }) => {
                    answers.extend(after[size].map(|tier| (mv, next, tier, self.number(tier, &next))));
                }
                (Outcome::GoesOn(next), Move::Transfer { .. }) => {
                    answers.push((mv, next, tier, self.number(tier, &next)));
                }
            }
        }
        // Memory is slow, so the distances of all moves are read together.
        let answer = |(mv, next, tier, number): (Move, Position, usize, Option<usize>)| {
            let moves = self.at(tier, number);
            (moves < fewer).then(|| BlackReply { mv, moves, key: key(&next), next })
        };
        Ok(answers.into_iter().filter_map(answer).collect())
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
