//! The fixpoint driver (thesis, Algorithm 4): white and black updates in turn until neither adds anything.
//!
//! A piece never leaves the board (R5), so what is lost in a tier depends on that tier and later ones only:
//! the tiers are brought to their fixpoints one by one, from the last to the first.

use super::layout::Layout;
use super::solution::{self, Solution};
use super::sweep::{Dirty, Kernels, sweep};
use crate::rules::{Color, Game};
use crate::strategy::Seed;

/// How far a fixpoint is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Rows of finished tiers.
    pub rows_done: u64,
    /// Rows of all tiers.
    pub rows: u64,
}

/// Brings a game to its fixpoint over a seed.
#[must_use]
pub fn solve(game: &Game, seed: Seed, progress: &mut dyn FnMut(Progress)) -> Solution {
    let layout = Layout::new(game.variant);
    let kernels = Kernels::new();
    let seeded = solution::seeded(game, seed, &layout, &kernels);
    let mut lost = seeded.clone();
    let rows = layout.all().iter().map(|tier| tier.rows as u64).sum();
    let mut rows_done = 0;
    let mut rounds = 0;
    for tier in (0..layout.all().len()).rev() {
        let tier_rows = layout.tier(tier).rows;
        let (mut white, mut black) = (Dirty::all(tier_rows), Dirty::all(tier_rows));
        for round in 1.. {
            let next_black = Dirty::none(tier_rows);
            let added_white = sweep(game, &layout, &kernels, &mut lost, tier, Color::White, &white, &black);
            let next_white = Dirty::none(tier_rows);
            let added_black =
                sweep(game, &layout, &kernels, &mut lost, tier, Color::Black, &black, &next_white);
            rounds = rounds.max(round);
            if added_white.grew + added_black.grew == 0 {
                break;
            }
            (white, black) = (next_white, next_black);
        }
        rows_done += tier_rows as u64;
        progress(Progress { rows_done, rows });
    }
    Solution { game: *game, seed, layout, kernels, seeded, lost, rounds }
}
