//! Choosing an answer by weights, when none of the positions in the closure answers a question.

use super::book::{Book, Standing};
use super::growth::{Chooser, Chosen};
use super::replies::Question;
use super::view::{Code, Views};
use crate::closure::weights::Weights;
use crate::enumerate::rows::playable::playable;
use crate::enumerate::wins::is_won;
use crate::rules::{Game, Outcome, Position};

/// Positions seldom have more moves.
const MOVES: usize = 128;

/// A condition on a position with Black to move.
pub(crate) type May<'a> = &'a (dyn Fn(&Position) -> bool + Sync);

/// Chooses the answer of least weight among those that White may give.
pub(crate) struct ByWeight<'a> {
    pub game: &'a Game,
    pub views: Views,
    pub weights: &'a Weights,
    /// Whether White may answer with a position.
    pub may: May<'a>,
    /// Whether a position is known to be safe, so that the closure need not hold it; `None` if nothing is known of any.
    pub settled: Option<May<'a>>,
}

impl Chooser for ByWeight<'_> {
    fn choose(&self, question: &Question, book: &Book) -> Chosen {
        let mut found: Vec<(u32, Position)> = Vec::with_capacity(MOVES);
        for piece in playable(self.game, &question.position) {
            for to in piece.targets.squares() {
                match piece.play(self.game, &question.position, to) {
                    Outcome::WhiteWins => return Chosen::Wins,
                    Outcome::BlackWins => {}
                    Outcome::GoesOn(next) if self.settled.is_some_and(|settled| settled(&next)) => {
                        return Chosen::Wins;
                    }
                    Outcome::GoesOn(next) => found.push((self.weights.sum(&next), next)),
                }
            }
        }
        // The lightest answers come first, of equals the one with the least number. Most often that one will do, so the
        // checks below are left until then.
        while let Some(&(least, _)) = found.iter().min_by_key(|&(sum, _)| sum) {
            let mut lightest: Vec<(Code, Position)> = found
                .extract_if(.., |&mut (sum, _)| sum == least)
                .map(|(_, next)| (self.views.code_in(question.view, &next), next))
                .collect();
            lightest.sort_unstable_by_key(|&(code, _)| code);
            let best = lightest.into_iter().find(|(code, next)| {
                (self.may)(next) && book.standing(*code) != Some(Standing::Lost) && !is_won(self.game, next)
            });
            if let Some((code, _)) = best {
                return Chosen::Best(code);
            }
        }
        Chosen::None
    }
}
