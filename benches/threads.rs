//! How solving gets faster with more threads:
//!
//!     cargo bench --bench threads
//!
//! Each time is the best of a few, taken in turn. More time on processors than one thread needs is work that splitting
//! adds, or waiting for memory.

mod support;

use std::time::{Duration, Instant};

use gobprove::rules::Game;

use support::{Failure, cores, games, is_measured, on_threads, solve, timed};

fn main() -> Result<(), Failure> {
    println!("| variant | threads | s | times as fast | s on processors | times as much |");
    println!("| --- |{}", " --: |".repeat(5));
    games(&["ab", "A2B2-A3B3"])?.iter().try_for_each(lines)
}

/// The lines of a variant.
fn lines(game: &Game) -> Result<(), Failure> {
    let powers = (0..).map(|power| 1 << power).take_while(|&threads| threads < cores());
    let threads: Vec<usize> = powers.chain([cores()]).collect();
    let mut best = vec![(Duration::MAX, Duration::MAX); threads.len()];
    for _ in 0..if is_measured() { 3 } else { 1 } {
        for (&threads, best) in threads.iter().zip(&mut best) {
            let (took, on_processors) = on_threads(threads, || {
                let start = Instant::now();
                let (solution, on_processors) = timed(|| solve(game));
                solution.map(|_| (start.elapsed(), on_processors))
            })??;
            *best = (took.min(best.0), on_processors.min(best.1));
        }
    }
    let [first, first_on_processors] = [best[0].0, best[0].1].map(|time| time.as_secs_f64());
    for (threads, (took, on_processors)) in threads.iter().zip(best) {
        let (took, on_processors) = (took.as_secs_f64(), on_processors.as_secs_f64());
        println!(
            "| {} | {threads} | {took:.2} | {:.2} | {on_processors:.2} | {:.2} |",
            game.variant,
            first / took,
            on_processors / first_on_processors,
        );
    }
    Ok(())
}
