//! What the engine says is proven, beside the exact solution of `ab`, which it does not see.

use std::ops::ControlFlow;

use gobengine::{Engine, Limits, Options, Score};
use gobprove::enumerate::{Ranking, Tiers};
use gobprove::explain::forced_win::{Search, search};
use gobprove::passes::solve;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Reading};
use gobprove::strategy::Seed;

/// Of every tier some positions, either side to move.
#[test]
fn no_win_or_loss_is_proven_that_the_solution_denies() {
    let mut met = [0; 3];
    for reading in [Reading::Official, Reading::StrictLift] {
        let game = Game::new("ab".read().expect("a variant"), reading);
        let solution = solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("memory");
        let mut engine = Engine::new(&game, Options { table: 4 << 20, ..Options::default() });
        for &tier in Tiers::new(game.variant).as_slice() {
            let ranking = Ranking::new(tier);
            for rank in (0..ranking.len()).step_by(1 + ranking.len() as usize / 16) {
                for turn in Color::ALL {
                    let position = ranking.unrank(rank, turn).expect("a rank");
                    if position.finished().is_some() {
                        continue;
                    }
                    let limits = Limits { depth: 12, nodes: 20_000 };
                    let report =
                        engine.search(&[position], &limits, &|| false, &mut |_| ()).expect("it goes on");
                    let lost = solution.is_lost(&position);
                    // Who is said to win by force. White has three A, too few for a line.
                    let winner = match report.score {
                        Score::Wins { .. } => Some(turn),
                        Score::Loses { .. } => Some(!turn),
                        Score::Estimate(_) => None,
                    };
                    assert_ne!(winner, Some(Color::White), "{reading} {position} {report:?}");
                    assert!(winner.is_none() || lost, "{reading} {position} {report:?}");
                    met[usize::from(lost) + usize::from(winner.is_some())] += 1;
                    // A win that another search finds within three plies is proven here too.
                    if lost && winner.is_none() {
                        let may_be_lost = |position: &_| solution.is_lost(position);
                        let found = search(&game, &position, &may_be_lost, 20_000);
                        let is_short = matches!(&found, Search::Win(line) if line.len() <= 3);
                        assert!(!is_short, "{reading} {position}: {found:?}, and {report:?}");
                    }
                }
            }
        }
    }
    assert!(met[0] > 100 && met[2] > 40, "{met:?}");
}
