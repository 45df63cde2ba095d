//! `gobprove explain`.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use gobprove::prelude::*;
use gobprove::rules::reference::{Judgement, Referee, Table};
use gobprove::rules::{Color, Game, Position};
use gobprove::store::Certificate;
use serde_json::Value;

use super::certificates::{closure, shipped, write};
use super::thorough::thorough;
use super::{Ran, command, gobprove, keys, text};

const KEYS: [&str; 23] = [
    "variant",
    "reading",
    "position",
    "turn",
    "basis",
    "value",
    "decided",
    "position_type",
    "threats",
    "double_threats",
    "wins_in",
    "white_wins_in",
    "white_wins_by",
    "line",
    "not_within",
    "moves",
    "known_safe",
    "known_lost",
    "unknown",
    "plays",
    "black_moves",
    "white_moves",
    "black_wins_by",
];

/// A position of type AAAbB that Black wins in 5 plies.
const LOST: &str = ".,.,b,./A,a,.,./.,.,a,A/Ab,ab,.,. b";

fn explain(position: &str, more: &[&str]) -> Ran {
    gobprove(&[&["explain", position], more].concat())
}

fn referee(report: &Value) -> Referee {
    let word = |key: &str| report[key].as_str().expect("a word").to_owned();
    let variant: gobprove::rules::Variant = word("variant").read().expect("a variant");
    Referee::new(variant.white.counts(), variant.black.counts(), &word("reading")).expect("a game")
}

/// Replays moves by the slow rules; the last one, and no earlier one, wins for Black.
#[track_caller]
fn replay(referee: &Referee, position: &str, moves: &[(String, String)]) {
    let mut table = Table::parse(position).expect("a table");
    for (place, (from, mv)) in moves.iter().enumerate() {
        assert_eq!(&table.to_string(), from);
        let judged = referee.moves(&table).into_iter().find(|(text, _)| text == mv);
        match judged.unwrap_or_else(|| panic!("{mv} is not legal in {table}")).1 {
            Judgement::GoesOn(next) => table = next,
            Judgement::BlackWins => return assert_eq!(place + 1, moves.len(), "{position}"),
            Judgement::WhiteWins => panic!("{position}: White wins by {mv}"),
        }
    }
    panic!("{position}: nobody has won");
}

/// Some positions that the cut of `ab` lists.
fn listed(turn: Color, every: usize) -> Vec<Position> {
    let bytes = fs::read(shipped("ab-official-cut.gobcert")).expect("readable");
    let cut = Certificate::decode(&bytes).expect("a certificate");
    let set = cut.listed(turn).expect("a cut has both sides");
    set.positions(turn).step_by(every).collect()
}

#[test]
fn every_line_is_replayed_by_the_slow_rules_to_blacks_four() {
    let some = listed(Color::White, 12_007).into_iter().chain(listed(Color::Black, 150_001));
    let mut lengths = Vec::new();
    for position in some {
        let report = explain(&position.to_string(), &["--json"]).json();
        assert_eq!(keys(&report), KEYS);
        assert_eq!(report["value"], "lost", "{position}");
        let moves = line(&report);
        assert_eq!(report["wins_in"], moves.len());
        replay(&referee(&report), &position.to_string(), &moves);
        lengths.push(moves.len());
    }
    assert!(lengths.len() > 30 && lengths.iter().max() >= Some(&5), "{lengths:?}");
}

#[test]
fn a_lost_position_is_told_as_a_table_and_two_boards() {
    for (position, more) in
        [(LOST, &[][..]), (".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", &["--variant", "A1-A3B1"])]
    {
        let ran = explain(position, more);
        let told = ran.ok();
        assert!(told.contains(" lost: Black wins in ") && told.contains("Black has four on "), "{told}");
        assert_eq!(told.matches("   a   b   c   d").count(), 2, "{told}");
        let row = |line: &str| {
            let mut words = line.split_whitespace();
            let is_ply = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
            let (by, mv) = (words.next()?, words.next()?);
            let by_a_side = is_ply && ["white", "black"].contains(&by);
            by_a_side.then(|| (words.collect::<Vec<_>>().join(" "), mv.to_owned()))
        };
        let moves: Vec<_> = told.lines().filter_map(row).collect();
        let report = explain(position, &[more, &["--json"]].concat()).json();
        assert_eq!(report["wins_in"], moves.len());
        replay(&referee(&report), position, &moves);
    }
}

#[test]
fn a_safe_position_with_white_to_move_has_replies_and_the_closures_own() {
    let position = "a,.,.,./.,a,.,./.,.,A,./.,.,.,. w";
    let report = explain(position, &["--json"]).json();
    assert_eq!((&report["value"], &report["turn"]), (&"safe".into(), &"white".into()));
    let replies = report["known_safe"].as_array().expect("replies");
    assert!(replies.contains(&report["plays"]), "{report}");
    assert!(report["moves"].as_u64() >= Some(replies.len() as u64));
    for key in ["wins_in", "line", "not_within", "black_moves", "white_moves", "decided"] {
        assert_eq!(report[key], Value::Null, "{key}");
    }
    let told = explain(position, &[]);
    assert!(
        told.ok().contains("known to be safe, ") && told.stdout.contains("the closure plays "),
        "{told:?}"
    );
    // What the replies lead to is safe by itself.
    let game = Game::new("ab".read().expect("a variant"), gobprove::rules::Reading::Official);
    let here = game.parse(position).expect("a position");
    for reply in replies.iter().take(3) {
        let mv = reply.as_str().expect("a move").read().expect("a move");
        if let gobprove::rules::Outcome::GoesOn(next) = game.play(&here, mv).expect("legal") {
            assert_eq!(explain(&next.to_string(), &["--json"]).json()["value"], "safe");
        }
    }
}

#[test]
fn a_safe_position_with_black_to_move_lists_blacks_moves_and_the_answers() {
    for reading in ["official", "robust"] {
        let ran = explain(".,.,.,./.,.,.,./.,.,.,./.,.,.,. b", &["--reading", reading, "--json"]);
        let report = ran.json();
        let moves = report["black_moves"].as_array().expect("moves");
        assert_eq!(moves.len(), 16);
        for black in moves {
            assert_eq!(keys(black), ["move", "known_safe", "known_lost", "unknown", "plays"]);
            assert!(black["known_safe"].as_u64() > Some(0) && black["plays"].is_string(), "{black}");
        }
        assert_eq!((&report["known_safe"], &report["plays"]), (&Value::Null, &Value::Null));
    }
}

/// Every move is in one of the three lists. What a cut knows of less white material counts, and a short search settles what
/// a closure does not list.
#[test]
fn what_is_not_known_is_not_told_as_lost() {
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    let report = |position: &str, variant: &str| -> Value {
        let ran = explain(position, &["--variant", variant, "--json"]);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    };
    let length = |report: &Value, key: &str| report[key].as_array().expect("moves").len();
    for variant in ["ab", "ab-full", "A3B1-A3B3C1"] {
        let told = report(start, variant);
        assert_eq!(
            ["known_safe", "known_lost", "unknown"].map(|key| length(&told, key)),
            [16, 0, 0],
            "{variant}"
        );
    }
    // A closure answers some moves and says nothing of the others.
    let position = "a,.,.,./.,a,.,./.,.,A,./.,.,.,. w";
    let told = report(position, "A3B1-A3B3C1");
    let lengths = ["known_safe", "known_lost", "unknown"].map(|key| length(&told, key));
    assert_eq!(lengths.iter().sum::<usize>(), 39, "{told}");
    assert!(lengths[0] > 0 && lengths[2] > 0, "{told}");
    let text = explain(position, &["--variant", "A3B1-A3B3C1"]);
    assert!(text.ok().contains("White has 39 moves.") && text.ok().contains("not known, "), "{text:?}");
    // Black has three in a row: what leaves the line open loses, and that is known whatever a closure lists.
    let open = "a,a,a,./.,.,.,./.,.,A,./.,.,.,. w";
    let told = report(open, "A3B1-A3B3C1");
    let lost = told["known_lost"].as_array().expect("moves");
    assert!(lost.contains(&"A@d1".into()) && !lost.contains(&"A@d4".into()), "{told}");
    let solved = report(open, "ab");
    assert_eq!(length(&solved, "unknown"), 0, "{solved}");
}

/// The moves of a report's line, each with the position before.
fn line(report: &Value) -> Vec<(String, String)> {
    let step = |step: &Value| {
        assert_eq!(keys(step), ["by", "move", "position"]);
        let word = |key: &str| step[key].as_str().expect("a word").to_owned();
        assert_eq!(word("by").starts_with('w'), word("position").ends_with('w'));
        (word("position"), word("move"))
    };
    report["line"].as_array().expect("a line").iter().map(step).collect()
}

/// Where much follows, the next moves are told at once: to each white move one of Black's that stays within the list.
#[test]
fn a_large_refutation_is_answered_in_seconds() {
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,.";
    let variant = ["--variant", "A3B2-A3B3C2", "--json"];
    let begun = std::time::Instant::now();
    let report = explain(&format!("{start} w"), &variant).json();
    assert!(begun.elapsed().as_secs() < 30, "five seconds on an idle machine");
    assert_eq!((&report["value"], &report["wins_in"]), (&"lost".into(), &Value::Null));
    let moves = report["white_moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 16);
    let (certificate, _) =
        gobprove::store::read_certificate(&shipped("A3B2-A3B3C2-official-refutation.gobcert"))
            .expect("what ships");
    let set = certificate.listed(Color::White).expect("a refutation");
    let after = |position: &Position, mv: &Value| {
        let mv = mv.as_str().expect("a move").read().expect("a move");
        match certificate.claim.game.play(position, mv).expect("legal") {
            gobprove::rules::Outcome::GoesOn(next) => next,
            ended => panic!("{ended:?}"),
        }
    };
    for white in moves {
        assert_eq!(white["wins_in"], Value::Null);
        let question = after(&Position::empty(Color::White), &white["move"]);
        let next = after(&question, &white["answer"]);
        assert!(set.contains(&gobprove::symmetry::canonical(&next)), "{white}");
    }
    let black = explain(&format!("{start} b"), &variant).json();
    let next = after(&Position::empty(Color::Black), &black["black_wins_by"]);
    assert!(set.contains(&gobprove::symmetry::canonical(&next)), "{black}");
    let told = explain(&format!("{start} w"), &variant[..2]);
    assert!(
        told.ok().contains("more than 35,000 listed positions follow"),
        "of the longest there is no line"
    );
    assert!(told.ok().starts_with("4  .   .   .   .") && told.ok().contains("--to-the-end"), "{told:?}");
}

#[test]
fn a_refutation_shows_how_black_wins_whatever_white_does() {
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    let by_name = ["--variant", "A3-A3B2C2", "--reading", "thesis"];
    let report = explain(start, &[&by_name[..], &["--json"]].concat()).json();
    assert_eq!(keys(&report), KEYS);
    assert_eq!((&report["value"], &report["known_safe"]), (&"lost".into(), &Value::Null));
    assert_eq!(report["basis"], serde_json::json!(["A3-A3B2C2-thesis-refutation.gobcert"]));
    assert_eq!(report["wins_in"], line(&report).len());
    replay(&referee(&report), start, &line(&report));
    let moves = report["white_moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 16);
    let game = Game::new("A3-A3B2C2".read().expect("a variant"), gobprove::rules::Reading::Thesis);
    let empty = Position::empty(Color::White);
    // By day some.
    for white in moves.iter().step_by(if thorough() { 1 } else { 5 }) {
        assert_eq!(keys(white), ["move", "answer", "wins_in"]);
        assert!(white["wins_in"].as_u64() < report["wins_in"].as_u64());
        let mv = white["move"].as_str().expect("a move").read().expect("a move");
        let gobprove::rules::Outcome::GoesOn(next) = game.play(&empty, mv).expect("legal") else {
            panic!("{mv}")
        };
        // The file is what ships under the name, and Black to move is lost by its answers.
        let path = shipped("A3-A3B2C2-thesis-refutation.gobcert");
        let asked = next.to_string();
        let report = explain(&asked, &["--certificate", text(&path), "--json"]).json();
        assert_eq!((&report["wins_in"], &report["white_moves"]), (&white["wins_in"], &Value::Null));
        let line = line(&report);
        assert_eq!(white["answer"], line[0].1, "{asked}");
        replay(&referee(&report), &asked, &line);
    }
    let told = explain(start, &by_name);
    let head = told.ok().lines().find(|line| line.starts_with("White's move")).expect("a table");
    assert!(head.contains("Black's answer") && head.contains("Black wins in"), "{told:?}");
    assert!(
        told.stdout.contains("lost: by the refutation Black wins in at most ")
            && told.stdout.contains("four on")
    );
}

#[test]
fn outside_of_a_refutation_nothing_is_known() {
    let by_name = ["--variant", "A3-A3B2C2"];
    let outside = "A,A,a,./.,.,.,./.,.,.,./.,.,.,. w";
    let ran = explain(outside, &by_name);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stdout.contains("not known: not in the refutation"), "{ran:?}");
    // Black wins at once, listed or not.
    assert!(explain("a,b,a,./.,.,.,./.,.,.,./.,.,.,A b", &by_name).ok().contains("wins in at most 1 ply"));
}

#[test]
fn what_the_closure_alone_does_not_list_is_not_known_unless_a_win_is_found() {
    let own = tempfile::tempdir().expect("a directory");
    let path = write(own.path(), "closure.gobcert", &closure());
    let only = ["--certificate", text(&path)];
    // Black wins at once; by a closure alone that is found by looking.
    let at_once = "a,b,a,./.,.,.,./.,.,.,./.,.,.,A b";
    assert!(explain(at_once, &only).ok().contains("lost: Black wins in 1 ply"));
    let outside = "a,a,.,./.,.,.,./.,.,A,./.,b,.,. w";
    let ran = explain(outside, &[&only[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((&report["value"], &report["line"]), (&"unknown".into(), &Value::Null));
    assert!(report["not_within"].as_u64() > Some(3), "{report}");
    let told = explain(outside, &only);
    assert!(told.stdout.contains("not known: not in the closure"), "{told:?}");
    assert_eq!(explain(outside, &["--json"]).json()["value"], "safe", "by the cut that ships");
    // What White holds with A3 it holds with A3B3.
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    let report = explain(start, &["--variant", "ab-full", "--json"]).json();
    assert_eq!((&report["value"], &report["variant"]), (&"safe".into(), &"ab-full".into()));
}

#[test]
fn the_notions_of_the_thesis_are_named() {
    let typed = "Ab,Ab,A,./.,.,b,./.,.,a,./a,a,.,. w";
    let report = explain(typed, &["--json"]).json();
    assert_eq!(report["position_type"], "AAAB");
    let double = "a,b,b,./a,.,.,./a,.,.,./.,.,.,. w";
    let report = explain(double, &["--json"]).json();
    assert_eq!(report["threats"].as_array().map(Vec::len), Some(2));
    assert_eq!(keys(&report["double_threats"][0]), ["squares", "shared"]);
    assert_eq!(report["double_threats"][0]["shared"], "a4");
    let told = explain(double, &[]);
    assert!(
        told.ok().contains("Black's double threat: ") && told.stdout.contains("crossing on a4"),
        "{told:?}"
    );
}

#[test]
fn where_a_line_stands_the_game_is_decided() {
    for (position, value, winner) in [
        ("a,b,a,b/.,.,.,./.,.,.,./A,A,A,. w", "lost", "Black"),
        ("B,A,A,A/.,.,.,./.,.,.,./a,.,.,. b", "safe", "White"),
    ] {
        let report = explain(position, &["--variant", "ab-full", "--json"]).json();
        assert_eq!((&report["value"], &report["decided"]), (&value.into(), &winner.to_lowercase().into()));
        assert_eq!(report["wins_in"], if value == "lost" { Value::from(0) } else { Value::Null });
        assert!(
            explain(position, &["--variant", "ab-full"]).ok().contains(&format!("a line of {winner} stands"))
        );
    }
}

/// Where no certificate says anything a search still finds what is near.
#[test]
fn of_a_game_without_a_proof_a_search_tells_what_it_finds() {
    let wins = explain("a,a,a,1/4/4/A,A,2 b", &["--variant", "abc", "--json"]).json();
    assert_eq!((&wins["value"], &wins["wins_in"]), (&"lost".into(), &1.into()));
    assert_eq!(wins["basis"], Value::Array(Vec::new()));
    let over = explain("a,a,a,b/4/4/A,A,2 w", &["--variant", "abcd-full", "--json"]).json();
    assert_eq!((&over["value"], &over["decided"]), (&"lost".into(), &"black".into()));
    let start = explain("start", &["--variant", "abcd"]);
    let says = ["abcd official not known: nothing is proven of this game", "`gobprove estimate abcd`"];
    assert!(start.code == Some(3) && says.iter().all(|says| start.stdout.contains(says)), "{start:?}");
}

/// What ships settles the empty board of games with other pieces. Of their other positions a search tells what it finds.
#[test]
fn the_empty_board_is_settled_by_what_ships_for_other_pieces() {
    let lost = explain("start", &["--variant", "A3-A3B3C3", "--json"]).json();
    assert_eq!((&lost["value"], &lost["white_moves"]), (&"lost".into(), &Value::Null));
    assert_eq!(lost["basis"], Value::from(vec!["A3-A3B3C1-official-refutation.gobcert"]));
    let thesis = ["--variant", "ab-full", "--reading", "thesis"];
    let safe = explain("start", &thesis);
    let why = "safe: White can go on for ever without losing\nby ab-robust-closure.gobcert";
    assert!(safe.ok().contains(why) && safe.stdout.contains("known to be safe, 16"), "{safe:?}");
    // Away from the closure of a game that is worse for White its claim says something all the same.
    let own = tempfile::tempdir().expect("a directory");
    let far = ["explain", "start", "--variant", "A3B1-A3B2C1"];
    let far = Ran::of(&mut super::alone(own.path(), &far));
    let why = "safe: White can go on for ever without losing, since Black can do no more than with A3B3C1";
    assert!(far.ok().contains(why) && far.stdout.contains("not known, 16"), "{far:?}");
    let wins = explain("a,a,a,1/4/A,A,1,A/4 b", &thesis);
    assert!(wins.ok().contains("lost: Black wins in 1 ply\nby a short search"), "{wins:?}");
    let open = explain("A,3/4/4/4 b", &["--variant", "A3-A3B3C3"]);
    assert_eq!(open.code, Some(3), "{open:?}");
    let why = "not known: A3-A3B3C1-official-refutation.gobcert says something of the empty board alone";
    assert!(open.stdout.contains(why), "{open:?}");
    for (variant, why) in [("A3-A3B2C1", "computed that White holds"), ("abc", "computed that Black wins")] {
        let told = explain("start", &["--variant", variant]);
        assert!(told.stdout.contains(why), "{told:?}");
    }
}

#[test]
fn what_cannot_be_explained_says_why() {
    let own = tempfile::tempdir().expect("a directory");
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    explain("Aa,.,.,./.,.,.,./.,.,.,./.,.,.,. w", &[])
        .error(2, &["POSITION", "a4 holds two", "explain --help"]);
    explain("x", &[]).error(2, &["side to move"]);
    gobprove(&["explain"]).error(2, &["<POSITION>"]);
    explain(start, &["--certificate", "missing.gobcert"]).error(4, &["cannot read", "missing.gobcert"]);
    let path = write(own.path(), "closure.gobcert", &closure());
    explain(start, &["--certificate", text(&path), "--reading", "robust"])
        .error(1, &["ab official draw closure", "ab robust"]);
    explain(start, &["--certificate", text(&path), "--variant", "abc"]).error(1, &["says nothing of abc"]);
    fs::write(&path, b"nonsense").expect("written");
    explain(start, &["--certificate", text(&path)]).error(1, &["is no certificate"]);
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = command(&["explain", LOST]).stdout(writer).status().expect("the program starts");
    assert_eq!(status.code(), Some(0));
}

/// Also where questions come for ever.
#[test]
fn a_reader_that_went_away_is_answered_no_more() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut asking = command(&["explain", "-", "--variant", "A1-A2B1"]);
    let mut child = asking.stdin(Stdio::piped()).stdout(writer).spawn().expect("the program starts");
    // The command holds the other end.
    drop(asking);
    let mut input = child.stdin.take().expect("a pipe");
    let asks = std::thread::spawn(move || while input.write_all(b"start\n").is_ok() {});
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    asks.join().expect("nobody reads any more");
}

#[test]
fn what_is_no_piece_is_not_called_one_of_blacks() {
    explain("start w", &["--moves", "a@b2"]).error(2, &["a is a piece of Black's, and White is to move"]);
    for (variant, moves) in [("abcd", "@b2"), ("abcd", "x@b2"), ("junior", "@b2"), ("junior", "x@b2")] {
        let ran = explain("start w", &["--variant", variant, "--moves", moves]);
        assert!(ran.code == Some(2) && !ran.stderr.contains("is a piece of Black's"), "{ran:?}");
    }
}

#[test]
fn a_position_that_cannot_be_read_is_named_before_a_game_is_solved() {
    for variant in ["junior", "A2-A3B3"] {
        let ran = explain("nonsense", &["--variant", variant, "--verbose"]);
        assert!(ran.code == Some(2) && ran.stderr.contains("nonsense"), "{ran:?}");
        assert!(!ran.stderr.contains("solving"), "{ran:?}");
    }
}

/// What a cut keeps out of may be held: a small game is solved beside it.
#[test]
fn a_cut_hides_nothing_that_a_solution_says() {
    let report = explain(".,.,b,./.,.,.,b/.,.,.,a/a,a,A,. b", &["--moves", "d2-a2", "--json"]).json();
    assert_eq!(report["unknown"], Value::Array(Vec::new()), "{report}");
    assert!(report["known_lost"].as_array().is_some_and(|moves| moves.contains(&"c1-b2".into())), "{report}");
}

/// A game that is solved on the spot is known to the last ply, also where a search would end before the win.
#[test]
fn what_is_solved_on_the_spot_says_in_how_many_plies() {
    let own = tempfile::tempdir().expect("a directory");
    let file = super::text(&own.path().join("solved")).to_owned();
    let solve = ["solve", "A2-A3B3", "--out", &file, "--distances", "--quiet"];
    gobprove(&solve).ok();
    for start in ["start w", "start b"] {
        let report = explain(start, &["--variant", "A2-A3B3", "--json"]).json();
        let asked = gobprove(&["query", "A2-A3B3", start, "--file", &file, "--json"]).json();
        assert_eq!((&report["value"], &asked["value"]), (&"lost".into(), &"lost".into()));
        assert_eq!(report["wins_in"], asked["plies"]);
        assert!(asked["plies"].as_u64().is_some_and(|plies| plies > 10), "{asked}");
        assert_eq!(report["line"].as_array().map(Vec::len), asked["plies"].as_u64().map(|n| n as usize));
    }
    let report = explain("start w", &["--variant", "A2-A3B3", "--json"]).json();
    let moves = report["white_moves"].as_array().expect("moves");
    let plies: Vec<u64> = moves.iter().map(|mv| mv["wins_in"].as_u64().expect("a number")).collect();
    assert!(moves.len() == 16 && plies.is_sorted_by(|a, b| a >= b), "{report}");
    assert_eq!(Some(plies[0] + 1), report["wins_in"].as_u64());
    a_solved_variant_says_the_same(&file, &report);
}

/// As what was solved on the spot, with distances; without them how Black keeps its win. What cannot be read is told.
fn a_solved_variant_says_the_same(file: &str, report: &Value) {
    let by_file = |start: &str| explain(start, &["--variant", "A2-A3B3", "--solved", file, "--json"]);
    let mut said = by_file("start w").json();
    assert_eq!(said["basis"], Value::from(vec![file]));
    said["basis"] = report["basis"].clone();
    assert_eq!(&said, report);

    fs::remove_file(format!("{file}.plies")).expect("the distances");
    let said = by_file("start w").json();
    assert_eq!((&said["value"], &said["wins_in"]), (&"lost".into(), &Value::Null));
    let kept = said["white_moves"].as_array().expect("moves");
    assert_eq!(kept.len(), 16);
    for white in kept {
        let moves = [&white["move"], &white["answer"]].map(|mv| mv.as_str().expect("a move"));
        let asked = ["query", "A2-A3B3", "start", "--moves", &moves.join(" "), "--file", file, "--json"];
        assert_eq!(gobprove(&asked).json()["value"], "lost", "{white}");
    }
    let by = by_file("start b").json()["black_wins_by"].as_str().map(str::to_owned).expect("a move");
    let asked = ["query", "A2-A3B3", "start b", "--moves", &by, "--file", file, "--json"];
    assert_eq!(gobprove(&asked).json()["value"], "lost", "{by}");
    // The game is that of the file.
    let told = explain("start", &["--solved", file]);
    let next =
        format!("does not say how soon; gobprove solve A2-A3B3 --reading official --out {file} --distances");
    assert!(told.ok().contains(&next), "{told:?}");

    let mut bytes = fs::read(file).expect("the file");
    let blocks = bytes.len() / 10;
    bytes[blocks..].fill(0x55);
    fs::write(file, &bytes).expect("the file");
    let full = "A,A,.,a/a,b,.,./.,a,.,b/b,.,.,. w";
    explain(full, &["--variant", "A2-A3B3", "--solved", file, "--json"])
        .error(4, &["cannot be used", file, "writes it anew"]);
    explain("start", &["--solved", file, "--variant", "ab"])
        .error(4, &["not ab official", "give that variant"]);
}

/// What lies in the folder is asked before what ships; of a game in which the sides are alike it says too how soon White wins.
#[test]
fn a_solved_variant_that_lies_here_is_asked() {
    let own = tempfile::tempdir().expect("a directory");
    let here = |args: &[&str]| Ran::of(command(args).current_dir(own.path()));
    here(&["solve", "A2B2-A2B2", "--distances", "--quiet"]).ok();
    let won = "A,A,B,./.,.,.,./.,.,.,./a,a,.,. w";
    let args = ["explain", won, "--variant", "A2B2-A2B2", "--json"];
    let report = here(&args).json();
    assert_eq!(report["basis"][0], "A2B2-A2B2-official.gobsolved", "{report}");
    let queried = here(&["query", "A2B2-A2B2", won, "--json"]).json();
    assert_eq!((&report["white_wins_in"], &queried["plies"]), (&1.into(), &1.into()));
    assert_eq!(report["white_wins_by"], "B@d4");
    // Nobody named it, so what is wrong with it keeps nobody from the answer.
    fs::write(own.path().join("A2B2-A2B2-official.gobsolved"), "x").expect("written");
    let ran = here(&args);
    assert_eq!(ran.json()["value"], "safe");
    assert!(ran.stderr.starts_with("note: ") && ran.stderr.contains("writes it anew"), "{ran:?}");
}

/// A refutation shows a win that may take longer than the shortest, which a solved variant with distances knows.
#[test]
fn distances_come_before_a_refutation() {
    let own = tempfile::tempdir().expect("a directory");
    let here = |args: &[&str]| Ran::of(command(args).current_dir(own.path()));
    here(&["refute", "A1-A3B1", "--out", "r.gobcert", "--quiet"]).ok();
    here(&["solve", "A1-A3B1", "--distances", "--out", "s.gobsolved", "--quiet"]).ok();
    let by = ["explain", "start", "--certificate", "r.gobcert", "--solved", "s.gobsolved", "--json"];
    let plies = &here(&["query", "A1-A3B1", "start", "--file", "s.gobsolved", "--json"]).json()["plies"];
    assert!(plies.as_u64().is_some_and(|plies| plies > 4), "{plies}");
    assert_eq!(&here(&by).json()["wins_in"], plies);
    let text = here(&by[..6]);
    assert!(text.ok().contains(&format!("lost: Black wins in {plies} plies")), "{text:?}");
    let text = here(&by[..4]);
    assert!(text.ok().contains("lost: by the refutation Black wins in at most "), "{text:?}");
}

/// A picture needs no certificate; where Black's win is known it has a board for each ply.
#[test]
fn a_position_is_drawn_and_a_forced_win_board_by_board() {
    let own = tempfile::tempdir().expect("a directory");
    let file = super::text(&own.path().join("picture.svg")).to_owned();
    let picture = || std::fs::read_to_string(&file).expect("a picture");
    let boards = |svg: &str| svg.matches("<g ").count();
    let won = ".,.,b,./A,a,.,./.,.,a,A/Ab,ab,.,. b";
    let report = explain(won, &["--svg", &file, "--json"]).json();
    let plies = report["wins_in"].as_u64().expect("a number") as usize;
    assert_eq!(boards(&picture()), plies + 1, "one before each ply, and the last");
    assert!(picture().contains(">1. Black "), "{}", picture());
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/src/picture/win.svg");
    assert!(picture() == std::fs::read_to_string(readme).expect("the picture in README.md"));
    explain("start", &["--svg", &file]).ok();
    assert_eq!((boards(&picture()), picture().matches("<circle").count()), (1, 0));
    // Nothing is known of it, and it is drawn.
    std::fs::remove_file(&file).expect("it was drawn");
    let unknown = "A,a,b,./.,.,.,./.,.,.,./.,.,Bc,. w";
    assert_eq!(explain(unknown, &["--variant", "abcd", "--svg", &file]).code, Some(3));
    assert_eq!((boards(&picture()), picture().matches("<circle").count()), (1, 5));
    explain("start", &["start b", "--svg", &file]).error(2, &["--svg draws one position"]);
    // As PNG it has two pixels a unit, and a piece where the SVG has one: the a on b3, in the first board and in no other row.
    let painted = super::text(&own.path().join("picture.png")).to_owned();
    explain(won, &["--svg", &file, "--png", &painted]).ok();
    let png = std::fs::read(&painted).expect("a picture");
    let pixels = resvg::tiny_skia::Pixmap::decode_png(&png).expect("PNG");
    let size = format!("width=\"{}\" height=\"{}\"", pixels.width() / 2, pixels.height() / 2);
    assert!(picture().contains(&size), "{size}");
    let is_dark = |x: u32, y: u32| pixels.pixel(2 * x, 2 * y).is_some_and(|pixel| pixel.red() == 0x33);
    assert!(is_dark(80, 84) && !is_dark(120, 84));
    assert_eq!(png, gobprove::picture::png(&picture()).expect("painted"));
    explain("start", &["--png", "-"]).error(2, &["./- names a file called -"]);
    explain("start", &["start b", "--png", &painted]).error(2, &["--png draws one position"]);
    explain("start", &["--variant", "junior", "--png", &painted]).error(2, &["--png"]);
}

#[test]
fn a_certificate_that_is_not_at_hand_is_named_once() {
    let own = tempfile::tempdir().expect("a directory");
    let ran = Ran::of(&mut super::alone(own.path(), &["explain", "start", "--variant", "A3B1-A3B3C1"]));
    ran.error(4, &["not at hand", "GOBPROVE_CERTIFICATES=FOLDER"]);
    assert_eq!(ran.stderr.matches("A3B1-A3B3C1-official-closure.gobcert").count(), 1, "{ran:?}");
}
