//! `gobprove estimate`.

use super::{gobprove, keys};

#[test]
fn an_estimate_says_what_is_exact_what_is_a_guess_and_from_what() {
    let ran = gobprove(&["estimate", "A3-A3B1", "--memory", "1G"]);
    let text = ran.ok();
    for words in [
        "positions",
        "canonical",
        "149,671",
        "memory",
        "fits into the 1024 MiB",
        "time, a guess",
        "disk, a guess",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
    let last = text.lines().last().expect("a line");
    assert!(last.starts_with("guessed from A") && last.contains(" canonical positions solved in "), "{text}");
}

#[test]
fn counts_are_the_census_and_memory_is_what_solving_demands() {
    let report = gobprove(&["estimate", "abc", "--json", "--threads", "1"]).json();
    assert_eq!(
        keys(&report),
        [
            "variant",
            "reading",
            "positions",
            "canonical",
            "memory_bytes",
            "memory_least_bytes",
            "memory_allowed_bytes",
            "guess",
            "measured"
        ]
    );
    assert_eq!(
        keys(&report["guess"]),
        ["solve_s", "working_bytes", "closure_positions", "closure_bytes", "cut_bytes"]
    );
    assert_eq!(keys(&report["measured"]), ["variant", "canonical", "exceptions", "elapsed_s", "threads"]);
    assert_eq!(report["canonical"], 842_077_418_731_u64);
    // A bit for each canonical position and side to move, and something where they do not fill what they take.
    let bytes = report["memory_bytes"].as_u64().expect("a count");
    let bits = 2 * 842_077_418_731_u64;
    assert!((bits..bits * 6 / 5).contains(&(8 * bytes)), "{bytes}");
    assert!(report["guess"]["solve_s"].as_f64().expect("a number") > 60.0, "{report}");
    let dir = tempfile::tempdir().expect("a directory");
    let place = |name: &str| dir.path().join(name).display().to_string();
    let refused =
        |command: &[&str], bytes: u64| gobprove(&[command, &["--memory", &(bytes - 1).to_string()]].concat());
    let needed = format!("abc needs {} GiB of memory", bytes.div_ceil(1 << 30));
    refused(&["generate", "abc", "--out", &place("abc")], bytes).error(4, &[&needed]);
    let least = report["memory_least_bytes"].as_u64().expect("a count");
    assert!(8 * least < bits * 3 / 5, "{least} of {bytes}");
    let solve = ["solve", "abc", "--no-file", "--dir", &place("work")];
    refused(&solve, least).error(4, &["abc needs ", " of memory"]);
}

#[test]
fn the_memory_that_may_be_taken_is_respected_by_the_measurement_too() {
    gobprove(&["estimate", "ab", "--memory", "1"])
        .error(4, &["of memory, and 1 bytes may be taken", "--memory"]);
    gobprove(&["estimate", "chess"]).error(2, &["is not a variant"]);
}
