//! The longest forced win of a variant: its fixpoint computed again, ply by ply over all tiers at once.
//!
//! After step `d` exactly those positions are lost from which Black wins in at most `d` plies. Plies are counted from
//! the position to the move that is judged *Black wins*; a finished position is lost in 0.

use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::bitbase::lost::OutOfMemory;
use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Dirty, MIN_ROWS, Part, Tables, with_kernel};
use crate::enumerate::rows::kernel::{Kernel, Row, bits, words};
use crate::explain::forced_win::{Search, search_within};
use crate::prelude::*;
use crate::rules::{Color, Game, Position};
use crate::strategy::Seed;

/// The longest forced win of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongestWin {
    /// How many plies it takes.
    pub plies: u32,
    /// A position from which it takes that many plies; `None` if the search for one was given up.
    pub position: Option<Position>,
}

/// How many positions are looked at to learn in how many plies Black wins from one of a row with Black to move.
const MOST_POSITIONS: u64 = 5_000_000;

/// The number of a row, and a set of placements of its inner pieces, wide enough for any tier.
pub(super) type Found = (usize, Row<{ words(3) }>);

/// A row that grew in a step.
#[derive(Clone, Copy)]
enum Grown {
    /// With White to move, and the placements that it gained.
    White(Found),
    /// With Black to move.
    Black(usize),
}

/// Black's longest forced win in a game, from any of its positions; `None` if every position that Black wins is
/// finished. Where the sides are alike, White's longest win is as long.
///
/// # Errors
/// The system does not give the memory.
pub fn longest_win(game: &Game) -> Result<Option<LongestWin>, OutOfMemory> {
    let solution = Solution::start(game, Seed::Rules)?;
    let tables = solution.tables();
    let mut longest = None;
    ply_by_ply(&tables, |heard| {
        if let Heard::Ply { plies, found, grown } = heard {
            longest = Some((plies, tables.first_row(found, grown)));
        }
        ControlFlow::Continue(())
    });
    Ok(longest.map(|(plies, row)| {
        let position = row.and_then(|(tier, row)| {
            with_kernel!(tables.kernels, tables.layout.tier(tier).k, kernel => {
                tables.position_won_in(kernel, tier, row, plies)
            })
        });
        LongestWin { plies, position }
    }))
}

/// What [`ply_by_ply`] tells.
pub(super) enum Heard<'a> {
    /// Of this ply `done` steps of `of` are done. Each tier takes two.
    Part { plies: u32, done: usize, of: usize },
    /// A ply that added positions: from each of them Black wins in `plies`. `found` has by tier those with White to move, and
    /// `grown` the rows that grew with Black to move.
    Ply { plies: u32, found: &'a [Vec<Found>], grown: &'a [Dirty] },
}

/// Brings all tiers to their fixpoint, from tables in which only black lines are lost. `tell` may break it off.
pub(super) fn ply_by_ply(tables: &Tables<'_>, tell: impl FnMut(Heard<'_>) -> ControlFlow<()>) {
    // Whether it was broken off does not matter: `tell` has already got every result.
    let _ = plies_in_turn(tables, tell);
}

fn plies_in_turn(tables: &Tables<'_>, mut tell: impl FnMut(Heard<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
    let tiers = 0..tables.layout.all().len();
    let of = 2 * tiers.len();
    let none = || tables.layout.all().iter().map(|tier| Dirty::none(tier.rows)).collect::<Vec<_>>();
    let mut dirty: Vec<Dirty> = tables.layout.all().iter().map(|tier| Dirty::all(tier.rows)).collect();
    // What became lost with White to move in the step before.
    let mut last: Vec<Vec<Found>> = tiers.clone().map(|_| Vec::new()).collect();
    for plies in 1.. {
        let mut found: Vec<Vec<Found>> = Vec::with_capacity(tiers.len());
        for tier in tiers.clone() {
            found.push(tables.would_add(tier, &dirty[tier]));
            tell(Heard::Part { plies, done: tier + 1, of })?;
        }
        let grown = none();
        for tier in tiers.clone() {
            tables.black_step(tier, plies == 1, &last[tier], &grown);
            tell(Heard::Part { plies, done: tiers.len() + tier + 1, of })?;
        }
        for (tier, found) in found.iter().enumerate() {
            tables.add(tier, found);
        }
        if grown.iter().all(Dirty::is_empty) && found.iter().all(Vec::is_empty) {
            break;
        }
        tell(Heard::Ply { plies, found: &found, grown: &grown })?;
        dirty = none();
        for tier in tiers.clone() {
            tables.mark_readers(tier, &grown[tier], &dirty);
        }
        last = found;
    }
    ControlFlow::Continue(())
}

impl Tables<'_> {
    /// What the white update would add to a tier.
    fn would_add(&self, tier: usize, dirty: &Dirty) -> Vec<Found> {
        with_kernel!(self.kernels, self.layout.tier(tier).k, kernel => {
            let widen = |(index, row): (usize, Row<_>)| {
                let mut wide = [0; words(3)];
                wide[..row.len()].copy_from_slice(&row);
                (index, wide)
            };
            self.white_would_add(kernel, tier, 0..self.layout.tier(tier).rows, dirty).into_iter().map(widen).collect()
        })
    }

    fn add(&self, tier: usize, found: &[Found]) {
        with_kernel!(self.kernels, self.layout.tier(tier).k, kernel => {
            found.par_iter().with_min_len(MIN_ROWS).for_each(|(index, wide)| {
                self.lost.add(tier, Color::White, *index, &kernel.narrow(wide));
            });
        });
    }

    /// Runs the black update after the positions `new` of a tier became lost with White to move. The first step also
    /// adds the positions that Black wins with one move, while only lines are lost elsewhere.
    fn black_step(&self, tier: usize, first: bool, new: &[Found], grown: &[Dirty]) {
        with_kernel!(self.kernels, self.layout.tier(tier).k, kernel => {
            if first {
                self.opening(kernel, tier, 0..self.layout.tier(tier).rows, &grown[tier]);
            }
            let new: Vec<Part<_>> = new.iter().map(|(index, wide)| (*index, kernel.narrow(wide))).collect();
            self.follow_everywhere(kernel, tier, &new, grown);
        });
    }

    /// The row of least rank that grew in a step, with its tier: the first tier that grew with White to move, else with Black.
    fn first_row(&self, found: &[Vec<Found>], grown: &[Dirty]) -> Option<(usize, Grown)> {
        let white = found.iter().enumerate().find_map(|(tier, found)| {
            let first = found.iter().min_by_key(|&&(row, _)| self.layout.tier(tier).rank(row))?;
            Some((tier, Grown::White(*first)))
        });
        let black = || {
            grown.iter().enumerate().find_map(|(tier, grown)| {
                let plan = self.layout.tier(tier);
                let row =
                    (0..plan.rows).filter(|&row| grown.contains(row)).min_by_key(|&row| plan.rank(row))?;
                Some((tier, Grown::Black(row)))
            })
        };
        white.or_else(black)
    }

    /// A position of a row that grew in step `plies`: Black wins from it in as many plies, and not sooner. `None` if the search
    /// for it was given up.
    fn position_won_in<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        grown: Grown,
        plies: u32,
    ) -> Option<Position> {
        let (index, turn) = match grown {
            Grown::White((index, _)) => (index, Color::White),
            Grown::Black(index) => (index, Color::Black),
        };
        let outer = self.layout.tier(tier).outer(index, turn);
        let placed = |bit: usize| outer.with_black(self.layout.inner(), kernel.sets()[bit]);
        if let Grown::White((_, new)) = grown {
            return bits(&kernel.narrow(&new)).next().map(placed);
        }
        // The row also has positions with shorter wins.
        let is_lost = |position: &Position| self.is_lost(position);
        for position in bits(&self.lost.row::<N>(tier, turn, index)).map(placed) {
            let mut left = MOST_POSITIONS;
            match search_within(self.game, &position, &is_lost, plies, &mut left) {
                Search::Win(line) if line.len() as u32 == plies => return Some(position),
                Search::Win(_) => {}
                // Others of the row take as long.
                Search::NoWin { .. } => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::forced_win::testing::BruteForce;

    use crate::rules::Reading;

    #[test]
    fn the_longest_win_is_as_long_as_sweeps_over_all_positions_say() {
        for (variant, readings) in [
            ("A1-A3B1", &[Reading::Official, Reading::StrictLift, Reading::Robust][..]),
            ("A1-A2B2", &[Reading::Official, Reading::Thesis]),
        ] {
            for &reading in readings {
                let game = Game::new(variant.read().expect("a variant"), reading);
                let truth = BruteForce::new(&game);
                let longest = longest_win(&game).expect("memory").expect("Black can win");
                assert_eq!(Some(longest.plies), truth.longest(), "{variant} {reading}");
                let position = longest.position.expect("a position");
                assert_eq!(truth.of(&position), Some(longest.plies), "{position}");
            }
        }
    }
}
