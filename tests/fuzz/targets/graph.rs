//! All of a small game as a graph, made with the oracle once, so that any set of positions is judged quickly.

use std::collections::HashMap;

use gobcheck::check::{Breach, Condition};
use gobprove::prelude::*;
use gobprove::rules::{Game, Move};
use gobprove::store::Kind;

use super::oracle::{Oracle, Spot, To};

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    BlackWins,
    WhiteWins,
    /// The place of the canonical position, with the other side to move.
    Goes(usize),
}

/// One canonical position and side to move.
struct Node {
    /// Who has a line: `Some(true)` for Black, alone or not.
    line: Option<bool>,
    moves: Vec<(Move, Goal)>,
}

pub struct Graph {
    pub game: Game,
    /// The canonical positions in order, with White to move.
    pub spots: Vec<Spot>,
    places: HashMap<Spot, usize>,
    /// With Black to move, with White to move.
    nodes: [Vec<Node>; 2],
}

/// A set of positions by their places.
pub type Set = Vec<bool>;

const BLACK: usize = 0;
const WHITE: usize = 1;

impl Graph {
    pub fn new(game: Game) -> Graph {
        let mut oracle = Oracle::new(game);
        let spots = oracle.every_spot(true).to_vec();
        let places: HashMap<Spot, usize> =
            spots.iter().enumerate().map(|(place, &spot)| (spot, place)).collect();
        let place = |spot: Spot| places[&Spot { white_to_move: true, ..spot }];
        let nodes = [false, true].map(|white_to_move| {
            let node = |&spot: &Spot| {
                let spot = Spot { white_to_move, ..spot };
                let edges = oracle.edges(spot);
                let goal = |to| match to {
                    To::BlackWins => Goal::BlackWins,
                    To::WhiteWins => Goal::WhiteWins,
                    To::Goes(next) => Goal::Goes(place(next)),
                };
                let moves =
                    edges.iter().map(|edge| (edge.mv.read().expect("a move"), goal(edge.to))).collect();
                Node { line: oracle.line(spot), moves }
            };
            spots.iter().map(node).collect()
        });
        Graph { game, spots, places, nodes }
    }

    pub fn none(&self) -> Set {
        vec![false; self.spots.len()]
    }

    fn place(&self, spot: Spot) -> Option<usize> {
        self.places.get(&Spot { white_to_move: true, ..spot }).copied()
    }

    pub fn has_line(&self, place: usize) -> bool {
        self.nodes[BLACK][place].line.is_some()
    }

    /// What White can hold, with Black to move and with White to move.
    pub fn safe(&self) -> [Set; 2] {
        let mut safe = [BLACK, WHITE]
            .map(|turn| self.nodes[turn].iter().map(|node| node.line != Some(true)).collect::<Set>());
        loop {
            let before = safe.clone();
            for turn in [BLACK, WHITE] {
                for (place, node) in
                    self.nodes[turn].iter().enumerate().filter(|(_, node)| node.line.is_none())
                {
                    let good = |(_, goal): &(Move, Goal)| match *goal {
                        Goal::BlackWins => false,
                        Goal::WhiteWins => true,
                        Goal::Goes(next) => safe[1 - turn][next],
                    };
                    safe[turn][place] &=
                        if turn == BLACK { node.moves.iter().all(good) } else { node.moves.iter().any(good) };
                }
            }
            if safe == before {
                return safe;
            }
        }
    }

    /// A closure in which each question has one answer, the first that is safe: nearly every position in it is
    /// needed. Nothing if White does not hold.
    pub fn thin(&self) -> Set {
        let [black, white] = self.safe();
        let (mut thin, mut asked) = (self.none(), self.none());
        let empty = self.place(Spot::empty(true)).unwrap_or_default();
        if !(black[empty] && white[empty]) {
            return thin;
        }
        thin[empty] = true;
        let (mut open, mut questions) = (vec![empty], vec![empty]);
        loop {
            while let Some(question) = questions.pop() {
                if std::mem::replace(&mut asked[question], true) {
                    continue;
                }
                let moves = &self.nodes[WHITE][question].moves;
                let safe = moves.iter().find_map(|(_, goal)| match *goal {
                    Goal::Goes(next) if black[next] && !self.has_line(next) => Some(next),
                    _ => None,
                });
                let wins = moves.iter().any(|(_, goal)| *goal == Goal::WhiteWins);
                if let Some(answer) = safe.filter(|_| !wins)
                    && !std::mem::replace(&mut thin[answer], true)
                {
                    open.push(answer);
                }
            }
            let Some(place) = open.pop() else { return thin };
            let goes =
                |(_, goal): &(Move, Goal)| if let Goal::Goes(next) = *goal { Some(next) } else { None };
            questions.extend(self.nodes[BLACK][place].moves.iter().filter_map(goes));
        }
    }

    fn answered(&self, set: &Set, question: usize) -> bool {
        self.nodes[WHITE][question].moves.iter().any(|(_, goal)| match *goal {
            Goal::BlackWins => false,
            Goal::WhiteWins => true,
            Goal::Goes(next) => set[next],
        })
    }

    /// Whether a closure of canonical positions is right.
    pub fn closure_is_right(&self, set: &Set) -> bool {
        let Some(empty) = self.place(Spot::empty(true)) else { return false };
        let places = (0..set.len()).filter(|&place| set[place]);
        set[empty]
            && self.answered(set, empty)
            && places.into_iter().all(|place| {
                let node = &self.nodes[BLACK][place];
                node.line.is_none() && node.moves.iter().all(|(_, goal)| self.holds(set, *goal))
            })
    }

    /// Whether what a black move leads to is no trouble for a closure.
    fn holds(&self, set: &Set, goal: Goal) -> bool {
        match goal {
            Goal::BlackWins => false,
            Goal::WhiteWins => true,
            Goal::Goes(question) => self.answered(set, question),
        }
    }

    /// Whether Black wins after what a white move leads to, at once or by way of a set.
    fn wins_after(&self, won: &Set, goal: Goal) -> bool {
        match goal {
            Goal::BlackWins => true,
            Goal::WhiteWins => false,
            Goal::Goes(question) => self.won_by_black(won, question),
        }
    }

    fn won_by_black(&self, won: &Set, question: usize) -> bool {
        self.nodes[BLACK][question].moves.iter().any(|(_, goal)| match *goal {
            Goal::BlackWins => true,
            Goal::WhiteWins => false,
            Goal::Goes(next) => won[next],
        })
    }

    /// Those of a set of positions with White to move from which Black wins by way of others of them.
    fn won(&self, set: &Set) -> Set {
        let mut won = self.none();
        loop {
            let before = won.clone();
            for place in (0..set.len()).filter(|&place| set[place]) {
                let moves = &self.nodes[WHITE][place].moves;
                won[place] |= moves.iter().all(|(_, goal)| self.wins_after(&before, *goal));
            }
            if won == before {
                return won;
            }
        }
    }

    /// Whether a refutation of canonical positions is right.
    pub fn refutation_is_right(&self, set: &Set) -> bool {
        let Some(empty) = self.place(Spot::empty(true)) else { return false };
        let without_lines = (0..set.len()).all(|place| !set[place] || !self.has_line(place));
        without_lines && set[empty] && self.won_by_black(set, empty) && self.won(set) == *set
    }

    fn is_lost(&self, sets: &[Set; 2], turn: usize, place: usize) -> bool {
        sets[turn][place] || self.nodes[turn][place].line == Some(true)
    }

    /// Whether a cut holds, over the seed `rules`, where a move leads.
    fn avoids(&self, sets: &[Set; 2], turn: usize, goal: Goal) -> bool {
        match goal {
            Goal::BlackWins => false,
            Goal::WhiteWins => true,
            Goal::Goes(next) => !self.is_lost(sets, 1 - turn, next),
        }
    }

    fn cut_holds_at(&self, sets: &[Set; 2], turn: usize, place: usize) -> bool {
        let node = &self.nodes[turn][place];
        let mut goals = node.moves.iter().map(|(_, goal)| *goal);
        node.line.is_some()
            || self.is_lost(sets, turn, place)
            || if turn == BLACK {
                goals.all(|goal| self.avoids(sets, turn, goal))
            } else {
                goals.any(|goal| self.avoids(sets, turn, goal))
            }
    }

    /// Whether a cut over the seed `rules` with these canonical exceptions is right.
    pub fn cut_is_right(&self, sets: &[Set; 2]) -> bool {
        let Some(empty) = self.place(Spot::empty(true)) else { return false };
        [BLACK, WHITE].into_iter().all(|turn| {
            let listed = (0..sets[turn].len()).filter(|&place| sets[turn][place]);
            !self.is_lost(sets, turn, empty)
                && listed.into_iter().all(|place| !self.has_line(place))
                && (0..self.spots.len()).all(|place| self.cut_holds_at(sets, turn, place))
        })
    }

    /// Whether a certificate really has the flaw that the checker names.
    pub fn has_flaw(&self, kind: Kind, sets: &[Set; 2], breach: &Breach) -> bool {
        let spot = Spot::of(&breach.position);
        let turn = usize::from(spot.white_to_move);
        let (place, is_empty) = (self.place(spot), spot == Spot::empty(spot.white_to_move));
        if breach.condition == Condition::Listed {
            return place.is_none_or(|place| self.has_line(place));
        }
        let Some(place) = place else { return false };
        let named = |(mv, _): &&(Move, Goal)| Some(*mv) == breach.mv;
        let goal = self.nodes[turn][place].moves.iter().find(named).map(|(_, goal)| *goal);
        let (closure, cut, refutation) = (kind == Kind::Closure, kind == Kind::Cut, kind == Kind::Refutation);
        match (breach.condition, goal) {
            (Condition::K6, None) if refutation && is_empty => {
                let won = self.won(&sets[WHITE]);
                if turn == WHITE { !won[place] } else { !self.won_by_black(&won, place) }
            }
            (Condition::K7, Some(goal)) if refutation && turn == WHITE => {
                let won = self.won(&sets[WHITE]);
                sets[WHITE][place] && !won[place] && !self.wins_after(&won, goal)
            }
            (Condition::K4, None) if closure && is_empty => {
                if turn == BLACK {
                    !sets[BLACK][place]
                } else {
                    !self.answered(&sets[BLACK], place)
                }
            }
            (Condition::K5, Some(goal)) if closure && turn == BLACK => {
                sets[BLACK][place] && !self.holds(&sets[BLACK], goal)
            }
            (Condition::K1, None) if cut && is_empty => self.is_lost(sets, turn, place),
            (Condition::K2, Some(goal)) if cut && turn == BLACK => {
                !self.is_lost(sets, turn, place) && !self.avoids(sets, turn, goal)
            }
            (Condition::K3, None) if cut && turn == WHITE => !self.cut_holds_at(sets, turn, place),
            _ => false,
        }
    }
}
