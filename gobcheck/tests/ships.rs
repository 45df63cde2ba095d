//! What ships below 100 kB is accepted, with the claim that its name asks for, and nothing that is cut short is. Quick enough to
//! be tried on each of some hundred small mistakes in the code.

#![expect(clippy::expect_used, reason = "what is not as expected fails the test")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use gobcheck::check::check;

/// Larger files take longer than a quick test may.
const SMALL: u64 = 100_000;

fn small() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../certificates");
    let files =
        fs::read_dir(directory).expect("a checkout has certificates").map(|entry| entry.expect("an entry").path());
    let is_small = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "gobcert")
            && path.metadata().expect("a file").len() < SMALL
    };
    files.filter(is_small).collect()
}

/// The claim of a file called `VARIANT-READING-KIND.gobcert`: White holds by a closure and loses by a refutation.
fn claim(path: &Path) -> String {
    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let (game, kind) = name.rsplit_once('-').expect("a kind");
    let reading = ["official", "thesis", "strict-lift", "no-entry-cover", "robust"]
        .into_iter()
        .find(|reading| game.ends_with(reading))
        .expect("a reading");
    let variant = game.strip_suffix(reading).and_then(|variant| variant.strip_suffix('-')).expect("a variant");
    let value = if kind == "refutation" { "lost" } else { "draw" };
    format!("{variant} {reading} {value} {kind}")
}

fn said(bytes: &[u8]) -> Result<String, String> {
    let verified = check(bytes, NonZeroUsize::MIN, &|_, _| {});
    verified.map(|verified| verified.claim.to_string()).map_err(|refusal| refusal.to_string())
}

#[test]
fn what_ships_is_accepted_with_the_claim_of_its_name() {
    let files = small();
    assert!(files.len() >= 15, "{files:?}");
    for path in files {
        let bytes = gobcheck::file::read(&path).expect("it can be read");
        assert_eq!(said(&bytes), Ok(claim(&path)));
        assert!(said(&bytes[..bytes.len() - 1]).is_err(), "{} lacks a byte", path.display());
    }
}
