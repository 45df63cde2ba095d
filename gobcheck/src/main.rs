//! `gobcheck FILE…`: checks certificates. The success is exit 0 and a line `s VERIFIED <claim>` for each file.

use std::io::{self, ErrorKind, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use gobcheck::check::{MOST_PLACEMENTS, Refusal, check, placements};
use gobcheck::file;
use gobcheck::format::{Header, Kind};

const USAGE: &str = "usage: gobcheck FILE...
Checks Gobblet certificates; `-` is standard input. For each that proves its claim prints `s VERIFIED <claim>`.
Exit: 0 all verified, 1 rejected, 2 wrong use, 3 a cut too large to be checked here, 4 cannot be read.
Options: --help, --version";

/// The exit codes besides 0. Of several files the highest is given.
const REJECTED: u8 = 1;
const WRONG_USE: u8 = 2;
const INCONCLUSIVE: u8 = 3;
const UNAVAILABLE: u8 = 4;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let text = match arguments.first().and_then(|first| first.to_str()) {
        None if arguments.is_empty() => return ExitCode::from(fail(WRONG_USE, USAGE)),
        Some("--help" | "-h") => USAGE,
        Some("--version" | "-V") => concat!("gobcheck ", env!("CARGO_PKG_VERSION")),
        Some(option) if option.starts_with('-') && option != "-" => {
            return ExitCode::from(fail(WRONG_USE, &format!("error: there is no option {option:?}\n{USAGE}")));
        }
        _ => return ExitCode::from(arguments.iter().map(|file| run(Path::new(file))).max().unwrap_or(0)),
    };
    ExitCode::from(say(text))
}

/// Checks one file. Returns the exit code.
fn run(path: &Path) -> u8 {
    let read = if path == Path::new("-") { file::read_from(io::stdin()) } else { file::read(path) };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => return fail(UNAVAILABLE, &format!("error: cannot read {path:?}: {error}")),
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut fewer = (1..=cores).rev().filter_map(NonZeroUsize::new);
    let is_free = |threads: &NonZeroUsize| Vec::<u8>::new().try_reserve_exact(room(&bytes, *threads)).is_ok();
    let Some(threads) = fewer.find(is_free) else {
        let least = room(&bytes, NonZeroUsize::MIN) >> 20;
        let reason = format!("it may take {least} MiB of memory, and the system gives less");
        return fail(UNAVAILABLE, &format!("error: {path:?} cannot be checked here: {reason}"));
    };
    match check(&bytes, threads, &|_, _| ()) {
        Ok(verified) => say(&format!("s VERIFIED {}", verified.claim)),
        Err(refusal @ Refusal::TooLarge) => {
            fail(INCONCLUSIVE, &format!("error: {path:?} cannot be checked here: {refusal}"))
        }
        Err(refusal) => fail(REJECTED, &format!("error: {path:?} is rejected: {refusal}")),
    }
}

/// The bytes of memory that a check should find free: for its tables; for each byte of the file, which may be a position, as
/// much as a position takes; two bits for each placement of a cut's variant; and for each further thread 128 MiB of address
/// space, which it may reserve without using it. The system would end a check that runs out of memory without a message, so
/// this memory is asked for, and given back, before the check begins.
fn room(bytes: &[u8], threads: NonZeroUsize) -> usize {
    let cut = Header::parse(bytes).ok().filter(|header| header.claim.kind == Kind::Cut);
    let placements = cut.map(|header| placements(header.claim.game.variant));
    // A larger cut is not judged.
    let placements = placements.filter(|&all| all <= MOST_PLACEMENTS).unwrap_or(0) as usize;
    let helpers = (threads.get() - 1).saturating_mul(128 << 20);
    let listed = bytes.len().saturating_mul(128);
    (16_usize << 20).saturating_add(helpers).saturating_add(listed).saturating_add(placements / 4)
}

/// Prints a line. A verdict that nobody can read was not given.
fn say(text: &str) -> u8 {
    match writeln!(io::stdout(), "{text}") {
        Ok(()) => 0,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => UNAVAILABLE,
        Err(error) => fail(UNAVAILABLE, &format!("error: cannot write to stdout: {error}")),
    }
}

/// Says on stderr why there is no verdict; if nobody reads that, the exit code still says it.
fn fail(code: u8, message: &str) -> u8 {
    let _ = writeln!(io::stderr(), "{message}");
    code
}
