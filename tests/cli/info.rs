//! `gobprove info`.

use std::fs;

use gobprove::prelude::*;
use gobprove::store::sha256_hex;

use super::certificates::{closure, closure_without, empty_cut, shipped, write};
use super::{gobprove, keys, text};

#[test]
fn a_certificate_is_described() {
    let path = shipped("ab-official-closure.gobcert");
    let report = gobprove(&["info", text(&path), "--json"]).json();
    assert_eq!(
        keys(&report),
        [
            "file",
            "claims",
            "believed",
            "version",
            "variant",
            "white",
            "black",
            "reading",
            "kind",
            "seed",
            "black_to_move",
            "white_to_move",
            "blocks",
            "bytes",
            "sha256"
        ]
    );
    let bytes = fs::read(&path).expect("readable");
    assert_eq!(report["claims"], "ab official draw closure");
    assert_eq!(report["believed"], false);
    assert_eq!(report["sha256"], sha256_hex(&bytes));
    assert_eq!(report["bytes"], bytes.len());
    assert_eq!(report["seed"], serde_json::Value::Null);
    let table = gobprove(&["info", text(&path)]);
    assert!(table.ok().contains("ab official draw closure") && table.stdout.contains("A3B3"), "{table:?}");
    assert!(table.stdout.contains("Nothing of this has been checked"), "{table:?}");
    assert!(!table.stdout.contains("VERIFIED"), "{table:?}");
}

#[test]
fn what_is_claimed_need_not_be_true() {
    let directory = tempfile::tempdir().expect("a directory");
    let forged = write(directory.path(), "forged.gobcert", &closure_without(|p| p.is_empty()));
    assert_eq!(gobprove(&["info", text(&forged), "--json"]).json()["claims"], "ab official draw closure");
    let cut = write(directory.path(), "cut.gobcert", &empty_cut("abcd-full"));
    let report = gobprove(&["info", text(&cut), "--json"]).json();
    assert_eq!((&report["kind"], &report["seed"]), (&"cut".into(), &"rules".into()));
}

#[test]
fn what_is_no_certificate_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let bytes = closure().encode();
    let longer = [&bytes[..], &[0]].concat();
    for (name, bytes, says) in [
        ("empty", &[][..], "the file is empty"),
        ("short", &bytes[..50], "ends at 50 bytes"),
        ("cut-off", &bytes[..bytes.len() - 1], "its header says"),
        ("longer", &longer, "and its header says"),
        ("foreign", b"hello, this is not a certificate", "is no certificate: "),
    ] {
        let path = directory.path().join(name);
        fs::write(&path, bytes).expect("written");
        gobprove(&["info", text(&path)]).error(1, &[text(&path), says]);
    }
    gobprove(&["info", text(&directory.path().join("missing"))]).error(4, &["cannot read", "missing"]);
    gobprove(&["info", text(directory.path())]).error(4, &["a directory"]);
    gobprove(&["info"]).error(2, &["<VARIANT|FILE>"]);
    let ran = gobprove(&["info", "missing", "ab"]);
    assert!(ran.code == Some(2) && ran.stdout.contains("ab official draw closure"), "{ran:?}");
    // A word that is neither a variant nor a file is answered by each command alike.
    let answers = ["info", "verify", "serve"].map(|command| gobprove(&[command, "abx"]));
    answers
        .iter()
        .for_each(|ran| ran.error(2, &["\"abx\" is not a variant", "did you mean \"ab\" or \"abc\"?"]));
    assert!(answers.iter().all(|ran| ran.stderr == answers[0].stderr), "{answers:?}");
    // Several errors are all told, and their order does not change the exit code.
    let (empty, missing) = (directory.path().join("empty"), directory.path().join("missing"));
    for files in [[text(&empty), text(&missing)], [text(&missing), text(&empty)]] {
        let ran = gobprove(&[&["info", "--json"][..], &files].concat());
        let told: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).expect("an array");
        let named: Vec<&str> = told.iter().filter_map(|error| error["error"].as_str()).collect();
        assert!(ran.code == Some(1) && named.len() == 2, "{ran:?}");
        assert!(files.iter().zip(named).all(|(file, error)| error.contains(file)), "{ran:?}");
    }
}

#[test]
fn a_variant_stands_for_all_that_ships_for_it() {
    let table = gobprove(&["info", "ab"]);
    for kind in ["cut", "closure"] {
        assert!(table.ok().contains(&format!("ab official draw {kind}\n")), "{table:?}");
    }
    let report = gobprove(&["info", "ab", "--json"]).json();
    let reports = report.as_array().expect("several");
    assert!(reports.len() >= 3 && reports.iter().all(|one| one["variant"] == "ab"), "{report}");
    // Away from the checkout those inside the program are told, and the other one is named.
    let own = tempfile::tempdir().expect("a directory");
    let run = |arguments: &[&str]| super::Ran::of(&mut super::alone(own.path(), arguments));
    let some = run(&["info", "ab"]);
    assert!(some.code == Some(4) && some.stderr.contains("not at hand"), "{some:?}");
    assert!(some.stdout.matches("ab-").count() >= 2 && !some.stdout.contains("draw cut"), "{some:?}");
    let some = run(&["info", "ab", "--json"]);
    assert_eq!(some.code, Some(4), "{some:?}");
    let told: Vec<serde_json::Value> = serde_json::from_str(&some.stdout).expect("an array");
    let (missing, at_hand) = told.split_last().expect("some");
    assert!(at_hand.len() >= 2 && at_hand.iter().all(|one| one["variant"] == "ab"), "{some:?}");
    assert!(
        missing["error"].as_str().is_some_and(|error| error.contains("ab-official-cut.gobcert")),
        "{some:?}"
    );
    // In a checkout, from wherever the program is started that was built there.
    let checkout = tempfile::tempdir().expect("a directory");
    let beside = checkout.path().join("target/release");
    let info = |arguments: &[&str]| super::Ran::of(&mut super::installed(&beside, own.path(), arguments));
    info(&["info", "ab", "--json"]);
    fs::create_dir(checkout.path().join("certificates")).expect("a directory");
    let cut = "certificates/ab-official-cut.gobcert";
    fs::copy(shipped("ab-official-cut.gobcert"), checkout.path().join(cut)).expect("copied");
    let found = info(&["info", "ab"]);
    assert!(found.ok().contains("ab official draw cut\n") && !found.stdout.contains(".."), "{found:?}");
    // A certificate comes in by stdin too.
    let stdin = fs::File::open(shipped("ab-official-closure.gobcert")).expect("a file");
    let piped = super::Ran::of(super::command(&["info", "-", "--json"]).stdin(stdin)).json();
    assert_eq!((&piped["file"], &piped["claims"]), (&"stdin".into(), &"ab official draw closure".into()));
    let computed = "gobprove solve computed that Black wins this game";
    gobprove(&["info", "abc"]).error(4, &["no certificate ships for abc", computed, "gobprove estimate abc"]);
    // A folder by the name of a variant does not hide it.
    fs::create_dir(own.path().join("ab")).expect("a directory");
    let beside = super::Ran::of(super::command(&["info", "ab"]).current_dir(own.path()));
    assert!(beside.ok().contains("ab official draw closure\n"), "{beside:?}");
}
