//! What a command shows on a terminal while it works.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::tty::terminal;
use super::{Ran, command};

/// What a command wrote to a terminal of its own with this number of columns, with the time of each piece since it began.
fn on_a_terminal(columns: u16, arguments: &[&str]) -> Vec<(Duration, String)> {
    let (mut ours, theirs) = terminal(columns);
    let started = Instant::now();
    let mut child = command(arguments);
    child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(theirs).env("TERM", "xterm");
    let mut running = child.spawn().expect("the program starts");
    // The command holds the other end, and would keep it open.
    drop(child);
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
        (&["estimate", "A3-A3B1"], &["estimating A3-A3B1"]),
        (
            &["play", "A1-A3B1", "--plain", "--white", "engine", "--black", "engine", "--time", "1"],
            &["White thinks"],
        ),
        (
            &["match", "nodes:300000", "nodes:300000", "--games", "2", "--variant", "A1-A3B1"],
            &["playing 2 games", "; game 1, "],
        ),
    ] {
        let pieces = on_a_terminal(120, arguments);
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

/// What has no room is left out word by word: no number is cut.
#[test]
fn a_narrow_terminal_shows_whole_words() {
    const COLUMNS: usize = 56;
    let pieces = on_a_terminal(COLUMNS as u16, &["solve", "A2-A3B2C1", "--no-file", "--threads", "1"]);
    let shown: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    let lines = shown.split(['\r', '\n']).map(without_escapes).filter(|line| line.contains("solving"));
    let (mut cut, mut whole) = (0, 0);
    for line in lines {
        let length = line.trim_end().chars().count();
        assert!(length <= COLUMNS, "{length}: {line:?}");
        match line.trim_end().strip_suffix(" …") {
            Some(words) => {
                cut += 1;
                assert!(!words.ends_with([',', ';', ' ']), "{line:?}");
            }
            None => whole += 1,
        }
        // Numbers have their thousands in groups of three: a number that is cut has fewer digits in its last one.
        for word in line.split([' ', ';']).filter(|word| word.contains(',')) {
            let mut groups = word.trim_end_matches(',').split(',').skip(1);
            assert!(groups.all(|group| group.len() == 3), "{word:?} in {line:?}");
        }
    }
    assert!(cut > 3, "{cut} lines were cut, {whole} were not: {shown:?}");
}

/// A line as a terminal shows it, without what sets colours and clears lines.
fn without_escapes(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        line + &part[end..]
    })
}

/// Lines on a pipe say which part is done, and that never falls.
#[test]
fn a_pipe_gets_lines_that_say_how_far_it_is() {
    let ran = super::gobprove(&["solve", "A2B2-A3B3", "--no-file", "--threads", "1", "--verbose"]);
    let part = |line: &str| {
        let said = line.strip_prefix("solving A2B2-A3B3 official: ").expect("what is done").to_owned();
        said.split_once(" %").map_or(0, |(part, _)| part.parse::<u32>().expect("a number"))
    };
    let lines = ran.stderr.lines().filter(|line| line.starts_with("solving "));
    let parts: Vec<u32> = lines.map(part).collect();
    assert!(parts.len() > 1 && parts.is_sorted() && parts[parts.len() - 1] > 0, "{ran:?}");
    assert!(ran.stderr.contains("; round ") && ran.stderr.contains(" rows, tier "), "{ran:?}");
    ran.ok();
}

/// What has nothing to keep ends at once when it is interrupted, and says what comes next.
#[test]
fn ctrl_c_ends_a_command_within_a_second_and_the_next_one_is_printed() {
    for (arguments, json) in [
        (&["estimate", "abcd-full", "--ranks", "2,4,8,16,32,64,128,256"][..], false),
        (&["solve", "A3-A3B3C1", "--no-file", "--json"], true),
        (&["verify", "A3B2-A3B3C2"], false),
        (&["perft", "9"], false),
        (
            &["refute", "A3B3-A3B3C2", "--discipline", "b=1,c=0", "--out", "/tmp/gobprove-never", "--quiet"],
            false,
        ),
    ] {
        let mut child = command(arguments);
        let child = child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        std::thread::sleep(Duration::from_millis(500));
        let begun = Instant::now();
        kill_process(Pid::from_child(&child), Signal::INT).expect("it is there");
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        let took = begun.elapsed();
        ran.error(130, &["interrupted; nothing is kept", "  next: ", &arguments.join(" "), "begins anew"]);
        assert_eq!(ran.stdout.contains("\"interrupted\""), json, "{ran:?}");
        assert!(took < Duration::from_secs(2), "a second on an idle machine: {arguments:?} took {took:?}");
    }
}

/// Also after the passes, whose working files are whole then.
#[test]
fn ctrl_c_ends_what_follows_the_passes_and_the_next_run_goes_on() {
    let own = tempfile::tempdir().expect("a directory");
    let dir = own.path().join("work");
    let arguments = [
        "solve",
        "A2B2-A3B3",
        "--no-file",
        "--longest",
        "--threads",
        "1",
        "--verbose",
        "--dir",
        super::text(&dir),
    ];
    let child =
        command(&arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let mut lines =
        BufReader::new(child.stderr.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.starts_with("looking for the longest win: ")), "it is looked for");
    let begun = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).expect("it is there");
    let told: Vec<String> = lines.collect();
    let (ended, took) = (child.wait().expect("it ends"), begun.elapsed());
    assert!(took < Duration::from_secs(2), "a second on an idle machine: {took:?}");
    assert_eq!(ended.code(), Some(130), "{told:?}");
    let says = |words: &str| told.iter().any(|line| line.contains(words));
    assert!(says("interrupted; what is finished is kept") && says("goes on from here"), "{told:?}");
    let again =
        super::gobprove(&["solve", "A2B2-A3B3", "--no-file", "--verbose", "--dir", super::text(&dir)]);
    assert!(!again.stderr.contains("; round "), "no round is run again: {again:?}");
    again.ok();
}
