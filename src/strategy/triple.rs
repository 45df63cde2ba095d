//! The input of Algorithm 1: StratW, FceW and FceB.

use crate::rules::{Game, Move, Position};

/// The three functions of Algorithm 1. FceW is `lost_by` with Black to move, FceB with White to move.
///
/// All three must be symmetric. A position and its images under the 32 symmetries are all lost or all not lost, and the
/// moves of an image are the images of the moves. So it is enough to check canonical positions.
pub trait Triple: Sync {
    /// The clause that calls the position lost for White. `None` if the position is not in W (Black to move) or B
    /// (White to move).
    fn lost_by(&self, game: &Game, position: &Position) -> Option<&'static str>;

    /// The rule of StratW that applies with White to move, and the legal moves that it allows. Without a rule there are
    /// none.
    fn moves(&self, game: &Game, position: &Position) -> (&'static str, Vec<Move>);

    /// Whether the position is in W (Black to move) or in B (White to move).
    fn lost(&self, game: &Game, position: &Position) -> bool {
        self.lost_by(game, position).is_some()
    }
}
