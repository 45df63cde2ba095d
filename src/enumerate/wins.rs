//! Positions in which a side wins with its next move.

use super::lines::LineCounts;
use super::rows::playable::playable;
use crate::prelude::*;
use crate::rules::{Bitboard, Game, Outcome, Position};

/// Whether the side to move has a move that wins at once.
pub(crate) fn is_won(game: &Game, position: &Position) -> bool {
    let mover = position.turn();
    can_win(position.visible(mover))
        && playable(game, position).any(|piece| piece.wins(game, position, mover))
}

/// Whether a side with these visible pieces may have a move that wins. A move shows at most one more piece of the
/// mover, and a line needs four, so three must be in a line already.
pub(crate) fn can_win(visible: Bitboard) -> bool {
    LineCounts::of(visible).threes() != 0
}

/// The number of plies to Black's win, if Black wins with its next move at the latest whatever White does now. It is 1
/// if every White move ends the game at once, otherwise 2. `None` if Black does not win so soon.
pub(crate) fn plies_at_sight(game: &Game, question: &Position) -> Option<u32> {
    let goes_on = |mv| matches!(game.play_unchecked(question, mv), Outcome::GoesOn(_));
    is_lost_at_sight(game, question).then(|| if game.moves(question).any(goes_on) { 2 } else { 1 })
}

/// Whether Black wins with its next move at the latest, whatever White does now.
pub(crate) fn is_lost_at_sight(game: &Game, question: &Position) -> bool {
    game.moves(question).all(|mv| match game.play_unchecked(question, mv) {
        Outcome::WhiteWins => false,
        Outcome::BlackWins => true,
        Outcome::GoesOn(next) => is_won(game, &next),
    })
}
