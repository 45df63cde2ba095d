//! Naming positions: canonical ones, ranks and back.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gobprove::enumerate::{Ranking, Tier, Tiers, census};
use gobprove::prelude::*;
use gobprove::rules::{Color, Position};
use gobprove::symmetry::canonical;

/// `A2.A2B1`: 16 · 15 / 2 · 14 · 13 / 2 · 16 placements.
const PLACEMENTS: u64 = 174_720;

fn tier() -> Tier {
    let variant = "A2-A2B1".read().expect("a variant");
    *Tiers::new(variant).as_slice().last().expect("the fullest tier")
}

fn placements(ranking: &Ranking) -> Vec<Position> {
    let unranked = |rank| ranking.unrank(rank, Color::White).expect("a rank below the length");
    (0..ranking.len()).map(unranked).collect()
}

fn canonical_positions(criterion: &mut Criterion) {
    let ranking = Ranking::new(tier());
    let all = placements(&ranking);
    let orbits = census::tier(tier()).canonical;
    let mut group = criterion.benchmark_group("canonical");
    group.throughput(Throughput::Elements(PLACEMENTS));
    group.bench_function("A2.A2B1", |bencher| {
        bencher.iter(|| {
            let is_first = |position: &&Position| canonical(black_box(position)) == **position;
            let found = all.iter().filter(is_first).count();
            assert_eq!(found as u128, orbits, "as the census has it, which enumerates nothing");
            found
        });
    });
    group.finish();
}

fn ranks(criterion: &mut Criterion) {
    let ranking = Ranking::new(tier());
    let all = placements(&ranking);
    assert_eq!(all.len() as u64, PLACEMENTS);
    let mut group = criterion.benchmark_group("ranks");
    group.throughput(Throughput::Elements(PLACEMENTS));
    group.bench_function("rank", |bencher| {
        bencher.iter(|| {
            let sum: u128 = all.iter().map(|position| ranking.rank(black_box(position))).sum();
            // 0 + 1 + … + (n − 1): each rank once.
            assert_eq!(sum, u128::from(PLACEMENTS * (PLACEMENTS - 1) / 2));
            sum
        });
    });
    group.bench_function("unrank", |bencher| {
        bencher.iter(|| {
            let back = placements(black_box(&ranking));
            assert_eq!(back, all);
            back
        });
    });
    group.finish();
}

criterion_group!(benches, canonical_positions, ranks);
criterion_main!(benches);
