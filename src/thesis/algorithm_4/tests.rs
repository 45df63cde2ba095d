//! Rounds end at the same fixpoint as the driver, and the bounds hold.

use super::*;
use crate::bitbase::solution::testing::{game, solved};
use crate::enumerate::Tiers;
use crate::prelude::*;
use crate::rules::{Color, Reading};
use crate::strategy::Seed;
use crate::thesis::conventions::{Convention, CountedTiers, Unit};

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn rounds_end_at_the_drivers_fixpoint() {
    for reading in [Reading::Official, Reading::Robust] {
        let game = game("ab", reading);
        let solution = solved(&game, Seed::Thesis);
        let lists = lists(&game, Start::THESIS, &ListOrder::ALL).expect("memory");
        let together = &lists[0];
        assert_eq!(together.order, ListOrder::Together);
        for turn in Color::ALL {
            let listed = |unit| {
                let convention = Convention { unit, tiers: CountedTiers::All };
                u128::from(together.listed(&game, together.rounds(), turn, convention))
            };
            let count = solution.exception_count(turn);
            assert_eq!(
                (listed(Unit::Placements), listed(Unit::By32)),
                (count.positions, count.canonical),
                "{reading} {turn}"
            );
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn what_is_placed_first_ends_where_all_at_once_does_and_apart_ends_below() {
    let game = game("ab", Reading::Official);
    let in_hand = Convention { unit: Unit::Placements, tiers: CountedTiers::SomeInHand };
    let all = lists(&game, Start::THESIS, &ListOrder::ALL).expect("memory");
    let last = |lists: &Lists| Color::ALL.map(|turn| lists.listed(&game, lists.rounds(), turn, in_hand));
    let [together, placed_first, apart] = [0, 1, 2].map(|order| last(&all[order]));
    assert_eq!(together, placed_first);
    assert!(apart[0] < together[0] && apart[1] < together[1]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn no_lists_are_shorter_than_the_least() {
    let game = game("ab", Reading::Official);
    let exact = solved(&game, Seed::Rules);
    let all_placed = Convention { unit: Unit::By32, tiers: CountedTiers::AllPlaced };
    for start in [Start::THESIS, Start { three_b: ThreeB::LeftOut, wins: Wins::LeftOut }] {
        let least = least(&exact, start).expect("memory");
        let lists = lists(&game, start, &[ListOrder::Together]).expect("memory");
        for turn in Color::ALL {
            let listed = lists[0].listed(&game, lists[0].rounds(), turn, all_placed);
            let (_, least) = least.last().expect("a tier");
            assert!(listed >= least[turn].by_32, "{start} {turn}");
            // If the start is a black line alone, the lists are exactly what is lost by the rules.
            assert_eq!(listed == least[turn].by_32, start != Start::THESIS, "{start} {turn}");
        }
    }
}

#[test]
fn orbits_share_a_divisor() {
    let tiers = Tiers::new("ab".read().expect("a variant"));
    let last = *tiers.as_slice().last().expect("a tier");
    assert_eq!((share(tiers.as_slice()[0]), share(last)), (1, 8));
}
