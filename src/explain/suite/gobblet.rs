//! Suites of a solved variant.

use std::collections::BTreeMap;

use gobjunior::solver::Value;

use super::SolvedGame;
use crate::bitbase::{self, is_symmetric};
use crate::closure::prover;
use crate::enumerate::random::Random;
use crate::enumerate::{Tier, Tiers};
use crate::explain::solved_file::{SolvedFile, Valued};
use crate::prelude::*;
use crate::rules::{Color, Move, Outcome, Position};
use crate::store::StoreError;
use crate::symmetry::{self, Symmetry};

/// The plies must be at hand: without them [`SolvedGame::losses`] is empty, and nothing is drawn.
impl SolvedGame for SolvedFile {
    type Position = Position;
    type Move = Move;
    type Error = StoreError;

    fn losses(&mut self, most: usize, seed: u64) -> Result<BTreeMap<u32, Vec<Position>>, StoreError> {
        self.listed_losses(most, &mut Random(seed))
    }

    /// None: the file does not list draws.
    fn draws(&mut self, _: usize, _: u64) -> Vec<Position> {
        Vec::new()
    }

    fn next(&self, position: &Position) -> Vec<Position> {
        let game = self.game();
        let goes_on = |mv| match game.play_unchecked(position, mv) {
            Outcome::GoesOn(next) => Some(next),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        };
        game.moves(position).filter_map(goes_on).collect()
    }

    fn before(&self, position: &Position) -> Vec<Position> {
        let tiers = Tiers::new(self.game().variant);
        let mut found = Vec::new();
        prover::before(self.game(), position, |earlier| {
            if tiers.index(Tier::of(&earlier)).is_some() {
                found.push(earlier);
            }
        });
        found
    }

    fn moves(&mut self, position: &Position) -> Result<Vec<(Move, Value)>, StoreError> {
        let game = *self.game();
        let of_mover = |valued: Valued| {
            let Valued { value, plies } = valued.of_mover(&game, position.turn());
            match value {
                bitbase::Value::Win => Value::Win(plies.unwrap_or_default()),
                bitbase::Value::Draw => Value::Draw,
                bitbase::Value::Loss => Value::Loss(plies.unwrap_or_default()),
            }
        };
        Ok(SolvedFile::moves(self, position)?
            .into_iter()
            .map(|(mv, valued)| (mv, of_mover(valued)))
            .collect())
    }

    fn may_hold(&self, position: &Position) -> bool {
        position.turn() == Color::White || is_symmetric(self.game())
    }

    fn image(&self, position: &Position, number: u64) -> Position {
        let symmetry = Symmetry::all().nth(number as usize % Symmetry::COUNT).unwrap_or(Symmetry::IDENTITY);
        let image = symmetry.position(position);
        let exchange = is_symmetric(self.game()) && number >> 32 & 1 == 1;
        if exchange { image.exchanged() } else { image }
    }

    fn canonical(&self, position: &Position) -> Position {
        let exchange = is_symmetric(self.game()) && position.turn() == Color::Black;
        symmetry::canonical(&if exchange { position.exchanged() } else { *position })
    }
}
