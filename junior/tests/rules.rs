//! The rules against the reference, the text's examples, and perft.

mod reference;
#[path = "../../tests/support/thorough.rs"]
mod thorough;

use gobjunior::RULES;
use gobjunior::perft::perft;
use gobjunior::rules::{Color, Game, Move, Position, Reading};
use gobjunior::symmetry::Symmetry;
use proptest::prelude::*;

use reference::{Judged, Table, all_moves, judged};

/// The blocks of examples: the position's line, and the rows below it.
fn examples() -> Vec<(&'static str, Vec<&'static str>)> {
    let blocks = RULES.split("```text\n").skip(1).map(|rest| rest.split("```").next().expect("it ends"));
    let example = |block: &'static str| {
        let mut lines = block.lines().skip_while(|line| !line.contains('/'));
        (lines.next().expect("a position"), lines.collect())
    };
    blocks.map(example).collect()
}

#[test]
fn the_examples_of_the_rules_are_so() {
    let mut rows = 0;
    for (position, claims) in examples() {
        for claim in claims {
            let cells: Vec<&str> = claim.split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 3, "{claim}: reading | moves | result");
            let [reading, moves, result] = [cells[0], cells[1], cells[2]];
            let game = Game::full(Reading::from_tag(reading).expect(reading));
            assert_eq!(found(&game, position, moves, result), result, "{position}: {claim}");
            rows += 1;
        }
    }
    assert!(rows > 20, "{rows}");
}

/// What the reference says of the moves from a position.
fn found(game: &Game, position: &str, moves: &str, claimed: &str) -> String {
    let Some(start) = Table::read(game, position) else {
        assert!(game.parse(position).is_err(), "{position}");
        return "no position".to_owned();
    };
    assert_eq!(start.position().to_string(), position);
    assert_eq!(game.parse(position), Ok(start.position()));
    if let Some((kind, other)) = claimed.split_once(" image of ") {
        let other = Table::read(game, other).expect(other).position();
        let is_image = Symmetry::all().any(|symmetry| symmetry.position(&start.position()) == other);
        assert_eq!(is_image, kind == "an", "{claimed}");
        return claimed.to_owned();
    }
    let mut table = start.clone();
    for mv in moves.split(' ') {
        match table.play(game.reading, mv.parse().expect(mv)) {
            Judged::Illegal => return "illegal".to_owned(),
            Judged::Wins(winner) => return format!("{winner} wins"),
            Judged::GoesOn(next) => table = *next,
        }
    }
    if table == start { "the same position" } else { "play goes on" }.to_owned()
}

#[test]
fn boards_are_drawn_as_the_rules_draw_them() {
    let game = Game::full(Reading::Official);
    let mut drawn = 0;
    for (text, _) in examples() {
        let Ok(position) = game.parse(text) else { continue };
        let drawing = position.drawing();
        let ranks: Vec<&str> = drawing.lines().take(3).collect();
        assert!(RULES.contains(&ranks.join("\n")), "{drawing}");
        drawn += 1;
    }
    assert!(drawn > 6, "{drawn}");
}

/// Published: the moves to depth 5, played out by others on this board.
const PERFT: [u64; 5] = [27, 675, 20_313, 572_472, 16_635_384];

#[test]
fn as_many_moves_as_published() {
    let depth = if thorough::thorough() { 5 } else { 4 };
    for reading in Reading::ALL {
        let game = Game::full(reading);
        for (depth, count) in (1..=depth).zip(PERFT) {
            // To depth 5 no lift uncovers a line, so that both readings count the same.
            assert_eq!(perft(&game, &Position::empty(Color::White), depth), count, "{reading} {depth}");
            assert_eq!(perft(&game, &Position::empty(Color::Black), depth), count, "{reading} {depth}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Random play: in every position each move that can be written is judged as the reference judges it.
    #[test]
    fn every_move_is_judged_as_by_the_reference(choices in prop::collection::vec(any::<usize>(), 1..60), strict in any::<bool>()) {
        let game = Game::full(if strict { Reading::StrictLift } else { Reading::Official });
        let mut table = Table::empty(&game, Color::White);
        for choice in choices {
            let position = table.position();
            prop_assert_eq!(game.parse(&position.to_string()), Ok(position));
            let (mut legal, mut next): (Vec<Move>, Vec<Table>) = (Vec::new(), Vec::new());
            for mv in all_moves() {
                let own = game.play(&position, mv).map(judged);
                match table.play(game.reading, mv) {
                    Judged::Illegal => prop_assert!(own.is_err(), "{} {}", position, mv),
                    Judged::Wins(winner) => {
                        prop_assert_eq!(own, Ok(Err(winner)), "{} {}", position, mv);
                        legal.push(mv);
                    }
                    Judged::GoesOn(after) => {
                        prop_assert_eq!(own, Ok(Ok(after.position())), "{} {}", position, mv);
                        legal.push(mv);
                        next.push(*after);
                    }
                }
            }
            let mut moves: Vec<Move> = game.moves(&position).collect();
            moves.sort();
            legal.sort();
            prop_assert_eq!(moves, legal, "{}", position);
            match next.len() {
                0 => break,
                many => table = next.swap_remove(choice % many),
            }
        }
    }
}

#[test]
fn a_wrong_text_is_told_of() {
    let game = Game::full(Reading::Official);
    for (text, says) in [
        ("", "w or b"),
        ("3/3/3", "w or b"),
        ("3/3/3 x", "w or b"),
        ("3/3 w", "3 ranks separated by '/', from rank 3 down; found 2"),
        ("3/3/2 w", "rank 1 must have 3 squares separated by ','; found 2"),
        ("3/3/S,,. w", "on b1 is no piece"),
        ("3/3/A,2 w", "'A' on a1 is no piece"),
        ("3/3/SM,2 w", "on a1 lies on one that is not smaller (J3)"),
        ("L,L,L/3/3 w", "White has more than 2 pieces of size L (J2)"),
    ] {
        let error = game.parse(text).expect_err(text).to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    for (text, mv, says) in [
        ("L,L,1/3/3 w", "L@c3", "White has no L in hand (J2)"),
        ("l,2/3/3 w", "a3-b2", "White has no visible piece on a3 (J3)"),
        ("L,2/3/3 w", "a3-a3", "and a3 is none (J5)"),
        ("l,l,s/3/3 w", "S@a1", "the game is over, since Black has a line (J6)"),
    ] {
        let position = game.parse(text).expect(text);
        let error = game.play(&position, mv.parse().expect(mv)).expect_err(mv).to_string();
        assert!(error.contains(says), "{text} {mv}: {error}");
    }
    for text in ["", "a1", "A@a1", "LL@a1", "@a1", "L@d1", "a1-a4", "a1-", "L@"] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
}
