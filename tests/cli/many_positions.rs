//! `gobprove query` and `gobprove explain` asked about several positions.

use std::fs::{self, File};

use serde_json::Value;

use super::{Ran, command, gobprove, text};

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

#[test]
fn explain_answers_several_arguments_by_an_object_a_line() {
    let asked = gobprove(&["explain", "start w", "start b", "--json"]);
    let answers = lines(asked.ok());
    let positions: Vec<&Value> = answers.iter().map(|answer| &answer["position"]).collect();
    assert_eq!(positions, [".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b"]);
}
