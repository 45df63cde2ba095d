//! StratW of Algorithm 1: the moves that White may play.
//!
//! The rules are tried in the thesis's order, and the first that allows a legal move decides. Of the moves that it
//! allows, one has to keep White out of W. The thesis states this order for the rules with pieces in hand ("if none of
//! the above can be played"). The other rules are read in the same way, since stopping at a rule without a legal move
//! could only make Algorithm 1 fail.

use super::clause::ClauseView;
use super::notions;
use super::options::{Blocked, FromHand};
use super::position_type::PositionType;
use crate::rules::{Bitboard, Color, Move, Size};

/// A rule of StratW.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name in reports.
    pub name: &'static str,
    /// The moves that it allows, legal or not: none if it does not apply.
    pub moves: fn(&ClauseView) -> Vec<Move>,
}

/// The rules with pieces in hand.
pub const IN_HAND: [Rule; 5] = [
    Rule { name: "hand-cover-b-in-threat", moves: cover_b_in_threat },
    Rule { name: "hand-block-threat", moves: block_threat },
    Rule { name: "hand-cover-b", moves: cover_visible_b },
    Rule { name: "hand-place-on-diagonal", moves: place_on_diagonal },
    Rule { name: "hand-move-free-a", moves: move_free_a },
];

/// The rules of type AAAB.
pub const AAAB: [Rule; 1] = [Rule { name: "AAAB-cover-b", moves: cover_b_with_any_a }];

/// The rules of type AAABB.
pub const AAABB: [Rule; 4] = [
    Rule { name: "AAABB-cover-shared-b", moves: cover_shared_b },
    Rule { name: "AAABB-cover-b-in-threat", moves: cover_b_in_threat_with_any_a },
    Rule { name: "AAABB-block-threat", moves: move_free_a_into_threat },
    Rule { name: "AAABB-cover-b", moves: cover_b_with_any_a },
];

/// The rules of type AAA.
pub const AAA: [Rule; 3] = [
    Rule { name: "AAA-block-threat", moves: move_any_a_into_threat },
    Rule { name: "AAA-keep-block", moves: move_a_outside_threes },
    Rule { name: "AAA-move-a", moves: move_any_a_without_threes },
];

/// The rules of type AAAb.
pub const AAA_COVERING: [Rule; 4] = [
    Rule { name: "AAAb-block-threat", moves: move_free_a_into_threat },
    Rule { name: "AAAb-blocker-covers", moves: move_free_a_beside_covering_blocker },
    Rule { name: "AAAb-blocker-free", moves: move_other_a_beside_free_blocker },
    Rule { name: "AAAb-move-free-a", moves: move_free_a_without_threes },
];

/// The rules of type AAbAb.
pub const AA_COVERING_TWICE: [Rule; 3] = [
    Rule { name: "AAbAb-block-threat", moves: move_free_a_into_threat },
    Rule { name: "AAbAb-keep-block", moves: move_free_a_outside_threes },
    Rule { name: "AAbAb-move-free-a", moves: move_free_a_without_threes },
];

/// The rules of type AAAbB.
pub const AAA_COVERING_B: [Rule; 3] = [
    Rule { name: "AAAbB-block-threat", moves: move_free_a_into_threat },
    Rule { name: "AAAbB-keep-block", moves: cover_b_from_outside_threes },
    Rule { name: "AAAbB-cover-b", moves: cover_b_without_threes },
];

/// The rules for a position; none if all pieces are placed and it has no type.
#[must_use]
pub fn rules(view: &ClauseView) -> &'static [Rule] {
    if view.some_in_hand() {
        return &IN_HAND;
    }
    match PositionType::of(view.position) {
        Some(PositionType::Aaa) => &AAA,
        Some(PositionType::AaaCovering) => &AAA_COVERING,
        Some(PositionType::AaCoveringTwice) => &AA_COVERING_TWICE,
        Some(PositionType::AaaB) => &AAAB,
        Some(PositionType::AaaCoveringB) => &AAA_COVERING_B,
        Some(PositionType::AaaBb) => &AAABB,
        None => &[],
    }
}

/// The first rule that allows a legal move, and the legal moves that it allows.
#[must_use]
pub fn moves(view: &ClauseView) -> (&'static str, Vec<Move>) {
    for rule in rules(view) {
        let mut moves = (rule.moves)(view);
        moves.sort();
        moves.dedup();
        moves.retain(|&mv| is_legal(view, mv));
        if !moves.is_empty() {
            return (rule.name, moves);
        }
    }
    ("none", Vec::new())
}

fn is_legal(view: &ClauseView, mv: Move) -> bool {
    let position = view.position.with_turn(Color::White);
    match mv {
        Move::Place { size, to } => view.game.places(&position, size).contains(to),
        Move::Transfer { from, to } => {
            position.finished().is_none()
                && from != to
                && position.pieces(Color::White, Size::A).contains(from)
                && !position.barred(Size::A).contains(to)
        }
    }
}

/// In hand: "threat: cover a black B in it with an A that covers nothing", see [`Blocked`] and [`FromHand`].
#[must_use]
pub fn cover_b_in_threat(view: &ClauseView) -> Vec<Move> {
    let targets = lines_of_threat(view) & notions::visible_b(view.position);
    let mut moves = transfers(notions::free(view.position), targets);
    if view.options.from_hand == FromHand::Yes {
        moves.extend(places(targets));
    }
    moves
}

/// In hand: "else put an A, from hand or one that covers nothing, on the threat's empty square".
#[must_use]
pub fn block_threat(view: &ClauseView) -> Vec<Move> {
    let targets = union(notions::threats(view.position)) - view.position.occupied();
    let mut moves = transfers(notions::free(view.position), targets);
    moves.extend(places(targets));
    moves
}

/// In hand: "cover a visible black B with an A that covers nothing".
#[must_use]
pub fn cover_visible_b(view: &ClauseView) -> Vec<Move> {
    transfers(notions::free(view.position), notions::visible_b(view.position))
}

/// In hand: "place an A from hand on a diagonal".
#[must_use]
pub fn place_on_diagonal(view: &ClauseView) -> Vec<Move> {
    places(notions::DIAGONALS - view.position.occupied())
}

/// In hand: "move an A that covers nothing".
#[must_use]
pub fn move_free_a(view: &ClauseView) -> Vec<Move> {
    transfers(notions::free(view.position), Bitboard::ALL)
}

/// AAAB: "cover the B". AAABB: "else cover a B". The text does not say with which A.
#[must_use]
pub fn cover_b_with_any_a(view: &ClauseView) -> Vec<Move> {
    transfers(any_a(view), notions::visible_b(view.position))
}

/// AAABB: "a double threat with a B on the shared square: cover that B" with an A that covers nothing.
#[must_use]
pub fn cover_shared_b(view: &ClauseView) -> Vec<Move> {
    let shared = union(notions::double_threats(view.position).map(|(_, shared)| shared));
    transfers(notions::free(view.position), shared & notions::visible_b(view.position))
}

/// AAABB: "a threat: cover a B in it", see [`Blocked`]. The text does not say with which A.
#[must_use]
pub fn cover_b_in_threat_with_any_a(view: &ClauseView) -> Vec<Move> {
    transfers(any_a(view), lines_of_threat(view) & notions::visible_b(view.position))
}

/// "A threat with an empty square: one that covers nothing goes there" (AAAb, AAbAb, AAAbB, AAABB).
#[must_use]
pub fn move_free_a_into_threat(view: &ClauseView) -> Vec<Move> {
    let targets = union(notions::threats(view.position)) - view.position.occupied();
    transfers(notions::free(view.position), targets)
}

/// AAA: "a threat with an empty square: any A goes there".
#[must_use]
pub fn move_any_a_into_threat(view: &ClauseView) -> Vec<Move> {
    let targets = union(notions::threats(view.position)) - view.position.occupied();
    transfers(any_a(view), targets)
}

/// AAA: "a threat with a white A in it: move any other A".
#[must_use]
pub fn move_a_outside_threes(view: &ClauseView) -> Vec<Move> {
    match blockers(view) {
        Bitboard::EMPTY => Vec::new(),
        blockers => transfers(any_a(view) - blockers, Bitboard::ALL),
    }
}

/// AAA: "no threat: move any A".
#[must_use]
pub fn move_any_a_without_threes(view: &ClauseView) -> Vec<Move> {
    if has_three(view) { Vec::new() } else { transfers(any_a(view), Bitboard::ALL) }
}

/// AAAb: "a threat with a white A in it: move the A that covers nothing if the blocker covers a B".
#[must_use]
pub fn move_free_a_beside_covering_blocker(view: &ClauseView) -> Vec<Move> {
    let free = notions::free(view.position);
    if (blockers(view) - free).is_empty() { Vec::new() } else { transfers(free, Bitboard::ALL) }
}

/// AAAb: "a threat with a white A in it: else move another".
#[must_use]
pub fn move_other_a_beside_free_blocker(view: &ClauseView) -> Vec<Move> {
    match blockers(view) {
        Bitboard::EMPTY => Vec::new(),
        blockers => transfers(any_a(view) - blockers, Bitboard::ALL),
    }
}

/// AAAb, AAbAb: "no threat: move an A that covers nothing".
#[must_use]
pub fn move_free_a_without_threes(view: &ClauseView) -> Vec<Move> {
    if has_three(view) { Vec::new() } else { move_free_a(view) }
}

/// AAbAb: "a threat with a white A in it: move an A that covers nothing and is not in the threat".
#[must_use]
pub fn move_free_a_outside_threes(view: &ClauseView) -> Vec<Move> {
    match blockers(view) {
        Bitboard::EMPTY => Vec::new(),
        blockers => transfers(notions::free(view.position) - blockers, Bitboard::ALL),
    }
}

/// AAAbB: "a threat with a white A in it: cover the B with an A outside the threat".
#[must_use]
pub fn cover_b_from_outside_threes(view: &ClauseView) -> Vec<Move> {
    match blockers(view) {
        Bitboard::EMPTY => Vec::new(),
        blockers => transfers(any_a(view) - blockers, notions::visible_b(view.position)),
    }
}

/// AAAbB: "no threat: cover the B". The text does not say with which A.
#[must_use]
pub fn cover_b_without_threes(view: &ClauseView) -> Vec<Move> {
    if has_three(view) { Vec::new() } else { cover_b_with_any_a(view) }
}

fn any_a(view: &ClauseView) -> Bitboard {
    view.position.pieces(Color::White, Size::A)
}

/// The white A that stand in a line with three visible black pieces.
fn blockers(view: &ClauseView) -> Bitboard {
    any_a(view) & union(notions::threes(view.position))
}

fn has_three(view: &ClauseView) -> bool {
    notions::threes(view.position).next().is_some()
}

/// The squares of the lines that are threats by [`Blocked`].
fn lines_of_threat(view: &ClauseView) -> Bitboard {
    match view.options.blocked {
        Blocked::Ignored => union(notions::threats(view.position)),
        Blocked::Counts => union(notions::threes(view.position)),
    }
}

fn union(masks: impl Iterator<Item = Bitboard>) -> Bitboard {
    masks.fold(Bitboard::EMPTY, |union, mask| union | mask)
}

fn transfers(from: Bitboard, to: Bitboard) -> Vec<Move> {
    from.squares().flat_map(|from| to.squares().map(move |to| Move::Transfer { from, to })).collect()
}

fn places(to: Bitboard) -> Vec<Move> {
    to.squares().map(|to| Move::Place { size: Size::A, to }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{game, options, position};
    use super::*;

    /// The rule that applies, and the first and last of its moves.
    fn played(chosen: &str, text: &str) -> (&'static str, String) {
        let (game, options, position) = (game(), options(chosen), position(text));
        let (rule, moves) = moves(&ClauseView { game: &game, position: &position, options: &options });
        let ends: Vec<_> = moves.first().into_iter().chain(moves.last()).map(Move::to_string).collect();
        (rule, ends.join(" … "))
    }

    #[test]
    fn each_rule_with_pieces_in_hand() {
        let cases = [
            ("", "a,b,a,./.,.,.,./.,.,A,./A,.,.,. w", "hand-cover-b-in-threat", "a1-b4 … c2-b4"),
            ("", "a,b,a,./.,.,.,./.,.,.,./.,.,.,. w", "hand-block-threat", "A@d4 … A@d4"),
            (
                "cover-from-hand=yes",
                "a,b,a,./.,.,.,./.,.,.,./.,.,.,. w",
                "hand-cover-b-in-threat",
                "A@b4 … A@b4",
            ),
            ("", "a,b,a,A/.,.,.,./.,.,.,./b,.,.,. w", "hand-cover-b", "d4-a1 … d4-b4"),
            (
                "blocked-threat=counts",
                "a,b,a,A/.,.,.,./.,.,.,./b,.,.,. w",
                "hand-cover-b-in-threat",
                "d4-b4 … d4-b4",
            ),
            ("", "a,a,a,Ab/.,.,.,./.,.,A,./.,.,.,. w", "hand-place-on-diagonal", "A@a1 … A@c3"),
            ("", "a,a,A,A/.,.,A,./.,.,.,./.,.,.,. w", "hand-move-free-a", "c3-a1 … d4-d3"),
            ("", "a,a,Ab,Ab/.,.,.,./.,.,.,./a,.,.,b w", "hand-place-on-diagonal", "A@b2 … A@c3"),
        ];
        for (chosen, text, rule, ends) in cases {
            assert_eq!(played(chosen, text), (rule, ends.to_owned()), "{chosen} {text}");
        }
    }

    #[test]
    fn each_rule_with_all_pieces_placed() {
        let cases = [
            ("Ab,Ab,A,./.,.,b,./.,.,a,./a,a,.,. w", "AAAB-cover-b", "a4-c3 … c4-c3"),
            ("a,a,b,./.,b,.,./.,.,.,./a,A,A,Ab w", "AAABB-cover-b-in-threat", "b1-c4 … d1-c4"),
            ("a,b,a,./.,b,.,./.,A,.,a/Ab,.,A,. w", "AAABB-cover-b-in-threat", "a1-b4 … b2-b4"),
            ("a,a,a,./.,b,b,./.,.,.,./A,A,.,Ab w", "AAABB-block-threat", "a1-d4 … b1-d4"),
            ("a,.,a,./.,b,b,./.,.,.,a/A,A,.,Ab w", "AAABB-cover-b", "a1-b3 … d1-c3"),
            ("a,a,a,./.,.,.,./.,.,.,./Ab,Ab,.,Ab w", "AAA-block-threat", "a1-d4 … d1-d4"),
            ("a,a,a,Ab/.,.,.,./.,.,.,./Ab,Ab,.,. w", "AAA-keep-block", "a1-c1 … b1-d3"),
            ("a,a,.,Ab/.,.,.,./a,.,.,./Ab,Ab,.,. w", "AAA-move-a", "a1-c1 … d4-c4"),
            ("a,ab,a,./.,.,.,./.,.,.,./Ab,Ab,.,A w", "AAAb-block-threat", "d1-d4 … d1-d4"),
            ("a,ab,a,Ab/.,.,.,./.,.,.,./A,Ab,.,. w", "AAAb-blocker-covers", "a1-c1 … a1-d3"),
            ("a,ab,a,A/.,.,.,./.,.,.,./Ab,Ab,.,. w", "AAAb-blocker-free", "a1-c1 … b1-d3"),
            ("a,ab,.,A/.,.,.,./a,.,.,./Ab,Ab,.,. w", "AAAb-move-free-a", "d4-c1 … d4-c4"),
            ("a,ab,ab,./.,.,.,./.,.,.,./A,Ab,.,A w", "AAbAb-block-threat", "a1-d4 … d1-d4"),
            ("a,ab,ab,A/.,.,.,./.,.,.,./A,Ab,.,. w", "AAbAb-keep-block", "a1-c1 … a1-d3"),
            ("a,ab,.,A/.,.,.,./ab,.,.,./A,Ab,.,. w", "AAbAb-move-free-a", "a1-c1 … d4-c4"),
            ("a,ab,a,./.,b,.,./.,.,.,./A,Ab,.,A w", "AAAbB-block-threat", "a1-d4 … d1-d4"),
            ("a,ab,a,A/.,b,.,./.,.,.,./A,Ab,.,. w", "AAAbB-keep-block", "a1-b3 … b1-b3"),
            ("a,ab,.,A/.,b,.,./a,.,.,./A,Ab,.,. w", "AAAbB-cover-b", "a1-b3 … d4-b3"),
            ("A,A,A,./.,.,.,./.,.,ab,./ab,ab,.,. w", "none", ""),
        ];
        for (text, rule, ends) in cases {
            assert_eq!(played("", text), (rule, ends.to_owned()), "{text}");
        }
        let double = "b,a,a,./a,.,.,./b,.,.,./.,A,A,Ab w";
        assert_eq!(played("", double), ("AAABB-cover-shared-b", "b1-a4 … c1-a4".to_owned()));
    }
}
