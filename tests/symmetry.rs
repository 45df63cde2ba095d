//! The game looks the same through every symmetry of the board and, where the reading allows it, with the
//! colours changed; and canonical positions and ranks fit together.

mod random;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use gobprove::enumerate::{Ranking, Tier, Tiers};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Move, Outcome, Position, Reading, Square, Variant};
use gobprove::symmetry::{Symmetry, canonical, is_canonical, key, orbit_len};

use random::{Random, variants};

fn image_of_move(symmetry: Symmetry, mv: Move) -> Move {
    match mv {
        Move::Place { size, to } => Move::Place { size, to: symmetry.square(to) },
        Move::Transfer { from, to } => {
            Move::Transfer { from: symmetry.square(from), to: symmetry.square(to) }
        }
    }
}

fn image_of_outcome(symmetry: Symmetry, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::GoesOn(next) => Outcome::GoesOn(symmetry.position(&next)),
        won => won,
    }
}

fn judged(game: &Game, position: &Position) -> Vec<(Move, Outcome)> {
    game.moves(position).map(|mv| (mv, game.play_unchecked(position, mv))).collect()
}

/// Crowded positions, positions in which a lift uncovers a line, and any positions.
fn positions(random: &mut Random, variant: Variant, each: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for _ in 0..each {
        let mut setups = vec![random.crowded_setup(variant)];
        setups.extend(random.lift_setup(variant));
        found.extend(setups.iter().map(|setup| setup.position(variant).expect("a position")));
        found.push(random.any_position(variant));
    }
    found
}

#[test]
fn moves_and_outcomes_of_an_image_are_the_images() {
    let mut random = Random(11);
    for variant in variants() {
        for position in positions(&mut random, variant, 12) {
            for reading in Reading::ALL {
                let game = Game::new(variant, reading);
                let here = judged(&game, &position);
                for symmetry in Symmetry::all() {
                    let there: HashSet<_> =
                        judged(&game, &symmetry.position(&position)).into_iter().collect();
                    let images: HashSet<_> = here
                        .iter()
                        .map(|&(mv, outcome)| {
                            (image_of_move(symmetry, mv), image_of_outcome(symmetry, outcome))
                        })
                        .collect();
                    assert_eq!(there, images, "{variant} {reading} {position} by {symmetry:?}");
                }
            }
        }
    }
}

#[test]
fn the_symmetries_are_what_four_of_them_generate() {
    // By file and rank, both from 0: a quarter turn, a mirror, the two inner files and ranks exchanged, and
    // files and ranks exchanged in pairs. That each keeps the ten lines can be seen on a board; R1 says
    // that the group has order 32.
    const INNER: [usize; 4] = [0, 2, 1, 3];
    const PAIRS: [usize; 4] = [1, 0, 3, 2];
    let by = |image: fn(usize, usize) -> (usize, usize)| -> [usize; 16] {
        std::array::from_fn(|i| {
            let (file, rank) = image(i % 4, i / 4);
            file + 4 * rank
        })
    };
    let generators = [
        by(|file, rank| (3 - rank, file)),
        by(|file, rank| (3 - file, rank)),
        by(|file, rank| (INNER[file], INNER[rank])),
        by(|file, rank| (PAIRS[file], PAIRS[rank])),
    ];
    let mut group = BTreeSet::from([std::array::from_fn(|i| i)]);
    let mut fresh: Vec<[usize; 16]> = group.iter().copied().collect();
    while let Some(element) = fresh.pop() {
        for generator in generators {
            let product = element.map(|square| generator[square]);
            if group.insert(product) {
                fresh.push(product);
            }
        }
    }
    assert_eq!(group.len(), 32);
    let ours: BTreeSet<[usize; 16]> =
        Symmetry::all().map(|symmetry| Square::ALL.map(|square| symmetry.square(square).index())).collect();
    assert_eq!(ours, group);
}

/// The position with colours changed, the side to move too, by its text.
fn swapped_text(text: &str) -> String {
    let (board, turn) = text.split_once(' ').expect("a side to move");
    let swap = |letter: char| match letter {
        'A'..='D' => letter.to_ascii_lowercase(),
        'a'..='d' => letter.to_ascii_uppercase(),
        other => other,
    };
    let board: String = board.chars().map(swap).collect();
    format!("{board} {}", if turn == "w" { "b" } else { "w" })
}

fn swapped_variant(variant: Variant) -> Variant {
    Variant { white: variant.black, black: variant.white }
}

/// Moves and outcomes as text, with the colours changed where `swap` says so.
fn texts(game: &Game, position: &Position, swap: bool) -> BTreeMap<String, String> {
    let text = |outcome| match outcome {
        Outcome::GoesOn(next) if swap => swapped_text(&next.to_string()),
        Outcome::GoesOn(next) => next.to_string(),
        Outcome::WhiteWins => (if swap { Color::Black } else { Color::White }).to_string(),
        Outcome::BlackWins => (if swap { Color::White } else { Color::Black }).to_string(),
    };
    judged(game, position).into_iter().map(|(mv, outcome)| (mv.to_string(), text(outcome))).collect()
}

/// Positions whose moves and outcomes are not those of the position with colours changed. A line of both
/// colours counts as Black's (RULES.md, Readings), so finished positions are left out.
fn asymmetric(reading: Reading) -> Vec<String> {
    let mut random = Random(12);
    let mut found = Vec::new();
    for variant in variants() {
        for position in positions(&mut random, variant, 60) {
            if position.finished().is_some() {
                continue;
            }
            let swapped = swapped_variant(variant)
                .parse(&swapped_text(&position.to_string()))
                .expect("a position of the variant with colours changed");
            let here = texts(&Game::new(variant, reading), &position, true);
            if here != texts(&Game::new(swapped_variant(variant), reading), &swapped, false) {
                found.push(position.to_string());
            }
        }
    }
    found
}

#[test]
fn colours_can_be_changed_in_the_four_symmetric_readings() {
    for reading in [Reading::Official, Reading::Thesis, Reading::StrictLift, Reading::NoEntryCover] {
        assert_eq!(asymmetric(reading), Vec::<String>::new(), "{reading}");
    }
}

#[test]
fn colours_cannot_be_changed_in_robust() {
    assert!(asymmetric(Reading::Robust).len() > 100);
}

#[test]
fn ranks_and_placements_of_every_tier_are_one_to_one_and_in_order() {
    let variant = "abcd-full".read().expect("a variant");
    let mut random = Random(13);
    for &tier in Tiers::new(variant).as_slice() {
        let ranking = Ranking::new(tier);
        let mut ranks: Vec<u128> = (0..40).map(|_| random.below_u128(ranking.len())).collect();
        ranks.extend([0, ranking.len() - 1]);
        ranks.sort();
        ranks.dedup();
        let mut before = None;
        for rank in ranks {
            let position = ranking.unrank(rank, Color::White).expect("a rank below the length");
            assert_eq!(Tier::of(&position), tier);
            assert_eq!(ranking.rank(&position), rank);
            assert!(before < Some(key(&position)), "{tier}: rank {rank} keeps the order of keys");
            before = Some(key(&position));
        }
    }
}

#[test]
fn the_canonical_position_has_the_smallest_rank_of_its_orbit() {
    let mut random = Random(14);
    for variant in variants() {
        for position in positions(&mut random, variant, 100) {
            let ranking = Ranking::new(Tier::of(&position));
            let orbit: HashSet<Position> = Symmetry::all().map(|s| s.position(&position)).collect();
            let smallest = orbit.iter().min_by_key(|image| ranking.rank(image)).expect("an orbit");
            assert_eq!(orbit_len(&position), orbit.len(), "{position}");
            for image in &orbit {
                assert_eq!(canonical(image), *smallest, "{image}");
                assert_eq!(is_canonical(image), image == smallest, "{image}");
            }
        }
    }
}

#[test]
fn pieces_put_down_without_ranks_have_a_rank_that_gives_them_back() {
    let mut random = Random(15);
    for variant in variants() {
        for _ in 0..500 {
            let position = random.crowded_setup(variant).position(variant).expect("a position");
            let ranking = Ranking::new(Tier::of(&position));
            assert_eq!(ranking.unrank(ranking.rank(&position), position.turn()), Some(position));
        }
    }
}
