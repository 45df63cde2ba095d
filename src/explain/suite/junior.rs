//! Suites of the game on nine squares.

use std::collections::BTreeMap;
use std::convert::Infallible;

use gobjunior::rules::{Color, Move, Outcome, Position, Size};
use gobjunior::solver::{Solved, Value};
use gobjunior::symmetry::Symmetry;

use super::SolvedGame;
use crate::enumerate::random::{Random, Sample};

impl SolvedGame for Solved {
    type Position = Position;
    type Move = Move;
    type Error = Infallible;

    fn losses(&mut self, most: usize, seed: u64) -> Result<BTreeMap<u32, Vec<Position>>, Infallible> {
        let mut random = Random(seed);
        let mut drawn: BTreeMap<u32, Sample<u32>> = BTreeMap::new();
        for (number, value) in self.listed() {
            if let Value::Loss(plies) = value {
                drawn.entry(*plies).or_insert_with(|| Sample::new(most)).meet(*number, &mut random);
            }
        }
        let positions = |sample: Sample<u32>| {
            sample.drawn.into_iter().filter_map(|number| self.position(number, Color::White)).collect()
        };
        Ok(drawn.into_iter().map(|(plies, sample)| (plies, positions(sample))).collect())
    }

    fn draws(&mut self, most: usize, seed: u64) -> Vec<Position> {
        let mut random = Random(seed);
        let mut sample = Sample::new(most);
        for (number, value) in self.listed() {
            if *value == Value::Draw {
                sample.meet(*number, &mut random);
            }
        }
        sample.drawn.into_iter().filter_map(|number| self.position(number, Color::White)).collect()
    }

    fn next(&self, position: &Position) -> Vec<Position> {
        let goes_on = |(_, outcome)| match outcome {
            Outcome::GoesOn(next) => Some(next),
            Outcome::Won(_) => None,
        };
        self.game().outcomes(position).filter_map(goes_on).collect()
    }

    fn before(&self, position: &Position) -> Vec<Position> {
        self.game().before(position)
    }

    fn moves(&mut self, position: &Position) -> Result<Vec<(Move, Value)>, Infallible> {
        Ok(Solved::moves(self, position).unwrap_or_default())
    }

    fn may_hold(&self, _: &Position) -> bool {
        true
    }

    fn image(&self, position: &Position, number: u64) -> Position {
        let symmetry = Symmetry::all().nth(number as usize % Symmetry::COUNT).unwrap_or(Symmetry::IDENTITY);
        let image = symmetry.position(position);
        if number >> 32 & 1 == 1 { exchanged(&image) } else { image }
    }

    fn canonical(&self, position: &Position) -> Position {
        canonical_on_nine(&if position.turn() == Color::White { *position } else { exchanged(position) })
    }
}

/// The same with the sides exchanged, the side to move too.
fn exchanged(position: &Position) -> Position {
    let side = |color| Size::ALL.map(|size| position.pieces(color, size));
    // Pieces of one size share no square, before or after.
    Position::new([side(Color::Black), side(Color::White)], position.turn().opponent()).unwrap_or(*position)
}

/// The position that stands for its whole orbit: the image with the smallest key.
pub(crate) fn canonical_on_nine(position: &Position) -> Position {
    let key = |image: &Position| Color::ALL.map(|color| Size::ALL.map(|size| image.pieces(color, size).0));
    Symmetry::all().map(|symmetry| symmetry.position(position)).min_by_key(key).unwrap_or(*position)
}
