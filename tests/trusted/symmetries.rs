//! The symmetries of the trusted part, which a formula gives.

use std::collections::HashSet;

use gobprove::prelude::*;
use gobprove::rules::{Bitboard, LINES, Square, Variant};
use gobprove::symmetry::{Symmetry, canonical, is_canonical, key, orbit_len};

/// All permutations of the squares that map lines to lines, found square by square: an image is given up as soon as a line
/// whose squares all have one goes to no line.
fn found_by_trying() -> Vec<[usize; 16]> {
    let lines: Vec<Vec<usize>> =
        LINES.iter().map(|line| line.squares().map(Square::index).collect()).collect();
    let sets: HashSet<u16> = LINES.iter().map(|line| line.0).collect();
    let mut open = vec![Vec::new()];
    let mut found = Vec::new();
    while let Some(images) = open.pop() {
        if let Ok(whole) = <[usize; 16]>::try_from(images.as_slice()) {
            found.push(whole);
            continue;
        }
        for image in (0..16).filter(|image| !images.contains(image)) {
            let longer: Vec<usize> = images.iter().copied().chain([image]).collect();
            let there = lines.iter().filter(|line| line.iter().all(|&square| square < longer.len()));
            let mut sent = there.map(|line| line.iter().fold(0u16, |set, &square| set | 1 << longer[square]));
            if sent.all(|set| sets.contains(&set)) {
                open.push(longer);
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn the_formula_gives_all_permutations_that_keep_lines_and_no_other() {
    let given: Vec<[usize; 16]> =
        Symmetry::all().map(|symmetry| images(symmetry).map(Square::index)).collect();
    assert_eq!(given, found_by_trying(), "in lexicographic order too");
}

fn images(symmetry: Symmetry) -> [Square; Square::COUNT] {
    Square::ALL.map(|square| symmetry.square(square))
}

#[test]
fn there_are_32_and_the_first_is_the_identity() {
    assert_eq!(Symmetry::all().map(images).collect::<HashSet<_>>().len(), 32);
    assert_eq!(Symmetry::all().next().map(images), Some(Square::ALL));
}

#[test]
fn lines_go_to_lines() {
    for symmetry in Symmetry::all() {
        let mut lines = LINES.map(|line| symmetry.bitboard(line));
        let mut expected = LINES;
        lines.sort();
        expected.sort();
        assert_eq!(lines, expected);
    }
}

#[test]
fn the_group_axioms_hold() {
    let all: Vec<_> = Symmetry::all().map(images).collect();
    for a in &all {
        assert!(all.iter().any(|b| (0..16).all(|i| b[a[i].index()] == Square::ALL[i])), "an inverse");
        for b in &all {
            let product: [Square; 16] = std::array::from_fn(|i| b[a[i].index()]);
            assert!(all.contains(&product), "closed");
        }
    }
}

#[test]
fn an_inverse_undoes() {
    for symmetry in Symmetry::all() {
        for square in Square::ALL {
            assert_eq!(symmetry.inverse().square(symmetry.square(square)), square);
        }
    }
}

#[test]
fn the_turns_and_reflections_of_the_square_are_among_them() {
    let all: Vec<_> = Symmetry::all().map(images).collect();
    let square = |file: usize, rank: usize| Square::ALL[file + 4 * rank];
    let quarter_turn: [Square; 16] = std::array::from_fn(|i| square(3 - i / 4, i % 4));
    let reflection: [Square; 16] = std::array::from_fn(|i| square(3 - i % 4, i / 4));
    // Files and ranks a, b, c, d to a, c, b, d: no turn or reflection, and a symmetry all the same.
    let inner_swap: [Square; 16] = std::array::from_fn(|i| square([0, 2, 1, 3][i % 4], [0, 2, 1, 3][i / 4]));
    for permutation in [quarter_turn, reflection, inner_swap] {
        assert!(all.contains(&permutation));
    }
}

#[test]
fn masks_follow_squares() {
    for symmetry in Symmetry::all() {
        for bits in (0..=u16::MAX).step_by(97) {
            let expected: Bitboard = Bitboard(bits)
                .squares()
                .fold(Bitboard::EMPTY, |set, square| set.with(symmetry.square(square)));
            assert_eq!(symmetry.bitboard(Bitboard(bits)), expected);
        }
    }
}

#[test]
fn pieces_of_each_size_go_where_their_squares_go_whatever_other_sizes_are_there() {
    for symmetry in Symmetry::all() {
        for bits in (1..=u16::MAX).step_by(997) {
            let image = symmetry.bitboard(Bitboard(bits)).0;
            for sizes in 0..16u64 {
                let of = |bits: u16| {
                    (0..4)
                        .filter(|size| sizes >> size & 1 == 1)
                        .map(|size| u64::from(bits) << (16 * size))
                        .sum::<u64>()
                };
                assert_eq!(symmetry.side(of(bits)), of(image), "sizes {sizes:#06b}");
            }
        }
    }
}

#[test]
fn the_canonical_position_is_the_same_for_the_whole_orbit() {
    let variant: Variant = "abc-full".read().expect("a variant");
    for text in [
        "Ab,.,.,a/.,c,.,./.,.,B,A/.,.,.,. w",
        ".,.,.,./.,a,.,./.,.,A,./.,.,.,. b",
        "A,.,.,A/.,.,.,./.,.,.,./a,.,.,a w",
    ] {
        let position = variant.parse(text).expect("a position");
        let first = canonical(&position);
        assert!(is_canonical(&first) && canonical(&first) == first);
        let mut orbit = HashSet::new();
        for symmetry in Symmetry::all() {
            let image = symmetry.position(&position);
            assert_eq!(canonical(&image), first);
            assert!(key(&first) <= key(&image));
            orbit.insert(image);
        }
        assert_eq!(orbit.len(), orbit_len(&position));
    }
}
