//! White's replies: which positions of a book answer a question.

use super::book::{Book, Cells, Standing, white};
use super::view::{DIGIT, View, Views};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Size};
use crate::symmetry::Symmetry;

/// A question with the view of its black placement.
pub(crate) struct Question {
    pub position: Position,
    pub view: View,
}

impl Question {
    pub(crate) fn new(views: Views, position: Position) -> Question {
        Question { position, view: views.view(&position) }
    }

    /// Whether a position that is in answers it.
    pub(crate) fn is_answered(&self, game: &Game, views: Views, book: &Book) -> bool {
        let cells = book.cells(self.view.black);
        !cells.cells.is_empty()
            && self.view.ways().any(|way| {
                let reply = Reply::new(game, views, self, way);
                cells.cells.iter().any(|&cell| reply.reaches(cell))
            })
    }

    /// Visits the positions of `cells` that are in and answer it, each once, by their places there.
    pub(crate) fn answers(&self, game: &Game, views: Views, cells: &Cells<'_>, visit: impl FnMut(usize)) {
        if cells.cells.is_empty() {
            return;
        }
        let replies: Vec<Reply> = self.view.ways().map(|way| Reply::new(game, views, self, way)).collect();
        let answers = |&place: &usize| replies.iter().any(|reply| reply.reaches(cells.cells[place]));
        (0..cells.cells.len()).filter(answers).for_each(visit);
    }

    /// Whether a white placement with this number answers it.
    pub(crate) fn is_answered_by(&self, game: &Game, views: Views, number: u64) -> bool {
        self.view.ways().any(|way| Reply::new(game, views, self, way).leads_to(number))
    }
}

/// White's moves from an image of a question.
struct Reply<'a> {
    game: &'a Game,
    views: Views,
    question: &'a Position,
    way: usize,
    white: u64,
}

impl<'a> Reply<'a> {
    fn new(game: &'a Game, views: Views, question: &'a Question, way: usize) -> Reply<'a> {
        let white = views.white(&question.position, way);
        Reply { game, views, question: &question.position, way, white }
    }

    #[inline]
    fn reaches(&self, cell: u64) -> bool {
        let (white, standing) = white(cell);
        standing != Standing::Lost && self.leads_to(white)
    }

    /// Whether a move leads to the white placement with this number, and play goes on.
    #[inline]
    fn leads_to(&self, number: u64) -> bool {
        // A move moves one piece, so the numbers differ in one size.
        let differ = self.white ^ number;
        let shift = differ.trailing_zeros() / DIGIT * DIGIT;
        differ != 0 && differ >> shift < 1 << DIGIT && self.plays(number, shift)
    }

    /// Whether a move of a piece leads to this placement, where the digits at `shift` are those of the piece's size.
    fn plays(&self, number: u64, shift: u32) -> bool {
        let size = Size::ALL[3 - (shift / DIGIT) as usize];
        let [before, after] =
            [self.white, number].map(|number| self.views.set(number >> shift & ((1 << DIGIT) - 1)));
        let (gone, new) = (before - after, after - before);
        if new.count() != 1 || gone.count() > 1 {
            return false;
        }
        let question = Symmetry::from_index(self.way as u8).position(self.question);
        let Some(to) = new.squares().next() else { return false };
        let mv = match gone.squares().next() {
            None if self.game.places(&question, size).contains(to) => Move::Place { size, to },
            Some(from)
                if question.top(from) == Some((Color::White, size))
                    && !question.barred(size).contains(to) =>
            {
                Move::Transfer { from, to }
            }
            _ => return false,
        };
        matches!(self.game.play_unchecked(&question, mv), Outcome::GoesOn(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::{Ranking, Tiers};

    use crate::rules::Reading;

    #[test]
    fn what_answers_a_question_is_what_white_moves_to() {
        let views = Views::new();
        let mut met = [0; 2];
        for (variant, step) in [("A1B1-A1B1", 211), ("A2B1-A1", 97), ("A2-A2", 31)] {
            let variant = variant.read().expect("a variant");
            for reading in Reading::ALL {
                let game = Game::new(variant, reading);
                for &tier in Tiers::new(variant).as_slice() {
                    let ranking = Ranking::new(tier);
                    for rank in (0..ranking.len()).step_by(step) {
                        let question = ranking.unrank(rank, Color::White).expect("a rank");
                        if question.finished().is_some() {
                            continue;
                        }
                        let mut expected: Vec<(Position, u64)> = Vec::new();
                        let asked = Question::new(views, question);
                        for mv in game.moves(&question) {
                            if let Outcome::GoesOn(next) = game.play_unchecked(&question, mv) {
                                expected.push((next, views.code_in(asked.view, &next).white));
                            }
                        }
                        // And what two white moves in a row lead to, most of which no answer is.
                        for &(next, _) in &expected {
                            let next = next.with_turn(Color::White);
                            for mv in game.moves(&next) {
                                let Outcome::GoesOn(two) = game.play_unchecked(&next, mv) else { continue };
                                let number = views.code_in(asked.view, &two).white;
                                let answers = asked.is_answered_by(&game, views, number);
                                let is_one = expected.iter().any(|&(_, other)| other == number);
                                assert_eq!(answers, is_one, "{question} {two}");
                                met[usize::from(answers)] += 1;
                            }
                        }
                        for &(_, number) in &expected {
                            assert!(asked.is_answered_by(&game, views, number), "{question}");
                        }
                    }
                }
            }
        }
        assert!(met.iter().all(|&count| count > 10_000), "{met:?}");
    }
}
