//! The closure prover: White's answers are found one by one, and what relied on a position that turns out lost is
//! mended.

mod book;
mod evaluation;
mod growth;
mod minimise;
mod replies;
mod view;

pub use growth::{Grown, Growth, Stage, Watcher};

use super::discipline::Discipline;
use super::solution::Solution;
use super::weights::Weights;
use crate::certificate::{Body, Certificate, PositionSet};
use crate::rules::{Game, Position};
use crate::symmetry;
use book::{Book, Standing};
use evaluation::{ByWeight, May};
use growth::Grower;
use minimise::minimise;
pub(super) use view::Views;

/// What White's answers are chosen by.
#[derive(Clone, Copy)]
pub enum Guide<'a> {
    /// Those that keep to a discipline; which of them are lost comes out on the way.
    Discipline(&'a Discipline),
    /// Those that a solution calls safe.
    Solution(&'a Solution),
    /// Those that a solution calls safe, and where it knows of none, those that keep to a discipline: as with endgame
    /// tables, a search leads to what is known.
    Beyond(&'a Solution, &'a Discipline),
}

/// What a proof came to.
pub enum Proved {
    /// White holds: the closure that it keeps to.
    Holds(Certificate),
    /// White does not hold as far as the guide lets it answer.
    Lost,
    /// The watcher broke it off.
    BrokenOff,
}

/// Grows a closure from the empty board; how far it came. The same whatever the threads.
pub fn grow(game: &Game, guide: Guide<'_>, weights: &Weights, watcher: Watcher<'_>) -> (Grown, Growth) {
    let (grown, growth, _) = grow_book(game, guide, weights, watcher);
    (grown, growth)
}

/// How many times the memory of what has grown a proof takes in the end.
pub const TIMES: u64 = minimise::TIMES;

/// Grows a closure from the empty board and makes it smaller. The same whatever the threads.
pub fn prove(game: &Game, guide: Guide<'_>, weights: &Weights, watcher: Watcher<'_>) -> Proved {
    let book = match grow_book(game, guide, weights, watcher) {
        (Grown::Lost, ..) => return Proved::Lost,
        (Grown::BrokenOff, ..) => return Proved::BrokenOff,
        (Grown::Closed, _, book) => book,
    };
    let Some(book) = minimise(game, book, watcher) else { return Proved::BrokenOff };
    let views = Views::new();
    let positions = book.positions().map(|code| symmetry::canonical(&views.position(code)));
    let set = PositionSet::from_positions(game.variant, positions);
    Proved::Holds(Certificate { game: *game, body: Body::Closure(set) })
}

fn grow_book(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    watcher: Watcher<'_>,
) -> (Grown, Growth, Book) {
    let views = Views::new();
    let mut grow = |stage, beside, may: May<'_>, settled: Option<May<'_>>| {
        let chooser = ByWeight { game, views, weights, may, settled };
        let mut grower = Grower::new(game, &chooser, stage, beside);
        let grown = grower.grow(&mut *watcher);
        (grown, grower.growth(), grower.into_book())
    };
    match guide {
        Guide::Discipline(discipline) => {
            grow(Stage::Growing, 0, &|position| discipline.allows(position), None)
        }
        Guide::Solution(solution) => grow(Stage::Growing, 0, &|position| !solution.is_lost(position), None),
        Guide::Beyond(solution, discipline) => {
            // First a way to what is known, then the whole closure along it.
            let is_safe = |position: &Position| !solution.is_lost(position);
            let may = |position: &Position| discipline.allows(position);
            let (grown, growth, way) = grow(Stage::Way, 0, &may, Some(&is_safe));
            if grown != Grown::Closed {
                return (grown, growth, way);
            }
            let is_on = |position: &Position| way.standing(views.code(position)) == Some(Standing::In);
            grow(Stage::Growing, way.bytes(), &|position| is_safe(position) || is_on(position), None)
        }
    }
}
