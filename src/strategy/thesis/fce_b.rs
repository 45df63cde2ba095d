//! FceB of Algorithm 1: positions with White to move that Black must not be let into.
//!
//! One function a clause, in the thesis's order, in [`CLAUSES`].

use super::clause::{Clause, View};
use super::fce_w;
use super::notions;
use super::options::{Counted, Held, OnBoard, Scope, Spare, Surplus};
use crate::rules::{Color, Mask, Size};

/// The clauses of FceB. A position is lost if one holds.
pub const CLAUSES: [Clause; 11] = [
    Clause { name: "only-white", holds: only_white },
    Clause { name: "hand-black-on-black", holds: fce_w::black_a_covers_black_b },
    Clause { name: "hand-one-more-black", holds: one_more_black },
    Clause { name: "hand-two-visible-b", holds: two_visible_b },
    Clause { name: "more-b-than-free-a", holds: more_b_than_free_a },
    Clause { name: "b-and-no-safe-a", holds: b_and_no_safe_a },
    Clause { name: "threat-and-b-outside", holds: threat_and_b_outside },
    Clause { name: "threat-holds-free-a", holds: threat_holds_the_free_a },
    Clause { name: "line", holds: fce_w::black_line },
    Clause { name: "double-threat", holds: fce_w::unremovable_double_threat },
    Clause { name: "untyped", holds: fce_w::untyped },
];

/// "Only white pieces on the board."
#[must_use]
pub fn only_white(view: &View) -> bool {
    notions::only(view.position, Color::White)
}

/// "While some piece is in hand: black pieces one more than white A and a visible black B", see [`Counted`]
/// and [`Surplus`].
#[must_use]
pub fn one_more_black(view: &View) -> bool {
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
pub fn two_visible_b(view: &View) -> bool {
    view.some_in_hand() && notions::visible_b(view.position).count() > 1
}

/// "More visible black B than white A that cover nothing", see [`Spare`], in the range of [`Scope`].
#[must_use]
pub fn more_b_than_free_a(view: &View) -> bool {
    let in_hand = match view.options.spare {
        Spare::Board => 0,
        Spare::BoardAndHand => notions::white_a_in_hand(view.game, view.position),
    };
    let spare = notions::free(view.position).count() + in_hand;
    in_range(view) && notions::visible_b(view.position).count() > spare
}

/// "A black B is on the board and, with it taken off, no safe white A remains", in the range of [`Scope`].
/// A B attacks nothing, so taking it off changes nothing: what is left is whether a safe A is there.
#[must_use]
pub fn b_and_no_safe_a(view: &View) -> bool {
    in_range(view) && !b_on_board(view).is_empty() && notions::safe(view.position, view.options).is_empty()
}

/// "A black threat that is not blocked and a black B outside it", in the range of [`Scope`].
#[must_use]
pub fn threat_and_b_outside(view: &View) -> bool {
    let b = b_on_board(view);
    in_range(view) && notions::threats(view.position).any(|line| !(b - line).is_empty())
}

/// "A black threat and the only white A that covers nothing stands in it", see [`Held`], in the range of
/// [`Scope`].
#[must_use]
pub fn threat_holds_the_free_a(view: &View) -> bool {
    let free = notions::free(view.position);
    view.options.held == Held::Three
        && in_range(view)
        && free.count() == 1
        && notions::threes(view.position).any(|line| line.includes(free))
}

/// Whether the clauses of uncertain depth speak of the position.
fn in_range(view: &View) -> bool {
    match view.options.scope {
        Scope::ToTheLine => view.some_in_hand(),
        Scope::ToTheBreak => true,
    }
}

/// The black B that are "on the board", see [`OnBoard`].
fn b_on_board(view: &View) -> Mask {
    match view.options.on_board {
        OnBoard::Any => view.position.pieces(Color::Black, Size::B),
        OnBoard::Visible => notions::visible_b(view.position),
    }
}
