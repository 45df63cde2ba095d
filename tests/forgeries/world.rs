//! Other worlds: games in which some black moves are forgotten or some white moves are dreamt up. What is
//! right in such a world is what a careless checker would believe.

use std::collections::{HashMap, HashSet};

use super::oracle::{Edge, Oracle, Spot, To};

/// Whether a black move, given with the position before it, is remembered.
type Remembered<'a> = &'a dyn Fn(&Spot, &Edge) -> bool;

/// White's dreamt moves from a position: where they go on to.
type Dreamt<'a> = &'a dyn Fn(&Spot) -> Vec<Spot>;

pub struct World<'a> {
    pub oracle: &'a mut Oracle,
    pub remembered: Remembered<'a>,
    pub dreamt: Dreamt<'a>,
}

/// The positions, of either side to move, that White can hold in a world.
pub type Safe = HashSet<Spot>;

impl<'a> World<'a> {
    pub fn true_one(oracle: &'a mut Oracle) -> World<'a> {
        World { oracle, remembered: &|_, _| true, dreamt: &|_| Vec::new() }
    }

    fn black_moves(&mut self, spot: Spot) -> Vec<To> {
        let edges = self.oracle.edges(spot);
        edges.iter().filter(|edge| (self.remembered)(&spot, edge)).map(|edge| edge.to).collect()
    }

    fn white_moves(&mut self, spot: Spot) -> Vec<To> {
        let edges = self.oracle.edges(spot);
        let mut moves: Vec<To> = edges.iter().map(|edge| edge.to).collect();
        let dreamt = (self.dreamt)(&spot).into_iter().map(Spot::canonical);
        moves.extend(dreamt.filter(|&spot| self.oracle.line(spot).is_none()).map(To::Goes));
        moves
    }

    /// The largest set that White need not leave.
    pub fn safe(&mut self) -> Safe {
        let mut moves: HashMap<Spot, Vec<To>> = HashMap::new();
        for white_to_move in [true, false] {
            for &spot in self.oracle.every_spot(white_to_move).iter() {
                if self.oracle.line(spot).is_none() {
                    let found = if white_to_move { self.white_moves(spot) } else { self.black_moves(spot) };
                    moves.insert(spot, found);
                }
            }
        }
        let mut safe: Safe = moves.keys().copied().collect();
        loop {
            let good = |to: &To| match to {
                To::BlackWins => false,
                To::WhiteWins => true,
                To::Goes(next) => safe.contains(next),
            };
            let fallen: Vec<Spot> = safe
                .iter()
                .filter(|spot| {
                    let moves = &moves[spot];
                    !(if spot.white_to_move { moves.iter().any(good) } else { moves.iter().all(good) })
                })
                .copied()
                .collect();
            if fallen.is_empty() {
                return safe;
            }
            fallen.iter().for_each(|spot| assert!(safe.remove(spot)));
        }
    }

    /// A closure in this world: of White's answers that are safe one of least `cost`, if possible one that is
    /// in already. `first` are the positions that play begins with. Without `safe`
    /// nothing is lost: for variants in which Black has too few pieces for a line.
    pub fn closure(
        &mut self,
        safe: Option<&Safe>,
        first: &[Spot],
        cost: &dyn Fn(&Spot, &Spot) -> i64,
    ) -> Vec<Spot> {
        let is_safe = |spot: &Spot| safe.is_none_or(|safe| safe.contains(spot));
        let (mut all, mut inside) = (Vec::new(), HashSet::new());
        let (mut open, mut asked) = (Vec::new(), HashSet::new());
        let mut questions = Vec::new();
        for &spot in first {
            assert!(is_safe(&spot), "{spot} is not safe in this world");
            if spot.white_to_move {
                questions.push(spot);
            } else {
                open.push(spot);
                all.push(spot);
                inside.insert(spot);
            }
        }
        loop {
            while let Some(question) = questions.pop() {
                if !asked.insert(question) {
                    continue;
                }
                let answers = self.white_moves(question);
                let goes = |to: &To| if let To::Goes(next) = to { Some(*next) } else { None };
                let answers_safe: Vec<Spot> =
                    answers.iter().filter_map(goes).filter(|next| is_safe(next)).collect();
                if answers.contains(&To::WhiteWins) {
                    continue;
                }
                let best = answers_safe
                    .into_iter()
                    .min_by_key(|answer| (cost(&question, answer), !inside.contains(answer), *answer))
                    .expect("a safe question has a safe answer");
                if inside.insert(best) {
                    all.push(best);
                    open.push(best);
                }
            }
            let Some(spot) = open.pop() else { return all };
            for to in self.black_moves(spot) {
                if let To::Goes(question) = to {
                    questions.push(question);
                }
            }
        }
    }
}

/// Play begins on the empty board, whoever moves first.
pub const BOTH_FIRST: [Spot; 2] = [Spot::empty(true), Spot::empty(false)];

/// The true closure of a game, by order alone.
pub fn honest_closure(oracle: &mut Oracle) -> Vec<Spot> {
    let mut world = World::true_one(oracle);
    let safe = world.safe();
    world.closure(Some(&safe), &BOTH_FIRST, &|_, _| 0)
}

/// The positions with White to move that Black wins from, no line standing, as far as they are needed: of Black's answers
/// one that wins in the fewest rounds, if possible one that is in already.
pub fn honest_refutation(oracle: &mut Oracle) -> Vec<Spot> {
    let mut rounds: HashMap<Spot, usize> = HashMap::new();
    let every = oracle.every_spot(true);
    for round in 1.. {
        let won: HashSet<Spot> = rounds.keys().copied().collect();
        let mut new = Vec::new();
        for &spot in every.iter().filter(|&spot| !won.contains(spot)) {
            if oracle.line(spot).is_none() && oracle.is_won_for_black(spot, &won) {
                new.push(spot);
            }
        }
        if new.is_empty() {
            break;
        }
        rounds.extend(new.into_iter().map(|spot| (spot, round)));
    }
    let answer = |oracle: &mut Oracle, question: Spot, all: &mut Vec<Spot>| {
        let edges = oracle.edges(question);
        if edges.iter().any(|edge| edge.to == To::BlackWins) {
            return;
        }
        let goes =
            edges.iter().filter_map(|edge| if let To::Goes(next) = edge.to { Some(next) } else { None });
        let won = goes.filter_map(|next| Some((*rounds.get(&next)?, !all.contains(&next), next)));
        let (_, new, best) = won.min().expect("Black wins");
        if new {
            all.push(best);
        }
    };
    let mut all = vec![Spot::empty(true)];
    answer(oracle, Spot::empty(false), &mut all);
    let mut next = 0;
    while let Some(&spot) = all.get(next) {
        for edge in oracle.edges(spot).iter() {
            if let To::Goes(question) = edge.to {
                answer(oracle, question, &mut all);
            }
        }
        next += 1;
    }
    all
}

/// The coarsest cut that a closure makes: all other positions, and all questions that White is never asked
/// (positions with Black to move, with White to move).
pub fn rest_of(oracle: &mut Oracle, closure: &[Spot]) -> [Vec<Spot>; 2] {
    let mut inside: HashSet<Spot> = closure.iter().copied().collect();
    inside.insert(Spot::empty(true));
    for &spot in closure {
        for edge in oracle.edges(spot).iter() {
            if let To::Goes(question) = edge.to {
                inside.insert(question);
            }
        }
    }
    [false, true].map(|white_to_move| {
        let mut rest = oracle.every_spot(white_to_move).to_vec();
        rest.retain(|spot| !inside.contains(spot) && oracle.line(*spot).is_none());
        rest
    })
}
