//! `gobprove prove`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use gobprove::store::sha256_hex;
#[cfg(unix)]
use rustix::process::Signal;

#[cfg(unix)]
use super::interrupted;
use super::{gobprove, keys, text};

#[test]
fn a_closure_is_proven_without_a_solve_and_reported() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("small.gobcert");
    let report = gobprove(&["prove", "A2-A3B1", "--out", text(&out), "--json"]).json();
    assert_eq!(
        keys(&report),
        [
            "gobprove",
            "variant",
            "reading",
            "discipline",
            "values",
            "beyond",
            "weights",
            "rounds",
            "value",
            "expanded",
            "grown",
            "open",
            "lost",
            "bytes_per_position",
            "curve",
            "positions",
            "file",
            "bytes",
            "sha256",
            "grown_s",
            "elapsed_s"
        ]
    );
    assert_eq!((&report["value"], &report["open"]), (&"draw".into(), &0.into()));
    let bytes = fs::read(&out).expect("the file");
    assert_eq!(report["sha256"], sha256_hex(&bytes));
    assert_eq!(gobprove(&["verify", text(&out)]).ok(), "s VERIFIED A2-A3B1 official draw closure\n");
    adds_up(&report);
    let number = |name: &str| report[name].as_u64().expect("a number");
    assert!(number("positions") < number("grown"));
}

/// The numbers under which a directory holds blocks.
fn blocks(dir: &Path) -> BTreeSet<u32> {
    let names = fs::read_dir(dir).expect("there").map(|entry| entry.expect("an entry").file_name());
    let number = |name: OsString| {
        name.to_string_lossy().strip_prefix("block-").and_then(|rest| rest.split_once('-')?.0.parse().ok())
    };
    names.filter_map(number).collect()
}

/// What the curve adds up to is what was grown.
#[track_caller]
fn adds_up(report: &serde_json::Value) {
    let number = |value: &serde_json::Value, name: &str| value[name].as_f64().expect("a number");
    let (mut expanded, mut came_in) = (0.0, 0.0);
    for sample in report["curve"].as_array().expect("samples") {
        assert_eq!(keys(sample), ["expanded", "positions", "open", "lost", "new_per_expansion"]);
        came_in += number(sample, "new_per_expansion") * (number(sample, "expanded") - expanded);
        expanded = number(sample, "expanded");
        let known = number(sample, "positions") + number(sample, "lost");
        assert!((came_in - known).abs() < 1e-6 * known, "{sample}");
    }
    assert_eq!(expanded, number(report, "expanded"));
}

#[test]
fn what_is_safe_can_come_from_a_finished_solve() {
    let own = tempfile::tempdir().expect("a directory");
    let (out, dir) = (own.path().join("ab.gobcert"), own.path().join("work"));
    let prove = |more: &[&str]| {
        let command = ["prove", "A3-A3B1", "--out", text(&out), "--values", text(&dir)];
        gobprove(&[&command, more].concat())
    };
    prove(&[])
        .error(4, &["no working files", "next: ", "gobprove solve A3-A3B1 --reading official --no-file"]);
    assert!(!dir.exists(), "a wrong directory is left alone");
    gobprove(&["solve", "A3-A3B1", "--dir", text(&dir), "--out", text(&own.path().join("solved"))]).ok();
    prove(&[]).error(4, &["not solved, or", "next: ", "gobprove solve A3-A3B1 --reading official --no-file"]);
    gobprove(&["solve", "A3-A3B1", "--no-file", "--dir", text(&dir)]).ok();
    prove(&["--discipline", "A=2"]).error(4, &["made for", "within A=2", "--discipline"]);
    // The values need no memory, since they can lie in files. The closure does.
    let ran = prove(&["--memory", "1K", "--json"]);
    assert!(ran.code == Some(4) && ran.stderr.contains("more than --memory allows"), "{ran:?}");
    let report = prove(&["--json"]).json();
    assert_eq!((&report["value"], &report["lost"]), (&"draw".into(), &0.into()));
    assert_eq!(gobprove(&["verify", text(&out)]).ok(), "s VERIFIED A3-A3B1 official draw closure\n");
}

#[test]
fn a_search_goes_beyond_a_discipline_that_is_too_strict() {
    let own = tempfile::tempdir().expect("a directory");
    let (out, dir) = (own.path().join("ab.gobcert"), own.path().join("work"));
    gobprove(&["solve", "ab", "--no-file", "--discipline", "A=1", "--dir", text(&dir)]).ok();
    let prove = |more: &[&str]| {
        let command = ["prove", "ab", "--out", text(&out), "--discipline", "A=1", "--quiet"];
        gobprove(&[&command, more].concat())
    };
    assert_eq!(prove(&["--values", text(&dir)]).code, Some(3));
    // Of the two closures that grow, the curve is that of the second.
    adds_up(&prove(&["--values", text(&dir), "--beyond", "A=2", "--json"]).json());
    assert_eq!(gobprove(&["verify", text(&out)]).ok(), "s VERIFIED ab official draw closure\n");
    prove(&["--beyond", "A=2"]).error(2, &["--values"]);
    // Such a search needs all values in memory.
    prove(&["--values", text(&dir), "--beyond", "A=2", "--memory", "1K"]).error(4, &["ab needs", "--memory"]);
}

#[test]
fn what_is_not_proven_is_said_and_certified_by_nothing() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("none.gobcert");
    let open = |exit: i32, value: &str, variant: &str, more: &[&str]| {
        let command = ["prove", variant, "--out", text(&out), "--json"];
        let ran = gobprove(&[&command, more].concat());
        assert_eq!(ran.code, Some(exit), "{ran:?}");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(report["value"], value, "{more:?}");
        assert_eq!((&report["file"], &report["positions"]), (&().into(), &().into()));
        assert!(!out.exists());
        ran
    };
    open(1, "lost", "A1-A3B1", &[]);
    let ran = open(3, "open", "ab", &["--discipline", "A=1"]);
    assert!(ran.stderr.contains("without --discipline it may"), "{ran:?}");
    let ran = open(3, "open", "ab", &["--most", "1000"]);
    assert!(ran.stderr.contains("not proven"), "{ran:?}");
    let ran = open(4, "open", "ab", &["--memory", "25M"]);
    assert!(ran.stderr.contains("14 times as much: more than --memory allows"), "{ran:?}");
}

#[test]
fn a_proof_that_was_broken_off_is_gone_on_with() {
    let own = tempfile::tempdir().expect("a directory");
    let (out, dir) = (own.path().join("ab.gobcert"), own.path().join("work"));
    let prove = |more: &[&str]| {
        let command = ["prove", "A2-A3B2", "--out", text(&out), "--json"];
        gobprove(&[&command, more].concat())
    };
    let whole = prove(&[]).json();
    let work = own.path().join("ab.gobcert.work");
    assert!(!work.exists(), "its own directory goes");
    let most = |most: &str, expanded: u64| {
        let ran = prove(&["--dir", text(&dir), "--most", most]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        adds_up(&report);
        let now = report["expanded"].as_u64().expect("a number");
        assert!(now > expanded, "{now}");
        now
    };
    let first = most("500", 0);
    assert_eq!(blocks(&dir), [0, 1].into(), "what is open, and what is in");
    most("800", first);
    assert_eq!(blocks(&dir), [2, 3].into(), "it was gone on with");
    prove(&["--dir", text(&dir), "--weights", "small=0,two=0"]).error(4, &["made for", "--fresh"]);
    let other = ["solve", "A3-A3B1", "--no-file", "--dir", text(&dir)];
    gobprove(&other).error(4, &["made for gobprove prove, not for gobprove solve, generate or update"]);
    let gone_on = prove(&["--dir", text(&dir)]).json();
    adds_up(&gone_on);
    for name in ["sha256", "expanded", "grown", "lost", "positions"] {
        assert_eq!(gone_on[name], whole[name], "{name}");
    }
    assert!(dir.exists(), "what was asked for stays");
    // What has closed is not broken off for its size.
    assert_eq!(prove(&["--dir", text(&dir), "--most", "500"]).json()["sha256"], whole["sha256"]);
    let rounds = |rounds: &str| {
        let report = prove(&["--dir", text(&dir), "--rounds", rounds]).json();
        assert_eq!(report["rounds"].to_string(), rounds);
        report["positions"].as_u64().expect("a number")
    };
    // What grew is there still, and the rounds come again.
    let (all, one, none) = (rounds("30"), rounds("1"), rounds("0"));
    assert_eq!(Some(all), whole["positions"].as_u64());
    assert!(all <= one && one < none && Some(none) == whole["grown"].as_u64(), "{all} {one} {none}");
    assert!(blocks(&dir).iter().all(|&number| number > 3), "it was never begun anew");
    let told = gobprove(&["prove", "A2-A3B2", "--out", text(&out), "--dir", text(&dir)]);
    assert!(told.ok().contains("grown before; "), "{told:?}");
    let anew = prove(&["--dir", text(&dir), "--weights", "small=0,two=0", "--fresh"]).json();
    assert_ne!(anew["sha256"], whole["sha256"]);
    let other = dir.join(".");
    prove(&["--values", text(&dir), "--dir", text(&other)]).error(2, &["both", "another directory"]);
}

#[test]
#[cfg(unix)]
fn an_interrupted_proof_is_kept() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("open.gobcert");
    let mut before = 0;
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let open = ["prove", "A3B3C1-A3B3C3", "--out", text(&out), "--verbose"];
        let ran = interrupted(&open, "proving A3B3C1-A3B3C3: ", signal);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains("interrupted; what is finished is kept"), "{ran:?}");
        assert!(!out.exists());
        // What was kept earlier is there no more.
        let numbers = blocks(&own.path().join("open.gobcert.work"));
        assert_eq!(numbers, [before, before + 1].into(), "what is open, and what is in");
        before += 2;
    }
}

/// With --fresh what is there stays until nothing else is in the way of the proof.
#[test]
fn what_is_there_is_discarded_only_if_the_proof_can_begin() {
    let own = tempfile::tempdir().expect("a directory");
    let place = |name: &str| own.path().join(name);
    let (out, dir, typo) = (place("out.gobcert"), place("work"), place("typo"));
    let prove = |dir: &Path, more: &[&str]| {
        let command = ["prove", "A2-A3B1", "--out", text(&out), "--dir", text(dir)];
        gobprove(&[&command, more].concat())
    };
    let fails = || prove(&dir, &["--fresh", "--values", text(&typo)]).error(4, &["holds no working files"]);
    fails();
    assert!(!dir.exists(), "nothing is left behind");
    prove(&dir, &[]).ok();
    let before = blocks(&dir);
    fails();
    assert_eq!(blocks(&dir), before);
    assert!(prove(&dir, &[]).ok().contains("grown before; "));
    assert!(!prove(&dir, &["--fresh"]).ok().contains("grown before; "));
    // What may be somebody else's stays in any case.
    let (keys, key) = (place("keys"), place("keys/identity"));
    fs::create_dir(&keys).expect("made");
    fs::write(&key, "a key").expect("written");
    prove(&keys, &["--fresh"]).error(4, &["identity", "name another directory"]);
    assert_eq!(fs::read(&key).expect("it is there"), b"a key");
    let (locks, lock) = (place("locks"), place("locks/lock"));
    fs::create_dir(&locks).expect("made");
    fs::write(&lock, "a lock").expect("written");
    prove(&locks, &["--fresh"]).error(4, &["lock", "name another directory"]);
    assert_eq!(fs::read(&lock).expect("it is there"), b"a lock");
}

/// What --most ends stays, and the same command with a higher one goes on from there.
#[test]
fn a_proof_that_most_ends_is_kept() {
    let own = tempfile::tempdir().expect("a directory");
    let here = |args: &[&str]| super::Ran::of(super::command(args).current_dir(own.path()));
    let work = own.path().join("A3-A3B1-official-closure.gobcert.work");
    let ended = here(&["prove", "A3-A3B1", "--most", "2000"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(
        ended.stderr.contains("the same command with a higher --most goes on") && work.is_dir(),
        "{ended:?}"
    );
    let whole = here(&["prove", "A3-A3B1", "--most", "100000"]);
    // The first row after the head: what is expanded, and how many positions there are.
    let row = whole.ok().lines().nth(1).expect("a row");
    let positions = row.split_whitespace().nth(1).expect("a number").replace(',', "");
    assert!(positions.parse::<u64>().is_ok_and(|positions| positions >= 2000), "begun anew: {whole:?}");
    assert!(!work.exists() && own.path().join("A3-A3B1-official-closure.gobcert").is_file());
}
