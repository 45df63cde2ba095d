//! Means over random positions, for variants with too many positions to visit. The draws are the same every time, with
//! any number of threads.

use rayon::prelude::*;

use super::Mean;
use crate::enumerate::random::Random;
use crate::enumerate::{Ranking, Tiers};
use crate::prelude::*;
use crate::rules::{ByColor, Color, Game, Outcome, Position};
use crate::thesis::conventions::{Convention, CountedTiers, Unit};

/// The mean number of moves by side to move, over `draws` placements drawn evenly from the tiers with an A of each side
/// on the board. Placements with a line do not count.
#[must_use]
pub fn draw(game: &Game, draws: u64) -> ByColor<Mean> {
    let convention = Convention { unit: Unit::Placements, tiers: CountedTiers::BothHaveA };
    let tiers = Tiers::new(game.variant);
    let held = tiers.as_slice().iter().filter(|tier| convention.holds(game, **tier, Color::White));
    let rankings: Vec<Ranking> = held.map(|&tier| Ranking::new(tier)).collect();
    let total: u128 = rankings.iter().map(Ranking::len).sum();
    let of = |number| {
        let mut rank = Random(number).below(total);
        let mut means = ByColor::default();
        for ranking in &rankings {
            if rank < ranking.len() {
                for turn in Color::ALL {
                    if let Some(position) = ranking.unrank(rank, turn) {
                        means[turn] = moves(game, &position);
                    }
                }
                break;
            }
            rank -= ranking.len();
        }
        means
    };
    (0..draws).into_par_iter().map(of).reduce(ByColor::default, sum)
}

/// The mean number of moves in random play, by side to move. Each game goes from the empty board by random legal moves
/// to its end or for `plies` plies. White and Black take turns to begin.
#[must_use]
pub fn play(game: &Game, games: u64, plies: u64) -> ByColor<Mean> {
    let one = |number: u64| {
        let mut random = Random(number);
        let mut position = Position::empty(Color::ALL[(number % 2) as usize]);
        let mut means: ByColor<Mean> = ByColor::default();
        for _ in 0..plies {
            let legal: Vec<_> = game.moves(&position).collect();
            means[position.turn()] += Mean { positions: 1, moves: legal.len() as u64 };
            let chosen = random.below(legal.len() as u128) as usize;
            match legal.get(chosen).map(|&mv| game.play_unchecked(&position, mv)) {
                Some(Outcome::GoesOn(after)) => position = after,
                _ => break,
            }
        }
        means
    };
    (0..games).into_par_iter().map(one).reduce(ByColor::default, sum)
}

/// The number of moves of one position; no position at all if a line stands.
fn moves(game: &Game, position: &Position) -> Mean {
    match position.finished() {
        Some(_) => Mean::default(),
        None => Mean { positions: 1, moves: game.moves(position).count() as u64 },
    }
}

fn sum(mut all: ByColor<Mean>, part: ByColor<Mean>) -> ByColor<Mean> {
    for turn in Color::ALL {
        all[turn] += part[turn];
    }
    all
}
