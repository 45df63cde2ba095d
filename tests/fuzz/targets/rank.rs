//! `rank`: ranks and placements are the same thing, in the order of the pieces' masks; a canonical position has
//! the least rank of its orbit.

use std::collections::HashSet;

use gobprove::enumerate::{Ranking, Tier, Tiers};
use gobprove::prelude::*;
use gobprove::rules::{Color, Position};
use gobprove::symmetry::{Symmetry, canonical, is_canonical, key, orbit_len};

use super::input::Input;
use super::oracle::Spot;

pub fn run(bytes: &[u8]) -> bool {
    let mut input = Input(bytes);
    let variant = input.variant();
    let tiers = Tiers::new(variant);
    let index = input.number(2) as usize % tiers.as_slice().len();
    let tier = tiers.as_slice()[index];
    assert_eq!(tiers.index(tier), Some(index));
    let ranking = Ranking::new(tier);
    let turn = input.pick(&Color::ALL);
    let ranks = [(); 2].map(|()| input.number(16));
    let met = ranks.into_iter().any(|rank| rank < ranking.len());
    for rank in ranks {
        assert_eq!(ranking.unrank(rank, turn).is_some(), rank < ranking.len(), "{tier} {rank}");
    }
    let ranks = ranks.map(|rank| rank % ranking.len());
    let positions = ranks.map(|rank| ranking.unrank(rank, turn).expect("below the length"));
    for (rank, position) in ranks.into_iter().zip(&positions) {
        assert_eq!((ranking.rank(position), Tier::of(position), position.turn()), (rank, tier, turn));
        assert_eq!(variant.parse(&position.to_string()).as_ref(), Ok(position));
        orbit(&ranking, position);
    }
    let spots = positions.each_ref().map(Spot::of);
    assert_eq!(ranks[0].cmp(&ranks[1]), spots[0].cmp(&spots[1]), "{} and {}", spots[0], spots[1]);
    met
}

/// Holds the symmetries to those that the oracle finds by itself.
fn orbit(ranking: &Ranking, position: &Position) {
    let least = canonical(position);
    let images: HashSet<Position> = Symmetry::all().map(|symmetry| symmetry.position(position)).collect();
    let spots: HashSet<Spot> = Spot::of(position).images().collect();
    assert_eq!(images.iter().map(Spot::of).collect::<HashSet<_>>(), spots, "{position}");
    assert_eq!(Spot::of(&least), Spot::of(position).canonical(), "{position}");
    assert_eq!(images.len(), orbit_len(position), "{position}");
    assert_eq!(is_canonical(position), least == *position, "{position}");
    for image in images {
        assert!(ranking.rank(&least) <= ranking.rank(&image), "{image}");
        assert_eq!(canonical(&image), least, "{image}");
        assert_eq!(key(&image) == key(&least), image == least, "{image}");
    }
}
