//! Games as a proof-number search sees them: Black's attack on White, and either side's in the game on nine squares.

use gobengine::{After, Attack, Forced, Prover};
use gobjunior::rules as nine;

use super::suite::canonical_on_nine;
use crate::enumerate::wins::is_won;
use crate::prelude::*;
use crate::rules::{Color, Game, Outcome, Position};
use crate::symmetry;

/// Black's attack on White. It enters only positions that may be lost, because White holds all others.
pub struct BlackAttack<'a> {
    game: &'a Game,
    may_be_lost: &'a dyn Fn(&Position) -> bool,
}

impl<'a> BlackAttack<'a> {
    /// An attack in a game. `may_be_lost` is false only where White holds; without knowledge it is always true.
    #[must_use]
    pub fn new(game: &'a Game, may_be_lost: &'a dyn Fn(&Position) -> bool) -> BlackAttack<'a> {
        BlackAttack { game, may_be_lost }
    }
}

/// Positions are canonical: one stands for its whole orbit.
impl Attack for BlackAttack<'_> {
    type Position = Position;

    fn attacks(&self, position: &Position) -> bool {
        position.turn() == Color::Black
    }

    fn expand(&self, position: &Position, moves: &mut Vec<After<Position>>) {
        moves.extend(self.game.moves(position).map(|mv| match self.game.play_unchecked(position, mv) {
            Outcome::BlackWins => After::Won(1),
            Outcome::WhiteWins => After::Held,
            Outcome::GoesOn(next) if !(self.may_be_lost)(&next) => After::Held,
            Outcome::GoesOn(next) if next.turn() == Color::Black && is_won(self.game, &next) => After::Won(2),
            Outcome::GoesOn(next) => After::GoesOn(symmetry::canonical(&next)),
        }));
    }
}

/// A side's attack in the game on nine squares.
pub struct JuniorAttack {
    /// The game.
    pub game: nine::Game,
    /// The side that is to win.
    pub attacker: nine::Color,
}

/// Positions are canonical, as for [`BlackAttack`].
impl Attack for JuniorAttack {
    type Position = nine::Position;

    fn attacks(&self, position: &nine::Position) -> bool {
        position.turn() == self.attacker
    }

    fn expand(&self, position: &nine::Position, moves: &mut Vec<After<nine::Position>>) {
        moves.extend(self.game.outcomes(position).map(|(_, outcome)| match outcome {
            nine::Outcome::Won(winner) if winner == self.attacker => After::Won(1),
            nine::Outcome::Won(_) => After::Held,
            nine::Outcome::GoesOn(next) => After::GoesOn(canonical_on_nine(&next)),
        }));
    }
}

/// A move that wins for the side to move on nine squares, and within how many plies. `None` if a search of at most `most`
/// positions does not find a win, or if a line stands.
#[must_use]
pub fn junior_win(game: nine::Game, position: &nine::Position, most: u64) -> Option<(nine::Move, u32)> {
    position.finished().is_none().then_some(())?;
    let mut prover = Prover::new(JuniorAttack { game, attacker: position.turn() });
    let Forced::Wins { .. } = prover.prove(&canonical_on_nine(position), None, most) else { return None };
    let worth = |(mv, outcome)| match outcome {
        nine::Outcome::Won(winner) => (winner == position.turn()).then_some((mv, 1)),
        // The first search left its proofs in the table.
        nine::Outcome::GoesOn(next) => match prover.prove(&canonical_on_nine(&next), None, 0) {
            Forced::Wins { plies } => Some((mv, plies + 1)),
            Forced::Holds | Forced::GaveUp => None,
        },
    };
    game.outcomes(position).filter_map(worth).min_by_key(|(_, plies)| *plies)
}
