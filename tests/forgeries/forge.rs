//! Making certificates out of positions, and holding the checker to the oracle.

use std::num::NonZeroUsize;

use gobcheck::check::{self as checker, Breach, Condition, Refusal, Verified};
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use gobprove::store::{Certificate, PositionSet};

use super::forgeries::keep;
use super::oracle::{Flaw, Oracle, Spot};

pub fn game(variant: &str, reading: Reading) -> Game {
    Game::new(variant.read().expect("a variant"), reading)
}

pub fn set(game: &Game, spots: &[Spot]) -> PositionSet {
    PositionSet::from_positions(game.variant, spots.iter().map(|spot| spot.position(game)))
}

/// A closure's file. The positions are taken as they are, canonical or not.
pub fn closure(game: &Game, spots: &[Spot]) -> Vec<u8> {
    Certificate::closure(*game, set(game, spots)).encode()
}

/// A cut's file: positions with Black to move, with White to move.
pub fn cut(game: &Game, spots: [&[Spot]; 2]) -> Vec<u8> {
    let [black_to_move, white_to_move] = spots.map(|spots| set(game, spots));
    Certificate::cut(*game, black_to_move, white_to_move).encode()
}

/// A refutation's file. The positions are taken as they are, canonical or not.
pub fn refutation(game: &Game, spots: &[Spot]) -> Vec<u8> {
    Certificate::refutation(*game, set(game, spots)).encode()
}

pub fn check_on(bytes: &[u8], threads: usize) -> Result<Verified, Refusal> {
    let verdict = checker::check(bytes, NonZeroUsize::new(threads).expect("not 0"), &|_, _| ());
    keep(bytes, verdict.is_ok());
    verdict
}

pub fn check(bytes: &[u8]) -> Result<Verified, Refusal> {
    check_on(bytes, 1)
}

/// The condition that a certificate is refused for.
pub fn breach(bytes: &[u8]) -> Breach {
    match check(bytes) {
        Err(Refusal::Condition(breach)) => breach,
        other => panic!("not refused for a condition: {other:?}"),
    }
}

/// The code of the format error that bytes are refused for.
pub fn format_code(bytes: &[u8]) -> &'static str {
    match check(bytes) {
        Err(Refusal::Format(error)) => error.code,
        other => panic!("not refused for the format: {other:?}"),
    }
}

/// How many certificates were tried, and what became of them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub accepted: u32,
    pub listed: u32,
    pub refused: u32,
}

impl Tally {
    pub fn tried(&self) -> u32 {
        self.accepted + self.listed + self.refused
    }

    /// Holds the checker to the flaws that the oracle found: it accepts if there are none, and else names
    /// one of them.
    fn judge(&mut self, bytes: &[u8], flaws: &[Flaw], what: &str) {
        match check(bytes) {
            Ok(_) => {
                assert!(flaws.is_empty(), "{what}: accepted in spite of {:?}", flaws[0]);
                self.accepted += 1;
            }
            Err(Refusal::Condition(breach)) => {
                assert!(flaws.contains(&Flaw::of(&breach)), "{what}: refused for no reason: {breach}");
                let count =
                    if breach.condition == Condition::Listed { &mut self.listed } else { &mut self.refused };
                *count += 1;
            }
            Err(refusal) => panic!("{what}: {refusal}"),
        }
    }

    pub fn closure(&mut self, oracle: &mut Oracle, spots: &[Spot], what: &str) {
        let flaws = oracle.closure_flaws(spots);
        self.judge(&closure(&oracle.game, spots), &flaws, what);
    }

    pub fn refutation(&mut self, oracle: &mut Oracle, spots: &[Spot], what: &str) {
        let flaws = oracle.refutation_flaws(spots);
        self.judge(&refutation(&oracle.game, spots), &flaws, what);
    }

    pub fn cut(&mut self, oracle: &mut Oracle, spots: [&[Spot]; 2], what: &str) {
        let flaws = oracle.cut_flaws(spots);
        self.judge(&cut(&oracle.game, spots), &flaws, what);
    }
}
