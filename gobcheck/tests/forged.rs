//! Files that others have forged are refused, and those that only look forged are accepted. `.ci/forgeries` asks the same of the
//! checker that is proven.
//!
//! ```sh
//! GOBPROVE_FORGERIES=$PWD/target/forged cargo test --release --test forgeries --test forged_bytes
//! GOBPROVE_FORGERIES=$PWD/target/forged cargo test --release --package gobcheck --test forged -- --ignored
//! ```

#![expect(clippy::expect_used, reason = "what is not as expected fails the test")]

use std::env;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use gobcheck::check::check;

/// A larger file takes longer than many small ones, and says nothing that they do not.
const SMALL: u64 = 100_000;

/// The small files in a folder of the directory that `GOBPROVE_FORGERIES` names, and in the folder beside it that has cuts.
fn kept(folder: &str) -> Vec<PathBuf> {
    let directory = env::var_os("GOBPROVE_FORGERIES").expect("GOBPROVE_FORGERIES names a directory");
    let files = |folder: &str| {
        let files = fs::read_dir(Path::new(&directory).join(folder)).expect("the tests of forgeries made it");
        let files = files.map(|entry| entry.expect("an entry").path());
        let files: Vec<PathBuf> = files.filter(|path| path.metadata().expect("a file").len() < SMALL).collect();
        assert!(!files.is_empty(), "{folder} is empty");
        files
    };
    [files(folder), files(&format!("{folder}-cuts"))].concat()
}

fn is_accepted(path: &Path) -> bool {
    let bytes = fs::read(path).expect("it can be read");
    check(&bytes, NonZeroUsize::MIN, &|_, _| {}).is_ok()
}

#[test]
#[ignore = "needs the files that the tests of forgeries keep"]
fn each_forgery_is_refused() {
    let accepted: Vec<PathBuf> = kept("refused").into_iter().filter(|path| is_accepted(path)).collect();
    assert!(accepted.is_empty(), "{accepted:?}");
}

#[test]
#[ignore = "needs the files that the tests of forgeries keep"]
fn what_only_looks_forged_is_accepted() {
    let refused: Vec<PathBuf> = kept("accepted").into_iter().filter(|path| !is_accepted(path)).collect();
    assert!(refused.is_empty(), "{refused:?}");
}
