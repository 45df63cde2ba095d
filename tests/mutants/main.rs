//! Mutants of the trusted part: what `cargo mutants` found is held against the list of those that are known to live,
//! each with the reason why it may.
//!
//! ```sh
//! cargo install cargo-mutants --locked
//! run() { cargo mutants --package gobcheck --baseline skip --gitignore true --output target/mutants "$@"; }
//! GOBPROVE_FORGERIES=$PWD/target/forged cargo test --release --test forgeries --test forged_bytes
//! GOBPROVE_FORGERIES=$PWD/target/forged run --timeout 60 --config .cargo/mutants-quick.toml
//! mv target/mutants/mutants.out target/mutants/quick
//! mkdir target/mutants/mutants.out; cat target/mutants/quick/{caught,timeout,unviable}.txt >target/mutants/mutants.out/caught.txt
//! run --timeout 100 --iterate
//! GOBPROVE_MUTANTS=target/mutants/quick:target/mutants/mutants.out cargo test --release --test mutants -- --nocapture
//! ```
//!
//! The quick run tries each mutant on the certificates below 100 kB that ship and on the small files that the tests of forgeries
//! make. The slow run tries the mutants that the quick one has not refuted. It uses the tests of the trusted pieces in
//! `tests/trusted`, the damaged files of `tests/format.rs` and the forgeries for each guard, and builds gobprove for each. Each
//! takes about an hour of a core. Both skip the run without a mutant, which looks for the tests in `gobcheck` and not in
//! `gobprove`, and both end with an error because some mutants live. Whether these are the ones that may is what the last
//! command says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const KNOWN: &str = include_str!("known.txt");

/// The least number of mutants that compile in a whole run.
const LEAST: usize = 588;

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

/// What became of a mutant, the strongest first: of several runs the strongest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    Refuted,
    WentOnForEver,
    DidNotCompile,
    Lived,
}

/// The file of a run with the names of the mutants that met each fate.
const FATES: [(Fate, &str); 4] = [
    (Fate::Refuted, "caught.txt"),
    (Fate::WentOnForEver, "timeout.txt"),
    (Fate::DidNotCompile, "unviable.txt"),
    (Fate::Lived, "missed.txt"),
];

/// What became of each mutant in some runs, of which the later ones try what the earlier ones have left.
fn fates(runs: &[PathBuf]) -> BTreeMap<String, Fate> {
    let mut fates = BTreeMap::new();
    for run in runs {
        for (fate, name) in FATES {
            let path = run.join(name);
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for mutant in text.lines() {
                let found = fates.entry(mutant.to_owned()).or_insert(fate);
                *found = fate.min(*found);
            }
        }
    }
    fates
}

#[test]
fn the_strongest_fate_of_several_runs_counts() {
    let runs = tempfile::tempdir().expect("a directory");
    let run = |name: &str, files: [&str; 4]| {
        let run = runs.path().join(name);
        fs::create_dir(&run).expect("a directory");
        FATES
            .iter()
            .zip(files)
            .for_each(|((_, name), text)| fs::write(run.join(name), text).expect("written"));
        run
    };
    let all = [run("quick", ["a\n", "", "", "b\nc\nd\n"]), run("whole", ["b\n", "d\n", "", "c\n"])];
    let expected =
        [("a", Fate::Refuted), ("b", Fate::Refuted), ("c", Fate::Lived), ("d", Fate::WentOnForEver)];
    assert_eq!(fates(&all), expected.map(|(mutant, fate)| (mutant.to_owned(), fate)).into());
}

#[test]
fn the_mutants_that_lived_are_those_that_are_known() {
    let Some(runs) = std::env::var_os("GOBPROVE_MUTANTS") else {
        println!("no run to look at: GOBPROVE_MUTANTS is not set");
        return;
    };
    let runs: Vec<PathBuf> = std::env::split_paths(&runs).collect();
    let fates = fates(&runs);
    let first = runs.first().expect("a run").join("mutants.json");
    let planned = fs::read_to_string(&first).unwrap_or_else(|error| panic!("{}: {error}", first.display()));
    let planned: serde_json::Value = serde_json::from_str(&planned).expect("JSON");
    let planned = planned.as_array().expect("a list of mutants").iter();
    let planned: BTreeSet<&str> = planned.map(|mutant| mutant["name"].as_str().expect("a name")).collect();
    let tried: BTreeSet<&str> = fates.keys().map(String::as_str).collect();
    assert!(planned == tried, "the run was stopped: {} of {} were tried", tried.len(), planned.len());

    let of = |wanted: Fate| fates.iter().filter(move |(_, fate)| **fate == wanted).map(|(mutant, _)| mutant);
    let [refuted, hung, unviable, lived] = FATES.map(|(fate, _)| of(fate).count());
    let tried = refuted + hung + lived;
    println!(
        "{tried} mutants: {refuted} refuted, {hung} that went on for ever, {lived} that lived; \
         {unviable} more did not compile"
    );
    assert!(tried >= LEAST && refuted > tried / 2, "hardly anything was tried");
    let known = counted(known(KNOWN).into_iter().map(|(mutant, _)| mutant));
    let lived = counted(of(Fate::Lived).map(|mutant| unplaced(mutant)));
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
