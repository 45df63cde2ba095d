//! Algorithm 1 on the thesis's triple under every combination of options.
//!
//! A combination fails if it fails at one position. Each is first tried at the positions where others failed, which
//! settles most combinations in microseconds. Only a combination that passes all of these is checked in full, and
//! positions at which it fails are added to them.

use rayon::prelude::*;

use super::check;
use crate::passes::strategy_check::{Broken, StrategyFailure, failure_at};
use crate::prelude::*;
use crate::rules::{Game, Position};
use crate::strategy::thesis::{Options, Thesis};

/// Together these positions settle every combination, so that no full check is needed. The answers do not rest on that:
/// a combination that none of them settles is checked in full.
const TRIED_FIRST: [&str; 7] = [
    ".,.,.,./.,.,.,./.,.,.,./Ab,a,.,. b",
    ".,.,.,./.,.,.,./.,.,.,./A,a,.,. b",
    ".,.,.,./a,.,.,./a,.,.,./A,Ab,.,. b",
    ".,.,.,./b,.,.,./a,a,a,./Ab,A,A,b w",
    ".,.,.,./.,.,.,./a,a,a,./Ab,Ab,A,b w",
    ".,.,.,./.,.,.,./.,.,.,./a,a,a,. w",
    ".,.,.,./.,.,.,./.,.,.,./a,a,.,. w",
];

/// The answer for one combination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CombinationAnswer {
    /// The combination.
    pub options: Options,
    /// A position at which the answer is "No", `None` for "Yes".
    pub failure: Option<StrategyFailure>,
}

/// The answer of Algorithm 1 for each combination of options, in their order.
#[must_use]
pub fn attempts(game: &Game, combinations: &[Options]) -> Vec<CombinationAnswer> {
    let mut answers: Vec<Option<Option<StrategyFailure>>> = vec![None; combinations.len()];
    let mut known: Vec<Position> = TRIED_FIRST.iter().filter_map(|text| game.parse(text).ok()).collect();
    settle(game, combinations, &mut answers, &known);
    while let Some(open) = answers.iter().position(Option::is_none) {
        let report = check(game, &Thesis { options: combinations[open] });
        let failing = report.tally.failures().map(|(_, _, failure)| failure.position);
        let new: Vec<Position> = failing.filter(|position| !known.contains(position)).collect();
        answers[open] = Some(report.first);
        settle(game, combinations, &mut answers, &new);
        known.extend(new);
    }
    let attempt = |(answer, &options): (Option<Option<StrategyFailure>>, &Options)| CombinationAnswer {
        options,
        failure: answer.flatten(),
    };
    answers.into_iter().zip(combinations).map(attempt).collect()
}

/// Answers "No" for the open combinations that fail at one of the positions.
fn settle(
    game: &Game,
    combinations: &[Options],
    answers: &mut [Option<Option<StrategyFailure>>],
    positions: &[Position],
) {
    let open = answers.par_iter_mut().zip(combinations).filter(|(answer, _)| answer.is_none());
    open.for_each(|(answer, &options)| {
        let triple = Thesis { options };
        *answer = positions.iter().find_map(|position| failure_at(game, &triple, position)).map(Some);
    });
}

/// The positions at which combinations were found to fail. Each comes with the step and the clause or rule to blame in
/// the first such combination, and with how many combinations it settled.
#[must_use]
pub fn witnesses(attempts: &[CombinationAnswer]) -> Vec<(Position, char, &'static str, usize)> {
    let mut found: Vec<(Position, char, &'static str, usize)> = Vec::new();
    for StrategyFailure { position, broken } in attempts.iter().filter_map(|attempt| attempt.failure.as_ref())
    {
        match found.iter_mut().find(|(known, ..)| known == position) {
            Some((.., count)) => *count += 1,
            None => found.push((*position, Broken::step(broken), broken.blame(), 1)),
        }
    }
    found
}
