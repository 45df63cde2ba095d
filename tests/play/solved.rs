//! Playing by a solved variant.

use super::thorough::thorough;
use super::{given, text, told};

/// The lines that say what a side plays.
fn plays<'a>(told: &'a str, turn: &str) -> Vec<&'a str> {
    let begins = format!("{turn} plays ");
    told.lines().filter(|line| line.starts_with(&begins)).collect()
}

#[test]
fn exact_values_are_played_and_named() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("solved.gobsolved")).to_owned();
    let solve = ["solve", "A1-A3B3", "--distances", "--longest", "--json", "--out", &file];
    let solved: serde_json::Value = serde_json::from_str(&told(&solve, "")).expect("JSON");
    // Black wins from the empty board, and no win takes longer.
    let longest = &solved["longest_win"];
    let plies = longest["plies"].as_u64().expect("plies") as usize;
    let empty = longest["position"].as_str().is_some_and(|position| !position.contains(['a', 'A']));
    assert!(plies > 7 && empty && solved["value"] == "lost", "{longest}");
    let play = |white: &str, seed: &str| {
        let seats = ["--white", white, "--black", "engine", "--seed", seed];
        let fixed = ["play", "--variant", "A1-A3B3", "--nodes", "500", "--solved", &file, "--review"];
        told(&[&fixed[..], &seats].concat(), "")
    };
    // Both sides play by the file: the win comes exactly when it says.
    let by_file = play("engine", "1");
    let all: Vec<&str> = by_file.lines().filter(|line| line.contains(" plays ")).collect();
    assert_eq!(all.len(), plies, "{by_file}");
    for (left, line) in (1..=plies).rev().zip(&all) {
        let says =
            if left == 1 { "Black wins in 1 ply".to_owned() } else { format!("Black wins in {left} plies") };
        assert!(line.ends_with(&format!("solved: {says} ({file})")), "{left}: {by_file}");
    }
    assert!(by_file.contains("no move changed the value by much"), "{by_file}");
    // Against chance it comes no later, and without the plies it comes too.
    let has_won = |told: &str| told.contains("Black wins: four in a line");
    for seed in ["2", "3"] {
        let told = play("random", seed);
        assert!(has_won(&told) && plays(&told, "Black").len() <= plies / 2, "{told}");
    }
    std::fs::remove_file(format!("{file}.plies")).expect("it is there");
    for seed in ["4", "5"] {
        let told = play("random", seed);
        let first = plays(&told, "Black")[0];
        assert!(has_won(&told) && first.ends_with(&format!("solved: Black wins ({file})")), "{told}");
    }
}

#[test]
fn a_draw_is_held_against_chance_and_a_damaged_file_is_left_alone() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("A3-A3B2-official.gobsolved")).to_owned();
    told(&["solve", "A3-A3B2", "--out", &file], "");
    let options = ["play", "--variant", "A3-A3B2", "--nodes", "300", "--most", "40", "--solved", &file];
    let hint = told(&[&options[..], &["--white", "human"]].concat(), "hint\n");
    assert!(hint.contains(&format!("solved: White holds ({file})")), "{hint}");
    let random = |seed| [&options[..], &["--white", "engine", "--black", "random", "--seed", seed]].concat();
    for seed in ["1", "2", "3"] {
        let told = told(&random(seed), "");
        let plays = plays(&told, "White");
        assert!(!told.contains("Black wins:") && plays.len() > 1, "{told}");
        assert!(plays.iter().all(|line| line.contains("solved: ")), "{told}");
    }
    let other = given(&["play", "--variant", "ab", "--solved", &file], "");
    assert_eq!(other.status.code(), Some(4), "{other:?}");
    // The advice is not to write over a file that is something else.
    let not_solved = text(&own.path().join("text")).to_owned();
    std::fs::write(&not_solved, "something else, and long enough for the head of a solved variant")
        .expect("written");
    let verified = given(&["verify", &file], "");
    let said = String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.code() == Some(1) && said.contains("this is a solved variant"), "{verified:?}");
    for command in [
        &["play", "--variant", "A3-A3B2", "--solved"][..],
        &["query", "A3-A3B2", "start", "--file"],
        &["explain", "start", "--variant", "A3-A3B2", "--solved"],
        &["suite", "A3-A3B2", "--file"],
        &["query", "junior", "start", "--file"],
    ] {
        let refused = given(&[command, &[&not_solved]].concat(), "");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(4) && !said.contains("--out"), "{command:?}: {said}");
        assert!(said.contains("  next: give the file that `gobprove solve "), "{command:?}: {said}");
    }
    // All blocks, so that any question meets a wrong one; the head and the index stay whole.
    let mut bytes = std::fs::read(&file).expect("written");
    let count = bytes[24..28].iter().rev().fold(0, |count, byte| count << 8 | usize::from(*byte));
    assert!(count > 3, "{count} blocks");
    for byte in &mut bytes[36 + 30 * count + 4..] {
        *byte ^= 0x55;
    }
    std::fs::write(&file, bytes).expect("written");
    let damaged = given(&random("1"), "");
    let said = String::from_utf8_lossy(&damaged.stderr);
    assert!(damaged.status.success() && said.matches("is not asked any more").count() == 1, "{damaged:?}");
    assert!(String::from_utf8_lossy(&damaged.stdout).contains("estimate"), "{damaged:?}");
}

/// More positions follow from the empty board than Black's win is laid out for.
#[test]
fn a_large_refutation_is_played_and_wins() {
    let whites = [("1", "random"), ("3", "level:2")];
    for (seed, white) in whites.into_iter().take(if thorough() { 2 } else { 1 }) {
        let seats =
            ["--white", white, "--black", "engine", "--nodes", "300", "--seed", seed, "--most", "300"];
        let played = given(&[&["play", "--variant", "A3B1-A3B3C2"], &seats[..]].concat(), "");
        let told = String::from_utf8_lossy(&played.stdout);
        assert!(told.contains("Black wins: four in a line"), "{white} {seed}: {told}");
        let plays = plays(&told, "Black");
        // The way is not laid out, so that no plies are told.
        let first = plays[0];
        assert!(
            first.contains("proven: Black wins (") && first.ends_with("C2-official-refutation.gobcert)"),
            "{told}"
        );
        assert!(plays.iter().all(|line| line.contains("proven: Black wins")), "{told}");
    }
}
