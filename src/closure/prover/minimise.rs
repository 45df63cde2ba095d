//! Making a closure smaller: the answers are chosen anew from its own positions, and those that answer most questions
//! come first.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::book::{self, Book, Cells, Standing};
use super::growth::{Chooser, Chosen, Grower, Grown, Proving, Stage};
use super::kept::Keeper;
use super::replies::Question;
use super::view::{Code, Views};
use crate::closure::Watcher;
use crate::enumerate::rows::playable::playable;
use crate::enumerate::wins::is_won;
use crate::rules::{Game, Outcome};

/// Chooses the position of a closure that answers the most questions.
struct Among<'a> {
    game: &'a Game,
    views: Views,
    closure: &'a Book,
    starts: Vec<usize>,
    /// For each position of the closure how many questions it answers.
    serves: Vec<AtomicU32>,
}

impl<'a> Among<'a> {
    fn new(game: &'a Game, closure: &'a Book) -> Among<'a> {
        let cells = Standing::ALL.into_iter().map(|standing| closure.count(standing)).sum();
        let serves = (0..cells).map(|_: u64| AtomicU32::new(0)).collect();
        Among { game, views: Views::new(), closure, starts: closure.starts(), serves }
    }
}

impl Chooser for Among<'_> {
    fn choose(&self, question: &Question, _: &Book) -> Chosen {
        if is_won(self.game, &question.position) {
            return Chosen::Wins;
        }
        let (cells, start) = self.cells(question);
        let serves = |place: usize| self.serves[start + place].load(Ordering::Relaxed);
        let mut best: Option<usize> = None;
        question.answers(self.game, self.views, &cells, |place| {
            // Of equals the first.
            if best.is_none_or(|best| serves(place) > serves(best)) {
                best = Some(place);
            }
        });
        best.map_or(Chosen::None, |place| Chosen::Best(cells.code(place)))
    }
}

impl Among<'_> {
    /// Counts anew, for each position of the closure, how many of the questions that Black asks from `asking` it answers.
    /// The shelves of questions are taken in `parts`, one at a time in memory. `goes_on` is asked now and then; the result is
    /// false if it stopped the count.
    fn count(&self, asking: &Book, parts: usize, mut goes_on: impl FnMut() -> bool) -> bool {
        self.serves.par_iter().for_each(|serves| serves.store(0, Ordering::Relaxed));
        let shelves = asking.shelves().div_ceil(parts);
        for from in (0..asking.shelves()).step_by(shelves) {
            let asked = Asked::new(from..from + shelves);
            for some in (0..asking.shelves()).step_by(SOME) {
                if !goes_on() {
                    return false;
                }
                let some = some..asking.shelves().min(some + SOME);
                some.into_par_iter().flat_map_iter(|shelf| asking.shelf(shelf)).for_each(|code| {
                    self.questions(code, |question| {
                        let known = || self.views.code_in(question.view, &question.position);
                        if asked.holds(question.view.black) && asked.is_new(known()) {
                            self.answered(question);
                        }
                    });
                });
            }
        }
        true
    }

    /// Visits the questions that Black asks from a position, except those that White wins at once.
    fn questions(&self, code: Code, mut visit: impl FnMut(&Question)) {
        let position = self.views.position(code);
        for piece in playable(self.game, &position) {
            for to in piece.targets.squares() {
                if let Outcome::GoesOn(question) = piece.play(self.game, &position, to)
                    && !is_won(self.game, &question)
                {
                    visit(&Question::new(self.views, question));
                }
            }
        }
    }

    /// The positions of the closure that may answer a question, and the place of the first of them in `serves`.
    fn cells(&self, question: &Question) -> (Cells<'_>, usize) {
        let cells = self.closure.cells(question.view.black);
        let start = self.starts[cells.shelf] + cells.from;
        (cells, start)
    }

    /// Counts a question for the positions of the closure that answer it.
    fn answered(&self, question: &Question) {
        let (cells, start) = self.cells(question);
        question.answers(self.game, self.views, &cells, |place| {
            self.serves[start + place].fetch_add(1, Ordering::Relaxed);
        });
    }
}

/// The questions of a closure with more than [`FEW`] positions are counted in this many parts. Only one part is in memory
/// at a time, which keeps within [`TIMES`].
const PARTS: usize = 4;
const FEW: u64 = 1 << 20;
/// Making a closure smaller takes this many times its memory: for the closure, the best so far, the one that grows, what
/// each position serves, and a part of the questions, of which there are up to 40 for each position.
pub(crate) const TIMES: u64 = 14;

/// How many shelves are looked through between two calls of `goes_on`.
const SOME: usize = 1 << 10;

/// The questions asked so far, of a range of shelves.
struct Asked {
    first: usize,
    shelves: Vec<Mutex<Vec<u64>>>,
}

impl Asked {
    fn new(shelves: Range<usize>) -> Asked {
        Asked { first: shelves.start, shelves: shelves.map(|_| Mutex::default()).collect() }
    }

    /// Whether the shelf of a black placement is in the range.
    fn holds(&self, black: u64) -> bool {
        book::shelf(black).checked_sub(self.first).is_some_and(|shelf| shelf < self.shelves.len())
    }

    /// Adds a question. Returns whether it is new.
    fn is_new(&self, code: Code) -> bool {
        let shelf = &self.shelves[book::shelf(code.black) - self.first];
        let mut cells = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        book::insert(&mut cells, code)
    }
}

/// The usual limit on rounds. Each chooses the answers anew by how many questions they answer, and few rounds are enough.
pub const ROUNDS: u32 = 30;

/// The smallest closure inside a closure that at most `rounds` rounds find; `None` if the watcher stops it.
///
/// # Errors
/// What is found cannot be kept, or what was kept cannot be read.
pub(crate) fn minimise<K: Keeper>(
    game: &Game,
    closure: Book,
    rounds: u32,
    keeper: &mut K,
    watcher: Watcher<'_, Proving>,
) -> Result<Option<Book>, K::Error> {
    let among = Among::new(game, &closure);
    let parts = if closure.inside() > FEW { PARTS } else { 1 };
    // If more rounds are done than asked for, the result of the last one asked for is gone, and rounds begin again.
    let done = Some(keeper.rounds()).filter(|&done| done <= rounds).unwrap_or(0);
    let mut best = keeper.finished(Stage::Round(done))?.map(|(_, book)| book);
    let left = if keeper.is_smallest() && done == keeper.rounds() { 0..0 } else { done..rounds };
    for round in left.map(|done| done + 1) {
        let smallest = best.as_ref().unwrap_or(&closure);
        let beside = closure.bytes() + best.as_ref().map_or(0, Book::bytes);
        let mut grower = Grower::new(game, &among, Stage::Round(round), beside, None);
        if !among.count(smallest, parts, || watcher(grower.growth()).is_continue())
            || grower.grow(keeper, watcher)? != Grown::Closed
        {
            return Ok(None);
        }
        if grower.growth().positions >= smallest.inside() {
            keeper.settle()?;
            break;
        }
        let growth = grower.growth();
        let found = grower.into_book();
        keeper.finish(&growth, &found)?;
        best = Some(found);
    }
    Ok(Some(best.unwrap_or(closure)))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use std::ops::ControlFlow;

    use super::*;
    use crate::closure::Weights;
    use crate::closure::prover::kept::Unkept;
    use crate::closure::prover::{Guide, grow_book};
    use crate::enumerate::Discipline;
    use crate::rules::Reading;
    use crate::thorough::thorough;

    fn grown(game: &Game) -> Book {
        let guide = Guide::Discipline(&Discipline::FREE);
        let Ok((_, _, book)) =
            grow_book(game, guide, &Weights::default(), &mut Unkept, &mut |_| ControlFlow::Continue(()));
        book
    }

    #[test]
    fn parts_make_no_difference_to_what_is_counted() {
        let game = Game::new("A3-A3B1".read().expect("a variant"), Reading::Official);
        let closure = grown(&game);
        let among = Among::new(&game, &closure);
        let counted = |parts| {
            assert!(among.count(&closure, parts, || true));
            among.serves.iter().map(|serves| serves.load(Ordering::Relaxed)).collect::<Vec<_>>()
        };
        let whole = counted(1);
        assert!(whole.iter().any(|&serves| serves > 20));
        assert_eq!(counted(7), whole);
        assert!(!among.count(&closure, 1, || false));
    }

    #[test]
    fn a_closure_becomes_smaller_by_a_tenth() {
        let readings = [Reading::Robust, Reading::Official];
        for &reading in &readings[..if thorough() { 2 } else { 1 }] {
            let game = Game::new("ab".read().expect("a variant"), reading);
            let closure = grown(&game);
            let before = closure.inside();
            let Ok(smaller) =
                minimise(&game, closure, ROUNDS, &mut Unkept, &mut |_| ControlFlow::Continue(()));
            let smaller = smaller.expect("minimised");
            assert!(smaller.inside() * 10 < before * 9, "{} of {before}", smaller.inside());
        }
    }
}
