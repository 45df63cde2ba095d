#![doc = include_str!("../README.md")]
//!
//! # What is exported
//! Numbers alone go in and come out. The page calls [`sit`] for a game, a level and a seed; then for each move [`begin`],
//! [`position`] for each position of the game so far, and [`search`]. [`kind`], [`score`], [`depth`] and [`nodes`] tell of the
//! last search.

use std::cell::RefCell;

use gobcheck::rules::{Color, Game, Material, Position, Reading, Variant};
use gobengine::{Engine, Level, Report, Score};

/// Who plays, the game so far, and what the last search has found.
#[derive(Default)]
struct State {
    seat: Option<(Game, Level, Engine)>,
    positions: Vec<Position>,
    report: Option<Report>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// The game with these pieces, a byte for each size, A the lowest, and the reading at this place of [`Reading::ALL`].
fn game(white: u32, black: u32, reading: u32) -> Option<Game> {
    let material = |counts: u32| Material::new(counts.to_le_bytes());
    let variant = Variant { white: material(white)?, black: material(black)? };
    Some(Game::new(variant, *Reading::ALL.get(reading as usize)?))
}

/// Makes an engine that knows nothing yet. `level` is from 1; `color` is 0 for White, and goes into the seed as `gobprove play`
/// has it. Returns 1, or 0 if there is no such game or level.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn sit(white: u32, black: u32, reading: u32, level: u32, seed: u32, color: u32) -> u32 {
    let made = game(white, black, reading).zip(Level::new(level as usize)).map(|(game, level)| {
        let seed = u64::from(seed) * 2 + u64::from(color);
        (game, level, Engine::new(&game, level.options(seed)))
    });
    STATE.with_borrow_mut(|state| {
        *state = State { seat: made, ..State::default() };
        state.seat.is_some().into()
    })
}

/// Forgets the game so far, and keeps what was learned.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    STATE.with_borrow_mut(|state| state.positions.clear());
}

/// Adds a position to the game so far. Pieces are given as [`Position::side`] has them; `turn` is 0 for White.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn position(white: u64, black: u64, turn: u32) {
    let turn = if turn == 0 { Color::White } else { Color::Black };
    STATE.with_borrow_mut(|state| state.positions.push(Position::from_sides([white, black], turn)));
}

/// Looks for the best move in the last position. Returns its place among the moves as [`Game::moves`] has them, from 1; 0 if
/// nobody sits there or the game is over.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn search() -> u32 {
    STATE.with_borrow_mut(|State { seat, positions, report }| {
        let Some((game, level, engine)) = seat else { return 0 };
        *report = engine.search(positions, &level.limits(), &|| false, &mut |_| ());
        let found = report
            .as_ref()
            .zip(positions.last())
            .and_then(|(report, position)| game.moves(position).position(|mv| mv == report.best()));
        found.map_or(0, |place| place as u32 + 1)
    })
}

fn last<T>(of: impl FnOnce(&Report) -> T) -> Option<T> {
    STATE.with_borrow(|state| state.report.as_ref().map(of))
}

/// What the last search says of the position: 0 an estimate, 1 proven that the side to move wins, 2 that it loses.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn kind() -> u32 {
    let kind = last(|report| match report.score {
        Score::Estimate(_) => 0,
        Score::Wins { .. } => 1,
        Score::Loses { .. } => 2,
    });
    kind.unwrap_or(0)
}

/// The estimate for the side to move, or in how many plies at most the game is won or lost.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn score() -> i32 {
    let score = last(|report| match report.score {
        Score::Estimate(score) => score,
        Score::Wins { plies } | Score::Loses { plies } => plies as i32,
    });
    score.unwrap_or(0)
}

/// How many plies the last search has looked ahead.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn depth() -> u32 {
    last(|report| report.depth).unwrap_or(0)
}

/// How many positions the last search has looked at.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn nodes() -> f64 {
    last(|report| report.nodes as f64).unwrap_or(0.0)
}
