//! `gobprove refute`, and what the other commands make of a refutation.

use std::fs;

use gobprove::store::sha256_hex;
#[cfg(unix)]
use rustix::process::Signal;
use serde_json::Value;

use super::certificates::shipped;
#[cfg(unix)]
use super::interrupted;
use super::{gobprove, keys, text};

#[test]
fn what_black_wins_is_certified() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("out.gobcert");
    let refute = |more: &[&str]| {
        let command = ["refute", "A2-A3B3", "--out", text(&out)];
        gobprove(&[&command, more].concat())
    };
    let report = refute(&["--json"]).json();
    assert_eq!(
        keys(&report),
        ["variant", "reading", "discipline", "value", "positions", "file", "bytes", "sha256", "elapsed_s"]
    );
    assert_eq!(report["value"], "lost");
    let bytes = fs::read(&out).expect("the file");
    assert_eq!((&report["bytes"], &report["sha256"]), (&bytes.len().into(), &sha256_hex(&bytes).into()));
    let verified = "s VERIFIED A2-A3B3 official lost refutation\n";
    assert_eq!(gobprove(&["verify", text(&out)]).ok(), verified);
    let checked = gobprove(&["verify", text(&out), "--json"]).json();
    assert_eq!(checked["positions_checked"], report["positions"]);
    for threads in ["1", "8"] {
        refute(&["--threads", threads]).ok();
        assert!(fs::read(&out).expect("the file") == bytes, "other bytes from {threads} threads");
    }
    // In less memory it is another one, and as good.
    let lower = own.path().join("lower.gobcert");
    let low = ["refute", "A1B1-A3B1", "--low-memory", "--out", text(&lower)];
    let ships = fs::read(shipped("A1B1-A3B1-official-refutation.gobcert")).expect("what ships");
    gobprove(&low).ok();
    assert!(fs::read(&lower).expect("the file") != ships);
    assert_eq!(gobprove(&["verify", text(&lower)]).ok(), "s VERIFIED A1B1-A3B1 official lost refutation\n");
    gobprove(&[&low[..2], &low[3..]].concat()).ok();
    assert!(fs::read(&lower).expect("the file") == ships, "without --low-memory");
    // Within a discipline too.
    let said = refute(&["--discipline", "a=0"]);
    assert!(said.ok().contains("lost for White"), "{said:?}");
    assert!(fs::read(&out).expect("the file") != bytes);
    assert_eq!(gobprove(&["verify", text(&out)]).ok(), verified);
    let info = gobprove(&["info", text(&out), "--json"]).json();
    assert_eq!((&info["kind"], &info["black_to_move"]), (&"refutation".into(), &0.into()));
}

#[test]
fn what_black_does_not_win_is_said_and_certified_by_nothing() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("out.gobcert");
    for (variant, discipline) in [("A2-A2B1", ""), ("A2-A3B3", "a=0,b=0"), ("A2B1-A1", "")] {
        let command = ["refute", variant, "--discipline", discipline, "--out", text(&out), "--json"];
        // Within a discipline it is open whether Black wins without.
        let code = Some(if discipline.is_empty() { 1 } else { 3 });
        let ran = gobprove(&command);
        assert_eq!(ran.code, code, "{ran:?}");
        let told = gobprove(&command[..command.len() - 1]);
        assert!(told.code == code && told.stderr.contains("gobprove solve"), "{told:?}");
        let says = format!("there is no refutation: Black does not win {variant} under official");
        assert!(told.stderr.contains(&says), "{told:?}");
        let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let value = if discipline.is_empty() { "not lost" } else { "open" };
        assert_eq!((&report["value"], &report["file"]), (&value.into(), &Value::Null));
        assert!(!out.exists());
    }
    let refute = |more: &[&str]| gobprove(&[&["refute", "A2-A3B3", "--out", text(&out)], more].concat());
    refute(&["--reading", "robust"]).error(2, &["favours Black", "another reading"]);
    refute(&["--discipline", "A=2"]).error(2, &["gobprove prove takes it"]);
    let neither = refute(&["--memory", "100K"]);
    neither.error(4, &["A2-A3B3 needs", "--memory"]);
    assert!(!neither.stderr.contains("--low-memory"), "{neither:?}");
    refute(&["--memory", "300K"])
        .error(4, &["A2-A3B3 needs", "`gobprove refute A2-A3B3 --reading official --low-memory`"]);
    refute(&["--memory", "100K", "--low-memory"]).error(4, &["A2-A3B3 needs", "take a smaller variant"]);
    gobprove(&["generate", "A2-A3B3", "--kind", "refutation"]).error(2, &["gobprove refute A2-A3B3"]);
    gobprove(&["generate", "ab", "--kind", "x"]).error(2, &["[possible values: cut, closure]"]);
    let lost = gobprove(&["generate", "A1-A3B1", "--out", text(&out)]);
    assert!(
        lost.code == Some(1) && lost.stderr.contains("gobprove refute A1-A3B1 --reading official"),
        "{lost:?}"
    );
    // There Black's wins are worth nothing.
    let robust = gobprove(&["generate", "A1-A3B1", "--reading", "robust", "--out", text(&out)]);
    assert!(robust.code == Some(1) && !robust.stderr.contains("refute"), "{robust:?}");
}

/// The command that is printed goes on with the working files beside the certificate, and leaves none behind.
#[test]
#[cfg(unix)]
fn an_interrupted_refutation_goes_on_by_the_command_that_is_printed() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("out.gobcert");
    let names = || {
        let entries = fs::read_dir(own.path()).expect("a directory");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let refute = ["refute", "A3-A3B3C1", "--out", text(&out), "--discipline", "a=1,b=0", "--verbose"];
        let ran = interrupted(&refute, "refuting A3-A3B3C1", signal);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(names(), ["out.gobcert.work"]);
        // Whatever the signal was, the same is there to go on from: that is tried once.
        if signal != Signal::INT {
            continue;
        }
        let next = ran.stderr.lines().find_map(|line| line.strip_prefix("  next: ")).expect("what is next");
        let next = next.strip_suffix(" goes on from here").expect("a command");
        let shell = std::process::Command::new("sh").args(["-c", next]).output().expect("a shell");
        assert!(shell.status.success(), "{next}: {shell:?}");
        assert_eq!(names(), ["out.gobcert"]);
        let ships = shipped("A3-A3B3C1-official-refutation.gobcert");
        assert!(fs::read(&out).expect("the file") == fs::read(ships).expect("what ships"));
        fs::remove_file(&out).expect("the certificate");
    }
}

#[test]
#[cfg(unix)]
fn working_files_are_for_one_discipline() {
    let own = tempfile::tempdir().expect("a directory");
    let (out, work) = (own.path().join("out.gobcert"), own.path().join("work"));
    let refute =
        ["refute", "A3-A3B3C1", "--out", text(&out), "--discipline", "a=1,b=0", "--dir", text(&work)];
    let verbose = &[&refute[..], &["--verbose"]].concat();
    let ran = interrupted(verbose, "refuting A3-A3B3C1", Signal::INT);
    assert!(ran.code == Some(130) && ran.stderr.contains("what is finished is kept"), "{ran:?}");
    // They are for this discipline only.
    let other = ["refute", "A3-A3B3C1", "--out", text(&out), "--dir", text(&work)];
    gobprove(&other).error(4, &["made for", "--fresh"]);
}

#[test]
fn a_name_means_the_refutation_of_its_own_variant() {
    let verify = |arguments: &[&str]| gobprove(&[&["verify"], arguments].concat());
    // One for each reading that is played.
    let readings = ["no-entry-cover", "official", "strict-lift", "thesis"];
    let all = readings.map(|reading| format!("s VERIFIED A3-A3B3C1 {reading} lost refutation\n"));
    assert_eq!(verify(&["A3-A3B3C1"]).ok(), all.concat());
    let report = verify(&["A3-A3B3C1", "--reading", "official", "--json"]).json();
    assert_eq!(report["value"], "lost", "{report}");
    // With a piece more White holds, and the closure is all that there is.
    verify(&["A3-A3B3C1", "--kind", "closure"])
        .error(4, &["no certificate ships for A3-A3B3C1 of kind closure"]);
    verify(&["A3B1-A3B3C1", "--kind", "refutation"]).error(4, &["of kind refutation"]);
    let path = shipped("A3-A3B2C2-official-refutation.gobcert");
    verify(&[text(&path), "--kind", "closure"]).error(1, &["claims A3-A3B2C2 official lost refutation"]);
    let mut bytes = fs::read(&path).expect("what ships");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let own = tempfile::tempdir().expect("a directory");
    let damaged = own.path().join("damaged.gobcert");
    fs::write(&damaged, bytes).expect("written");
    verify(&[text(&damaged)]).error(1, &["`gobprove refute A3-A3B2C2 --reading official`"]);
}

/// Whoever asks for the opposite of what ships hears of it before the work, and not with --quiet.
#[test]
fn what_ships_to_the_contrary_is_said_beforehand() {
    let own = tempfile::tempdir().expect("a directory");
    let here = |args: &[&str]| super::Ran::of(super::command(args).current_dir(own.path()));
    for (args, code) in [(["prove", "A1-A3B3"], 1), (["generate", "A1-A3B3"], 1), (["refute", "A3-A3B1"], 1)]
    {
        let ran = here(&args);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.starts_with("note: ") && ran.stderr.contains(" will come of this"), "{ran:?}");
        let quiet = here(&[&args[..], &["--quiet"]].concat());
        assert!(!quiet.stderr.contains("note: "), "{quiet:?}");
    }
}
