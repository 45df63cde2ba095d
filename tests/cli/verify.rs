//! `gobprove verify`: which certificates are checked, and how success is told.

use std::fs;

use gobprove::prelude::*;
use gobprove::store::{Header, sha256_hex};

use super::certificates::{closure_without, empty_cut, shipped, write};
use super::{gobprove, keys, text};

const CLOSURE: &str = "ab-official-closure.gobcert";

/// The directory of certificates that ship.
fn directory() -> String {
    text(shipped(CLOSURE).parent().expect("a directory")).to_owned()
}

/// How many closures ship for Black with A3B3 and White with A3.
fn closures() -> usize {
    let entries = fs::read_dir(directory()).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let names = paths.filter_map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    let of_ab = |name: &String| name.starts_with("ab-") && !name.starts_with("ab-full-");
    names.filter(|name| of_ab(name) && name.ends_with("-closure.gobcert")).count()
}

#[test]
fn a_name_takes_every_closure_that_ships_for_it() {
    let ran = gobprove(&["verify", "ab"]);
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!(lines.len(), closures(), "{ran:?}");
    assert!(lines.contains(&"s VERIFIED ab official draw closure"), "{ran:?}");
    assert!(lines.iter().all(|line| line.starts_with("s VERIFIED ab ") && line.ends_with(" draw closure")));
    assert_eq!(ran.stderr, "", "neither a bar nor talk where there is no terminal");
}

#[test]
fn a_reading_takes_its_certificates_only() {
    let ran = gobprove(&["verify", "ab", "--reading", "official", "--threads", "1", "-q"]);
    assert_eq!(ran.ok(), "s VERIFIED ab official draw closure\n");
}

#[test]
fn less_white_material_is_said() {
    let ran = gobprove(&["verify", "ab-full", "--reading", "official"]);
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!(lines[0], "s VERIFIED ab-full official draw closure", "{ran:?}");
    // What ships for ab is a stronger claim about the same game.
    assert!(lines[1..].contains(&"s VERIFIED ab-full official draw closure white=A3"), "{ran:?}");
}

#[test]
fn a_file_is_checked_by_its_path() {
    let path = shipped(CLOSURE);
    let ran = gobprove(&["verify", text(&path), "--json"]);
    let report = ran.json();
    assert_eq!(
        keys(&report),
        [
            "verdict",
            "file",
            "claim",
            "variant",
            "reading",
            "value",
            "kind",
            "sha256",
            "positions_checked",
            "elapsed_s"
        ]
    );
    assert_eq!(report["verdict"], "verified");
    assert_eq!(report["claim"], "ab official draw closure");
    assert_eq!((&report["variant"], &report["value"]), (&"ab".into(), &"draw".into()));
    let bytes = fs::read(&path).expect("readable");
    assert_eq!(report["sha256"], sha256_hex(&bytes));
    let listed = Header::parse(&bytes).expect("a header").entries[0];
    assert_eq!(report["positions_checked"], listed);
    assert!(report["elapsed_s"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(!ran.stdout.contains("s VERIFIED"), "no line beside the JSON");
}

#[test]
fn several_are_told_together() {
    let path = shipped(CLOSURE);
    let report = gobprove(&["verify", text(&path), text(&path), "--json"]).json();
    assert_eq!(keys(&report), ["verdict", "certificates"]);
    assert_eq!(report["verdict"], "verified");
    let each = report["certificates"].as_array().expect("an array");
    assert_eq!(each.len(), 2);
    assert!(each.iter().all(|one| one["verdict"] == "verified"));
    let lines = gobprove(&["verify", text(&path), "ab", "--reading", "official"]);
    assert_eq!(lines.ok(), "s VERIFIED ab official draw closure\n".repeat(2));
}

#[test]
fn certificates_come_from_a_directory_instead() {
    let own = tempfile::tempdir().expect("a directory");
    let directory = text(own.path());
    gobprove(&["verify", "ab", "--certificates", directory]).error(4, &["ab", "closure"]);
    fs::copy(shipped(CLOSURE), own.path().join("mine.gobcert")).expect("copied");
    fs::write(own.path().join("notes.txt"), "not looked at").expect("written");
    let all = gobprove(&["verify", "--certificates", directory]);
    assert_eq!(all.ok(), "s VERIFIED ab official draw closure\n");
    gobprove(&["verify", "abc", "--certificates", directory]).error(
        4,
        &["holds no certificate for abc of kind closure or refutation", "leave --certificates out"],
    );
    gobprove(&["verify", "abc"]).error(4, &["gobprove solve computed that Black wins this game"]);
    gobprove(&["verify", "ab", "--reading", "thesis", "--certificates", directory]).error(4, &["ab"]);
    // What cannot be read may be the one asked for.
    fs::write(own.path().join("torn.gobcert"), b"\x89GOBCERT").expect("written");
    let torn = gobprove(&["verify", "ab", "--certificates", directory]);
    assert_eq!(torn.code, Some(1), "{torn:?}");
    assert!(torn.stderr.contains("torn.gobcert"), "{torn:?}");
    let missing = own.path().join("missing");
    gobprove(&["verify", "ab", "--certificates", text(&missing)]).error(4, &["missing"]);
}

#[test]
fn a_cut_is_looked_for_on_demand() {
    let own = tempfile::tempdir().expect("a directory");
    // With two pieces Black never makes a line.
    write(own.path(), "small.gobcert", &empty_cut("A1-A2"));
    let directory = text(own.path());
    let asked = ["verify", "A1-A2", "--certificates", directory];
    gobprove(&asked).error(4, &["A1-A2", "closure"]);
    let ran = gobprove(&[&asked[..], &["--kind", "cut"]].concat());
    assert_eq!(ran.ok(), "s VERIFIED A1-A2 official draw cut\n");
    let bigger = gobprove(&["verify", "A2-A2", "--kind", "cut", "--certificates", directory]);
    assert_eq!(bigger.ok(), "s VERIFIED A2-A2 official draw cut white=A1\n");
    // Nothing is proven for a White that has less.
    write(own.path(), "small.gobcert", &empty_cut("A2-A2"));
    gobprove(&[&asked[..], &["--kind", "cut"]].concat()).error(4, &["A1-A2", "cut"]);
}

#[test]
fn a_variant_stays_one_beside_a_file_of_that_name() {
    let own = tempfile::tempdir().expect("a directory");
    fs::create_dir(own.path().join("ab")).expect("a directory");
    let run = |word: &str| {
        super::Ran::of(super::command(&["verify", word, "--reading", "official"]).current_dir(own.path()))
    };
    assert_eq!(run("ab").ok(), "s VERIFIED ab official draw closure\n");
    run("./ab").error(4, &["./ab", "a directory"]);
}

#[test]
fn what_is_neither_a_variant_nor_a_path() {
    gobprove(&["verify", "abx"]).error(2, &["\"abx\" is not a variant", "no file", "did you mean \"ab\""]);
    gobprove(&["verify", "A3-A3C3"]).error(2, &["\"A3-A3B3\""]);
    gobprove(&["verify", "missing.gobcert"]).error(4, &["cannot read", "missing.gobcert"]);
    gobprove(&["verify", "missing/ab"]).error(4, &["cannot read", "missing/ab"]);
    gobprove(&["verify", "ab", "--kind", "strategy"]).error(2, &["cut, closure"]);
    gobprove(&["verify", "ab", "--threads", "0"]).error(2, &["--threads"]);
}

/// More white pieces never hurt White, more black ones never Black, and robust is the worst reading for White.
#[test]
fn what_follows_from_another_certificate_is_told_as_that() {
    let fewer_black = gobprove(&["verify", "A3-A3B2", "--reading", "official"]);
    let because = "therefore A3-A3B2 official draw: Black can do no more than with A3B3";
    assert_eq!(fewer_black.ok(), format!("s VERIFIED ab official draw closure\n{because}\n"));
    let more_white = gobprove(&["verify", "A3B1-A2B2", "--reading", "thesis"]);
    let because = "White may leave all but A2 in hand, and Black can do no more than with A3B2, \
                   and robust is the worst reading for White";
    let told =
        format!("s VERIFIED A2-A3B2 robust draw closure\ntherefore A3B1-A2B2 thesis draw: {because}\n");
    assert_eq!(more_white.ok(), told);
    let fewer_white = gobprove(&["verify", "A2-A3B3", "--reading", "official", "--json"]).json();
    assert_eq!(fewer_white["claim"], "A2B2-A3B3 official lost refutation");
    assert_eq!(fewer_white["therefore"], serde_json::json!(["A2-A3B3 official lost"]));
    // What White loses under a reading it loses under the one that is worst for it.
    let robust = gobprove(&["verify", "A2-A3B3", "--reading", "robust"]);
    let because =
        "therefore A2-A3B3 robust lost: White can do no more than with A2B2, and robust is the worst";
    assert!(robust.ok().contains(because), "{robust:?}");
    gobprove(&["verify", "ab", "--kind", "refutation"])
        .error(4, &["no certificate ships for ab of kind refutation", "ab-official-closure.gobcert ships"]);
    gobprove(&["verify", "ab", "--kind", "cut", "--reading", "thesis"]).error(
        4,
        &["no certificate ships for ab of kind cut under thesis", "ab-robust-closure.gobcert ships"],
    );
    let empty = tempfile::tempdir().expect("a directory");
    gobprove(&["verify", "--certificates", text(empty.path())]).error(4, &["holds no .gobcert file"]);
    // Nothing is known of White with more against Black with more.
    gobprove(&["verify", "A3B2-A3B3C1D1"]).error(4, &["no certificate ships"]);
}

/// The small certificates are inside the program. Of the others it is told where they were looked for.
#[test]
fn what_ships_and_is_not_at_hand_is_told() {
    let own = tempfile::tempdir().expect("a directory");
    let run = |arguments: &[&str]| super::Ran::of(&mut super::alone(own.path(), arguments));
    let small = fs::read_dir(directory()).expect("a directory").filter(|entry| {
        let entry = entry.as_ref().expect("an entry");
        let is_certificate = entry.path().extension().is_some_and(|extension| extension == "gobcert");
        is_certificate && entry.metadata().expect("a file").len() < 100_000
    });
    let inside = run(&["verify", "--quiet"]);
    assert_eq!(inside.ok().matches("s VERIFIED ").count(), small.count(), "{inside:?}");
    let told =
        "note: not at hand, and too large to be inside the program: A3B1-A3B2C2-official-closure.gobcert, ";
    assert!(inside.stderr.starts_with(told), "{inside:?}");
    let looked = ["A3B1-A3B3C1-official-closure.gobcert", "looked in /", "/certificates, /", "next: "];
    run(&["verify", "A3B1-A3B3C1", "--reading", "official"]).error(4, &looked);
    run(&["explain", "start", "--variant", "A3B1-A3B3C1"]).error(4, &looked);
    let played = run(&["play", "A3B1-A3B3C1", "--white", "random", "--black", "random", "--most", "2"]);
    played.ok();
    assert!(
        played.stderr.starts_with("note: not at hand, and too large to be inside the program: A3B1-"),
        "{played:?}"
    );
    // Several are named in one error.
    let several = run(&["verify", "A3B1-A3B3C3D3"]);
    several.error(4, &["A3B1-A3B3C2-official-refutation.gobcert, A3B1-A3B3C2-thesis-refutation.gobcert, "]);
    let all = run(&["verify", "--all", "--quiet"]);
    assert_eq!(all.code, Some(4), "{all:?}");
    assert!(
        all.stdout.ends_with(" s\n") && all.stdout.contains("50 of the 63 certificates that ship"),
        "{all:?}"
    );
    // A filter is named, and those that it leaves out are not counted.
    let some = run(&["verify", "--all", "--quiet", "--kind", "cut", "--reading", "official"]);
    assert!(
        some.stdout
            .contains("0 of the 1 certificates that ship of kind cut for the reading official are verified"),
        "{some:?}"
    );
    run(&["verify", "."]).error(4, &["it is a directory", "gobprove verify --certificates . checks all"]);
    // Wherever it is found, it is checked.
    fs::create_dir(own.path().join("certificates")).expect("a directory");
    let torn = own.path().join("certificates/A3B1-A3B3C1-official-closure.gobcert");
    fs::write(&torn, b"\x89GOBCERT").expect("written");
    let ran = run(&["verify", "A3B1-A3B3C1", "--reading", "official"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    // And what has another's name is not taken for it.
    fs::copy(shipped(CLOSURE), &torn).expect("copied");
    run(&["verify", "A3B1-A3B3C1", "--reading", "official"])
        .error(1, &["it claims ab official draw closure, and A3B1-A3B3C1 was asked for"]);
}

/// A variant's name stands for what ships. A certificate of it that lies in the folder is offered by its file's name.
#[test]
fn a_certificate_that_was_made_here_is_offered_by_its_name() {
    let own = tempfile::tempdir().expect("a directory");
    let run = |arguments: &[&str]| super::Ran::of(&mut super::alone(own.path(), arguments));
    run(&["verify", "A1-A2B2"]).error(4, &["no certificate ships", "`gobprove estimate A1-A2B2`"]);
    run(&["generate", "A1-A2B2", "--quiet"]).ok();
    let name = "A1-A2B2-official-closure.gobcert";
    run(&["verify", "A1-A2B2"]).error(4, &["no certificate ships", &format!("`gobprove verify {name}`")]);
    run(&["verify", "A1-A2B2", "--kind", "refutation"]).error(4, &["`gobprove estimate A1-A2B2`"]);
    assert_eq!(run(&["verify", name, "--quiet"]).ok(), "s VERIFIED A1-A2B2 official draw closure\n");
}

#[test]
fn what_comes_first_is_checked_and_what_is_wrong_is_told_in_its_place() {
    let ran = gobprove(&["verify", "ab", "nosuch", "--reading", "official"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), "s VERIFIED ab official draw closure\n"),
        "{ran:?}"
    );
    assert!(ran.stderr.starts_with("error: \"nosuch\" is not a variant"), "{ran:?}");
}

#[test]
fn a_certificate_comes_in_by_stdin() {
    let file = fs::File::open(shipped(CLOSURE)).expect("readable");
    let ran = super::Ran::of(super::command(&["verify", "-"]).stdin(file));
    assert_eq!(ran.ok(), "s VERIFIED ab official draw closure\n");
    let ran = super::Ran::of(super::command(&["verify", "-"]).stdin(std::process::Stdio::null()));
    ran.error(1, &["stdin is rejected"]);
    // What the shell makes of `<(COMMAND)` is such a path, and nothing is behind it afterwards.
    let file = fs::File::open(shipped(CLOSURE)).expect("a file");
    let cat = std::process::Command::new("cat").stdin(file).stdout(std::process::Stdio::piped()).spawn();
    let pipe = cat.expect("cat starts").stdout.take().expect("a pipe");
    let ran = super::Ran::of(super::command(&["verify", "/dev/stdin"]).stdin(pipe));
    ran.error(4, &["it is a pipe", "`COMMAND | gobprove verify -`"]);
}

#[test]
fn nothing_ships_for_a_known_variant() {
    gobprove(&["verify", "abcd-full"]).error(4, &["abcd-full", "next: ", "gobprove estimate abcd-full"]);
    let ran = gobprove(&["verify", "abcd-full", "--json"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("no certificate ships for abcd-full"), "{ran:?}");
}

#[test]
fn one_rejected_among_several_rejects_all() {
    let own = tempfile::tempdir().expect("a directory");
    let forged = write(own.path(), "forged.gobcert", &closure_without(|position| position.is_empty()));
    let good = shipped(CLOSURE);
    let ran = gobprove(&["verify", text(&forged), text(&good)]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.stdout, "s VERIFIED ab official draw closure\n", "the others are still checked");
    let report = gobprove(&["verify", text(&good), text(&forged), "--json"]);
    assert_eq!(report.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!(report["verdict"], "rejected");
    assert_eq!(report["certificates"][0]["verdict"], "verified");
    let rejected = &report["certificates"][1];
    assert_eq!((&rejected["condition"], &rejected["value"]), (&"K4".into(), &serde_json::Value::Null));
}

/// A checker by the name of the one in Coq, which says this and exits with that.
#[cfg(unix)]
fn other_checker(says: &str, code: i32) -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("gobcheck-coq");
    fs::write(&path, format!("#!/bin/sh\necho '{says}'\nexit {code}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("may be run");
    directory
}

#[cfg(unix)]
#[test]
fn another_checker_has_to_say_the_same() {
    let asked = |says, code, more: &[&str]| {
        let directory = other_checker(says, code);
        let mut command = super::command(&["verify", "ab", "--reading", "official", "--with", "coq"]);
        super::Ran::of(command.args(more).env("PATH", directory.path()))
    };
    let line = "s VERIFIED ab official draw closure";
    let same = asked(line, 0, &[]);
    assert!(same.ok().starts_with(line) && same.ok().contains("gobcheck"), "{same:?}");
    let row = same.ok().lines().find(|line| line.contains(CLOSURE)).expect("a row");
    assert_eq!(row.matches("verified, ").count(), 2, "{row}");
    let last = same.ok().lines().last();
    assert_eq!(last, Some("coq: the verdict of gobcheck on 1 of 1 files, 0 not judged"));
    assert_eq!(asked(line, 0, &["--json"]).json()["others"]["coq"], "verified");
    for (says, code) in [("s VERIFIED ab robust draw closure", 0), ("", 0), ("refused", 1)] {
        let differs = asked(says, code, &[]);
        assert_eq!(differs.code, Some(1), "{differs:?}");
        assert!(differs.stderr.contains("the checker coq says: "), "{differs:?}");
    }
    // No verdict contradicts none.
    let none = asked("", 3, &[]);
    assert!(none.ok().contains("0 of 0 files, 1 not judged"), "{none:?}");
    assert!(none.ok().contains("not judged: exit status: 3"), "{none:?}");
}

/// The checker in Python has two parts, its script and Python itself.
#[cfg(unix)]
#[test]
fn the_part_of_another_checker_that_is_missing_is_named() {
    let own = tempfile::tempdir().expect("a directory");
    let asked = || {
        let mut command = super::command(&["verify", "ab", "--with", "python"]);
        super::Ran::of(command.current_dir(own.path()).env("PATH", own.path()))
    };
    asked().error(4, &["there is no tests/second_checker.py here", "the root of a checkout"]);
    fs::create_dir(own.path().join("tests")).expect("a directory");
    fs::write(own.path().join("tests/second_checker.py"), "").expect("written");
    asked().error(4, &["python3 is not in PATH", "install Python 3.9 or later"]);
}

#[cfg(unix)]
#[test]
fn another_checker_reads_the_file_from_its_standard_input() {
    let directory = other_checker("", 0);
    let read = directory.path().join("read");
    let script = format!("#!/bin/sh\n[ \"$*\" = - ] && exec /bin/cat >{}\n", text(&read));
    fs::write(directory.path().join("gobcheck-coq"), script).expect("written");
    let file = shipped(CLOSURE);
    let mut command = super::command(&["verify", text(&file), "--with", "coq"]);
    // A line that is empty is not the line of gobcheck.
    assert_eq!(super::Ran::of(command.env("PATH", directory.path())).code, Some(1));
    assert!(fs::read(read).expect("written") == fs::read(file).expect("it ships"), "other bytes");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_another_checker_and_leaves_the_rows_that_are_done() {
    use std::process::Stdio;
    use std::{thread, time::Duration};

    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    let directory = other_checker("", 0);
    let id = directory.path().join("id");
    // The first file is judged, the second never.
    let line = "s VERIFIED ab official draw closure";
    let wait = format!("echo $$ >{0}.new; mv {0}.new {0}; exec sleep 60", text(&id));
    let script =
        format!("#!/bin/sh\n[ -e {0}.once ] || {{ >{0}.once; echo '{line}'; exit; }}\n{wait}\n", text(&id));
    fs::write(directory.path().join("gobcheck-coq"), script).expect("written");
    let mut command = super::command(&["verify", "--with", "coq"]);
    command.args([shipped(CLOSURE), shipped(CLOSURE)]);
    let path = format!("{}:/usr/bin:/bin", directory.path().display());
    let child =
        command.env("PATH", path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    while !id.exists() {
        thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it is there");
    let ran = super::Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.stdout.contains("coq: the verdict of gobcheck on 1 of 1 files, 0 not judged"), "{ran:?}");
    let other = fs::read_to_string(&id).expect("its id").trim().parse().expect("a number");
    test_kill_process(Pid::from_raw(other).expect("not zero")).expect_err("it is gone");
}

#[cfg(unix)]
#[test]
fn another_checker_that_is_not_installed_is_an_error() {
    let mut command = super::command(&["verify", "ab", "--with", "coq"]);
    let ran = super::Ran::of(command.env("PATH", "/nowhere"));
    ran.error(4, &["gobcheck-coq", "make -C formal"]);
}

/// What cannot be a certificate is refused by its first bytes, however much would follow.
#[test]
fn stdin_without_an_end_is_refused_at_its_beginning() {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut verify = super::command(&["verify", "-"]);
    let verify = verify.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = verify.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let most = 16 << 20;
    let written = (0..most / 4096).take_while(|_| stdin.write_all(&[b'y'; 4096]).is_ok()).count() * 4096;
    let ran = super::Ran::from(child.wait_with_output().expect("it ends"));
    ran.error(1, &["not a certificate of this format"]);
    assert!(written < most, "it read all of {written} bytes");
}

/// While nothing comes it is said that stdin is read.
#[test]
fn stdin_that_comes_late_is_waited_for_aloud() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::Stdio;
    let mut verify = super::command(&["verify", "-", "--verbose"]);
    let verify = verify.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = verify.spawn().expect("the program starts");
    let mut told = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    told.read_line(&mut line).expect("a line");
    assert!(line.starts_with("reading stdin: 1 s"), "{line}");
    let bytes =
        std::fs::read(super::certificates::shipped("ab-official-closure.gobcert")).expect("what ships");
    child.stdin.take().expect("piped").write_all(&bytes).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "s VERIFIED ab official draw closure\n");
}
