//! A solved game: the few values that cannot be seen from the rules, and the others by the rules.

use super::value::{Counts, Value};
use crate::index::Rows;
use crate::rules::{Color, Game, Move, Outcome, Position};
use thiserror::Error;

/// The fewest plies of a loss that is listed; shorter ones can be seen.
pub(super) const LISTED_FROM: u32 = 3;

/// A game whose every position has a value.
///
/// It lists the draws and the losses in three plies or more: one position of 62. A finished position is decided by the rules.
/// From any other that is not listed, either some move wins at once or leads to a lost position, or every move loses at once
/// or lets the opponent win at once; two plies of moves show which.
#[derive(Clone, Debug)]
pub struct Solved {
    game: Game,
    rows: Rows,
    /// The numbers of listed positions, strictly increasing, and their values.
    listed: Vec<(u32, Value)>,
    counts: Counts,
}

/// Why a list is not that of a solved game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unlisted {
    /// A number is not above the one before, or not one of the game's.
    #[error("the number {0} is out of order or too large")]
    Number(u32),
    /// A value is not listed.
    #[error("the value of number {0} is none that is listed")]
    Value(u32),
}

impl Solved {
    pub(super) fn new(game: Game, rows: Rows, listed: Vec<(u32, Value)>, counts: Counts) -> Solved {
        Solved { game, rows, listed, counts }
    }

    /// A game that was solved before, from what [`Solved::listed`] and [`Solved::counts`] said. That the values are right is not
    /// checked.
    ///
    /// # Errors
    /// The list cannot be that of a game.
    pub fn from_listed(game: Game, listed: Vec<(u32, Value)>, counts: Counts) -> Result<Solved, Unlisted> {
        let rows = Rows::new(game.material);
        let mut least = 0;
        for &(number, value) in &listed {
            if u64::from(number) < least || number as usize >= rows.len() {
                return Err(Unlisted::Number(number));
            }
            if !matches!(value, Value::Draw | Value::Loss(LISTED_FROM..)) {
                return Err(Unlisted::Value(number));
            }
            least = u64::from(number) + 1;
        }
        Ok(Solved { game, rows, listed, counts })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> Game {
        self.game
    }

    /// The numbers ([`Rows::number`]) and values of the positions that are listed, in order.
    #[must_use]
    pub fn listed(&self) -> &[(u32, Value)] {
        &self.listed
    }

    /// A position with a number, as [`Solved::listed`] has them; `None` if the number is too large.
    #[must_use]
    pub fn position(&self, number: u32, turn: Color) -> Option<Position> {
        self.rows.position(number as usize, turn)
    }

    /// How many positions that differ by more than a symmetry have each value.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What a position is worth; `None` if it has more pieces than the game.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        let turn = position.turn();
        if let Some(winner) = position.finished() {
            return self
                .rows
                .number(position)
                .map(|_| if winner == turn { Value::Win(0) } else { Value::Loss(0) });
        }
        if let Some(value) = self.find(position)? {
            return Some(value);
        }
        let worth = |outcome| match outcome {
            Outcome::Won(winner) if winner == turn => Some(Value::Win(1)),
            Outcome::GoesOn(next) => self.lost(&next).map(|plies| Value::Win(plies + 1)),
            Outcome::Won(_) => None,
        };
        let wins = self.game.outcomes(position).filter_map(|(_, outcome)| worth(outcome));
        wins.max_by_key(|value| value.rank()).or_else(|| self.lost(position).map(Value::Loss))
    }

    /// What each move of a position is worth to the side that makes it, the best first; `None` as for [`Solved::value`].
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<Vec<(Move, Value)>> {
        let worth = |(mv, outcome)| match outcome {
            Outcome::Won(winner) if winner == position.turn() => Some((mv, Value::Win(1))),
            Outcome::Won(_) => Some((mv, Value::Loss(1))),
            Outcome::GoesOn(next) => Some((mv, self.value(&next)?.before())),
        };
        let mut moves: Vec<(Move, Value)> = self.game.outcomes(position).map(worth).collect::<Option<_>>()?;
        moves.sort_by_key(|(_, value)| -value.rank());
        Some(moves)
    }

    /// The value that is listed for a position, or none; `None` outside if it has more pieces than the game.
    fn find(&self, position: &Position) -> Option<Option<Value>> {
        let number = self.rows.number(position)?;
        let place = self.listed.binary_search_by_key(&number, |&(number, _)| number as usize);
        Some(place.ok().map(|place| self.listed[place].1))
    }

    /// In how many plies a position without a line is lost, if it is.
    fn lost(&self, position: &Position) -> Option<u32> {
        match self.find(position)? {
            Some(Value::Loss(plies)) => return Some(plies),
            Some(_) => return None,
            None => {}
        }
        let turn = position.turn();
        let mut plies = 1;
        for (_, outcome) in self.game.outcomes(position) {
            match outcome {
                Outcome::Won(winner) if winner == turn => return None,
                Outcome::Won(_) => {}
                Outcome::GoesOn(next) if self.wins_at_once(&next) => plies = 2,
                Outcome::GoesOn(_) => return None,
            }
        }
        Some(plies)
    }

    /// Whether some move of a position wins at once.
    fn wins_at_once(&self, position: &Position) -> bool {
        self.game.outcomes(position).any(|(_, outcome)| outcome == Outcome::Won(position.turn()))
    }
}
