//! Positions about which the certificates say nothing, decided by a short search where that is enough.

use std::collections::HashMap;

use crate::explain::forced_win::{Search, search};
use crate::explain::knowledge::{Knowledge, Safety};
use crate::prelude::*;
use crate::rules::{Color, Move, Outcome, Position};
use crate::symmetry;

/// The most positions that one explanation looks at to come to known ones: a second or two of a core, since what is known
/// of each move of each is looked up.
const MOST_FOLLOWED: u64 = 2_000;

/// The most positions that one explanation looks at for Black's wins after single moves, and after one of them.
const MOST_SEARCHED: u64 = 100_000;
const MOST_SEARCHED_AT_ONCE: u64 = 4_000;

/// The most plies from a position to those that are known to be safe.
const MOST_PLIES: u32 = 4;

/// What is known of the moves of a position.
#[derive(Default)]
pub(super) struct Moves {
    /// White wins by them or goes on for ever without losing.
    pub safe: Vec<Move>,
    /// Black wins after them, or by them.
    pub lost: Vec<Move>,
    /// Neither is known.
    pub unknown: Vec<Move>,
}

/// Settles values, as long as it may look at positions.
pub(super) struct Settling<'a> {
    known: &'a Knowledge,
    /// As [`Knowledge::is_exact`] says.
    exact: bool,
    /// For positions up to symmetry, within how many plies White was shown to reach safety, if it was, and up to how many it was
    /// not.
    seen: HashMap<(u128, Color), (Option<u32>, u32)>,
    /// How many positions may still be followed, and searched for Black's wins.
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

    /// What a position is worth of which certificates know so much: [`Safety::Avoided`] if Black wins.
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
        match search(known.game(), position, &may_be_lost, most) {
            Search::Win(_) => Safety::Avoided,
            Search::NoWin { .. } => {
                self.search -= most;
                Safety::Unknown
            }
        }
    }

    /// Whether White can come from a position to such as are known to be safe within a few plies, whatever Black does.
    pub(super) fn reaches_safety(&mut self, position: &Position) -> bool {
        if self.exact && self.known.value(position) == Safety::Avoided {
            return false;
        }
        (1..=MOST_PLIES).any(|plies| self.holds(position, plies))
    }

    /// Whether White can come from a position to such as are known to be safe within some plies, whatever Black does.
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
        // What is known at sight is looked at first.
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
