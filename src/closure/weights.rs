//! Weights: what a position costs White when several answers are safe. White takes the lightest.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::enumerate::lines::LineCounts;
use crate::enumerate::rows::discipline::DIAGONALS;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Position, Size};

/// How much each of the counted features costs White: the answer with the least sum is preferred. A closure is small when
/// White's placement is nearly a function of Black's, so the features are those that lead away from that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights([u32; COUNT]);

const COUNT: usize = 10;

/// What is counted, by its name.
const NAMES: [&str; COUNT] = [
    // Each visible black piece of a size.
    "visible-b",
    "visible-c",
    "visible-d",
    // Each line with two or three visible black pieces and no white A; half where a white piece stands in it.
    "two",
    "three",
    // Each white A that is not on the board.
    "a-in-hand",
    // Each white A that covers no black piece.
    "a-off",
    // Each visible white B that covers no black piece.
    "b-off",
    // Each white piece smaller than A on the board.
    "small",
    // Each white A that is not on a long diagonal, whose squares lie on three lines instead of two.
    "a-off-diagonal",
];

impl Default for Weights {
    fn default() -> Weights {
        Weights([20, 20, 20, 4, 16, 10, 0, 0, 100, 0])
    }
}

/// The largest weight: sums stay far within 32 bits.
const MOST: u32 = 1_000_000;

impl Weights {
    /// The names and weights, in order.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u32)> + use<> {
        NAMES.into_iter().zip(self.0)
    }

    /// The sum for a position.
    #[must_use]
    pub fn sum(&self, position: &Position) -> u32 {
        counted(position).iter().zip(self.0).map(|(count, weight)| count * weight).sum()
    }

    /// Weights that differ from these in one: each set to nothing, halved, doubled, and a quarter less and more.
    #[must_use]
    pub fn neighbours(&self) -> Vec<Weights> {
        let mut all = Vec::new();
        for index in 0..COUNT {
            let old = self.0[index];
            let around = [0, old / 2, old - old / 4, (old + old / 4).max(2), (2 * old).max(10)];
            for (place, new) in around.into_iter().enumerate() {
                if new != old && new <= MOST && !around[..place].contains(&new) {
                    let mut changed = *self;
                    changed.0[index] = new;
                    all.push(changed);
                }
            }
        }
        all
    }
}

/// Twice what is counted, so that half a line is a number.
fn counted(position: &Position) -> [u32; COUNT] {
    let black = position.visible(Color::Black);
    let white = position.visible(Color::White);
    let guards = position.visible_of(Color::White, Size::A);
    let visible = |size| 2 * position.visible_of(Color::Black, size).count();
    let placed = |size| position.pieces(Color::White, size).count();
    // A line without any white piece counts twice.
    let unguarded = !LineCounts::of(guards).met();
    let free = unguarded & !LineCounts::of(white).met();
    let twice = |lines: u64| (lines & unguarded).count_ones() + (lines & free).count_ones();
    let lines = LineCounts::of(black);
    let [_, smaller @ ..] = Size::ALL;
    let [b, c, d] = smaller;
    let under =
        smaller.into_iter().fold(Bitboard::EMPTY, |all, size| all | position.pieces(Color::Black, size));
    [
        visible(b),
        visible(c),
        visible(d),
        twice(lines.twos()),
        twice(lines.threes()),
        2 * (3 - placed(Size::A)),
        2 * (guards - under).count(),
        2 * (position.visible_of(Color::White, Size::B) - under).count(),
        2 * smaller.into_iter().map(placed).sum::<u32>(),
        2 * (guards - DIAGONALS).count(),
    ]
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, weight)) in self.named().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma}{name}={weight}")?;
        }
        Ok(())
    }
}

/// Why a text does not describe weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// A part is not of the form NAME=NUMBER.
    #[error("{0:?} is not NAME=NUMBER, as in two=4")]
    Form(String),
    /// There is no weight of this name.
    #[error("there is no weight {0:?}; the weights are {names}", names = NAMES.join(", "))]
    Name(String),
    /// A weight is no number, or too large.
    #[error("{0:?} is not a number from 0 to {MOST}")]
    Number(String),
}

impl FromStr for Weights {
    type Err = WeightsError;

    /// Reads what [`Weights`] prints, or a part of it: what is not named keeps its usual weight. Of a name that stands there twice
    /// the last number counts.
    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let mut weights = Weights::default();
        for part in text.split(',') {
            let (name, number) = part.split_once('=').ok_or_else(|| WeightsError::Form(part.to_owned()))?;
            let index = NAMES.iter().position(|&known| known == name);
            let weight = number.parse().ok().filter(|&weight| weight <= MOST);
            weights.0[index.ok_or_else(|| WeightsError::Name(name.to_owned()))?] =
                weight.ok_or_else(|| WeightsError::Number(number.to_owned()))?;
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::rules::{Game, Reading};

    fn sum(weights: &str, position: &str) -> u32 {
        let none = NAMES.map(|name| format!("{name}=0")).join(",");
        let weights: Weights = format!("{none},{weights}").parse().expect("weights");
        let game = Game::new("abc".read().expect("a variant"), Reading::Official);
        weights.sum(&game.parse(position).expect("a position"))
    }

    #[test]
    fn each_weight_is_for_what_its_name_says() {
        let board = "a,b,a,./Ab,.,.,./.,.,c,B/.,.,A,. b";
        for (weights, expected) in [
            ("visible-b=1", 1),
            ("visible-c=1", 1),
            ("visible-d=1", 0),
            // The diagonal; an A stands in the column of A and C.
            ("two=1", 1),
            ("three=1", 1),
            ("a-in-hand=1", 1),
            ("a-off=1", 1),
            ("b-off=1", 1),
            ("small=1", 1),
            ("a-off-diagonal=1", 2),
        ] {
            assert_eq!(sum(weights, board), 2 * expected, "{weights}");
        }
        // The row has a white B besides: half.
        assert_eq!(sum("three=7", "a,b,c,B/.,.,.,A/.,.,.,./.,.,.,. b"), 7);
        assert_eq!(sum("three=7", "a,b,c,A/.,.,.,./.,.,.,./.,.,.,. b"), 0);
    }

    #[test]
    fn weights_are_read_as_they_are_printed() {
        let weights: Weights = "two=5,small=0".parse().expect("weights");
        assert_eq!(weights.to_string().parse(), Ok(weights));
        assert_ne!(weights, Weights::default());
        assert_eq!("three=16".parse(), Ok(Weights::default()), "the rest is as usual");
        let error = |text: &str| text.parse::<Weights>().expect_err(text);
        assert_eq!(error("two"), WeightsError::Form("two".to_owned()));
        assert_eq!(error("four=1"), WeightsError::Name("four".to_owned()));
        assert_eq!(error("two=-1"), WeightsError::Number("-1".to_owned()));
        assert_eq!(error("two=1000001"), WeightsError::Number("1000001".to_owned()));
    }

    #[test]
    fn neighbours_differ_in_one_weight() {
        for text in ["two=4", "two=1", "two=0"] {
            let own: Weights = text.parse().expect("weights");
            let neighbours = own.neighbours();
            assert!(neighbours.len() > 2 * COUNT);
            for (place, other) in neighbours.iter().enumerate() {
                let differ = own.named().zip(other.named()).filter(|(one, two)| one != two).count();
                assert_eq!(differ, 1, "{other}");
                assert!(!neighbours[..place].contains(other), "{text}: {other} twice");
            }
        }
    }
}
