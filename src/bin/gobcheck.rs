//! `gobcheck FILE`: checks one certificate, with nothing but the trusted modules. Success is exit 0 and the
//! line `s VERIFIED <claim>` on stdout.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use gobprove::certificate::read_file;
use gobprove::checker;

/// The exit codes: verified 0, rejected 1, wrong use 2, cannot be read 4.
const REJECTED: u8 = 1;
const USAGE: u8 = 2;
const UNREADABLE: u8 = 4;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file] = arguments.as_slice() else {
        eprintln!(
            "usage: gobcheck FILE\nChecks a certificate; exit 0 and a line \"s VERIFIED …\" if it proves its claim."
        );
        return ExitCode::from(USAGE);
    };
    let bytes = match read_file(Path::new(file)) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(UNREADABLE);
        }
    };
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    match checker::check(&bytes, threads, &|_, _| ()) {
        Ok(verified) => match writeln!(std::io::stdout(), "s VERIFIED {}", verified.claim) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(UNREADABLE),
        },
        Err(refusal) => {
            eprintln!("rejected: {refusal}");
            ExitCode::from(REJECTED)
        }
    }
}
