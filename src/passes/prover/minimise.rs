//! Making a closure smaller: the answers are chosen anew among its positions, those that serve most first.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::book::{self, Book};
use super::growth::{Answer, Chooser, Grower, Grown, Growth, Watcher};
use super::replies::Question;
use super::view::{Code, Views};
use crate::passes::playable::playable;
use crate::passes::question::{can_win, is_won};
use crate::rules::{Color, Game, Outcome};

/// Chooses among the positions of a closure the one that serves most.
struct Among<'a> {
    game: &'a Game,
    views: Views,
    closure: &'a Book,
    starts: Vec<usize>,
    /// For each position of the closure how often it is an answer.
    serves: Vec<AtomicU32>,
}

impl Chooser for Among<'_> {
    fn choose(&self, question: &Question, _: &Book) -> Answer {
        let cells = self.closure.cells(question.view.black);
        let start = self.starts[cells.shelf] + cells.from;
        let mut best: Option<(u32, usize)> = None;
        question.answers(self.game, self.views, &cells, |place| {
            let serves = self.serves[start + place].load(Ordering::Relaxed);
            // Of equals the first.
            if best.is_none_or(|(most, first)| serves > most || serves == most && place < first) {
                best = Some((serves, place));
            }
        });
        match best {
            Some((_, place)) => Answer::Best(cells.code(place)),
            // The closure has no answer: White wins.
            None => Answer::Wins,
        }
    }
}

impl Among<'_> {
    /// Counts anew how many of the questions that Black asks from a part of the closure each of its positions answers.
    fn count(&self, part: &Book) {
        self.serves.par_iter().for_each(|serves| serves.store(0, Ordering::Relaxed));
        let parts = (part.inside() * QUESTIONS).div_ceil(TOGETHER).clamp(1, part.shelves() as u64);
        let shelves = part.shelves().div_ceil(parts as usize);
        for from in (0..part.shelves()).step_by(shelves) {
            let asked = Asked::new(from..from + shelves);
            (0..part.shelves()).into_par_iter().flat_map_iter(|shelf| part.shelf(shelf)).for_each(|code| {
                self.questions(code, |question| {
                    let known = || self.views.code_in(question.view, &question.position);
                    if asked.holds(question.view.black) && asked.is_new(known()) {
                        self.answered(question, |place| {
                            self.serves[place].fetch_add(1, Ordering::Relaxed);
                        });
                    }
                });
            });
        }
    }

    /// Visits what Black asks from a position, but for what White wins at once.
    fn questions(&self, code: Code, mut visit: impl FnMut(&Question)) {
        let position = self.views.position(code);
        for piece in playable(self.game, &position) {
            for to in piece.targets.squares() {
                if let Outcome::GoesOn(question) = piece.play(self.game, &position, to)
                    && !(can_win(question.visible(Color::White)) && is_won(self.game, &question))
                {
                    visit(&Question::new(self.views, question));
                }
            }
        }
    }

    /// Visits the positions of the closure that answer a question.
    fn answered(&self, question: &Question, mut visit: impl FnMut(usize)) {
        let cells = self.closure.cells(question.view.black);
        let start = self.starts[cells.shelf] + cells.from;
        question.answers(self.game, self.views, &cells, |place| visit(start + place));
    }
}

/// About how many questions no other position asks, for each position of a closure.
const QUESTIONS: u64 = 20;
/// About how many questions are held in memory at a time.
const TOGETHER: u64 = 1 << 27;

/// Questions that were asked, those of some shelves.
struct Asked {
    first: usize,
    shelves: Vec<Mutex<Vec<u64>>>,
}

impl Asked {
    fn new(shelves: Range<usize>) -> Asked {
        Asked { first: shelves.start, shelves: shelves.map(|_| Mutex::default()).collect() }
    }

    /// Whether it has the shelf of a black placement.
    fn holds(&self, black: u64) -> bool {
        book::shelf(black).checked_sub(self.first).is_some_and(|shelf| shelf < self.shelves.len())
    }

    /// Adds a question; whether it is new.
    fn is_new(&self, code: Code) -> bool {
        let shelf = &self.shelves[book::shelf(code.black) - self.first];
        let mut cells = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        book::insert(&mut cells, code)
    }
}

/// The most rounds: each chooses the answers anew by how many questions they answer, and few are enough.
const ROUNDS: u32 = 30;

/// A closure inside a closure, with as few positions as is found; `None` if the watcher breaks it off.
pub(super) fn minimise(game: &Game, closure: Book, watcher: Watcher<'_>) -> Option<Book> {
    let starts = closure.starts();
    let serves = (0..closure.inside() + closure.lost()).map(|_| AtomicU32::new(0)).collect();
    let among = Among { game, views: Views::new(), closure: &closure, starts, serves };
    let mut best: Option<Book> = None;
    for round in 1..=ROUNDS {
        among.count(best.as_ref().unwrap_or(&closure));
        let mut grower = Grower::new(game, &among);
        let grown = grower.grow(&mut |growth| watcher(&Growth { round, ..*growth }));
        let before = best.as_ref().map_or(closure.inside(), Book::inside);
        let found = grower.into_book();
        match grown {
            Grown::BrokenOff => return None,
            Grown::Closed if found.inside() < before => best = Some(found),
            Grown::Closed | Grown::Lost => break,
        }
    }
    Some(best.unwrap_or(closure))
}
