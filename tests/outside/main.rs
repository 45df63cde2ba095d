//! The rules and the engine against programs that others wrote.
//!
//! Debian's package `racket` has Gobblet for 4 × 4 and for 3 × 3 squares. `walk.rkt` plays games at random by Racket's rules and
//! prints every position with its moves. The moves and what each leads to have to be ours under `official`: of `abcd-full` on the
//! large board, of `junior` on the small one. `engine.rkt` is Racket's own player, which the engine meets in a match. Where there
//! is no Racket with its games these tests say so and pass, and fail if `GOBPROVE_RACKET` is `required`, as `.ci/run` has it.
//!
//! PyPI's `gobblet-rl` has the game on 3 × 3 squares, and `walk.py` plays it in the same way. Its moves have to be ours. What they
//! lead to is not compared: where both sides have a line it says something else. The test says so and passes where `.ci/gobblet-rl`
//! has not fetched it.

#[path = "../support/thorough.rs"]
mod thorough;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Outcome, Reading};
use thorough::thorough;

/// A position with its moves, each with what it leads to behind: `w` or `b` for the winner, `-` where play goes on.
type Walked = (String, BTreeSet<String>);

/// A script of this folder.
fn script(name: &str) -> String {
    format!("{}/tests/outside/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What a script prints; `None` where there is no Racket.
fn told(name: &str, arguments: &[String]) -> Option<String> {
    let ran = Command::new("racket").arg(script(name)).args(arguments).stdin(Stdio::null()).output();
    let ran = ran.map_err(|error| error.to_string());
    let ran = ran.and_then(|output| match String::from_utf8_lossy(&output.stderr) {
        told if told.contains("module path: games/gobblet") => Err(told.into_owned()),
        _ => Ok(output),
    });
    let output = match ran {
        Ok(output) => output,
        Err(why) => {
            let required = std::env::var("GOBPROVE_RACKET").is_ok_and(|value| value == "required");
            assert!(!required, "there is no racket with its games: {why}");
            eprintln!(
                "SKIPPED: there is no racket with its games, .ci/racket installs it; nothing is compared"
            );
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The positions of some random games on a board with `side` squares a side; `None` where there is no Racket.
fn walked(side: u32, seed: u32) -> Option<Vec<Walked>> {
    let games = if thorough() { 300 } else { 20 };
    let text = told("walk.rkt", &[side, games, seed].map(|number| number.to_string()))?;
    let walked = positions(&text);
    assert!(walked.len() > 20 * games as usize, "{} positions", walked.len());
    Some(walked)
}

/// The positions that a script has printed.
fn positions(text: &str) -> Vec<Walked> {
    let walked = |line: &str| {
        let (position, moves) = line.split_once('|').expect("position | moves");
        (position.to_owned(), moves.split_whitespace().map(str::to_owned).collect())
    };
    text.lines().map(walked).collect()
}

/// What must have come up, so that the comparison is of more than quiet moves.
fn assert_lively(walked: &[Walked]) {
    for result in ['w', 'b', '-'] {
        let met = walked.iter().flat_map(|(_, moves)| moves).filter(|mv| mv.ends_with(result)).count();
        assert!(met > 100, "{met} moves lead to {result}");
    }
}

#[test]
fn gobblet_is_played_by_the_same_rules() {
    let Some(walked) = walked(4, 1) else { return };
    let game = Game::new("abcd-full".read().expect("a variant"), Reading::Official);
    for (text, theirs) in &walked {
        let position = game.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let named = |mv| {
            let result = match game.play_unchecked(&position, mv) {
                Outcome::WhiteWins => 'w',
                Outcome::BlackWins => 'b',
                Outcome::GoesOn(_) => '-',
            };
            format!("{mv}{result}")
        };
        let ours: BTreeSet<String> = game.moves(&position).map(named).collect();
        assert_eq!(ours, *theirs, "{text}");
        assert_eq!(position.turn() == Color::White, text.ends_with('w'));
    }
    assert_lively(&walked);
}

#[test]
fn junior_is_played_by_the_same_rules() {
    use gobjunior::rules::{Color, Game, Outcome, Reading};

    let Some(walked) = walked(3, 2) else { return };
    let game = Game::full(Reading::Official);
    for (text, theirs) in &walked {
        let position = game.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let named = |(mv, outcome)| {
            let result = match outcome {
                Outcome::Won(Color::White) => 'w',
                Outcome::Won(Color::Black) => 'b',
                Outcome::GoesOn(_) => '-',
            };
            format!("{mv}{result}")
        };
        let ours: BTreeSet<String> = game.outcomes(&position).map(named).collect();
        assert_eq!(ours, *theirs, "{text}");
    }
    assert_lively(&walked);
}

#[test]
fn gobblet_rl_allows_the_same_moves_of_junior() {
    use gobjunior::rules::{Game, Reading};

    let target = Path::new(env!("CARGO_BIN_EXE_gobprove")).ancestors().nth(2).expect("a folder");
    let folder = target.join("gobblet-rl");
    if !folder.join("gobblet_rl/game/board.py").exists() {
        eprintln!("SKIPPED: gobblet-rl is not there, .ci/gobblet-rl fetches it; nothing is compared");
        return;
    }
    let games = if thorough() { 3_000 } else { 60 };
    let mut command = Command::new("python3");
    command.arg(script("walk.py")).arg(folder).args([games, 3].map(|number| number.to_string()));
    let output = command.output().expect("there is a Python: it has fetched gobblet-rl");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let walked = positions(&String::from_utf8(output.stdout).expect("text"));
    assert!(walked.len() > 8 * games, "{} positions", walked.len());
    let game = Game::full(Reading::Official);
    for (text, theirs) in &walked {
        let position = game.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let ours: BTreeSet<String> = game.outcomes(&position).map(|(mv, _)| mv.to_string()).collect();
        assert_eq!(ours, *theirs, "{text}");
    }
}

/// Racket's player looks three plies ahead at all moves, by day two, once, for 15 s at most; the last number is its seed.
fn player() -> [&'static str; 4] {
    ["1", if thorough() { "3" } else { "2" }, "15", "7"]
}

#[test]
fn the_player_of_racket_is_beaten() {
    // Its input is empty, so it ends at once.
    if told("engine.rkt", &player().map(str::to_owned)).is_none() {
        return;
    }
    let games = if thorough() { 100 } else { 2 };
    let theirs = format!("ugi:racket {} {}", script("engine.rkt"), player().join(" "));
    let own = tempfile::tempdir().expect("a directory");
    let log = own.path().join("games");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    command.args(["match", "level:8", &theirs, "--games", &games.to_string(), "--seed", "3"]);
    let output = command.args(["--json", "--quiet", "--log"]).arg(&log).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let won = table["pairs"][0]["won"].as_u64().expect("a count");
    // A player that does not answer or breaks a rule loses too, and is not beaten by that.
    let played = std::fs::read_to_string(&log).expect("a log").matches("four in a line (R6)").count() as u64;
    println!("{won} won of {games}, {played} ended by a line");
    assert!(
        (won + played).saturating_sub(games) * 50 >= games * 49,
        "{won} won of {games}, {played} by a line"
    );
}
