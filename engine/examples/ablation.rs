//! What each technique brings: nodes a second, and the depth that is reached with as many nodes, with each of them left out.
//!
//! `cargo run --release -p gobengine --example ablation [NODES [ROWS]]` prints the table of the README, or its first rows. The
//! positions are 20 midgames of the game with all pieces, after 12 to 19 random moves, in none of which a short search finds a
//! forced win.

use std::time::Instant;

use gobcheck::rules::{Color, Game, Move, Position, Reading, Variant};
use gobengine::{Engine, Limits, Options, Techniques};

/// Seconds that the process has worked; elsewhere than on Linux seconds that have passed.
fn worked(begun: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| begun.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

/// The midgames, the same in each run.
fn midgames(game: &Game) -> Vec<Position> {
    let mut state = 0x5DEE_CE66_D1CE_5EEDu64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    };
    let mut found = Vec::new();
    'next: while found.len() < 20 {
        let mut position = Position::empty(Color::White);
        for _ in 0..12 + random(8) {
            let moves: Vec<Move> = game.moves(&position).collect();
            let mv = moves[random(moves.len())];
            let after = position.moved(mv);
            if game.winner(&position, mv, &after).is_some() {
                continue 'next;
            }
            position = after;
        }
        let limits = Limits { depth: 6, nodes: 200_000 };
        let report =
            Engine::new(game, Options::default()).search(&[position], &limits, &|| false, &mut |_| ());
        if report.is_some_and(|report| !report.score.is_proven()) {
            found.push(position);
        }
    }
    found
}

fn main() {
    let begun = Instant::now();
    let argument = |at| std::env::args().nth(at).and_then(|text| text.parse().ok());
    let nodes = argument(1).unwrap_or(1_000_000);
    let rows = argument(2).map_or(usize::MAX, |rows| rows as usize);
    let Some((_, variant)) = Variant::named().find(|(name, _)| *name == "abcd-full") else { return };
    let game = Game::new(variant, Reading::Official);
    let positions = midgames(&game);
    let all = Techniques::default();
    println!(
        "| left out | million nodes a second | median depth | least and most |\n| --- | --: | --: | --: |"
    );
    for (name, techniques) in [
        ("nothing", all),
        ("the table", Techniques { table: false, ..all }),
        ("narrow windows about the last score", Techniques { aspiration: false, ..all }),
        ("windows of width 0", Techniques { scout: false, ..all }),
        ("cut-offs by passing", Techniques { pass: false, ..all }),
        ("margins near the end", Techniques { margins: false, ..all }),
        ("reductions of late moves", Techniques { reductions: false, ..all }),
        ("killers", Techniques { killers: false, ..all }),
        ("history", Techniques { history: false, ..all }),
        ("going on at threats", Techniques { threats: false, ..all }),
        ("one entry for symmetric positions", Techniques { symmetric: 0, ..all }),
        ("nothing; symmetric throughout", Techniques { symmetric: 24, ..all }),
    ]
    .into_iter()
    .take(rows)
    {
        let (mut depths, mut looked_at, before) = (Vec::new(), 0, worked(begun));
        for &position in &positions {
            let mut engine = Engine::new(&game, Options { techniques, ..Options::default() });
            let limits = Limits { depth: 64, nodes };
            if let Some(report) = engine.search(&[position], &limits, &|| false, &mut |_| ()) {
                depths.push(report.depth);
                looked_at += report.nodes;
            }
        }
        depths.sort_unstable();
        let speed = looked_at as f64 / (worked(begun) - before) / 1e6;
        let (least, most) = (depths[0], depths[depths.len() - 1]);
        println!("| {name} | {speed:.1} | {} | {least} to {most} |", depths[depths.len() / 2]);
    }
}
