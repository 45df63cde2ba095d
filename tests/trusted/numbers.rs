//! How the trusted part numbers positions.

use gobprove::enumerate::layer::{alike, len, rank_among, unrank};
use gobprove::enumerate::{Ranking, Tier, Tiers};
use gobprove::notation::Setup;
use gobprove::prelude::*;
use gobprove::rules::{Color, Size, Variant};
use gobprove::symmetry::key;

#[test]
fn ranks_count_the_layers_in_order() {
    for white in 0..=3 {
        for black in 0..=3 {
            let mut before = None;
            for number in 0..len(white, black) {
                let (w, b) = unrank(number, white, black);
                assert!(!w.meets(b) && w.count() == u32::from(white) && b.count() == u32::from(black));
                assert_eq!(rank_among(w, b, alike(white, black)), number);
                assert!(before < Some((w, b)), "ranks follow the order of keys");
                before = Some((w, b));
            }
        }
    }
    // 16·15·14/6 · 13·12·11/6
    assert_eq!(len(3, 3), 160_160);
}

fn every_tier(variant: &str) -> Vec<Ranking> {
    Tiers::new(variant.read().expect("a variant")).as_slice().iter().map(|&t| Ranking::new(t)).collect()
}

#[test]
fn small_tiers_are_numbered_without_gaps_in_the_order_of_keys() {
    let variant: Variant = "A2B2-A2B2".read().expect("a variant");
    for ranking in every_tier("A2B2-A2B2").into_iter().filter(|ranking| ranking.len() < 400_000) {
        let mut before = None;
        for number in 0..ranking.len() {
            let position = ranking.unrank(number, Color::White).expect("a placement");
            assert_eq!(ranking.rank(&position), number);
            assert!(before < Some(key(&position)));
            before = Some(key(&position));
            if number % 1009 == 0 {
                assert_eq!(Setup::from(&position).position(variant), Ok(position), "through the only door");
            }
        }
    }
}

#[test]
fn large_tiers_at_the_ends_and_in_between() {
    let variant: Variant = "abcd-full".read().expect("a variant");
    for ranking in every_tier("abcd-full") {
        let len = ranking.len();
        for number in (0..7).map(|i| (len - 1) / 6 * i).chain([len - 1]) {
            let position = ranking.unrank(number, Color::Black).expect("a placement");
            assert_eq!(ranking.rank(&position), number);
            assert_eq!(Tier::of(&position), ranking.tier());
            assert_eq!(Setup::from(&position).position(variant), Ok(position));
        }
        assert_eq!(ranking.unrank(len, Color::Black), None);
        assert_eq!(ranking.unrank(u128::MAX, Color::Black), None);
    }
}

#[test]
fn the_order_is_sorted_and_follows_play() {
    for (_, variant) in Variant::named() {
        let tiers = Tiers::new(variant);
        assert!(tiers.as_slice().is_sorted_by(|a, b| a < b));
        for (index, &tier) in tiers.as_slice().iter().enumerate() {
            assert_eq!(tiers.index(tier), Some(index));
            for color in Color::ALL {
                for size in Size::ALL {
                    let next = OnBoard::after_place(tier, variant, color, size);
                    let later = tiers.after_place(variant, tier)[color][size];
                    assert_eq!(later.map(|later| tiers.as_slice()[later]), next);
                    assert!(later.is_none_or(|later| later > index), "{tier} to {next:?}");
                }
            }
        }
    }
}

#[test]
fn tier_counts() {
    // White has 0 … 3 A: 4. Black has a ≥ b: 10.
    assert_eq!(Tiers::new("ab".read().expect("a variant")).as_slice().len(), 40);
    // a ≥ b ≥ c ≥ d in 0 … 3: the multisets of 4 out of 4, 35 a side.
    assert_eq!(Tiers::new("abcd-full".read().expect("a variant")).as_slice().len(), 35 * 35);
}

#[test]
fn tiers_are_named() {
    let names: Vec<_> =
        Tiers::new("A1-A1B1".read().expect("a variant")).as_slice().iter().map(Tier::to_string).collect();
    assert_eq!(names, ["0.0", "0.A1", "0.A1B1", "A1.0", "A1.A1", "A1.A1B1"]);
}
