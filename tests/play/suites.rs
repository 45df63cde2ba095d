//! The engine beside a solved variant: wins in 1, 3, 5, … plies that it has to find, and nothing proven that is not so.

use std::collections::BTreeMap;

use gobengine::{Engine, Limits, Options, Score};
use gobprove::bitbase::Value;
use gobprove::enumerate::{Ranking, Tiers};
use gobprove::explain::solved_file::{SolvedFile, Valued};
use gobprove::rules::{Color, Position, Reading};

use super::{text, told};

#[path = "../support/thorough.rs"]
mod thorough;

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
    readings.into_iter().take(if thorough::thorough() { 2 } else { 1 }).for_each(compare);
}

/// Solves the variant and has the engine search its positions.
fn compare(reading: Reading) {
    let own = tempfile::tempdir().expect("a directory");
    let path = own.path().join("solved.gobsolved");
    told(&["solve", VARIANT, "--reading", reading.tag(), "--distances", "--out", text(&path)], "");
    let mut solved = SolvedFile::open(&path).expect("written");
    let game = *solved.game();
    assert!(solved.has_plies());
    let all = positions(&solved, if thorough::thorough() { 60_000 } else { 1_200 });
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
