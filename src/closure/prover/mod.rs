//! The closure prover: it grows a closure from the empty board without a solution.
//!
//! It finds White's answers one by one. When an answer turns out lost, it mends what relied on it.

mod book;
mod by_tier;
mod evaluation;
mod growth;
mod kept;
mod minimise;
mod replies;
mod view;

pub(crate) use growth::before;
pub use growth::{AtTier, Grown, Proving, Stage};
pub use kept::Kept;
pub use minimise::ROUNDS;

use std::fmt;

use crate::bitbase::solution::Solution;
use crate::closure::weights::Weights;
use crate::closure::{Values, Watcher};
use crate::enumerate::rows::discipline::Discipline;
use crate::rules::{Game, Position};
use crate::store::{Certificate, PositionSet, WorkingError};
use crate::symmetry;
use book::{Book, Standing};
use by_tier::ByTier;
use evaluation::{ByWeight, May};
use growth::Grower;
use kept::{Keeper, Unkept};
use minimise::minimise;
pub(crate) use view::Views;

/// What White's answers are chosen by.
#[derive(Clone, Copy)]
pub enum Guide<'a> {
    /// Answers that keep to a discipline. Which of them are lost turns out on the way.
    Discipline(&'a Discipline),
    /// Answers that are known to be safe. Questions are answered tier by tier.
    Values(&'a dyn Values),
    /// Answers that a solution calls safe. Where it knows of none, answers that keep to a discipline: as with endgame
    /// tables, a search leads to what is known.
    Beyond(&'a Solution, &'a Discipline),
}

/// How White's answers are chosen, before the values are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice<'a> {
    /// See [`Guide::Discipline`].
    Discipline(&'a Discipline),
    /// See [`Guide::Values`]: they are those within a discipline.
    Values(Discipline),
    /// See [`Guide::Beyond`]: the values are those within the first discipline.
    Beyond(&'a Discipline, &'a Discipline),
}

impl Guide<'_> {
    /// The guide without its values.
    #[must_use]
    pub fn choice(&self) -> Choice<'_> {
        match self {
            Guide::Discipline(discipline) => Choice::Discipline(discipline),
            Guide::Values(values) => Choice::Values(values.discipline()),
            Guide::Beyond(values, discipline) => Choice::Beyond(values.discipline(), discipline),
        }
    }
}

impl fmt::Display for Choice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Discipline(discipline) => write!(f, "within \"{discipline}\""),
            Choice::Values(values) => write!(f, "by values within \"{values}\""),
            Choice::Beyond(values, discipline) => {
                write!(f, "by values within \"{values}\" and beyond within \"{discipline}\"")
            }
        }
    }
}

/// The result of a proof.
pub enum Proved {
    /// White holds: the closure that it keeps to.
    Holds(Certificate),
    /// White does not hold with the answers that the guide allows.
    Lost,
    /// The watcher broke it off.
    BrokenOff,
}

/// Grows a closure from the empty board. Returns how that ended and how far it came, the same for any number of threads.
pub fn grow(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    watcher: Watcher<'_, Proving>,
) -> (Grown, Proving) {
    let Ok((grown, growth, _)) = grow_book(game, guide, weights, &mut Unkept, watcher);
    (grown, growth)
}

/// A whole proof takes at most this many times the memory that the closure takes when it has grown.
pub const TIMES: u64 = minimise::TIMES;

/// Grows a closure from the empty board and makes it smaller. The result is the same for any number of threads.
pub fn prove(game: &Game, guide: Guide<'_>, weights: &Weights, watcher: Watcher<'_, Proving>) -> Proved {
    let Ok(proved) = prove_with(game, guide, weights, ROUNDS, &mut Unkept, watcher);
    proved
}

/// As [`prove`], with a limit on the rounds that make it smaller. It goes on from the checkpoint of an interrupted proof, and
/// the result is the same however often that happened.
///
/// # Errors
/// What has grown cannot be kept, or what was kept cannot be read.
pub fn prove_kept(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    rounds: u32,
    kept: &mut Kept,
    watcher: Watcher<'_, Proving>,
) -> Result<Proved, WorkingError> {
    prove_with(game, guide, weights, rounds, kept, watcher)
}

fn prove_with<K: Keeper>(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    rounds: u32,
    keeper: &mut K,
    watcher: Watcher<'_, Proving>,
) -> Result<Proved, K::Error> {
    let book = match grow_book(game, guide, weights, keeper, watcher)? {
        (Grown::Lost, ..) => return Ok(Proved::Lost),
        (Grown::BrokenOff, ..) => return Ok(Proved::BrokenOff),
        (Grown::Closed, _, book) => book,
    };
    let Some(book) = minimise(game, book, rounds, keeper, watcher)? else { return Ok(Proved::BrokenOff) };
    let views = Views::new();
    let positions = book.positions().map(|code| symmetry::canonical(&views.position(code)));
    let set = PositionSet::from_positions(game.variant, positions);
    Ok(Proved::Holds(Certificate::closure(*game, set)))
}

fn grow_book<K: Keeper>(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    keeper: &mut K,
    watcher: Watcher<'_, Proving>,
) -> Result<(Grown, Proving, Book), K::Error> {
    let views = Views::new();
    if let Some((growth, book)) = keeper.finished(Stage::Growing)? {
        // The watcher hears the same as at the end of growing. Whether to go on is asked before it is made smaller.
        let _ = watcher(growth);
        return Ok((Grown::Closed, growth, book));
    }
    let mut grow = |stage, beside, may: May<'_>, settled: Option<May<'_>>, order: Option<ByTier<'_>>| {
        if let Some((growth, book)) = keeper.finished(stage)? {
            return Ok((Grown::Closed, growth, book));
        }
        let at = Proving { stage, ..Proving::default() };
        if order.as_ref().is_some_and(|order| order.begin(&mut || watcher(at)).is_break()) {
            return Ok((Grown::BrokenOff, Proving::default(), Book::new()));
        }
        let chooser = ByWeight { game, views, weights, may, settled };
        let mut grower = Grower::new(game, &chooser, stage, beside, order);
        let grown = grower.grow(keeper, &mut *watcher)?;
        let (growth, book) = (grower.growth(), grower.into_book());
        if grown == Grown::Closed {
            keeper.finish(&growth, &book)?;
        }
        Ok((grown, growth, book))
    };
    match guide {
        Guide::Discipline(discipline) => {
            grow(Stage::Growing, 0, &|position| discipline.allows(position), None, None)
        }
        Guide::Values(values) => {
            let is_safe = |position: &Position| !values.is_lost(position);
            let grown = grow(Stage::Growing, 0, &is_safe, None, Some(ByTier::new(game, values)))?;
            values.leave();
            Ok(grown)
        }
        Guide::Beyond(solution, discipline) => {
            // First a way to what is known, then the whole closure along it.
            let is_safe = |position: &Position| !solution.is_lost(position);
            let may = |position: &Position| discipline.allows(position);
            let (grown, growth, way) = grow(Stage::Way, 0, &may, Some(&is_safe), None)?;
            if grown != Grown::Closed {
                return Ok((grown, growth, way));
            }
            let is_on = |position: &Position| way.standing(views.code(position)) == Some(Standing::In);
            let may = |position: &Position| is_safe(position) || is_on(position);
            grow(Stage::Growing, way.bytes(), &may, None, Some(ByTier::new(game, solution)))
        }
    }
}
