//! Playing the game on nine squares.

use std::path::Path;

use super::solved_junior::solved_junior;
use super::{given, text, told};

/// What a side plays, a line for each of its moves.
fn plays(told: &str) -> Vec<&str> {
    told.lines().filter(|line| line.contains(" plays ")).collect()
}

#[test]
fn the_solved_game_is_played_to_the_end_that_it_announces() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("junior.gobsolved")).to_owned();
    solved_junior(Path::new(&file));
    let play = |seats: &[&str]| told(&[&["play", "junior", "--solved", &file], seats].concat(), "");
    // Published: the first player wins in 13.
    let perfect = play(&["--white", "engine", "--black", "engine", "--review"]);
    let lines = plays(&perfect);
    assert_eq!(lines.len(), 13, "{perfect}");
    for (left, line) in (1..=13).rev().zip(&lines) {
        let plies = if left == 1 { "1 ply".to_owned() } else { format!("{left} plies") };
        assert!(line.ends_with(&format!("solved: White wins in {plies} ({file})")), "{line}");
    }
    assert!(perfect.contains("White wins: three in a line"), "{perfect}");
    assert!(perfect.contains("no move changed who wins"), "{perfect}");
    for seed in ["1", "2", "3"] {
        // Black moves first, and so it is the one who wins.
        let seats = ["--white", "random", "--black", "engine", "--first", "black", "--seed", seed];
        let against_chance = play(&seats);
        assert!(against_chance.contains("Black wins: three in a line"), "{against_chance}");
        assert!(plays(&against_chance).len() <= 13, "{against_chance}");
    }
    super::suites::junior(&file);
    // A Medium piece first loses, and a person who plays it is told so.
    let lines = "M@a1\nreview\nundo\nmoves\nL@d4\nL@a1\nmoves\nhint\nresign\n";
    let person = told(&["play", "junior", "--solved", &file, "--white", "human", "--black", "human"], lines);
    for words in [
        "1. White M@a1: Black wins in 14 plies; by ",
        "help lists what else you can give",
        "White has in hand L1 M2 S2",
        "Black has in hand L2 M2 S2",
        "solved: White wins in 12 plies",
        "White wins: Black resigns",
    ] {
        assert!(person.contains(words), "{words}: {person}");
    }
}

#[test]
fn a_game_is_saved_and_goes_on_where_it_was() {
    let own = tempfile::tempdir().expect("a directory");
    let path = own.path().join("game.pgn");
    let file = text(&path).to_owned();
    let play = |more: &[&str], lines: &str| {
        let people = ["play", "junior", "--white", "human", "--black", "human", "--memory", "10M"];
        given(&[&people[..], more].concat(), lines)
    };
    let out = |output: &std::process::Output| String::from_utf8_lossy(&output.stdout).into_owned();
    play(&[], &format!("S@a1\nL@b2\nS@c3\nsave {file}\nL@a1\n"));
    let saved = std::fs::read_to_string(&path).expect("saved");
    for line in
        ["[Variant \"junior\"]", "[Reading \"official\"]", "[Result \"*\"]", "1. S@a1 L@b2", "2. S@c3"]
    {
        assert!(saved.lines().any(|found| found == line), "{line}: {saved}");
    }
    let again = out(&play(&["--load", &file], "L@a1\nmoves\nquit\n"));
    assert!(
        again.contains("Black has in hand M2 S2") && again.contains("White has in hand L2 M2"),
        "{again}"
    );
    let loaded = out(&play(&[], &format!("M@b1\nload {file}\nundo\nS@b1\nsave {file}\nquit\n")));
    assert!(loaded.contains("White has in hand L2 M2 S1"), "{loaded}");
    assert!(std::fs::read_to_string(&path).expect("saved").contains("2. S@b1"));
    // A game that is over stays so.
    play(&["--load", &file], &format!("save {file}\nresign\n"));
    let resigned = saved
        .replace("[Result \"*\"]", "[Result \"0-1\"]")
        .replace("play goes on", "Black wins: White resigns");
    std::fs::write(&path, &resigned).expect("written");
    let over = out(&play(&["--load", &file], "S@a2\n"));
    assert!(over.contains("\nBlack wins: White resigns\n") && !over.contains("not legal"), "{over}");
    for (wrong, says) in [
        (saved.replace("S@c3", "L@b2"), "move 3, L@b2"),
        (saved.replace("junior", "ab"), "the tag Variant is \"ab\""),
        (saved.replace("official", "strict-lift"), "the tag Reading is \"strict-lift\""),
        (saved.replace("[Start", "[Stort"), "the tag Start"),
        (
            resigned.replace("0-1", "1-0"),
            "the tag Result is \"1-0\", and the game ended so: Black wins: White resigns",
        ),
        (saved.replace(".,.,./.,.,./.,.,. w", "L,L,M/.,.,./l,l,. w"), "a line stands there"),
        (String::new(), "the tag Variant"),
    ] {
        std::fs::write(&path, wrong).expect("written");
        let refused = play(&["--load", &file], "");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(1) && said.contains(says), "{refused:?}");
        let kept = out(&play(&[], &format!("M@b1\nload {file}\nboard\nquit\n")));
        assert!(kept.contains(says) && kept.contains("1. M@b1\n*\n"), "{kept}");
    }
    let named = out(&play(&[], "save\nload\nquit\n"));
    assert!(named.contains("name the file: save FILE\nname the file: load FILE\n"), "{named}");
    // The game is printed at the end, and goes on from there. Its seed is kept.
    let printed = out(&play(&["--seed", "5"], "S@a1\nL@b2\nquit\n"));
    let begins = printed.find("[Variant ").expect("the game");
    std::fs::write(&path, &printed[begins..]).expect("written");
    let again = out(&play(&["--load", &file], "quit\n"));
    assert!(again.contains("[Seed \"5\"]\n") && again.contains("1. S@a1 L@b2\n*\n"), "{again}");
    let others =
        given(&["play", "junior", "--memory", "10M", "--black", "random", "--load", &file], "quit\n");
    let said = String::from_utf8_lossy(&others.stderr);
    assert!(said.contains("note: the saved game was played by human with White and human with Black; now it is human and random,"), "{others:?}");
    let refused = play(&["--load", &file, "--seed", "6"], "");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    // What is wrong with the game is said before junior is solved, which would name the file that solves it.
    let missing = given(&["play", "junior", "--load", "missing", "--solved", "missing"], "");
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(missing.status.code() == Some(4) && !said.contains("solve junior"), "{missing:?}");
}

#[test]
fn without_the_solved_game_some_plies_are_seen() {
    let own = tempfile::tempdir().expect("a directory");
    let missing = text(&own.path().join("none")).to_owned();
    let lines = "S@a1\nS@b1\nS@b1\nL@b1\nM@a1\nhint\nquit\n";
    let people = ["play", "junior", "--white", "human", "--black", "human", "--memory", "10M"];
    let output = given(&people, lines);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && err.contains("junior needs 500 MiB of memory"), "{output:?}");
    assert!(out.contains("S@b1 is not legal: ") && out.contains("(J5)"), "{out}");
    // A win that the solved game has too; it is not said to be the quickest.
    assert!(out.contains("proven: White wins in ") && out.contains("(search; it may come sooner)"), "{out}");
    // Here the solved game knows a draw.
    let drawn = given(&people, "M@a1\nL@c1\nhint\nquit\n");
    assert!(String::from_utf8_lossy(&drawn.stdout).contains("(search, 4 plies)"), "{drawn:?}");
    let weak =
        |seed| told(&["play", "junior", "--white", "depth:3", "--black", "depth:1", "--seed", seed], "");
    assert_eq!(weak("3"), weak("3"));
    // Advice changes nothing in what is played later.
    let against = |lines| {
        let seats = ["play", "junior", "--white", "human", "--black", "depth:1", "--memory", "10M", "--seed"];
        let answers = |seed| {
            let output = given(&[&seats[..], &[seed]].concat(), lines);
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            told.lines().filter(|line| line.contains(" plays ")).map(str::to_owned).collect::<Vec<_>>()
        };
        ["1", "2", "3", "4"].map(answers)
    };
    assert_eq!(against("S@b2\nquit\n"), against("hint\nS@b2\nquit\n"));
    assert!(["4", "5", "6"].iter().any(|seed| weak(seed) != weak("3")));
    for (arguments, code, says) in [
        (&["--white", "level:3"][..], 2, "junior is played by human, engine"),
        (&["--white", "depth:7"], 2, "depth:6"),
        (&["--nodes", "5"], 2, "do not apply to junior"),
        (&["--reading", "robust"], 2, "official and strict-lift"),
        (&["--solved", &missing], 4, "gobprove solve junior"),
    ] {
        let output = given(&[&["play", "junior"], arguments].concat(), "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(says), "{output:?}");
    }
    let output = given(&["play", "ab", "--memory", "10M"], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
