//! A clause of a function, and what it looks at.

use super::notions;
use super::options::Options;
use crate::rules::{Game, Position};

/// A position as a clause sees it: with the game it belongs to and the options chosen.
#[derive(Clone, Copy, Debug)]
pub struct ClauseView<'a> {
    /// The variant, which says what is in hand, and the reading.
    pub game: &'a Game,
    /// The position.
    pub position: &'a Position,
    /// How the clauses are read.
    pub options: &'a Options,
}

impl ClauseView<'_> {
    /// Whether some piece of either side is in hand.
    #[must_use]
    pub fn some_in_hand(&self) -> bool {
        notions::some_in_hand(self.game, self.position)
    }
}

/// One clause of FceW or FceB.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// Its name in reports.
    pub name: &'static str,
    /// The names of the options that it depends on.
    pub reads: &'static [&'static str],
    /// Whether it calls the position lost.
    pub holds: fn(&ClauseView) -> bool,
}
