//! The input of Algorithm 1: StratW, FceW and FceB.

use crate::rules::{Game, Move, Position};

/// The three functions of Algorithm 1. FceW is `lost_by` with Black to move, FceB with White to move.
///
/// All three must be symmetric: a position and its image under one of the 32 symmetries are both lost or both not
/// are lost, and the moves of the image are the images of the moves. That is what lets a check look at
/// canonical positions alone.
pub trait Triple: Sync {
    /// The clause that calls the position lost for White, `None` if it is in neither set.
    fn lost_by(&self, game: &Game, position: &Position) -> Option<&'static str>;

    /// The rule of StratW that applies with White to move, and the legal moves that it allows: none if no
    /// rule applies.
    fn moves(&self, game: &Game, position: &Position) -> (&'static str, Vec<Move>);

    /// Whether the position is in W (Black to move) or in B (White to move).
    fn lost(&self, game: &Game, position: &Position) -> bool {
        self.lost_by(game, position).is_some()
    }
}
