//! Orders in which Black wins. A refutation always goes to a position that is earlier in the order, so it comes to an end.

use super::Refuting;
use super::distances::{BlackReply, MOST_MOVES, key};
use super::found::SavedRefutation;
use crate::closure::Watcher;
use crate::enumerate::Tier;
use crate::enumerate::rows::layout::Layout;
use crate::passes::fixpoint::FixpointError;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::store::Checkpoint;

/// The number of a position that Black does not win, or that no answer may lead to.
pub(crate) const FAR: u8 = u8::MAX;

/// Numbers that say how soon Black wins from positions with White to move. The smaller, the sooner.
pub(crate) trait Order: Sync {
    fn game(&self) -> &Game;

    fn layout(&self) -> &Layout;

    /// Changes when the same order makes another refutation grow.
    fn form(&self) -> u32;

    /// The number of the position with this bit in a tier: at least 1, [`FAR`] if there is none.
    fn number(&self, tier: usize, bit: usize) -> u8;

    /// The answer to a white move of a position with this number has a number below the result.
    fn below(&self, number: u8) -> u8;

    /// While positions with this distance are answered, in white moves, an answer has a number below the result. Those with a
    /// larger distance, and they themselves, have none below it.
    fn limit(&self, distance: u8) -> u8;

    /// The distance to begin with. No position is farther from the win.
    fn most(&self) -> u8;

    /// Gets ready for a distance. They come from the largest to 1; some may be left out. `saved` is what the order was made from,
    /// if there are working files.
    ///
    /// # Errors
    /// The working files cannot be used, or the watcher broke it off.
    fn enter(
        &mut self,
        distance: u8,
        saved: Option<&Checkpoint<SavedRefutation>>,
        watcher: Watcher<'_, Refuting>,
    ) -> Result<(), FixpointError>;

    /// The number of a position.
    fn of(&self, position: &Position) -> u8 {
        let tier = self.layout().tiers().index(Tier::of(position));
        tier.map_or(FAR, |tier| self.at(tier, self.layout().bit(self.layout().tier(tier), position)))
    }

    /// The number of the position with this bit, if it is stored.
    fn at(&self, tier: usize, bit: Option<usize>) -> u8 {
        bit.map_or(FAR, |bit| self.number(tier, bit))
    }

    /// Black's moves to positions with a number below `fewer`.
    ///
    /// # Errors
    /// The black move that wins at once, if one does.
    fn answers(&self, position: &Position, fewer: u8) -> Result<Vec<BlackReply>, Move> {
        let (game, layout) = (self.game(), self.layout());
        let Some(tier) = layout.tiers().index(Tier::of(position)) else { return Ok(Vec::new()) };
        let bit = |tier: usize, next: &Position| layout.bit(layout.tier(tier), next);
        let after = &layout.tier(tier).after[Color::Black];
        let mut answers = Vec::with_capacity(MOST_MOVES);
        for mv in game.moves(position) {
            match (game.play_unchecked(position, mv), mv) {
                (Outcome::BlackWins, _) => return Err(mv),
                (Outcome::WhiteWins, _) => {}
                (Outcome::GoesOn(next), Move::Place { size, .. }) => {
                    answers.extend(after[size].map(|tier| (mv, next, tier, bit(tier, &next))));
                }
                (Outcome::GoesOn(next), Move::Transfer { .. }) => {
                    answers.push((mv, next, tier, bit(tier, &next)));
                }
            }
        }
        // Memory is slow, so the numbers of all moves are read together.
        let answer = |(mv, next, tier, bit): (Move, Position, usize, Option<usize>)| {
            let moves = self.at(tier, bit);
            (moves < fewer).then(|| BlackReply { mv, moves, key: key(&next), next })
        };
        Ok(answers.into_iter().filter_map(answer).collect())
    }
}
