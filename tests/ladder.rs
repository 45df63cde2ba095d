//! The exact results of `certificates/ladder/`, each the output of `gobprove solve VARIANT --json`: held to
//! the census and to each other, shown in certificates/README.md as they are, and solved again. Those in `within/` were solved under
//! a discipline.

#[path = "support/generated.rs"]
mod generated;
#[path = "support/grouped.rs"]
mod grouped;
#[path = "support/thorough.rs"]
mod thorough;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use generated::generated;
use gobprove::bitbase::Keep;
use gobprove::bitbase::Solution;
use gobprove::bitbase::TierOutcome;
use gobprove::bitbase::Value as Worth;
use gobprove::bitbase::is_symmetric;
use gobprove::enumerate::Discipline;
use gobprove::enumerate::census;
use gobprove::passes::solve_within;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Outcome, Position, Reading, Variant};
use grouped::grouped;
use serde_json::Value;

/// A rung: what was solved, and what came out.
struct Rung {
    game: Game,
    /// What one side kept to.
    discipline: Discipline,
    found: Value,
}

impl Rung {
    fn count(&self, side: &str, key: &str) -> u128 {
        self.found["counts"][side][key].as_u64().unwrap_or_else(|| panic!("{side} {key}")).into()
    }

    fn positions(&self) -> u128 {
        self.found["positions"].as_u64().expect("a count").into()
    }

    /// Black's first moves that win, one of each kind.
    fn black_wins_by(&self) -> Vec<&str> {
        let moves = self.found["black_wins_by"].as_array().expect("a list");
        moves.iter().map(|mv| mv.as_str().expect("a move")).collect()
    }

    /// What there is with a side to move.
    fn side(&self, side: &str) -> String {
        let count = |key: &&str| format!("{key} {}", grouped(self.count(side, key)));
        self.keys().iter().map(count).collect::<Vec<_>>().join(", ")
    }

    fn keys(&self) -> &'static [&'static str] {
        if is_symmetric(&self.game) && self.discipline.is_free() {
            &["wins", "draws", "losses"]
        } else {
            &["safe", "lost"]
        }
    }
}

/// All rungs where both sides are free, from the smallest.
fn rungs() -> Vec<Rung> {
    let rungs = rungs_in("certificates/ladder");
    assert!(rungs.iter().all(|rung| rung.discipline.is_free()));
    rungs
}

/// All rungs where a side keeps to something, from the smallest.
fn rungs_within() -> Vec<Rung> {
    let rungs = rungs_in("certificates/ladder/within");
    assert!(rungs.iter().all(|rung| !rung.discipline.is_free()));
    rungs
}

fn rungs_in(folder: &str) -> Vec<Rung> {
    let read = |path: &Path| {
        let found: Value = serde_json::from_str(&fs::read_to_string(path).expect("text")).expect("JSON");
        let word = |key: &str| found[key].as_str().expect("a word").to_owned();
        let variant: Variant = word("variant").read().expect("a variant");
        let reading: Reading = word("reading").read().expect("a reading");
        // Where both sides were free, earlier versions did not say so.
        let discipline = found["discipline"].as_str().unwrap_or_default();
        let mut name = format!("{}-{}", word("variant"), word("reading"));
        for part in discipline.split(',').filter(|part| !part.is_empty()) {
            name += &format!("-{}", part.replace(['=', '/'], ""));
        }
        assert_eq!(path.file_stem().and_then(|stem| stem.to_str()), Some(name.as_str()));
        let discipline = discipline.parse().expect("a discipline");
        Rung { game: Game::new(variant, reading), discipline, found }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut rungs: Vec<Rung> = paths.filter(|path| path.is_file()).map(|path| read(&path)).collect();
    rungs.sort_by_key(|rung| (rung.positions(), rung.game.reading.tag()));
    assert!(rungs.len() > 1);
    rungs
}

#[test]
fn every_position_of_the_census_is_counted_once() {
    for rung in rungs() {
        assert_eq!(rung.positions(), census::variant(rung.game.variant).positions, "{:?}", rung.game);
        for side in ["white_to_move", "black_to_move"] {
            let sum: u128 = rung.keys().iter().map(|key| rung.count(side, key)).sum();
            assert_eq!(sum, rung.positions(), "{:?} {side}", rung.game);
        }
    }
}

/// More pieces for White lose no more games, fewer hold no more; and what is held under `robust` is under every reading.
/// Under a discipline what is not open is as good.
#[test]
fn a_rung_does_not_contradict_another() {
    let rungs: Vec<Rung> = rungs().into_iter().chain(rungs_within()).collect();
    for held in rungs.iter().filter(|rung| rung.found["value"] == "draw") {
        for lost in rungs.iter().filter(|rung| rung.found["value"] == "lost") {
            let (a, b) = (held.game.variant, lost.game.variant);
            let stronger = a.white.at_most(b.white) && b.black.at_most(a.black);
            let harder = [lost.game.reading, Reading::Robust].contains(&held.game.reading);
            assert!(!(stronger && harder), "{a} is held and {b} lost");
        }
    }
}

/// `robust` is the worst of the readings for White, so no more is safe under it than under another.
#[test]
fn no_more_is_safe_under_robust() {
    let (rungs, mut met) = (rungs(), 0);
    for robust in rungs.iter().filter(|rung| rung.game.reading == Reading::Robust) {
        let is_same = |other: &&Rung| other.game.variant == robust.game.variant && other.game != robust.game;
        for other in rungs.iter().filter(is_same) {
            for side in ["white_to_move", "black_to_move"] {
                let [worst, other] = [robust, other].map(|rung| rung.count(side, "safe"));
                assert!(worst < other, "{:?} {side}", robust.game);
                met += 1;
            }
        }
    }
    assert!(met >= 4);
}

/// What a side may do in addition does it no harm, so a rung under a discipline counts no more than its variant has, calls
/// nothing safe that is lost if White keeps to it and nothing lost that is safe if Black does, and its value is that of the
/// variant or open.
#[test]
fn a_rung_under_a_discipline_does_not_contradict_one_without() {
    let (free, mut met) = (rungs(), [0; 2]);
    for rung in rungs_within() {
        let keeper = rung.discipline.keeper().expect("a keeper");
        let (achieved, key) = if keeper == Color::White { ("draw", "safe") } else { ("lost", "lost") };
        assert!(rung.found["value"] == achieved || rung.found["value"] == "open", "{:?}", rung.game);
        assert!(rung.positions() < census::variant(rung.game.variant).positions, "{:?}", rung.game);
        for other in free.iter().filter(|other| other.game == rung.game) {
            assert!(rung.found["value"] == "open" || other.found["value"] == achieved, "{:?}", rung.game);
            for side in ["white_to_move", "black_to_move"] {
                assert!(rung.count(side, key) < other.count(side, key), "{:?} {side}", rung.game);
            }
            met[keeper as usize] += 1;
        }
    }
    assert!(met.iter().all(|&met| met > 1), "{met:?}");
}

#[test]
fn the_readme_shows_them_as_they_are() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/README.md"))
        .expect("text");
    let mut expected = String::from(
        "| variant | reading | kept to | value | White to move | Black to move |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for rung in rungs_within() {
        let [white, black] = ["white_to_move", "black_to_move"].map(|side| rung.side(side));
        let (variant, reading, discipline) =
            (rung.game.variant, rung.game.reading.tag(), rung.discipline.to_string());
        let value = rung.found["value"].as_str().expect("a word");
        expected += &format!("| {variant} | {reading} | `{discipline}` | {value} | {white} | {black} |\n");
    }
    let section = generated(&page, "certificates/ladder/within");
    assert_eq!(section, expected.trim(), "certificates/README.md should say\n{expected}");
    let mut expected = String::from(
        "| variant | reading | value | positions | White to move | Black to move | Black wins by |\n\
         | --- | --- | --- | --: | --- | --- | --- |\n",
    );
    for rung in rungs() {
        expected += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            rung.game.variant,
            rung.game.reading.tag(),
            rung.found["value"].as_str().expect("a word"),
            grouped(rung.positions()),
            rung.side("white_to_move"),
            rung.side("black_to_move"),
            rung.black_wins_by().join(", "),
        );
    }
    let section = generated(&page, "certificates/ladder");
    assert_eq!(section, expected.trim(), "certificates/README.md should say\n{expected}");
}

/// Solves a rung again.
fn again(rung: &Rung) {
    // Only counts and first moves are asked for: all lost-sets would take more than half as much memory again.
    let solution =
        solve_within(&rung.game, rung.discipline, Keep::Needed, None, &mut |_| ControlFlow::Continue(()));
    let solution: Solution = solution.expect("solved");
    let outcomes = solution.outcomes();
    for (side, turn) in [("white_to_move", Color::White), ("black_to_move", Color::Black)] {
        let sum = |of: &dyn Fn(&TierOutcome) -> u128| outcomes.iter().map(of).sum::<u128>();
        for &key in rung.keys() {
            let worth = |outcome: &TierOutcome| outcome.worth.map(|worth| worth[turn]).unwrap_or_default();
            let found = match key {
                "wins" => sum(&|outcome| worth(outcome).wins),
                "draws" => sum(&|outcome| worth(outcome).draws),
                "losses" => sum(&|outcome| worth(outcome).losses),
                "safe" => sum(&|outcome| outcome.held[turn].safe),
                _ => sum(&|outcome| outcome.held[turn].lost),
            };
            assert_eq!(found, rung.count(side, key), "{:?} {side} {key}", rung.game);
        }
    }
    let lost = Color::ALL.into_iter().any(|first| solution.value(first) == Worth::Loss);
    let open_is_lost = rung.discipline.keeper() != Some(Color::Black);
    let said = match rung.found["value"].as_str() {
        Some("draw" | "win") => false,
        Some("open") => open_is_lost,
        _ => true,
    };
    assert_eq!(said, lost, "{:?}", rung.game);
    // A first move of Black's is on an edge square, or on another: b1 stands for those, a1 for these.
    let start = Position::empty(Color::Black);
    for mv in ["A@a1", "A@b1"] {
        let played = rung.game.play(&start, mv.read().expect("a move")).expect("legal");
        let Outcome::GoesOn(next) = played else { panic!("nothing is won by one piece") };
        let wins = solution.is_lost(&next) && rung.discipline.keeper() != Some(Color::White);
        assert_eq!(rung.black_wins_by().contains(&mv), wins, "{:?} {mv}", rung.game);
    }
}

/// Positions of variants that fit into the memory of a machine without working files.
const FITS: u128 = 5_000_000_000_000;

/// The smallest, where everything is tried the small ones, or with `LADDER=all` in the environment all that fit into memory,
/// which takes hours and gigabytes.
#[test]
fn rungs_come_out_again() {
    let all = std::env::var("LADDER").is_ok_and(|which| which == "all");
    let most = if thorough::thorough() { 1_000_000_000 } else { 200_000_000 };
    let most = if all { FITS } else { most };
    let wanted = |rung: &Rung| rung.positions() < most;
    for rungs in [rungs(), rungs_within()] {
        let rungs: Vec<Rung> = rungs.into_iter().filter(wanted).collect();
        assert!(!rungs.is_empty());
        rungs.iter().for_each(again);
    }
}
