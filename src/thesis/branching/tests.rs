//! Scanned and drawn means, compared with each other and with a count one position at a time.

use super::*;
use crate::bitbase::solution::testing::{self, solved};
use crate::enumerate::{Ranking, Tiers};
use crate::rules::{Color, Game, Reading};
use crate::strategy::Seed;
use crate::thesis::conventions::{Convention, CountedTiers, Unit};

fn game(variant: &str) -> Game {
    testing::game(variant, Reading::Official)
}

fn scanned(game: &Game) -> Branching {
    let solution = solved(game, Seed::Rules);
    scan(game, &solution, &solution)
}

#[test]
fn a_scan_adds_up_every_position() {
    let game = game("A1-A2B1");
    let branching = scanned(&game);
    for turn in Color::ALL {
        let (mut all, mut most) = (Mean::default(), 0);
        for &tier in Tiers::new(game.variant).as_slice() {
            let ranking = Ranking::new(tier);
            for rank in 0..ranking.len() {
                let position = ranking.unrank(rank, turn).expect("below the length");
                if position.finished().is_none() {
                    let moves = game.moves(&position).count() as u64;
                    all += Mean { positions: 1, moves };
                    most = moves.max(most);
                }
            }
        }
        let convention = Convention { unit: Unit::Placements, tiers: CountedTiers::All };
        assert_eq!(branching.mean(Over::All, Sides::One(turn), convention), all);
        assert_eq!(branching.most().values().map(|tier| tier[turn]).max(), Some(most));
    }
}

#[test]
fn draws_are_near_the_mean_and_the_same_every_time() {
    let game = game("A2-A3B1");
    let branching = scanned(&game);
    let drawn = draw(&game, 20_000);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    assert_eq!(alone.install(|| draw(&game, 20_000)), drawn);
    let convention = Convention { unit: Unit::Placements, tiers: CountedTiers::BothHaveA };
    for turn in Color::ALL {
        let exact = branching.mean(Over::All, Sides::One(turn), convention).value();
        assert!((drawn[turn].value() - exact).abs() < 0.1, "{turn}: {} and {exact}", drawn[turn]);
    }
}

#[test]
fn random_play_begins_on_the_empty_board_and_stops() {
    // The first ply of a game: an A on any of 16 squares.
    let first = play(&game("ab"), 2, 1);
    assert_eq!(first.white, Mean { positions: 1, moves: 16 });
    assert_eq!(first.black, Mean { positions: 1, moves: 16 });
    let longer = play(&game("ab"), 10, 50);
    assert!(longer.white.positions + longer.black.positions <= 500);
}

#[test]
fn means_are_rounded_and_cut_off() {
    let mean = |moves, positions| Mean { positions, moves };
    for (mean, rounded, cut_off, text) in [
        (mean(93, 2), 47, 46, "46.500"),
        (mean(4649, 100), 46, 46, "46.490"),
        (mean(4699, 100), 47, 46, "46.990"),
        (Mean::default(), 0, 0, "0.000"),
    ] {
        assert_eq!((mean.rounded(), mean.cut_off()), (rounded, cut_off), "{text}");
        assert_eq!(mean.to_string(), text);
    }
}
