//! Growing a closure from the empty board, roughly depth first, or tier by tier.
//!
//! An answer that is in the closure already is preferred, otherwise one comes in. When a position turns out lost, every
//! position that relied on it is looked at again.

use serde::{Deserialize, Serialize};

use super::book::{Book, Standing};
use super::by_tier::ByTier;
use super::kept::Keeper;
use super::replies::Question;
use super::view::{Code, Views};
use crate::closure::Watcher;
use crate::closure::batch::{ReplySource, look_at_some};
use crate::enumerate::Tier;
use crate::enumerate::rows::playable::playable;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Size};

/// How far the proof of a closure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Proving {
    /// How many positions are in.
    pub positions: u64,
    /// How many of them wait for their black moves to be answered. Where a closure grows tier by tier, a position waits once for
    /// each tier that Black can move to.
    pub open: u64,
    /// How many have turned out lost.
    pub lost: u64,
    /// How many times a position's black moves were answered.
    pub expanded: u64,
    /// How many bytes this takes.
    pub bytes: u64,
    /// What is being done.
    pub stage: Stage,
    /// Where a closure grows tier by tier: the tier whose questions are answered. It is not kept.
    #[serde(skip)]
    pub at: Option<AtTier>,
}

/// A tier among all tiers of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtTier {
    /// The tier.
    pub tier: Tier,
    /// Its number, counted from 1.
    pub number: usize,
    /// How many tiers there are.
    pub of: usize,
}

impl Proving {
    /// How many positions came in for each expansion since `before`. Those that have turned out lost count too.
    #[must_use]
    pub fn new_since(&self, before: &Proving) -> f64 {
        let known = |growth: &Proving| (growth.positions + growth.lost) as f64;
        (known(self) - known(before)) / (self.expanded - before.expanded) as f64
    }
}

/// The stages of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Stage {
    /// A way to positions that are known to be safe is grown.
    Way,
    /// The closure is grown.
    #[default]
    Growing,
    /// It is made smaller; the rounds are counted from 1.
    Round(u32),
}

/// How White answers a question to which no answer is in.
pub(crate) enum Chosen {
    /// White has a move that wins.
    Wins,
    /// The chooser knows of no safe answer.
    None,
    /// This position is to come in.
    Best(Code),
}

/// Chooses answers.
pub(crate) trait Chooser: Sync {
    /// The answer to a question: never a position that is lost by the book.
    fn choose(&self, question: &Question, book: &Book) -> Chosen;
}

/// How growing ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grown {
    /// All questions are answered by what is in.
    Closed,
    /// Black wins.
    Lost,
    /// The watcher broke it off.
    BrokenOff,
}

/// A closure that has not grown to its end.
pub(crate) struct Unfinished {
    /// How many times a position's black moves were answered.
    pub expanded: u64,
    pub book: Book,
    /// The positions that are open, the next one last. Some are listed twice, and some are not open any more.
    pub open: Vec<Code>,
    /// How many of them wait for the questions of which tier, see [`ByTier::counts`]. Empty where there is no order.
    pub tiers: Vec<(usize, u64)>,
}

/// A closure that grows.
pub(crate) struct Grower<'a, C> {
    known: ByBook<'a, C>,
    stage: Stage,
    /// How many bytes other books take while this one grows.
    beside: u64,
    /// The positions that are open, the next one last. Some are listed twice, and some are not open any more.
    open: Vec<Code>,
    expanded: u64,
}

/// The book says what is in and what is lost, the chooser what White answers.
struct ByBook<'a, C> {
    game: &'a Game,
    views: Views,
    chooser: &'a C,
    book: Book,
    order: Option<ByTier<'a>>,
}

/// What is found when the black moves of a position are looked at.
pub(crate) enum Looked {
    /// Black wins by one of them, or the chooser knows of no safe answer to it.
    Lost,
    /// The questions that nothing answers yet, each with the answer that is to come in.
    Wanting(Vec<(Question, Code)>),
}

impl<'a, C: Chooser> Grower<'a, C> {
    /// With an `order` questions are answered tier by tier.
    pub(crate) fn new(
        game: &'a Game,
        chooser: &'a C,
        stage: Stage,
        beside: u64,
        order: Option<ByTier<'a>>,
    ) -> Grower<'a, C> {
        let known = ByBook { game, views: Views::new(), chooser, book: Book::new(), order };
        Grower { known, stage, beside, open: Vec::new(), expanded: 0 }
    }

    /// Grows until all questions are answered, Black wins, or the watcher breaks it off. The watcher hears of the end too. The
    /// result is the same for any number of threads and interruptions.
    ///
    /// # Errors
    /// What has grown cannot be kept, or what was kept cannot be read.
    pub(crate) fn grow<K: Keeper>(
        &mut self,
        keeper: &mut K,
        watcher: Watcher<'_, Proving>,
    ) -> Result<Grown, K::Error> {
        let start = self.known.views.code(&Position::empty(Color::Black));
        let mut holds = match keeper.unfinished(self.stage)? {
            Some(Unfinished { expanded, book, open, tiers }) => {
                (self.expanded, self.known.book, self.open) = (expanded, book, open);
                if let Some(order) = &mut self.known.order {
                    order.take_up(&mut self.open, &tiers);
                }
                true
            }
            None => {
                self.known.come_in(start, &mut self.open);
                self.begins()
            }
        };
        let is_lost = |known: &ByBook<'_, C>| known.book.standing(start) == Some(Standing::Lost);
        loop {
            if !holds || !self.is_open() {
                let _ = watcher(self.growth());
                return Ok(if holds { Grown::Closed } else { Grown::Lost });
            }
            while self.is_open() && !is_lost(&self.known) {
                let before = self.open.is_empty().then(|| self.growth());
                let has_next = match (before, &mut self.known.order) {
                    (Some(before), Some(order)) => {
                        order.next(&mut self.open, &mut || watcher(before)).is_continue()
                    }
                    _ => true,
                };
                let goes_on = watcher(self.growth()).is_continue() && has_next;
                if !goes_on || keeper.is_due() {
                    let (order, open) = (self.known.order.as_ref(), self.open.iter());
                    let tiers = order.map_or_else(Vec::new, |order| order.counts(&self.open));
                    let open = open.chain(order.into_iter().flat_map(ByTier::later)).copied();
                    keeper.keep(self.stage, self.expanded, &self.known.book, open, tiers)?;
                }
                if !goes_on {
                    return Ok(Grown::BrokenOff);
                }
                self.expanded += look_at_some(&mut self.known, &mut self.open) as u64;
            }
            // The answer to the question before any move may have turned out lost.
            holds = self.begins() && !is_lost(&self.known);
        }
    }

    /// Whether positions wait to be looked at.
    fn is_open(&self) -> bool {
        !self.open.is_empty() || self.known.order.as_ref().is_some_and(ByTier::has_later)
    }

    /// Whether White has an answer to the question before any move. If none is in, one comes in.
    fn begins(&mut self) -> bool {
        let known = &mut self.known;
        let first = Question::new(known.views, Position::empty(Color::White));
        first.is_answered(known.game, known.views, &known.book)
            || match known.chooser.choose(&first, &known.book) {
                Chosen::Wins => true,
                Chosen::None => false,
                Chosen::Best(best) => {
                    known.come_in(best, &mut self.open);
                    true
                }
            }
    }

    /// How far it is.
    pub(crate) fn growth(&self) -> Proving {
        let (book, order) = (&self.known.book, self.known.order.as_ref());
        let capacity = self.open.capacity() + order.map_or(0, ByTier::capacity);
        Proving {
            positions: book.inside(),
            open: order.map_or(book.count(Standing::Open), |order| (self.open.len() + order.len()) as u64),
            lost: book.count(Standing::Lost),
            expanded: self.expanded,
            bytes: self.beside + book.bytes() + (size_of::<Code>() * capacity) as u64,
            stage: self.stage,
            at: order.map(ByTier::at),
        }
    }

    /// The book: the positions that are in, and those that are lost.
    pub(crate) fn into_book(self) -> Book {
        self.known.book
    }
}

impl<C: Chooser> ReplySource for ByBook<'_, C> {
    type Member = Code;
    type Looked = Looked;

    fn inside(&self) -> u64 {
        self.book.inside()
    }

    fn begin(&mut self, code: Code) -> bool {
        // A position that is not open any more has been looked at since, or is lost.
        match self.order {
            None => self.book.standing(code) == Some(Standing::Open) && self.book.set(code, Standing::In),
            // Each tier to which Black can move has questions of its own.
            Some(_) => self.book.standing(code) != Some(Standing::Lost),
        }
    }

    fn look(&self, code: Code) -> Looked {
        let mut wanting: Vec<(Question, Code)> = Vec::new();
        let position = self.views.position(code);
        let order = self.order.as_ref().map(|order| (order, order.tier(&position)));
        for piece in playable(self.game, &position) {
            if order.is_some_and(|(order, tier)| !order.is_asked_now(tier, &piece)) {
                continue;
            }
            for to in piece.targets.squares() {
                let question = match piece.play(self.game, &position, to) {
                    Outcome::BlackWins => return Looked::Lost,
                    Outcome::WhiteWins => continue,
                    Outcome::GoesOn(question) => Question::new(self.views, question),
                };
                if question.is_answered(self.game, self.views, &self.book) {
                    continue;
                }
                // An answer to another question of the same position will most often do. That saves a choice.
                let just_wanted = wanting.iter().map(|&(_, best)| best).find(|best| {
                    best.black == question.view.black
                        && question.is_answered_by(self.game, self.views, best.white)
                });
                let answer = match just_wanted {
                    Some(best) => Chosen::Best(best),
                    None => self.chooser.choose(&question, &self.book),
                };
                match answer {
                    Chosen::Wins => {}
                    Chosen::None => return Looked::Lost,
                    Chosen::Best(best) => wanting.push((question, best)),
                }
            }
        }
        Looked::Wanting(wanting)
    }

    fn take(&mut self, code: Code, looked: Looked, open: &mut Vec<Code>) {
        match looked {
            Looked::Lost => self.lose(code, open),
            Looked::Wanting(wanting) => {
                for (question, best) in wanting {
                    if !question.is_answered(self.game, self.views, &self.book) {
                        self.come_in(best, open);
                    }
                }
            }
        }
    }
}

impl<C> ByBook<'_, C> {
    /// Adds a position, which the book does not have: the chooser gives no lost one, and one that is in would have answered.
    fn come_in(&mut self, code: Code, open: &mut Vec<Code>) {
        assert_eq!(self.book.standing(code), None, "a position comes in once");
        self.wait(code, open);
    }

    /// Queues a position to be looked at: once, or where there is an order once for each tier of its questions.
    fn wait(&mut self, code: Code, open: &mut Vec<Code>) {
        match &mut self.order {
            None => {
                self.book.set(code, Standing::Open);
                open.push(code);
            }
            Some(order) => {
                self.book.set(code, Standing::In);
                order.wait(code, &self.views.position(code), open);
            }
        }
    }

    /// A position has turned out lost: what may have relied on it is open again.
    fn lose(&mut self, code: Code, open: &mut Vec<Code>) {
        self.book.set(code, Standing::Lost);
        let mut relied = Vec::new();
        before(self.game, &self.views.position(code), |question| {
            if !Question::new(self.views, question).is_answered(self.game, self.views, &self.book) {
                before(self.game, &question, |position| relied.push(self.views.code(&position)));
            }
        });
        relied.sort_unstable();
        relied.dedup();
        for code in relied {
            if matches!(self.book.standing(code), Some(Standing::In | Standing::Open)) {
                // One that was open already also comes next, so that losses spread early.
                self.wait(code, open);
            }
        }
    }
}

/// Visits the positions from which a move leads to a position so that play goes on. Some do not belong to the variant: a
/// small piece is on the board, and the larger piece around it in its stack is in hand (R2).
pub(crate) fn before(game: &Game, position: &Position, mut visit: impl FnMut(Position)) {
    let mover = !position.turn();
    let after = position.with_turn(mover);
    for size in Size::ALL {
        for to in position.visible_of(mover, size).squares() {
            let mut lifted = after;
            lifted.remove(mover, size, to);
            let mut from_here = |earlier: Position, mv| {
                if earlier.finished().is_none()
                    && game.play_unchecked(&earlier, mv) == Outcome::GoesOn(*position)
                {
                    visit(earlier);
                }
            };
            if game.places(&lifted, size).contains(to) {
                from_here(lifted, Move::Place { size, to });
            }
            for from in (!lifted.barred(size)).without(to).squares() {
                let mut earlier = lifted;
                earlier.add(mover, size, from);
                from_here(earlier, Move::Transfer { from, to });
            }
        }
    }
}

#[cfg(test)]
mod tests {

    use std::collections::HashSet;

    use super::*;
    use crate::enumerate::{Ranking, Tiers};
    use crate::rules::Reading;

    #[test]
    fn what_comes_before_is_what_leads_there() {
        let variant = "A1B1-A1B1".read().expect("a variant");
        for reading in Reading::ALL {
            let game = Game::new(variant, reading);
            let (mut forth, mut back, mut some) = (HashSet::new(), HashSet::new(), HashSet::new());
            let tiers = Tiers::new(variant);
            let positions = || {
                tiers.as_slice().iter().flat_map(|&tier| {
                    let ranking = Ranking::new(tier);
                    let of = move |rank| Color::ALL.map(|turn| ranking.unrank(rank, turn).expect("a rank"));
                    (0..ranking.len()).flat_map(of)
                })
            };
            for position in positions().step_by(7) {
                some.insert(position);
                before(&game, &position, |earlier| {
                    // Not where a piece is on the board and the one that it comes out of is not.
                    if tiers.index(Tier::of(&earlier)).is_some() {
                        back.insert((earlier, position));
                    }
                });
            }
            for earlier in positions() {
                for mv in game.moves(&earlier) {
                    if let Outcome::GoesOn(next) = game.play_unchecked(&earlier, mv)
                        && some.contains(&next)
                    {
                        forth.insert((earlier, next));
                    }
                }
            }
            assert!(forth.len() > 10_000, "{}", forth.len());
            assert!(forth == back, "{reading}");
        }
    }
}
