//! `gobprove update`: passes by hand.

use super::{gobprove, keys, text};

#[test]
fn updates_in_turn_reach_the_fixpoint() {
    let own = tempfile::tempdir().expect("a directory");
    let work = own.path().join("work");
    let update = |side: &str, more: &[&str]| {
        gobprove(&[&["update", side, "A1-A3B1", "--dir", text(&work), "--json"], more].concat())
    };
    let first = update("black", &[]).json();
    assert_eq!(keys(&first), ["variant", "reading", "seed", "side", "mode", "before", "added"]);
    assert_eq!((&first["side"], &first["mode"]), (&"black".into(), &"update".into()));
    assert_eq!(first["before"], 0);
    let added = |ran: &super::Ran| {
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        report["added"].as_u64().expect("a count")
    };
    assert!(added(&update("white", &[])) > 0);
    let would = update("black", &["--verify"]);
    assert_eq!(would.code, Some(1), "it says that there is something to add, and writes nothing: {would:?}");
    let again = update("black", &["--verify"]);
    assert_eq!(added(&again), added(&would));
    let mut idle = 0;
    for round in 0.. {
        let side = ["black", "white"][round % 2];
        idle = if added(&update(side, &[])) == 0 { idle + 1 } else { 0 };
        if idle == 2 {
            break;
        }
    }
    for side in ["black", "white"] {
        let verified = update(side, &["--verify"]);
        assert_eq!(verified.code, Some(0), "{verified:?}");
    }
}

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    let own = tempfile::tempdir().expect("a directory");
    let directory = text(own.path());
    gobprove(&["update", "red", "ab", "--dir", directory]).error(2, &["white, black"]);
    gobprove(&["update", "white", "ab"]).error(2, &["--dir"]);
    gobprove(&["update", "white", "abx", "--dir", directory]).error(2, &["did you mean"]);
    gobprove(&["update", "white", "abc", "--seed", "thesis", "--dir", directory]).error(2, &["seed thesis"]);
}

#[test]
fn working_files_of_another_game_are_left_alone() {
    let own = tempfile::tempdir().expect("a directory");
    let directory = text(own.path());
    gobprove(&["update", "black", "A1-A2B1", "--dir", directory]).ok();
    gobprove(&["update", "black", "A1-A2", "--dir", directory]).error(4, &[directory]);
    gobprove(&["update", "black", "A1-A2B1", "--reading", "robust", "--dir", directory])
        .error(4, &[directory]);
}
