//! Other worlds: games in which who is to win or to hold forgets some of the other side's moves, or dreams up some of its
//! own. What is right in such a world is what a careless checker would believe.

use std::collections::{HashMap, HashSet};

use super::oracle::{Edge, Oracle, Spot, To};

/// Whether a move of the other side, given with the position before it, is remembered.
type Remembered<'a> = &'a dyn Fn(&Spot, &Edge) -> bool;

/// The dreamt moves from a position: where they go on to.
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

    /// What the other side can do.
    fn questions(&mut self, spot: Spot) -> Vec<To> {
        let edges = self.oracle.edges(spot);
        edges.iter().filter(|edge| (self.remembered)(&spot, edge)).map(|edge| edge.to).collect()
    }

    /// What is thought to be possible.
    fn answers(&mut self, spot: Spot) -> Vec<To> {
        let edges = self.oracle.edges(spot);
        let mut moves: Vec<To> = edges.iter().map(|edge| edge.to).collect();
        let dreamt = (self.dreamt)(&spot).into_iter().map(Spot::canonical);
        moves.extend(dreamt.filter_map(|next| match self.oracle.line(next) {
            None => Some(To::Goes(next)),
            // A line of White's would be worth more than an answer that must be listed.
            Some(of_black) => (of_black && !spot.white_to_move).then_some(To::BlackWins),
        }));
        moves
    }

    /// The largest set that White need not leave.
    pub fn safe(&mut self) -> Safe {
        let mut moves: HashMap<Spot, Vec<To>> = HashMap::new();
        for white_to_move in [true, false] {
            for &spot in self.oracle.every_spot(white_to_move).iter() {
                if self.oracle.line(spot).is_none() {
                    let found = if white_to_move { self.answers(spot) } else { self.questions(spot) };
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
                let answers = self.answers(question);
                let answers_safe: Vec<Spot> =
                    answers.iter().copied().filter_map(goes_on).filter(is_safe).collect();
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
            questions.extend(self.questions(spot).into_iter().filter_map(goes_on));
        }
    }

    /// In how many rounds Black wins in this world, from positions with White to move that hold no line.
    fn rounds(&mut self) -> HashMap<Spot, usize> {
        let mut open: Vec<(Spot, Vec<Spot>)> = Vec::new();
        let mut answers: HashMap<Spot, Vec<To>> = HashMap::new();
        for &spot in self.oracle.every_spot(true).iter() {
            let asked = self.questions(spot);
            if self.oracle.line(spot).is_some() || asked.contains(&To::WhiteWins) {
                continue;
            }
            let asked: Vec<Spot> = asked.into_iter().filter_map(goes_on).collect();
            for &question in &asked {
                answers.entry(question).or_insert_with(|| self.answers(question));
            }
            open.push((spot, asked));
        }
        let mut rounds = HashMap::new();
        for round in 1.. {
            let is_answered = |question: &Spot| {
                answers[question].iter().any(|to| match to {
                    To::BlackWins => true,
                    To::WhiteWins => false,
                    To::Goes(spot) => rounds.contains_key(spot),
                })
            };
            let (won, left) =
                open.into_iter().partition(|(_, asked): &(_, Vec<Spot>)| asked.iter().all(is_answered));
            open = left;
            if won.is_empty() {
                break;
            }
            rounds.extend(won.into_iter().map(|(spot, _)| (spot, round)));
        }
        rounds
    }

    /// A refutation in this world, if Black wins there: of its answers one that wins in the fewest rounds, if possible one
    /// that is in already.
    pub fn refutation(&mut self) -> Option<Vec<Spot>> {
        let rounds = self.rounds();
        rounds.get(&Spot::empty(true))?;
        let mut all = vec![Spot::empty(true)];
        let mut inside: HashSet<Spot> = all.iter().copied().collect();
        let mut questions = vec![Spot::empty(false)];
        let mut looked_at = 0;
        loop {
            for question in questions.drain(..) {
                let answers = self.answers(question);
                if answers.contains(&To::BlackWins) {
                    continue;
                }
                let won = answers.into_iter().filter_map(goes_on);
                let won = won.filter_map(|spot| Some((*rounds.get(&spot)?, !inside.contains(&spot), spot)));
                let (.., best) = won.min()?;
                if inside.insert(best) {
                    all.push(best);
                }
            }
            let Some(&spot) = all.get(looked_at) else { return Some(all) };
            questions.extend(self.questions(spot).into_iter().filter_map(goes_on));
            looked_at += 1;
        }
    }
}

/// Where play goes on.
fn goes_on(to: To) -> Option<Spot> {
    if let To::Goes(spot) = to { Some(spot) } else { None }
}

/// Play begins on the empty board, whoever moves first.
pub const BOTH_FIRST: [Spot; 2] = [Spot::empty(true), Spot::empty(false)];

/// The true closure of a game, by order alone.
pub fn honest_closure(oracle: &mut Oracle) -> Vec<Spot> {
    let mut world = World::true_one(oracle);
    let safe = world.safe();
    world.closure(Some(&safe), &BOTH_FIRST, &|_, _| 0)
}

/// A true refutation of a game.
pub fn honest_refutation(oracle: &mut Oracle) -> Vec<Spot> {
    World::true_one(oracle).refutation().expect("Black wins")
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
