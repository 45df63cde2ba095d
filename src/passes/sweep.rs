//! One pass over the rows of a tier, split over the cores.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::board::Board;
use super::kernel::{Kernel, Row, or_into, words};
use super::layout::Layout;
use super::lost::{Lost, row};
use super::solution::Solution;
use super::{black_update, white_update};
use crate::enumerate::Tier;
use crate::rules::{Color, Game, Position};

/// The kernels for 0 … 3 inner pieces.
pub(super) struct Kernels {
    pub k0: Kernel<{ words(0) }>,
    pub k1: Kernel<{ words(1) }>,
    pub k2: Kernel<{ words(2) }>,
    pub k3: Kernel<{ words(3) }>,
}

impl Kernels {
    pub(super) fn new() -> Kernels {
        Kernels { k0: Kernel::new(0), k1: Kernel::new(1), k2: Kernel::new(2), k3: Kernel::new(3) }
    }
}

/// Runs a generic method with the kernel of a number of inner pieces.
macro_rules! with_kernel {
    ($kernels:expr, $k:expr, $kernel:ident => $body:expr) => {
        match $k {
            0 => {
                let $kernel = &$kernels.k0;
                $body
            }
            1 => {
                let $kernel = &$kernels.k1;
                $body
            }
            2 => {
                let $kernel = &$kernels.k2;
                $body
            }
            _ => {
                let $kernel = &$kernels.k3;
                $body
            }
        }
    };
}
pub(super) use with_kernel;

/// What a pass reads.
pub(super) struct Tables<'a> {
    pub game: &'a Game,
    pub layout: &'a Layout,
    pub kernels: &'a Kernels,
    pub lost: &'a Lost,
}

/// The rows of a tier that a pass must look at again.
pub(super) struct Dirty(Vec<AtomicBool>);

impl Dirty {
    pub(super) fn all(rows: usize) -> Dirty {
        Dirty((0..rows).map(|_| AtomicBool::new(true)).collect())
    }

    pub(super) fn none(rows: usize) -> Dirty {
        Dirty((0..rows).map(|_| AtomicBool::new(false)).collect())
    }

    fn mark(&self, row: usize) {
        self.0[row].store(true, Ordering::Relaxed);
    }

    fn contains(&self, row: usize) -> bool {
        self.0[row].load(Ordering::Relaxed)
    }
}

impl Tables<'_> {
    /// The lost placements of an outer placement, from the row where its layer of A is canonical.
    pub(super) fn lost_row<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: Tier,
        outer: &Position,
    ) -> Row<N> {
        let Some(index) = self.layout.tiers().index(tier) else { return [0; N] };
        let (found, symmetry) = self.layout.row(self.layout.tier(index), outer);
        kernel.permute(&row(self.lost.rows(index, outer.turn()), found), symmetry)
    }

    /// Adds the placements from which Black can put an inner piece so that the result is lost.
    pub(super) fn inner_places<const N: usize>(&self, board: &Board<'_, N>, tier: Tier, lost: &mut Row<N>) {
        let Some(next) = tier.after_place(self.game.variant, Color::Black, self.layout.inner()) else {
            return;
        };
        let outer = board.outer.with_turn(Color::White);
        let add = match next.count(Color::Black, self.layout.inner()) {
            1 => board.kernel.places(
                &self.lost_row(&self.kernels.k1, next, &outer),
                &self.kernels.k1,
                board.occupied,
            ),
            2 => board.kernel.places(
                &self.lost_row(&self.kernels.k2, next, &outer),
                &self.kernels.k2,
                board.occupied,
            ),
            _ => board.kernel.places(
                &self.lost_row(&self.kernels.k3, next, &outer),
                &self.kernels.k3,
                board.occupied,
            ),
        };
        or_into(lost, &add);
    }
}

/// What a pass did.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Done {
    /// How many rows were looked at.
    pub looked: u64,
    /// How many rows grew.
    pub grew: u64,
}

/// Runs the pass of a side over the dirty rows of a tier and adds what is lost. `readers` gets the rows of
/// the tier that the other pass must look at again.
pub(super) fn sweep(
    solution: &mut Solution,
    tier: usize,
    turn: Color,
    dirty: &Dirty,
    readers: &Dirty,
) -> Done {
    let mut out = solution.lost.take(tier, turn);
    let (looked, grew) = (AtomicU64::new(0), AtomicU64::new(0));
    let Solution { game, layout, kernels, lost, .. } = &*solution;
    let tables = Tables { game, layout, kernels, lost };
    let plan = layout.tier(tier);
    with_kernel!(kernels, plan.k, kernel => {
        out.as_raw_mut_slice().par_chunks_mut(plan.words).enumerate().with_min_len(16).for_each(|(index, stored)| {
            if !dirty.contains(index) {
                return;
            }
            looked.fetch_add(1, Ordering::Relaxed);
            let board = Board::new(game, kernel, layout.outer(plan, index, turn));
            let new = match turn {
                Color::White => white_update::lost_row(&tables, &board, plan.tier),
                Color::Black => black_update::lost_row(&tables, &board, plan.tier),
            };
            let mut changed = false;
            for (stored, new) in stored.iter_mut().zip(new) {
                changed |= new & !*stored != 0;
                *stored |= new;
            }
            if changed {
                grew.fetch_add(1, Ordering::Relaxed);
                let other = Board::new(game, kernel, board.outer.with_turn(!turn));
                let reading = match turn {
                    Color::White => black_update::readers(&other, layout.inner()),
                    Color::Black => white_update::readers(&other, layout.inner()),
                };
                for outer in reading {
                    layout.rows(plan, &outer, |row| readers.mark(row));
                }
            }
        });
    });
    solution.lost.put(tier, turn, out);
    Done { looked: looked.into_inner(), grew: grew.into_inner() }
}

/// Runs the pass of a side over all rows of a tier.
pub(super) fn whole(solution: &mut Solution, tier: usize, turn: Color) -> Done {
    let rows = solution.layout.tier(tier).rows;
    sweep(solution, tier, turn, &Dirty::all(rows), &Dirty::none(rows))
}
