//! `gobcheck`: the whole trusted program.

use gobprove::prelude::*;
use std::fs;
use std::process::Command;

use super::certificates::{closure_without, empty_cut, shipped, write};
use super::{Ran, text};

fn gobcheck(arguments: &[&str]) -> Ran {
    Ran::of(Command::new(crate::gobcheck_bin::gobcheck()).args(arguments))
}

#[test]
fn a_good_certificate_is_verified() {
    let ran = gobcheck(&[text(&shipped("ab-official-closure.gobcert"))]);
    assert_eq!(ran.ok(), "s VERIFIED ab official draw closure\n");
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_forged_one_is_rejected() {
    let own = tempfile::tempdir().expect("a directory");
    let forged = write(own.path(), "forged.gobcert", &closure_without(|position| position.is_empty()));
    gobcheck(&[text(&forged)])
        .error(1, &["forged.gobcert", "rejected", "K4", ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b"]);
    let empty = own.path().join("empty");
    fs::write(&empty, b"").expect("written");
    gobcheck(&[text(&empty)]).error(1, &["the file ends at 0 bytes", "truncated"]);
}

#[test]
fn what_cannot_be_checked_or_read() {
    let own = tempfile::tempdir().expect("a directory");
    let huge = write(own.path(), "huge.gobcert", &empty_cut("abcd-full"));
    gobcheck(&[text(&huge)]).error(3, &["cannot be checked here"]);
    gobcheck(&[text(&own.path().join("missing"))]).error(4, &["cannot read"]);
    gobcheck(&[text(own.path())]).error(4, &["a directory"]);
}

#[test]
fn wrong_use_shows_the_right_one() {
    for arguments in [&[][..], &["--verbose"], &["--verbose", "a"]] {
        let ran = gobcheck(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains("usage: gobcheck FILE"), "{ran:?}");
        assert_eq!(ran.stderr.contains("there is no option \"--verbose\""), !arguments.is_empty(), "{ran:?}");
    }
}

#[test]
fn help_and_version() {
    assert!(gobcheck(&["--help"]).ok().starts_with("usage: gobcheck FILE"));
    assert_eq!(gobcheck(&["-h"]).ok(), gobcheck(&["--help"]).ok());
    assert_eq!(gobcheck(&["--version"]).ok(), format!("gobcheck {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(gobcheck(&["-V"]).ok(), gobcheck(&["--version"]).ok());
}

#[test]
fn several_files_each_get_a_verdict_and_the_worst_decides() {
    let own = tempfile::tempdir().expect("a directory");
    let good = shipped("ab-official-closure.gobcert");
    let forged = write(own.path(), "forged.gobcert", &closure_without(|position| position.is_empty()));
    let huge = write(own.path(), "huge.gobcert", &empty_cut("abcd-full"));
    let missing = own.path().join("missing");
    let ran = gobcheck(&[text(&good), text(&good)]);
    assert_eq!(ran.ok(), "s VERIFIED ab official draw closure\n".repeat(2));
    for (files, code) in [
        ([&good, &forged, &good], 1),
        ([&forged, &good, &huge], 3),
        ([&missing, &huge, &good], 4),
        ([&forged, &missing, &good], 4),
    ] {
        let ran = gobcheck(&files.map(|file| text(file)));
        let verified = files.iter().filter(|&&file| *file == good).count();
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(ran.stdout, "s VERIFIED ab official draw closure\n".repeat(verified), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 3 - verified, "{ran:?}");
    }
}

#[test]
fn standard_input_is_read_as_a_file() {
    let from = |path: &std::path::Path| {
        let mut command = Command::new(crate::gobcheck_bin::gobcheck());
        Ran::of(command.arg("-").stdin(fs::File::open(path).expect("a file")))
    };
    assert_eq!(from(&shipped("ab-official-closure.gobcert")).ok(), "s VERIFIED ab official draw closure\n");
    let own = tempfile::tempdir().expect("a directory");
    let forged = write(own.path(), "forged.gobcert", &closure_without(|position| position.is_empty()));
    from(&forged).error(1, &["\"-\" is rejected", "K4"]);
}

#[test]
#[cfg(unix)]
fn nobody_reading_is_no_panic_and_no_success() {
    let closed = || {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        writer
    };
    let program = crate::gobcheck_bin::gobcheck();
    let good = shipped("ab-official-closure.gobcert");
    let unread = Command::new(program).arg(good).stdout(closed()).output().expect("starts");
    assert_eq!((unread.status.code(), unread.stderr.as_slice()), (Some(4), &b""[..]));
    let untold = Command::new(program).arg("/missing").stderr(closed()).status().expect("starts");
    assert_eq!(untold.code(), Some(4));
}
