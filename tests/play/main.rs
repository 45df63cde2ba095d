//! Playing: games through a pipe, the conversation with other programs, matches, and the engine beside solved variants.

#![cfg(unix)]

mod junior;
mod proofs;
mod screen;
mod solved;
#[path = "../support/junior.rs"]
mod solved_junior;
mod suites;
#[path = "../support/thorough.rs"]
mod thorough;
#[path = "../support/tty.rs"]
mod tty;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    command.args(arguments).current_dir(std::env::temp_dir());
    command.env("GOBPROVE_CERTIFICATES", concat!(env!("CARGO_MANIFEST_DIR"), "/certificates"));
    command
}

/// Runs `gobprove` with lines on stdin.
fn given(arguments: &[&str], lines: &str) -> Output {
    let mut command = command(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(lines.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[track_caller]
fn told(arguments: &[&str], lines: &str) -> String {
    let output = given(arguments, lines);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A player for the command line: a program that speaks UGI and, asked for a move, does what a shell script says.
fn program(folder: &Path, then: &str) -> String {
    let path = folder.join("program");
    let polite = "read a; echo ugiok; read b; read c; read d; read e; echo readyok; read f; read g;";
    std::fs::write(&path, format!("{polite} {then}")).expect("written");
    format!("ugi:sh {}", text(&path))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn a_game_through_a_pipe_shows_the_board_and_names_the_rule_that_forbids_a_move() {
    let lines =
        "A@b2\nB@c3\nb2\nB@\nC@c3\nA@a1\nB@b2\na1-c3\nd4-c3\nhint\nboard\nundo\nmoves\ncastle\nresign\n";
    let told = told(&["play", "--white", "human", "--black", "human"], lines);
    for words in [
        "White has in hand A3 B3 C3 D3",
        "last move A@b2, by White",
        "B@c3 is not legal: Black's next B is still inside its stack: the A over it has to be played first (R2)",
        "the visible piece on b2 is White's A, and Black is to move (R5)",
        "C@c3 is not legal",
        "B@b2 is not legal: b2 holds a piece of White's own",
        "\"castle\" is not a move",
        "White wins: Black resigns",
        "[Result \"1-0\"]",
        "1. A@b2\n",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(told.contains("estimate") && told.contains("(search, depth"), "{told}");
}

#[test]
fn black_pieces_may_be_in_small_letters_as_on_the_board() {
    let told = told(&["play", "--white", "human", "--black", "human"], "a@b2\nA@a1\na@c3\nresign\n");
    assert!(told.contains("a is a piece of Black's, and White is to move"), "{told}");
    assert!(told.contains("last move A@c3, by Black") && told.contains("1. A@a1 A@c3\n"), "{told}");
}

#[test]
fn a_certificate_of_another_game_is_rejected_as_by_explain() {
    let closure = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates/ab-official-closure.gobcert");
    let output = given(&["play", "--variant", "abc", "--certificate", closure], "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("which says nothing of abc official"),
        "{output:?}"
    );
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed: &str| {
        told(&["play", "--white", "level:3", "--black", "level:2", "--seed", seed, "--most", "30"], "")
    };
    assert_eq!(game("5"), game("5"));
    assert!(["6", "7", "8"].iter().any(|seed| game(seed) != game("5")));
}

#[test]
fn a_game_is_saved_and_goes_on_where_it_was() {
    let own = tempfile::tempdir().expect("a directory");
    let path = own.path().join("game.pgn");
    let file = text(&path);
    let people = ["play", "--variant", "abc", "--white", "human", "--black", "human"];
    told(&people, &format!("A@a1\na@d4\nA@d4\nsave {file}\n"));
    let saved = std::fs::read_to_string(&path).expect("saved");
    assert!(saved.contains("[Variant \"abc\"]") && saved.contains("1. A@a1 A@d4"), "{saved}");
    let again = told(&[&people[..], &["--load", file]].concat(), "a1-b2\nquit\n");
    assert!(again.contains("2. a1-b2"), "{again}");
    let loaded = told(&people, &format!("load {file}\na1-c1\nquit\n"));
    assert!(loaded.contains("2. a1-c1"), "{loaded}");
    // A game that begins with a line is over from the start. Where both sides have one Black has won (R6).
    told(&people, &format!("save {file}\nquit\n"));
    let begun = std::fs::read_to_string(&path).expect("saved");
    let (empty, line) = (".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "b,a,b,a/.,.,.,./.,.,.,./A,A,A,B w");
    assert!(begun.contains(empty), "{begun}");
    std::fs::write(&path, begun.replace(empty, line)).expect("written");
    let over = told(&[&people[..], &["--load", file, "--review"]].concat(), "undo\nA@b2\nquit\n");
    assert!(over.contains("the game was over before its first move: Black wins"), "{over}");
    std::fs::write(&path, saved.replace("A@d4", "B@d4")).expect("written");
    let refused = given(&[&people[..], &["--load", file]].concat(), "");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(R2)"), "{refused:?}");
}

#[test]
fn a_loaded_game_names_who_plays_now() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("game.pgn")).to_owned();
    let people = ["play", "--variant", "abc", "--white", "human", "--black", "human"];
    told(&people, &format!("A@a1\nsave {file}\nquit\n"));
    let at_start = told(&["play", "--load", &file, "--black", "random"], "quit\n");
    let inside = told(&["play", "--variant", "abc", "--black", "random"], &format!("load {file}\nquit\n"));
    for told in [at_start, inside] {
        assert!(told.contains("[Black \"random\"]") && told.contains("1. A@a1 "), "{told}");
    }
    let note = "note: the saved game was played by human with White and human with Black; now it is human and random,";
    let others = given(&["play", "--load", &file, "--black", "random"], "quit\n");
    assert!(String::from_utf8_lossy(&others.stderr).starts_with(note), "{others:?}");
    let same = given(&[&people[..], &["--load", &file]].concat(), "save\nload\nquit\n");
    assert!(same.stderr.is_empty(), "{same:?}");
    let told = String::from_utf8_lossy(&same.stdout);
    assert!(told.contains("name the file: save FILE\nname the file: load FILE\n"), "{told}");
}

#[test]
fn what_is_given_beside_a_saved_game_is_as_it_says() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("game.pgn")).to_owned();
    let people = |more: &[&str], lines: &str| {
        let seats = ["--white", "human", "--black", "human"];
        given(&[&["play"][..], more, &seats].concat(), lines)
    };
    let save = format!("save {file}\nquit\n");
    let alike = ["--variant", "abc", "--reading", "official", "--first", "white", "--seed", "7"];
    people(&alike, &save);
    let again = people(&[&alike[..], &["--load", &file]].concat(), "");
    let told = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && told.contains("[Seed \"7\"]"), "{again:?}");
    for other in [
        &["abcd-full"][..],
        &["--variant", "ab"],
        &["--reading", "robust"],
        &["--first", "black"],
        &["--seed", "1"],
    ] {
        let refused = people(&[other, &["--load", &file]].concat(), "");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains("the saved game has"), "{refused:?}");
    }
    let junior = ["junior", "--memory", "10M"];
    people(&junior, &save);
    let refused = people(&[&junior[..], &["--load", &file, "--first", "black"]].concat(), "");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
}

#[test]
fn a_line_is_one_move_or_one_word() {
    let lines = "A@b2 A@c3\nresign now\nA@a1\nundo undo\nquit\n";
    let told = told(&["play", "--white", "human", "--black", "human"], lines);
    for line in ["A@b2 A@c3", "resign now", "undo undo"] {
        assert!(told.contains(&format!("{line:?} is more than one move or word")), "{line}: {told}");
    }
    assert!(told.contains("1. A@a1\n*"), "{told}");
}

/// What is broken between words cannot be loaded.
#[test]
fn a_narrow_terminal_shows_the_record_unbroken() {
    let (mut ours, theirs) = tty::terminal(40);
    let mut command = command(&["play", "--white", "human", "--black", "human"]);
    let mut child = command.stdin(Stdio::null()).stdout(theirs).spawn().expect("the program starts");
    // The command holds the other end, and would keep it open.
    drop(command);
    let mut shown = Vec::new();
    // It ends with an error when nobody holds the other end.
    let _ = ours.read_to_end(&mut shown);
    assert!(child.wait().expect("it ends").success());
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("[Start \".,.,.,./.,.,.,./.,.,.,./.,.,.,. w\"]"), "{shown}");
}

#[test]
fn a_game_has_no_more_moves_than_are_asked_for() {
    let own = tempfile::tempdir().expect("a directory");
    let file = text(&own.path().join("game.pgn")).to_owned();
    told(&["play", "--white", "human", "--black", "human"], &format!("A@a1\nA@b2\nA@c3\nsave {file}\n"));
    let random = ["play", "--white", "random", "--black", "random", "--most"];
    let told = told(&[&random[..], &["2", "--load", &file]].concat(), "");
    assert!(told.contains("a draw: 2 moves") && !told.contains(" plays "), "{told}");
    for none in [&[&random[..], &["0"]].concat()[..], &["match", "random", "random", "--most", "0"]] {
        assert_eq!(given(none, "").status.code(), Some(2), "{none:?}");
    }
}

/// White's moves come from the closure, and Black never wins.
#[test]
fn what_is_proven_is_played_and_named() {
    for seed in ["1", "2", "3"] {
        let told = told(
            &[
                "play",
                "--variant",
                "ab",
                "--white",
                "engine",
                "--black",
                "random",
                "--seed",
                seed,
                "--most",
                "60",
            ],
            "",
        );
        assert!(told.contains("proven: White holds (ab-official-closure.gobcert)"), "{told}");
        assert!(!told.contains("estimate") && !told.contains("Black wins"), "{told}");
    }
    let told = told(
        &[
            "play",
            "--variant",
            "A3-A3B3C1",
            "--white",
            "random",
            "--black",
            "engine",
            "--seed",
            "4",
            "--most",
            "80",
        ],
        "",
    );
    assert!(
        told.contains("proven: Black wins in 1 ply") && told.contains("Black wins: four in a line"),
        "{told}"
    );
}

#[test]
fn no_draw_is_taken_where_black_is_proven_to_win() {
    let told = told(&["play", "A2B2-A3B3"], "draw\nquit\n");
    assert!(told.contains("Black plays on") && told.contains("[Result \"*\"]"), "{told}");
}

#[test]
fn another_program_asks_by_ugi() {
    let lines = "ugi\nisready\nsetoption name Variant value abc\nsetoption name Hash value 0\nnonsense\nuginewgame\n\
                 position startpos moves A@a1 A@d4\nquery p1turn\nquery gameover\ngo nodes 500\n\
                 position fen b,a,.,a/.,.,.,./A,.,.,./.,.,.,A b\ngo depth 2\n\
                 position startpos moves B@a1\n\
                 position fen 4/4/4/4, b\ngo nodes 10\nposition fen A,3/4/4/a,a,a,1 b\nquery p1turn\n\
                 position startpos moves A@a1 a@b2\nquery p1turn\n\
                 position fen b,a,b,a/.,.,.,./.,.,.,./A,A,A,B w\nquery gameover\nquery result\ngo depth 1\n\
                 position startpos\ngo p1time 600 p2time 600\ngo nodez 5\ngo nodes\nquit\n";
    let told = told(&["ugi"], lines);
    for words in [
        "id name gobprove ",
        "option name Variant ",
        "ugiok\n",
        "readyok\n",
        "info string Hash is 1 to 4096\n",
        "info string \"nonsense\" is no command\n",
        "response true\nresponse false\ninfo depth ",
        " nodes ",
        // Three in a line and a piece for the fourth: proven.
        " score mate 1 ",
        "bestmove ",
        "info string B@a1 is not legal: White's next B is still inside its stack",
        // Digits for empty squares, as in the other commands; one square too many is told.
        "info string rank 1 must have 4 squares separated by ','; found 5\n\
         info string the last position was refused\nbestmove none\nresponse false\nresponse true\n",
        "response true\nresponse p2win\n",
        // A search whose limit is not understood might not end.
        "p1inc MS, p2inc MS and infinite, not \"nodez\"\nbestmove none\n\
         info string nodes takes a number\nbestmove none\n",
        "bestmove none\n",
    ] {
        assert!(told.contains(words), "{words:?}: {told}");
    }
}

/// Nobody says stop or ends the input: the clock alone ends the search.
#[test]
fn a_move_by_the_clock_comes_without_a_stop() {
    let mut program = command(&["ugi"]);
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(b"position startpos\ngo p1time 600 p2time 600\n").expect("it reads");
    let out = BufReader::new(child.stdout.take().expect("piped"));
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let best = out.lines().map_while(Result::ok).find(|line| line.starts_with("bestmove "));
        tell.send(best)
    });
    let best = told.recv_timeout(std::time::Duration::from_secs(60));
    child.kill().and_then(|()| child.wait()).expect("it ends");
    assert!(best.is_ok_and(|best| best.is_some()), "no move came");
}

/// `gobprove play` asks `gobprove ugi`: the game is the one that the engine plays by itself with as many positions a move.
#[test]
fn the_engine_plays_through_ugi_and_a_program_that_does_not_loses() {
    let program = format!("ugi:{} ugi", assert_cmd::cargo::cargo_bin!("gobprove").display());
    let told = told(
        &[
            "play",
            "--white",
            "random",
            "--black",
            &program,
            "--nodes",
            "3000",
            "--most",
            "60",
            "--variant",
            "abc-full",
        ],
        "",
    );
    assert!(told.contains("Black wins: four in a line"), "{told}");
    let output = given(&["match", "ugi:/nowhere/program", "random", "--games", "2"], "");
    assert!(output.status.code() == Some(4) && output.stdout.is_empty(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("\"/nowhere/program\""), "{output:?}");
    let output = given(&["play", "--white", "random", "--black", "ugi:false"], "");
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("has ended"), "{output:?}");
    let own = tempfile::tempdir().expect("a directory");
    let lies = self::program(own.path(), "echo bestmove D@a1");
    let table = self::told(&["match", &lies, "random", "--games", "2", "--opening", "0", "--json"], "");
    let table: serde_json::Value = serde_json::from_str(&table).expect("JSON");
    assert_eq!(table["pairs"][0]["lost"], 2, "{table}");
}

/// A tournament of three players that is kept in a log.
fn tournament(log: &str) -> Vec<&str> {
    let fixed = "match level:1 random nodes:300 --games 4 --variant abc-full --seed 9 --log";
    fixed.split(' ').chain([log]).collect()
}

#[test]
fn a_match_that_was_killed_goes_on_to_the_same_end() {
    let own = tempfile::tempdir().expect("a directory");
    let (whole, cut) = (own.path().join("whole.log"), own.path().join("cut.log"));
    let of = |log: &Path| told(&tournament(text(log)), "");
    let table = of(&whole);
    let log = std::fs::read_to_string(&whole).expect("a log");
    assert_eq!(log.lines().count(), 1 + 12, "{log}");
    let begun: Vec<&str> = log.lines().take(6).collect();
    std::fs::write(&cut, format!("{}\n", begun.join("\n"))).expect("written");
    assert_eq!(of(&cut), table);
    assert_eq!(std::fs::read_to_string(&cut).expect("a log"), log);
    // Both games of a pair begin alike.
    let games: Vec<serde_json::Value> =
        log.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let opening = |game: &serde_json::Value| {
        let moves = game["moves"].as_str().expect("moves").to_owned();
        moves.split(' ').take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(opening(&games[0]), opening(&games[1]));
    assert_ne!(opening(&games[0]), opening(&games[2]));
    let other = given(&["match", "level:1", "random", "--log", text(&whole)], "");
    assert_eq!(other.status.code(), Some(4), "{other:?}");
    let said = String::from_utf8_lossy(&other.stderr);
    let differs = [
        "another match: ",
        "match was [\"level:1\",\"random\",\"nodes:300\"] and is [\"level:1\",\"random\"]",
    ];
    assert!(
        differs.iter().all(|words| said.contains(words)) && said.contains("seed was 9 and is "),
        "{said}"
    );
    assert!(!said.contains("opening was"), "{said}");
    for (wrong, says) in [("", "is empty"), ("no JSON\n", "is no log of a match")] {
        std::fs::write(&cut, wrong).expect("written");
        let refused = given(&tournament(text(&cut)), "");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(4) && said.contains(says), "{refused:?}");
    }
    std::fs::write(&cut, log.replace("\"number\"", "\"numb")).expect("written");
    let torn = given(&tournament(text(&cut)), "");
    assert_eq!(torn.status.code(), Some(4), "{torn:?}");
    assert!(String::from_utf8_lossy(&torn.stderr).contains("line 2"), "{torn:?}");
}

#[test]
fn an_interrupted_match_prints_the_table_of_its_finished_games() {
    let own = tempfile::tempdir().expect("a directory");
    let lies = program(own.path(), "echo bestmove D@a1");
    let mut command = command(&["match", &lies, "random", "--games", "100000", "--opening", "0"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut errors = BufReader::new(child.stderr.take().expect("piped"));
    let mut said = String::new();
    // A game that is lost by a mistake is told when it has ended.
    while !said.contains("note: game 1 of ") {
        assert!(errors.read_line(&mut said).expect("text") > 0, "{said}");
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    errors.read_to_string(&mut said).expect("text");
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(130) && told.contains("against"), "{output:?}");
    assert!(said.contains("the table of the finished games is printed") && said.contains("--log"), "{said}");
}

#[test]
fn three_players_have_tables_of_each_against_each_and_a_chart() {
    let own = tempfile::tempdir().expect("a directory");
    let json = text(&own.path().join("match.json")).to_owned();
    let players =
        ["match", "random", "depth:1", "nodes:50", "--games", "4", "--seed", "5", "--variant", "abc"];
    let tables = told(&players, "");
    let of = |name: &str| -> Vec<Vec<String>> {
        let lines = tables.lines().skip_while(|line| !line.starts_with(name)).skip(1).take(3);
        lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let (scores, moves) = (of("score, %"), of("moves"));
    let number = |cell: &String| cell.parse::<f64>().expect("a number");
    // A player has no cell against itself, so that each row has its name and two numbers.
    for (row, column, back) in [(0, 1, 1), (0, 2, 1), (1, 2, 2)] {
        assert!(
            (number(&scores[row][column]) + number(&scores[column][back]) - 100.0).abs() < 0.11,
            "{tables}"
        );
        assert_eq!(moves[row][column], moves[column][back], "{tables}");
    }
    let result = told(&[&players[..], &["--json"]].concat(), "");
    let pairs: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    let first = &pairs["pairs"][0];
    let score =
        first["won"].as_f64().zip(first["drawn"].as_f64()).map(|(won, drawn)| 25.0 * (won + drawn / 2.0));
    assert_eq!(score, Some(number(&scores[0][1])), "{tables}");
    std::fs::write(&json, &result).expect("written");
    let chart = told(&["plot", "match", &json], "");
    for words in
        ["random against depth:1", "random against nodes:50", "depth:1 against nodes:50", "of 4 games"]
    {
        assert!(chart.contains(words), "{words}: {chart}");
    }
    std::fs::write(&json, result.replace("median_moves", "median")).expect("written");
    assert_eq!(given(&["plot", "match", &json], "").status.code(), Some(2));
}
