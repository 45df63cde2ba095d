//! Positions about which the certificates say nothing, decided by a short search where that is enough.

use std::collections::HashMap;

use crate::explain::forced_win::{Search, search_on};
use crate::explain::knowledge::{Knowledge, Safety};
use crate::prelude::*;
use crate::rules::{Color, Move, Outcome, Position};
use crate::symmetry;

/// The most positions that one explanation follows on the way to known ones. It is a second or two of a core, since each of
/// their moves is looked up.
const MOST_FOLLOWED: u64 = 2_000;

/// The most positions that one explanation searches for Black's wins: over all moves, and after a single one.
const MOST_SEARCHED: u64 = 100_000;
const MOST_SEARCHED_AT_ONCE: u64 = 4_000;

/// The most plies that are followed from a position to ones that are known to be safe.
const MOST_PLIES: u32 = 4;

/// What is known of the moves of a position.
#[derive(Default)]
pub(super) struct Moves {
    /// After these moves White wins or can go on for ever without losing.
    pub safe: Vec<Move>,
    /// Black wins by these moves, or after them.
    pub lost: Vec<Move>,
    /// Moves of which neither is known.
    pub unknown: Vec<Move>,
}

/// Settles values by short searches, within a budget of positions.
pub(super) struct Settling<'a> {
    known: &'a Knowledge,
    /// As [`Knowledge::is_exact`] says.
    exact: bool,
    /// By canonical key and side to move: the plies within which White was shown to reach safety, if it was, and the most
    /// within which it was not.
    seen: HashMap<(u128, Color), (Option<u32>, u32)>,
    /// How many positions may still be followed, and how many may still be searched for Black's wins.
    follow: u64,
    search: u64,
}

impl<'a> Settling<'a> {
    pub(super) fn new(known: &'a Knowledge) -> Settling<'a> {
        Settling {
            known,
            exact: known.is_exact(),
            seen: HashMap::new(),
            follow: MOST_FOLLOWED,
            search: MOST_SEARCHED,
        }
    }

    /// The moves of a position by what they are worth to White.
    pub(super) fn moves(&mut self, position: &Position) -> Moves {
        let mut moves = Moves::default();
        for (mv, value) in self.known.moves(position) {
            let value = match self.known.game().play_unchecked(position, mv) {
                Outcome::GoesOn(next) => self.settled(&next, value),
                Outcome::WhiteWins => Safety::Safe,
                Outcome::BlackWins => Safety::Avoided,
            };
            match value {
                Safety::Safe => moves.safe.push(mv),
                Safety::Avoided => moves.lost.push(mv),
                Safety::Unknown => moves.unknown.push(mv),
            }
        }
        moves
    }

    /// Settles a position of which certificates say `value`. [`Safety::Avoided`] means that Black wins.
    pub(super) fn settled(&mut self, position: &Position, value: Safety) -> Safety {
        match value {
            Safety::Safe => return Safety::Safe,
            Safety::Avoided if self.exact => return Safety::Avoided,
            Safety::Avoided | Safety::Unknown => {}
        }
        if self.reaches_safety(position) {
            return Safety::Safe;
        }
        let known = self.known;
        let may_be_lost = |position: &Position| known.value(position) != Safety::Safe;
        let most = MOST_SEARCHED_AT_ONCE.min(self.search);
        let mut left = most;
        let found = search_on(known.game(), position, &may_be_lost, &mut left);
        self.search -= most - left;
        match found {
            Search::Win(_) => Safety::Avoided,
            Search::NoWin { .. } => Safety::Unknown,
        }
    }

    /// Whether White can reach positions that are known to be safe within a few plies, whatever Black does.
    pub(super) fn reaches_safety(&mut self, position: &Position) -> bool {
        if self.exact && self.known.value(position) == Safety::Avoided {
            return false;
        }
        (1..=MOST_PLIES).any(|plies| self.holds(position, plies))
    }

    /// As [`Settling::reaches_safety`], within a given number of plies. False too if the budget is used up.
    fn holds(&mut self, position: &Position, plies: u32) -> bool {
        if self.known.value(position) == Safety::Safe {
            return true;
        }
        if plies == 0 || self.follow == 0 || position.finished().is_some() {
            return false;
        }
        let canonical = symmetry::canonical(position);
        let key = (symmetry::key(&canonical), position.turn());
        if let Some(&(safe, not)) = self.seen.get(&key) {
            if safe.is_some_and(|safe| safe <= plies) {
                return true;
            }
            if plies <= not {
                return false;
            }
        }
        self.follow -= 1;
        let (known, game) = (self.known, self.known.game());
        let mut after = |mv| match game.play_unchecked(position, mv) {
            Outcome::WhiteWins => true,
            Outcome::BlackWins => false,
            Outcome::GoesOn(next) => self.holds(&next, plies - 1),
        };
        let mut moves = known.moves(position);
        // Moves that can decide come first: White's known safe ones, Black's others.
        moves.sort_by_key(|(_, value)| (*value == Safety::Safe) != (position.turn() == Color::White));
        let holds = match position.turn() {
            Color::White => moves.into_iter().any(|(mv, _)| after(mv)),
            Color::Black => moves.into_iter().all(|(mv, _)| after(mv)),
        };
        let entry = self.seen.entry(key).or_default();
        if holds {
            entry.0 = Some(plies)
        } else if self.follow > 0 {
            entry.1 = plies
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Reading};

    /// Without a certificate nothing is known, so `settled` searches each position.
    #[test]
    fn every_search_is_taken_from_the_budget() {
        let game = Game::new("ab".read().expect("a variant"), Reading::Official);
        let known = Knowledge::new(game, Vec::new());
        let mut settling = Settling::new(&known);
        for (position, value) in [
            ("a,a,b,./A,A,.,./.,.,.,./.,.,.,. b", Safety::Avoided),
            (".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", Safety::Unknown),
        ] {
            let before = settling.search;
            let position = game.parse(position).expect("a position");
            assert_eq!(settling.settled(&position, Safety::Unknown), value, "{position}");
            assert!((1..=MOST_SEARCHED_AT_ONCE).contains(&(before - settling.search)), "{position}");
        }
    }
}
