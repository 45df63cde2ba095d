//! `junior`, the game on nine squares, in the commands that know it.

use std::path::Path;

use super::json::fits;
use super::solved_junior::solved_junior;
use super::thorough::thorough;
use super::{gobprove, keys, text};

/// Published: for the side that makes the first move what it is worth, and the plies to the end of the game, that move included.
const FIRST: [&str; 9] = [
    "L@a1 win 13",
    "L@b1 win 15",
    "L@b2 win 13",
    "M@a1 loss 14",
    "M@b1 loss 12",
    "M@b2 loss 12",
    "S@a1 win 15",
    "S@b1 win 13",
    "S@b2 win 15",
];

#[test]
fn it_is_solved_asked_about_and_explained() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = text(&dir.path().join("junior-official.gobsolved")).to_owned();
    let solved = solved_junior(Path::new(&file));
    fits("solve", &solved);
    // Published: the first player wins in 13.
    assert_eq!([&solved["variant"], &solved["value"]], ["junior", "win"]);
    assert_eq!(solved["plies"], 13);
    assert_eq!(solved["positions"], 360_382_485);
    let first = solved["first_moves"].as_array().expect("moves").iter();
    let mut first: Vec<String> =
        first.map(|mv| format!("{} {} {}", mv["move"], mv["value"], mv["plies"]).replace('"', "")).collect();
    first.sort();
    assert_eq!(first, FIRST);
    assert_eq!(solved["bytes"].as_u64(), std::fs::metadata(&file).ok().map(|found| found.len()));

    let asked = ["query", "junior", "start", "start b", "S,M,./.,.,./s,.,m w", "--file", &file, "--json"];
    let answers: Vec<serde_json::Value> =
        gobprove(&asked).ok().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    answers.iter().for_each(|answer| fits("query", answer));
    assert_eq!(keys(&answers[0]), ["variant", "reading", "position", "value", "plies", "moves"]);
    assert_eq!(answers[0]["moves"].as_array().map(Vec::len), Some(27));
    assert_eq!([&answers[0]["plies"], &answers[1]["plies"], &answers[2]["plies"]], [13, 13, 1]);
    assert_eq!(answers[2]["moves"][0]["move"], "S@c3");
    let told = gobprove(&["query", "junior", "start", "--moves", "M@a1", "--file", &file]);
    assert!(told.ok().contains("Black to move: win in 13 plies for Black\n"), "{told:?}");
    gobprove(&["query", "junior", "start", "--file", &file, "--reading", "strict-lift"])
        .error(4, &["holds junior official, not junior strict-lift"]);
    gobprove(&["query", "ab", "start", "--file", &file])
        .error(4, &["cannot be used", "it is no solved variant of Gobblet"]);

    let explain = |arguments: &[&str]| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        super::Ran::of(
            command.arg("explain").args(arguments).args(["--variant", "junior"]).current_dir(dir.path()),
        )
    };
    let line = explain(&["start", "--json"]).json();
    fits("explain", &line);
    assert_eq!(line["line"].as_array().map(Vec::len), Some(13), "the win to its end");
    assert_eq!([&line["value"], &line["turn"]], ["win", "white"]);
    let over = explain(&["l,l,s/L,M,./3 w"]);
    assert!(over.ok().contains("Black has a line: the game is over (J6)"), "{over:?}");

    let mut bytes = std::fs::read(&file).expect("the file");
    bytes[1_000] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    gobprove(&["query", "junior", "start", "--file", &file])
        .error(4, &["is no solved junior: its checksum is wrong"]);
}

#[test]
fn moves_are_counted() {
    // Published.
    assert_eq!(gobprove(&["perft", "4", "--variant", "junior", "--json"]).json()["nodes"], 572_472);
    let from = gobprove(&["perft", "1", "--variant", "junior", "--position", "L,2/1,s,1/3 b"]);
    // Seven squares are empty. From hand: s, m and l onto those, m and l onto the s too. The s goes to each of the seven.
    assert_eq!(from.ok(), "30 moves at depth 1 (junior, official, from L,.,./.,s,./.,.,. b)\n");
}

#[test]
fn what_can_come_up_is_counted() {
    if !thorough() {
        // Going over all positions that can be reached takes ten seconds.
        return;
    }
    let counted = gobprove(&["count", "junior", "ab", "--json"]).json();
    fits("count", &counted);
    let junior = &counted[0];
    // 1423 placements of each size; by Burnside's lemma under 8 symmetries; the others are published.
    for (key, count) in [
        ("positions", 1423u64.pow(3)),
        ("canonical", 360_382_485),
        ("unfinished", 185_487_323),
        ("finished", 155_537_308),
        ("reachable", 341_024_631),
    ] {
        assert_eq!(junior[key], count, "{key}");
    }
    assert_eq!(counted[1]["variant"], "ab");
    gobprove(&["count", "junior", "--reading", "thesis"]).error(2, &["official and strict-lift"]);
}

#[test]
fn its_rules_are_printed() {
    let all = gobprove(&["rules", "junior"]);
    assert!(all.ok().contains("## J7 No pass, draw"), "{all:?}");
    assert!(
        gobprove(&["rules", "J4"]).ok().starts_with("J4 Place\n\nA piece from hand goes onto any square")
    );
}

#[test]
fn what_does_not_apply_is_told_of() {
    for command in ["estimate", "generate", "prove", "refute", "export"] {
        gobprove(&[command, "junior"]).error(2, &["nine squares"]);
    }
    gobprove(&["solve", "junior", "--reading", "robust"])
        .error(2, &["official and strict-lift, and not robust"]);
    gobprove(&["solve", "junior", "--no-file", "--discipline", "a=1"])
        .error(2, &["--discipline does not apply"]);
    gobprove(&["solve", "junior", "--no-file", "--memory", "100M"])
        .error(4, &["junior needs 500 MiB of memory"]);
    gobprove(&["query", "junior", "start", "--file", "missing"]).error(4, &["gobprove solve junior"]);
    let dir = tempfile::tempdir().expect("a directory");
    let file = text(&dir.path().join("junior")).to_owned();
    std::fs::write(&file, "no such thing").expect("written");
    gobprove(&["query", "junior", "start", "--file", &file])
        .error(4, &["is no solved junior: it begins otherwise"]);
    gobprove(&["perft", "1", "--variant", "junior", "--position", "3/3/mL,2 w"]).error(2, &["on a1", "(J3)"]);
}
