//! FceB of Algorithm 1: positions with White to move that Black must not be able to reach.
//!
//! Each clause is one function. [`CLAUSES`] has them in the thesis's order.

use super::clause::{Clause, ClauseView};
use super::fce_w;
use super::notions;
use super::options::{Counted, Held, OnBoard, Scope, Spare, Surplus};
use crate::rules::{Bitboard, Color, Size};

/// The clauses of FceB. A position is lost if one holds.
pub const CLAUSES: [Clause; 11] = [
    Clause { name: "only-white", reads: &[], holds: only_white },
    Clause { name: "hand-black-on-black", reads: &[], holds: fce_w::black_a_covers_black_b },
    Clause { name: "hand-one-more-black", reads: &["counted", "surplus"], holds: one_more_black },
    Clause { name: "hand-two-visible-b", reads: &[], holds: two_visible_b },
    Clause { name: "more-b-than-free-a", reads: &["spare-a", "scope"], holds: more_b_than_free_a },
    Clause {
        name: "b-and-no-safe-a",
        reads: &["attacked", "safe-a", "b-on-board", "scope"],
        holds: b_and_no_safe_a,
    },
    Clause { name: "threat-and-b-outside", reads: &["b-on-board", "scope"], holds: threat_and_b_outside },
    Clause { name: "threat-holds-free-a", reads: &["held-threat", "scope"], holds: threat_holds_the_free_a },
    Clause { name: "line", reads: &[], holds: fce_w::black_line },
    Clause { name: "double-threat", reads: &["unremovable"], holds: fce_w::unremovable_double_threat },
    Clause { name: "untyped", reads: &["untyped"], holds: fce_w::untyped },
];

/// "Only white pieces on the board."
#[must_use]
pub fn only_white(view: &ClauseView) -> bool {
    notions::only(view.position, Color::White)
}

/// "While some piece is in hand: black pieces one more than white A and a visible black B", see [`Counted`]
/// and [`Surplus`].
#[must_use]
pub fn one_more_black(view: &ClauseView) -> bool {
    let count = |color, size| view.position.pieces(color, size).count();
    let black = match view.options.counted {
        Counted::Pieces => count(Color::Black, Size::A) + count(Color::Black, Size::B),
        Counted::LargeOnly => count(Color::Black, Size::A),
    };
    let white = count(Color::White, Size::A);
    let more = match view.options.surplus {
        Surplus::Exactly => black == white + 1,
        Surplus::AtLeast => black > white,
    };
    view.some_in_hand() && more && !notions::visible_b(view.position).is_empty()
}

/// "While some piece is in hand: more than one visible black B."
#[must_use]
pub fn two_visible_b(view: &ClauseView) -> bool {
    view.some_in_hand() && notions::visible_b(view.position).count() > 1
}

/// "More visible black B than white A that cover nothing", see [`Spare`], in the range of [`Scope`].
#[must_use]
pub fn more_b_than_free_a(view: &ClauseView) -> bool {
    let in_hand = match view.options.spare {
        Spare::Board => 0,
        Spare::BoardAndHand => notions::white_a_in_hand(view.game, view.position),
    };
    let spare = notions::free(view.position).count() + in_hand;
    in_range(view) && notions::visible_b(view.position).count() > spare
}

/// "A black B is on the board and, with it taken off, no safe white A remains", in the range of [`Scope`]. A B attacks
/// nothing, so taking it off makes no A safe or unsafe. The code leaves it there.
#[must_use]
pub fn b_and_no_safe_a(view: &ClauseView) -> bool {
    in_range(view) && !b_on_board(view).is_empty() && notions::safe(view.position, view.options).is_empty()
}

/// "A black threat that is not blocked and a black B outside it", in the range of [`Scope`].
#[must_use]
pub fn threat_and_b_outside(view: &ClauseView) -> bool {
    let b = b_on_board(view);
    in_range(view) && notions::threats(view.position).any(|line| !(b - line).is_empty())
}

/// "A black threat and the only white A that covers nothing stands in it", see [`Held`], in the range of
/// [`Scope`].
#[must_use]
pub fn threat_holds_the_free_a(view: &ClauseView) -> bool {
    let free = notions::free(view.position);
    view.options.held == Held::Three
        && in_range(view)
        && free.count() == 1
        && notions::threes(view.position).any(|line| line.includes(free))
}

/// Whether the clauses whose nesting is lost apply to the position, see [`Scope`].
fn in_range(view: &ClauseView) -> bool {
    match view.options.scope {
        Scope::ToTheLine => view.some_in_hand(),
        Scope::ToTheBreak => true,
    }
}

/// The black B that are "on the board", see [`OnBoard`].
fn b_on_board(view: &ClauseView) -> Bitboard {
    match view.options.on_board {
        OnBoard::Any => view.position.pieces(Color::Black, Size::B),
        OnBoard::Visible => notions::visible_b(view.position),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{holds, only_reads_its_options};
    use super::*;

    #[test]
    fn each_clause_has_a_position_for_and_one_against() {
        let cases = [
            ("only-white", "", "A,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "A,.,.,./.,.,.,./.,.,.,./.,.,.,a w"),
            (
                "hand-black-on-black",
                "",
                "ab,.,.,./.,.,.,./.,.,.,./.,.,.,A w",
                "ab,.,.,Ab/.,.,.,./.,a,.,./.,Ab,A,a w",
            ),
            (
                "hand-one-more-black",
                "",
                "a,b,.,./.,.,.,./.,.,.,./.,.,.,A w",
                "a,b,.,./.,.,.,./.,.,.,./A,.,.,A w",
            ),
            (
                "hand-one-more-black",
                "counted=a",
                "a,a,b,./.,.,.,./.,.,.,./.,.,.,A w",
                "a,b,.,./.,.,.,./.,.,.,./.,.,.,A w",
            ),
            (
                "hand-one-more-black",
                "surplus=at-least-one",
                "a,a,b,./.,.,.,./.,.,.,./.,.,.,A w",
                "a,a,b,./A,.,.,./.,.,.,./A,.,.,A w",
            ),
            (
                "hand-two-visible-b",
                "",
                "a,a,b,b/A,.,.,./.,.,.,./.,.,.,A w",
                "a,a,b,Ab/.,.,.,./.,.,.,./.,.,.,A w",
            ),
            (
                "more-b-than-free-a",
                "",
                "a,a,b,Ab/.,.,.,./.,.,.,./.,.,.,. w",
                "a,a,b,Ab/.,.,.,./.,.,.,./.,.,.,A w",
            ),
            (
                "b-and-no-safe-a",
                "",
                "a,a,A,Ab/.,.,.,./.,.,.,./.,.,.,. w",
                "a,a,.,Ab/.,.,A,./.,.,.,./.,.,.,. w",
            ),
            (
                "b-and-no-safe-a",
                "b-on-board=visible",
                "a,a,A,A/.,.,.,./.,.,.,./.,.,.,b w",
                "a,a,A,Ab/.,.,.,./.,.,.,./.,.,.,. w",
            ),
            (
                "threat-and-b-outside",
                "",
                "a,a,a,./.,.,A,./A,.,.,./.,.,.,Ab w",
                "a,a,b,./.,.,A,./A,.,.,./.,.,.,A w",
            ),
            (
                "threat-and-b-outside",
                "b-on-board=visible",
                "a,a,a,./.,.,A,./A,.,.,./.,.,.,b w",
                "a,a,a,./.,.,A,./A,.,.,./.,.,.,Ab w",
            ),
            (
                "threat-holds-free-a",
                "",
                "a,a,a,A/.,.,Ab,./.,.,.,./.,.,.,. w",
                "a,a,a,A/.,.,Ab,./A,.,.,./.,.,.,. w",
            ),
            ("line", "", "a,b,a,b/.,.,.,./.,.,.,./A,.,.,. w", "a,b,a,Ab/.,.,.,./.,.,.,./.,.,.,. w"),
            ("double-threat", "", "a,b,b,./a,.,.,./a,.,.,./.,.,.,A w", "b,b,a,./a,.,.,./a,.,.,./.,.,.,A w"),
            (
                "untyped",
                "untyped=lost",
                "A,A,A,./.,.,b,./.,.,a,b/a,a,.,b w",
                "Ab,A,A,./.,.,b,./.,.,a,b/a,a,.,. w",
            ),
        ];
        for (name, options, for_it, against) in cases {
            assert!(holds(&CLAUSES, name, options, for_it), "{name} {options} must hold in {for_it}");
            assert!(!holds(&CLAUSES, name, options, against), "{name} {options} must not hold in {against}");
        }
        for clause in CLAUSES {
            assert!(cases.iter().any(|(name, ..)| *name == clause.name), "{} has no case", clause.name);
        }
        let hand = "a,a,b,Ab/.,.,.,./.,.,.,./.,.,.,. w";
        assert!(!holds(&CLAUSES, "more-b-than-free-a", "spare-a=board-and-hand", hand));
        let held = "a,a,a,A/.,.,Ab,./.,.,.,./.,.,.,. w";
        assert!(!holds(&CLAUSES, "threat-holds-free-a", "held-threat=threat", held));
    }

    #[test]
    fn a_clause_reads_the_options_that_it_names_and_no_other() {
        only_reads_its_options(&CLAUSES, "w");
    }
}
