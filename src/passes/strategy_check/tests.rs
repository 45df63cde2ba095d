//! Algorithm 1 on `ab`: what answers "Yes", what "No", and the numbers beside the thesis's.

use super::*;
use crate::bitbase::solution::testing::solved;
use crate::prelude::*;
use crate::rules::{Game, Position, Reading};
use crate::strategy::repaired::{self, Deviation, Repaired};
use crate::strategy::thesis::{Options, Thesis};
use crate::strategy::{Seed, Triple};
use crate::symmetry::Symmetry;
use crate::thesis::figures::{WORKED_FOR_BLACK as FOR_BLACK, WORKED_FOR_WHITE as FOR_WHITE};

fn ab(reading: Reading) -> Game {
    Game::new("ab".read().expect("a variant"), reading)
}

fn position(text: &str) -> Position {
    ab(Reading::Official).parse(text).expect("a position")
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_repaired_triple_holds_whatever_the_threads() {
    let game = ab(Reading::Official);
    let report = check(&game, &Repaired::default());
    assert_eq!(report.first, None);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(alone.install(|| check(&game, &Repaired::default())), report);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_repaired_triple_holds_under_the_worst_reading() {
    assert!(check(&ab(Reading::Robust), &Repaired::default()).holds());
}

#[test]
fn each_deviation_is_forced_by_its_position() {
    let game = ab(Reading::Official);
    for deviation in Deviation::ALL {
        let position = position(deviation.forced_by());
        assert_eq!(failure_at(&game, &Repaired::default(), &position), None, "{}", deviation.name());
        let without = Repaired { without: Some(deviation) };
        assert!(failure_at(&game, &without, &position).is_some(), "{}", deviation.name());
    }
}

#[test]
fn under_no_options_does_the_thesis_know_a_position_that_is_lost() {
    // White has just moved. Black brings the A from c2 beside the two on the d file, and both B are visible.
    let position = position(".,.,.,./b,.,.,./.,.,ab,a/Ab,A,A,a b");
    for reading in Reading::ALL {
        let game = ab(reading);
        assert!(solved(&game, Seed::Rules).is_lost(&position), "{reading}");
        assert!(Repaired::default().lost(&game, &position), "{reading}");
        let knows = |&options: &Options| Thesis { options }.lost(&game, &position);
        assert!(!Options::combinations().iter().any(knows), "{reading}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_thesis_triple_fails_at_the_first_position_by_tier_and_rank() {
    let report = check(&ab(Reading::Official), &Thesis::default());
    let first = report.first.expect("a failure");
    assert_eq!(first.position, position(".,.,.,./.,.,.,./.,.,.,./a,a,.,. w"));
    assert_eq!((first.broken.step(), first.broken.blame()), ('c', "hand-place-on-diagonal"));
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
fn an_unoccupied_board_has_one_orbit_and_a_crowded_one_many() {
    let trivial = [Symmetry::all().next().expect("the identity")];
    let crowded = position("a,a,.,A/.,b,.,./.,.,A,./.,A,.,. w");
    assert_eq!(Count::of(&crowded, &trivial), Count { placements: 32, by_8: 4, by_32: 1 });
    let all: Vec<Symmetry> = Symmetry::all().collect();
    let empty = position(".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
    assert_eq!(Count::of(&empty, &all), Count { placements: 1, by_8: 1, by_32: 1 });
    // A piece on a diagonal: 8 squares, the corners and the middle, which no rigid symmetry mixes.
    let diagonal = position("A,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
    assert_eq!(Count::of(&diagonal, &all), Count { placements: 8, by_8: 2, by_32: 1 });
}

#[test]
fn the_triples_are_symmetric() {
    let game = ab(Reading::Official);
    let boards = Deviation::ALL.map(|deviation| position(deviation.forced_by()));
    let triples: [&dyn Triple; 2] = [&Repaired::default(), &Thesis::default()];
    for position in boards {
        for (triple, turn) in triples.into_iter().flat_map(|triple| Color::ALL.map(|turn| (triple, turn))) {
            let position = position.with_turn(turn);
            let moves = |position: &Position| {
                let (rule, moves) = triple.moves(&game, position);
                let mut after: Vec<_> =
                    moves.into_iter().map(|mv| game.play_unchecked(position, mv)).collect();
                after.sort_by_key(|outcome| format!("{outcome:?}"));
                (rule, after)
            };
            for symmetry in Symmetry::all() {
                let image = symmetry.position(&position);
                assert_eq!(triple.lost_by(&game, &image), triple.lost_by(&game, &position));
                if turn == Color::White {
                    let (rule, after) = moves(&position);
                    let mut mapped: Vec<_> = after
                        .into_iter()
                        .map(|outcome| match outcome {
                            crate::rules::Outcome::GoesOn(p) => {
                                crate::rules::Outcome::GoesOn(symmetry.position(&p))
                            }
                            decided => decided,
                        })
                        .collect();
                    mapped.sort_by_key(|outcome| format!("{outcome:?}"));
                    assert_eq!(moves(&image), (rule, mapped));
                }
            }
        }
    }
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
