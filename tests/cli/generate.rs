//! `gobprove generate`.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use gobprove::store::sha256_hex;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::certificates::shipped;
use super::{Ran, command, gobprove, keys, text};

#[test]
fn a_small_variant_is_proven_and_reported() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("small.gobcert");
    for kind in ["closure", "cut"] {
        let report = gobprove(&["generate", "A2-A3B1", "--kind", kind, "--out", text(&out), "--json"]).json();
        assert_eq!(
            keys(&report),
            [
                "variant",
                "reading",
                "seed",
                "kind",
                "discipline",
                "value",
                "rounds",
                "file",
                "sha256",
                "lost",
                "exceptions",
                "elapsed_s"
            ]
        );
        assert_eq!((&report["value"], &report["kind"]), (&"draw".into(), &kind.into()));
        for counts in ["lost", "exceptions"] {
            assert_eq!(keys(&report[counts]), ["white_to_move", "black_to_move"]);
            for side in ["white_to_move", "black_to_move"] {
                assert_eq!(keys(&report[counts][side]), ["positions", "canonical"]);
            }
        }
        let bytes = fs::read(&out).expect("the file");
        assert_eq!(report["sha256"], sha256_hex(&bytes));
        let claim = format!("s VERIFIED A2-A3B1 official draw {kind}\n");
        assert_eq!(gobprove(&["verify", text(&out)]).ok(), claim);
        let left: Vec<_> = fs::read_dir(own.path()).expect("a directory").collect();
        assert_eq!(left.len(), 1, "working files are gone: {left:?}");
    }
}

#[test]
fn what_white_cannot_hold_is_said_and_certified_by_nothing() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("lost.gobcert");
    let ran = gobprove(&["generate", "A1-A3B3", "--out", text(&out), "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["value"], "lost");
    assert_eq!((&report["file"], &report["sha256"]), (&Value::Null, &Value::Null));
    assert!(!out.exists());
}

#[test]
fn what_white_holds_under_a_discipline_is_a_closure_like_any_other() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("closure").display().to_string();
    let generate = |discipline: &str, more: &[&str]| {
        let command = ["generate", "ab", "--out", &file, "--discipline", discipline];
        gobprove(&[&command, more].concat())
    };
    generate("A=2", &[]).ok();
    gobprove(&["verify", &file]).ok();
    let open = generate("A=1", &["--json"]);
    assert_eq!((open.code, open.stdout.contains(r#""value": "open""#)), (Some(3), true), "{open:?}");
    generate("A=2", &["--kind", "cut"]).error(2, &["closure"]);
    generate("A=2", &["--seed", "thesis"]).error(2, &["seed rules"]);
}

#[test]
fn what_cannot_be_written_is_found_before_the_work_starts() {
    let own = tempfile::tempdir().expect("a directory");
    let directory = text(own.path());
    let nowhere = own.path().join("missing/x.gobcert");
    // A variant whose work takes hours, and more memory than there is.
    for out in [directory, text(&nowhere), "/dev/null"] {
        gobprove(&["generate", "abc", "--out", out]).error(4, &["cannot write", out]);
    }
    gobprove(&["generate", "ab", "--memory", "1M", "--out", text(&own.path().join("x"))])
        .error(4, &["ab needs", "1024 KiB", "--memory"]);
    assert_eq!(fs::read_dir(own.path()).expect("a directory").count(), 0, "nothing is left behind");
}

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    gobprove(&["generate"]).error(2, &["<VARIANT>"]);
    gobprove(&["generate", "abx"]).error(2, &["did you mean"]);
    gobprove(&["generate", "abc", "--seed", "thesis"]).error(2, &["seed thesis", "rules"]);
    gobprove(&["generate", "ab", "--threads", "0"]).error(2, &["--threads"]);
    gobprove(&["generate", "ab", "--memory", "much"]).error(2, &["--memory", "16G"]);
    gobprove(&["generate", "ab", "--kind", "proof"]).error(2, &["cut, closure"]);
}

/// Starts `generate ab` and interrupts it once there is something on disk to go on from.
#[cfg(unix)]
fn interrupted(own: &Path, signal: Signal) -> Ran {
    let (out, work) = (own.join("ab.gobcert"), own.join("work"));
    let mut child: Child = command(&["generate", "ab", "--out", text(&out), "--dir", text(&work), "--fresh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let started = Instant::now();
    // The lock and the head are there at once; more files come with finished tiers.
    let files = || fs::read_dir(&work).map_or(0, Iterator::count);
    while files() < 4 && started.elapsed() < Duration::from_secs(120) {
        assert_eq!(child.try_wait().expect("a state"), None, "it ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(2));
    }
    kill_process(Pid::from_child(&child), signal).expect("it is there");
    Ran::from(child.wait_with_output().expect("it ends"))
}

#[test]
#[cfg(unix)]
fn c08_an_interrupted_run_goes_on_to_the_same_bytes() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let own = tempfile::tempdir().expect("a directory");
        let (out, work) = (own.path().join("ab.gobcert"), own.path().join("work"));
        let stopped = interrupted(own.path(), signal);
        stopped.error(code, &["interrupted", "next: ", "generate ab", text(&work), "goes on from here"]);
        assert!(!stopped.stderr.contains("--fresh"), "going on keeps what is there: {stopped:?}");
        assert!(!out.exists());
        gobprove(&["generate", "ab", "--out", text(&out), "--dir", text(&work), "--quiet"]).ok();
        let shipped = fs::read(shipped("ab-official-closure.gobcert")).expect("readable");
        assert_eq!(sha256_hex(&fs::read(&out).expect("the file")), sha256_hex(&shipped));
    }
}

/// What White holds with less is not written over what it holds with more, nor the other way round.
#[test]
fn no_two_claims_have_one_default_name() {
    let own = tempfile::tempdir().expect("a directory");
    for variant in ["A3-A3B1", "A3B1-A3B1"] {
        super::Ran::of(super::command(&["generate", variant, "--quiet"]).current_dir(own.path())).ok();
        assert!(own.path().join(format!("{variant}-official-closure.gobcert")).exists(), "{variant}");
    }
}
