//! The solvers for parity games of MERC, on what `gobprove export` writes.

use std::error::Error;

use gobprove::enumerate::positions_above;
use gobprove::export::ParityGame;
use gobprove::export::pgsolver;
use gobprove::rules::{Color, Game};
use gobprove::symmetry::orbit_len;
use merc_vpg::{PG, Set, read_pg, solve_priority_promotion, solve_zielonka};

use crate::{Found, timed};

/// A solver of MERC, without strategies: the winning sets of both players.
type Solve = fn(&merc_vpg::ParityGame) -> [Set; 2];

/// Zielonka's recursive algorithm.
pub fn zielonka(game: &Game) -> Result<Found, Box<dyn Error>> {
    solve(game, |parity| solve_zielonka(parity, false).0)
}

/// Priority promotion.
pub fn priority_promotion(game: &Game) -> Result<Found, Box<dyn Error>> {
    solve(game, |parity| solve_priority_promotion(parity, false).0)
}

fn solve(game: &Game, solver: Solve) -> Result<Found, Box<dyn Error>> {
    let (read, [_, black], times) = timed(|| read(game), |read| Ok(solver(read)))?;
    let parity = ParityGame::new(*game)?;
    if read.num_of_vertices() as u64 != parity.nodes() {
        return Err(format!("{} nodes read, {} written", read.num_of_vertices(), parity.nodes()).into());
    }
    Ok(Found { lost: lost(&parity, &black), times })
}

/// The game as MERC reads it. Names are left out, which it takes for successors.
fn read(game: &Game) -> Result<merc_vpg::ParityGame, Box<dyn Error>> {
    let parity = ParityGame::new(*game)?;
    let text: Vec<u8> = pgsolver::pieces(&parity, false).flat_map(|piece| piece.text).collect();
    Ok(read_pg(text.as_slice()).map_err(|error| error.to_string())?)
}

/// How many positions the nodes of a set stand for, by side to move.
fn lost(parity: &ParityGame, set: &Set) -> [u128; 2] {
    let mut lost = [0; 2];
    for (folding, root) in parity.roots() {
        for position in positions_above(folding.ranking(), root, Color::White) {
            for turn in Color::ALL {
                if set[parity.node(&position.with_turn(turn)) as usize] {
                    lost[turn as usize] += orbit_len(&position) as u128;
                }
            }
        }
    }
    lost
}
