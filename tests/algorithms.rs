//! Several algorithms, one answer: on random small games under random readings all that is said of a position agrees.

#[path = "support/algorithms.rs"]
mod algorithms;
#[path = "support/random.rs"]
mod random;
#[path = "support/thorough.rs"]
mod thorough;

use std::ops::ControlFlow;

use gobengine::{Engine, Forced, Limits, Options, Prover, Score};
use gobprove::enumerate::census;
use gobprove::explain::BlackAttack;
use gobprove::explain::forced_win::{Search, search};
use gobprove::passes::solve;
use gobprove::rules::{Game, Material, Position, Reading, Variant};
use gobprove::strategy::Seed;

use algorithms::{ALGORITHMS, BruteForce, Naive, black_is_proven_to_win};
use random::Random;

/// Pieces of a side, fewer of each smaller size.
fn material(random: &mut Random) -> Material {
    let mut most = 3;
    let counts = [1, 0, 0, 0].map(|least| {
        most = least.max(random.below(usize::from(most) + 1) as u8).min(most);
        most
    });
    Material::new(counts).expect("nested")
}

/// A game with few positions, and in every second one enough black pieces for a line. Where those are four against one A, Black
/// wins from many positions.
fn small_game(random: &mut Random) -> Game {
    let has_line = random.below(2) == 0;
    loop {
        let variant = Variant { white: material(random), black: material(random) };
        let pieces =
            |material: Material| material.counts().iter().map(|count| u32::from(*count)).sum::<u32>();
        let fits = match has_line {
            true => (pieces(variant.white), pieces(variant.black)) == (1, 4),
            false => true,
        };
        if fits && census::variant(variant).positions <= if has_line { 300_000 } else { 10_000 } {
            return Game::new(variant, Reading::ALL[random.below(Reading::ALL.len())]);
        }
    }
}

/// Up to how many positions a game is gone through by the slow definition of the passes.
fn most_naive() -> u128 {
    if thorough::thorough() { 300_000 } else { 10_000 }
}

#[test]
fn all_algorithms_say_the_same_of_the_empty_board() {
    let mut random = Random(1);
    let mut met = [0; 2];
    let mut answers = [0; ALGORITHMS.len()];
    for _ in 0..if thorough::thorough() { 100 } else { 8 } {
        let game = small_game(&mut random);
        let is_small = census::variant(game.variant).positions <= most_naive();
        let truth = BruteForce::new(&game).found().black_wins.expect("it finds all");
        met[usize::from(truth)] += 1;
        for (answers, (name, _, algorithm)) in answers.iter_mut().zip(ALGORITHMS) {
            if name == "naive passes" && !is_small {
                continue;
            }
            // What is not found out is said, and never a wrong answer.
            if let Some(black_wins) = algorithm(&game).black_wins {
                assert_eq!(black_wins, truth, "{name}: {} {}", game.variant, game.reading);
                *answers += 1;
            }
        }
    }
    let games = met[0] + met[1];
    assert!(met[0] > 0 && met[1] > 0, "{met:?}");
    let names = ALGORITHMS.map(|(name, _, _)| name);
    println!("{met:?} {:?}", names.iter().zip(answers).collect::<Vec<_>>());
    for (name, answers) in names.iter().zip(answers) {
        // Alpha-beta proves wins only, a refutation is for four readings, and a limit of positions stops searches.
        let least = match *name {
            "alpha-beta" => met[1] / 2,
            "refutation" | "df-pn" | "naive passes" => games / 3,
            _ => games,
        };
        assert!(answers >= least, "{name}: {answers} of {games}");
    }
}

#[test]
fn all_algorithms_say_the_same_of_thousands_of_positions() {
    let mut random = Random(2);
    // Of Black's wins and of the others: how many there were, and how many each search proved.
    let mut met = [[0; 4]; 2];
    for _ in 0..if thorough::thorough() { 200 } else { 8 } {
        let game = small_game(&mut random);
        let truth = BruteForce::new(&game);
        let is_small = census::variant(game.variant).positions <= most_naive();
        let naive = is_small.then(|| Naive::new(&game));
        let solution = solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("memory");
        let mut engine = Engine::new(&game, Options { table: 1 << 20, ..Options::default() });
        let any = |_: &Position| true;
        let mut prover = Prover::new(BlackAttack::new(&game, &any));
        let mut positions: Vec<Position> = truth.positions().copied().collect();
        positions.sort_by_key(|position| (position.sides(), position.turn()));
        for number in 0..100 {
            let position = positions[random.below(positions.len())];
            if position.finished().is_some() {
                continue;
            }
            let wins = truth.black_wins(&position).expect("reached");
            let place = format!("{} {} {position}", game.variant, game.reading);
            if let Some(naive) = &naive {
                assert_eq!(naive.black_wins(&position), wins, "{place}: naive passes");
            }
            assert_eq!(solution.is_lost(&position), wins, "{place}: fixpoint");
            let counts = &mut met[usize::from(wins)];
            counts[0] += 1;
            // A search that has learned from other positions, and now and then one that begins anew.
            let mut fresh = Prover::new(BlackAttack::new(&game, &any));
            let anew = (number % 10 == 0).then(|| fresh.prove(&position, None, 4_000));
            for forced in anew.into_iter().chain([prover.prove(&position, None, 4_000)]) {
                match forced {
                    Forced::Wins { plies } => assert!(wins && plies > 0, "{place}: df-pn"),
                    Forced::Holds => assert!(!wins, "{place}: df-pn"),
                    Forced::GaveUp => continue,
                }
                counts[1] += 1;
            }
            // With a limit of plies: as many as the search that deepens ply by ply finds, and not one fewer.
            let known = |position: &Position| truth.black_wins(position) != Some(false);
            if let Search::Win(line) = search(&game, &position, &known, 20_000)
                && line.len() <= 6
            {
                let plies = line.len() as u32;
                let within = |plies, prover: &mut Prover<_>| prover.prove(&position, Some(plies), 100_000);
                assert_eq!(within(plies - 1, &mut prover), Forced::Holds, "{place}: {plies} plies");
                assert!(matches!(within(plies, &mut prover), Forced::Wins { .. }), "{place}: {plies} plies");
                counts[2] += 1;
            }
            let limits = Limits { depth: 64, nodes: 5_000 };
            let report = engine.search(&[position], &limits, &|| false, &mut |_| ()).expect("it goes on");
            match report.score {
                Score::Estimate(_) => {}
                score if black_is_proven_to_win(score, position.turn()) => {
                    assert!(wins, "{place}: alpha-beta");
                    counts[3] += 1;
                }
                // White wins by force, so that it does not lose.
                _ => assert!(!wins, "{place}: alpha-beta"),
            }
        }
    }
    println!("{met:?}");
    let [held, won] = met;
    assert!(held[0] > 200 && won[0] > 200, "{met:?}");
    // Proof numbers decide most, and some wins are shown by all ways.
    assert!(held[1] * 2 >= held[0] && won[1] * 2 >= won[0], "{met:?}");
    let least = if thorough::thorough() { 100 } else { 80 };
    assert!(won[2] > least && won[3] > least, "{met:?}");
}
