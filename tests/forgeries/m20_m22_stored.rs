//! M20, M21, M22: what a file says of itself is compared with what is there, and a part of a certificate is
//! judged like a whole one.

use std::collections::HashMap;

use gobprove::rules::Reading;

use super::forge::{check, closure, cut, format_code, game, refutation};
use super::m18_m19_claims::judged;
use super::oracle::{Oracle, Spot};
use super::random::Random;
use super::reseal::{Sheet, at, raw_body};
use super::world::{honest_closure, honest_refutation, rest_of};

/// A closure, a cut and a refutation that are right, each of more than one block.
fn right() -> [Vec<u8>; 3] {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let held = oracle.game;
    let spots = honest_closure(&mut oracle);
    let [black, white] = rest_of(&mut oracle, &spots);
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let won = honest_refutation(&mut oracle);
    [closure(&held, &spots), cut(&held, [&black, &white]), refutation(&oracle.game, &won)]
}

#[test]
fn m20_no_claim_can_be_made_of_another() {
    // That a win makes headway is stored nowhere: the checker finds the order by itself. See the circle in `guards`.
    for (bytes, value) in right().into_iter().zip([" draw ", " draw ", " lost "]) {
        let own = bytes[at::KIND];
        for kind in (0..=u8::MAX).filter(|&kind| kind != own) {
            let forged = Sheet::of(&bytes).with_head(at::KIND, &[kind]).sealed();
            assert!(check(&forged).is_err(), "kind {kind}");
            if !(1..=3).contains(&kind) {
                assert_eq!(format_code(&forged), "header-field", "kind {kind}");
            }
        }
        assert!(check(&bytes).expect("the control").claim.to_string().contains(value));
    }
}

#[test]
fn m20_a_closure_is_no_refutation_and_the_other_way_round() {
    let [held, _, lost] = right();
    // Under robust a line of Black's would be worth nothing.
    assert_eq!(format_code(&Sheet::of(&lost).with_head(at::READING, &[5]).sealed()), "header-field");
    let mut oracles = HashMap::new();
    for (bytes, kind, section) in [(&held, 3, 1), (&lost, 2, 0)] {
        // With its counts and sections as the other kind has them it is read, and says what is not so.
        let sheet = Sheet::of(bytes).with_head(at::KIND, &[kind]);
        assert_eq!(format_code(&sheet.clone().sealed()), "section");
        let counts = [&bytes[at::WHITE_TO_MOVE..][..8], &bytes[at::BLACK_TO_MOVE..][..8]].concat();
        let sheet = sheet.with_head(at::BLACK_TO_MOVE, &counts);
        assert_eq!(format_code(&sheet.clone().sealed()), "section");
        let mut bodies = sheet.bodies.clone();
        bodies.iter_mut().for_each(|body| body[0] = section);
        assert!(!judged(&mut oracles, &sheet.with_bodies(&bodies).sealed()));
    }
}

#[test]
fn m21_stored_counts_are_compared_with_what_is_there() {
    let mut tried = 0;
    for bytes in right() {
        assert!(check(&bytes).is_ok(), "the control");
        let sheet = Sheet::of(&bytes);
        assert_eq!(sheet.clone().recounted().sealed(), bytes, "sealing changes nothing");
        for (offset, len) in [(at::BLOCKS, 4), (at::BLACK_TO_MOVE, 8), (at::WHITE_TO_MOVE, 8)] {
            let mut field = [0; 8];
            field[..len].copy_from_slice(&bytes[offset..offset + len]);
            let own = u64::from_le_bytes(field);
            for lie in [0, 1, own.wrapping_sub(1), own + 1, 2 * own, u64::MAX] {
                let lie = lie.to_le_bytes();
                if lie[..len] != field[..len] {
                    let forged = sheet.clone().with_head(offset, &lie[..len]).sealed();
                    let code = format_code(&forged);
                    let codes: &[&str] =
                        if offset == at::BLOCKS { &["block-length", "after-blocks"] } else { &["entries"] };
                    assert!(codes.contains(&code), "{code}");
                    tried += 1;
                }
            }
        }
        // There is room for no other word on itself: flags and reserved bytes are 0.
        for offset in at::FLAGS..at::BLOCKS {
            for byte in 1..=u8::MAX {
                assert_eq!(format_code(&sheet.clone().with_head(offset, &[byte]).sealed()), "header-field");
                tried += 1;
            }
        }
        // What a block says of itself.
        for (i, body) in sheet.bodies.iter().enumerate() {
            let (head, deltas) = numbers(body);
            for place in 1..4 {
                for lie in [head[place] + 1, head[place].wrapping_sub(1), 0, u128::MAX] {
                    let mut lied = head;
                    lied[place] = lie;
                    let mut bodies = sheet.bodies.clone();
                    bodies[i] = raw_body(body[0], &lied, &deltas);
                    if lied != head {
                        let code = format_code(&sheet.clone().with_bodies(&bodies).sealed());
                        let codes = ["varint", "block-entries", "rank-range", "block-last", "after-entries"];
                        // A first rank that is another moves all that follow.
                        assert!(codes.contains(&code), "{code}");
                        tried += 1;
                    }
                }
            }
        }
    }
    println!("m21: {tried} files that say of themselves what is not so");
    assert!(tried > 1_000);
}

/// The four numbers in the head of a block, and the rest.
fn numbers(body: &[u8]) -> ([u128; 4], Vec<u128>) {
    let mut all = Vec::new();
    let mut number = 0u128;
    let mut places = 0;
    for &byte in &body[1..] {
        number |= u128::from(byte & 0x7F) << places;
        places += 7;
        if byte < 0x80 {
            all.push(number);
            (number, places) = (0, 0);
        }
    }
    ([all[0], all[1], all[2], all[3]], all[4..].to_vec())
}

#[test]
fn m22_a_part_of_a_certificate_is_judged_as_the_whole_file_that_it_is() {
    let mut oracles = HashMap::new();
    let (mut refused, mut accepted) = (0, 0);
    for (bytes, is_closure) in right().into_iter().zip([true, false, false]) {
        let sheet = Sheet::of(&bytes);
        assert!(sheet.bodies.len() > 1, "several blocks");
        // Each shard as a file of its own, and the whole without each shard.
        for i in 0..sheet.bodies.len() {
            let alone = sheet.clone().with_bodies(&sheet.bodies[i..=i]).recounted().sealed();
            let mut others = sheet.bodies.clone();
            others.remove(i);
            let without = sheet.clone().with_bodies(&others).recounted().sealed();
            for forged in [alone, without] {
                // A cut may list more than it needs, and a refutation what another of its positions can stand in
                // for. A closure that was made with one answer to each question needs every block.
                let is_accepted = judged(&mut oracles, &forged);
                assert!(!(is_closure && is_accepted), "a part of the closure is refused");
                *(if is_accepted { &mut accepted } else { &mut refused }) += 1;
            }
            let mut twice = sheet.bodies.clone();
            twice.insert(i, sheet.bodies[i].clone());
            let twice = sheet.clone().with_bodies(&twice).recounted().sealed();
            assert_eq!(format_code(&twice), "block-not-full");
        }
        // Two files after one another, each of them a half.
        let (first, second) = sheet.bodies.split_at(sheet.bodies.len() / 2);
        let halves = [first, second].map(|half| sheet.clone().with_bodies(half).recounted().sealed());
        assert_eq!(format_code(&halves.concat()), "trailing");
    }
    println!("m22: shards, and wholes without one: {refused} refused, {accepted} right without it");
    assert!(refused > 20);
}

#[test]
fn m22_random_parts_of_a_closure_are_judged_as_they_are() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let game = oracle.game;
    let spots = honest_closure(&mut oracle);
    let mut random = Random(22);
    let mut refused = 0;
    for _ in 0..40 {
        let part: Vec<Spot> = spots.iter().copied().filter(|_| random.below(8) > 0).collect();
        let is_right = oracle.closure_flaws(&part).is_empty();
        assert_eq!(check(&closure(&game, &part)).is_ok(), is_right);
        refused += u32::from(!is_right);
    }
    assert!(refused > 30, "{refused} of 40 parts prove nothing");
}
