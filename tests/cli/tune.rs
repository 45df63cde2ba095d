//! `gobprove tune`.

#[cfg(unix)]
use rustix::process::Signal;

use super::{gobprove, keys, text};

/// Weights under which a closure can be made smaller.
const WORSE: &str = "two=20";

#[test]
fn each_step_changes_one_weight_and_leaves_fewer_positions_whatever_the_threads() {
    let tuned = |threads: &str| {
        gobprove(&["tune", "A3-A3", "--weights", WORSE, "--threads", threads, "--json"]).json()
    };
    let report = tuned("1");
    assert_eq!(
        keys(&report),
        [
            "variant",
            "reading",
            "discipline",
            "values",
            "beyond",
            "most",
            "weights",
            "steps",
            "tried",
            "elapsed_s"
        ]
    );
    let steps = report["steps"].as_array().expect("a list");
    assert!(steps.len() > 1, "{report}");
    let positions = |step: &serde_json::Value| step["reached"]["positions"].as_u64().expect("a count");
    for pair in steps.windows(2) {
        assert!(positions(&pair[1]) < positions(&pair[0]), "{report}");
        let weights = pair.iter().map(|step| step["weights"].as_str().expect("text").split(','));
        let [before, after] = weights.collect::<Vec<_>>().try_into().expect("two");
        assert_eq!(before.zip(after).filter(|(one, two)| one != two).count(), 1, "{report}");
    }
    assert_eq!(steps.last().expect("the best")["weights"], report["weights"]);
    assert_eq!(tuned("2")["steps"], report["steps"]);
}

#[test]
fn its_last_line_is_an_option_of_generate_for_a_closure_that_verifies() {
    let dir = tempfile::tempdir().expect("a directory");
    let generated = |options: &[&str]| {
        let file = dir.path().join("closure").display().to_string();
        let command = ["generate", "A2-A3B1", "--out", &file, "--json"];
        let report = gobprove(&[&command, options].concat()).json();
        gobprove(&["verify", &file]).ok();
        report["sha256"].as_str().expect("a sum").to_owned()
    };
    let tuned = gobprove(&["tune", "A2-A3B1", "--weights", WORSE]);
    let line = tuned.ok().lines().last().expect("a line");
    let options: Vec<&str> = line.split(' ').collect();
    assert_ne!(generated(&options), generated(&["--weights", WORSE]), "{line} changes nothing");
}

#[test]
fn steps_and_positions_are_limited_as_asked() {
    let report = gobprove(&["tune", "A3-A3B1", "--weights", WORSE, "--steps", "1", "--json"]).json();
    assert_eq!(report["steps"].as_array().map(Vec::len), Some(2), "the start and one step: {report}");
    let report = gobprove(&["tune", "ab", "--most", "2000", "--steps", "0", "--json"]).json();
    assert_eq!(report["steps"][0]["reached"]["closed"], false, "{report}");
    assert_eq!(report["tried"], 1);
}

#[test]
fn where_white_does_not_hold_there_is_nothing_to_tune() {
    gobprove(&["tune", "A1-A3B1"]).error(1, &["White does not hold A1-A3B1 under official"]);
    // Within a discipline that says nothing of the variant.
    let within = ["tune", "A3-A3", "--discipline", "A=0"];
    gobprove(&within).error(3, &["White does not hold A3-A3 under official with these answers alone"]);
    gobprove(&["tune", "ab", "--weights", "four=4"]).error(2, &["there is no weight \"four\"", "visible-b"]);
    gobprove(&["tune", "ab", "--memory", "1M"]).error(4, &["may be taken"]);
}

#[test]
fn what_is_safe_can_come_from_a_finished_solve() {
    let dir = tempfile::tempdir().expect("a directory");
    let solve = ["solve", "A2-A3B1", "--no-file", "--discipline", "A=2", "--dir", text(dir.path())];
    gobprove(&solve).ok();
    let tune = |more: &[&str]| gobprove(&[&["tune", "A2-A3B1", "--values", text(dir.path())], more].concat());
    let report = tune(&["--discipline", "A=2", "--steps", "0", "--json"]).json();
    assert_eq!(report["steps"][0]["reached"]["closed"], true, "{report}");
    tune(&[]).error(4, &["made for", "within A=2"]);
}

/// What was found is printed, and nothing else is left of it.
#[test]
#[cfg(unix)]
fn an_interrupted_search_goes_on_from_what_it_printed() {
    let ran = super::interrupted(&["tune", "ab", "--verbose"], "tuning for ab", Signal::INT);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    let says = match ran.stdout.is_empty() {
        true => ["nothing is kept", "begins anew"],
        false => ["what was found is printed", "gobprove tune ab --verbose --weights visible-b="],
    };
    assert!(says.iter().all(|words| ran.stderr.contains(words)), "{ran:?}");
}
