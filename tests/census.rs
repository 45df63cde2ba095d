//! What the enumeration finds is what the census says, and what the census says is what counting by hand
//! gives.

use std::collections::HashSet;

use gobprove::enumerate::{Ranking, Tier, Tiers, census, positions_above, roots};
use gobprove::notation::Setup;
use gobprove::prelude::*;
use gobprove::rules::{Color, Position, Size, Square, Variant};
use gobprove::symmetry::{canonical, is_canonical, key, orbit_len};

fn tiers(variant: &str) -> Tiers {
    Tiers::new(variant.read().expect("a variant"))
}

/// `n! / (w! b! (n − w − b)!)` a layer: what a tier must hold, from the counts alone.
fn placements(tier: Tier) -> u128 {
    let factorial = |n: u8| (1..=u128::from(n)).product::<u128>();
    let layer = |size| {
        let (white, black) = (tier.count(Color::White, size), tier.count(Color::Black, size));
        factorial(16) / (factorial(white) * factorial(black) * factorial(16 - white - black))
    };
    Size::ALL.into_iter().map(layer).product()
}

/// The tier's canonical positions as the scan gives them, folded into how many there are and how many
/// placements their orbits hold; in order, each the first of its orbit.
fn enumerated(tier: Tier) -> (u128, u128) {
    let ranking = Ranking::new(tier);
    let (mut found, mut in_orbits) = (0, 0);
    let mut before = None;
    for root in &roots(tier) {
        for position in positions_above(&ranking, root, Color::Black) {
            assert!(before < Some(key(&position)), "{tier}: {position} is out of order");
            before = Some(key(&position));
            if found % 7 == 0 {
                assert!(is_canonical(&position), "{tier}: {position}");
            }
            found += 1;
            in_orbits += orbit_len(&position) as u128;
        }
    }
    (found, in_orbits)
}

#[test]
fn the_enumeration_of_ab_tier_by_tier() {
    let tiers = tiers("ab");
    let counts = census::tiers(&tiers);
    assert_eq!(counts.len(), 40);
    let mut canonical = 0;
    for (&tier, count) in tiers.as_slice().iter().zip(counts) {
        let (found, in_orbits) = enumerated(tier);
        assert_eq!(found, count.canonical, "{tier}");
        assert_eq!(in_orbits, placements(tier), "{tier}");
        assert_eq!(count.positions, placements(tier), "{tier}");
        canonical += found;
    }
    // Found by two independent programs.
    assert_eq!(canonical, 4_872_077);
}

#[test]
fn orbits_add_up_to_all_placements() {
    for variant in ["A2-A2B2", "A2B1-A1B1C1", "A1B1C1-A1B1C1", "A1B1C1D1-A1", "A3-A3"] {
        for &tier in tiers(variant).as_slice() {
            let (found, in_orbits) = enumerated(tier);
            assert_eq!(found, census::tier(tier).canonical, "{variant} {tier}");
            assert_eq!(in_orbits, placements(tier), "{variant} {tier}");
        }
    }
}

#[test]
fn census_of_every_tier_that_a_game_can_have() {
    for &tier in tiers("abcd-full").as_slice() {
        let count = census::tier(tier);
        assert_eq!(count.positions, placements(tier), "{tier}");
        // An orbit has 1 to 32 positions.
        assert!(count.canonical * 32 >= count.positions && count.canonical <= count.positions, "{tier}");
    }
}

/// Every position of a variant, found by putting one more piece on every square of those found so far.
fn by_hand(variant: Variant) -> HashSet<Position> {
    let mut all = HashSet::from([Position::empty(Color::White)]);
    let mut fresh: Vec<Position> = all.iter().copied().collect();
    while let Some(position) = fresh.pop() {
        for letter in "AaBbCcDd".chars() {
            for square in 0..Square::COUNT {
                let mut setup = Setup::from(&position);
                let stack = &mut setup.stacks[square];
                stack.extend(gobprove::notation::Piece::from_letter(letter));
                stack.sort_by_key(|piece| piece.size);
                if let Ok(next) = setup.position(variant)
                    && all.insert(next)
                {
                    fresh.push(next);
                }
            }
        }
    }
    all
}

#[test]
fn a_small_variant_put_on_the_board_piece_by_piece() {
    for variant in ["A2-A2", "A1B1-A1", "A1-A2B1"] {
        let variant: Variant = variant.read().expect("a variant");
        let all = by_hand(variant);
        let count = census::variant(variant);
        assert_eq!(all.len() as u128, count.positions, "{variant}");
        let orbits: HashSet<Position> = all.iter().map(canonical).collect();
        assert_eq!(orbits.len() as u128, count.canonical, "{variant}");
        let scanned: HashSet<Position> = Tiers::new(variant)
            .as_slice()
            .iter()
            .flat_map(|&tier| {
                let ranking = Ranking::new(tier);
                roots(tier)
                    .iter()
                    .flat_map(|root| positions_above(&ranking, root, Color::White).collect::<Vec<_>>())
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(scanned, orbits, "{variant}");
    }
}
