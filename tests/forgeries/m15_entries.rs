//! M15: entries removed, added and exchanged. The oracle says whether a mutant still proves its claim: the
//! checker must accept it then, and must name one of its flaws otherwise.

use std::collections::HashSet;

use gobprove::rules::Reading;

use super::forge::{Tally, game};
use super::oracle::{Oracle, Spot};
use super::random::Random;
use super::world::{World, honest_closure, honest_refutation, rest_of};

fn without(spots: &[Spot], place: usize) -> Vec<Spot> {
    let mut rest = spots.to_vec();
    rest.remove(place);
    rest
}

/// All positions, Black to move, that White can hold from.
fn all_safe(oracle: &mut Oracle) -> Vec<Spot> {
    let mut safe: Vec<Spot> = World::true_one(oracle).safe().into_iter().collect();
    safe.retain(|spot| !spot.white_to_move);
    safe.sort_unstable();
    safe
}

/// Removes, adds and exchanges a few entries. What comes in is anything of `from`: lost or safe, line or
/// none, and now and then not canonical.
fn mutate(random: &mut Random, entries: &[Spot], from: &[Spot]) -> Vec<Spot> {
    let mut set: HashSet<Spot> = entries.iter().copied().collect();
    let stranger = |random: &mut Random| {
        let spot = from[random.below(from.len())];
        let image = if random.below(12) == 0 { random.below(32) } else { 0 };
        if image == 0 { spot } else { spot.images().nth(image).expect("one of 32") }
    };
    for _ in 0..=random.below(3) {
        let kind = random.below(3);
        if kind != 0 && !entries.is_empty() {
            set.remove(&entries[random.below(entries.len())]);
        }
        if kind != 1 {
            set.insert(stranger(random));
        }
    }
    let mut entries: Vec<Spot> = set.into_iter().collect();
    entries.sort_unstable();
    entries
}

#[test]
fn m15_each_entry_of_a_small_closure_removed() {
    for (variant, reading) in [("A1-A2B1", Reading::Official), ("A1B1C1-A1", Reading::Robust)] {
        let mut oracle = Oracle::new(game(variant, reading));
        let closure = honest_closure(&mut oracle);
        let (mut control, mut tally) = (Tally::default(), Tally::default());
        control.closure(&mut oracle, &closure, "unmutated");
        for place in 0..closure.len() {
            tally.closure(&mut oracle, &without(&closure, place), &format!("without {}", closure[place]));
        }
        println!("m15: closure of {variant} {reading}, each of {} removed: {tally:?}", closure.len());
        assert_eq!((control.accepted, tally.refused as usize), (1, closure.len()), "every entry is needed");
    }
}

#[test]
fn m15_entries_of_a_closure_that_needs_few_of_them_removed() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let closure = all_safe(&mut oracle);
    let mut tally = Tally::default();
    for place in (0..closure.len()).step_by(41) {
        tally.closure(&mut oracle, &without(&closure, place), &format!("without {}", closure[place]));
    }
    println!("m15: every 41st of {} positions removed: {tally:?}", closure.len());
    assert_eq!((tally.accepted, tally.refused), (tally.tried() - 1, 1), "the empty board alone is needed");
}

#[test]
fn m15_closures_changed_at_random() {
    let mut random = Random(15);
    let mut tally = Tally::default();
    for (variant, reading, rounds) in [
        ("A1-A2B1", Reading::Official, 240),
        ("A1B1C1-A1", Reading::NoEntryCover, 100),
        ("A1-A2B2", Reading::Official, 60),
        ("A1-A3B1", Reading::Official, 50),
    ] {
        let mut oracle = Oracle::new(game(variant, reading));
        let mut bases = vec![all_safe(&mut oracle)];
        // A1-A3B1 has nothing that White can hold.
        assert_eq!(bases[0].is_empty(), variant == "A1-A3B1");
        if !bases[0].is_empty() {
            bases.push(honest_closure(&mut oracle));
            bases.push(bases[1].clone());
            bases.push(bases[1].clone());
        }
        let every = oracle.every_spot(false);
        for round in 0..rounds {
            let mutant = mutate(&mut random, &bases[round % bases.len()], &every);
            tally.closure(&mut oracle, &mutant, &format!("{variant} {reading} round {round}"));
        }
    }
    println!("m15: closures changed at random: {tally:?}");
    assert!(tally.accepted > 100 && tally.listed > 15 && tally.refused > 250, "{tally:?}");
}

#[test]
fn m15_each_entry_of_a_refutation_removed() {
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let refutation = honest_refutation(&mut oracle);
    let (mut control, mut tally) = (Tally::default(), Tally::default());
    control.refutation(&mut oracle, &refutation, "unmutated");
    for place in 0..refutation.len() {
        let what = format!("without {}", refutation[place]);
        tally.refutation(&mut oracle, &without(&refutation, place), &what);
    }
    println!("m15: refutation, each of {} removed: {tally:?}", refutation.len());
    assert_eq!(control.accepted, 1);
    assert!(tally.accepted > 20 && tally.refused > 20, "some entries are needed, some are not: {tally:?}");
}

#[test]
fn m15_refutations_changed_at_random() {
    let mut random = Random(151);
    let mut tally = Tally::default();
    // In the second White holds, and there is nothing to begin from.
    for (variant, reading, rounds) in [
        ("A1-A3B1", Reading::Official, 200),
        ("A1-A2B2", Reading::StrictLift, 60),
        ("A1-A2B2", Reading::Official, 20),
    ] {
        let mut oracle = Oracle::new(game(variant, reading));
        let is_lost = !World::true_one(&mut oracle).safe().contains(&Spot::empty(true));
        let base = if is_lost { honest_refutation(&mut oracle) } else { vec![Spot::empty(true)] };
        let every = oracle.every_spot(true);
        for round in 0..rounds {
            let mutant = mutate(&mut random, &base, &every);
            tally.refutation(&mut oracle, &mutant, &format!("{variant} {reading} round {round}"));
        }
    }
    println!("m15: refutations changed at random: {tally:?}");
    assert!(tally.accepted > 5 && tally.listed > 15 && tally.refused > 100, "{tally:?}");
}

#[test]
fn m15_each_exception_of_a_small_cut_removed() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let closure = honest_closure(&mut oracle);
    let [black, white] = rest_of(&mut oracle, &closure);
    let (mut control, mut tally) = (Tally::default(), Tally::default());
    control.cut(&mut oracle, [&black, &white], "unmutated");
    for place in (0..black.len()).step_by(13) {
        tally.cut(&mut oracle, [&without(&black, place), &white], &format!("without {}", black[place]));
    }
    for place in (0..white.len()).step_by(13) {
        tally.cut(&mut oracle, [&black, &without(&white, place)], &format!("without {}", white[place]));
    }
    println!("m15: every 13th of {} and {} exceptions removed: {tally:?}", black.len(), white.len());
    assert!(control.accepted == 1 && tally.accepted > 0 && tally.refused > 0);
}

#[test]
fn m15_each_exception_of_an_exact_cut_is_needed() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let safe: HashSet<Spot> = World::true_one(&mut oracle).safe();
    let [black, white] = [false, true].map(|turn| {
        let mut lost = oracle.every_spot(turn).to_vec();
        lost.retain(|spot| !safe.contains(spot) && oracle.line(*spot).is_none());
        lost
    });
    assert!(white.is_empty() && black.len() > 1000);
    let (mut control, mut tally) = (Tally::default(), Tally::default());
    control.cut(&mut oracle, [&black, &[]], "unmutated");
    for place in (0..black.len()).step_by(37) {
        tally.cut(&mut oracle, [&without(&black, place), &[]], &format!("without {}", black[place]));
    }
    println!("m15: every 37th of {} exceptions of the exact cut removed: {tally:?}", black.len());
    assert_eq!((control.accepted, tally.refused), (1, tally.tried()), "no smaller set is closed");
}

#[test]
fn m15_cuts_changed_at_random() {
    let mut random = Random(1515);
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let closure = honest_closure(&mut oracle);
    let coarse = rest_of(&mut oracle, &closure);
    let every = [false, true].map(|turn| oracle.every_spot(turn));
    let mut tally = Tally::default();
    for round in 0..200 {
        let base = if round % 2 == 0 { coarse.clone() } else { [Vec::new(), Vec::new()] };
        let side = random.below(2);
        let mut mutant = base;
        mutant[side] = mutate(&mut random, &mutant[side], &every[side]);
        tally.cut(&mut oracle, [&mutant[0], &mutant[1]], &format!("round {round}"));
    }
    println!("m15: cuts changed at random: {tally:?}");
    assert!(tally.accepted > 10 && tally.listed > 10 && tally.refused > 50, "{tally:?}");
}
