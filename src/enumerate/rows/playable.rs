//! Moves piece by piece. What a piece uncovers is computed once for all squares that it can go to.

use crate::enumerate::lines::LineCounts;
use crate::enumerate::rows::layout::TierLayout;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, Move, Outcome, Position, Size, Square};

/// A piece that the side to move can play.
pub(crate) struct Playable {
    pub size: Size,
    /// Where it stands, `None` if it is in hand.
    pub from: Option<Square>,
    /// Where it can go.
    pub targets: Bitboard,
    /// The position without it, the other side to move.
    lifted: Position,
    /// Whether play goes on wherever the piece goes: lifting it uncovers no line of the other side, and no square
    /// completes a line of its own side.
    quiet: bool,
}

/// The pieces that the side to move can play: together their moves are those that [`Game::moves`] gives, in its order.
pub(crate) fn playable<'a>(
    game: &'a Game,
    position: &'a Position,
) -> impl Iterator<Item = Playable> + use<'a> {
    let mover = position.turn();
    let in_hand = Size::ALL.into_iter().map(move |size| (size, None, game.places(position, size)));
    let on_board = position.visible(mover).squares().filter_map(move |from| {
        let (_, size) = position.top(from)?;
        Some((size, Some(from), !position.barred(size)))
    });
    let goes_on = position.finished().is_none();
    in_hand.chain(on_board).filter(move |(_, _, targets)| goes_on && !targets.is_empty()).map(
        move |(size, from, targets)| {
            let mut lifted = position.with_turn(!mover);
            if let Some(from) = from {
                lifted.remove(mover, size, from);
            }
            let [own, other] = [mover, !mover].map(|color| LineCounts::of(lifted.visible(color)));
            Playable { size, from, targets, lifted, quiet: own.threes() | other.fours() == 0 }
        },
    )
}

impl Playable {
    /// The outcome of the move to one of its targets. `position` is the one that the piece was listed for.
    pub(crate) fn play(&self, game: &Game, position: &Position, to: Square) -> Outcome {
        if self.quiet {
            let mut after = self.lifted;
            after.add(position.turn(), self.size, to);
            return Outcome::GoesOn(after);
        }
        let mv = match self.from {
            Some(from) => Move::Transfer { from, to },
            None => Move::Place { size: self.size, to },
        };
        game.play_unchecked(position, mv)
    }

    /// Whether one of its moves wins for a side.
    pub(crate) fn wins(&self, game: &Game, position: &Position, color: Color) -> bool {
        let won = match color {
            Color::White => Outcome::WhiteWins,
            Color::Black => Outcome::BlackWins,
        };
        !self.quiet && self.targets.squares().any(|to| self.play(game, position, to) == won)
    }

    /// The tier of the positions that its moves lead to. `plan` is the layout of the tier that it leaves.
    pub(crate) fn tier_after(&self, tier: usize, plan: &TierLayout, mover: Color) -> Option<usize> {
        if self.from.is_some() { Some(tier) } else { plan.after[mover][self.size] }
    }
}
