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
    asks: Lists,
    /// For each question the members that answer it. The first is the one before any move: the empty board with
    /// White to move.
    answers: Lists,
}

/// Lists of numbers, one after the other in one piece of memory.
#[derive(Default)]
struct Lists {
    numbers: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl Lists {
    /// Adds a list, sorted and each number once.
    fn push(&mut self, mut list: Vec<u32>) {
        list.sort_unstable();
        list.dedup();
        self.numbers.extend(list);
        self.ends.push(self.numbers.len());
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn list(&self, index: u32) -> &[u32] {
        let index = index as usize;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[begin..self.ends[index]]
    }
}

/// How many members are looked at together: their questions are in memory as positions at one time.
const TOGETHER: usize = 1 << 14;

impl Graph {
    fn new(game: &Game, members: &[Position]) -> Graph {
        let index: HashMap<u128, u32> = members.iter().zip(0..).map(|(p, i)| (symmetry::key(p), i)).collect();
        let member = |answer: &Position| index.get(&symmetry::key(&symmetry::canonical(answer))).copied();
        // A question without answers is one to which White has a winning move.
        let answering = |question: &Position| -> Vec<u32> {
            answers(game, question).iter().flatten().filter_map(member).collect()
        };
        let first = Position::empty(Color::White);
        let mut numbers: HashMap<u128, u32> = HashMap::from([(symmetry::key(&first), FIRST)]);
        let (mut asks, mut answers) = (Lists::default(), Lists::default());
        answers.push(answering(&first));
        for members in members.chunks(TOGETHER) {
            let asked: Vec<Vec<Position>> = members
                .par_iter()
                .map(|member| {
                    questions(game, member).map(|question| symmetry::canonical(&question)).collect()
                })
                .collect();
            let mut new = Vec::new();
            for asked in &asked {
                let number = |question: &Position| {
                    let next = numbers.len() as u32;
                    *numbers.entry(symmetry::key(question)).or_insert_with(|| {
                        new.push(*question);
                        next
                    })
                };
                asks.push(asked.iter().map(number).collect());
            }
            let answered: Vec<Vec<u32>> = new.par_iter().map(answering).collect();
            answered.into_iter().for_each(|list| answers.push(list));
        }
        Graph { asks, answers }
    }
}

/// The number of the question before any move.
const FIRST: u32 = 0;

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
            for &question in self.asks.list(member) {
                if !std::mem::replace(&mut seen[question as usize], true) {
                    for &answer in self.answers.list(question) {
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
        let mut open: Vec<u32> = [FIRST].into_iter().chain(self.asks.list(0).iter().copied()).collect();
        while let Some(question) = open.pop() {
            let answers = self.answers.list(question);
            if std::mem::replace(&mut answered[question as usize], true)
                || answers.iter().any(|&answer| inside[answer as usize])
            {
                continue;
            }
            let most =
                answers.iter().copied().max_by_key(|&answer| (serves[answer as usize], Reverse(answer)));
            if let Some(answer) = most {
                inside[answer as usize] = true;
                chosen.push(answer);
                open.extend(self.asks.list(answer).iter().filter(|&&next| !answered[next as usize]));
            }
        }
        chosen
    }
}
