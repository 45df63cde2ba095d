//! Readers that went away, disks that are full, and positions that come in by stdin.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::pipe;

use serde_json::Value;

use super::certificates::shipped;
use super::{Ran, command, gobprove, text};

/// Runs it with a stdout that nobody reads.
fn unread(arguments: &[&str]) -> Ran {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let output = command(arguments).stdout(writer).output().expect("the program starts");
    Ran {
        code: output.status.code(),
        stdout: String::new(),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

#[test]
fn a_closed_pipe_is_no_error_and_no_panic() {
    let certificate = shipped("ab-official-closure.gobcert");
    for arguments in [
        &["count", "-v"][..],
        &["count", "--json"],
        &["perft", "3"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
        &["info", text(&certificate)],
        &["verify", text(&certificate)],
    ] {
        let ran = unread(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_does_not_hide_a_refusal() {
    let directory = tempfile::tempdir().expect("a directory");
    let empty = directory.path().join("empty.gobcert");
    File::create(&empty).expect("a file");
    let ran = unread(&["verify", text(&empty), "--json"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("the file is empty"), "{ran:?}");
}

#[test]
fn errors_that_nobody_reads_are_no_panic() {
    for (arguments, code) in [
        (&["verify", "no-such-file.gobcert"][..], 4),
        (&["verify", "nonsense"], 2),
        (&["perft", "1", "--position", ""], 2),
    ] {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let status = command(arguments).stderr(writer).status().expect("the program starts");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_an_error() {
    for arguments in [&["count"][..], &["count", "--json"], &["perft", "2"], &["verify", "ab", "--quiet"]] {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let output = command(arguments).stdout(full).output().expect("the program starts");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: cannot write the result to stdout"), "{stderr}");
    }
}

/// The objects of an output that has one a line.
fn lines(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect()
}

/// Three positions, one of them written wrong, and an empty line.
const LINES: &str = "start w\n\nA,x/4/4/4 b\nA,3/4/4/4 b\n";

#[test]
fn lines_of_stdin_are_answered_in_order_and_a_bad_one_by_an_error_in_its_place() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = text(&dir.path().join("solved")).to_owned();
    gobprove(&["solve", "A1B1-A1B1", "--out", &file]).ok();
    let positions = dir.path().join("positions");
    fs::write(&positions, LINES).expect("written");
    let stdin = || File::open(&positions).expect("opened");
    let asked = Ran::of(command(&["query", "A1B1-A1B1", "-", "--file", &file, "--json"]).stdin(stdin()));
    assert_eq!(asked.code, Some(2), "{asked:?}");
    let [start, wrong, placed] = &lines(&asked.stdout)[..] else { panic!("{asked:?}") };
    assert_eq!(start["position"], ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
    assert_eq!((&wrong["code"], &wrong["line"]), (&"usage".into(), &3.into()));
    assert_eq!(placed["position"], "A,.,.,./.,.,.,./.,.,.,./.,.,.,. b");
    // Two pieces of a side make no line, so nobody wins anything.
    assert_eq!([&start["value"], &placed["value"]], ["draw"; 2]);
    assert_eq!(placed["moves"].as_array().map(Vec::len), Some(15), "A goes to every square but White's");
    let brief = ["query", "A1B1-A1B1", "-", "--file", &file, "--json", "--brief"];
    let brief = Ran::of(command(&brief).stdin(stdin()));
    let answers = lines(&brief.stdout);
    assert_eq!(answers.len(), 3);
    assert!(answers[0]["moves"].is_null() && answers[0]["value"] == "draw", "{answers:?}");
}

/// A board stands for one position, with the number of its first line where something is wrong with it.
#[test]
fn boards_and_lines_of_stdin_are_told_apart() {
    let dir = tempfile::tempdir().expect("a directory");
    let positions = dir.path().join("positions");
    let board = "4  A   .   .   .\n3  .   .   .   .\n2  .   .   .   .\n1  .   .   .   .\n   a   b   c   d    Black to move\n";
    let wrong = board.replacen('A', "x", 1);
    fs::write(&positions, format!("start\n{board}\n{wrong}4/4/4/A,3 b\n{board}")).expect("written");
    let stdin = File::open(&positions).expect("opened");
    let asked = Ran::of(command(&["explain", "-", "--json"]).stdin(stdin));
    assert_eq!(asked.code, Some(2), "{asked:?}");
    let [start, drawn, wrong, line, last] = &lines(&asked.stdout)[..] else { panic!("{asked:?}") };
    assert_eq!(start["position"], ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
    assert_eq!(drawn["position"], "A,.,.,./.,.,.,./.,.,.,./.,.,.,. b");
    assert!(wrong["error"].as_str().is_some_and(|error| error.contains("'x' on a4 is no piece")), "{wrong}");
    assert_eq!(wrong["line"], 8);
    assert_eq!(line["position"], ".,.,.,./.,.,.,./.,.,.,./A,.,.,. b");
    assert_eq!(last["position"], drawn["position"]);
}

/// What is missing of a board is told, and takes nothing from what follows.
#[test]
fn a_board_that_breaks_off_leaves_the_next_position_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    let positions = dir.path().join("positions");
    let ranks = "4  A   .   .   .\n3  .   .   .   .\n2  .   .   .   .\n1  .   .   .   .\n";
    let foot = "   a   b   c   d";
    for broken in [format!("{ranks}{foot}\n"), ranks.to_owned(), ranks[..34].to_owned()] {
        fs::write(&positions, format!("{broken}{ranks}{foot}    Black to move\n4  / 4 / 4 / 4 w\nstart b\n"))
            .expect("written");
        let stdin = File::open(&positions).expect("opened");
        let asked = Ran::of(command(&["explain", "-", "--json"]).stdin(stdin));
        let [wrong, drawn, spaced, last] = &lines(&asked.stdout)[..] else { panic!("{asked:?}") };
        assert_eq!((&wrong["code"], &wrong["line"]), (&"usage".into(), &1.into()));
        assert_eq!(drawn["position"], "A,.,.,./.,.,.,./.,.,.,./.,.,.,. b");
        assert_eq!(spaced["position"], ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
        assert_eq!(last["position"], ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b");
    }
    fs::write(&positions, "3  L   .   .\n2  .   .   .\n1  .   .   .\nL,2/1,s,1/3 w\n").expect("written");
    let file = dir.path().join("junior.gobsolved");
    super::solved_junior::solved_junior(&file);
    let junior = ["explain", "-", "--variant", "junior", "--solved", text(&file), "--json"];
    let asked = Ran::of(command(&junior).stdin(File::open(&positions).expect("opened")));
    let [wrong, last] = &lines(&asked.stdout)[..] else { panic!("{asked:?}") };
    assert_eq!(
        (&wrong["code"], &last["turn"]),
        (&"usage".into(), &"white".into()),
        "whose move it is, nobody said"
    );
}

#[test]
fn explain_answers_several_arguments_by_an_object_a_line() {
    let asked = gobprove(&["explain", "start w", "start b", "--json"]);
    let answers = lines(asked.ok());
    let positions: Vec<&Value> = answers.iter().map(|answer| &answer["position"]).collect();
    assert_eq!(positions, [".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b"]);
}
