//! What solving takes as variants grow:
//!
//!     cargo bench -p gobprove-benches --bench sizes

#[path = "../tests/support/grouped.rs"]
mod grouped;
mod support;

use std::time::Duration;

use gobprove::enumerate::census;
use gobprove::rules::Game;

use grouped::grouped;
use support::{Failure, games, is_measured, solve, timed};

fn main() -> Result<(), Failure> {
    println!(
        "| variant | positions | s on processors | million positions a second | MiB | bytes a position |"
    );
    println!("| --- |{}", " --: |".repeat(5));
    games(&["A2-A3B1", "A2-A3B2", "ab", "A2B2-A3B3", "A2-A3B3C2", "A2-A3B3C3"])?.iter().try_for_each(line)
}

/// The line of a variant.
fn line(game: &Game) -> Result<(), Failure> {
    let least = if is_measured() { Duration::from_secs(2) } else { Duration::ZERO };
    let (mut runs, mut whole, mut bytes) = (0, Duration::ZERO, 0);
    while runs == 0 || whole < least {
        let (solution, time) = timed(|| solve(game));
        bytes = solution?.bytes();
        whole += time;
        runs += 1;
    }
    let positions = census::variant(game.variant).positions;
    let seconds = whole.as_secs_f64() / f64::from(runs);
    println!(
        "| {} | {} | {seconds:.3} | {:.0} | {:.1} | {:.4} |",
        game.variant,
        grouped(positions),
        positions as f64 / seconds / 1e6,
        bytes as f64 / f64::from(1 << 20),
        bytes as f64 / positions as f64,
    );
    Ok(())
}
