//! `gobprove check-strategy`.

use serde_json::Value;

use super::thorough::thorough;
use super::{gobprove, keys};

/// The report of a check that ends with an exit code.
#[track_caller]
fn report(arguments: &[&str], code: i32) -> Value {
    let ran = gobprove(&[&["check-strategy"], arguments, &["--json", "--quiet"]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(code), ""), "{ran:?}");
    serde_json::from_str(&ran.stdout).expect("JSON")
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_repaired_strategy_holds() {
    // Under the worst reading for White, and so under each.
    let report = report(&["repaired", "--reading", "robust", "--threads", "2"], 0);
    assert_eq!(keys(&report), ["strategy", "variant", "reading", "answer", "failures", "worked"]);
    assert_eq!((&report["strategy"], &report["variant"]), (&"repaired".into(), &"ab".into()));
    assert_eq!((&report["reading"], &report["answer"]), (&"robust".into(), &"Yes".into()));
    assert_eq!(report["failures"].as_array().map(Vec::len), Some(0));
    for worked in report["worked"].as_array().expect("counts") {
        assert_eq!(keys(worked), ["unit", "tiers", "white", "black"]);
        assert!(worked["white"].is_u64() && worked["black"].is_u64(), "{worked}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn the_thesis_strategy_fails_and_the_first_position_is_named() {
    let report = report(&["thesis"], 1);
    assert_eq!(
        keys(&report),
        ["strategy", "variant", "reading", "options", "answer", "first_failure", "failures", "worked"]
    );
    assert_eq!(report["answer"], "No");
    let first = &report["first_failure"];
    assert_eq!(keys(first), ["position", "step", "moves", "why"]);
    assert_eq!(first["position"], ".,.,.,./.,.,.,./.,.,.,./a,a,.,. w");
    assert_eq!(first["step"], "c");
    assert!(first["why"].as_str().is_some_and(|why| why.contains("hand-place-on-diagonal")), "{first}");
    for group in report["failures"].as_array().expect("groups") {
        assert_eq!(keys(group), ["step", "blame", "position_type", "placements", "canonical", "first"]);
    }
    assert!(report["options"].as_array().is_some_and(|options| options.len() > 10));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn people_get_the_position_as_a_board_and_the_options_that_they_chose() {
    if !thorough() {
        // The same check as the one before, printed for people.
        return;
    }
    let chosen = ["completable=wins", "attacked=exactly-two", "safe-a=free", "untyped=lost"];
    let mut arguments = vec!["check-strategy", "thesis", "--verbose"];
    arguments.extend(chosen.iter().flat_map(|option| ["--option", option]));
    let ran = gobprove(&arguments);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.starts_with("ab official, strategy thesis: No\n"), "{ran:?}");
    assert!(ran.stdout.contains("White to move") || ran.stdout.contains("Black to move"), "{ran:?}");
    // The one count of the thesis that comes out.
    assert!(ran.stdout.contains(" 18,642,288"), "{ran:?}");
    // With --verbose it says every second how far it is.
    let said: Vec<&str> = ran.stderr.lines().filter(|line| !line.starts_with("checking strategy")).collect();
    assert_eq!(said, [format!("options: {}", chosen.join(" "))]);
}

#[test]
fn what_cannot_be_checked_is_a_usage_error() {
    gobprove(&["check-strategy", "thesis", "--variant", "abc"]).error(2, &["made for ab", "abc"]);
    gobprove(&["check-strategy", "repaired", "--option", "untyped=lost"]).error(2, &["has no options"]);
    gobprove(&["check-strategy", "thesis", "--option", "untyped"]).error(2, &["untyped", "played, lost"]);
    gobprove(&["check-strategy", "thesis", "--option", "x=y"]).error(2, &["\"x\"", "completable, "]);
    gobprove(&["check-strategy", "other"]).error(2, &["other", "thesis", "repaired"]);
    gobprove(&["check-strategy"]).error(2, &["<STRATEGY>"]);
}
