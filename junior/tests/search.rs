//! What a search of some plies sees, beside the solved game.

use std::ops::ControlFlow;

use gobjunior::rules::{Color, Game, Material, Outcome, Position, Reading};
use gobjunior::search::look_ahead;
use gobjunior::solver::solve;

/// A position after some moves that follow no pattern.
fn wandered(game: &Game, seed: u64, plies: usize) -> Position {
    let (mut position, mut state) = (Position::empty(Color::White), seed);
    for _ in 0..plies {
        let next: Vec<Position> = game
            .outcomes(&position)
            .filter_map(|(_, outcome)| match outcome {
                Outcome::GoesOn(next) => Some(next),
                Outcome::Won(_) => None,
            })
            .collect();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match next.get((state >> 33) as usize % next.len().max(1)) {
            Some(next) => position = *next,
            None => break,
        }
    }
    position
}

#[test]
fn what_some_plies_show_is_what_the_solved_game_says() {
    let mut met = [0; 3];
    for reading in Reading::ALL {
        let material = Material::new(1, 1, 2).expect("a Large piece");
        let game = Game { material, reading };
        let solved = solve(game, &mut |_| ControlFlow::Continue(())).expect("nothing stops it");
        for seed in 0..30 {
            let position = wandered(&game, seed, seed as usize % 9);
            for plies in 1..=4 {
                let seen = look_ahead(&game, &position, plies);
                assert_eq!(seen.len(), game.moves(&position).count(), "{position}");
                let exact = solved.moves(&position).expect("of the game");
                let is_first = |count| {
                    seen[..count].iter().all(|(_, value)| value.is_some_and(|value| value.word() == "win"))
                };
                for (mv, value) in exact {
                    let (_, found) = seen.iter().find(|(other, _)| *other == mv).expect("the same moves");
                    let expected =
                        Some(value).filter(|value| value.plies().is_some_and(|count| count <= plies));
                    assert_eq!(*found, expected, "{reading} {position} {mv} {plies}");
                    met[expected.map_or(0, |value| if value.word() == "win" { 1 } else { 2 })] += 1;
                }
                let wins = seen.iter().filter(|(_, value)| value.is_some_and(|value| value.word() == "win"));
                assert!(is_first(wins.count()), "wins come first");
            }
        }
    }
    assert!(met.iter().all(|&count| count > 50), "{met:?}");
}
