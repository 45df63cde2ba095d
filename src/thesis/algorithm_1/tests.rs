//! Algorithm 1 on `ab`: which combinations answer "No", and the numbers beside the thesis's.

use super::*;
use crate::prelude::*;
use crate::rules::{Color, Game, Reading};
use crate::strategy::repaired::{self, Repaired};
use crate::strategy::thesis::{Options, Thesis};
use crate::thesis::conventions::{Convention, CountedTiers, Unit};
use crate::thesis::figures::{WORKED_FOR_BLACK as FOR_BLACK, WORKED_FOR_WHITE as FOR_WHITE};
use crate::thorough::thorough;

fn ab(reading: Reading) -> Game {
    Game::new("ab".read().expect("a variant"), reading)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_report_is_the_same_whatever_the_threads() {
    // A test of check-strategy says that the repaired triple holds in the whole of `ab`.
    let variant = if thorough() { "ab" } else { "A2-A2B2" };
    let game = Game::new(variant.read().expect("a variant"), Reading::Official);
    let report = check(&game, &Repaired::default());
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(alone.install(|| check(&game, &Repaired::default())), report);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_repairs_options_work_as_many_positions_for_black_as_the_thesis() {
    let game = ab(Reading::Official);
    let report = check(&game, &Thesis { options: repaired::OPTIONS });
    let convention = Convention { unit: Unit::Placements, tiers: CountedTiers::BothHaveAOrFirst };
    assert_eq!(report.tally.worked(&game, Color::Black, convention), FOR_BLACK);
    assert_ne!(report.tally.worked(&game, Color::White, convention), FOR_WHITE);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn no_combination_of_options_passes() {
    for reading in [Reading::Official, Reading::Thesis] {
        let attempts = attempts(&ab(reading), &Options::combinations());
        assert!(attempts.iter().all(|attempt| attempt.failure.is_some()), "{reading}");
        let settled: usize = witnesses(&attempts).into_iter().map(|(.., count)| count).sum();
        assert_eq!(settled, attempts.len());
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn one_of_the_thesis_figures_is_found_and_the_other_is_not() {
    let game = ab(Reading::Official);
    let nearest = |side, figure| Worked::new(&game, side).attempts(&game, figure)[0];
    let black = nearest(Color::Black, FOR_BLACK);
    assert_eq!(black.count, FOR_BLACK);
    let report = check(&game, &Thesis { options: black.options });
    assert_eq!(
        report.tally.worked(&game, Color::Black, black.convention),
        black.count,
        "two ways of counting"
    );
    assert_eq!(nearest(Color::White, FOR_WHITE).count.abs_diff(FOR_WHITE), 121);
}
