//! Inputs at random for what reads bytes and text that strangers wrote, and for what has a slow twin. Every run of
//! the tests tries the committed corpus again, in `tests/fuzz/corpus/`, and for a second or so what becomes of it
//! by small changes.
//!
//! For longer, a target or all of them: `GOBPROVE_FUZZ_SECONDS=1800 cargo test --release --test fuzz decode --
//! --nocapture`, which needs no other tools. The same targets run under libFuzzer, which follows the code that
//! an input reaches: `cargo +nightly fuzz run decode fuzz/found/decode tests/fuzz/corpus/decode`, see
//! `fuzz/Cargo.toml`.

#![cfg(unix)]

mod campaign;
mod targets;

use std::path::{Path, PathBuf};
use std::time::Duration;

use campaign::Campaign;

/// How long a target is tried, in seconds, when the variable is not set.
const SECONDS: u64 = 1;

fn seconds() -> Duration {
    let set = std::env::var("GOBPROVE_FUZZ_SECONDS").ok();
    Duration::from_secs(set.map_or(SECONDS, |text| text.parse().expect("a number of seconds")))
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(name);
    let entries = std::fs::read_dir(&folder).expect("a corpus for each target");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("readable")).collect()
}

/// Tries the corpus of a target, then what becomes of it, and of what else is given, for a while.
fn fuzz(name: &str, more: &[&[u8]]) {
    let (_, target) = *targets::ALL.iter().find(|(known, _)| *known == name).expect("a target");
    let mut seeds = corpus(name);
    let committed = seeds.len();
    assert!(committed >= 10, "{committed} inputs in the corpus of {name}");
    seeds.extend(more.iter().map(|bytes| bytes.to_vec()));
    let mut campaign = Campaign::new(target, seeds);
    let done = campaign.run(seconds()).unwrap_or_else(|found| panic!("{name}: {found}"));
    println!(
        "{name}: {committed} inputs of the corpus and {} made from them in {} s, {} past the first door",
        done.made,
        done.elapsed.as_secs(),
        done.past_first_door
    );
    assert!(done.past_first_door >= 10, "{done:?}: nearly all was refused at once");
}

#[test]
fn decode() {
    fuzz("decode", &[include_bytes!("../../certificates/ab-official-closure.gobcert")]);
}

#[test]
fn round_trip() {
    fuzz("round_trip", &[include_bytes!("../../certificates/ab-official-closure.gobcert")]);
}

#[test]
fn checker() {
    fuzz("checker", &[]);
}

#[test]
fn rank() {
    fuzz("rank", &[]);
}

#[test]
fn moves() {
    fuzz("moves", &[]);
}

#[test]
fn notation() {
    fuzz("notation", &[]);
}

#[test]
fn request() {
    fuzz("request", &[]);
}

#[test]
fn each_target_has_a_corpus_and_a_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(root.join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").path());
        let stem = |path: PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut names: Vec<String> = names.map(stem).collect();
        names.sort();
        names
    };
    let mut targets = targets::ALL.map(|(name, _)| name);
    targets.sort_unstable();
    assert_eq!(names("tests/fuzz/corpus"), targets);
    assert_eq!(names("fuzz/fuzz_targets"), targets);
}
