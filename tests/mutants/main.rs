//! Mutants of the trusted part: what `cargo mutants` found is held against the list of those that are known to live,
//! each with the reason why it may. What they are tried on is in `.cargo/mutants.toml`: the tests of its pieces in
//! `tests/trusted`, the damaged files of `tests/format.rs` and the forgeries for each guard.
//!
//! ```sh
//! cargo install cargo-mutants --locked
//! cargo mutants --package gobcheck --baseline skip --timeout 300 --output target
//! GOBPROVE_MUTANTS=target/mutants.out cargo test --release --test mutants -- --nocapture
//! ```
//!
//! The second command takes hours of a core: each mutant is built, which takes seconds, and up to two minutes of tests are
//! run on it. It skips the run without a mutant, which looks for the tests in `gobcheck` and not in `gobprove`. It ends with an error because some mutants live; whether these are the ones
//! that may is what the third one says. A run with `--iterate` says less than a whole one, and is not taken for one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const KNOWN: &str = include_str!("known.txt");

/// The least number of mutants that a whole run tries.
const LEAST: usize = 600;

/// A mutant as `cargo mutants` names it, without the place in the file: that changes with every edit.
fn unplaced(line: &str) -> String {
    let (place, what) = line.split_once(": ").expect("FILE:LINE:COLUMN: WHAT");
    format!("{}: {what}", place.split(':').next().unwrap_or_default())
}

/// The mutants that are known to live, each with its reason: a line for each mutant, again where it can be put in two
/// places, and after those that have it in common the indented reason.
fn known(list: &str) -> Vec<(String, String)> {
    let mut known = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("    ") {
            None => waiting.push(line.to_owned()),
            Some(reason) => {
                assert!(!waiting.is_empty(), "a reason for nothing: {reason}");
                known.extend(waiting.drain(..).map(|mutant| (mutant, reason.to_owned())));
            }
        }
    }
    assert_eq!(waiting, [""; 0], "without a reason");
    known
}

#[test]
fn every_known_mutant_is_of_code_that_is_there() {
    let known = known(KNOWN);
    for (mutant, reason) in &known {
        assert!(reason.len() > 20, "{mutant}: {reason:?} explains nothing");
        let (file, what) = mutant.split_once(": ").expect("FILE: WHAT");
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect(mutant);
        // "… in NAME", or "replace NAME -> TYPE with …".
        let within = what.rsplit_once(" in ").map(|(_, name)| name);
        let whole = || Some(what.strip_prefix("replace ")?.split_once(" -> ")?.0);
        // A constant has no name there.
        if let Some(name) = within.or_else(whole).and_then(|name| name.rsplit("::").next()) {
            assert!(text.contains(name), "{mutant}: {name:?} is not in {file}");
        }
    }
}

#[test]
fn the_mutants_that_lived_are_those_that_are_known() {
    let Ok(dir) = std::env::var("GOBPROVE_MUTANTS") else {
        println!("no run to look at: GOBPROVE_MUTANTS is not set");
        return;
    };
    let text = |name: &str| -> String {
        let path = Path::new(&dir).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let iterated = Path::new(&dir).join("previously_caught.txt").exists();
    assert!(
        !iterated,
        "of earlier runs it is not known what was refuted and what did not compile: run it whole"
    );
    let outcomes = ["caught.txt", "timeout.txt", "missed.txt", "unviable.txt"].map(text);
    let planned: serde_json::Value = serde_json::from_str(&text("mutants.json")).expect("JSON");
    let planned = planned.as_array().expect("a list of mutants").iter();
    let planned: BTreeSet<&str> = planned.map(|mutant| mutant["name"].as_str().expect("a name")).collect();
    let judged: BTreeSet<&str> = outcomes.iter().flat_map(|text| text.lines()).collect();
    assert!(planned == judged, "the run was stopped: {} of {} were tried", judged.len(), planned.len());

    let [refuted, hung, lived, unviable] = outcomes.each_ref().map(|text| text.lines().count());
    let tried = refuted + hung + lived;
    println!(
        "{tried} mutants: {refuted} refuted, {hung} that went on for ever, {lived} that lived; \
         {unviable} more did not compile"
    );
    assert!(tried >= LEAST && refuted > tried / 2, "hardly anything was tried");
    let known = counted(known(KNOWN).into_iter().map(|(mutant, _)| mutant));
    let lived = counted(outcomes[2].lines().map(unplaced));
    let more_often = |these: &BTreeMap<String, usize>, than: &BTreeMap<String, usize>| -> Vec<String> {
        let more = these.iter().filter(|(mutant, times)| than.get(*mutant).is_none_or(|known| known < times));
        more.map(|(mutant, times)| format!("{times} times {mutant}")).collect()
    };
    let unexplained = more_often(&lived, &known);
    assert!(unexplained.is_empty(), "lived, and nobody knows why: {unexplained:#?}");
    let dead = more_often(&known, &lived);
    assert!(dead.is_empty(), "no longer live, and can go from the list: {dead:#?}");
}

/// How often each comes.
fn counted(mutants: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    mutants.for_each(|mutant| *times.entry(mutant).or_default() += 1);
    times
}
