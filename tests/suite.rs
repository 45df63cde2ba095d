//! Suites from a solved game on nine squares, with two Small pieces and one of each other size a side, beside a search that knows no solution.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use gobjunior::rules::{self as nine, Material, Reading as NineReading};
use gobjunior::solver::{Value, solve};

use gobprove::explain::suite::{Problem, SolvedGame, Suite, Wanted, draw};

const WANTED: Wanted = Wanted { wins: 6, only: 5 };

fn drawn(solved: &mut gobjunior::solver::Solved, seed: u64) -> Suite<nine::Position, nine::Move> {
    draw(solved, WANTED, seed, &mut |_| ()).unwrap_or_else(|never| match never {})
}

/// What a search without a table finds: in how many plies the side to move wins within some plies.
fn wins_in(game: &nine::Game, position: &nine::Position, most: u32) -> Option<u32> {
    (1..=most).find(|plies| wins_within(game, position, *plies))
}

fn wins_within(game: &nine::Game, position: &nine::Position, plies: u32) -> bool {
    plies > 0
        && game.outcomes(position).any(|(_, outcome)| match outcome {
            nine::Outcome::Won(winner) => winner == position.turn(),
            nine::Outcome::GoesOn(next) => loses_within(game, &next, plies - 1),
        })
}

fn loses_within(game: &nine::Game, position: &nine::Position, plies: u32) -> bool {
    plies > 0
        && game.outcomes(position).all(|(_, outcome)| match outcome {
            nine::Outcome::Won(winner) => winner != position.turn(),
            nine::Outcome::GoesOn(next) => wins_within(game, &next, plies - 1),
        })
}

#[test]
fn a_suite_has_what_is_wanted_and_its_answers_are_those_of_a_search_that_knows_no_solution() {
    let game = nine::Game {
        material: Material::new(2, 1, 1).expect("a Large piece"),
        reading: NineReading::Official,
    };
    let mut solved = solve(game, &mut |_| ControlFlow::Continue(())).expect("solved");
    let suite = drawn(&mut solved, 1);
    assert_eq!(drawn(&mut solved, 1), suite);
    assert_ne!(drawn(&mut solved, 2), suite);
    let alike: HashSet<_> = suite.iter().map(|problem| solved.canonical(&problem.position)).collect();
    assert_eq!(alike.len(), suite.len(), "no two are alike");
    let mut met: BTreeMap<Value, usize> = BTreeMap::new();
    for Problem { position, value, right } in &suite {
        *met.entry(*value).or_default() += 1;
        let others = game.moves(position).count() - right.len();
        match *value {
            Value::Win(plies) if plies <= 5 => {
                assert_eq!(wins_in(&game, position, 5), Some(plies), "{position}");
                let quick = |mv: &nine::Move| match game.play(position, *mv) {
                    Ok(nine::Outcome::Won(winner)) => winner == position.turn() && plies == 1,
                    Ok(nine::Outcome::GoesOn(next)) => loses_within(&game, &next, plies - 1),
                    Err(why) => panic!("{position} {mv}: {why}"),
                };
                let all: HashSet<_> = game.moves(position).filter(quick).collect();
                let told: HashSet<_> =
                    right.iter().filter(|(_, made)| *made == *value).map(|(mv, _)| *mv).collect();
                assert_eq!(told, all, "{position}");
            }
            Value::Win(_) => {
                assert!(wins_in(&game, position, 5).is_none() && !right.is_empty(), "{position}")
            }
            _ => assert!(right.len() == 1 && others > 0, "{position}: {right:?}"),
        }
    }
    let count = |value| met.get(&value).copied().unwrap_or_default();
    assert_eq!([1, 3, 5].map(|plies| count(Value::Win(plies))), [6; 3], "{met:?}");
    assert_eq!(count(Value::Draw), 5, "{met:?}");
}

#[test]
fn what_comes_before_is_what_leads_there() {
    let game = nine::Game {
        material: Material::new(1, 0, 2).expect("Large pieces"),
        reading: NineReading::StrictLift,
    };
    let rows = gobjunior::index::Rows::new(game.material);
    let all: Vec<nine::Position> = (0..rows.len())
        .flat_map(|number| nine::Color::ALL.map(|turn| rows.position(number, turn).expect("a position")))
        .collect();
    let mut met = 0;
    for position in all.iter().step_by(41).filter(|position| position.finished().is_none()) {
        for earlier in game.before(position) {
            let leads = |(_, outcome)| outcome == nine::Outcome::GoesOn(*position);
            assert!(game.outcomes(&earlier).any(leads), "{earlier} {position}");
        }
        for (_, outcome) in game.outcomes(position) {
            let nine::Outcome::GoesOn(next) = outcome else { continue };
            assert!(game.before(&next).contains(position), "{position} {next}");
            met += 1;
        }
    }
    assert!(met > 1_000, "{met}");
}
