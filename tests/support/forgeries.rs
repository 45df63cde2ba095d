//! What the checker judged, kept for other checkers: with `GOBPROVE_FORGERIES` in the environment every file that a test
//! of forgeries hands to the checker is written to `accepted/` or `refused/` in the directory that it names, and cuts, which other
//! checkers do not judge, to `accepted-cuts/` or `refused-cuts/`.

use std::fs;
use std::path::Path;

use gobprove::store::sha256_hex;

/// Where a header names the kind, and the number of cuts.
const KIND: usize = 14;
const CUT: u8 = 1;

/// Keeps a file under its digest.
///
/// # Panics
/// It cannot be written.
pub fn keep(bytes: &[u8], accepted: bool) {
    let Ok(directory) = std::env::var("GOBPROVE_FORGERIES") else { return };
    let folder = match (accepted, bytes.get(KIND) == Some(&CUT)) {
        (true, false) => "accepted",
        (false, false) => "refused",
        (true, true) => "accepted-cuts",
        (false, true) => "refused-cuts",
    };
    let directory = Path::new(&directory).join(folder);
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join(format!("{}.gobcert", sha256_hex(bytes))), bytes).expect("written");
}
