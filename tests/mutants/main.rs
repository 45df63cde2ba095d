//! Mutants of the rules and the symmetries: what `cargo mutants` found is held against the list of those that are known to
//! live, each with the reason why it may.
//!
//! ```sh
//! cargo install cargo-mutants --locked
//! cargo mutants --output target
//! GOBPROVE_MUTANTS=target/mutants.out cargo test --release --test mutants -- --nocapture
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const KNOWN: &str = include_str!("known.txt");

/// Fewer than so many mutants is no run worth the name.
const LEAST: usize = 300;

/// A mutant as `cargo mutants` names it, without the place in the file: that changes with every edit.
fn unplaced(line: &str) -> String {
    let (place, what) = line.split_once(": ").expect("FILE:LINE:COLUMN: WHAT");
    format!("{}: {what}", place.split(':').next().unwrap_or_default())
}

/// The mutants that are known to live, each with its reason: a line for each mutant, and after those that have
/// it in common the indented reason.
fn known(list: &str) -> BTreeMap<String, String> {
    let mut known = BTreeMap::new();
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
    let lines = |name: &str| -> Vec<String> {
        let path = Path::new(&dir).join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines().map(unplaced).collect()
    };
    let [mut caught, hung, lived, unviable] =
        ["caught.txt", "timeout.txt", "missed.txt", "unviable.txt"].map(lines);
    // After `--iterate`: what earlier runs have refuted, with what did not compile.
    if Path::new(&dir).join("previously_caught.txt").exists() {
        let earlier = lines("previously_caught.txt");
        caught.extend(earlier.into_iter().filter(|mutant| !unviable.contains(mutant)));
    }
    let tried = caught.len() + hung.len() + lived.len();
    println!(
        "{tried} mutants: {} refuted, {} that went on for ever, {} that lived; {} more did not compile",
        caught.len(),
        hung.len(),
        lived.len(),
        unviable.len(),
    );
    assert!(tried >= LEAST && caught.len() > tried / 2, "hardly anything was tried");
    let known: BTreeSet<String> = known(KNOWN).into_keys().collect();
    let lived: BTreeSet<String> = lived.into_iter().collect();
    let unexplained: Vec<_> = lived.difference(&known).collect();
    assert!(unexplained.is_empty(), "lived, and nobody knows why: {unexplained:#?}");
    let dead: Vec<_> = known.difference(&lived).collect();
    assert!(dead.is_empty(), "no longer live, and can go from the list: {dead:#?}");
}
