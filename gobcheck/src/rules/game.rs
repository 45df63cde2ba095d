//! A game: a variant under a reading, and how it judges a move (R6 and the readings).

use super::moves::Move;
use super::piece::Color;
use super::position::Position;
use super::reading::Reading;
use super::variant::Variant;

/// A variant under a reading: all that is needed to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game {
    /// What each side may use.
    pub variant: Variant,
    /// How the rules are read.
    pub reading: Reading,
}

impl Game {
    /// The game of a variant under a reading.
    pub const fn new(variant: Variant, reading: Reading) -> Game {
        Game { variant, reading }
    }

    /// Who has won with a move that [`Game::moves`] gave, by the positions before and after it ([`Position::moved`]); `None`
    /// while play goes on.
    pub fn winner(&self, before: &Position, mv: Move, after: &Position) -> Option<Color> {
        use Reading::{NoEntryCover, Official, Robust, StrictLift, Thesis};
        let mover = before.turn();
        // R6: the opponent's line first, then the mover's. In `robust`, Black's line comes first whoever moved.
        let first = if self.reading == Robust { Color::Black } else { !mover };
        let at_the_end = || [first, !first].into_iter().find(|&color| after.has_line(color));
        match (self.reading, mover) {
            (Official | NoEntryCover, _) | (Robust, Color::Black) => at_the_end(),
            _ if !uncovers(before, mv) => at_the_end(),
            (Thesis, _) => Some(if after.has_line(mover) { mover } else { !mover }),
            (StrictLift, _) => Some(!mover),
            (Robust, Color::White) => Some(Color::Black),
        }
    }
}

/// Whether lifting the piece of a transfer shows a line of the mover's opponent.
fn uncovers(before: &Position, mv: Move) -> bool {
    let Move::Transfer { from, .. } = mv else { return false };
    before.top(from).is_some_and(|(color, size)| {
        let mut lifted = *before;
        lifted.remove(color, size, from);
        lifted.has_line(!color)
    })
}
