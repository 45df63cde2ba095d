//! `gobcheck FILE`: checks one certificate, with nothing but the trusted modules. Success is exit 0 and the
//! line `s VERIFIED <claim>` on stdout.

use std::io::{ErrorKind, Write as _, stderr, stdout};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use gobprove::certificate::read_file;
use gobprove::checker::{self, Condition, Refusal};

const USAGE: &str = "usage: gobcheck FILE
Checks a Gobblet certificate. If it proves its claim, prints a line \"s VERIFIED <claim>\" and exits with 0.
Other exits: 1 rejected, 2 wrong use, 3 more positions than can be checked here, 4 cannot be read.";

/// The exit codes besides 0.
const REJECTED: u8 = 1;
const WRONG_USE: u8 = 2;
const INCONCLUSIVE: u8 = 3;
const UNAVAILABLE: u8 = 4;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file] = arguments.as_slice() else { return end(WRONG_USE, USAGE) };
    let bytes = match read_file(Path::new(file)) {
        Ok(bytes) => bytes,
        Err(error) => return end(UNAVAILABLE, &format!("error: {error}")),
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut fewer = (1..=cores).rev().filter_map(NonZeroUsize::new);
    let is_free = |threads: &NonZeroUsize| Vec::<u8>::new().try_reserve_exact(room(&bytes, *threads)).is_ok();
    let Some(threads) = fewer.find(is_free) else {
        let least = room(&bytes, NonZeroUsize::MIN) >> 20;
        let reason = format!("it may take {least} MiB of memory, and the system gives less");
        return end(UNAVAILABLE, &format!("error: {file:?} cannot be checked here: {reason}"));
    };
    match checker::check(&bytes, threads, &|_, _| ()) {
        Ok(verified) => match writeln!(stdout(), "s VERIFIED {}", verified.claim) {
            Ok(()) => ExitCode::SUCCESS,
            // Nobody reads it: no verdict was given, and nobody asks for a message.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(UNAVAILABLE),
            Err(error) => end(UNAVAILABLE, &format!("error: cannot write the verdict to stdout: {error}")),
        },
        Err(Refusal::Condition(breach)) if breach.condition == Condition::Census => {
            end(INCONCLUSIVE, &format!("error: {file:?} cannot be checked here: {breach}"))
        }
        Err(refusal) => end(REJECTED, &format!("error: {file:?} is rejected: {refusal}")),
    }
}

/// The memory that a check should find free, in bytes: tables, and for each byte of the file, which may be a
/// position, what a position takes. Each thread more may set 128 MiB of addresses apart for itself, used or not.
/// The system would end a check that runs out of memory without a message; this is asked for, and given back,
/// before it begins.
fn room(bytes: &[u8], threads: NonZeroUsize) -> usize {
    let helpers = (threads.get() - 1).saturating_mul(128 << 20);
    (16_usize << 20).saturating_add(helpers).saturating_add(bytes.len().saturating_mul(128))
}

/// Ends with a message on stderr; if nobody reads that, the exit code still says it.
fn end(code: u8, message: &str) -> ExitCode {
    let _ = writeln!(stderr(), "{}", message.trim_end());
    ExitCode::from(code)
}
