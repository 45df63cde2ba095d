//! The guard against what the seed calls lost already. The seed that sees more than lines is for Black with A3 B3
//! only: its control is solved, and so this needs the prover.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use gobprove::certificate::{Body, PositionSet};
use gobprove::checker::{self, Condition};
use gobprove::passes;
use gobprove::rules::{Color, Reading};
use gobprove::strategy::Seed;
use gobprove::symmetry;

use super::forge::{breach, game};

/// A valid cut of `ab` over the seed `thesis`, and the same with one more entry, which the seed covers.
fn covered_by_the_seed() -> [Vec<u8>; 2] {
    let game = game("ab", Reading::Official);
    let solution =
        passes::solve(&game, Seed::Thesis, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    let control = solution.cut().expect("a cut");
    let covered = game.parse(".,.,.,a/.,.,.,A/.,.,a,a/.,b,b,b b").expect("a position");
    let covered = symmetry::canonical(&covered);
    assert!(Seed::Thesis.lost(&game, &covered) && !covered.has_line(Color::Black));
    assert!(symmetry::is_canonical(&covered) && covered.finished().is_none());
    let mut forged = control.clone();
    let Body::Cut { black_to_move, .. } = &mut forged.body else { panic!("a cut") };
    assert!(!black_to_move.contains(&covered));
    let positions = black_to_move.positions(Color::Black).chain([covered]);
    *black_to_move = PositionSet::from_positions(game.variant, positions);
    [control.encode(), forged.encode()]
}

#[test]
fn m14_listed_and_covered_by_the_seed() {
    // What is lost is the same with the entry and without, so K1 to K3 say the same of both; and the entry
    // is canonical and has no line. That the control gets as far as K2 and K3 is seen by its progress; the
    // rest of its way is the test below.
    let [control, forged] = covered_by_the_seed();
    let breach = breach(&forged);
    assert_eq!(breach.condition, Condition::Listed);
    assert!(breach.reason.contains("lost by the seed already"), "{breach}");
    let heard = AtomicBool::new(false);
    let stop = |_, _| {
        heard.store(true, Ordering::Relaxed);
        // A panic without its message on the terminal.
        resume_unwind(Box::new("far enough"));
    };
    let run = || checker::check(&control, NonZeroUsize::MIN, &stop);
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err() && heard.load(Ordering::Relaxed));
}

#[test]
fn the_control_of_the_seed_is_accepted() {
    let [control, _] = covered_by_the_seed();
    assert!(super::forge::check_on(&control, 2).is_ok());
}
