//! What each pass of `gobprove solve` takes, against what the memory system gives:
//!
//!     cargo bench --features counters --bench passes -- ab A2-A3B3C3
//!
//! Passes run on one thread. A row is a vector of placements, see `src/passes/layout.rs`; what a pass works on and what
//! it fetches to do so are counted apart. The last two columns say what part of a pass's time memory would take if all
//! cores ran it and every row came from there, in the order of addresses or at random. Caches make it less: where even
//! the last is far below 100, computing bounds the pass, and where the one before is near 100, memory does.

#[path = "../tests/support/grouped.rs"]
mod grouped;
mod support;

use std::fmt;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use gobprove::passes;
use gobprove::passes::counters::{self, Account};
use gobprove::rules::Game;
use gobprove::strategy::Seed;
use rayon::prelude::*;

use grouped::grouped;
use support::{Failure, clock, cores, games, is_measured, on_threads, solve, timed};

/// How long a measurement goes on at least, in seconds on the processor: small variants are solved again and again.
const SECONDS: f64 = 3.0;
/// Bytes of a row of three inner pieces.
const ROW: usize = 72;

fn main() -> Result<(), Failure> {
    if !counters::ON {
        println!("nothing is counted without --features counters");
        return Ok(());
    }
    games(&["ab", "A2-A3B3C3"])?.iter().try_for_each(table)
}

/// The table of a variant.
fn table(game: &Game) -> Result<(), Failure> {
    let seconds = if is_measured() { SECONDS } else { 0.0 };
    let array: Vec<u64> = (1..).take(passes::bytes(game.variant, Seed::Rules) as usize / 8).collect();
    let [one, all] = [1, cores()].map(|threads| Memory::of(&array, threads));
    let (one, all) = (one?, all?);
    counters::start(clock);
    let (mut runs, mut whole) = (0, Duration::ZERO);
    while runs == 0 || whole.as_secs_f64() < seconds {
        whole += on_threads(1, || run(game))??;
        runs += 1;
    }
    let mut accounts = counters::accounts();
    let cycle = cycle();
    println!(
        "{}: {:.2} s of one thread, lost-sets of {:.1} MiB; a cycle takes {:.2} ns.",
        game.variant,
        whole.as_secs_f64() / f64::from(runs),
        size_of_val(array.as_slice()) as f64 / f64::from(1 << 20),
        1e9 * cycle
    );
    println!("Memory of that size gives one thread {one},");
    println!("{} threads {all}.\n", cores());
    println!(
        "| pass | time, % | rows | in vain, % | ns a row | cycles a row | fetched a row | skipped a row | bytes \
         read a row | written a row | memory in order, % | at random, % |"
    );
    println!("| --- |{}", " --: |".repeat(11));
    // The first is what no pass took.
    accounts.rotate_left(1);
    for account in &accounts {
        line(account, runs, whole.as_secs_f64(), cycle, &all);
    }
    println!();
    Ok(())
}

/// Does what `gobprove solve` does, and says how long it was on the processor.
fn run(game: &Game) -> Result<Duration, Failure> {
    let (file, time) = timed(|| {
        let solution = solve(game)?;
        black_box(counters::pass("counts", || solution.outcomes()));
        Ok::<_, Failure>(counters::pass("file", || gobprove::store::encode(&solution))?)
    });
    black_box(file?);
    Ok(time)
}

/// The line of a pass.
fn line(account: &Account, runs: u32, whole: f64, cycle: f64, memory: &Memory) {
    let Account { pass, time, counts } = account;
    let time = time.as_secs_f64();
    let share = 100.0 * time / whole;
    if counts.rows == 0 {
        println!("| {pass} | {share:.1} |{}", " |".repeat(10));
        return;
    }
    let rows = counts.rows as f64;
    let (read, written) = (counts.bytes_read as f64, counts.bytes_written as f64);
    // All cores together have as many times as much time.
    let part = |needed: f64| 100.0 * needed * cores() as f64 / time;
    println!(
        "| {pass} | {share:.1} | {} | {:.0} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} | {:.0} | {:.0} |",
        grouped(u128::from(counts.rows / u64::from(runs))),
        100.0 * counts.in_vain as f64 / rows,
        1e9 * time / rows,
        time / rows / cycle,
        counts.fetched as f64 / rows,
        counts.skipped as f64 / rows,
        read / rows,
        written / rows,
        part((read + written) / memory.in_order),
        part(counts.fetched as f64 / memory.at_random),
    );
}

/// What the memory system gives some threads together.
struct Memory {
    /// Bytes a second, read in the order of their addresses.
    in_order: f64,
    /// Rows a second, each somewhere else.
    at_random: f64,
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (in_order, at_random) = (self.in_order / 1e9, self.at_random / 1e6);
        write!(
            f,
            "{in_order:.1} GB/s in order and {at_random:.0} million rows of {ROW} bytes a second at random"
        )
    }
}

impl Memory {
    /// Measures it on an array.
    fn of(array: &[u64], threads: usize) -> Result<Memory, Failure> {
        const AT_ONCE: u64 = 1 << 20;
        let in_order = rate(threads, || {
            array.par_chunks(array.len().div_ceil(threads)).for_each(|part| {
                black_box(part.iter().fold(0, |all, word| all ^ word));
            });
            size_of_val(array) as u64
        })?;
        let (rows, _) = array.as_chunks::<{ ROW / 8 }>();
        let next = AtomicU64::new(0);
        let at_random = rate(threads, || {
            rayon::broadcast(|_| {
                let from = next.fetch_add(AT_ONCE, Ordering::Relaxed);
                let mut all = 0;
                // Where the next row is does not hang on what is read: several are on their way at once.
                for number in from..from + AT_ONCE {
                    let scattered = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
                    let row = &rows[((scattered * rows.len() as u64) >> 32) as usize];
                    all ^= row.iter().fold(0, |all, word| all ^ word);
                }
                black_box(all);
            });
            AT_ONCE * threads as u64
        })?;
        Ok(Memory { in_order, at_random })
    }
}

/// How many a second some work does that says how many it did, on so many threads, of several measurements the best.
/// By the time on processors: where other work keeps the threads from running at once, they get in each other's way less
/// than they could, and the rate is too high.
fn rate(threads: usize, work: impl Fn() -> u64 + Sync) -> Result<f64, Failure> {
    let once = || {
        let (mut done, mut time) = (0, Duration::ZERO);
        while done == 0 || (is_measured() && time < Duration::from_millis(200)) {
            let (more, took) = timed(&work);
            done += more;
            time += took;
        }
        done as f64 * threads as f64 / time.as_secs_f64()
    };
    on_threads(threads, || (0..5).map(|_| once()).fold(0.0, f64::max))
}

/// How long a cycle takes, in seconds: an addition and an exclusive or, each of which waits for the other, take two.
fn cycle() -> f64 {
    const STEPS: u64 = 100_000_000;
    let once = || {
        let mut all = black_box(0_u64);
        let ((), time) = timed(|| {
            for step in 0..STEPS {
                all = all.wrapping_add(step) ^ step;
            }
        });
        black_box(all);
        time.as_secs_f64() / (2 * STEPS) as f64
    };
    (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
}
