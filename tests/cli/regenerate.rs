//! `gobprove regenerate`.

use std::fs;

use super::certificates::shipped;
use super::{Ran, command, gobprove, keys, text};

#[test]
fn the_bytes_that_ship_are_made_again_and_not_twice() {
    let own = tempfile::tempdir().expect("a directory");
    let into = own.path().join("again");
    let run = |more: &[&str]| {
        gobprove(&[&["regenerate", "--into", text(&into), "--quiet", "--json"], more].concat())
    };
    let names = ["ab-official-closure", "A3-A3B3C1-thesis-refutation.gobcert"];
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
    run(&["nosuch"]).error(2, &["nothing that ships is called \"nosuch\""]);
    run(&[]).error(2, &["--all"]);
}
