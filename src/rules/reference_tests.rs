//! Positions made by hand for each rule and each reading. What is expected was worked out from the text of RULES.md;
//! the comment says how. Boards are drawn from rank 4 down to rank 1.

use super::*;

const READINGS: [&str; 5] = ["official", "thesis", "strict-lift", "no-entry-cover", "robust"];
const A3: [u8; 4] = [3, 0, 0, 0];
const AB3: [u8; 4] = [3, 3, 0, 0];
const ABC3: [u8; 4] = [3, 3, 3, 0];
const FULL: [u8; 4] = [3, 3, 3, 3];

fn referee(white: [u8; 4], black: [u8; 4], reading: &str) -> Referee {
    Referee::new(white, black, reading).unwrap()
}

/// Reads a table and makes sure that it is a position of the referee's variant.
fn position(referee: &Referee, text: &str) -> Table {
    let table = Table::parse(text).unwrap();
    assert_eq!(table.to_string(), text);
    assert_eq!(referee.problems(&table), Vec::<String>::new(), "{text}");
    table
}

/// The legal moves as one text each.
fn texts(referee: &Referee, text: &str) -> Vec<String> {
    referee.moves(&position(referee, text)).into_iter().map(|(chosen, _)| chosen).collect()
}

fn is_legal(referee: &Referee, text: &str, chosen: &str) -> bool {
    texts(referee, text).iter().any(|legal| legal == chosen)
}

/// The judgement of a move in short: `W` and `B` for a win of that side, `-` for play goes on, `x`
/// for an illegal move.
fn verdict(referee: &Referee, text: &str, chosen: &str) -> char {
    match referee.moves(&position(referee, text)).into_iter().find(|(legal, _)| legal == chosen) {
        None => 'x',
        Some((_, Judgement::WhiteWins)) => 'W',
        Some((_, Judgement::BlackWins)) => 'B',
        Some((_, Judgement::GoesOn(_))) => '-',
    }
}

/// The verdicts on one move under all readings, in the order of `READINGS`.
fn verdicts(text: &str, chosen: &str) -> String {
    READINGS.iter().map(|reading| verdict(&referee(FULL, FULL, reading), text, chosen)).collect()
}

fn perfts(white: [u8; 4], black: [u8; 4], reading: &str, text: &str) -> [u64; 3] {
    let referee = referee(white, black, reading);
    let table = position(&referee, text);
    [1, 2, 3].map(|depth| referee.perft(&table, depth))
}

fn problem_count(white: [u8; 4], black: [u8; 4], text: &str) -> usize {
    referee(white, black, "official").problems(&Table::parse(text).unwrap()).len()
}

// R1, R3: lines and what is seen of them.

#[test]
fn r1_the_ten_lines_and_no_others_end_the_game() {
    let referee = referee(FULL, FULL, "official");
    let lines = [
        "W,.,.,./W,.,.,./W,.,.,./W,.,.,. b", // the four files
        ".,W,.,./.,W,.,./.,W,.,./.,W,.,. b",
        ".,.,W,./.,.,W,./.,.,W,./.,.,W,. b",
        ".,.,.,W/.,.,.,W/.,.,.,W/.,.,.,W b",
        "W,W,W,W/.,.,.,./.,.,.,./.,.,.,. b", // the four ranks
        ".,.,.,./W,W,W,W/.,.,.,./.,.,.,. b",
        ".,.,.,./.,.,.,./W,W,W,W/.,.,.,. b",
        ".,.,.,./.,.,.,./.,.,.,./W,W,W,W b",
        ".,.,.,W/.,.,W,./.,W,.,./W,.,.,. b", // the two long diagonals
        "W,.,.,./.,W,.,./.,.,W,./.,.,.,W b",
    ];
    // Three A and one B make a line of four pieces that R2 allows.
    let filled = |shape: &str| shape.replacen('W', "A", 3).replacen('W', "B", 1);
    for shape in lines {
        let table = position(&referee, &filled(shape));
        assert_eq!(referee.finished(&table), Some(Judgement::WhiteWins), "{table}");
        // The same with one piece of the line covered by a black A: R3, only the top counts.
        let hidden = position(&referee, &shape.replacen('W', "A", 3).replacen('W', "aB", 1));
        assert_eq!(referee.finished(&hidden), None, "{hidden}");
    }
    let others = [
        "W,W,.,./W,W,.,./.,.,.,./.,.,.,. b", // a block of four
        "W,.,.,W/.,.,.,./.,.,.,./W,.,.,W b", // the four corners
        ".,W,.,./.,.,W,./.,.,.,W/W,.,.,. b", // a broken diagonal
        ".,.,W,./.,W,.,./W,.,.,./.,.,.,W b",
    ];
    for shape in others {
        let table = position(&referee, &filled(shape));
        assert_eq!(referee.finished(&table), None, "{table}");
    }
}

#[test]
fn r3_stacks_are_ordered_and_hold_one_piece_of_a_size() {
    // Each piece may lie on a smaller one of either side: A on b, b on C, C on d.
    assert_eq!(problem_count(FULL, FULL, "AbCd,a,B,c/.,.,.,./.,.,.,./.,.,.,. w"), 0);
    // b on top of A; two A on one square, of one side or of both.
    assert_eq!(problem_count(FULL, FULL, "bA,a,.,./.,.,.,./.,.,.,./.,.,.,. w"), 1);
    assert_eq!(problem_count(FULL, FULL, "AA,.,.,./.,.,.,./.,.,.,./.,.,.,. w"), 1);
    assert_eq!(problem_count(FULL, FULL, "aA,.,.,./.,.,.,./.,.,.,./.,.,.,. w"), 1);
    // Both on one square: B on B, and that on A.
    assert_eq!(problem_count(FULL, FULL, "BBA,A,.,./.,.,.,./.,.,.,./.,.,.,. w"), 2);
}

// R2, R9: hands and material.

#[test]
fn r2_a_piece_comes_from_hand_only_when_it_is_outermost() {
    let full = referee(FULL, FULL, "official");
    // Nothing is out: every stack shows A. One A out: its stack shows B. One A and one B out: their
    // stack shows C and the others A, so no B. One of each out: one stack is empty, the others show A.
    for (text, playable) in [
        (".,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "A"),
        ("A,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "AB"),
        ("A,B,.,./.,.,.,./.,.,.,./.,.,.,. w", "AC"),
        ("A,B,C,./.,.,.,./.,.,.,./.,.,.,. w", "AD"),
        ("A,B,C,./.,.,.,D/.,.,.,./.,.,.,. w", "A"),
        // Two A and one B out: stacks show A, B and C.
        ("A,B,A,./.,.,.,./.,.,.,./.,.,.,. w", "ABC"),
        // All three A out: no A. Covered pieces are out too: B lies under a.
        ("A,A,.,A/.,.,.,./.,.,.,./.,.,.,. w", "B"),
        ("A,A,.,A/aB,.,.,./.,.,.,./.,.,.,. w", "BC"),
    ] {
        // d1 is empty in all of them.
        let found: String = "ABCD".chars().filter(|s| is_legal(&full, text, &format!("{s}@d1"))).collect();
        assert_eq!(found, playable, "{text}");
    }
}

#[test]
fn r2_material_is_a_cap_on_top() {
    let text = "A,B,A,./.,.,.,./.,.,.,./.,.,.,. w"; // two A and one B out, as above
    let playable = |white: [u8; 4]| -> String {
        let referee = referee(white, A3, "official");
        "ABCD".chars().filter(|s| is_legal(&referee, text, &format!("{s}@d1"))).collect()
    };
    assert_eq!(playable([3, 3, 1, 0]), "ABC");
    assert_eq!(playable([3, 1, 1, 0]), "AC"); // one B may be used and is
    assert_eq!(playable([2, 2, 0, 0]), "B"); // two A may be used and are; C not at all
    assert_eq!(playable([2, 1, 0, 0]), "");
    // A3B1: the one B can be played whichever A came first: stacks are not told apart.
    assert!(is_legal(&referee([3, 1, 0, 0], A3, "official"), "A,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "B@d1"));
}

#[test]
fn r2_real_stacks_say_the_same_as_the_counts() {
    // For all 256 counts of pieces out: R2's formula for the hand, and whether the counts are nested.
    for code in 0..256_usize {
        let counts = [code / 64, code / 16 % 4, code / 4 % 4, code % 4]; // n_A, n_B, n_C, n_D
        let mut table = Table::empty(true);
        for (size, count) in Size::LARGEST_FIRST.into_iter().zip(counts) {
            // Where they lie does not matter to a hand, so all of them go to a1.
            let pieces = vec![Piece { side: Side::White, size }; count];
            table.stack_mut(Square { file: 0, rank: 0 }).extend(pieces);
        }
        let nested = counts[0] >= counts[1] && counts[1] >= counts[2] && counts[2] >= counts[3];
        let hand = Hand::left_of(&table, Side::White);
        assert_eq!(hand.is_some(), nested, "{counts:?}");
        if let Some(hand) = hand {
            let next_larger = [3, counts[0], counts[1], counts[2]];
            for (place, size) in Size::LARGEST_FIRST.into_iter().enumerate() {
                assert_eq!(
                    hand.is_outermost(size),
                    counts[place] < next_larger[place],
                    "{counts:?} {size:?}"
                );
            }
        }
    }
}

#[test]
fn r2_r9_problems_of_material_and_nesting() {
    let b_alone = "B,.,.,./.,.,.,./.,.,.,./.,.,.,. w"; // no A is out to have opened its stack
    assert_eq!(problem_count(AB3, AB3, b_alone), 1);
    assert_eq!(problem_count(A3, AB3, b_alone), 2); // moreover White of `ab` may use no B
    let four = "A,A,A,./A,.,.,./.,.,.,./.,.,.,. w"; // four A: over any material, and only three stacks
    assert_eq!(problem_count(FULL, FULL, four), 2);
    let b_and_a = "A,B,.,./.,.,.,./.,.,.,./.,.,.,. w";
    assert_eq!(problem_count(AB3, AB3, b_and_a), 0);
    assert_eq!(problem_count(A3, AB3, b_and_a), 1); // R9: B is not White's to use

    // Two B, one allowed.
    assert_eq!(problem_count([3, 1, 0, 0], A3, "A,B,A,./B,.,.,./.,.,.,./.,.,.,. w"), 1);

    // A table with problems is no position and has no moves.
    let referee = referee(AB3, AB3, "official");
    assert!(referee.moves(&Table::parse(b_alone).unwrap()).is_empty());
}

#[test]
fn r2_r9_material_that_is_spelled_out() {
    for good in [[1, 0, 0, 0], [3, 3, 1, 0], [2, 2, 2, 2]] {
        assert!(Referee::new(good, good, "official").is_ok());
    }
    for bad in [[0, 0, 0, 0], [4, 0, 0, 0], [2, 3, 0, 0], [3, 1, 2, 0], [3, 3, 0, 1]] {
        assert!(Referee::new(bad, A3, "official").is_err() && Referee::new(A3, bad, "official").is_err());
    }
    assert!(Referee::new(A3, A3, "Official").is_err() && Referee::new(A3, A3, "").is_err());
}

// R4: from hand.

/// Black b, b, b on a1, b1, c1 and its three a elsewhere, never three in another line: file b has
/// b1, b4; file c c1, c2; file d d4; rank 4 b4, d4; diagonal a1-d4 a1, d4; diagonal a4-d1 c2.
const THREE: &str = ".,a,.,a/.,.,.,./.,.,a,./b,b,b,. w";

#[test]
fn r4_covers_from_hand_one_of_three_in_a_line() {
    // 16 - 6 empty squares, and a1, b1, c1 are covered by A; the a are as large as A.
    for (reading, count) in READINGS.into_iter().zip([13, 13, 13, 10, 10]) {
        let referee = referee(A3, AB3, reading);
        assert_eq!(texts(&referee, THREE).len(), count, "{reading}");
        assert_eq!(is_legal(&referee, THREE, "A@b1"), count == 13, "{reading}");
        assert!(is_legal(&referee, THREE, "A@d1") && !is_legal(&referee, THREE, "A@c2"), "{reading}");
    }
}

#[test]
fn r4_black_may_cover_under_robust_and_white_may_not() {
    // The same with the colours exchanged. Black has only a to play: no a is out, so no b is outermost.
    let text = ".,A,.,A/.,.,.,./.,.,A,./B,B,B,. b";
    for (reading, count) in READINGS.into_iter().zip([13, 13, 13, 10, 13]) {
        assert_eq!(texts(&referee(AB3, A3, reading), text).len(), count, "{reading}");
    }
}

#[test]
fn r4_two_in_a_line_are_not_enough() {
    // b1 moved under an own a (c2): in rank 1 only a1 and c1 are visible. No line has three black.
    let text = ".,a,.,a/.,.,.,./.,.,ab,./b,.,b,. w";
    assert_eq!(texts(&referee(A3, AB3, "official"), text).len(), 11); // the empty squares

    // Three in rank 1, but one of them covered by a white A: two visible. Empty: 16 - 6 = 10.
    let text = ".,a,.,a/.,.,.,./.,.,a,./b,Ab,b,. w";
    let places = texts(&referee(A3, AB3, "official"), text).into_iter().filter(|t| t.contains('@')).count();
    assert_eq!(places, 10);
}

#[test]
fn r4_whatever_stands_on_the_fourth_square() {
    // d1 holds White's own B (size B opened by A a2; another A on d3 leaves one more B in hand).
    let text = ".,a,.,a/.,.,.,A/A,.,a,./b,b,b,B w";
    let referee = referee(AB3, AB3, "official");
    assert!(is_legal(&referee, text, "A@a1"));
    assert!(!is_legal(&referee, text, "A@d1")); // an own piece is never covered from hand
    assert!(is_legal(&referee, text, "B@a3")); // B can be played ...
    assert!(!is_legal(&referee, text, "B@a1")); // ... but b is not smaller than B
    assert!(!is_legal(&referee, text, "A@b4")); // a is not smaller, nor in a three
}

#[test]
fn r4_own_three_in_a_line_give_no_right_to_cover() {
    // White's B, B and A in rank 1, Black's smaller c on d1: one black piece there, three white.
    let text = ".,.,a,b/.,.,.,./.,A,.,./B,B,A,c w";
    let referee = referee(FULL, FULL, "official");
    assert!(is_legal(&referee, text, "A@d2"));
    assert!(!is_legal(&referee, text, "A@d1"));
    assert!(!is_legal(&referee, text, "A@a1")); // and own pieces are never covered from hand
    assert!(is_legal(&referee, text, "b1-d1")); // a transfer covers c without any such right (R5)
}

// R5: on the board.

#[test]
fn r5_transfers_to_empty_squares_and_onto_smaller_pieces_of_either_side() {
    // White A a4, B b4, C c3; Black a a1, a b2, b b1, c c1, and b covered by A on d4.
    let text = "A,B,.,Ab/.,.,C,./.,a,.,./a,b,c,. w";
    let referee = referee(ABC3, ABC3, "official");
    let count = |from: &str| texts(&referee, text).iter().filter(|chosen| chosen.starts_with(from)).count();
    // Empty: c4, three in rank 3, three in rank 2, d1: 8. Each A: these, B, C, b, c; not A, not a: 12.
    assert_eq!((count("a4-"), count("d4-")), (12, 12));
    // B: 8, own C, black c; not b (equal): 10. C: 8. Black's pieces are not White's to move.
    assert_eq!((count("b4-"), count("c3-"), count("a1-"), count("b1-")), (10, 8, 0, 0));
    assert!(is_legal(&referee, text, "a4-b4") && is_legal(&referee, text, "a4-b1"));
    assert!(!is_legal(&referee, text, "a4-a4") && !is_legal(&referee, text, "a4-a1"));
    assert!(!is_legal(&referee, text, "b4-b1") && !is_legal(&referee, text, "a4-d4"));
}

#[test]
fn r5_a_covered_piece_stays_and_is_visible_again_when_uncovered() {
    let referee = referee(A3, AB3, "official");
    let table = position(&referee, "Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. w");
    let after = position(&referee, "b,.,.,a/.,.,.,./.,A,.,./.,.,.,. b");
    assert!(referee.moves(&table).contains(&("a4-b2".to_string(), Judgement::GoesOn(after))));
    // White has 14 empty squares for A from hand and for the A on a4; not onto a.
    assert_eq!(texts(&referee, "Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. w").len(), 28);
    // Black: the b under A does not move; a d4 to 14 squares; from hand a and (n_b = 1 = n_a) no b.
    assert_eq!(texts(&referee, "Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. b").len(), 28);
}

// R6 and the readings. Verdicts are in the order official, thesis, strict-lift, no-entry-cover,
// robust: W and B win, - goes on. Each position comes for White and with the colours changed.

#[test]
fn r6_a_completed_line_wins_and_an_incomplete_one_does_not() {
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./A,A,B,. w", "A@d1"), "WWWWW");
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./A,A,B,. w", "A@d2"), "-----");
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./a,a,b,. b", "A@d1"), "BBBBB");
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./a,a,b,. b", "A@d2"), "-----");
    // By transfer, onto an opponent's piece that stopped the line.
    assert_eq!(verdicts("a,.,.,A/.,.,.,./.,.,.,./A,A,B,b w", "d4-d1"), "WWWWW");
}

#[test]
fn r4_r6_a_cover_from_hand_may_complete_a_line() {
    // Rank 1 has b, b, b on a1 .. c1 (a on b4, d4, c3), file a White's A a4, A a3, B a2: A@a1 wins
    // where White may cover from hand. Where it may not, the move does not exist.
    assert_eq!(verdicts("A,a,.,a/A,.,a,./B,.,.,./b,b,b,. w", "A@a1"), "WWWxx");
    assert_eq!(verdicts("a,A,.,A/a,.,A,./b,.,.,./B,B,B,. b", "A@a1"), "BBBxB");
}

#[test]
fn readings_a_lift_that_uncovers_a_line_and_does_nothing_about_it() {
    // Rank 1 is b (under A), a, a, a: gone from a1, A leaves a black line. All readings: Black wins.
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./Ab,a,a,a w", "a1-a2"), "BBBBB");
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./aB,A,A,A b", "a1-a2"), "WWWWW");
    // For comparison: with d1 empty no line appears, and with a white piece under the A none either.
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./Ab,a,a,. w", "a1-a2"), "-----");
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./AB,a,a,a w", "a1-a2"), "-----");
    // If the A on a1 stays, the line stays covered.
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./Ab,a,a,a w", "A@a2"), "-----");
}

#[test]
fn readings_a_lift_that_uncovers_a_line_and_covers_it_again() {
    // A from a1 uncovers b, b, a, a and lands on b1. At the end no line stands: official and
    // no-entry-cover go on; thesis and strict-lift: lost. robust: lost for White, goes on for Black.
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./Ab,b,a,a w", "a1-b1"), "-BB-B");
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./aB,B,A,A b", "a1-b1"), "-WW--");
}

#[test]
fn readings_a_lift_that_uncovers_a_line_covers_it_again_and_completes_an_own_line() {
    // As before, and file b has White on b2, b3, b4: with b1 a white line. Only it stands at the end.
    // official, no-entry-cover, thesis: the mover wins. strict-lift: the mover loses, whatever it
    // does. robust: White's lift loses; Black's wins as a black line stands.
    assert_eq!(verdicts(".,B,.,./.,A,.,./.,A,.,./Ab,b,a,a w", "a1-b1"), "WWBWB");
    assert_eq!(verdicts(".,b,.,./.,a,.,./.,a,.,./aB,B,A,A b", "a1-b1"), "BBWBB");
}

#[test]
fn readings_a_lift_that_uncovers_a_line_and_completes_an_own_line_elsewhere() {
    // Rank 1 uncovered, rank 4 completed: both lines stand. R6 (official, no-entry-cover): the
    // opponent wins. thesis: the own line wins even so. strict-lift: the mover loses. robust: lines
    // of both colours, Black wins, whoever moved.
    assert_eq!(verdicts("B,A,A,./.,.,.,./.,.,.,./Ab,a,a,a w", "a1-d4"), "BWBBB");
    assert_eq!(verdicts("b,a,a,./.,.,.,./.,.,.,./aB,A,A,A b", "a1-d4"), "WBWWB");
}

#[test]
fn readings_a_lift_that_uncovers_two_lines_of_which_one_can_be_covered() {
    // A a1 over b holds rank 1 (a1 b, b1 c, c1 c, d1 a) and file a (a2 a, a3 a, a4 b). Landing on b1
    // covers rank 1 only: file a stands. All readings: the opponent wins.
    assert_eq!(verdicts("b,.,.,./a,.,.,./a,.,.,./Ab,c,c,a w", "a1-b1"), "BBBBB");
    assert_eq!(verdicts("B,.,.,./A,.,.,./A,.,.,./aB,C,C,A b", "a1-b1"), "WWWWW");
}

#[test]
fn readings_a_lift_cannot_uncover_a_line_of_the_mover() {
    // If the lift showed an own line, that line would stand before: the position is finished, without moves.
    assert_eq!(verdicts(".,.,.,./.,.,.,./.,.,.,./AB,A,A,B w", "a1-a2"), "xxxxx");
}

#[test]
fn finished_positions() {
    let double = "A,A,A,B/.,.,.,./.,.,.,./a,a,a,b"; // a white line and a black one: lost for White
    let white = "A,A,A,B/.,.,.,./.,.,.,./a,a,.,b"; // White's win
    let black = "A,A,.,B/.,.,.,./.,.,.,./a,a,a,b";
    let none = "A,A,.,B/.,.,.,./.,.,.,./a,a,.,b";
    for reading in READINGS {
        let referee = referee(AB3, AB3, reading);
        for side in ["w", "b"] {
            let finished = |board: &str| referee.finished(&position(&referee, &format!("{board} {side}")));
            assert_eq!(finished(double), Some(Judgement::BlackWins));
            assert_eq!(finished(black), Some(Judgement::BlackWins));
            assert_eq!(finished(white), Some(Judgement::WhiteWins));
            assert_eq!(finished(none), None);
            for board in [double, white, black] {
                let table = position(&referee, &format!("{board} {side}"));
                assert!(referee.moves(&table).is_empty());
                assert_eq!((referee.perft(&table, 0), referee.perft(&table, 1)), (1, 0));
            }
        }
    }
}

// R7, R8.

#[test]
fn r7_a_move_is_made_and_the_turn_passes() {
    for reading in READINGS {
        let referee = referee(FULL, FULL, reading);
        // All 24 pieces are out. Ten squares are empty: b3, c3, and ranks 2 and 1.
        let text = "Abcd,aBCD,Abcd,aBCD/aBCD,.,.,Abcd/.,.,.,./.,.,.,. w";
        let table = position(&referee, text);
        let moves = referee.moves(&table);
        // Three A go to ten empty squares each, and nothing can cover an A or a. No piece is in hand.
        assert_eq!(moves.len(), 30);
        for (chosen, judgement) in moves {
            if let Judgement::GoesOn(next) = judgement {
                assert!(!next.white_to_move() && referee.problems(&next).is_empty(), "{chosen}");
            }
        }
    }
}

#[test]
fn r8_play_can_come_back_and_is_never_judged_a_draw() {
    let referee = referee(A3, A3, "official");
    let start = position(&referee, "A,.,.,a/.,.,.,./.,.,.,./.,.,.,. w");
    let mut table = start.clone();
    for chosen in ["a4-a1", "d4-d1", "a1-a4", "d1-d4"] {
        let judgement = referee.moves(&table).into_iter().find(|(legal, _)| legal == chosen);
        let Some((_, Judgement::GoesOn(next))) = judgement else { panic!("{chosen} goes on") };
        table = next;
    }
    assert_eq!(table, start);
}

// Perft by multiplication.

#[test]
fn perft_from_the_empty_board() {
    let [white_first, black_first] = [true, false].map(|side| Table::empty(side).to_string());
    for reading in READINGS {
        // 16 squares for an A; 15 for the other side's A (it may not cover a single A). Then, A and a
        // on the board, 14 empty: White of `ab` has A from hand 14, A transferred 14 = 28.
        assert_eq!(perfts(A3, AB3, reading, &white_first), [16, 240, 240 * 28]);
        // Black first: on ply three it has a 14, b 14, transfer 14 = 42.
        assert_eq!(perfts(A3, AB3, reading, &black_first), [16, 240, 240 * 42]);
    }
    // With B3 on both sides, either side has 42. C and D cannot be out before ply five.
    assert_eq!(perfts(AB3, AB3, "official", &white_first), [16, 240, 240 * 42]);
    assert_eq!(perfts(FULL, FULL, "robust", &black_first), [16, 240, 240 * 42]);
}

#[test]
fn perft_of_plies_three_and_four() {
    // What every one of the 240 positions after ply two has, in `ab`. White to move: after A from
    // hand (14) Black has a 13, b 13, transfer 13 = 39; after the transfer (14): 42.
    // Black to move: after a from hand (14) White has A 13, transfer 13 = 26; after b (14) A 13,
    // transfer 13 and onto b = 27; after the transfer (14) 28. Both sums are 14 * 81.
    for reading in READINGS {
        for side in ["w", "b"] {
            let text = format!(".,.,.,./.,.,.,./.,a,.,./A,.,.,. {side}");
            assert_eq!(perfts(A3, AB3, reading, &text)[1], 14 * 81);
        }
    }
}

#[test]
fn perft_counts_a_move_that_ends_the_game_and_stops_there() {
    // A3 v A3, White to move: A a1, b1 cover nothing; Black has a c4. One A in hand.
    // Ply one: 13 empty squares: A from hand 13, each A transferred 13 -> 39; none ends the game.
    assert_eq!(perfts(A3, A3, "official", ".,.,a,./.,.,.,./.,.,.,./A,A,.,. w")[0], 39);
    // Lost lift: A a1 over b with a, a, a beside it; every one of its 12 transfers loses (the 12
    // empty squares; a is as large), A from hand has 12 squares and goes on. Black then has: all a
    // out; b from hand (n_b = 1) on 11 empty squares, no cover as White shows two pieces; each of three a
    // moves to 11 empty squares and onto no A: 11 + 33 = 44.
    let lift = ".,.,.,./.,.,.,./.,.,.,./Ab,a,a,a w";
    assert_eq!(perfts(A3, AB3, "official", lift)[..2], [24, 12 * 44]);
}

// Text.

#[test]
fn notation_that_is_refused() {
    for text in [
        "",
        ".,.,.,./.,.,.,./.,.,.,./.,.,.,.",    // no side to move
        ".,.,.,./.,.,.,./.,.,.,./.,.,.,. W",  // unknown side
        ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w ", // something after it
        ".,.,.,./.,.,.,./.,.,.,. w",          // three ranks
        ".,.,.,./.,.,.,./.,.,./.,.,.,. w",    // three squares
        ".,.,.,./.,.,.,./.,.,.,,/.,.,.,. w",  // an empty square left out
        ".,.,.,./.,E,.,./.,.,.,./.,.,.,. w",  // no such piece
        ".,.,.,./.,.A,.,./.,.,.,./.,.,.,. w", // empty and not empty
        ".,.,.,./.,.,.,./.,.,.,./.,.,.,.  w", // two spaces
    ] {
        assert!(Table::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn moves_are_sorted_and_listed_once() {
    // Black threes in rank 1 and file c cross on c1: A@c1 is still one move.
    let text = ".,.,.,a/.,.,b,./A,.,c,./a,a,b,. w";
    let list = texts(&referee(A3, FULL, "official"), text);
    assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
    // Seven squares are taken, nine empty; b c1, c c2, b c3 are smaller and in a three.
    assert_eq!(list.iter().filter(|chosen| chosen.contains('@')).count(), 9 + 3);
    assert!(list.contains(&"A@c1".to_string()) && list.contains(&"A@c2".to_string()));
}
