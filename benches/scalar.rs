//! The updates over rows beside their definition, a position at a time, which they are held equal to:
//!
//!     cargo bench -p gobprove-benches --bench scalar
//!
//! Both run once more over a solved variant and must find just what is lost: the rows all of it, the definition some
//! positions at even distances. One thread; a position stands for those that symmetry makes equal to it.

mod support;

use gobprove::bitbase::Solution;
use gobprove::enumerate::{Ranking, Tiers, census};
use gobprove::passes::naive;
use gobprove::rules::{Color, Game, Position};

use support::{Failure, games, on_threads, solve, timed};

/// About how many positions the definition is tried on.
const SOME: u128 = 300_000;

fn main() -> Result<(), Failure> {
    println!("| variant | update | a position at a time, ns | rows, ns a position | times as fast |");
    println!("| --- | --- |{}", " --: |".repeat(3));
    games(&["A2-A3B2", "ab", "A2B2-A3B3"])?.iter().try_for_each(lines)
}

/// The lines of a variant.
fn lines(game: &Game) -> Result<(), Failure> {
    let solution = solve(game)?;
    let canonical = census::variant(game.variant).canonical;
    for turn in Color::ALL {
        let positions = some(game, turn);
        let (wrong, by_position) = timed(|| positions.iter().filter(|p| !agrees(&solution, p)).count());
        let (nothing_added, by_rows) = on_threads(1, || timed(|| solution.adds_nothing(turn)))?;
        assert!(nothing_added && wrong == 0, "a solved variant is at its fixpoint");
        let by_position = 1e9 * by_position.as_secs_f64() / positions.len() as f64;
        let by_rows = 1e9 * by_rows.as_secs_f64() / canonical as f64;
        println!(
            "| {} | {turn} | {by_position:.0} | {by_rows:.2} | {:.0} |",
            game.variant,
            by_position / by_rows
        );
    }
    Ok(())
}

/// Some positions of all tiers that hold no line.
fn some(game: &Game, turn: Color) -> Vec<Position> {
    let step = 1 + (census::variant(game.variant).positions / SOME) as usize;
    let tiers = Tiers::new(game.variant);
    let of_tier = |&tier| {
        let ranking = Ranking::new(tier);
        let position = move |rank| ranking.unrank(rank, turn).expect("a rank below the length");
        (0..ranking.len()).step_by(step).map(position).filter(|position| position.finished().is_none())
    };
    tiers.as_slice().iter().flat_map(of_tier).collect()
}

/// Whether the definition finds of a position what the solution says.
fn agrees(solution: &Solution, position: &Position) -> bool {
    let lost = |position: &Position| solution.is_lost(position);
    match position.turn() {
        // As the rows do, it leaves out what is lost already.
        Color::White => lost(position) || !naive::white_loses(solution.game(), position, lost),
        Color::Black => naive::black_wins(solution.game(), position, lost) == lost(position),
    }
}
