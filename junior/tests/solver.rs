//! What the solver finds, against brute force on smaller games and against what others published of the whole game.

#[path = "../../tests/support/thorough.rs"]
mod thorough;

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use gobjunior::rules::{Color, Game, Material, Outcome, Position, Reading, Size, Squares};
use gobjunior::solver::{Counts, Progress, Solved, Stopped, Unlisted, Value, reachable, solve};
use gobjunior::symmetry::Symmetry;

fn on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn solved(game: Game) -> Solved {
    solve(game, &mut on).expect("nothing stops it")
}

/// The same with the colours exchanged if Black is to move: what it is worth is the same.
fn with_white_to_move(position: &Position) -> Position {
    let of = |color: Color| Size::ALL.map(|size| position.pieces(color, size));
    let turn = position.turn();
    Position::new([of(turn), of(turn.opponent())], Color::White).expect("apart as before")
}

/// Every position of a game with White to move.
fn all_positions(game: &Game) -> Vec<Position> {
    let mut found = vec![[[Squares::EMPTY; 3]; 2]];
    for size in Size::ALL {
        for color in Color::ALL {
            let add = |pieces: [[Squares; 3]; 2]| {
                (0..512).map(Squares).filter_map(move |own| {
                    let mut pieces = pieces;
                    pieces[color as usize][size as usize] = own;
                    (own.len() <= game.material.of(size)).then_some(pieces)
                })
            };
            found = found.into_iter().flat_map(add).collect();
        }
        found.retain(|[white, black]| white[size as usize].and(black[size as usize]).is_empty());
    }
    found.into_iter().filter_map(|pieces| Position::new(pieces, Color::White)).collect()
}

/// The values by brute force: again and again every position is looked at, until a round changes none.
fn by_brute_force(game: &Game) -> HashMap<Position, Value> {
    /// What a move leads to: the end of the game, won or lost for the side that moved, or another position.
    enum Next {
        End(bool),
        At(usize),
    }
    let positions = all_positions(game);
    let places: HashMap<Position, usize> =
        positions.iter().enumerate().map(|(place, at)| (*at, place)).collect();
    let next = |position: &Position| -> Vec<Next> {
        let next = |(_, outcome)| match outcome {
            Outcome::Won(winner) => Next::End(winner == Color::White),
            Outcome::GoesOn(after) => Next::At(places[&with_white_to_move(&after)]),
        };
        game.outcomes(position).map(next).collect()
    };
    let moves: Vec<Vec<Next>> = positions.iter().map(next).collect();
    let start = |position: &Position| match position.finished() {
        Some(Color::White) => Value::Win(0),
        Some(Color::Black) => Value::Loss(0),
        None => Value::Draw,
    };
    let mut values: Vec<Value> = positions.iter().map(start).collect();
    for ply in 1.. {
        let worth = |next: &Next| match next {
            Next::End(true) => Value::Win(1),
            Next::End(false) => Value::Loss(1),
            Next::At(place) => values[*place].before(),
        };
        let open =
            (0..positions.len()).filter(|place| values[*place] == Value::Draw && !moves[*place].is_empty());
        let changed: Vec<(usize, Value)> = open
            .filter_map(|place| {
                let best = moves[place].iter().map(worth).max_by_key(|value| value.rank()).expect("a move");
                (best != Value::Draw).then_some((place, best))
            })
            .collect();
        if changed.is_empty() {
            break;
        }
        for (place, value) in changed {
            assert_eq!(value.plies(), Some(ply), "found in the round of its plies");
            values[place] = value;
        }
    }
    positions.into_iter().zip(values).collect()
}

/// How many positions that differ by more than a symmetry have each value.
fn counted(values: &HashMap<Position, Value>) -> Counts {
    let key =
        |position: &Position| Color::ALL.map(|color| Size::ALL.map(|size| position.pieces(color, size)));
    let mut counts = BTreeMap::new();
    for (position, value) in values {
        let least = Symmetry::all().map(|symmetry| key(&symmetry.position(position))).min();
        if least == Some(key(position)) {
            *counts.entry(*value).or_insert(0) += 1;
        }
    }
    counts
}

#[test]
fn smaller_games_are_worth_what_brute_force_says() {
    let all = [[0, 1, 2], [2, 0, 1], [1, 1, 1], [0, 2, 1], [1, 0, 2]];
    let tried = if thorough::thorough() { &all[..] } else { &all[..2] };
    for &[small, medium, large] in tried {
        let material = Material::new(small, medium, large).expect("a Large piece");
        for reading in Reading::ALL {
            let game = Game { material, reading };
            let (values, solved) = (by_brute_force(&game), solved(game));
            assert_eq!(*solved.counts(), counted(&values), "{game:?}");
            // The counts are of all positions.
            let every = if thorough::thorough() { 1 } else { 8 };
            for (position, value) in values.iter().step_by(every) {
                assert_eq!(solved.value(position), Some(*value), "{game:?} {position}");
            }
            let again = Solved::from_listed(game, solved.listed().to_vec(), solved.counts().clone());
            assert_eq!(again.expect("a list").listed(), solved.listed());
        }
    }
}

/// Published values of the first moves: the places of the square, the value for the first player, and the plies left.
const FIRST: [(&str, Value); 9] = [
    ("S@a1", Value::Win(14)),
    ("S@b1", Value::Win(12)),
    ("S@b2", Value::Win(14)),
    ("M@a1", Value::Loss(13)),
    ("M@b1", Value::Loss(11)),
    ("M@b2", Value::Loss(11)),
    ("L@a1", Value::Win(12)),
    ("L@b1", Value::Win(14)),
    ("L@b2", Value::Win(12)),
];

/// The whole game, which takes ten seconds: the test of `gobprove solve junior` looks at it every day.
#[test]
fn the_first_player_wins_in_13_plies() {
    if !thorough::thorough() {
        return;
    }
    let game = Game::full(Reading::Official);
    let solved = solved(game);
    for turn in Color::ALL {
        let start = Position::empty(turn);
        assert_eq!(solved.value(&start), Some(Value::Win(13)));
        let moves: HashMap<String, Value> = solved
            .moves(&start)
            .expect("of the game")
            .into_iter()
            .map(|(mv, value)| (mv.to_string(), value))
            .collect();
        for (mv, left) in FIRST {
            let value = match left {
                Value::Win(left) => Value::Win(left + 1),
                Value::Loss(left) => Value::Loss(left + 1),
                Value::Draw => Value::Draw,
            };
            assert_eq!(moves[mv], value, "{mv}");
        }
    }
    assert_eq!(solved.counts().values().sum::<u64>(), 360_382_485, "every position has a value");
    // Values fit those of the positions that moves lead to.
    let mut position = Position::empty(Color::White);
    let mut choice = 7u64;
    for _ in 0..300 {
        let moves = solved.moves(&position).expect("of the game");
        assert_eq!(solved.value(&position), moves.first().map(|(_, value)| *value), "{position}");
        choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(choice >> 33) as usize % moves.len()].0;
        position = match game.play(&position, mv) {
            Ok(Outcome::GoesOn(next)) => next,
            _ => Position::empty(Color::White),
        };
    }
}

#[test]
fn as_many_positions_come_up_as_published() {
    if !thorough::thorough() {
        return;
    }
    let reached = reachable(Game::full(Reading::Official), &mut on).expect("nothing stops it");
    assert_eq!((reached.unfinished, reached.finished), (185_487_323, 155_537_308));
    assert_eq!(reached.unfinished + reached.finished, 341_024_631);
}

#[test]
fn positions_of_a_smaller_game_come_up_as_play_finds_them() {
    for reading in Reading::ALL {
        let game = Game { material: Material::new(1, 0, 1).expect("a Large piece"), reading };
        let mut met = HashMap::from([(Position::empty(Color::White), Value::Draw)]);
        let mut open = vec![Position::empty(Color::White)];
        while let Some(position) = open.pop() {
            let all = game.moves(&position).collect::<Vec<_>>();
            for mv in all {
                // A move that ends the game leads to no position that play goes on from, so all that are met are unfinished.
                if let Ok(Outcome::GoesOn(next)) = game.play(&position, mv) {
                    let next = with_white_to_move(&next);
                    if met.insert(next, Value::Draw).is_none() {
                        open.push(next);
                    }
                }
            }
        }
        let unfinished = counted(&met).values().sum::<u64>();
        let reached = reachable(game, &mut on).expect("nothing stops it");
        assert_eq!(reached.unfinished, unfinished, "{reading}");
    }
}

#[test]
fn work_can_be_stopped() {
    let game = Game { material: Material::new(1, 1, 1).expect("a Large piece"), reading: Reading::Official };
    let mut calls = 0;
    let mut stop = |_: Progress| {
        calls += 1;
        if calls == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(solve(game, &mut stop).map(drop), Err(Stopped));
    assert_eq!(calls, 3);
    assert_eq!(reachable(game, &mut |_| ControlFlow::Break(())), Err(Stopped));
}

#[test]
fn what_is_no_list_is_refused() {
    let game = Game::full(Reading::Official);
    let read = |listed: &[(u32, Value)]| Solved::from_listed(game, listed.to_vec(), Counts::new()).map(drop);
    assert_eq!(read(&[(5, Value::Draw), (6, Value::Loss(3))]), Ok(()));
    assert_eq!(read(&[(6, Value::Draw), (6, Value::Draw)]), Err(Unlisted::Number(6)));
    assert_eq!(read(&[(364_149_969, Value::Draw)]), Err(Unlisted::Number(364_149_969)));
    assert_eq!(read(&[(5, Value::Loss(2))]), Err(Unlisted::Value(5)));
    assert_eq!(read(&[(5, Value::Win(3))]), Err(Unlisted::Value(5)));
}
