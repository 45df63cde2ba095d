//! What the tests of the clauses share.

use super::clause::{Clause, ClauseView};
use super::options::Options;
use crate::prelude::*;
use crate::rules::{Game, Position, Reading};

/// `ab` under the official reading.
pub(super) fn game() -> Game {
    Game::new("ab".read().expect("a variant"), Reading::Official)
}

pub(super) fn position(text: &str) -> Position {
    game().parse(text).expect("a position")
}

/// The default with `name=value …` set.
pub(super) fn options(text: &str) -> Options {
    let mut options = Options::default();
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=').expect("name=value");
        options.set(name, value).expect("an option");
    }
    options
}

/// Whether a clause holds in a position.
pub(super) fn holds(clauses: &[Clause], name: &str, chosen: &str, text: &str) -> bool {
    let clause = clauses.iter().find(|clause| clause.name == name).expect("a clause");
    (clause.holds)(&ClauseView { game: &game(), position: &position(text), options: &options(chosen) })
}

/// Checks on several boards that a clause depends on no option other than those it lists in `reads`.
pub(super) fn only_reads_its_options(clauses: &[Clause], turn: &str) {
    let boards = [
        "a,a,A,A/A,.,.,./.,.,.,./a,.,.,.",
        "a,a,Ab,./.,.,.,./.,A,.,./.,.,.,Ab",
        "a,b,b,./a,.,.,./a,.,.,./.,.,.,A",
        "a,a,a,A/.,.,Ab,./.,.,.,./.,.,.,.",
        "a,a,a,./.,.,A,./A,.,.,./.,.,.,Ab",
        "A,A,A,./.,.,b,./.,.,a,b/a,a,.,b",
        "a,b,.,./.,.,.,./.,.,.,./.,.,.,A",
        "b,a,.,Ab/a,.,.,A/.,.,.,./.,.,a,Ab",
    ];
    for board in boards {
        let position = position(&format!("{board} {turn}"));
        for clause in clauses {
            for (name, tags) in Options::names().into_iter().filter(|(name, _)| !clause.reads.contains(name))
            {
                let values = tags.iter().map(|tag| {
                    let options = options(&format!("{name}={tag}"));
                    (clause.holds)(&ClauseView { game: &game(), position: &position, options: &options })
                });
                let mut values: Vec<_> = values.collect();
                values.dedup();
                assert_eq!(values.len(), 1, "{} reads {name}", clause.name);
            }
        }
    }
}
