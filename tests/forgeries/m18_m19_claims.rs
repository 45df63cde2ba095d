//! M18, M19: the header claims what the entries were not made for, with hashes that fit. The oracle says
//! whether the entries prove the new claim as well.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use gobcheck::check::{Condition, Refusal};
use gobprove::passes;
use gobprove::rules::{Color, Game, Reading};
use gobprove::store::{Certificate, Kind};
use gobprove::strategy::Seed;

use super::forge::{breach, check, closure, cut, format_code, game, refutation};
use super::oracle::{self, Flaw, Oracle, Spot};
use super::reseal::{Sheet, at};
use super::world::{BOTH_FIRST, World, honest_closure, honest_refutation, rest_of};

/// Holds the checker to the oracle of the claim that the bytes make. Whether they are accepted.
pub fn judged(oracles: &mut HashMap<Game, Oracle>, bytes: &[u8]) -> bool {
    oracle::judged(oracles, bytes, check(bytes))
}

fn retagged(bytes: &[u8], reading: Reading) -> Vec<u8> {
    let code = 1 + Reading::ALL.iter().position(|&other| other == reading).expect("a reading") as u8;
    Sheet::of(bytes).with_head(at::READING, &[code]).sealed()
}

#[test]
fn m18_another_reading() {
    let mut oracles = HashMap::new();
    let mut accepted = Vec::new();
    let mut tried = 0;
    // White holds A1-A2B2 under two readings only; in the others Black has too few pieces to win.
    let holds = [Reading::Official, Reading::NoEntryCover];
    for (variant, readings) in [("A1-A2B2", &holds[..]), ("A2-A2B1", &Reading::ALL)] {
        for &from in readings {
            let mut oracle = Oracle::new(game(variant, from));
            let safe = (variant == "A1-A2B2").then(|| World::true_one(&mut oracle).safe());
            // White leans on covers: of black pieces from hand, and of anything.
            let late = |_: &Spot, answer: &Spot| i64::from(answer.pieces[0].count_ones());
            let stacks = |_: &Spot, answer: &Spot| {
                let tops = (0..16).filter(|&square| answer.top(square).is_some()).count() as i64;
                tops - i64::from(answer.pieces.iter().map(|mask| mask.count_ones()).sum::<u32>())
            };
            for cost in [&late as &dyn Fn(&Spot, &Spot) -> i64, &stacks] {
                let spots = World::true_one(&mut oracle).closure(safe.as_ref(), &BOTH_FIRST, cost);
                let bytes = closure(&oracle.game, &spots);
                for to in Reading::ALL {
                    let is_accepted = judged(&mut oracles, &retagged(&bytes, to));
                    assert!(from != to || is_accepted, "the control");
                    // `robust` is the worst of all for White.
                    assert!(from != Reading::Robust || is_accepted, "{variant} robust as {to}");
                    accepted.push((variant, from, to, is_accepted));
                    tried += 1;
                }
            }
        }
    }
    let refused = |wanted: (&str, Reading, Reading)| {
        accepted.iter().any(|&(variant, from, to, ok)| (variant, from, to) == wanted && !ok)
    };
    assert!(refused(("A1-A2B2", Reading::Official, Reading::Thesis)));
    assert!(refused(("A1-A2B2", Reading::Official, Reading::StrictLift)));
    assert!(refused(("A1-A2B2", Reading::NoEntryCover, Reading::Robust)));
    let count = accepted.iter().filter(|(.., ok)| *ok).count();
    println!("m18: {tried} closures under another reading's tag or their own, {count} accepted");
}

#[test]
fn m18_a_refutation_under_another_reading() {
    let mut oracles = HashMap::new();
    let mut refused = Vec::new();
    // Black wins the second under two readings only.
    let wins = [Reading::Thesis, Reading::StrictLift];
    let played: Vec<Reading> =
        Reading::ALL.into_iter().filter(|&reading| reading != Reading::Robust).collect();
    for (variant, readings) in [("A1-A3B1", &played[..]), ("A1-A2B2", &wins)] {
        for &from in readings {
            let mut oracle = Oracle::new(game(variant, from));
            let spots = honest_refutation(&mut oracle);
            let bytes = refutation(&oracle.game, &spots);
            for to in Reading::ALL {
                let is_accepted = judged(&mut oracles, &retagged(&bytes, to));
                assert!(from != to || is_accepted, "the control");
                if !is_accepted {
                    refused.push((variant, from, to));
                }
            }
        }
    }
    println!("m18: refutations refused under another reading's tag: {refused:?}");
    for from in wins {
        for to in [Reading::Official, Reading::NoEntryCover, Reading::Robust] {
            assert!(refused.contains(&("A1-A2B2", from, to)));
        }
    }
}

#[test]
fn m18_m19_a_refutation_of_another_variant() {
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let spots = honest_refutation(&mut oracle);
    let (own, bytes) = (oracle.game.variant, refutation(&oracle.game, &spots));
    let mut oracles = HashMap::new();
    // The same positions: Black leaves in hand what it has more (R9), and White does not.
    for to in ["A1-A3B1", "A1-A3B2", "A1-A3B1C1", "A2-A3B1", "A1B1-A3B1"] {
        let target = game(to, Reading::Official);
        let is_accepted = judged(&mut oracles, &refutation(&target, &spots));
        assert_eq!(is_accepted, target.variant.white == own.white, "{to}");
    }
    // The same bytes: they are of other tiers, or of none.
    for to in ["A1-A3B2", "A1-A3B1C1", "A2-A3B1", "A1B1-A3B1", "A1-A2B1", "A1-A3"] {
        let target = game(to, Reading::Official).variant;
        let sheet = Sheet::of(&bytes).with_head(at::WHITE, &target.white.counts());
        assert!(!judged(&mut oracles, &sheet.with_head(at::BLACK, &target.black.counts()).sealed()), "{to}");
    }
}

#[test]
fn m18_white_covers_from_hand_where_there_are_none() {
    let official = game("A3-A3B1", Reading::Official);
    let solution =
        passes::solve(&official, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    let certificate =
        gobprove::closure::closure(&solution, &gobprove::closure::Weights::default()).expect("White holds");
    let positions = certificate.listed(Color::Black).expect("a closure").positions(Color::Black);
    let inside: HashSet<Spot> = positions.map(|position| Spot::of(&position)).collect();
    let bytes = certificate.encode();
    assert!(check(&bytes).is_ok(), "the control");
    for reading in [Reading::NoEntryCover, Reading::Robust] {
        let flaw = Flaw::of(&breach(&retagged(&bytes, reading)));
        assert!(Oracle::new(game("A3-A3B1", reading)).is_flaw_of_k5(&flaw, &inside), "{flaw:?}");
        // Under `official` the answer is a cover from hand.
        assert!(!Oracle::new(official).is_flaw_of_k5(&flaw, &inside), "{flaw:?}");
    }
}

#[test]
fn m18_m19_another_variant() {
    let variants = ["A1-A2B1", "A2-A2B1", "A1-A2", "A1-A2B2", "A1-A3B1", "A1B1-A2B1", "A1B1C1-A2", "A1-A1"];
    let mut oracles = HashMap::new();
    let mut accepted = Vec::new();
    let mut tried = 0;
    for from in ["A1-A2B1", "A1-A2", "A1-A2B2", "A1B1C1-A2"] {
        let mut oracle = Oracle::new(game(from, Reading::Official));
        let spots = honest_closure(&mut oracle);
        let bytes = closure(&oracle.game, &spots);
        for to in variants {
            let target = game(to, Reading::Official).variant;
            let forged = Sheet::of(&bytes)
                .with_head(at::WHITE, &target.white.counts())
                .with_head(at::BLACK, &target.black.counts())
                .sealed();
            let is_accepted = judged(&mut oracles, &forged);
            assert!(from != to || is_accepted, "the control");
            let own = oracle.game.variant;
            // More white material in the same tiers: White leaves it in hand (R9), and the entries prove it.
            assert!(
                !is_accepted || (own.black == target.black && own.white.at_most(target.white)),
                "{from} {to}"
            );
            if is_accepted && from != to {
                accepted.push(format!("{from} as {to}"));
            }
            tried += 1;
        }
    }
    println!("m18, m19: {tried} closures under other headers, true besides their own: {accepted:?}");
    assert!(accepted.contains(&"A1-A2B1 as A2-A2B1".to_owned()), "R9");
}

#[test]
fn m18_another_kind_or_seed() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let spots = honest_closure(&mut oracle);
    let mut oracles = HashMap::new();
    // A closure read as a cut calls its own positions lost, the empty board among them.
    let as_cut = Sheet::of(&closure(&oracle.game, &spots)).with_head(at::KIND, &[1]);
    assert_eq!(format_code(&as_cut.sealed()), "header-field");
    let as_cut = as_cut.with_head(at::SEED, &[1]).sealed();
    assert_eq!(breach(&as_cut).condition, Condition::K1);
    assert!(!judged(&mut oracles, &as_cut));
    // A cut read as a closure has a section too many, and without it lists what White must not enter.
    let [black, white] = rest_of(&mut oracle, &spots);
    let as_closure =
        Sheet::of(&cut(&oracle.game, [&black, &white])).with_head(at::KIND, &[2]).with_head(at::SEED, &[0]);
    assert_eq!(format_code(&as_closure.sealed()), "section");
    let without_count = as_closure.clone().with_head(at::WHITE_TO_MOVE, &[0; 8]);
    assert_eq!(format_code(&without_count.sealed()), "section");
    let bodies: Vec<Vec<u8>> = as_closure.bodies.iter().filter(|body| body[0] == 0).cloned().collect();
    let first_section = as_closure.with_bodies(&bodies).recounted().sealed();
    assert_eq!(breach(&first_section).condition, Condition::K4);
    // There is no other seed: what it would call lost nobody has proven.
    for seed in [0, 2, 255] {
        let bytes = Sheet::of(&cut(&oracle.game, [&black, &white])).with_head(at::SEED, &[seed]).sealed();
        assert_eq!(format_code(&bytes), "header-field", "{seed}");
    }
    let kinds =
        [&first_section, &as_cut].map(|bytes| Certificate::decode(bytes).expect("well formed").claim.kind);
    assert_eq!(kinds, [Kind::Closure, Kind::Cut]);
}

#[test]
fn m19_payloads_exchanged() {
    let mut oracles = HashMap::new();
    let names = ["A1-A2B1", "A1B1C1-A1", "A1-A2B2", "A2-A1B1", "A1-A3B1"];
    let files: Vec<Vec<u8>> = names
        .iter()
        .map(|&name| {
            let mut oracle = Oracle::new(game(name, Reading::Official));
            if name == "A1-A3B1" {
                let spots = honest_refutation(&mut oracle);
                return refutation(&oracle.game, &spots);
            }
            let spots = honest_closure(&mut oracle);
            closure(&oracle.game, &spots)
        })
        .collect();
    for (header_of, header) in names.iter().zip(&files) {
        for (payload_of, payload) in names.iter().zip(&files) {
            let bodies = Sheet::of(payload).bodies;
            let sealed = Sheet::of(header).with_bodies(&bodies).recounted().sealed();
            assert_eq!(judged(&mut oracles, &sealed), header_of == payload_of, "{payload_of} as {header_of}");
            // Pasted without new hashes it is not even read.
            let pasted = [&header[..at::END], &payload[at::END..]].concat();
            assert!(header_of == payload_of || matches!(check(&pasted), Err(Refusal::Format(_))));
        }
    }
}
