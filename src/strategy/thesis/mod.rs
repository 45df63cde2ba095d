//! The thesis's strategy for `ab` (section 6.2, Algorithm 1): StratW, FceW and FceB, clause by clause.
//!
//! The code follows the text sentence by sentence. Where a sentence can be read in two ways, both are values of an
//! option in [`Options`]; the default is the literal one. Everything is defined by lines, colours and sizes, and the
//! squares of the diagonals are those on three lines. So all three functions are symmetric under the 32 symmetries of
//! the board.

mod clause;
pub mod fce_b;
pub mod fce_w;
pub mod notions;
mod options;
mod position_type;
pub mod strat_w;

pub use clause::{Clause, ClauseView};
pub use options::{
    Attacked, Bare, Blocked, Completable, Counted, FromHand, Held, NoSuchOption, OnBoard, Options, Safe,
    Scope, Spare, Surplus, Unremovable, Untyped,
};
pub use position_type::PositionType;

use super::triple::Triple;
use crate::rules::{Color, Game, Move, Position};

/// The thesis's three functions under a choice of options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thesis {
    /// How the clauses are read.
    pub options: Options,
}

impl Triple for Thesis {
    fn lost_by(&self, game: &Game, position: &Position) -> Option<&'static str> {
        let view = ClauseView { game, position, options: &self.options };
        let clauses: &[Clause] = match position.turn() {
            Color::Black => &fce_w::CLAUSES,
            Color::White => &fce_b::CLAUSES,
        };
        clauses.iter().find(|clause| (clause.holds)(&view)).map(|clause| clause.name)
    }

    fn lost(&self, game: &Game, position: &Position) -> bool {
        let view = ClauseView { game, position, options: &self.options };
        // For half of all positions this is the cheapest clause, although it is the last in both lists.
        fce_w::untyped(&view) || self.lost_by(game, position).is_some()
    }

    fn moves(&self, game: &Game, position: &Position) -> (&'static str, Vec<Move>) {
        strat_w::moves(&ClauseView { game, position, options: &self.options })
    }
}

#[cfg(test)]
mod testing;
