//! Proof numbers on random graphs full of cycles, beside sweeps over all positions.

mod random;

use gobengine::{After, Attack, Forced, Prover};
use random::Random;

/// A game whose positions are numbers: in even ones the attacker is to move.
#[derive(Clone)]
struct Graph(Vec<Vec<After<usize>>>);

impl Attack for Graph {
    type Position = usize;

    fn attacks(&self, position: &usize) -> bool {
        position.is_multiple_of(2)
    }

    fn expand(&self, position: &usize, moves: &mut Vec<After<usize>>) {
        moves.extend(&self.0[*position]);
    }
}

impl Graph {
    fn new(random: &mut Random, size: usize, branching: usize, ends: usize) -> Graph {
        let moves = |position: usize| {
            let count = 1 + random.below(branching);
            let mv = |_| match random.below(ends) {
                0 => After::Won(1),
                1 => After::Held,
                _ => After::GoesOn(2 * random.below(size / 2) + 1 - position % 2),
            };
            (0..count).map(mv).collect()
        };
        Graph((0..size).map(moves).collect())
    }

    /// In how many plies the attacker wins from each position, at the earliest.
    fn truth(&self) -> Vec<Option<u32>> {
        let mut plies: Vec<Option<u32>> = vec![None; self.0.len()];
        for now in 1.. {
            let in_time = |after: &After<usize>| match after {
                After::Won(count) => *count <= now,
                After::Held => false,
                After::GoesOn(next) => plies[*next].is_some_and(|plies| plies < now),
            };
            let wins = |position: &usize| match position % 2 {
                0 => self.0[*position].iter().any(in_time),
                _ => self.0[*position].iter().all(in_time),
            };
            let new: Vec<usize> =
                (0..self.0.len()).filter(|position| plies[*position].is_none() && wins(position)).collect();
            if new.is_empty() && now > 1 {
                return plies;
            }
            new.into_iter().for_each(|position| plies[position] = Some(now));
        }
        plies
    }
}

#[test]
fn wins_and_draws_are_those_of_sweeps_whatever_goes_round() {
    let mut random = Random(11);
    let mut met = [0; 2];
    for number in 0..3_000 {
        let (size, branching) = (4 + 2 * random.below(30), 1 + random.below(4));
        let ends = 4 + random.below(30);
        let graph = Graph::new(&mut random, size, branching, ends);
        let truth = graph.truth();
        let mut learned = Prover::new(graph.clone());
        for position in 0..size {
            let place = format!("graph {number}, position {position}");
            // One that begins anew, and one that has looked at the positions before.
            let fresh = Prover::new(graph.clone()).prove(&position, None, 1_000_000);
            for forced in [fresh, learned.prove(&position, None, 1_000_000)] {
                match forced {
                    Forced::Wins { plies } => {
                        assert!(truth[position].is_some_and(|least| least <= plies), "{place}: {plies}");
                    }
                    Forced::Holds => assert_eq!(truth[position], None, "{place}"),
                    Forced::GaveUp => panic!("{place} is not settled"),
                }
            }
            met[usize::from(truth[position].is_some())] += 1;
            if let Some(plies) = truth[position] {
                assert!(
                    matches!(learned.prove(&position, Some(plies), 1_000_000), Forced::Wins { .. }),
                    "{place}"
                );
                let mut fresh = Prover::new(graph.clone());
                assert_eq!(fresh.prove(&position, Some(plies - 1), 1_000_000), Forced::Holds, "{place}");
                let found = fresh.prove(&position, Some(plies), 1_000_000);
                assert_eq!(found, Forced::Wins { plies }, "{place}");
            }
        }
    }
    assert!(met[0] > 10_000 && met[1] > 10_000, "{met:?}");
}

#[test]
fn a_search_that_may_look_no_further_says_so_and_a_long_way_is_not_called_held() {
    let go = After::GoesOn;
    // A single way of 5,000 plies, at whose end the attacker wins.
    let long = Graph(
        (0..5_000)
            .map(|position| vec![if position == 4_998 { After::Won(1) } else { go(position + 1) }])
            .collect(),
    );
    assert_eq!(Prover::new(long.clone()).prove(&0, None, 100), Forced::GaveUp);
    let mut prover = Prover::new(long);
    assert_ne!(prover.prove(&0, None, 1_000_000), Forced::Holds);
    assert_eq!(prover.prove(&4_000, None, 1_000_000), Forced::Wins { plies: 999 });
}
