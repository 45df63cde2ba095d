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
    gobcheck(&[text(&forged)]).error(1, &["forged.gobcert", "rejected", "K4", "4  .   .   .   ."]);
    let empty = own.path().join("empty");
    fs::write(&empty, b"").expect("written");
    gobcheck(&[text(&empty)]).error(1, &["the file is empty"]);
}

#[test]
fn what_cannot_be_checked_or_read() {
    let own = tempfile::tempdir().expect("a directory");
    let huge = write(own.path(), "huge.gobcert", &empty_cut("abcd-full"));
    gobcheck(&[text(&huge)]).error(3, &["cannot be checked here"]);
    gobcheck(&[text(&own.path().join("missing"))]).error(4, &["cannot open"]);
    gobcheck(&[text(own.path())]).error(4, &["a directory"]);
}

#[test]
fn wrong_use_shows_the_right_one() {
    for arguments in [&[][..], &["a", "b"]] {
        let ran = gobcheck(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.starts_with("usage: gobcheck FILE"), "{ran:?}");
    }
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
