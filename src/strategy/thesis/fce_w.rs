//! FceW of Algorithm 1: positions with Black to move that White must not leave behind.
//!
//! One function a clause, in the thesis's order, in [`CLAUSES`].

use super::clause::{Clause, View};
use super::notions;
use super::options::{Bare, Completable, Unremovable, Untyped};
use super::position_type::PositionType;
use crate::rules::{Color, Outcome, Size};

/// The clauses of FceW. A position is lost if one holds.
pub const CLAUSES: [Clause; 10] = [
    Clause { name: "only-black", holds: only_black },
    Clause { name: "hand-black-on-black", holds: black_a_covers_black_b },
    Clause { name: "hand-more-black-a", holds: more_black_a },
    Clause { name: "hand-visible-b", holds: visible_black_b },
    Clause { name: "hand-no-safe-a", holds: no_safe_a },
    Clause { name: "type-aaabb", holds: type_aaabb },
    Clause { name: "line", holds: black_line },
    Clause { name: "threat", holds: completable_threat },
    Clause { name: "double-threat", holds: coming_double_threat },
    Clause { name: "untyped", holds: untyped },
];

/// "Only black pieces on the board."
#[must_use]
pub fn only_black(view: &View) -> bool {
    notions::only(view.position, Color::Black)
}

/// "While some piece is in hand: a black A covers a black B."
#[must_use]
pub fn black_a_covers_black_b(view: &View) -> bool {
    view.some_in_hand() && !notions::black_on_black(view.position).is_empty()
}

/// "While some piece is in hand: more black A than white A placed."
#[must_use]
pub fn more_black_a(view: &View) -> bool {
    view.some_in_hand()
        && view.position.pieces(Color::Black, Size::A).count()
            > view.position.pieces(Color::White, Size::A).count()
}

/// "While some piece is in hand: a visible black B."
#[must_use]
pub fn visible_black_b(view: &View) -> bool {
    view.some_in_hand() && !notions::visible_b(view.position).is_empty()
}

/// "While some piece is in hand: no safe white A on the board, none in White's hand, and an A that covers no
/// black B." [`Bare`] says whose A the last one is.
#[must_use]
pub fn no_safe_a(view: &View) -> bool {
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
pub fn type_aaabb(view: &View) -> bool {
    PositionType::of(view.position) == Some(PositionType::AaaBb)
}

/// "A black line."
#[must_use]
pub fn black_line(view: &View) -> bool {
    view.position.has_line(Color::Black)
}

/// "A black threat that can be completed", see [`Completable`].
#[must_use]
pub fn completable_threat(view: &View) -> bool {
    match view.options.completable {
        Completable::Empty => notions::threats(view.position).next().is_some(),
        Completable::Wins => notions::black_wins_in_one(view.game, view.position),
    }
}

/// "Black can make a double threat that cannot be removed", see [`Unremovable`].
#[must_use]
pub fn coming_double_threat(view: &View) -> bool {
    let position = view.position.with_turn(Color::Black);
    view.game.moves(&position).any(|mv| match view.game.play_unchecked(&position, mv) {
        Outcome::GoesOn(after) => unremovable_double_threat(&View { position: &after, ..*view }),
        Outcome::BlackWins | Outcome::WhiteWins => false,
    })
}

/// A black double threat, White to move, that cannot be removed, see [`Unremovable`].
#[must_use]
pub fn unremovable_double_threat(view: &View) -> bool {
    match view.options.unremovable {
        Unremovable::Unstoppable => notions::has_unstoppable_threat(view.position),
        Unremovable::NoReply => {
            notions::double_threats(view.position).next().is_some()
                && notions::white_has_no_reply(view.game, view.position)
        }
    }
}

/// With all pieces placed, none of the types: no sentence of FceW, see [`Untyped`].
#[must_use]
pub fn untyped(view: &View) -> bool {
    view.options.untyped == Untyped::Lost && !view.some_in_hand() && PositionType::of(view.position).is_none()
}
