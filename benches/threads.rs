//! How solving gets faster with more threads:
//!
//!     cargo bench -p gobprove-benches --bench threads
//!
//! Each line is the fastest of a few runs, taken in turn. Where other work runs, there are fewer processors to be had
//! than threads, and nothing can be faster than they are: how many there were is measured before each run.

mod support;

use std::time::{Duration, Instant};

use gobprove::rules::Game;

use support::{Failure, cores, games, is_measured, on_threads, solve, timed};

fn main() -> Result<(), Failure> {
    println!(
        "| variant | threads | s | times as fast | processors had | used | s on processors | times as much |"
    );
    println!("| --- |{}", " --: |".repeat(7));
    games(&["ab", "A2B2-A3B3"])?.iter().try_for_each(lines)
}

/// The lines of a variant.
fn lines(game: &Game) -> Result<(), Failure> {
    let powers = (0..).map(|power| 1 << power).take_while(|&threads| threads < cores());
    let threads: Vec<usize> = powers.chain([cores()]).collect();
    let mut best: Vec<Option<Run>> = vec![None; threads.len()];
    for _ in 0..if is_measured() { 3 } else { 1 } {
        for (&threads, best) in threads.iter().zip(&mut best) {
            let run = on_threads(threads, || run(game))??;
            if best.is_none_or(|best| run.took < best.took) {
                *best = Some(run);
            }
        }
    }
    let best: Vec<Run> = best.into_iter().flatten().collect();
    for (threads, run) in threads.iter().zip(&best) {
        let Run { had, took, on_processors } = run;
        println!(
            "| {} | {threads} | {took:.2} | {:.2} | {had:.2} | {:.2} | {on_processors:.2} | {:.2} |",
            game.variant,
            best[0].took / took,
            on_processors / took,
            on_processors / best[0].on_processors,
        );
    }
    Ok(())
}

/// One run, in seconds.
#[derive(Clone, Copy)]
struct Run {
    /// How many processors there were for these threads.
    had: f64,
    took: f64,
    on_processors: f64,
}

/// Solves on the threads of the current pool.
fn run(game: &Game) -> Result<Run, Failure> {
    let spin = |start: Instant| while start.elapsed() < Duration::from_millis(200) {};
    let start = Instant::now();
    let (_, spun) = timed(|| rayon::broadcast(|_| spin(start)));
    let had = spun.as_secs_f64() / start.elapsed().as_secs_f64();
    let start = Instant::now();
    let (solution, on_processors) = timed(|| solve(game));
    solution?;
    Ok(Run { had, took: start.elapsed().as_secs_f64(), on_processors: on_processors.as_secs_f64() })
}
