//! How closures grow, variant beside variant, where nothing is known beforehand:
//!
//!     cargo bench -p gobprove-benches --bench curves
//!
//! A closure comes to an end where a position that is looked at brings less than one other. How many positions a variant
//! has come to after as many looks says how far from there it is.

#[path = "../tests/support/grouped.rs"]
mod grouped;
mod support;

use std::ops::ControlFlow;

use gobprove::closure::Weights;
use gobprove::closure::prover::{Grown, Guide, Proving, grow};
use gobprove::enumerate::Discipline;
use gobprove::rules::Game;

use grouped::grouped;
use support::{Failure, games, is_measured, timed};

/// The most positions that are looked at, and after how many of them a line is printed first; the next lines come after
/// four times as many each.
const MOST: u64 = 1 << 20;
const FIRST: u64 = 1 << 10;

fn main() -> Result<(), Failure> {
    let games = games(&["ab", "A3B1-A3B3C1", "A3B3-A3B3C1", "A3B3-A3B3C2", "abc", "abcd"])?;
    let curves: Vec<Curve> = games.iter().map(Curve::of).collect();
    print!("| looked at |");
    curves.iter().for_each(|curve| print!(" {} |", curve.game.variant));
    println!("\n| --: |{}", " --: |".repeat(curves.len()));
    for (line, looked_at) in thresholds().enumerate() {
        let cell = |curve: &Curve| match curve.samples.get(line) {
            Some(growth) => grouped(u128::from(growth.positions + growth.lost)),
            None => String::new(),
        };
        let cells: Vec<String> = curves.iter().map(cell).collect();
        println!("| {} | {} |", grouped(looked_at.into()), cells.join(" | "));
    }
    let row = |name: &str, cell: &dyn Fn(&Curve) -> String| {
        println!("| {name} | {} |", curves.iter().map(cell).collect::<Vec<_>>().join(" | "));
    };
    row("new for each of the last three quarters", &|curve| match curve.samples.as_slice() {
        [.., one, other] => {
            format!("{:.2}", other.new_since(one))
        }
        _ => String::new(),
    });
    row("lost", &|curve| grouped(curve.last.lost.into()));
    row("end", &|curve| match curve.grown {
        Grown::Closed => format!("closed with {}", grouped(curve.last.positions.into())),
        Grown::Lost => "lost".to_owned(),
        Grown::BrokenOff => "open".to_owned(),
    });
    row("bytes a position", &|curve| format!("{:.1}", curve.last.bytes as f64 / curve.last.positions as f64));
    row("million a minute and core", &|curve| {
        format!("{:.1}", curve.last.expanded as f64 / curve.seconds * 60.0 / 1e6)
    });
    Ok(())
}

/// After how many positions looked at a line is printed.
fn thresholds() -> impl Iterator<Item = u64> {
    let most = if is_measured() { MOST } else { FIRST };
    std::iter::successors(Some(FIRST), |threshold| Some(4 * threshold)).take_while(move |&at| at <= most)
}

/// How a closure grew.
struct Curve {
    game: Game,
    /// How far it was at each threshold.
    samples: Vec<Proving>,
    last: Proving,
    grown: Grown,
    /// On processors.
    seconds: f64,
}

impl Curve {
    fn of(game: &Game) -> Curve {
        let mut left = thresholds().peekable();
        let mut samples = Vec::new();
        let guide = Guide::Discipline(&Discipline::FREE);
        let ((grown, last), time) = timed(|| {
            grow(game, guide, &Weights::default(), &mut |growth| {
                if left.next_if(|&at| growth.expanded >= at).is_some() {
                    samples.push(growth);
                }
                if left.peek().is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        Curve { game: *game, samples, last, grown, seconds: time.as_secs_f64() }
    }
}
