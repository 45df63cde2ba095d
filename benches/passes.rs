//! What the parts of `gobprove solve` take on one thread, each timed from outside:
//!
//!     cargo bench -p gobprove-benches --bench passes -- ab A2-A3B3C3

#[path = "../tests/support/grouped.rs"]
mod grouped;
mod support;

use std::hint::black_box;
use std::time::Duration;

use gobprove::enumerate::census;
use gobprove::rules::Game;
use gobprove::{passes, store};

use grouped::grouped;
use support::{Failure, games, on_threads, solve, timed};

fn main() -> Result<(), Failure> {
    games(&["ab", "A2-A3B3C3"])?.iter().try_for_each(table)
}

/// The table of a variant: seconds on the processor, and positions of both sides to move for each of them.
fn table(game: &Game) -> Result<(), Failure> {
    let positions = 2 * census::variant(game.variant).positions;
    let parts: Vec<(&str, Duration)> = on_threads(1, || {
        let (solution, solved) = timed(|| solve(game));
        let solution = solution?;
        let (_, counted) = timed(|| black_box(solution.outcomes()));
        let (sight, seen) = timed(|| passes::lost_at_sight(&solution));
        let sight = sight?;
        let (_, written) = timed(|| black_box(store::encode(&solution, &sight)));
        Ok::<_, Failure>(vec![
            ("solve", solved),
            ("count outcomes", counted),
            ("what is lost within two plies", seen),
            ("encode", written),
        ])
    })??;
    println!("{}, {} positions of both sides to move, one thread:", game.variant, grouped(positions));
    println!("| part | seconds | positions a second |\n| --- | --- | --- |");
    for (part, took) in parts {
        let rate = positions as f64 / took.as_secs_f64().max(1e-9);
        println!("| {part} | {:.2} | {} |", took.as_secs_f64(), grouped(rate as u128));
    }
    Ok(())
}
