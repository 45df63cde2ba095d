//! Every number that the thesis may have meant by the length of a list.

use std::fmt;

use super::lists::{ListOrder, Lists};
use super::start::Start;
use crate::rules::{Color, Game, Reading};
use crate::thesis::conventions::{Convention, CountedTiers, Unit};

/// A count that was compared with one of the thesis's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempted {
    /// How the rules are read.
    pub reading: Reading,
    /// How the start function is read.
    pub start: Start,
    /// The order of the two parts.
    pub order: ListOrder,
    /// After which round, counted from 1.
    pub round: usize,
    /// Whether `count` is what this round added. Otherwise it is the length of the whole list.
    pub added: bool,
    /// Whose list: White to move for B, Black to move for W. Each figure is compared with both.
    pub turn: Color,
    /// The tiers and the unit.
    pub convention: Convention,
    /// The number.
    pub count: u64,
}

impl fmt::Display for Attempted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = if self.turn == Color::White { "B" } else { "W" };
        let what = if self.added { "added in" } else { "listed after" };
        write!(
            f,
            "{} {} order={}, list {list} {what} round {}, tiers {}, {}",
            self.reading,
            self.start,
            self.order.tag(),
            self.round,
            self.convention.tiers.tag(),
            self.convention.unit.tag(),
        )
    }
}

/// Every count that the lists of one start give for one of the thesis's two parts: all pieces placed if `placed`, else
/// some in hand.
#[must_use]
pub fn attempts(game: &Game, start: Start, lists: &[Lists], placed: bool) -> Vec<Attempted> {
    let tiers: &[CountedTiers] = if placed {
        &[CountedTiers::AllPlaced]
    } else {
        &[CountedTiers::SomeInHand, CountedTiers::SomeInHandBothHaveA]
    };
    let mut attempts = Vec::new();
    // With all pieces placed nothing depends on the order.
    for lists in lists.iter().filter(|lists| !placed || lists.order == ListOrder::Together) {
        for &tiers in tiers {
            for unit in Unit::ALL {
                let convention = Convention { unit, tiers };
                for turn in Color::ALL {
                    for round in 1..=lists.rounds_in(game, convention) {
                        let listed = |round| lists.listed(game, round, turn, convention);
                        let attempt = |added, count| Attempted {
                            reading: game.reading,
                            start,
                            order: lists.order,
                            round,
                            added,
                            turn,
                            convention,
                            count,
                        };
                        attempts.push(attempt(false, listed(round)));
                        if round > 1 {
                            attempts.push(attempt(true, listed(round) - listed(round - 1)));
                        }
                    }
                }
            }
        }
    }
    attempts
}
