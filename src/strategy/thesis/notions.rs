//! The notions of chapter 3 and section 6.1, as sets of squares and lines of a position.
//!
//! They are defined for White A3 against Black A3 B3. There a white piece is always an A, and what it covers is always
//! a black B.

use super::options::{Attacked, Options, Safe};
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, LINES, Outcome, Position, Size};

/// The pairs of lines that cross, each with the square they share.
const CROSSINGS: [(Bitboard, Bitboard, Bitboard); 32] = {
    let mut found = [(Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY); 32];
    let (mut i, mut n) = (0, 0);
    while i < LINES.len() {
        let mut j = i + 1;
        while j < LINES.len() {
            let shared = LINES[i].0 & LINES[j].0;
            if shared != 0 {
                found[n] = (LINES[i], LINES[j], Bitboard(shared));
                n += 1;
            }
            j += 1;
        }
        i += 1;
    }
    found
};

/// The diagonals' squares.
pub const DIAGONALS: Bitboard = Bitboard(LINES[8].0 | LINES[9].0);

/// Free: white A on the board that cover no black piece.
#[must_use]
pub fn free(position: &Position) -> Bitboard {
    position.pieces(Color::White, Size::A) - position.pieces(Color::Black, Size::B)
}

/// Attacked: white A that stand in a line with two black A, see [`Attacked`].
#[must_use]
pub fn attacked(position: &Position, reading: Attacked) -> Bitboard {
    let black = position.pieces(Color::Black, Size::A);
    let attacks = |line: &&Bitboard| match reading {
        Attacked::TwoOrMore => (**line & black).count() >= 2,
        Attacked::ExactlyTwo => (**line & black).count() == 2,
    };
    let lines = LINES.iter().filter(attacks);
    position.pieces(Color::White, Size::A) & lines.fold(Bitboard::EMPTY, |union, &line| union | line)
}

/// Safe: white A that are not attacked, see [`Attacked`] and [`Safe`].
#[must_use]
pub fn safe(position: &Position, options: &Options) -> Bitboard {
    let candidates = match options.safe {
        Safe::Any => position.pieces(Color::White, Size::A),
        Safe::Free => free(position),
    };
    candidates - attacked(position, options.attacked)
}

/// Black A that cover a black B.
#[must_use]
pub fn black_on_black(position: &Position) -> Bitboard {
    position.pieces(Color::Black, Size::A) & position.pieces(Color::Black, Size::B)
}

/// Visible black B.
#[must_use]
pub fn visible_b(position: &Position) -> Bitboard {
    position.visible_of(Color::Black, Size::B)
}

/// The lines that hold three visible black pieces, whatever stands on the fourth square.
pub fn threes(position: &Position) -> impl Iterator<Item = Bitboard> + use<> {
    let black = position.visible(Color::Black);
    LINES.into_iter().filter(move |&line| (line & black).count() == 3)
}

/// Threat: three visible black pieces in a line with no white A in it. The fourth square is empty, since a
/// black piece there would make it a line.
pub fn threats(position: &Position) -> impl Iterator<Item = Bitboard> + use<> {
    let white = position.pieces(Color::White, Size::A);
    threes(position).filter(move |&line| !line.meets(white))
}

/// Double threats: pairs of crossing lines without a white A that together hold five visible black pieces or more. Each
/// is given as the union of its lines and the square they share.
pub fn double_threats(position: &Position) -> impl Iterator<Item = (Bitboard, Bitboard)> + use<> {
    open_crossings(position, 5)
}

/// The pairs of crossing lines without a white A that together hold at least `pieces` visible black pieces, each as the
/// union of its lines and the square they share.
pub fn open_crossings(
    position: &Position,
    pieces: u32,
) -> impl Iterator<Item = (Bitboard, Bitboard)> + use<> {
    let black = position.visible(Color::Black);
    let white = position.pieces(Color::White, Size::A);
    CROSSINGS
        .into_iter()
        .map(|(one, other, shared)| (one | other, shared))
        .filter(move |&(lines, _)| (lines & black).count() >= pieces && !lines.meets(white))
}

/// Unstoppable threat: a double threat with a black A on the shared square. Five pieces, one of them on the shared
/// square, make three in each line unless a line is complete.
#[must_use]
pub fn has_unstoppable_threat(position: &Position) -> bool {
    let black = position.pieces(Color::Black, Size::A);
    double_threats(position).any(|(_, shared)| black.includes(shared))
}

/// Whether Black wins with one move, if it is Black's turn.
#[must_use]
pub fn black_wins_in_one(game: &Game, position: &Position) -> bool {
    let position = position.with_turn(Color::Black);
    // A move adds one visible black piece to a line at most, so without a three there is nothing to look for.
    threes(&position).next().is_some()
        && game.moves(&position).any(|mv| game.play_unchecked(&position, mv) == Outcome::BlackWins)
}

/// Whether every white move, if it is White's turn, loses at once or lets Black win with the next move.
#[must_use]
pub fn white_has_no_reply(game: &Game, position: &Position) -> bool {
    let position = position.with_turn(Color::White);
    !game.moves(&position).any(|mv| match game.play_unchecked(&position, mv) {
        Outcome::WhiteWins => true,
        Outcome::BlackWins => false,
        Outcome::GoesOn(after) => !black_wins_in_one(game, &after),
    })
}

/// Whether the board holds a piece of this colour and none of the other.
#[must_use]
pub fn only(position: &Position, color: Color) -> bool {
    let on_board = |color| Size::ALL.into_iter().any(|size| !position.pieces(color, size).is_empty());
    on_board(color) && !on_board(!color)
}

/// Whether some piece of either side is in hand.
#[must_use]
pub fn some_in_hand(game: &Game, position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let left =
            |size| position.pieces(color, size).count() < u32::from(game.variant.material(color).count(size));
        Size::ALL.into_iter().any(left)
    })
}

/// How many A White has in hand.
#[must_use]
pub fn white_a_in_hand(game: &Game, position: &Position) -> u32 {
    u32::from(game.variant.white.count(Size::A))
        .saturating_sub(position.pieces(Color::White, Size::A).count())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{game, position};
    use super::*;

    fn squares(mask: Bitboard) -> String {
        mask.squares().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn crossings_are_the_32_pairs_of_lines_that_share_a_square() {
        // 16 of a file and a rank, 16 of a diagonal and a file or rank; the diagonals do not meet.
        assert!(CROSSINGS.iter().all(|(one, other, shared)| *one & *other == *shared && shared.count() == 1));
        let mut pairs = CROSSINGS.to_vec();
        pairs.sort();
        pairs.dedup();
        assert_eq!(pairs.len(), 32);
        assert_eq!(DIAGONALS.count(), 8);
    }

    #[test]
    fn a_white_a_is_free_if_it_covers_nothing_and_safe_if_no_two_black_a_share_its_line() {
        let p = position("Ab,.,.,./A,.,.,./.,.,.,./a,a,A,. w");
        assert_eq!(squares(free(&p)), "c1 a3");
        assert_eq!(squares(attacked(&p, Attacked::TwoOrMore)), "c1");
        assert_eq!(squares(safe(&p, &Options::default())), "a3 a4");
        assert_eq!(squares(safe(&p, &Options { safe: Safe::Free, ..Options::default() })), "a3");
        assert_eq!(squares(visible_b(&p)), "");
    }

    #[test]
    fn a_third_black_a_attacks_or_does_not() {
        let p = position(".,.,.,./.,.,.,./.,.,.,./a,a,A,a w");
        assert_eq!(squares(attacked(&p, Attacked::TwoOrMore)), "c1");
        assert_eq!(squares(attacked(&p, Attacked::ExactlyTwo)), "");
    }

    #[test]
    fn black_a_that_cover_black_b() {
        let p = position("Ab,.,.,b/A,.,.,./.,.,.,./ab,a,A,a w");
        assert_eq!(squares(black_on_black(&p)), "a1");
        assert_eq!(squares(visible_b(&p)), "d4");
    }

    #[test]
    fn a_threat_is_a_three_without_a_white_a() {
        let open = position("a,b,a,./.,.,.,./.,.,.,./.,.,.,. b");
        assert_eq!((threes(&open).count(), threats(&open).count()), (1, 1));
        let blocked = position("a,b,a,A/.,.,.,./.,.,.,./.,.,.,. b");
        assert_eq!((threes(&blocked).count(), threats(&blocked).count()), (1, 0));
        let covered = position("a,Ab,a,./.,.,.,./.,.,.,./.,.,a,. b");
        assert_eq!((threes(&covered).count(), threats(&covered).count()), (0, 0));
    }

    #[test]
    fn a_double_threat_on_a_black_a_is_unstoppable() {
        let on_a = position("a,b,b,./a,.,.,./a,.,.,./.,.,.,. w");
        assert_eq!(double_threats(&on_a).count(), 1);
        assert!(has_unstoppable_threat(&on_a));
        assert!(white_has_no_reply(&game(), &on_a));
        let on_b = position("b,a,b,./a,.,.,./a,.,.,A/A,.,A,. w");
        assert_eq!(double_threats(&on_b).count(), 0, "a white A stands in one of the lines");
        let on_b = position("b,a,b,./a,.,.,./a,.,.,A/.,.,A,. w");
        assert_eq!(double_threats(&on_b).count(), 1);
        assert!(!has_unstoppable_threat(&on_b));
        assert!(!white_has_no_reply(&game(), &on_b), "c2-a4 covers the shared square");
    }

    #[test]
    fn winning_in_one_needs_a_piece_to_win_with() {
        let spare = position("a,b,a,./.,.,.,./.,.,a,./.,.,.,. b");
        assert!(black_wins_in_one(&game(), &spare));
        let from_hand = position("a,b,a,./.,.,.,./.,.,.,./.,.,.,. b");
        assert!(black_wins_in_one(&game(), &from_hand));
        let none_left = position("a,a,a,./.,Ab,.,./.,.,Ab,./Ab,.,.,. b");
        assert_eq!(threats(&none_left).count(), 1);
        assert!(!black_wins_in_one(&game(), &none_left));
        let under_one_of_the_three = position("ab,a,a,./.,Ab,.,./.,.,Ab,./A,.,.,. b");
        assert!(black_wins_in_one(&game(), &under_one_of_the_three), "a4-d4 shows the b under it");
    }

    #[test]
    fn what_is_in_hand() {
        let empty = position(".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
        assert!(some_in_hand(&game(), &empty) && white_a_in_hand(&game(), &empty) == 3);
        assert!(!only(&empty, Color::White) && !only(&empty, Color::Black));
        let black = position("a,.,.,./.,.,.,./.,.,.,./.,.,.,. b");
        assert!(only(&black, Color::Black) && !only(&black, Color::White));
        let all = position("a,a,a,./.,Ab,.,./.,.,Ab,./Ab,.,.,. b");
        assert!(!some_in_hand(&game(), &all) && white_a_in_hand(&game(), &all) == 0);
        let black_only = position("a,a,a,./.,Ab,.,./.,.,Ab,./A,.,.,. b");
        assert!(some_in_hand(&game(), &black_only) && white_a_in_hand(&game(), &black_only) == 0);
    }
}
