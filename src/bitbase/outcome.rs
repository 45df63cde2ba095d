//! The value of each position of a variant: win, draw or loss for the side to move.
//!
//! A solution says of each position whether White has lost it. If both sides have the same pieces and the reading
//! treats them alike, the solution with colours exchanged says which positions Black has lost. All others are draws. If
//! not, a position is only safe or lost for White.

use std::convert::Infallible;

use crate::bitbase::solution::{Select, Solution};
use crate::enumerate::{Tier, census};
use crate::prelude::*;
use crate::rules::{ByColor, Color, Game, Position, Reading};

/// Of some positions with one side to move, how many are safe and lost for White.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Held {
    /// White can go on for ever without losing.
    pub safe: u128,
    /// Black can force a line.
    pub lost: u128,
}

/// How many of some positions are won, drawn and lost for the side to move. A finished one counts as R6 judges the move that led
/// there: won if the side to move has a line, else lost.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Won for the side to move.
    pub wins: u128,
    /// Neither side can force a line.
    pub draws: u128,
    /// Lost for the side to move.
    pub losses: u128,
}

/// The counts of one tier, by side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TierOutcome {
    /// The tier.
    pub tier: Tier,
    /// How many are safe and lost for White.
    pub held: ByColor<Held>,
    /// How many are won, drawn and lost; `None` where White and Black are not alike.
    pub worth: Option<ByColor<Worth>>,
}

/// What the empty board is worth to the side that moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// It loses; where the sides are not alike, Black forces a line.
    Loss,
    /// Neither side can force a line; where the sides are not alike, White holds.
    Draw,
    /// It wins.
    Win,
}

impl Value {
    /// The value of a position, given whether White has lost it and whether Black has.
    pub(crate) fn of(position: &Position, for_white: bool, for_black: bool) -> Value {
        let turn = position.turn();
        let (lost, won) = match turn {
            Color::White => (for_white, for_black),
            Color::Black => (for_black, for_white),
        };
        // R6: a line of the side to move was uncovered by its opponent, who has lost.
        match (won || position.has_line(turn), lost) {
            (true, _) => Value::Win,
            (false, true) => Value::Loss,
            (false, false) => Value::Draw,
        }
    }
}

/// Whether White and Black are alike in a game, so that exchanging the colours leaves it the same.
#[must_use]
pub fn is_symmetric(game: &Game) -> bool {
    game.variant.white == game.variant.black && game.reading != Reading::Robust
}

impl Solution {
    /// Whether White and Black are alike in what was solved, so that positions are won, drawn or lost.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        is_symmetric(self.game()) && self.discipline().is_free()
    }

    /// The value of the empty board to `first`, who moves first.
    #[must_use]
    pub fn value(&self, first: Color) -> Value {
        let lost = |turn| self.is_lost(&Position::empty(turn));
        if !self.is_symmetric() {
            return if lost(first) { Value::Loss } else { Value::Draw };
        }
        self.worth(&Position::empty(first))
    }

    /// The value of a position of the variant to the side to move. White and Black must be alike.
    #[must_use]
    pub fn worth(&self, position: &Position) -> Value {
        Value::of(position, self.is_lost(position), self.is_lost(&position.exchanged()))
    }

    /// The outcomes of all positions, tier by tier. Meant for the seed `rules`, over which they are exact.
    #[must_use]
    pub fn outcomes(&self) -> Vec<TierOutcome> {
        let tiers = self.layout.tiers();
        let counted = self.counted.iter().enumerate();
        let lost: Vec<TierLost> =
            counted.map(|(tier, counted)| counted.unwrap_or_else(|| self.lost_in(tier))).collect();
        let outcome = |(own, &tier): (&TierLost, &Tier)| {
            let all = own.positions;
            let held = |lost| Held { safe: all - lost, lost };
            // A position is lost for Black if its image with exchanged colours is lost for White.
            let exchanged = tiers.index(tier.exchanged()).filter(|_| self.is_symmetric());
            let worth = exchanged.map(|exchanged| {
                let worth = |wins, losses| Worth { wins, losses, draws: all - wins - losses };
                let other = &lost[exchanged];
                ByColor {
                    white: worth(other.black_to_move, own.without_a_line_of_the_mover()),
                    black: worth(own.black_to_move, other.without_a_line_of_the_mover()),
                }
            });
            let held = ByColor { white: held(own.white_to_move), black: held(own.black_to_move) };
            TierOutcome { tier, held, worth }
        };
        lost.iter().zip(tiers.as_slice()).map(outcome).collect()
    }

    /// As [`Solution::tier_lost`], to its end.
    fn lost_in(&self, tier: usize) -> TierLost {
        let Ok(counted) = self.tier_lost(tier, &mut || Ok::<(), Infallible>(()));
        counted
    }

    /// Counts the lost positions of a tier whose bitbases are in memory.
    ///
    /// # Errors
    /// That of `heed`, which is asked after each part of the rows.
    pub(crate) fn tier_lost<E>(
        &self,
        tier: usize,
        heed: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<TierLost, E> {
        let mut count = |turn, select| self.positions_in(tier, turn, select, &mut *heed);
        let positions = if self.discipline().is_free() {
            census::tier(self.layout.tier(tier).tier).positions
        } else {
            count(Color::White, Select::Stored)?
        };
        Ok(TierLost {
            positions,
            white_to_move: count(Color::White, Select::Lost)?,
            black_to_move: count(Color::Black, Select::Lost)?,
            both_lines: count(Color::White, Select::LostBesideAWhiteLine)?,
        })
    }
}

/// How many positions of a tier are lost for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TierLost {
    /// How many positions it has with each side to move.
    positions: u128,
    white_to_move: u128,
    black_to_move: u128,
    /// Of those with White to move, how many have a line of each side.
    both_lines: u128,
}

impl TierLost {
    /// The same for a tier that several processes count in part: `sum` replaces numbers by their sums over the processes.
    pub(crate) fn summed(self, sum: impl FnOnce(&mut [u64])) -> TierLost {
        let number =
            |count: u128| u64::try_from(count).expect("the positions of a tier that a machine holds");
        let mut counts = [self.white_to_move, self.black_to_move, self.both_lines].map(number);
        sum(&mut counts);
        let [white_to_move, black_to_move, both_lines] = counts.map(u128::from);
        TierLost { white_to_move, black_to_move, both_lines, ..self }
    }

    /// The lost positions with White to move that hold no white line. With a line of each side a position is lost for
    /// White's claim, but by R6 the side to move has won.
    fn without_a_line_of_the_mover(&self) -> u128 {
        self.white_to_move - self.both_lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::enumerate::{Ranking, Tiers};
    use crate::rules::Outcome;
    use crate::strategy::Seed;

    /// The value of a position, from the values of the positions that its moves lead to.
    fn by_moves(solution: &Solution, position: &Position) -> Value {
        let turn = position.turn();
        let game = solution.game();
        let replies = game.moves(position).map(|mv| match game.play_unchecked(position, mv) {
            Outcome::WhiteWins => {
                if turn == Color::White {
                    Value::Win
                } else {
                    Value::Loss
                }
            }
            Outcome::BlackWins => {
                if turn == Color::Black {
                    Value::Win
                } else {
                    Value::Loss
                }
            }
            Outcome::GoesOn(next) => match solution.worth(&next) {
                Value::Win => Value::Loss,
                Value::Draw => Value::Draw,
                Value::Loss => Value::Win,
            },
        });
        replies.max().unwrap_or(Value::Loss)
    }

    #[test]
    fn a_position_is_worth_what_its_best_move_leads_to() {
        for reading in Reading::ALL {
            let solution = solved(&game("A3B1-A3B1", reading), Seed::Rules);
            assert_eq!(is_symmetric(solution.game()), reading != Reading::Robust);
            if !is_symmetric(solution.game()) {
                assert!(solution.outcomes().iter().all(|outcome| outcome.worth.is_none()));
                continue;
            }
            let mut seen = [0; 3];
            for &tier in Tiers::new(solution.game().variant).as_slice() {
                let ranking = Ranking::new(tier);
                for rank in (0..ranking.len()).step_by(1 + ranking.len() as usize / 500) {
                    for turn in Color::ALL {
                        let position = ranking.unrank(rank, turn).expect("a placement");
                        let worth = solution.worth(&position);
                        seen[worth as usize] += 1;
                        if !Color::ALL.into_iter().any(|color| position.has_line(color)) {
                            assert_eq!(worth, by_moves(&solution, &position), "{position}, {reading}");
                        }
                    }
                }
            }
            assert!(seen.iter().all(|&count| count > 10), "wins, draws and losses are there: {seen:?}");
        }
    }

    #[test]
    fn outcomes_count_what_positions_are_worth() {
        let solution = solved(&game("A3B1-A3B1", Reading::Official), Seed::Rules);
        for outcome in solution.outcomes() {
            let ranking = Ranking::new(outcome.tier);
            if ranking.len() > 1_000_000 {
                continue;
            }
            for turn in Color::ALL {
                let mut counted = Worth::default();
                for rank in 0..ranking.len() {
                    let position = ranking.unrank(rank, turn).expect("a placement");
                    *match solution.worth(&position) {
                        Value::Win => &mut counted.wins,
                        Value::Draw => &mut counted.draws,
                        Value::Loss => &mut counted.losses,
                    } += 1;
                }
                let worth = outcome.worth.expect("both sides are alike");
                assert_eq!(worth[turn], counted, "{} {turn} to move", outcome.tier);
            }
        }
    }
}
