//! M11 to M14: entries that are no positions, that are not canonical, that finish the game or are lost, and
//! sets that lack the beginning.

use gobcheck::check::Condition;
use gobprove::enumerate::{Ranking, Tiers};
use gobprove::rules::Reading;
use gobprove::store::PositionSet;

use super::forge::{Tally, breach, check, closure, cut, format_code, game};
use super::oracle::{Flaw, Oracle, Spot};
use super::reseal::{Sheet, body};
use super::world::{World, honest_closure};

#[test]
fn m11_ranks_and_tiers_beyond_the_end() {
    // An impossible position (larger under smaller, too many pieces, two of a size on a square) cannot be
    // written: each rank below its tier's end is exactly one position. What is left is to point beyond.
    for variant in ["A1-A2B1", "abcd-full"] {
        let game = game(variant, Reading::Official);
        let sheet = Sheet::of(&closure(&game, &[Spot::empty(false)]));
        let tiers = Tiers::new(game.variant);
        let (last, tier) = (tiers.as_slice().len() - 1, *tiers.as_slice().last().expect("a tier"));
        let end = Ranking::new(tier).len();
        let forged = |tier: u128, ranks: &[u128]| {
            let bodies = [sheet.bodies[0].clone(), body(0, tier, ranks)];
            format_code(&sheet.clone().with_bodies(&bodies).recounted().sealed())
        };
        for rank in [end, end + 1, u128::from(u64::MAX).max(end), 1 << 127, u128::MAX] {
            assert_eq!(forged(last as u128, &[rank]), "rank-range");
            assert_eq!(forged(last as u128, &[end - 1, rank]), "rank-range");
        }
        for tier in [last as u128 + 1, 1 << 32, 1 << 64, (1 << 64) + 1, u128::MAX] {
            assert_eq!(forged(tier, &[0]), "tier");
        }
        let mut ranks = vec![Vec::new(); last + 1];
        ranks[last].push(end);
        assert!(PositionSet::new(game.variant, ranks).is_err());
        // The very last rank is a position.
        let bodies = [sheet.bodies[0].clone(), body(0, last as u128, &[end - 1])];
        let bytes = sheet.with_bodies(&bodies).recounted().sealed();
        assert!(matches!(check(&bytes), Err(gobcheck::check::Refusal::Condition(_))));
    }
}

#[test]
fn m12_every_entry_replaced_by_each_of_its_images() {
    let mut oracle = Oracle::new(game("A1-A2B1", Reading::Official));
    let spots = honest_closure(&mut oracle);
    let (mut tried, mut control) = (0, Tally::default());
    control.closure(&mut oracle, &spots, "unmutated");
    assert_eq!(control.accepted, 1);
    for place in (0..spots.len()).step_by(9) {
        let spot = spots[place];
        for image in spot.images().filter(|image| *image != spot) {
            let mut forged = spots.clone();
            forged[place] = image;
            let refused = breach(&closure(&oracle.game, &forged));
            // The missing position may be noticed before its image is.
            match refused.condition {
                Condition::Listed => assert_eq!(Spot::of(&refused.position), image),
                other => assert!([Condition::K4, Condition::K5].contains(&other)),
            }
            forged.push(spot);
            let refused = breach(&closure(&oracle.game, &forged));
            assert_eq!(refused.condition, Condition::Listed);
            assert_eq!(Spot::of(&refused.position), image);
            tried += 2;
        }
    }
    println!("m12: {tried} closures with an image of an entry, instead of it or beside it");
}

#[test]
fn m13_empty_and_vacuous_sets() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let game = oracle.game;
    let empty = breach(&closure(&game, &[]));
    assert_eq!(Flaw::of(&empty), Flaw { condition: Condition::K4, spot: Spot::empty(false), mv: None });
    // White is not held to anything after its first move.
    assert_eq!(breach(&closure(&game, &[Spot::empty(false)])).condition, Condition::K4);
    // All finished positions: every condition on moves is empty for them. With the empty board, without,
    // and with all that leads there.
    let every = oracle.every_spot(false);
    let finished: Vec<Spot> = every.iter().copied().filter(|spot| oracle.line(*spot).is_some()).collect();
    assert!(finished.len() > 10);
    assert_eq!(breach(&closure(&game, &finished)).condition, Condition::Listed);
    let mut tally = Tally::default();
    tally.closure(&mut oracle, &finished, "finished positions");
    tally.closure(&mut oracle, &[&finished[..], &[Spot::empty(false)]].concat(), "and the empty board");
    tally.closure(&mut oracle, &every, "all positions");
    // A cut of nothing claims that nothing is lost but lines.
    tally.cut(&mut oracle, [&[], &[]], "no exceptions");
    assert_eq!(tally.accepted, 0, "{tally:?}");
    // Where it is true it is accepted.
    let mut harmless = Oracle::new(super::forge::game("A1-A2B1", Reading::Official));
    let mut tally = Tally::default();
    tally.cut(&mut harmless, [&[], &[]], "no exceptions, no black line");
    assert_eq!(tally.accepted, 1);
}

#[test]
fn m14_each_lost_position_added() {
    let mut oracle = Oracle::new(game("A1-A2B2", Reading::Official));
    let spots = honest_closure(&mut oracle);
    let safe = World::true_one(&mut oracle).safe();
    let every = oracle.every_spot(false);
    let (mut lost, mut lines) = (0, 0);
    for &spot in every.iter().filter(|spot| !safe.contains(spot)).step_by(9) {
        let mut forged = spots.clone();
        forged.push(spot);
        let breach = breach(&closure(&oracle.game, &forged));
        if oracle.line(spot).is_some() {
            assert_eq!(Flaw::of(&breach), Flaw { condition: Condition::Listed, spot, mv: None });
            lines += 1;
        } else {
            // Nothing else is wrong, and no answer to it can be in a closed set.
            assert_eq!((breach.condition, Spot::of(&breach.position)), (Condition::K5, spot));
            lost += 1;
        }
    }
    println!("m14: {lost} lost positions and {lines} with a line added to a closure");
    assert!(lost > 50 && lines > 0);
}

#[test]
fn m14_where_everything_is_lost_nothing_is_accepted() {
    // Any closure at all would be false here.
    let mut oracle = Oracle::new(game("A1-A3B1", Reading::Official));
    let game = oracle.game;
    assert!(World::true_one(&mut oracle).safe().is_empty());
    let every = [false, true].map(|turn| {
        let mut every = oracle.every_spot(turn).to_vec();
        every.retain(|spot| oracle.line(*spot).is_none());
        every
    });
    assert_eq!(breach(&closure(&game, &every[0])).condition, Condition::K5);
    let few: Vec<Spot> = every[0].iter().copied().filter(|spot| spot.pieces[1].count_ones() < 3).collect();
    assert_eq!(breach(&closure(&game, &few)).condition, Condition::K5);
    for exceptions in [[&few[..], &[]], [&every[0][..], &[]], [&[], &every[1][..]], [&every[0], &every[1]]] {
        let breach = breach(&cut(&game, exceptions));
        assert!(oracle.cut_flaws(exceptions).contains(&Flaw::of(&breach)), "{breach}");
    }
}
