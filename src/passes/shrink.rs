//! Shrinking a closure: the answers are chosen anew so that fewer positions serve more questions.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::layout::Layout;
use super::orbits::Orbits;
use super::question::{Placed, answered_by, is_won, questions};
use crate::rules::{Color, Game, Position};

/// A closure as a graph: members ask questions, each question can be answered by some members. Those to which White
/// has a move that wins are left out.
struct Graph {
    /// For each member the questions that Black can ask from it.
    asks: Lists<u32>,
    /// For each question the members that answer it. The first is the one before any move: the empty board with
    /// White to move.
    answers: Lists<u32>,
}

/// Lists, one after the other in one piece of memory.
struct Lists<T> {
    items: Vec<T>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl<T: Copy + Ord + Send + Sync> Lists<T> {
    /// One list for each member, sorted: what it tells the one that it is given, each once.
    fn of(members: &[Placed], tell: impl Fn(&Placed, &mut dyn FnMut(T)) + Sync) -> Lists<T> {
        let mut lists = Lists { items: Vec::new(), ends: Vec::with_capacity(members.len()) };
        // In parts, so that there are not many small lists at a time.
        for part in members.chunks(TOGETHER) {
            let list = |member: &Placed| {
                let mut list = Vec::new();
                tell(member, &mut |item| list.push(item));
                list.sort_unstable();
                list.dedup();
                list
            };
            let part: Vec<Vec<T>> = part.par_iter().map(list).collect();
            for list in part {
                lists.items.extend(list);
                lists.ends.push(lists.items.len());
            }
        }
        lists
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn list(&self, index: u32) -> &[T] {
        let index = index as usize;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[begin..self.ends[index]]
    }
}

impl Lists<u32> {
    /// For each of the numbers below `len` the lists that have it, in their order.
    fn turned(&self, len: usize) -> Lists<u32> {
        let mut ends = vec![0; len];
        for &number in &self.items {
            ends[number as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // Where the list begins. When it is filled, that is where it ends.
            sum += std::mem::replace(end, sum);
        }
        let mut items = vec![0; sum];
        for index in 0..self.len() as u32 {
            for &number in self.list(index) {
                let end = &mut ends[number as usize];
                items[*end] = index;
                *end += 1;
            }
        }
        Lists { items, ends }
    }
}

/// How many members are looked at together.
const TOGETHER: usize = 1 << 14;

impl Graph {
    fn new(game: &Game, layout: &Layout, members: &[Position]) -> Graph {
        let asked = Orbits::none(layout);
        let members: Vec<Placed> = members.iter().map(|&member| asked.placed(member)).collect();
        let first = asked.least(&asked.placed(Position::empty(Color::White)));
        first.into_iter().for_each(|bit| asked.set(bit));
        let Lists { items, ends } = Lists::of(&members, |member, tell| {
            for question in questions(game, layout.tier(member.0), member) {
                if !is_won(game, &question.1)
                    && let Some(bit) = asked.least(&question)
                {
                    asked.set(bit);
                    tell(bit);
                }
            }
        });
        let asked = asked.numbered();
        let asks = Lists { items: items.into_par_iter().map(|bit| asked.number(bit)).collect(), ends };
        let answering = Lists::of(&members, |member, tell| {
            for question in answered_by(game, layout.tier(member.0), member) {
                if let Some(bit) = asked.orbits().least(&question)
                    && asked.orbits().bit(bit)
                {
                    tell(asked.number(bit));
                }
            }
        });
        Graph { asks, answers: answering.turned(asked.len()) }
    }
}

/// The number of the question before any move.
const FIRST: u32 = 0;

/// The most rounds: each chooses the answers anew by how often they serve, and few are enough.
const ROUNDS: usize = 30;

/// A closure inside `members`, the empty board first among them, with as few positions as is found.
pub(super) fn shrink(game: &Game, layout: &Layout, members: Vec<Position>) -> Vec<Position> {
    let graph = Graph::new(game, layout, &members);
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
