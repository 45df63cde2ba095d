//! What several algorithms take to find out who wins, as games grow, and what two searches take to find a forced win:
//!
//!     cargo bench -p gobprove-benches --bench algorithms
//!     cargo bench -p gobprove-benches --bench algorithms -- A1-A3B1 ab

#[path = "../tests/support/algorithms.rs"]
mod algorithms;
#[path = "../tests/support/grouped.rs"]
mod grouped;
mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use gobengine::{Engine, Forced, Limits, Options, Prover};
use gobprove::bitbase::Solution;
use gobprove::enumerate::{Ranking, Tiers, census};
use gobprove::explain::BlackAttack;
use gobprove::explain::forced_win::{Search, search};
use gobprove::rules::{Color, Game, Position};

use algorithms::{ALGORITHMS, black_is_proven_to_win};
use grouped::grouped;
use support::{Failure, games, is_measured, solve, timed};

/// The most positions of a game that is gone through one position at a time.
const MOST_SLOW: u128 = 3_000_000;
/// The most that a search for one forced win looks at.
const MOST_NODES: u64 = 300_000;

fn main() -> Result<(), Failure> {
    let games = games(&["A1-A1B1", "A1-A2B1", "A1-A3B1", "A2-A3B1", "A3-A3B1", "A1-A3B3", "A2-A3B3", "ab"])?;
    println!("| variant | positions | algorithm | direction | Black wins | nodes | ms on processors | MiB |");
    println!("| --- | --: | --- | --- | --- | --: | --: | --: |");
    games.iter().for_each(by_size);
    println!();
    println!(
        "| variant | plies | positions | search | proven | nodes, median | ms on processors, together |"
    );
    println!("| --- | --: | --: | --- | --: | --: | --: |");
    games.iter().try_for_each(forced_wins)
}

/// The lines of a game: one for each algorithm.
fn by_size(game: &Game) {
    let positions = census::variant(game.variant).positions;
    for (name, direction, algorithm) in ALGORITHMS {
        if positions > MOST_SLOW && ["brute force", "naive passes"].contains(&name) {
            continue;
        }
        let (found, time) = timed(|| algorithm(game));
        let said = match found.black_wins {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not found out",
        };
        println!(
            "| {} | {} | {name} | {direction} | {said} | {} | {:.1} | {:.2} |",
            game.variant,
            grouped(positions),
            grouped(found.nodes.into()),
            time.as_secs_f64() * 1e3,
            found.bytes as f64 / f64::from(1 << 20),
        );
    }
}

/// A search for a forced win: whether it was proven, and how many positions were looked at.
type Searching<'a> = &'a mut dyn FnMut(&Position) -> (bool, u64);

/// Forced wins of some lengths, looked for without knowledge.
fn forced_wins(game: &Game) -> Result<(), Failure> {
    let solution = solve(game)?;
    let any = |_: &Position| true;
    let by_plies = won(game, &solution, if is_measured() { 40 } else { 3 });
    for (plies, positions) in by_plies {
        let mut deepen = |position: &Position| {
            let mut nodes = 0;
            // The search does not say how many it looked at: the limit that is enough, by doubling.
            let found = std::iter::successors(Some(100), |most| (*most < MOST_NODES).then_some(most * 2))
                .any(|most| {
                    nodes = most;
                    matches!(search(game, position, &any, most), Search::Win(_))
                });
            (found, nodes)
        };
        let mut unlimited = |position: &Position| {
            let mut prover = Prover::new(BlackAttack::new(game, &any));
            let forced = prover.prove(position, None, MOST_NODES);
            (matches!(forced, Forced::Wins { .. }), prover.nodes())
        };
        let mut shortest = |position: &Position| {
            let mut prover = Prover::new(BlackAttack::new(game, &any));
            let found = (1..=64).any(|plies| {
                let left = MOST_NODES.saturating_sub(prover.nodes());
                matches!(prover.prove(position, Some(plies), left), Forced::Wins { .. })
            });
            (found, prover.nodes())
        };
        let mut alpha_beta = |position: &Position| {
            let mut engine = Engine::new(game, Options { table: 8 << 20, ..Options::default() });
            let limits = Limits { depth: 64, nodes: MOST_NODES };
            let report = engine.search(&[*position], &limits, &|| false, &mut |_| ());
            report.map_or((false, 0), |report| {
                (black_is_proven_to_win(report.score, position.turn()), report.nodes)
            })
        };
        let searches: [(&str, Searching<'_>); 4] = [
            ("deeper ply by ply, shortest win", &mut deepen),
            ("df-pn ply by ply, shortest win", &mut shortest),
            ("df-pn, any win", &mut unlimited),
            ("alpha-beta", &mut alpha_beta),
        ];
        for (name, search) in searches {
            let mut nodes = Vec::new();
            let (mut proven, mut whole) = (0, Duration::ZERO);
            for position in &positions {
                let ((found, count), time) = timed(|| search(position));
                (proven, whole) = (proven + usize::from(found), whole + time);
                nodes.push(count);
            }
            nodes.sort_unstable();
            println!(
                "| {} | {plies} | {} | {name} | {proven} | {} | {:.0} |",
                game.variant,
                positions.len(),
                grouped(nodes[nodes.len() / 2].into()),
                whole.as_secs_f64() * 1e3,
            );
        }
    }
    Ok(())
}

/// Positions with Black to move that Black wins: at most `most` for each length of the win. The search that finds the length
/// knows which positions are lost.
fn won(game: &Game, solution: &Solution, most: usize) -> BTreeMap<usize, Vec<Position>> {
    let mut found: BTreeMap<usize, Vec<Position>> = BTreeMap::new();
    for &tier in Tiers::new(game.variant).as_slice() {
        let ranking = Ranking::new(tier);
        for rank in (0..ranking.len()).step_by(1 + ranking.len() as usize / 200) {
            let Some(position) = ranking.unrank(rank, Color::Black) else { continue };
            if position.finished().is_some() || !solution.is_lost(&position) {
                continue;
            }
            let lost = |position: &Position| solution.is_lost(position);
            if let Search::Win(line) = search(game, &position, &lost, 5_000) {
                let of_length = found.entry(line.len()).or_default();
                if line.len() > 3 && of_length.len() < most {
                    of_length.push(position);
                }
            }
        }
    }
    found.retain(|_, positions| !positions.is_empty());
    found
}
