//! Choosing among all moves by weights: new positions come in that White may keep to.

use super::book::{Book, Standing};
use super::growth::{Answer, Chooser};
use super::replies::Question;
use super::view::{Code, Views};
use crate::passes::playable::playable;
use crate::passes::question::{can_win, is_won};
use crate::passes::weights::Weights;
use crate::rules::{Color, Game, Outcome, Position};

/// Chooses the answer of least weight among those that White may give.
pub(super) struct ByWeight<'a, F> {
    pub game: &'a Game,
    pub views: Views,
    pub weights: &'a Weights,
    /// Whether White may keep to a position with Black to move.
    pub may: F,
}

impl<F: Fn(&Position) -> bool + Sync> Chooser for ByWeight<'_, F> {
    fn choose(&self, question: &Question, book: &Book) -> Answer {
        let mut found: Vec<(u32, u64)> = Vec::new();
        for piece in playable(self.game, &question.position) {
            for to in piece.targets.squares() {
                match piece.play(self.game, &question.position, to) {
                    Outcome::WhiteWins => return Answer::Wins,
                    Outcome::BlackWins => {}
                    Outcome::GoesOn(next) => {
                        let lost = can_win(next.visible(Color::Black)) && is_won(self.game, &next);
                        if !lost && (self.may)(&next) {
                            let white = self.views.code_in(question.view, &next).white;
                            found.push((self.weights.sum(&next), white));
                        }
                    }
                }
            }
        }
        // The lightest that is not lost; of equals the one whose placement, as seen from Black's, is the least.
        while let Some(place) = (0..found.len()).min_by_key(|&place| found[place]) {
            let (_, white) = found.swap_remove(place);
            let best = Code { black: question.view.black, white };
            if book.standing(best) != Some(Standing::Lost) {
                return Answer::Best(best);
            }
        }
        Answer::None
    }
}
