//! gobprove's own solver: dense lost-sets, many positions at a time.

use std::error::Error;
use std::ops::ControlFlow;

use gobprove::passes;
use gobprove::rules::{Color, Game};
use gobprove::strategy::Seed;

use crate::{Found, timed};

/// Solves by the fixpoint that makes certificates.
pub fn solve(game: &Game) -> Result<Found, Box<dyn Error>> {
    let fixpoint = |(): &()| Ok(passes::solve(game, Seed::Rules, None, &mut |_| ControlFlow::Continue(()))?);
    let ((), solution, times) = timed(|| Ok(()), fixpoint)?;
    let lost = Color::ALL.map(|turn| solution.lost_count(turn).positions);
    Ok(Found { lost, times })
}
