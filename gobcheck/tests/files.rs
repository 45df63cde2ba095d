//! What is no regular file, or is longer than a certificate can be, is refused before it is read.

#![expect(clippy::expect_used, reason = "what is not as expected fails the test")]

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use gobcheck::file::{MAX_LEN, read};

/// Why a path is not read.
fn refused(path: &Path) -> (ErrorKind, String) {
    let error = read(path).expect_err("it is no certificate");
    (error.kind(), error.to_string())
}

#[test]
fn a_directory_is_told_from_a_device() {
    let (kind, text) = refused(Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(kind == ErrorKind::InvalidInput && text.contains("a directory"), "{kind} {text}");
    if cfg!(unix) {
        let (kind, text) = refused(Path::new("/dev/null"));
        assert!(kind == ErrorKind::InvalidInput && text.contains("a device"), "{kind} {text}");
    }
}

/// A file that takes no room: nothing is written into it.
#[test]
fn a_file_may_not_be_longer_than_a_certificate() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("too-long.gobcert");
    let file = File::create(&path).expect("created");
    file.set_len(MAX_LEN + 1).expect("a file with a hole");
    let (kind, text) = refused(&path);
    fs::remove_file(&path).expect("it is there");
    assert!(kind == ErrorKind::FileTooLarge && text.contains("4294967297 bytes"), "{kind} {text}");
}
