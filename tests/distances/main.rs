//! In how many plies a win comes, held against the slow rules: Black's by sweeps over every position of a small variant,
//! White's by trying every line of three plies. Nothing but the text of positions is shared with what is tested.

#[path = "../support/oracle.rs"]
#[allow(dead_code, reason = "this test uses some of it")]
mod oracle;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/thorough.rs"]
mod thorough;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Command;

use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use oracle::{Edge, Oracle, Spot, To};
use random::Random;
use serde_json::Value;
use thorough::thorough;

fn gobprove(arguments: &[&str]) -> String {
    let ran = Command::new(assert_cmd::cargo::cargo_bin!("gobprove")).args(arguments).output();
    let ran = ran.expect("the program starts");
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("text")
}

fn game(variant: &str, reading: Reading) -> Game {
    Game::new(variant.read().expect("a variant"), reading)
}

/// Solves a game with distances, and asks for the value of each position and in how many plies a win comes.
fn asked(game: &Game, spots: &[Spot]) -> Vec<(String, Option<u64>)> {
    let own = tempfile::tempdir().expect("a directory");
    let path = |name: &str| own.path().join(name).to_str().expect("a plain path").to_owned();
    let (file, list) = (path("solved"), path("positions"));
    let (variant, reading) = (game.variant.to_string(), game.reading.to_string());
    let of = [variant.as_str(), "--reading", &reading, "--quiet"];
    gobprove(&[&["solve"], &of[..], &["--out", &file, "--distances"]].concat());
    let text: Vec<String> = spots.iter().map(|spot| format!("{spot}\n")).collect();
    std::fs::write(&list, text.concat()).expect("written");
    let input = std::fs::File::open(Path::new(&list)).expect("there");
    let query = ["query", &variant, "-", "--reading", &reading, "--file", &file, "--brief", "--json"];
    let ran = Command::new(assert_cmd::cargo::cargo_bin!("gobprove")).args(query).stdin(input).output();
    let told = String::from_utf8(ran.expect("the program starts").stdout).expect("text");
    let answer = |line: &str| {
        let told: Value = serde_json::from_str(line).expect("JSON");
        (told["value"].as_str().expect("a value").to_owned(), told["plies"].as_u64())
    };
    let answers: Vec<_> = told.lines().map(answer).collect();
    assert_eq!(answers.len(), spots.len());
    answers
}

/// In how many plies Black wins, for every position from which it does, by sweeps until one finds nothing.
fn black_wins(oracle: &mut Oracle, spots: &[Spot]) -> HashMap<Spot, u64> {
    let mut won = HashMap::new();
    for plies in 0.. {
        let mut new = Vec::new();
        for &spot in spots.iter().filter(|spot| !won.contains_key(*spot)) {
            let edges = oracle.edges(spot);
            let is_lost = |edge: &Edge| match edge.to {
                To::BlackWins => true,
                To::WhiteWins => false,
                To::Goes(next) => won.contains_key(&next),
            };
            let wins = match oracle.line(spot) {
                Some(is_black) => plies == 0 && is_black,
                None if plies == 0 => false,
                None if spot.white_to_move => !edges.is_empty() && edges.iter().all(is_lost),
                None => edges.iter().any(is_lost),
            };
            if wins {
                new.push(spot);
            }
        }
        if plies > 0 && new.is_empty() {
            break;
        }
        won.extend(new.into_iter().map(|spot| (spot, plies)));
    }
    won
}

#[test]
fn the_plies_of_blacks_wins_are_those_of_sweeps_over_every_position() {
    for (variant, reading) in [("A1-A3B1", Reading::StrictLift), ("A1-A2B2", Reading::Thesis)] {
        let game = game(variant, reading);
        let mut oracle = Oracle::new(game);
        let spots = [oracle.every_spot(true), oracle.every_spot(false)].concat();
        let truth = black_wins(&mut oracle, &spots);
        let mut random = Random(25);
        let images: Vec<Spot> =
            spots.iter().map(|spot| spot.images().nth(random.below(32)).expect("32 images")).collect();
        let mut by_plies: BTreeMap<u64, usize> = BTreeMap::new();
        for (spot, (value, plies)) in spots.iter().zip(asked(&game, &images)) {
            let expected = truth.get(spot).copied();
            assert_eq!(
                (value == "lost", plies),
                (expected.is_some(), expected),
                "{variant} {reading} {spot}"
            );
            *by_plies.entry(plies.unwrap_or(u64::MAX)).or_default() += 1;
        }
        assert!(by_plies.len() > 4, "{variant}: {by_plies:?}");
    }
}

/// In how many plies a side wins, if it is at most `most`, by trying everything.
fn wins_within(oracle: &mut Oracle, spot: Spot, white: bool, most: u64) -> Option<u64> {
    if let Some(is_black) = oracle.line(spot) {
        return (is_black != white).then_some(0);
    }
    if most == 0 {
        return None;
    }
    let edges = oracle.edges(spot);
    let mut told = edges.iter().map(|edge| match edge.to {
        To::WhiteWins => white.then_some(1),
        To::BlackWins => (!white).then_some(1),
        To::Goes(next) => wins_within(oracle, next, white, most - 1).map(|plies| plies + 1),
    });
    if spot.white_to_move == white {
        told.flatten().min()
    } else {
        // No way out is left only where there is a move and each is lost.
        told.try_fold(None, |longest, plies| plies.map(|plies| longest.max(Some(plies))))?
    }
}

#[test]
fn the_plies_of_whites_wins_are_those_of_trying_everything() {
    const MOST: u64 = 3;
    // The smallest variant in which White wins in three plies or more takes minutes.
    let (variant, each) = if thorough() { ("A3B2-A3B2", 2) } else { ("A3B1-A3B1", 1) };
    let game = game(variant, Reading::Official);
    let mut oracle = Oracle::new(game);
    let mut random = Random(26);
    let mut spots = Vec::new();
    while spots.len() < 60 {
        let mut spot = Spot::empty(random.below(2) == 0);
        // All pieces, no two on a square.
        let mut free: Vec<usize> = (0..16).collect();
        for (piece, count) in [(0, 3), (1, 3), (2, each), (3, each)] {
            for _ in 0..count {
                spot.pieces[piece] |= 1 << free.swap_remove(random.below(free.len()));
            }
        }
        if oracle.line(spot).is_none() {
            spots.push(spot);
        }
    }
    let mut met = [[0; 2]; 4];
    for (spot, (value, plies)) in spots.iter().zip(asked(&game, &spots)) {
        let spot = spot.canonical();
        let [black, white] = [false, true].map(|white| wins_within(&mut oracle, spot, white, MOST));
        assert!(black.is_none() || white.is_none(), "{spot}");
        let expected = match (black.or(white), black.is_some() != spot.white_to_move) {
            (None, _) => "draw",
            (Some(_), true) => "win",
            (Some(_), false) => "loss",
        };
        // What takes longer is not found by trying.
        if expected == "draw" {
            assert!(value == "draw" || plies > Some(MOST), "{spot}: {value} {plies:?}");
        } else {
            assert_eq!((value.as_str(), plies), (expected, black.or(white)), "{spot}");
        }
        if let Some(plies) = black.or(white) {
            met[plies as usize][usize::from(white.is_some())] += 1;
        }
    }
    assert!(met[1].iter().all(|&count| count > 2), "{met:?}");
    assert!(!thorough() || met[3].iter().all(|&count| count > 0), "{met:?}");
}
