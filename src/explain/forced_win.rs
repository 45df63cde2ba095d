//! Black's shortest forced win, with an answer to every white move.
//!
//! The search deepens ply by ply and visits one position of each orbit. It follows only positions that may be lost, so
//! known safe positions make it short. A win that it finds does not rest on this knowledge: every white move is tried by
//! the rules.

use std::collections::HashMap;

use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::symmetry;

/// One move of a forced win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Where it is made.
    pub position: Position,
    /// The move: Black's shortest way, or the white move that holds out longest; of several the first.
    pub mv: Move,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Search {
    /// Black wins by force; the moves up to the one that is judged *Black wins*, none if a black line stands.
    Win(Vec<Ply>),
    /// Black cannot force a win within `plies`, which are the most that were asked for if the search came to its end.
    NoWin {
        /// The depth up to which all was searched.
        plies: u32,
    },
}

/// The most plies that a search looks ahead.
pub const MOST_PLIES: u32 = 64;

/// Searches for Black's shortest forced win from a position, through positions that `may_be_lost` does not
/// exclude. It looks at `most_positions` at most, repetitions counted, and then gives up.
#[must_use]
pub fn search(
    game: &Game,
    position: &Position,
    may_be_lost: &dyn Fn(&Position) -> bool,
    mut most_positions: u64,
) -> Search {
    search_on(game, position, may_be_lost, &mut most_positions)
}

/// The same, on a budget: takes the number of positions that it looks at from `left`, and gives up when that is 0.
#[must_use]
pub fn search_on(
    game: &Game,
    position: &Position,
    may_be_lost: &dyn Fn(&Position) -> bool,
    left: &mut u64,
) -> Search {
    search_within(game, position, may_be_lost, MOST_PLIES, left)
}

/// The same, within a number of plies.
pub(crate) fn search_within(
    game: &Game,
    position: &Position,
    may_be_lost: &dyn Fn(&Position) -> bool,
    most_plies: u32,
    left: &mut u64,
) -> Search {
    let mut tree = Tree { game, may_be_lost, known: HashMap::new(), left };
    let mut refuted = 0;
    for plies in 0..=most_plies {
        match tree.wins_in(position, plies) {
            Ok(Some(_)) => return tree.line(position, plies).map_or(Search::NoWin { plies }, Search::Win),
            Ok(None) => refuted = plies,
            Err(GaveUp) => break,
        }
    }
    Search::NoWin { plies: refuted }
}

/// The search has looked at as many positions as it may.
struct GaveUp;

/// What is known of an orbit with a side to move.
#[derive(Clone, Copy, Default)]
struct WinBounds {
    /// In how many plies Black wins, at the earliest.
    wins_in: Option<u32>,
    /// Black does not win in fewer plies than this.
    not_below: u32,
}

struct Tree<'a> {
    game: &'a Game,
    may_be_lost: &'a dyn Fn(&Position) -> bool,
    known: HashMap<(u128, Color), WinBounds>,
    left: &'a mut u64,
}

impl Tree<'_> {
    /// The fewest plies in which Black wins; `None` if Black does not win within `most`.
    fn wins_in(&mut self, position: &Position, most: u32) -> Result<Option<u32>, GaveUp> {
        if let Some(winner) = position.finished() {
            return Ok((winner == Color::Black).then_some(0));
        }
        let key = (symmetry::key(&symmetry::canonical(position)), position.turn());
        loop {
            let known = self.known.get(&key).copied().unwrap_or_default();
            if known.wins_in.is_some() || known.not_below > most {
                return Ok(known.wins_in.filter(|&plies| plies <= most));
            }
            let plies = known.not_below;
            let won = plies > 0 && self.wins_within(position, plies)?;
            let now =
                WinBounds { wins_in: won.then_some(plies), not_below: if won { plies } else { plies + 1 } };
            self.known.insert(key, now);
        }
    }

    /// Whether Black wins within `plies`, at least one, from a position that holds no line.
    fn wins_within(&mut self, position: &Position, plies: u32) -> Result<bool, GaveUp> {
        *self.left = self.left.checked_sub(1).ok_or(GaveUp)?;
        let black = position.turn() == Color::Black;
        let mut next = Vec::new();
        for mv in self.game.moves(position) {
            let decided = match self.game.play_unchecked(position, mv) {
                Outcome::BlackWins => black,
                Outcome::WhiteWins => !black,
                Outcome::GoesOn(after) if plies > 1 && (self.may_be_lost)(&after) => {
                    next.push(after);
                    false
                }
                Outcome::GoesOn(_) => !black,
            };
            // One winning move is enough for Black, and one escape is enough for White.
            if decided {
                return Ok(black);
            }
        }
        for after in next {
            if self.wins_in(&after, plies - 1)?.is_some() == black {
                return Ok(black);
            }
        }
        Ok(!black)
    }

    /// The moves of a win that takes exactly `plies`. `None` if the search gives up.
    fn line(&mut self, position: &Position, plies: u32) -> Option<Vec<Ply>> {
        let mut line = Vec::new();
        let mut position = *position;
        for left in (0..plies).rev() {
            let (mv, next) =
                self.game.moves(&position).find_map(|mv| match self.game.play_unchecked(&position, mv) {
                    Outcome::BlackWins if left == 0 => Some((mv, None)),
                    Outcome::GoesOn(next) if left > 0 && (self.may_be_lost)(&next) => {
                        let wins_in = self.wins_in(&next, left).ok()?;
                        (wins_in == Some(left)).then_some((mv, Some(next)))
                    }
                    _ => None,
                })?;
            line.push(Ply { position, mv });
            position = next.unwrap_or(position);
        }
        Some(line)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::passes::naive::testing::Graph;

    /// In how many plies Black wins from each placement with either side to move, found by sweeps over all
    /// positions, without symmetry or search.
    pub struct BruteForce {
        pub graph: Graph,
        pub plies: Vec<Option<u32>>,
    }

    impl BruteForce {
        pub fn new(game: &Game) -> BruteForce {
            let graph = Graph::new(game);
            let at_once = |number| (graph.finished(number) == Some(Color::Black)).then_some(0);
            let mut plies: Vec<Option<u32>> = (0..graph.len()).map(at_once).collect();
            let mut open: Vec<usize> =
                (0..graph.len()).filter(|&number| graph.finished(number).is_none()).collect();
            for distance in 1.. {
                let won = |&number: &usize| graph.lost(number, |next| plies[next].is_some());
                let (new, left): (Vec<usize>, Vec<usize>) = open.into_iter().partition(won);
                if new.is_empty() {
                    break;
                }
                new.into_iter().for_each(|number| plies[number] = Some(distance));
                open = left;
            }
            BruteForce { graph, plies }
        }

        pub fn of(&self, p: &Position) -> Option<u32> {
            self.plies[self.graph.number(p)]
        }

        /// The most plies that a win takes.
        pub fn longest(&self) -> Option<u32> {
            self.plies.iter().copied().flatten().max()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::BruteForce;
    use super::*;
    use crate::rules::{Reading, Variant};
    use crate::thorough::thorough;

    fn plies(search: &Search) -> Option<u32> {
        match search {
            Search::Win(line) => Some(line.len() as u32),
            Search::NoWin { .. } => None,
        }
    }

    #[test]
    fn a_win_is_as_long_as_sweeps_over_all_positions_say() {
        let variant: Variant = "A1-A3B1".read().expect("a variant");
        let readings = [Reading::StrictLift, Reading::Official];
        for &reading in &readings[..if thorough() { 2 } else { 1 }] {
            let game = Game::new(variant, reading);
            let truth = BruteForce::new(&game);
            let mut met = vec![0; 32];
            for number in (0..truth.graph.len()).step_by(401) {
                let position = truth.graph.position(number);
                let expected = truth.plies[number];
                let lost = |p: &Position| truth.of(p).is_some();
                let mut left = u64::MAX;
                let found = search_on(&game, &position, &lost, &mut left);
                assert_eq!(plies(&found), expected, "{game:?} {position}");
                assert_eq!(left < u64::MAX, position.finished().is_none(), "a win costs what was looked at");
                if let Some(plies) = expected {
                    met[plies as usize] += 1;
                    // Without knowledge the search finds the same, only more slowly.
                    if plies < 6 && met[plies as usize] < 5 {
                        let blind = search(&game, &position, &|_| true, u64::MAX);
                        assert_eq!(blind, found, "{position}");
                    }
                }
            }
            assert!(met[1..8].iter().all(|&count| count > 0), "{met:?}");
        }
    }

    #[test]
    fn a_search_that_may_look_no_further_says_how_far_it_came() {
        let game = Game::new("ab".read().expect("a variant"), Reading::Official);
        let start = Position::empty(Color::White);
        let Search::NoWin { plies } = search(&game, &start, &|_| true, 5_000) else { panic!("a win") };
        assert!((1..MOST_PLIES).contains(&plies), "{plies}");
        assert_eq!(search(&game, &start, &|_| true, 0), Search::NoWin { plies: 0 });
    }
}
