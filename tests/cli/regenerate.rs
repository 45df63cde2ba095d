//! `gobprove regenerate`.

use std::fs;
#[cfg(unix)]
use std::process::Stdio;
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::certificates::shipped;
use super::{Ran, command, gobprove, keys, text};

#[test]
fn the_bytes_that_ship_are_made_again_and_not_twice() {
    let own = tempfile::tempdir().expect("a directory");
    let into = own.path().join("again");
    let run = |more: &[&str]| {
        gobprove(&[&["regenerate", "--into", text(&into), "--quiet", "--json"], more].concat())
    };
    let names = ["ab-official-closure", "ab-robust-closure.gobcert"];
    let report = run(&names).json();
    let made = report["certificates"].as_array().expect("an array");
    assert_eq!(made.len(), 2);
    for one in made {
        assert_eq!(keys(one), ["file", "outcome", "why", "seconds", "sha256"]);
        assert_eq!(one["outcome"], "same", "{one}");
        let file = one["file"].as_str().expect("a name");
        assert!(fs::read(into.join(file)).expect("made") == fs::read(shipped(file)).expect("what ships"));
    }
    assert_eq!(fs::read_dir(&into).expect("a directory").count(), 2, "no working files are left");
    // What is there is not made again: these take no time at all.
    let again = run(&[&names[..], &["--within", "1s"]].concat()).json();
    assert!(again["certificates"].as_array().expect("an array").iter().all(|one| one["outcome"] == "same"));
    // What is there with other bytes is.
    let path = into.join("ab-official-closure.gobcert");
    fs::write(&path, b"torn").expect("written");
    run(&names).ok();
    assert!(
        fs::read(&path).expect("made")
            == fs::read(shipped("ab-official-closure.gobcert")).expect("what ships")
    );
}

#[test]
fn what_is_left_out_is_told() {
    let own = tempfile::tempdir().expect("a directory");
    let run = |more: &[&str]| {
        Ran::of(command(&[&["regenerate", "--quiet"], more].concat()).current_dir(own.path()))
    };
    let little = run(&["ab", "--memory", "1M"]);
    assert_eq!(little.code, Some(3), "{little:?}");
    assert!(
        little.stdout.contains("left out") && little.stdout.contains("0 of 3 are the bytes"),
        "{little:?}"
    );
    let short = run(&["A3B1-A3B3C1", "--within", "1s"]);
    assert!(short.code == Some(3) && short.stdout.contains("30 minutes of a core"), "{short:?}");
    // The cut of ab is larger, and 32 files are smaller than 10,240 bytes.
    for (asked, count) in [(&["ab", "--under", "100K"][..], 2), (&["--under", "10K"], 32)] {
        let ran = run(&[asked, &["--memory", "1M"]].concat());
        assert!(ran.code == Some(3), "{ran:?}");
        assert!(ran.stdout.contains(&format!("0 of {count} are the bytes")), "{asked:?}: {ran:?}");
    }
    // A variant's name, or the beginning of a file's up to the end of a word; `ab` is not the beginning of `ab-full`.
    for (name, count) in
        [("ab", 3), ("A3-A3B3", 3), ("ab-full", 1), ("ab-official", 2), ("A3B2-A3B3C2-thesis", 1)]
    {
        let ran = run(&[name, "--memory", "1M"]);
        assert!(ran.stdout.contains(&format!("0 of {count} are the bytes")), "{name}: {ran:?}");
    }
    run(&["ab-offi"]).error(2, &["nothing that ships is called \"ab-offi\""]);
    run(&["ab", "--under", "10K"]).error(2, &["no file of what is asked for is under 10 KiB"]);
    run(&["nosuch"]).error(2, &["nothing that ships is called \"nosuch\"", "what ships is of A1-A1B1C1, "]);
    run(&["abfull"]).error(2, &["did you mean \"ab-full\"?"]);
    run(&[]).error(2, &["--all"]);
}

/// An interrupt reaches the process that makes a certificate, and the one that started it says how to go on.
#[test]
#[cfg(unix)]
fn interrupted_it_says_once_what_goes_on() {
    // Ctrl-C and what `timeout` sends are for both processes, and what `kill` sends is for one of them.
    let long = "A3B1-A3B3C2-official-refutation";
    for (name, signal, code, to_both) in [
        ("A2B2-A3B3", Signal::INT, 130, true),
        (long, Signal::INT, 130, false),
        (long, Signal::TERM, 143, true),
        (long, Signal::TERM, 143, false),
    ] {
        ends_at(name, (signal, code), to_both);
    }
}

#[cfg(unix)]
#[track_caller]
fn ends_at(name: &str, (signal, code): (Signal, i32), to_both: bool) {
    let own = tempfile::tempdir().expect("a directory");
    let into = own.path().join("again");
    let mut child = command(&["regenerate", name, "--into", text(&into), "--json"]);
    let child = std::os::unix::process::CommandExt::process_group(&mut child, 0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begun = || fs::read_dir(&into).is_ok_and(|mut names| names.next().is_some());
    while !begun() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let (pid, sent) = (Pid::from_child(&child), Instant::now());
    let kill = if to_both { kill_process_group } else { kill_process };
    kill(pid, signal).expect("it is there");
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert!(sent.elapsed() < Duration::from_secs(10), "{name} takes minutes, and saving a second");
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).expect("one JSON value");
    assert_eq!((ran.code, &told["error"]), (Some(code), &"interrupted; what is finished is kept".into()));
    let goes_on =
        |line: &&str| line.contains(&format!(" regenerate {name} ")) && line.ends_with("goes on from here");
    assert_eq!(ran.stderr.lines().filter(goes_on).count(), 1, "{ran:?}");
    assert_eq!(ran.stderr.matches("error: ").count(), 1, "{ran:?}");
}
