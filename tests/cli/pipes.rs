//! Readers that went away, disks that are full.
#![cfg(unix)]

use std::fs::File;
use std::io::pipe;

use super::certificates::shipped;
use super::{Ran, command, text};

/// Runs it with a stdout that nobody reads.
fn unread(arguments: &[&str]) -> Ran {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let output = command(arguments).stdout(writer).output().expect("the program starts");
    Ran {
        code: output.status.code(),
        stdout: String::new(),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

#[test]
fn a_closed_pipe_is_no_error_and_no_panic() {
    let certificate = shipped("ab-official-closure.gobcert");
    for arguments in [
        &["count", "-v"][..],
        &["count", "--json"],
        &["perft", "3"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
        &["info", text(&certificate)],
        &["verify", text(&certificate)],
    ] {
        let ran = unread(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_does_not_hide_a_refusal() {
    let directory = tempfile::tempdir().expect("a directory");
    let empty = directory.path().join("empty.gobcert");
    File::create(&empty).expect("a file");
    let ran = unread(&["verify", text(&empty), "--json"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("the file is empty"), "{ran:?}");
}

#[test]
fn errors_that_nobody_reads_are_no_panic() {
    for (arguments, code) in [
        (&["verify", "no-such-file.gobcert"][..], 4),
        (&["verify", "nonsense"], 2),
        (&["perft", "1", "--position", ""], 2),
    ] {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let status = command(arguments).stderr(writer).status().expect("the program starts");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_an_error() {
    for arguments in [&["count"][..], &["count", "--json"], &["perft", "2"], &["verify", "ab", "--quiet"]] {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let output = command(arguments).stdout(full).output().expect("the program starts");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: cannot write the result to stdout"), "{stderr}");
    }
}
