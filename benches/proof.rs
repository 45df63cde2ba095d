//! The whole of `ab`: solving it, growing a closure, checking closure and cut.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use gobcheck::check::check;
use gobprove::bitbase::Solution;
use gobprove::closure::Weights;
use gobprove::passes::solve;
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use gobprove::strategy::Seed;

fn game() -> Game {
    Game::new("ab".read().expect("a variant"), Reading::Official)
}

fn solved() -> Solution {
    let solution = solve(&game(), Seed::Rules, None, &mut |_| ControlFlow::Continue(()));
    let solution = solution.expect("nothing breaks it off");
    assert!(solution.white_holds(), "as the thesis found");
    solution
}

fn checked(certificate: &[u8]) -> u64 {
    let threads = NonZeroUsize::new(2).expect("not 0");
    let verified = check(black_box(certificate), threads, &|_, _| ()).expect("verified");
    assert_eq!(verified.claim.game, game());
    verified.positions_checked
}

fn ab(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ab");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    group.bench_function("solve", |bencher| bencher.iter(solved));
    let solution = solved();
    let grown = || gobprove::closure::closure(&solution, &Weights::default()).expect("White holds");
    group.bench_function("closure", |bencher| bencher.iter(grown));
    let cut = gobprove::closure::cut(&solution).expect("ranks of the solution's own tiers");
    for (name, bytes) in [("check closure", grown().encode()), ("check cut", cut.encode())] {
        group.bench_function(name, |bencher| bencher.iter(|| checked(&bytes)));
    }
    group.finish();
}

criterion_group!(benches, ab);
criterion_main!(benches);
