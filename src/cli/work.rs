//! The threads that a command works on.

use std::num::NonZeroUsize;

use super::exit::Failure;

/// Runs some work so that rayon splits it over this many threads.
///
/// # Errors
/// The threads cannot be started.
pub fn on_threads<T: Send>(threads: NonZeroUsize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build().map_err(|error| {
        Failure::unavailable(format!("cannot start {threads} threads: {error}"))
            .next("ask for fewer with --threads")
    })?;
    Ok(pool.install(work))
}
