//! What a command shows on a terminal while it works.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::command;

/// What a command wrote to a terminal of its own, with the time of each piece since it began.
fn on_a_terminal(arguments: &[&str]) -> Vec<(Duration, String)> {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal");
    unlockpt(&ours).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a plain name");
    let theirs = OpenOptions::new().read(true).write(true).open(name).expect("the other end");
    let started = Instant::now();
    let mut child = command(arguments);
    child
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(theirs)
        .env("TERM", "xterm")
        .env("COLUMNS", "120");
    let mut running = child.spawn().expect("the program starts");
    // The command holds the other end, and would keep it open.
    drop(child);
    let mut ours = File::from(ours);
    let (mut pieces, mut bytes) = (Vec::new(), [0; 4096]);
    // It ends with an error when nobody holds the other end.
    while let Ok(length @ 1..) = ours.read(&mut bytes) {
        pieces.push((started.elapsed(), String::from_utf8_lossy(&bytes[..length]).into_owned()));
    }
    assert!(running.wait().expect("it ends").success(), "{pieces:?}");
    pieces
}

/// No command begins at 100 %, none goes back, and none is silent for long.
#[test]
fn a_terminal_shows_the_phase_and_never_a_share_that_is_not_known() {
    let own = tempfile::tempdir().expect("a directory");
    let out = super::text(&own.path().join("out")).to_owned();
    let refute = ["refute", "A3-A3B3C1", "--discipline", "a=1,b=0", "--out", &out];
    let generate = ["generate", "ab", "--out", &out];
    let verify = ["verify", "ab", "ab-full", "--reading", "official"];
    for (arguments, says) in [
        (&refute[..], &["refuting A3-A3B3C1", " white moves"][..]),
        (&generate, &["solving ab", "left ", "answering for ab", " open"]),
        (&verify, &["checking 2 of 3, ab-"]),
        (&["estimate", "A3-A3B1"], &["to measure"]),
    ] {
        let pieces = on_a_terminal(arguments);
        let shown: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        for words in says {
            assert!(shown.contains(words), "{words:?} in {arguments:?}: {shown}");
        }
        let first = shown.split('%').next().filter(|_| shown.contains('%'));
        assert!(!first.is_some_and(|first| first.ends_with("100")), "{arguments:?}: {shown}");
        let silent = pieces.windows(2).map(|two| two[1].0 - two[0].0).max().unwrap_or_default();
        assert!(silent < Duration::from_secs(2), "{arguments:?}: silent for {silent:?}");
    }
}
