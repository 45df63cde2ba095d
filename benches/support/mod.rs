//! What the benches that print a table share: which variants are asked for, solving, a clock.

#![allow(dead_code, reason = "each bench that includes this file uses a part of it")]

use std::env;
use std::error::Error;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use gobprove::bitbase::Solution;
use gobprove::passes;
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading, Variant};
use gobprove::strategy::Seed;

/// Why a bench cannot go on.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What is measured: the variants named after `cargo bench -p gobprove-benches --bench NAME --`, or where none is these. `cargo test`
/// runs a bench only to see that it works, and a small variant shows that.
pub fn games(usual: &[&str]) -> Result<Vec<Game>, Failure> {
    let mut names: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if !is_measured() {
        names = vec!["A1-A2B2".to_owned()];
    } else if names.is_empty() {
        names = usual.iter().map(|&name| name.to_owned()).collect();
    }
    let game = |name: String| Ok(Game::new(name.read::<Variant>()?, Reading::Official));
    names.into_iter().map(game).collect()
}

/// Whether times are wanted, and not only that the bench works.
pub fn is_measured() -> bool {
    env::args().any(|argument| argument == "--bench")
}

/// As `gobprove solve` does it.
pub fn solve(game: &Game) -> Result<Solution, Failure> {
    Ok(passes::solve(game, Seed::Rules, None, &mut |_| ControlFlow::Continue(()))?)
}

/// How many threads the machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs some work so that rayon splits it over this many threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(work))
}

/// How long this process was on processors: what else runs on the machine does not count.
#[cfg(unix)]
pub fn clock() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap_or_default()
}

/// How long this process has been running, where the system's clock is not known.
#[cfg(not(unix))]
pub fn clock() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// What some work gives, and how long it was on processors.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = clock();
    let result = work();
    (result, clock().saturating_sub(start))
}
