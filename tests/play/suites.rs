//! The engine beside solved games: wins in 1, 3, 5, … plies and single moves that do not lose, of which it has to find all
//! but a few of the longest, and nothing proven that is not so.

use std::collections::BTreeMap;

use gobengine::{Engine, Limits, Options, Score};
use gobprove::bitbase::Value;
use gobprove::enumerate::{Ranking, Tiers};
use gobprove::explain::solved_file::{SolvedFile, Valued};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading};

use super::thorough::thorough;
use super::{text, told};

/// The variant of the suite: its longest win takes 10 plies. Black wins it, so that many wins of each length are there.
const VARIANT: &str = "A1-A3B3";

/// Positions of all tiers, either side to move, without a line: of each tier about this number.
fn positions(solved: &SolvedFile, of_tier: usize) -> Vec<Position> {
    let tiers = Tiers::new(solved.game().variant);
    let of = |tier| {
        let ranking = Ranking::new(tier);
        let some = (0..ranking.len()).step_by(1 + ranking.len() as usize / of_tier);
        let both = some.flat_map(|rank| Color::ALL.map(|turn| ranking.unrank(rank, turn).expect("a rank")));
        both.filter(|position| position.finished().is_none()).collect::<Vec<_>>()
    };
    tiers.as_slice().iter().flat_map(|tier| of(*tier)).collect()
}

#[test]
fn short_wins_are_found_and_nothing_is_proven_that_is_not_so() {
    // Under each reading 742,198 positions are met where all are tried: every one of the smaller tiers.
    let readings = [Reading::Official, Reading::StrictLift];
    readings.into_iter().take(if thorough() { 2 } else { 1 }).for_each(compare);
}

/// Solves the variant and has the engine search its positions.
fn compare(reading: Reading) {
    let own = tempfile::tempdir().expect("a directory");
    let path = own.path().join("solved.gobsolved");
    told(&["solve", VARIANT, "--reading", reading.tag(), "--distances", "--out", text(&path)], "");
    let mut solved = SolvedFile::open(&path).expect("written");
    let game = *solved.game();
    assert!(solved.has_plies());
    let all = positions(&solved, if thorough() { 60_000 } else { 1_200 });
    let mut engine = Engine::new(&game, Options { table: 8 << 20, ..Options::default() });
    let mut search = |position: &Position, nodes| {
        let limits = Limits { depth: 20, nodes };
        engine.search(&[*position], &limits, &|| false, &mut |_| ()).expect("play goes on").score
    };
    // By the plies of the win: how many positions there are, and of how many it was found.
    let mut found: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
    for position in &all {
        let Valued { value, plies } = solved.worth(position).expect("read").of_mover(&game, position.turn());
        let score = search(position, 300);
        match score {
            // A search may take a longer way than there is, and never a shorter one.
            Score::Wins { plies: count } => {
                assert!(
                    value == Value::Win && plies.is_some_and(|plies| plies <= count),
                    "{position} {score:?}"
                );
            }
            Score::Loses { plies: count } => {
                assert!(
                    value == Value::Loss && plies.is_some_and(|plies| plies <= count),
                    "{position} {score:?}"
                );
            }
            Score::Estimate(_) => {}
        }
        let (Value::Win, Some(plies)) = (value, plies) else { continue };
        let [met, solved] = found.entry(plies).or_default();
        if *met < 200 {
            *met += 1;
            let proven = matches!(score, Score::Wins { .. });
            *solved += usize::from(proven || matches!(search(position, 100_000), Score::Wins { .. }));
        }
    }
    println!("{} positions; wins by plies, and how many of them were found: {found:?}", all.len());
    assert!(all.len() > 20_000, "{}", all.len());
    for plies in [1, 3, 5, 7] {
        let [met, solved] = found[&plies];
        assert!(met > 20 && met == solved, "{plies} plies: {solved} of {met}");
    }
}

/// What a search may look at, in positions: what the engine looks at in 0.1 s and in 2 s of a core that is not of the quickest.
const SHORT: u64 = 400_000;
const LONG: u64 = 8_000_000;

/// The problems that `gobprove suite` draws from a file.
fn suite(variant: &str, file: &str, counts: [&str; 2]) -> Vec<serde_json::Value> {
    let [wins, only] = counts;
    let arguments = [
        "suite", variant, "--file", file, "--wins", wins, "--only", only, "--seed", "3", "--json", "--quiet",
    ];
    let all: serde_json::Value = serde_json::from_str(&told(&arguments, "")).expect("JSON");
    all["positions"].as_array().expect("problems").clone()
}

/// How many to draw of each kind: a part of it by day.
fn counts() -> [&'static str; 2] {
    if thorough() { ["200", "500"] } else { ["12", "8"] }
}

/// The moves that are right.
fn right(problem: &serde_json::Value) -> Vec<&str> {
    let moves = problem["moves"].as_array().expect("moves");
    moves.iter().map(|right| right["move"].as_str().expect("a move")).collect()
}

#[test]
fn the_engine_answers_suites_as_far_as_it_reaches() {
    let own = tempfile::tempdir().expect("a directory");
    let variants: &[&str] = if thorough() { &["ab", "ab-full", "A3-A3B3C1"] } else { &["ab"] };
    for variant in variants {
        let file = text(&own.path().join(variant)).to_owned();
        told(&["solve", variant, "--distances", "--out", &file], "");
        let game = Game::new(variant.read().expect("a variant"), Reading::Official);
        let mut engine = Engine::new(&game, Options::default());
        // By plies, 0 for a draw: how many problems, and how many were answered rightly after a short and after a long search.
        let mut answered: BTreeMap<u64, [usize; 3]> = BTreeMap::new();
        for problem in suite(variant, &file, counts()) {
            let text = problem["position"].as_str().expect("a position");
            let position = game.parse(text).expect("a position");
            let plies = problem["plies"].as_u64().unwrap_or_default();
            let mut is_answered = |nodes| {
                engine.clear();
                let limits = Limits { depth: 64, nodes };
                let report = engine.search(&[position], &limits, &|| false, &mut |_| ()).expect("it goes on");
                let is_proven = match report.score {
                    Score::Wins { plies: count } => {
                        // Whatever is found, no win is proven where there is none, nor sooner than it comes.
                        assert!(u64::from(count) >= plies && plies > 0, "{variant} {problem}: {report:?}");
                        true
                    }
                    Score::Loses { .. } => panic!("{variant} {problem}: {report:?}"),
                    Score::Estimate(_) => plies == 0,
                };
                is_proven && right(&problem).contains(&report.best().to_string().as_str())
            };
            let short = is_answered(SHORT);
            let long = short || is_answered(LONG);
            let [met, in_short, in_long] = answered.entry(plies).or_default();
            *met += 1;
            *in_short += usize::from(short);
            *in_long += usize::from(long);
            if !long {
                println!("{variant}, not answered: {problem}");
            }
        }
        println!("{variant}, by plies: {answered:?}");
        for (plies, [met, short, long]) in answered {
            let place = format!("{variant}, {plies} plies: {short} and {long} of {met}");
            // Of 200 wins in 7 plies one or two take more than the short search, and some in 13 plies or more take more than the
            // long one.
            match plies {
                1..=5 => assert_eq!(short, met, "{place}"),
                7 => assert!(short * 100 >= met * 99 && long == met, "{place}"),
                0 | 9 | 11 => assert_eq!(long, met, "{place}"),
                _ => assert!(met < 10 || long * 10 >= met * 8, "{place}"),
            }
        }
    }
}

/// The search for wins on nine squares, beside the solved game in a file.
pub(super) fn junior(file: &str) {
    let game = gobjunior::rules::Game::full(gobjunior::rules::Reading::Official);
    let mut answered: BTreeMap<u64, [usize; 2]> = BTreeMap::new();
    for problem in suite("junior", file, counts()) {
        let position = game.parse(problem["position"].as_str().expect("a position")).expect("a position");
        let plies = problem["plies"].as_u64().unwrap_or_default();
        // It proves no draws: of those it is only asked that it claims no win.
        let most = match plies {
            0 => SHORT / 8,
            1..=7 => SHORT / 4,
            _ => LONG / 4,
        };
        let found = gobprove::explain::junior_win(game, &position, most);
        let [met, all] = answered.entry(plies).or_default();
        *met += 1;
        match found {
            // A win is never proven where there is none, nor sooner than it comes.
            Some((mv, count)) => {
                assert!(plies > 0 && u64::from(count) >= plies, "{problem}: {mv} {count}");
                assert!(right(&problem).contains(&mv.to_string().as_str()), "{problem}: {mv} {count}");
                *all += 1;
            }
            None => *all += usize::from(plies == 0),
        }
    }
    println!("junior, by plies: {answered:?}");
    for (plies, [met, found]) in answered {
        assert!(found == met || plies > 11, "junior, {plies} plies: {found} of {met}");
    }
}
