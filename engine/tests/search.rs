//! What the engine proves beside what brute force knows, and that it answers the same to the same.

mod random;

use std::cell::Cell;
use std::collections::HashMap;

use gobcheck::rules::{Color, Game, Material, Move, Position, Reading, Variant};
use gobcheck::symmetry::canonical;
use gobengine::{Engine, Limits, Options, Score, Techniques, perft};
use random::Random;

fn material(counts: [u8; 4]) -> Material {
    Material::new(counts).expect("nested")
}

fn variant(white: [u8; 4], black: [u8; 4]) -> Variant {
    Variant { white: material(white), black: material(black) }
}

fn full() -> Variant {
    variant([3; 4], [3; 4])
}

impl Random {
    /// A position after `plies` random moves, in which play goes on.
    fn position(&mut self, game: &Game, plies: usize) -> Position {
        'again: loop {
            let mut position = Position::empty(Color::ALL[self.below(2)]);
            for _ in 0..plies {
                let moves: Vec<Move> = game.moves(&position).collect();
                let mv = moves[self.below(moves.len())];
                let after = position.moved(mv);
                if game.winner(&position, mv, &after).is_some() || after.finished().is_some() {
                    continue 'again;
                }
                position = after;
            }
            return position;
        }
    }
}

fn small() -> Options {
    Options { table: 1 << 20, ..Options::default() }
}

fn search(engine: &mut Engine, position: &Position, depth: u32, nodes: u64) -> gobengine::Report {
    engine.search(&[*position], &Limits { depth, nodes }, &|| false, &mut |_| {}).expect("play goes on")
}

#[test]
fn the_engine_counts_as_many_moves_as_the_rules() {
    fn count(game: &Game, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let go_on = |mv| {
            let after = position.moved(mv);
            match game.winner(position, mv, &after) {
                Some(_) => u64::from(depth == 1),
                None => count(game, &after, depth - 1),
            }
        };
        game.moves(position).map(go_on).sum()
    }
    let mut random = Random(7);
    for reading in Reading::ALL {
        let game = Game::new(full(), reading);
        for plies in [6, 14, 22] {
            let position = random.position(&game, plies);
            assert_eq!(perft(&game, &position, 2), count(&game, &position, 2), "{reading} {position}");
        }
    }
}

/// A game and every position that can be reached in it, one of each orbit: in how many plies the side to move wins (positive) or
/// loses (negative) by force, absent if neither. By sweeps over everything, without a search.
struct Truth {
    reached: Vec<Position>,
    plies: HashMap<Position, i32>,
}

impl Truth {
    fn new(game: &Game) -> Truth {
        let mut reached: Vec<Position> = Color::ALL.map(Position::empty).to_vec();
        let mut numbers: HashMap<Position, usize> = reached.iter().copied().zip(0..).collect();
        // By position: whether a move wins at once, and where the others lead that do not lose at once.
        let mut moves: Vec<(bool, Vec<usize>)> = Vec::new();
        while let Some(&position) = reached.get(moves.len()) {
            let (mut wins, mut next) = (false, Vec::new());
            for mv in game.moves(&position) {
                let after = position.moved(mv);
                match game.winner(&position, mv, &after) {
                    Some(winner) => wins |= winner == position.turn(),
                    None => next.push(*numbers.entry(canonical(&after)).or_insert_with_key(|&after| {
                        reached.push(after);
                        reached.len() - 1
                    })),
                }
            }
            moves.push((wins, next));
        }
        // Who has no move that neither wins nor loses at once loses at once.
        let at_once = |(wins, next): &(bool, Vec<usize>)| match next.is_empty() {
            _ if *wins => Some(1),
            true => Some(-1),
            false => None,
        };
        let mut plies: Vec<Option<i32>> = moves.iter().map(at_once).collect();
        for count in 2.. {
            let is = |number: &usize, wins: bool| plies[*number].is_some_and(|plies| wins == (plies > 0));
            let value = |(number, (_, next)): (usize, &(bool, Vec<usize>))| match plies[number] {
                None if next.iter().any(|next| is(next, false)) => Some((number, count)),
                None if next.iter().all(|next| is(next, true)) => Some((number, -count)),
                _ => None,
            };
            let found: Vec<(usize, i32)> = moves.iter().enumerate().filter_map(value).collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|(number, count)| plies[number] = Some(count));
        }
        let known = reached.iter().zip(plies).filter_map(|(position, plies)| Some((*position, plies?)));
        Truth { plies: known.collect(), reached }
    }

    fn of(&self, position: &Position) -> Option<i32> {
        self.plies.get(&canonical(position)).copied()
    }
}

/// All techniques, and some left out.
fn ways() -> [Techniques; 5] {
    let all = Techniques::default();
    [
        all,
        Techniques { symmetric: 24, ..all },
        Techniques { table: false, ..all },
        Techniques { pass: false, margins: false, reductions: false, killers: false, history: false, ..all },
        Techniques { threats: false, scout: false, aspiration: false, ..all },
    ]
}

#[test]
fn what_is_proven_is_so_in_solved_games_and_short_wins_are_proven() {
    let more = [2, 2, 0, 0];
    let less = [1, 0, 0, 0];
    let mut met = [0; 3];
    let readings = Reading::ALL.map(|reading| (variant(less, more), reading));
    for (variant, reading) in readings.into_iter().chain([(variant(more, less), Reading::Official)]) {
        let game = Game::new(variant, reading);
        let truth = Truth::new(&game);
        let mut engines = ways().map(|techniques| Engine::new(&game, Options { techniques, ..small() }));
        for (number, position) in truth.reached.iter().step_by(61).enumerate() {
            let value = truth.of(position);
            // Engines keep what they have learned of other positions.
            let report = search(&mut engines[number % 5], position, 7, 30_000);
            match (report.score, value) {
                (Score::Wins { plies }, Some(value)) => {
                    assert!((1..=plies as i32).contains(&value), "{game:?} {position} {report:?} {value}")
                }
                (Score::Loses { plies }, Some(value)) => {
                    assert!((1..=plies as i32).contains(&-value), "{position} {report:?} {value}");
                }
                (Score::Estimate(_), Some(value)) => {
                    assert!(value.abs() > 3, "{game:?} {position}: {report:?}, and it is decided in {value}");
                }
                (Score::Estimate(_), None) => {}
                (_, None) => panic!("{game:?} {position}: a draw, and {report:?}"),
            }
            met[value.map_or(0, |value| 1 + usize::from(value < 0))] += 1;
        }
    }
    assert!(met.iter().all(|&count| count > 100), "{met:?}");
}

/// Whether the side to move wins by force within `plies`, an odd number; by the rules and nothing else.
fn wins_within(game: &Game, position: &Position, plies: u32) -> bool {
    let us = position.turn();
    let judged = |position: &Position, mv| {
        let after = position.moved(mv);
        (game.winner(position, mv, &after), after)
    };
    if game.moves(position).any(|mv| judged(position, mv).0 == Some(us)) {
        return true;
    }
    let leads_to_win = |mv| {
        let (winner, next) = judged(position, mv);
        winner.is_none()
            && game.moves(&next).all(|answer| match judged(&next, answer) {
                (Some(winner), _) => winner == us,
                (None, after) => wins_within(game, &after, plies - 2),
            })
    };
    plies >= 3 && game.moves(position).any(leads_to_win)
}

#[test]
fn what_is_proven_in_the_whole_game_is_so_by_brute_force() {
    let mut random = Random(0x1234_5678_9ABC);
    let mut met = [0; 3];
    for number in 0..400 {
        let game = Game::new(full(), Reading::ALL[number % 5]);
        let position = random.position(&game, 14 + number % 12);
        let mut engine = Engine::new(&game, small());
        let report = search(&mut engine, &position, 4, 200_000);
        let found = match report.score {
            Score::Wins { plies } => plies,
            _ => u32::MAX,
        };
        assert_eq!(found <= 3, wins_within(&game, &position, 3), "{game:?} {position} {report:?}");
        assert!(game.moves(&position).any(|mv| mv == report.best()), "{position} {report:?}");
        if let Score::Loses { plies: 2 } = report.score {
            for mv in game.moves(&position) {
                let after = position.moved(mv);
                let winner = game.winner(&position, mv, &after);
                assert!(winner == Some(!position.turn()) || wins_within(&game, &after, 1), "{position} {mv}");
            }
            met[2] += 1;
        } else {
            met[usize::from(found <= 3)] += 1;
        }
    }
    assert!(met.iter().all(|&count| count > 5), "{met:?}");
}

#[test]
fn the_same_search_gives_the_same_answer_and_another_seed_another_game() {
    let game = Game::new(full(), Reading::Official);
    let played = |seed| {
        let options = Options { noise: 60, seed, table: 1 << 20, ..Options::default() };
        let mut engine = Engine::new(&game, options);
        let mut line = vec![Position::empty(Color::White)];
        let mut moves = Vec::new();
        while moves.len() < 24 {
            let limits = Limits { depth: 64, nodes: 2_000 };
            let Some(report) = engine.search(&line, &limits, &|| false, &mut |_| {}) else { break };
            let before = line[line.len() - 1];
            moves.push(report.best());
            line.push(before.moved(report.best()));
        }
        moves
    };
    assert_eq!(played(1), played(1));
    assert!((2..6).any(|seed| played(seed) != played(1)));
}

#[test]
fn the_largest_noise_proves_nothing() {
    let game = Game::new(full(), Reading::Official);
    for seed in 0..5 {
        let mut engine = Engine::new(&game, Options { noise: u16::MAX, seed, ..small() });
        let report = search(&mut engine, &Position::empty(Color::White), 3, u64::MAX);
        assert!(!report.score.is_proven(), "{report:?}");
    }
}

#[test]
fn a_search_ends_at_its_limits_and_when_it_is_told_to() {
    let game = Game::new(full(), Reading::Official);
    let start = Position::empty(Color::White);
    let mut engine = Engine::new(&game, small());
    for nodes in [0, 1, 100, 5_000] {
        let report = search(&mut engine, &start, 64, nodes);
        assert!(report.nodes <= nodes.max(1), "{report:?}");
        assert!(game.moves(&start).any(|mv| mv == report.best()));
    }
    assert_eq!(search(&mut engine, &start, 3, u64::MAX).depth, 3);
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() >= 5
    };
    let report = engine.search(&[start], &Limits::default(), &stop, &mut |_| {}).expect("play goes on");
    assert!(report.nodes <= 5 * 1_024, "{report:?}");
    assert_eq!(engine.search(&[], &Limits::default(), &|| false, &mut |_| {}), None);
}

/// White has an A, which is not enough to win, and Black all it needs: where Black would come to win White repeats.
#[test]
fn a_position_that_comes_again_is_a_draw_and_no_proof() {
    let game = Game::new(full(), Reading::Official);
    let mut random = Random(99);
    let mut drawn = 0;
    for _ in 0..40 {
        // White goes to and fro, and so does Black: the next move can bring the position back.
        let first = random.position(&game, 12);
        let mut engine = Engine::new(&game, small());
        let there = |position: &Position| {
            let mut moves = game.moves(position).filter(|mv| {
                let after = position.moved(*mv);
                matches!(mv, Move::Transfer { .. }) && game.winner(position, *mv, &after).is_none()
            });
            moves.next()
        };
        let back = |mv| match mv {
            Move::Transfer { from, to } => Move::Transfer { from: to, to: from },
            place => place,
        };
        let mut line = vec![first];
        let Some(one) = there(&first) else { continue };
        line.push(first.moved(one));
        let Some(two) = there(&line[1]) else { continue };
        line.push(line[1].moved(two));
        let is_legal = |position: &Position, mv| game.moves(position).any(|legal| legal == mv);
        if !is_legal(&line[2], back(one)) {
            continue;
        }
        line.push(line[2].moved(back(one)));
        if line[3].finished().is_some() || !is_legal(&line[3], back(two)) || line[3].moved(back(two)) != first
        {
            continue;
        }
        let report = engine.search(&line, &Limits { depth: 1, nodes: u64::MAX }, &|| false, &mut |_| {});
        let report = report.expect("play goes on");
        let alone = search(&mut Engine::new(&game, small()), &line[3], 1, u64::MAX);
        match (alone.score, report.score) {
            // Whoever stands worse takes the draw.
            (Score::Estimate(score), with) if score < 0 => {
                assert_eq!(with, Score::Estimate(0), "{} {alone:?}", line[3]);
                assert_eq!(report.best(), back(two));
                drawn += 1;
            }
            (alone, with) => assert!(alone == with || !with.is_proven(), "{} {alone} {with}", line[3]),
        }
    }
    assert!(drawn > 2, "{drawn}");
}
