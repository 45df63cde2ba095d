//! FceW of Algorithm 1: positions with Black to move that White must not move into.
//!
//! Each clause is one function. [`CLAUSES`] has them in the thesis's order.

use super::clause::{Clause, ClauseView};
use super::notions;
use super::options::{Bare, Completable, Unremovable, Untyped};
use super::position_type::PositionType;
use crate::prelude::*;
use crate::rules::{Color, Outcome, Size};

/// The clauses of FceW. A position is lost if one holds.
pub const CLAUSES: [Clause; 10] = [
    Clause { name: "only-black", reads: &[], holds: only_black },
    Clause { name: "hand-black-on-black", reads: &[], holds: black_a_covers_black_b },
    Clause { name: "hand-more-black-a", reads: &[], holds: more_black_a },
    Clause { name: "hand-visible-b", reads: &[], holds: visible_black_b },
    Clause { name: "hand-no-safe-a", reads: &["attacked", "safe-a", "bare-a"], holds: no_safe_a },
    Clause { name: "type-aaabb", reads: &[], holds: type_aaabb },
    Clause { name: "line", reads: &[], holds: black_line },
    Clause { name: "threat", reads: &["completable"], holds: completable_threat },
    Clause { name: "double-threat", reads: &["unremovable"], holds: coming_double_threat },
    Clause { name: "untyped", reads: &["untyped"], holds: untyped },
];

/// "Only black pieces on the board."
#[must_use]
pub fn only_black(view: &ClauseView) -> bool {
    notions::only(view.position, Color::Black)
}

/// "While some piece is in hand: a black A covers a black B."
#[must_use]
pub fn black_a_covers_black_b(view: &ClauseView) -> bool {
    view.some_in_hand() && !notions::black_on_black(view.position).is_empty()
}

/// "While some piece is in hand: more black A than white A placed."
#[must_use]
pub fn more_black_a(view: &ClauseView) -> bool {
    view.some_in_hand()
        && view.position.pieces(Color::Black, Size::A).count()
            > view.position.pieces(Color::White, Size::A).count()
}

/// "While some piece is in hand: a visible black B."
#[must_use]
pub fn visible_black_b(view: &ClauseView) -> bool {
    view.some_in_hand() && !notions::visible_b(view.position).is_empty()
}

/// "While some piece is in hand: no safe white A on the board, none in White's hand, and an A that covers no
/// black B." [`Bare`] says whose A the last one is.
#[must_use]
pub fn no_safe_a(view: &ClauseView) -> bool {
    let bare = match view.options.bare {
        Bare::Black => {
            view.position.pieces(Color::Black, Size::A) - view.position.pieces(Color::Black, Size::B)
        }
        Bare::White => notions::free(view.position),
    };
    view.some_in_hand()
        && notions::safe(view.position, view.options).is_empty()
        && notions::white_a_in_hand(view.game, view.position) == 0
        && !bare.is_empty()
}

/// "The type is AAABB."
#[must_use]
pub fn type_aaabb(view: &ClauseView) -> bool {
    PositionType::of(view.position) == Some(PositionType::AaaBb)
}

/// "A black line."
#[must_use]
pub fn black_line(view: &ClauseView) -> bool {
    view.position.has_line(Color::Black)
}

/// "A black threat that can be completed", see [`Completable`].
#[must_use]
pub fn completable_threat(view: &ClauseView) -> bool {
    match view.options.completable {
        Completable::Empty => notions::threats(view.position).next().is_some(),
        Completable::Wins => notions::black_wins_in_one(view.game, view.position),
    }
}

/// "Black can make a double threat that cannot be removed", see [`Unremovable`].
#[must_use]
pub fn coming_double_threat(view: &ClauseView) -> bool {
    let position = view.position.with_turn(Color::Black);
    // A double threat needs five visible black pieces in two crossing lines without a white A. A black move adds at
    // most one of them and drives no white A away, so four must be there already.
    if notions::open_crossings(&position, 4).next().is_none() {
        return false;
    }
    view.game.moves(&position).any(|mv| match view.game.play_unchecked(&position, mv) {
        Outcome::GoesOn(after) => unremovable_double_threat(&ClauseView { position: &after, ..*view }),
        Outcome::BlackWins | Outcome::WhiteWins => false,
    })
}

/// A black double threat, White to move, that cannot be removed, see [`Unremovable`].
#[must_use]
pub fn unremovable_double_threat(view: &ClauseView) -> bool {
    match view.options.unremovable {
        Unremovable::Unstoppable => notions::has_unstoppable_threat(view.position),
        Unremovable::NoReply => {
            notions::double_threats(view.position).next().is_some()
                && notions::white_has_no_reply(view.game, view.position)
        }
    }
}

/// All pieces are placed and the position has no type. FceW has no such sentence, see [`Untyped`].
#[must_use]
pub fn untyped(view: &ClauseView) -> bool {
    view.options.untyped == Untyped::Lost && !view.some_in_hand() && PositionType::of(view.position).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{holds, only_reads_its_options};
    use super::*;

    #[test]
    fn each_clause_has_a_position_for_and_one_against() {
        let cases = [
            ("only-black", "", "a,.,.,./.,.,.,./.,.,.,./.,.,.,. b", "a,.,.,./.,.,.,./.,.,.,./.,.,.,A b"),
            (
                "hand-black-on-black",
                "",
                "ab,.,.,./.,.,.,./.,.,.,./.,.,.,A b",
                "ab,.,.,Ab/.,.,.,./.,a,.,./.,Ab,A,a b",
            ),
            (
                "hand-more-black-a",
                "",
                "a,a,.,./.,.,.,./.,.,.,./.,.,.,A b",
                "a,a,.,./.,.,.,./.,.,.,./A,.,.,A b",
            ),
            ("hand-visible-b", "", "a,.,.,./.,b,.,./.,.,.,./.,.,.,A b", "a,.,.,./.,.,.,./.,.,.,./.,.,.,Ab b"),
            ("hand-no-safe-a", "", "a,a,A,A/A,.,.,./.,.,.,./a,.,.,. b", "a,a,.,A/A,.,.,./.,.,.,./a,.,.,A b"),
            ("hand-no-safe-a", "", "a,a,A,A/A,.,.,./.,.,.,./a,.,.,. b", "a,a,A,A/.,.,.,./.,.,.,./.,.,.,. b"),
            (
                "hand-no-safe-a",
                "bare-a=white",
                "a,a,A,./Ab,.,.,./A,.,.,./a,.,.,. b",
                "a,a,Ab,./Ab,.,.,./Ab,.,.,./a,.,.,. b",
            ),
            (
                "hand-no-safe-a",
                "safe-a=free",
                "a,a,A,./.,.,.,./.,Ab,.,./.,.,.,Ab b",
                "a,a,Ab,./.,.,.,./.,A,.,./.,.,.,Ab b",
            ),
            (
                "hand-no-safe-a",
                "safe-a=free attacked=exactly-two",
                "a,a,A,./.,.,.,./.,Ab,.,./a,.,.,Ab b",
                "a,a,A,a/.,.,.,./.,Ab,.,./.,.,.,Ab b",
            ),
            ("type-aaabb", "", "Ab,A,A,./.,.,b,./.,.,a,b/a,a,.,. b", "Ab,Ab,A,./.,.,b,./.,.,a,./a,a,.,. b"),
            ("line", "", "a,b,a,b/.,.,.,./.,.,.,./A,.,.,. b", "a,b,a,Ab/.,.,.,./.,.,.,./.,.,.,. b"),
            ("threat", "", "a,b,a,./.,.,.,./.,.,.,./A,.,.,. b", "a,b,a,A/.,.,.,./.,.,.,./.,.,.,. b"),
            (
                "threat",
                "completable=wins",
                "a,a,a,./.,Ab,.,./.,.,Ab,./A,.,.,. b",
                "a,a,a,./.,Ab,.,./.,.,Ab,./Ab,.,.,. b",
            ),
            ("double-threat", "", ".,b,b,./a,.,.,./.,.,.,./a,.,.,. b", ".,b,b,A/a,.,.,./.,.,.,./a,.,.,. b"),
            (
                "double-threat",
                "unremovable=no-reply",
                ".,b,b,./a,.,.,./.,.,.,./a,.,.,. b",
                ".,b,b,A/a,.,.,./.,.,.,./a,.,.,. b",
            ),
            (
                "untyped",
                "untyped=lost",
                "A,A,A,./.,.,b,./.,.,a,b/a,a,.,b b",
                "Ab,A,A,./.,.,b,./.,.,a,b/a,a,.,. b",
            ),
        ];
        for (name, options, for_it, against) in cases {
            assert!(holds(&CLAUSES, name, options, for_it), "{name} {options} must hold in {for_it}");
            assert!(!holds(&CLAUSES, name, options, against), "{name} {options} must not hold in {against}");
        }
        for clause in CLAUSES {
            assert!(cases.iter().any(|(name, ..)| *name == clause.name), "{} has no case", clause.name);
        }
    }

    #[test]
    fn a_clause_reads_the_options_that_it_names_and_no_other() {
        only_reads_its_options(&CLAUSES, "b");
    }
}
