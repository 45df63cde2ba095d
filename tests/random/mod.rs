//! Positions and games at random, from a seed: the same on every machine and in every run.

#![allow(dead_code, reason = "each test binary that includes this file uses a part of it")]

#[path = "../support/random.rs"]
mod numbers;

use gobprove::enumerate::{Ranking, Tiers};
use gobprove::notation::{Piece, Setup};
use gobprove::prelude::*;
use gobprove::rules::{Bitboard, Color, LINES, Position, Size, Square, Variant};
pub use numbers::Random;

impl Random {
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below_u128(from.len() as u128) as usize]
    }

    /// Any number of pieces a side that the variant allows, each placement of them alike.
    pub fn any_position(&mut self, variant: Variant) -> Position {
        let tiers = Tiers::new(variant);
        let ranking = Ranking::new(self.pick(tiers.as_slice()));
        let rank = self.below_u128(ranking.len());
        ranking.unrank(rank, self.pick(&Color::ALL)).expect("a rank below the length")
    }

    /// A setup that is a position of the variant, put together without tiers and ranks, and crowded: many
    /// pieces on few lines, so that threes, lines and covered lines are common.
    pub fn crowded_setup(&mut self, variant: Variant) -> Setup {
        let lines = self.below_u128(3) + 1;
        let pool = (0..lines).fold(Bitboard::EMPTY, |union, _| union | self.pick(&LINES));
        let elsewhere = Square::ALL.into_iter().filter(|&square| !pool.contains(square)).collect::<Vec<_>>();
        let mut outer = [3, 3];
        let mut stacks = [const { Vec::new() }; Square::COUNT];
        for size in Size::ALL {
            let mut free: Vec<Square> = pool.squares().collect();
            free.extend((0..2).map(|_| self.pick(&elsewhere)));
            free.dedup();
            for color in Color::ALL {
                let most = variant.material(color).count(size).min(outer[color as usize]);
                let mut placed = 0;
                // The larger of two throws: more pieces, more going on.
                let wanted =
                    self.below_u128(u128::from(most) + 1).max(self.below_u128(u128::from(most) + 1)) as u8;
                while placed < wanted && !free.is_empty() {
                    let square = free.swap_remove(self.below_u128(free.len() as u128) as usize);
                    let stack: &mut Vec<Piece> = &mut stacks[square.index()];
                    if stack.iter().all(|piece| piece.size != size) {
                        stack.push(Piece { color, size });
                        placed += 1;
                    }
                }
                outer[color as usize] = placed;
            }
        }
        Setup { stacks, turn: self.pick(&Color::ALL) }
    }

    /// A setup in which the side to move covers a line of its opponent with an A and has three pieces in
    /// another: where the readings part. `None` where no throw gave a position of the variant; a side
    /// without four pieces never gets one.
    pub fn lift_setup(&mut self, variant: Variant) -> Option<Setup> {
        (0..300).map(|_| self.thrown_lift()).find(|setup| setup.position(variant).is_ok())
    }

    fn thrown_lift(&mut self) -> Setup {
        let turn = self.pick(&Color::ALL);
        let (theirs, ours) = (self.pick(&LINES), self.pick(&LINES));
        let mut stacks = [const { Vec::new() }; Square::COUNT];
        for square in theirs.squares() {
            let size = self.pick(&[Size::A, Size::A, Size::B, Size::B, Size::C, Size::D]);
            stacks[square.index()].push(Piece { color: !turn, size });
        }
        let covered = self.pick(&theirs.squares().collect::<Vec<_>>());
        stacks[covered.index()].insert(0, Piece { color: turn, size: Size::A });
        for square in ours.squares().filter(|&square| !theirs.contains(square)) {
            let size = self.pick(&[Size::A, Size::A, Size::B, Size::C]);
            stacks[square.index()].push(Piece { color: turn, size });
        }
        Setup { stacks, turn }
    }
}

/// The named variants, and spelled ones: capped, lopsided, least.
pub fn variants() -> Vec<Variant> {
    let spelled = [
        "A1-A1",
        "A3-A3B3C1",
        "A3B1-A3B3C1",
        "A2B1-A2B2C2D1",
        "A3-A3B3C3D3",
        "A3B3C3D2-A2B2",
        "A1B1C1D1-A3B2C2D1",
    ];
    let spelled = spelled.map(|text| text.read().expect("a variant"));
    Variant::named().map(|(_, variant)| variant).chain(spelled).collect()
}
