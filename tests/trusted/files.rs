//! Bytes and content: each certificate has one encoding, and nothing else is read.

use gobprove::enumerate::{Ranking, Tier, Tiers};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Reading, Variant};
use gobprove::store::{Certificate, Header, PositionSet};
use proptest::prelude::*;

/// A set with about `per_mille` of every tier's ranks, chosen by `salt`, of at most 300 ranks a tier.
fn some_ranks(variant: Variant, per_mille: u64, salt: u64) -> PositionSet {
    let tiers = Tiers::new(variant);
    let list = |tier| {
        let len = Ranking::new(tier).len();
        let step = (len / 300).max(1);
        let chosen = |i: u64| (i ^ salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 & 1023 < per_mille;
        (0..300).filter(|&i| chosen(i)).map(|i| u128::from(i) * step).filter(|&rank| rank < len).collect()
    };
    let ranks = tiers.as_slice().iter().map(|&tier| list(tier)).collect();
    PositionSet::new(variant, ranks).expect("a set")
}

fn round_trip(certificate: &Certificate) {
    let bytes = certificate.encode();
    assert_eq!(Certificate::decode(&bytes).as_ref(), Ok(certificate));
    let header = Header::parse(&bytes).expect("a header");
    assert_eq!(header.claim, certificate.claim);
    assert_eq!(header.file_len, bytes.len() as u64);
    let listed = |turn| certificate.listed(turn).map_or(0, PositionSet::len);
    assert_eq!(header.entries, [listed(Color::Black), listed(Color::White)]);
}

proptest! {
    #[test]
    fn content_comes_back(
        variant in prop::sample::select(vec!["A1-A1", "ab", "A3B1-A3B2C2D1", "abcd-full"]),
        reading in prop::sample::select(Reading::ALL.to_vec()),
        (per_mille, salt) in (0u64..1100, any::<u64>()),
    ) {
        let variant: Variant = variant.read().expect("a variant");
        let game = Game::new(variant, reading);
        let set = some_ranks(variant, per_mille, salt);
        round_trip(&Certificate::cut(game, set.clone(), some_ranks(variant, per_mille / 2, !salt)));
        if reading != Reading::Robust {
            round_trip(&Certificate::refutation(game, set.clone()));
        }
        round_trip(&Certificate::closure(game, set));
    }
}

#[test]
fn full_blocks_and_the_ends_of_ranks() {
    let variant: Variant = "abcd-full".read().expect("a variant");
    let tiers = Tiers::new(variant);
    for entries in [65_535, 65_536, 65_537, 131_072, 131_073] {
        let mut ranks = vec![Vec::new(); tiers.as_slice().len()];
        let (last, tier) = (ranks.len() - 1, *tiers.as_slice().last().expect("a tier"));
        let end = Ranking::new(tier).len();
        ranks[last] = (0..entries - 1).chain([end - 1]).collect();
        let set = PositionSet::new(variant, ranks).expect("a set");
        let game = Game::new(variant, Reading::Official);
        let certificate = Certificate::closure(game, set);
        round_trip(&certificate);
        let header = Header::parse(&certificate.encode()).expect("a header");
        assert_eq!(u128::from(header.blocks), entries.div_ceil(65_536));
    }
}

#[test]
#[should_panic(expected = "the positions are of the variant")]
fn a_set_of_another_variant_is_not_written() {
    let set = PositionSet::empty("A1-A1".read::<Variant>().expect("a variant"));
    let game = Game::new("ab".read().expect("a variant"), Reading::Official);
    let _ = Certificate::closure(game, set).encode();
}

#[test]
#[should_panic(expected = "says nothing")]
fn a_refutation_under_robust_is_not_written() {
    let variant: Variant = "A1-A1".read().expect("a variant");
    let game = Game::new(variant, Reading::Robust);
    let _ = Certificate::refutation(game, PositionSet::empty(variant)).encode();
}

/// The bytes of the whole file that FORMAT.md shows.
fn documented_file() -> Vec<u8> {
    let text = include_str!("../../gobcheck/FORMAT.md");
    let dump = text.split_once("offset  ").and_then(|(_, rest)| rest.split_once("```")).expect("a dump").0;
    let mut bytes = Vec::new();
    for line in dump.lines().skip(1) {
        let mut words = line.split_once('|').expect("a line of the dump").0.split_whitespace();
        assert_eq!(words.next(), Some(bytes.len().to_string().as_str()), "the offset");
        bytes.extend(words.map(|word| u8::from_str_radix(word, 16).expect("a byte")));
    }
    bytes
}

#[test]
fn the_documented_file_is_what_is_written() {
    let variant: Variant = "A1-A1".read().expect("a variant");
    let game = Game::new(variant, Reading::Official);
    let texts = [".,.,.,.", "A,.,.,.", "A,a,.,.", "A,.,.,a"];
    let positions = texts.map(|rank| format!(".,.,.,./.,.,.,./.,.,.,./{rank} b"));
    let positions = positions.map(|text| game.parse(&text).expect("a position"));
    let certificate = Certificate::closure(game, PositionSet::from_positions(variant, positions));
    assert_eq!(certificate.encode(), documented_file());
    assert_eq!(Certificate::decode(&documented_file()), Ok(certificate));
}

#[test]
fn hashes_are_written_as_sha256sum_writes_them() {
    // FIPS 180-2, appendix B.1.
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(gobprove::store::sha256_hex(b"abc"), expected);
}

#[test]
fn the_documented_rank_is_right() {
    let variant: Variant = "ab".read().expect("a variant");
    let text = "Ab,.,.,a/.,b,.,./.,.,A,./a,.,.,A b";
    assert!(include_str!("../../gobcheck/FORMAT.md").contains(text));
    let position = variant.parse(text).expect("a position");
    let ranking = Ranking::new(Tier::of(&position));
    assert_eq!((ranking.rank(&position), ranking.len()), (2_235_675, 5_241_600));
}
