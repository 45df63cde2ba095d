//! The rules of the trusted part: what is expected was worked out from RULES.md.

use gobprove::prelude::*;
use gobprove::rules::{Color, Game, IllegalMove, Move, Outcome, Position, Reading, Size};

/// The outcome of a move under each reading, in the order of `Reading::ALL`: `w`, `b` or `-`.
fn judged(position: &str, mv: &str) -> String {
    let variant = "abcd-full".read().expect("a variant");
    let judge = |reading| {
        let game = Game::new(variant, reading);
        let position = game.parse(position).expect("a position");
        match game.play(&position, mv.read().expect("a move")).expect("legal") {
            Outcome::BlackWins => 'b',
            Outcome::WhiteWins => 'w',
            Outcome::GoesOn(_) => '-',
        }
    };
    Reading::ALL.into_iter().map(judge).collect()
}

#[test]
fn a_line_wins_for_the_mover() {
    assert_eq!(judged("A,A,A,./.,.,.,./.,.,.,./B,.,.,. w", "a1-d4"), "wwwww");
    assert_eq!(judged("a,a,a,./.,.,.,./.,.,.,./b,.,.,. b", "a1-d4"), "bbbbb");
    assert_eq!(judged("A,A,.,./.,.,.,./.,.,.,./B,.,.,. w", "a1-d4"), "-----");
}

#[test]
fn a_lift_that_uncovers_a_line_and_does_nothing_about_it() {
    // White's A on d4 covers the fourth black piece of rank 4.
    assert_eq!(judged("a,a,a,Ab/.,.,.,./.,.,.,./.,.,.,. w", "d4-a1"), "bbbbb");
    // Black's a on d4 covers the fourth white piece of rank 4.
    assert_eq!(judged("A,A,A,aB/.,.,.,./.,.,.,./.,.,.,. b", "d4-a1"), "wwwww");
}

#[test]
fn a_lift_that_covers_the_line_again() {
    // The lifted A lands on the black b at a4, in the same line.
    assert_eq!(judged("b,a,a,Ab/.,.,.,./.,.,.,./.,.,a,. w", "d4-a4"), "-bb-b");
    // The same for Black: under `robust` nobody has a line after the move, and play goes on.
    assert_eq!(judged("B,A,A,aB/.,.,.,./.,.,.,./.,.,A,. b", "d4-a4"), "-ww--");
}

#[test]
fn a_lift_that_uncovers_a_line_and_makes_the_movers_own() {
    // Both lines stand after the move: R6 gives it to the opponent, `thesis` to the mover.
    assert_eq!(judged("a,a,b,Ab/.,.,.,./.,.,.,./B,A,A,. w", "d4-d1"), "bwbbb");
    assert_eq!(judged("A,A,B,aB/.,.,.,./.,.,.,./b,a,a,. b", "d4-d1"), "wbwwb");
    // The mover's line alone stands, because the piece lands on the uncovered line.
    assert_eq!(judged("b,a,a,Ab/B,.,.,./A,.,.,./B,A,.,. w", "d4-a4"), "wwbwb");
    assert_eq!(judged("B,A,A,aB/b,.,.,./a,.,.,./b,a,.,. b", "d4-a4"), "bbwbb");
}

#[test]
fn an_illegal_move_is_given_back() {
    let game = Game::new("ab".read().expect("a variant"), Reading::Official);
    let position = Position::empty(Color::White);
    for illegal in ["B@a1", "a1-b1"] {
        let mv = illegal.read().expect("a move");
        assert_eq!(game.play(&position, mv), Err(IllegalMove { mv, position }));
    }
    let mv = "B@a1".read().expect("a move");
    let told = IllegalMove { mv, position }.to_string();
    assert_eq!(told, "B@a1 is not a legal move in .,.,.,./.,.,.,./.,.,.,./.,.,.,. w (R4, R5)");
}

#[test]
fn the_other_side_is_to_move_after_a_move() {
    let game = Game::new("abc-full".read().expect("a variant"), Reading::Official);
    for (before, mv, after) in [
        (".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "A@a1", ".,.,.,./.,.,.,./.,.,.,./A,.,.,. b"),
        ("b,.,.,./.,.,.,./.,.,.,./A,a,.,. b", "b1-a4", "ab,.,.,./.,.,.,./.,.,.,./A,.,.,. w"),
        ("bC,.,.,./a,.,.,./.,.,.,./A,B,.,. b", "a4-d4", "C,.,.,b/a,.,.,./.,.,.,./A,B,.,. w"),
        ("C,.,.,./.,.,.,./.,.,.,./A,B,.,. w", "a4-d4", ".,.,.,C/.,.,.,./.,.,.,./A,B,.,. b"),
    ] {
        let [before, after] = [before, after].map(|text| game.parse(text).expect("a position"));
        let played = game.play(&before, mv.read().expect("a move"));
        assert_eq!(played, Ok(Outcome::GoesOn(after)), "{mv}");
    }
}

#[test]
fn text_round_trips() {
    for text in ["A@a1", "D@d4", "a1-d4", "c3-b2"] {
        assert_eq!(text.read::<Move>().map(|m| m.to_string()), Ok(text.to_owned()));
    }
    for bad in ["", "E@a1", "AB@a1", "a@a1", "A@a5", "a1", "a1-", "-a1", "a1-b2-c3", "@a1"] {
        let error = bad.read::<Move>().expect_err(bad).to_string();
        assert_eq!(
            error,
            format!(
                "{bad:?} is not a move: B@c3 puts a B from hand on c3, and a1-c3 moves the piece on a1 to c3"
            )
        );
    }
}

#[test]
fn a_move_is_small() {
    assert!(size_of::<Move>() <= 4);
}

fn targets(variant: &str, reading: Reading, position: &str, size: Size) -> String {
    let game = Game::new(variant.read().expect("a variant"), reading);
    let position = game.parse(position).expect("a position");
    let squares: Vec<_> = game.places(&position, size).squares().map(|s| s.to_string()).collect();
    squares.join(" ")
}

#[test]
fn r4_three_in_a_line_may_be_covered_from_hand_if_smaller() {
    // Black has a, b, b on rank 4, the fourth square holds a white A; another black b stands apart.
    let text = "a,b,b,A/.,.,.,./b,.,a,./.,a,.,. w";
    let with_cover = targets("ab", Reading::Official, text, Size::A);
    let without = targets("ab", Reading::NoEntryCover, text, Size::A);
    assert_eq!(targets("ab", Reading::Robust, text, Size::A), without);
    assert_eq!(without, "a1 c1 d1 b2 d2 a3 b3 c3 d3");
    assert_eq!(with_cover, "a1 c1 d1 b2 d2 a3 b3 c3 d3 b4 c4");
}

#[test]
fn r2_a_nested_piece_waits_for_the_one_around_it() {
    assert_eq!(targets("ab-full", Reading::Official, ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", Size::B), "");
    assert_ne!(targets("ab-full", Reading::Official, "A,.,.,./.,.,.,./.,.,.,./.,.,.,. w", Size::B), "");
    assert_eq!(targets("ab-full", Reading::Official, "A,B,.,./.,.,.,./.,.,.,./.,.,.,. w", Size::B), "");
    assert_eq!(targets("ab", Reading::Official, "A,.,.,./.,.,.,./.,.,.,./.,.,.,. w", Size::B), "");
}
