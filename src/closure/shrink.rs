//! Making a closure smaller: answers are chosen anew so that fewer positions answer more questions.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::closure::orbits::Orbits;
use crate::closure::outer::Outer;
use crate::closure::question::{Placed, answered_by, questions};
use crate::enumerate::rows::inner::smallest;
use crate::enumerate::rows::layout::Layout;
use crate::enumerate::wins::{can_win, is_won};
use crate::rules::{Bitboard, Color, Game, Position};

/// A closure as a graph: members ask questions, and each question can be answered by some members. Questions that White
/// wins at once are left out. The first question is the one before any move: the empty board with White to move.
struct Graph {
    /// For each member the questions that Black can ask from it.
    asks: Lists,
    /// For each member the questions that it answers.
    answering: Lists,
    /// For each question the members that answer it.
    answers: Lists,
}

/// Lists of numbers, one after the other in one piece of memory.
#[derive(Default)]
struct Lists {
    items: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl Lists {
    /// One list for each member: the items that `tell` reports for it, each with a key, sorted by key and without duplicates.
    fn of<K: Ord>(members: &[Placed], tell: impl Fn(&Placed, &mut dyn FnMut(K, u32)) + Sync) -> Lists {
        let some = |members: &[Placed]| {
            let (mut lists, mut list) = (Lists::default(), Vec::new());
            for member in members {
                tell(member, &mut |key, item| list.push((key, item)));
                list.sort_unstable();
                list.dedup();
                lists.items.extend(list.drain(..).map(|(_, item)| item));
                lists.ends.push(lists.items.len());
            }
            lists
        };
        let mut all = Lists { items: Vec::new(), ends: Vec::with_capacity(members.len()) };
        // In parts, so that not all of them are in memory twice.
        for part in members.chunks(TOGETHER) {
            let part: Vec<Lists> = part.par_chunks(SOME).map(some).collect();
            for Lists { items, ends } in part {
                all.ends.extend(ends.iter().map(|end| all.items.len() + end));
                all.items.extend(items);
            }
        }
        all
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn list(&self, index: u32) -> &[u32] {
        let index = index as usize;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[begin..self.ends[index]]
    }

    /// For each number below `len` the indices of the lists that contain it, in ascending order.
    fn turned(&self, len: usize) -> Lists {
        let mut ends = vec![0; len];
        for &number in &self.items {
            ends[number as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // Where the list begins. Filling it moves this on to where it ends.
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

/// How many members' lists are put together at a time, and how many of them by one thread.
const TOGETHER: usize = 1 << 14;
const SOME: usize = 1 << 8;

impl Graph {
    fn new(game: &Game, layout: &Layout, members: &[Position]) -> Graph {
        let (asked, smallest) = (Orbits::none(layout), smallest(game.variant));
        let members: Vec<Placed> = members.par_iter().map(|&member| asked.placed(member)).collect();
        let (tier, start) = asked.placed(Position::empty(Color::White));
        asked.name(&Outer::new(layout, tier, &start), Bitboard::EMPTY);
        members.par_iter().for_each(|member| {
            questions(game, layout, member, |outer, inner| {
                if !(can_win(outer.white()) && is_won(game, &outer.placed(inner).1)) {
                    asked.name(outer, inner);
                }
            });
        });
        let asked = asked.numbered();
        let answering = Lists::of(&members, |member, tell| {
            answered_by(game, layout, member, |outer, inner| {
                asked.number(outer, inner).into_iter().for_each(|number| tell(number, number));
            });
        });
        // Open questions are answered in this order, so it must not depend on where the bits of a layout lie.
        let asks = || {
            Lists::of(&members, |member, tell| {
                questions(game, layout, member, |outer, inner| {
                    let key = || (outer.tier(), outer.rank(inner, smallest));
                    asked.number(outer, inner).into_iter().for_each(|number| tell(key(), number));
                });
            })
        };
        let (answers, asks) = rayon::join(|| answering.turned(asked.len()), asks);
        Graph { asks, answering, answers }
    }
}

/// The number of the question before any move.
const FIRST: u32 = 0;

/// The most rounds. Each chooses the answers anew by how many questions they answer, and few rounds are enough.
const ROUNDS: u32 = 30;

/// The smallest closure inside `members` that the rounds find; the first member is the empty board. `goes_on` hears how many
/// rounds are done and how many positions are left. `None` if it breaks the run off.
pub(crate) fn shrink(
    game: &Game,
    layout: &Layout,
    members: Vec<Position>,
    goes_on: &mut dyn FnMut(u32, usize) -> ControlFlow<()>,
) -> Option<Vec<Position>> {
    goes_on(0, members.len()).continue_value()?;
    let graph = Graph::new(game, layout, &members);
    let mut best: Vec<u32> = (0..members.len() as u32).collect();
    for round in 0..ROUNDS {
        goes_on(round, best.len()).continue_value()?;
        let serves = graph.serves(&best);
        let chosen = graph.choose(&serves);
        if chosen.len() >= best.len() {
            break;
        }
        best = chosen;
    }
    Some(best.into_iter().map(|member| members[member as usize]).collect())
}

impl Graph {
    /// For each member of the graph, how many of the questions asked from `members` it answers.
    fn serves(&self, members: &[u32]) -> Vec<u32> {
        let asked: Vec<AtomicBool> = (0..self.answers.len()).map(|_| AtomicBool::new(false)).collect();
        members.par_iter().for_each(|&member| {
            for &question in self.asks.list(member) {
                asked[question as usize].store(true, Ordering::Relaxed);
            }
        });
        let serves = |member| {
            let answering = self.answering.list(member).iter();
            answering.map(|&question| u32::from(asked[question as usize].load(Ordering::Relaxed))).sum()
        };
        (0..self.asks.len() as u32).into_par_iter().map(serves).collect()
    }

    /// Grows a closure from the empty board, which is member 0. An answer that is in already is preferred, otherwise the one
    /// with the largest entry in `serves` comes in.
    fn choose(&self, serves: &[u32]) -> Vec<u32> {
        // The questions to which an answer is in.
        let mut answered = vec![false; self.answers.len()];
        let mut chosen = Vec::new();
        let mut open = vec![FIRST];
        let mut come_in = |member: u32, open: &mut Vec<u32>, answered: &mut [bool]| {
            chosen.push(member);
            for &question in self.answering.list(member) {
                answered[question as usize] = true;
            }
            open.extend(self.asks.list(member).iter().filter(|&&next| !answered[next as usize]));
        };
        come_in(0, &mut open, &mut answered);
        while let Some(question) = open.pop() {
            if answered[question as usize] {
                continue;
            }
            let answers = self.answers.list(question).iter().copied();
            if let Some(most) = answers.max_by_key(|&answer| (serves[answer as usize], Reverse(answer))) {
                come_in(most, &mut open, &mut answered);
            }
        }
        chosen
    }
}
