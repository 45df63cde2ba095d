//! `gobprove solve` and `gobprove query`.

use std::fs;

use gobprove::prelude::*;
use gobprove::rules::{Game, Outcome, Position, Reading};
use serde_json::Value;

use super::{Ran, gobprove, keys, text};

fn query(file: &str, position: &str, more: &[&str]) -> Ran {
    gobprove(&[&["query", "A3B1-A3B1", position, "--file", file], more].concat())
}

/// The counts of `wins`, `draws` and `losses`, added up.
fn sum(side: &Value) -> u64 {
    ["wins", "draws", "losses"].iter().map(|key| side[key].as_u64().expect("a count")).sum()
}

#[test]
fn a_variant_is_solved_and_asked_about() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = text(&dir.path().join("solved")).to_owned();
    let solved = gobprove(&["solve", "A3B1-A3B1", "--out", &file, "--longest", "--json"]).json();
    let expected = [
        "variant",
        "reading",
        "discipline",
        "value",
        "white_first",
        "black_first",
        "black_wins_by",
        "positions",
        "counts",
        "tiers",
        "rounds",
        "longest_win",
        "solved_s",
        "elapsed_s",
        "file",
        "bytes",
        "plies_file",
        "plies_bytes",
        "lost_in",
    ];
    assert_eq!(keys(&solved), expected);
    assert_eq!([&solved["value"], &solved["white_first"], &solved["black_first"]], ["draw"; 3]);
    assert_eq!(solved["bytes"].as_u64(), fs::metadata(&file).ok().map(|found| found.len()));
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 1, "no working files are left");
    // The census, by another command.
    let counted = gobprove(&["count", "A3B1-A3B1", "--json"]).json();
    assert_eq!(solved["positions"], counted["positions"]);
    for side in ["white_to_move", "black_to_move"] {
        assert_eq!(Some(sum(&solved["counts"][side])), solved["positions"].as_u64(), "{side}");
    }
    // The sides are alike, so that it makes no difference who is to move.
    assert_eq!(solved["counts"]["white_to_move"], solved["counts"]["black_to_move"]);
    let tiers = solved["tiers"].as_array().expect("tiers");
    let wins = tiers.iter().map(|tier| tier["black_to_move"]["wins"].as_u64().expect("a count")).sum::<u64>();
    assert_eq!(Some(wins), solved["counts"]["black_to_move"]["wins"].as_u64());

    // Three in a row and a piece to put beside them.
    let won = "A,A,.,A/.,.,.,./.,a,a,./.,.,a,. w";
    let asked = query(&file, won, &["--json"]).json();
    assert_eq!(keys(&asked), ["variant", "reading", "position", "value", "plies", "moves"]);
    assert_eq!(asked["value"], "win");
    let moves = asked["moves"].as_array().expect("moves");
    let winning: Vec<_> = moves.iter().filter(|mv| mv["value"] == "win").map(|mv| &mv["move"]).collect();
    assert_eq!(winning, ["B@c4"]);
    let longest = &solved["longest_win"];
    let position = longest["position"].as_str().expect("a position");
    let value = query(&file, position, &["--json"]).json()["value"].clone();
    assert_eq!(value, if position.ends_with('b') { "win" } else { "loss" });
    let explained = gobprove(&["explain", position, "--variant", "A3B1-A3B1", "--json"]).json();
    assert_eq!(explained["wins_in"], longest["plies"]);
    let shown = query(&file, won, &[]);
    assert!(shown.ok().contains("White to move: win for White"), "{shown:?}");
}

#[test]
fn where_the_sides_are_not_alike_the_question_is_whether_white_holds() {
    let solved = gobprove(&["solve", "A3-A3B1", "--no-file", "--json"]).json();
    assert_eq!(
        [&solved["value"], &solved["file"], &solved["bytes"]],
        [&"draw".into(), &Value::Null, &Value::Null]
    );
    let side = &solved["counts"]["white_to_move"];
    let both = ["safe", "lost"].iter().map(|key| side[key].as_u64().expect("a count")).sum::<u64>();
    assert_eq!(Some(both), solved["positions"].as_u64());
    let lost = gobprove(&["solve", "A1-A3B3", "--no-file", "--json"]).json();
    assert_eq!([&lost["value"], &lost["white_first"], &lost["black_first"]], ["lost"; 3]);
    // Corners and centre are alike under the symmetries, and so are the other squares.
    assert_eq!(lost["black_wins_by"], serde_json::json!(["A@a1", "A@b1"]));
    assert_eq!(solved["black_wins_by"], serde_json::json!([]));
    let table = gobprove(&["solve", "A1-A3B3", "--no-file", "--verbose"]);
    assert!(table.ok().contains("A1.A3B3") && table.ok().contains("lost for White"), "{table:?}");
}

#[test]
fn working_files_are_kept_and_used_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let work = text(&dir.path().join("work")).to_owned();
    let solve = |more: &[&str]| {
        let mut solved = gobprove(&[&["solve", "A2-A3B2", "--no-file", "--json"][..], more].concat()).json();
        for time in ["solved_s", "elapsed_s"] {
            solved[time] = Value::Null;
        }
        solved
    };
    let alone = solve(&[]);
    assert_eq!(alone, solve(&["--dir", &work]), "with no files yet");
    assert!(fs::read_dir(&work).expect("the directory").count() > 10);
    assert_eq!(alone, solve(&["--dir", &work]), "with all of them");
    let other = gobprove(&["solve", "A2-A3B1", "--no-file", "--dir", &work]);
    other.error(4, &["A2-A3B2", "--fresh"]);
    gobprove(&["solve", "A2-A3B1", "--no-file", "--fresh"]).error(2, &["--dir"]);
    gobprove(&["solve", "A2-A3B1", "--no-file", "--dir", &work, "--fresh"]).ok();
    gobprove(&["solve", "A2-A3B2", "--no-file", "--dir", &work]).error(4, &["A2-A3B1"]);
}

/// A3-A3B2C1 needs 1,548 KiB with working files.
#[test]
fn what_does_not_fit_into_memory_is_worked_on_in_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let work = text(&dir.path().join("work")).to_owned();
    let solve =
        |more: &[&str]| gobprove(&[&["solve", "A3-A3B2C1", "--no-file", "--json"][..], more].concat());
    let untimed = |mut solved: Value| {
        for time in ["solved_s", "elapsed_s"] {
            solved[time] = Value::Null;
        }
        solved
    };
    let way = "`gobprove solve A3-A3B2C1 --reading official --no-file --dir DIR` finds the value";
    solve(&["--memory", "1M"]).error(4, &["of memory, and 1024 KiB may be taken", way]);
    // Where that needs too much as well it is not named.
    let refused = solve(&["--memory", "10K"]);
    assert!(refused.code == Some(4) && !refused.stderr.contains("--no-file"), "{refused:?}");
    let in_files = untimed(solve(&["--memory", "1M", "--dir", &work]).json());
    assert_eq!(in_files, untimed(solve(&[]).json()));
    let again = gobprove(&["solve", "A3-A3B2C1", "--no-file", "--memory", "1M", "--dir", &work, "--fresh"]);
    let told = again.ok().lines().find(|line| line.contains(" MiB in files")).expect("both sizes");
    assert!(told.contains("; sets of 0 MiB in memory, "), "{told}");
}

#[test]
fn the_longest_win_takes_lost_sets_of_its_own() {
    // As `gobprove count A3-A3` has it: 9,181 canonical placements of A for Black with no B on the board, 9,140 with at least
    // one black A for one B, 8,804 with at least two for two, of 1, 16 and 128 bits. That is 314 KiB for both sides to move
    // once, and 627 KiB twice; a tier takes whole words.
    gobprove(&["solve", "A3-A3B2", "--no-file", "--memory", "512K"]).ok();
    let longest = |memory| gobprove(&["solve", "A3-A3B2", "--no-file", "--longest", "--memory", memory]);
    longest("512K").error(4, &["A3-A3B2 needs 627 KiB of memory, and 512 KiB may be taken", "--memory"]);
    assert!(longest("1M").ok().contains("the longest forced win takes "));
}

#[test]
fn what_cannot_be_asked_is_said() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = text(&dir.path().join("solved")).to_owned();
    let empty = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    let writes = format!("gobprove solve A3B1-A3B1 --reading official --out {file} writes it");
    query(&file, empty, &[]).error(4, &["solved", &writes]);
    gobprove(&["query", "abcd-full", empty])
        .error(4, &["abcd-full-official.gobsolved", "no machine has the memory"]);
    gobprove(&["suite", "abcd-full"])
        .error(4, &["abcd-full-official.gobsolved", "no machine has the memory"]);
    // It takes 420 GiB. A machine that has them is told the command that solves it.
    let abc = gobprove(&["query", "abc", empty]);
    let named = [
        "solving it takes more memory than there is here",
        "gobprove solve abc --reading official writes it",
    ];
    assert_eq!(named.iter().filter(|words| abc.stderr.contains(**words)).count(), 1, "{abc:?}");
    let anew = format!("gobprove solve A3B1-A3B1 --reading official --out {file} --distances writes it");
    gobprove(&["suite", "A3B1-A3B1", "--file", &file]).error(4, &[&anew]);
    gobprove(&["solve", "A3-A3B1", "--out", &file]).ok();
    query(&file, empty, &[]).error(4, &["A3-A3B1", "A3B1-A3B1"]);
    // Writing it anew would destroy the file of the other variant.
    gobprove(&["suite", "A3B1-A3B1", "--file", &file]).error(4, &["A3-A3B1", "give that variant"]);
    gobprove(&["query", "A3-A3B1", "nowhere", "--file", &file]).error(2, &["the side to move"]);
    let mut bytes = fs::read(&file).expect("written");
    let last = bytes.len() - 1;
    bytes.truncate(last);
    fs::write(&file, bytes).expect("written");
    query(&file, empty, &[]).error(4, &["cut off", "gobprove solve A3B1-A3B1 ", "writes it anew"]);
    let nowhere = text(&dir.path().join("missing").join("file")).to_owned();
    gobprove(&["solve", "A3-A3B1", "--out", &nowhere]).error(4, &["missing"]);
    gobprove(&["solve", "abcd-full", "--no-file"]).error(4, &["abcd-full", "memory"]);
}

#[test]
fn under_a_discipline_white_holds_or_it_is_open() {
    let solve = |discipline: &str| {
        gobprove(&["solve", "ab", "--no-file", "--discipline", discipline, "--json"]).json()
    };
    let [free, two, one] = ["", "A=2", "A=1"].map(solve);
    for (report, value) in [(&free, "draw"), (&two, "draw"), (&one, "open")] {
        assert_eq!(report["value"], value, "{report}");
    }
    let count =
        |report: &Value, side: &str, what: &str| report["counts"][side][what].as_u64().expect("a count");
    let positions = |report: &Value| report["positions"].as_u64().expect("a count");
    assert!(positions(&one) < positions(&two) && positions(&two) < positions(&free));
    for side in ["white_to_move", "black_to_move"] {
        assert_eq!(count(&two, side, "safe") + count(&two, side, "lost"), positions(&two), "{two}");
        // What White holds with its hands bound, it holds.
        assert!(count(&two, side, "safe") < count(&free, side, "safe"), "{two}");
    }
    let open = gobprove(&["solve", "ab", "--no-file", "--discipline", "A=1"]);
    let said = open.ok();
    assert!(said.contains("White keeps to A=1") && !said.contains("Black wins"), "{said}");
    gobprove(&["solve", "ab", "--discipline", "A=2"]).error(2, &["--no-file"]);
    gobprove(&["solve", "ab", "--no-file", "--longest", "--discipline", "A=2"]).error(2, &["--longest"]);
    gobprove(&["solve", "ab", "--no-file", "--discipline", "A=9"]).error(2, &["from 0 to 3"]);
    let dir = tempfile::tempdir().expect("a directory");
    let within = |discipline| {
        gobprove(&["solve", "ab", "--no-file", "--dir", text(dir.path()), "--discipline", discipline])
    };
    within("A=2").ok();
    within("A=2").ok();
    within("A=3/3/2/1").error(4, &["A=2", "A=3/3/2/1"]);
    within("a=2").error(4, &["A=2", "a=2"]);
}

#[test]
fn under_a_discipline_black_wins_or_it_is_open() {
    let solve = |discipline: &str| {
        gobprove(&["solve", "A2-A3B3", "--no-file", "--discipline", discipline, "--json"]).json()
    };
    let [free, none, open] = ["", "a=0", "a=0,b=0"].map(solve);
    for (report, value) in [(&free, "lost"), (&none, "lost"), (&open, "open")] {
        assert_eq!(report["value"], value, "{report}");
        assert_eq!((&report["white_first"], &report["black_first"]), (&value.into(), &value.into()));
    }
    let count = |report: &Value, side: &str| report["counts"][side]["lost"].as_u64().expect("a count");
    for side in ["white_to_move", "black_to_move"] {
        // What Black wins with its hands bound, it wins.
        assert!(count(&none, side) < count(&free, side), "{none}");
    }
    assert_eq!(free["black_wins_by"], serde_json::json!(["A@a1", "A@b1"]));
    assert_eq!(none["black_wins_by"], serde_json::json!(["A@a1"]), "b1 is on no diagonal");
    let told = gobprove(&["solve", "A2-A3B3", "--no-file", "--discipline", "a=0"]);
    let said = told.ok();
    assert!(said.contains("Black keeps to a=0") && said.contains("lost for White"), "{said}");
    // Where the sides are alike, all that is asked is whether Black wins all the same.
    let alike = gobprove(&["solve", "A2B1-A2B1", "--no-file", "--discipline", "a=1"]);
    assert!(alike.ok().contains("open for White"), "{alike:?}");
    gobprove(&["solve", "A2-A3B3", "--discipline", "a=0"]).error(2, &["--no-file"]);
    gobprove(&["solve", "A2-A3B3", "--no-file", "--discipline", "A=1,a=0"]).error(2, &["both sides"]);
    for command in ["generate", "prove"] {
        gobprove(&[command, "ab", "--discipline", "a=0"]).error(2, &["gobprove refute takes it"]);
    }
    let beyond = ["--values", "none", "--beyond", "a=0"];
    gobprove(&[&["prove", "ab"], &beyond[..]].concat()).error(2, &["gobprove refute takes it"]);
}

/// With plies at hand each win of Black's says how far it is, and what a position says follows from its moves.
/// What cannot be written is told before the work.
#[test]
fn both_files_must_be_writable_beforehand() {
    let own = tempfile::tempdir().expect("a directory");
    let file = own.path().join("d.gobsolved");
    fs::create_dir(own.path().join("d.gobsolved.plies")).expect("a directory");
    gobprove(&["solve", "A1-A1B1", "--out", text(&file), "--distances"]).error(4, &["d.gobsolved.plies"]);
    assert!(!file.exists());
}

#[test]
fn distances_say_how_far_each_win_is() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("solved")).to_owned();
    let solve = ["solve", "A2-A3B3", "--out", &file, "--distances", "--longest", "--json"];
    let report = gobprove(&solve).json();
    let longest = &report["longest_win"];
    assert_eq!(report["plies_file"], format!("{file}.plies"));
    let bytes = fs::metadata(own.path().join("solved.plies")).expect("written").len();
    assert_eq!(report["plies_bytes"], bytes);
    let positions = report["positions"].as_u64().expect("a count");
    assert!(20 * bytes < positions, "{bytes} bytes for {positions} positions");
    let query = |position: &str, more: &[&str]| {
        gobprove(&[&["query", "A2-A3B3", position, "--file", &file], more].concat())
    };
    let from = longest["position"].as_str().expect("a position").to_owned();
    let said = query(&from, &[]);
    assert!(said.ok().contains(&format!("Black wins in {} plies", longest["plies"])), "{said:?}");
    let game = Game::new("A2-A3B3".read().expect("a variant"), Reading::Official);
    let (mut waiting, mut met, mut deepest) = (vec![from], [[0; 2]; 2], 0);
    for _ in 0..60 {
        if waiting.is_empty() {
            break;
        }
        let asked = waiting.remove(0);
        let answer = query(&asked, &["--json"]).json();
        let moves = answer["moves"].as_array().expect("moves");
        let (is_lost, plies) = (answer["value"] == "lost", answer["plies"].as_u64());
        let white = asked.ends_with('w');
        let lost: Vec<u64> = moves.iter().filter_map(|mv| mv["plies"].as_u64()).collect();
        assert_eq!(lost.len(), moves.iter().filter(|mv| mv["value"] == "lost").count(), "{answer}");
        // White holds out as long as it can where all its moves lose, and Black wins as soon as it can.
        let expected = match white {
            true => lost.iter().max().copied().filter(|_| lost.len() == moves.len()),
            false => lost.iter().min().copied(),
        };
        assert_eq!((plies, is_lost), (expected, expected.is_some()), "{answer}");
        met[usize::from(white)][usize::from(is_lost)] += 1;
        deepest = deepest.max(plies.unwrap_or(0));
        // The best first.
        let is_sorted = match white {
            true => {
                lost.is_sorted_by(|a, b| a >= b)
                    && moves[..moves.len() - lost.len()].iter().all(|mv| mv["value"] == "draw")
            }
            false => lost.is_sorted() && moves[lost.len()..].iter().all(|mv| mv["value"] == "draw"),
        };
        assert!(is_sorted, "{answer}");
        // Along the best and the worst move.
        for mv in moves.first().into_iter().chain(moves.last()) {
            let mv = mv["move"].as_str().expect("a move").read().expect("a move");
            let position: Position = game.parse(&asked).expect("a position");
            if let Outcome::GoesOn(next) = game.play(&position, mv).expect("legal") {
                waiting.push(next.to_string());
            }
        }
    }
    assert_eq!(Some(deepest), longest["plies"].as_u64());
    assert!(met[0][1] > 3 && met[1][1] > 3, "{met:?}");
    // Plies of another solved variant are not taken for these.
    let other = text(&own.path().join("other")).to_owned();
    gobprove(&["solve", "A3-A3B1", "--out", &other]).ok();
    fs::copy(own.path().join("solved.plies"), own.path().join("other.plies")).expect("copied");
    let ran = gobprove(&["query", "A3-A3B1", "start", "--file", &other]);
    ran.error(4, &["of another solved variant", "--distances"]);
    // A solve leaves no plies that do not belong to what it writes, and those that do belong stay.
    gobprove(&["solve", "A3-A3B1", "--out", &other]).ok();
    gobprove(&["query", "A3-A3B1", "start", "--file", &other]).ok();
    assert!(!own.path().join("other.plies").exists());
    gobprove(&["solve", "A2-A3B3", "--out", &file]).ok();
    assert!(own.path().join("solved.plies").exists());
}

/// How much the list takes is known when the variant is solved. A2-A3B3 lists nearly all of its positions. The sets take half
/// a byte for each of them and the list at least ten.
#[test]
fn a_list_that_does_not_fit_into_memory_is_refused_and_the_solve_is_kept() {
    let own = tempfile::tempdir().expect("a directory");
    let file = own.path().join("solved");
    let canonical = gobprove(&["count", "A2-A3B3", "--json"]).json()["canonical"].to_string();
    let solve = |more: &[&str]| gobprove(&[&["solve", "A2-A3B3", "--out", text(&file)], more].concat());
    let lacks = ["positions of A2-A3B3 to a file needs ", "what is solved is kept", "with more --memory"];
    solve(&["--memory", &canonical]).error(4, &lacks);
    assert!(!file.exists() && own.path().join("solved.work").exists());
    solve(&["--memory", &canonical, "--fresh"]).error(4, &["without --fresh"]);
    solve(&["--memory", "100M"]).ok();
    assert!(file.exists() && !own.path().join("solved.work").exists());
}
