//! Shrinking a closure: the answers are chosen anew so that fewer positions serve more questions.

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use super::closure::{answers, questions};
use crate::rules::{Color, Game, Position};
use crate::symmetry;

/// A closure as a graph: members ask questions, each question can be answered by some members.
struct Graph {
    /// For each member the questions that Black can ask from it.
    asks: Vec<Vec<u32>>,
    /// For each question the members that answer it.
    answers: Vec<Vec<u32>>,
    /// The question before any move: the empty board with White to move.
    first: u32,
}

impl Graph {
    fn new(game: &Game, members: &[Position]) -> Graph {
        let index: HashMap<u128, u32> = members.iter().zip(0..).map(|(p, i)| (symmetry::key(p), i)).collect();
        let asked: Vec<Vec<Position>> = members
            .par_iter()
            .map(|member| questions(game, member).map(|question| symmetry::canonical(&question)).collect())
            .collect();
        let mut numbers: HashMap<u128, u32> = HashMap::new();
        let mut all = Vec::new();
        let mut number = |question: &Position| {
            *numbers.entry(symmetry::key(question)).or_insert_with(|| {
                all.push(*question);
                (all.len() - 1) as u32
            })
        };
        let first = number(&Position::empty(Color::White));
        let asks = asked
            .iter()
            .map(|asked| {
                let mut list: Vec<u32> = asked.iter().map(&mut number).collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let answers = all
            .par_iter()
            .map(|question| {
                let Some(answers) = answers(game, question) else { return Vec::new() };
                let found = answers
                    .iter()
                    .filter_map(|a| index.get(&symmetry::key(&symmetry::canonical(a))))
                    .copied();
                let mut list: Vec<u32> = found.collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        Graph { asks, answers, first }
    }
}

/// The most rounds: each chooses the answers anew by how often they serve, and few are enough.
const ROUNDS: usize = 30;

/// A closure inside `members`, the empty board first among them, with as few positions as is found.
pub(super) fn shrink(game: &Game, members: Vec<Position>) -> Vec<Position> {
    let graph = Graph::new(game, &members);
    let mut best: Vec<u32> = (0..members.len() as u32).collect();
    for _ in 0..ROUNDS {
        let serves = graph.serves(&best);
        let chosen = graph.choose(&serves);
        if chosen.len() >= best.len() {
            break;
        }
        best = chosen;
    }
    best.into_iter().map(|member| members[member as usize]).collect()
}

impl Graph {
    /// For each member how many of the questions that `members` leave open to Black it answers.
    fn serves(&self, members: &[u32]) -> Vec<u32> {
        let mut serves = vec![0; self.asks.len()];
        let mut seen = vec![false; self.answers.len()];
        for &member in members {
            for &question in &self.asks[member as usize] {
                if !std::mem::replace(&mut seen[question as usize], true) {
                    for &answer in &self.answers[question as usize] {
                        serves[answer as usize] += 1;
                    }
                }
            }
        }
        serves
    }

    /// A closure from the empty board, which is member 0: an answer that is in already is preferred, else
    /// the one that serves most.
    fn choose(&self, serves: &[u32]) -> Vec<u32> {
        let mut inside = vec![false; self.asks.len()];
        let mut answered = vec![false; self.answers.len()];
        let mut chosen = vec![0];
        inside[0] = true;
        let mut open: Vec<u32> = [self.first].into_iter().chain(self.asks[0].iter().copied()).collect();
        while let Some(question) = open.pop() {
            let answers = &self.answers[question as usize];
            if std::mem::replace(&mut answered[question as usize], true)
                || answers.iter().any(|&answer| inside[answer as usize])
            {
                continue;
            }
            // A question without answers is one to which White has a winning move.
            let most =
                answers.iter().copied().max_by_key(|&answer| (serves[answer as usize], Reverse(answer)));
            if let Some(answer) = most {
                inside[answer as usize] = true;
                chosen.push(answer);
                open.extend(self.asks[answer as usize].iter().filter(|&&next| !answered[next as usize]));
            }
        }
        chosen
    }
}
