//! Black's win by a refutation: every white move is answered by a line or by a listed position.
//!
//! A refutation does not say in which order its positions are won. So all positions that Black's listed answers lead to
//! are collected first, and plies are counted from the end: an answer counts once Black is known to win from it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use crate::explain::forced_win::Ply;
use crate::explain::plies::PliesOfLosses;
use crate::explain::solved_file::AskedFile;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::store::PositionSet;
use crate::symmetry;

/// How Black wins from a position and from every position that may follow.
pub struct ListedWin {
    game: Game,
    plies: Plies,
}

/// How many plies Black needs from positions with White to move.
enum Plies {
    /// From positions that a refutation lists, by the keys of their orbits.
    Listed(HashMap<u128, u32>),
    /// From every lost position of a solved game.
    Solved(PliesOfLosses),
    /// From every lost position of a game whose solution and plies are in files.
    File(Arc<AskedFile>),
}

/// More listed positions follow than the caller allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("more than {0} listed positions follow")]
pub struct TooManyListed(pub usize);

/// A white move, and Black's answer to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// White's move.
    pub mv: Move,
    /// Black's quickest answer; `None` if the white move itself ends the game.
    pub answer: Option<Move>,
    /// How many plies Black needs after the white move.
    pub plies: u32,
}

impl ListedWin {
    /// How Black wins from a position that holds no line, by a refutation's `set`; `None` if the set does not show that Black
    /// wins. While the positions that follow are collected, `heard` gets their number and how many are still to be looked at.
    ///
    /// # Errors
    /// Black's answers lead to more than `most` listed positions.
    pub fn new(
        game: &Game,
        set: &PositionSet,
        position: &Position,
        most: usize,
        heard: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<ListedWin>, TooManyListed> {
        let layout = Layout::new(game, set, position, most, heard)?;
        let win = ListedWin { game: *game, plies: Plies::Listed(layout.plies()) };
        Ok(win.plies(position).is_some().then_some(win))
    }

    /// How Black wins from every lost position of a solved game: in the fewest plies.
    #[must_use]
    pub fn of_solved(game: &Game, plies: PliesOfLosses) -> ListedWin {
        ListedWin { game: *game, plies: Plies::Solved(plies) }
    }

    /// How Black wins from every lost position of a game whose solution is in a file: in the fewest plies. `None` if the
    /// file of plies is missing.
    #[must_use]
    pub fn of_file(file: Arc<AskedFile>) -> Option<ListedWin> {
        file.has_plies().then(|| ListedWin { game: *file.game(), plies: Plies::File(file) })
    }

    /// How many plies Black needs at most; `None` if Black is not known to win from the position.
    #[must_use]
    pub fn plies(&self, position: &Position) -> Option<u32> {
        match position.turn() {
            Color::White => match &self.plies {
                Plies::Listed(plies) => plies.get(&symmetry::key(&symmetry::canonical(position))).copied(),
                Plies::Solved(plies) => plies.of(position),
                Plies::File(file) => file.ask(|solved| solved.plies_of_loss(position)).flatten(),
            },
            Color::Black => self.best(position).map(|(_, plies)| plies + 1),
        }
    }

    /// The moves up to the one that is judged *Black wins*: White holds out as long as it can, Black wins as soon as it
    /// can. Empty if nothing is known of the position.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Ply> {
        let mut line = Vec::new();
        let mut next = Some(*position);
        while let Some(position) = next {
            let Some((mv, _)) = self.best(&position) else { break };
            line.push(Ply { position, mv });
            next = match self.game.play_unchecked(&position, mv) {
                Outcome::GoesOn(next) => Some(next),
                Outcome::BlackWins | Outcome::WhiteWins => None,
            };
        }
        line
    }

    /// Black's quickest move in a position where it is to move, or the white one that holds out longest; `None` if nothing is
    /// known of the position.
    #[must_use]
    pub fn reply(&self, position: &Position) -> Option<Move> {
        self.best(position).map(|(mv, _)| mv)
    }

    /// Each white move after which Black is known to win, with Black's answer.
    #[must_use]
    pub fn met(&self, position: &Position) -> Vec<Met> {
        let met = |(mv, plies)| {
            let answer = match self.game.play_unchecked(position, mv) {
                Outcome::GoesOn(question) => self.best(&question).map(|(answer, _)| answer),
                Outcome::BlackWins | Outcome::WhiteWins => None,
            };
            Met { mv, answer, plies }
        };
        self.after(position).map(met).collect()
    }

    /// Black's quickest move, or the white one that holds out longest, and how many plies are left then; of several the
    /// first.
    fn best(&self, position: &Position) -> Option<(Move, u32)> {
        match position.turn() {
            Color::White => self.after(position).min_by_key(|&(_, plies)| Reverse(plies)),
            Color::Black => self.after(position).min_by_key(|&(_, plies)| plies),
        }
    }

    /// The moves after which Black is known to win, and how many plies are left then.
    fn after(&self, position: &Position) -> impl Iterator<Item = (Move, u32)> {
        self.game.moves(position).filter_map(|mv| match self.game.play_unchecked(position, mv) {
            Outcome::BlackWins => Some((mv, 0)),
            Outcome::WhiteWins => None,
            Outcome::GoesOn(next) => Some((mv, self.plies(&next)?)),
        })
    }
}

/// How many positions are looked at between two calls of `heard`: some tenths of a second.
const AT_ONCE: usize = 1024;

/// The listed positions that Black's answers can lead to from a position.
#[derive(Default)]
struct Layout {
    /// The number of each position, by the key of its orbit. White is to move.
    numbers: HashMap<u128, u32>,
    nodes: Vec<Node>,
}

/// A listed position.
struct Node {
    /// The fewest plies possible, whatever [`Node::questions`] take: 2 if Black meets a white move by a line, else 1.
    least: u32,
    /// For each white move that does not lose at once, and that Black cannot answer by a line, the numbers of the listed
    /// answers: none if White wins. Moves to one orbit count once.
    questions: Vec<Box<[u32]>>,
}

impl Layout {
    fn new(
        game: &Game,
        set: &PositionSet,
        position: &Position,
        most: usize,
        heard: &mut dyn FnMut(u64, u64),
    ) -> Result<Layout, TooManyListed> {
        let start = match position.turn() {
            Color::White => Some(symmetry::canonical(position))
                .filter(|position| set.contains(position))
                .into_iter()
                .collect(),
            Color::Black => answers(game, set, position).unwrap_or_default(),
        };
        let mut layout = Layout::default();
        let mut next = Vec::new();
        start.iter().for_each(|position| _ = layout.number(position, &mut next));
        while !next.is_empty() {
            let layer = std::mem::take(&mut next);
            for part in layer.chunks(AT_ONCE) {
                let asked: Vec<Asked> =
                    part.par_iter().map(|position| Asked::new(game, set, position)).collect();
                for Asked { least, questions } in asked {
                    let mut numbers = |answers: Vec<Position>| {
                        answers.iter().map(|position| layout.number(position, &mut next)).collect()
                    };
                    let questions = questions.into_iter().map(&mut numbers).collect();
                    layout.nodes.push(Node { least, questions });
                }
                if layout.numbers.len() > most {
                    return Err(TooManyListed(most));
                }
                heard(layout.numbers.len() as u64, (layout.numbers.len() - layout.nodes.len()) as u64);
            }
        }
        Ok(layout)
    }

    /// The number of a canonical position. A new position gets the next number and is put into `next`.
    fn number(&mut self, position: &Position, next: &mut Vec<Position>) -> u32 {
        let new = self.numbers.len() as u32;
        *self.numbers.entry(symmetry::key(position)).or_insert_with(|| {
            next.push(*position);
            new
        })
    }

    /// How many plies Black needs from each position that it wins, by the keys of the orbits.
    fn plies(&self) -> HashMap<u128, u32> {
        const OPEN: u32 = u32::MAX;
        let mut plies = vec![OPEN; self.nodes.len()];
        let mut open: Vec<usize> = (0..self.nodes.len()).collect();
        let mut last = 0;
        for now in 1.. {
            // White's move and Black's answer are two plies more.
            let in_time =
                |&answer: &u32| plies[answer as usize].checked_add(2).is_some_and(|plies| plies <= now);
            let won = |&node: &usize| {
                let Node { least, questions } = &self.nodes[node];
                *least <= now && questions.iter().all(|answers| answers.iter().any(in_time))
            };
            let (new, left): (Vec<usize>, Vec<usize>) = open.into_iter().partition(won);
            if !new.is_empty() {
                last = now;
            }
            new.into_iter().for_each(|node| plies[node] = now);
            open = left;
            if now > last + 2 || open.is_empty() {
                break;
            }
        }
        let of = |(&key, &number): (&u128, &u32)| (key, plies[number as usize]);
        self.numbers.iter().map(of).filter(|&(_, plies)| plies != OPEN).collect()
    }
}

/// The questions that White's moves put to Black in a position.
struct Asked {
    least: u32,
    /// For each question the listed positions that Black can answer with.
    questions: Vec<Vec<Position>>,
}

impl Asked {
    fn new(game: &Game, set: &PositionSet, position: &Position) -> Asked {
        let mut asked = Asked { least: 1, questions: Vec::new() };
        let mut orbits = HashSet::new();
        for mv in game.moves(position) {
            match game.play_unchecked(position, mv) {
                Outcome::BlackWins => {}
                // Without an answer the position is never won.
                Outcome::WhiteWins => asked.questions.push(Vec::new()),
                Outcome::GoesOn(question) => match answers(game, set, &question) {
                    None => asked.least = 2,
                    Some(answers) => {
                        if orbits.insert(symmetry::key(&symmetry::canonical(&question))) {
                            asked.questions.push(answers);
                        }
                    }
                },
            }
        }
        asked
    }
}

/// The listed positions that Black can go to, one of each orbit; `None` if Black wins at once.
fn answers(game: &Game, set: &PositionSet, question: &Position) -> Option<Vec<Position>> {
    let mut answers = Vec::new();
    for mv in game.moves(question) {
        match game.play_unchecked(question, mv) {
            Outcome::BlackWins => return None,
            Outcome::WhiteWins => {}
            Outcome::GoesOn(next) => {
                let next = symmetry::canonical(&next);
                if set.contains(&next) && !answers.contains(&next) {
                    answers.push(next);
                }
            }
        }
    }
    Some(answers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bitbase::solution::testing::game;
    use crate::explain::forced_win::testing::BruteForce;
    use crate::rules::Reading;

    /// The positions with White to move from which Black wins, and in how many plies.
    fn lost(game: &Game) -> HashMap<u128, (Position, u32)> {
        let truth = BruteForce::new(game);
        let mut lost = HashMap::new();
        for (number, plies) in truth.plies.iter().enumerate() {
            let (Some(plies), None) = (*plies, truth.graph.finished(number)) else { continue };
            let position = truth.graph.position(number);
            if position.turn() == Color::White && symmetry::is_canonical(&position) {
                lost.insert(symmetry::key(&position), (position, plies));
            }
        }
        lost
    }

    #[test]
    fn where_all_that_is_lost_is_listed_the_win_is_the_shortest() {
        for reading in [Reading::Official, Reading::StrictLift] {
            let game = game("A1-A3B1", reading);
            let lost = lost(&game);
            let set = PositionSet::from_positions(game.variant, lost.values().map(|&(position, _)| position));
            let start = Position::empty(Color::White);
            let win = ListedWin::new(&game, &set, &start, usize::MAX, &mut |_, _| {})
                .expect("room")
                .expect("a win");
            let Plies::Listed(listed) = &win.plies else { panic!("it is a refutation's") };
            assert!(listed.len() > 1000);
            let mut met = [0; 8];
            let keys: BTreeSet<u128> = listed.keys().copied().collect();
            for key in keys {
                let (position, plies) = lost[&key];
                assert_eq!(listed[&key], plies, "{position}");
                let Some(met) = met.get_mut(plies as usize).filter(|met| **met < 20) else { continue };
                *met += 1;
                let line = win.line(&position);
                assert_eq!(line.len(), plies as usize, "{position}");
                let last = line.last().expect("a move");
                assert_eq!(game.play(&last.position, last.mv), Ok(Outcome::BlackWins));
                let all = win.met(&position);
                assert!(all.iter().map(|met| met.mv).eq(game.moves(&position)));
                assert_eq!(all.iter().map(|met| met.plies + 1).max(), Some(plies));
                for Met { mv, answer, plies } in all {
                    let Outcome::GoesOn(question) = game.play_unchecked(&position, mv) else {
                        assert_eq!((answer, plies), (None, 0), "{position} {mv}");
                        continue;
                    };
                    let line = win.line(&question);
                    assert_eq!((Some(line[0].mv), line.len()), (answer, plies as usize), "{question}");
                }
            }
            assert!(met[1..].iter().filter(|&&met| met > 0).count() > 3, "{met:?}");
        }
    }

    #[test]
    fn what_does_not_come_to_an_end_is_no_win() {
        let game = game("A1-A3B1", Reading::Official);
        let lost = lost(&game);
        let set = |from: u32| {
            let listed = lost.values().filter(|&&(_, plies)| plies >= from);
            PositionSet::from_positions(game.variant, listed.map(|&(position, _)| position))
        };
        let start = Position::empty(Color::White);
        let win = |set: &PositionSet, most| ListedWin::new(&game, set, &start, most, &mut |_, _| {});
        assert!(win(&set(0), usize::MAX).expect("room").is_some());
        assert!(win(&PositionSet::empty(game.variant), 0).expect("room").is_none());
        // All is answered within the list, and nothing of it wins at once.
        let endless = set(3);
        assert!(endless.contains(&start) && win(&endless, usize::MAX).expect("room").is_none());
        assert_eq!(win(&set(0), 10).err(), Some(TooManyListed(10)));
    }
}
