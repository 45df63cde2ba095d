//! Generating moves: perft, the common measure of a move generator. The moves of the last ply are counted and not played.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading};

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    // Counts as in tests/perft.
    for (name, text, depth, nodes) in
        [("ab", None, 4, 272_160), ("abcd-full", Some("A,.,.,a/A,B,c,./C,.,d,D/a,b,b,B w"), 3, 181_552)]
    {
        let game = Game::new(name.read().expect("a variant"), Reading::Official);
        let start = Position::empty(Color::White);
        let position = text.map_or(start, |text| game.parse(text).expect("a position"));
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let counted = gobprove::enumerate::perft(&game, black_box(&position), depth);
                assert_eq!(counted, u128::from(nodes));
                counted
            });
        });
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
