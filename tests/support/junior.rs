//! The solved game on nine squares, about which several tests ask.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Copies the solved game to a path, and returns what the program printed when it solved it. That takes ten seconds on two cores,
/// so it is done once for each build of the program, and the file stays with what is built.
pub fn solved_junior(copy: &Path) -> serde_json::Value {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    let build = gobprove::store::sha256_hex(&fs::read(program).expect("the program"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junior");
    fs::create_dir_all(&dir).expect("a directory");
    let lock = File::create(dir.join("lock")).expect("created");
    lock.lock().expect("locked");
    // What was printed is written last.
    let [file, printed] = ["gobsolved", "json"].map(|kind| dir.join(format!("{build}.{kind}")));
    if !printed.exists() {
        discard_builds(&dir);
        let mut solve = Command::new(program);
        let ran = solve.args(["solve", "junior", "--json", "--out"]).arg(&file).output().expect("it starts");
        assert!(ran.status.success(), "{ran:?}");
        fs::write(&printed, ran.stdout).expect("written");
    }
    fs::copy(&file, copy).expect("copied");
    serde_json::from_slice(&fs::read(&printed).expect("read")).expect("JSON")
}

/// Removes what earlier builds have solved.
fn discard_builds(dir: &Path) {
    let paths = fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path());
    // The lock has no extension.
    for path in paths.filter(|path: &PathBuf| path.extension().is_some()) {
        fs::remove_file(path).expect("removed");
    }
}
