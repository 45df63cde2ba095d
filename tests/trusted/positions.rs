//! Squares, pieces, positions and variants of the trusted part.

use gobprove::notation::{Piece, VariantError};
use gobprove::prelude::*;
use gobprove::rules::{Bitboard, Color, LINES, Material, Position, Reading, Size, Square, Variant};

fn square(name: &str) -> Square {
    name.read().expect("a square")
}

fn mask(names: &[&str]) -> Bitboard {
    Bitboard::gather(names.iter().map(|name| name.read::<Square>().expect("a square")))
}

#[test]
fn the_ten_lines_are_those_of_r1() {
    let mut expected = vec![mask(&["a1", "b2", "c3", "d4"]), mask(&["a4", "b3", "c2", "d1"])];
    for file in ["a", "b", "c", "d"] {
        expected.push(Bitboard::gather(["1", "2", "3", "4"].map(|rank| square(&format!("{file}{rank}")))));
    }
    for rank in ["1", "2", "3", "4"] {
        expected.push(Bitboard::gather(["a", "b", "c", "d"].map(|file| square(&format!("{file}{rank}")))));
    }
    let mut lines = LINES.to_vec();
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
}

#[test]
fn set_verbs() {
    let set = mask(&["a1", "c2", "d4"]);
    assert_eq!(set.count(), 3);
    assert_eq!(set.squares().map(|s| s.to_string()).collect::<Vec<_>>(), ["a1", "c2", "d4"]);
    assert_eq!(set - mask(&["c2", "b1"]), mask(&["a1", "d4"]));
    assert!(set.includes(mask(&["a1", "d4"])) && !set.includes(mask(&["a1", "b1"])));
    assert!(!set.has_line() && mask(&["a1", "b1", "c1", "d1", "a2"]).has_line());
    let two_lines = mask(&["a1", "b1", "c1", "d1", "a2", "a3", "a4"]);
    assert!(two_lines.has_line(), "two are no fewer than one");
    assert_eq!(mask(&["a1", "b1", "d1"]).lines_of_three(), mask(&["a1", "b1", "c1", "d1"]));
    assert_eq!(mask(&["a1", "b1", "c2"]).lines_of_three(), Bitboard::EMPTY);
    assert_eq!(Bitboard::ALL.squares().count(), 16);
}

#[test]
fn one_square_comes_and_goes() {
    let [a1, c2] = ["a1", "c2"].map(|name| name.read::<Square>().expect("a square"));
    let both = Bitboard::of(a1).with(c2);
    assert_eq!(both, mask(&["a1", "c2"]));
    assert_eq!(both.with(c2), both);
    assert_eq!((both.without(a1), both.without(c2).without(c2)), (Bitboard::of(c2), Bitboard::of(a1)));
    assert!(both.meets(Bitboard::of(c2)) && !Bitboard::of(a1).meets(Bitboard::of(c2)));
    assert!(Bitboard::EMPTY.is_empty() && !both.is_empty());
    assert_eq!(Bitboard::of(a1) | both, both);
    assert_eq!((both & Bitboard::of(c2), !both | both), (Bitboard::of(c2), Bitboard::ALL));
}

#[test]
fn letters_round_trip() {
    for color in Color::ALL {
        for size in Size::ALL {
            let piece = Piece { color, size };
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
    }
    assert_eq!(Piece::from_letter('b'), Some(Piece { color: Color::Black, size: Size::B }));
    assert_eq!(Piece::from_letter('b').map(|piece| piece.to_string()), Some("Black B".to_owned()));
    assert_eq!(Piece::from_letter('D').map(|piece| piece.to_string()), Some("White D".to_owned()));
    assert_eq!(Piece::from_letter('e'), None);
    assert_eq!(Piece::from_letter('.'), None);
}

#[test]
fn earlier_sizes_are_larger() {
    assert!(Size::A < Size::B && Size::B < Size::C && Size::C < Size::D);
    assert_eq!(Size::ALL.map(Size::larger), [None, Some(Size::A), Some(Size::B), Some(Size::C)]);
}

fn position(text: &str) -> Position {
    let variant: Variant = "abcd-full".read().expect("a variant");
    variant.parse(text).expect("a position")
}

#[test]
fn the_largest_piece_of_a_square_is_visible() {
    let p = position("Ab,.,.,a/.,bC,.,./.,.,.,./.,a,.,B w");
    let square = |name: &str| name.read::<Square>().expect("a square");
    assert_eq!(p.top(square("a4")), Some((Color::White, Size::A)));
    assert_eq!(p.top(square("b3")), Some((Color::Black, Size::B)));
    assert_eq!(p.top(square("c3")), None);
    assert_eq!(p.visible(Color::White).count(), 2);
    assert_eq!(p.visible(Color::Black).count(), 3);
    assert_eq!(p.visible_of(Color::Black, Size::B).count(), 1);
    assert_eq!(p.visible_of(Color::White, Size::C).count(), 0);
    assert_eq!(p.barred(Size::B).count(), 5);
    assert_eq!(p.barred(Size::A).count(), 3);
}

#[test]
fn what_is_visible_is_on_top_whatever_lies_under_it() {
    for text in [
        "ABcd,aCD,b,./.,.,.,./.,.,.,./.,.,.,. w",
        "c,d,b,a/D,C,B,A/.,.,.,./.,.,.,. b",
        "ABCD,abcd,.,./.,.,.,./.,.,.,./.,.,.,. b",
        "BD,aC,cd,b/A,.,.,./.,.,.,./.,.,.,. w",
    ] {
        let p = position(text);
        for color in Color::ALL {
            let on_top = |square: &Square| p.top(*square).is_some_and(|(top, _)| top == color);
            assert_eq!(p.visible(color), Bitboard::gather(Square::ALL.into_iter().filter(on_top)), "{text}");
        }
        assert!(!p.is_empty());
        assert_eq!(format!("{p:?}"), text);
    }
    assert!(Position::empty(Color::White).is_empty());
}

#[test]
fn of_every_stack_the_largest_piece_is_visible_and_bars_its_size() {
    // Each size is White's, Black's or not there: 81 stacks on each square.
    for stack in 0..81usize {
        let owners: [usize; 4] = std::array::from_fn(|size| stack / 3usize.pow(size as u32) % 3);
        let largest = Size::ALL.into_iter().zip(owners).find(|(_, owner)| *owner < 2);
        for square in Square::ALL {
            let side = |color: usize| -> u64 {
                let bit = |size: usize| u64::from(owners[size] == color) << (16 * size + square.index());
                (0..4).map(bit).sum()
            };
            let position = Position::from_sides([side(0), side(1)], Color::White);
            for color in Color::ALL {
                let on_top = largest.is_some_and(|(_, owner)| owner == color as usize);
                assert_eq!(position.visible(color).contains(square), on_top, "{position} {color}");
            }
            for size in Size::ALL {
                let bars = largest.is_some_and(|(largest, _)| largest <= size);
                assert_eq!(position.barred(size).contains(square), bars, "{position} {size}");
            }
        }
    }
}

#[test]
fn the_provers_own_verbs() {
    let p = position("ABcd,aCD,b,./.,.,.,./.,.,.,./.,.,.,. w");
    assert_eq!(p.exchanged(), position("abCD,Acd,B,./.,.,.,./.,.,.,./.,.,.,. b"));
    let corner = Bitboard::of("d1".read().expect("a square"));
    let moved = position("ABcd,aCD,.,./.,.,.,./.,.,.,./.,.,.,b w");
    assert_eq!(p.with_black(Size::B, corner), moved);
    assert_eq!(p.with_black(Size::C, p.pieces(Color::Black, Size::C)), p);
}

#[test]
fn a_black_line_beside_a_white_one_is_lost() {
    let both = position("A,B,A,A/.,.,.,./.,.,.,./a,b,a,a w");
    assert_eq!(both.finished(), Some(Color::Black));
    let white = position("A,B,A,A/.,.,.,./.,.,.,./a,b,a,. w");
    assert_eq!(white.finished(), Some(Color::White));
    let covered = position("B,B,A,A/.,.,.,./.,.,.,./a,Ab,a,a b");
    assert_eq!(covered.finished(), Some(Color::White));
    assert_eq!(position("A,aB,A,./.,.,.,./.,.,.,./.,.,.,. w").finished(), None);
}

#[test]
fn tags_round_trip() {
    for reading in Reading::ALL {
        assert_eq!(reading.tag().read(), Ok(reading));
    }
    assert_eq!(
        "Official".read::<Reading>().expect_err("tags are in lower case").to_string(),
        "\"Official\" is not a reading: readings are official, thesis, strict-lift, no-entry-cover, robust"
    );
    assert!("".read::<Reading>().is_err());
}

#[test]
fn names_and_indices() {
    assert_eq!("a1".read(), Ok(Square::ALL[0]));
    assert_eq!("d1".read(), Ok(Square::ALL[3]));
    assert_eq!("a2".read(), Ok(Square::ALL[4]));
    assert_eq!("d4".read(), Ok(Square::ALL[15]));
    for square in Square::ALL {
        assert_eq!(square.to_string().read(), Ok(square));
    }
    for bad in ["", "a", "e1", "a5", "a0", "A1", "a1 "] {
        let error = bad.read::<Square>().expect_err(bad).to_string();
        assert_eq!(error, format!("{bad:?} is not a square: squares are a1 … d4"));
    }
    assert_eq!(Square::new(16), None);
    assert_eq!(Square::new(6), Some(square("c2")));
}

#[test]
fn names_and_spelled_out_material_agree() {
    for (name, variant) in Variant::named() {
        assert_eq!(name.read(), Ok(variant));
        assert_eq!(variant.spelled().read(), Ok(variant));
        assert_eq!(variant.to_string(), name);
    }
    assert_eq!("A3-A3B3".read::<Variant>().map(|v| v.to_string()), Ok("ab".to_owned()));
    assert_eq!("A3-A3B3C1".read::<Variant>().map(|v| v.to_string()), Ok("A3-A3B3C1".to_owned()));
    assert_eq!("A1-A2B1".read::<Variant>().map(|v| v.black.counts()), Ok([2, 1, 0, 0]));
}

#[test]
fn what_is_no_variant() {
    for bad in [
        "",
        "abx",
        "AB",
        "A3",
        "A3-",
        "-A3",
        "A3-B3",
        "A3-A3C3",
        "A4-A3",
        "A0-A3",
        "A3-A3B0",
        "A3-A3-A3",
        "A3-A3B3C3D3D3",
        "a3-a3",
        "A3-A²",
    ] {
        assert!(matches!(bad.read::<Variant>(), Err(VariantError::Unreadable(_))), "{bad:?}");
    }
    assert_eq!("A1-A1B2".read::<Variant>(), Err(VariantError::Counts([1, 2, 0, 0])));
    let told = |text: &str| text.read::<Variant>().expect_err("no variant").to_string();
    assert!(told("abx").starts_with("\"abx\" is not a variant: give a name (ab, "), "{}", told("abx"));
    assert!(told("A1-A1B2").starts_with("no side can have 1 A, 2 B, 0 C and 0 D: "), "{}", told("A1-A1B2"));
    assert_eq!(Material::new([3, 1, 0, 0]).map(|material| material.to_string()), Some("A3B1".to_owned()));
    for counts in [[0; 4], [4, 0, 0, 0], [1, 2, 0, 0], [2, 1, 1, 2], [255; 4]] {
        assert_eq!(Material::new(counts), None);
    }
}

#[test]
fn material_is_a_partial_order() {
    let material = |text: &str| text.read::<Material>().expect("material");
    assert!(material("A3").at_most(material("A3B3")));
    assert!(!material("A3B3").at_most(material("A3")));
    assert!(!material("A2B2").at_most(material("A3B1")) && !material("A3B1").at_most(material("A2B2")));
}
