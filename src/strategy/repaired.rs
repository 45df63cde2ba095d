//! The thesis's three functions, repaired so that Algorithm 1 answers "Yes" for `ab` under `official`.
//!
//! The base is [`OPTIONS`], the reading of the thesis's clauses that fails in the fewest places. Each [`Deviation`]
//! from it is forced by a position at which Algorithm 1 answers "No" without the deviation.

use super::thesis::{
    Attacked, Bare, Clause, ClauseView, Completable, Counted, OnBoard, Options, PositionType, Safe, Spare,
    Surplus, Thesis, Untyped, fce_b, fce_w, notions, strat_w,
};
use super::triple::Triple;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Game, Move, Outcome, Position, Size};

/// The options that the repair starts from. With them FceW alone leaves as many positions to work for Black as
/// the thesis reports.
pub const OPTIONS: Options = Options {
    completable: Completable::Wins,
    attacked: Attacked::ExactlyTwo,
    safe: Safe::Free,
    bare: Bare::White,
    counted: Counted::LargeOnly,
    on_board: OnBoard::Visible,
    untyped: Untyped::Lost,
    spare: Spare::BoardAndHand,
    surplus: Surplus::Exactly,
    ..Options::LITERAL
};

/// A place where the repaired functions differ from the thesis's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deviation {
    /// While some piece is in hand, FceB also holds in positions with at least two more black A than white A. Play does
    /// not reach them, but Algorithm 1 works them.
    TwoMoreBlackA,
    /// FceB's "a black B is on the board and no safe white A remains" applies only if White has no A in hand, as FceW's
    /// clause does.
    SafeAFromHand,
    /// FceB's "a black threat and the only white A that covers nothing stands in it" applies only if White has no A in
    /// hand.
    FreeAFromHand,
    /// If a placed A would be safe on no empty square of a diagonal, StratW may place it on any empty square.
    PlaceOffDiagonal,
    /// FceW does not hold in AAABB if a white A that covers nothing blocks the three black A. StratW itself blocks in
    /// this way, and two visible B alone make no threat.
    BlockedAaabb,
    /// FceB also holds in AAABB with a threat if Black can make an unremovable double threat after every block. FceW
    /// also holds in the positions from which Black can get there.
    BlockTooLate,
}

impl Deviation {
    /// All deviations.
    pub const ALL: [Deviation; 6] = [
        Deviation::TwoMoreBlackA,
        Deviation::SafeAFromHand,
        Deviation::FreeAFromHand,
        Deviation::PlaceOffDiagonal,
        Deviation::BlockedAaabb,
        Deviation::BlockTooLate,
    ];

    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Deviation::TwoMoreBlackA => "two-more-black-a",
            Deviation::SafeAFromHand => "safe-a-from-hand",
            Deviation::FreeAFromHand => "free-a-from-hand",
            Deviation::PlaceOffDiagonal => "place-off-diagonal",
            Deviation::BlockedAaabb => "blocked-aaabb",
            Deviation::BlockTooLate => "block-too-late",
        }
    }

    /// A position at which Algorithm 1 answers "No" if this deviation alone is left out.
    #[must_use]
    pub const fn forced_by(self) -> &'static str {
        match self {
            Deviation::TwoMoreBlackA => ".,.,.,./.,.,.,./.,.,.,./a,a,.,. w",
            Deviation::SafeAFromHand => ".,.,.,./.,.,.,./.,.,.,./A,A,a,a b",
            Deviation::FreeAFromHand => ".,.,.,./a,.,.,./a,.,.,./A,Ab,.,. b",
            Deviation::PlaceOffDiagonal => ".,.,.,./.,a,.,a/.,Ab,.,./Ab,.,.,a w",
            Deviation::BlockedAaabb => ".,.,.,./b,.,.,./a,a,a,./Ab,A,A,b w",
            Deviation::BlockTooLate => ".,.,.,./.,b,.,b/a,.,a,a/Ab,A,A,. w",
        }
    }
}

/// The repaired triple.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repaired {
    /// A deviation to leave out, to see what it is for.
    pub without: Option<Deviation>,
}

impl Triple for Repaired {
    fn lost_by(&self, game: &Game, position: &Position) -> Option<&'static str> {
        let view = ClauseView { game, position, options: &OPTIONS };
        match position.turn() {
            Color::Black => self.fce_w(&view),
            Color::White => self.fce_b(&view),
        }
    }

    fn lost(&self, game: &Game, position: &Position) -> bool {
        let view = ClauseView { game, position, options: &OPTIONS };
        // As in the thesis's triple, the clause that is cheapest for half of all positions comes first.
        fce_w::untyped(&view) || self.lost_by(game, position).is_some()
    }

    fn moves(&self, game: &Game, position: &Position) -> (&'static str, Vec<Move>) {
        let (rule, moves) = Thesis { options: OPTIONS }.moves(game, position);
        if rule == "hand-place-on-diagonal" && self.deviates(Deviation::PlaceOffDiagonal) {
            let view = ClauseView { game, position, options: &OPTIONS };
            return (rule, place_on_diagonal_if_safe(&view, moves));
        }
        (rule, moves)
    }
}

impl Repaired {
    fn deviates(&self, deviation: Deviation) -> bool {
        self.without != Some(deviation)
    }

    fn fce_w(&self, view: &ClauseView) -> Option<&'static str> {
        let spared = |clause: &Clause| {
            clause.name == "type-aaabb" && self.deviates(Deviation::BlockedAaabb) && blocks_three_a(view)
        };
        first(&fce_w::CLAUSES, view, spared).or_else(|| {
            let late = self.deviates(Deviation::BlockTooLate) && coming_late_block(view);
            late.then_some(Deviation::BlockTooLate.name())
        })
    }

    fn fce_b(&self, view: &ClauseView) -> Option<&'static str> {
        let has_in_hand = notions::white_a_in_hand(view.game, view.position) > 0;
        let spared = |clause: &Clause| match clause.name {
            "b-and-no-safe-a" => has_in_hand && self.deviates(Deviation::SafeAFromHand),
            "threat-holds-free-a" => has_in_hand && self.deviates(Deviation::FreeAFromHand),
            _ => false,
        };
        first(&fce_b::CLAUSES, view, spared).or_else(|| {
            if self.deviates(Deviation::TwoMoreBlackA) && two_more_black_a(view) {
                Some(Deviation::TwoMoreBlackA.name())
            } else if self.deviates(Deviation::BlockTooLate) && block_is_too_late(view) {
                Some(Deviation::BlockTooLate.name())
            } else {
                None
            }
        })
    }
}

/// The first clause that holds and is not spared.
fn first(clauses: &[Clause], view: &ClauseView, spared: impl Fn(&Clause) -> bool) -> Option<&'static str> {
    clauses.iter().find(|clause| (clause.holds)(view) && !spared(clause)).map(|clause| clause.name)
}

/// Whether a white A that covers nothing stands in a line with all three black A.
fn blocks_three_a(view: &ClauseView) -> bool {
    let black = view.position.pieces(Color::Black, Size::A);
    let free = notions::free(view.position);
    notions::threes(view.position).any(|line| (line & black).count() == 3 && line.meets(free))
}

/// Whether some piece is in hand and Black has at least two A more on the board than White.
fn two_more_black_a(view: &ClauseView) -> bool {
    let count = |color| view.position.pieces(color, Size::A).count();
    view.some_in_hand() && count(Color::Black) >= count(Color::White) + 2
}

/// Whether StratW has to block a threat in AAABB, and after each of its blocks Black wins or can make an unremovable
/// double threat.
fn block_is_too_late(view: &ClauseView) -> bool {
    if PositionType::of(view.position) != Some(PositionType::AaaBb) {
        return false;
    }
    let (rule, moves) = strat_w::moves(view);
    rule == "AAABB-block-threat"
        && moves.into_iter().all(|mv| match view.game.play_unchecked(view.position, mv) {
            Outcome::GoesOn(after) => fce_w::coming_double_threat(&ClauseView { position: &after, ..*view }),
            Outcome::BlackWins => true,
            Outcome::WhiteWins => false,
        })
}

/// Whether Black can move into a position where [`block_is_too_late`] holds. Only AAAbB is checked: Black makes AAABB
/// with a threat of three A only from there, when the A that uncovers the second B completes the three.
fn coming_late_block(view: &ClauseView) -> bool {
    if PositionType::of(view.position) != Some(PositionType::AaaCoveringB) {
        return false;
    }
    let position = view.position.with_turn(Color::Black);
    view.game.moves(&position).any(|mv| match view.game.play_unchecked(&position, mv) {
        Outcome::GoesOn(after) => block_is_too_late(&ClauseView { position: &after, ..*view }),
        Outcome::BlackWins | Outcome::WhiteWins => false,
    })
}

/// The given moves if one of them makes the placed A safe; otherwise all moves that place an A on an empty square.
fn place_on_diagonal_if_safe(view: &ClauseView, on_diagonal: Vec<Move>) -> Vec<Move> {
    let makes_safe = |mv: &Move| match (view.game.play_unchecked(view.position, *mv), *mv) {
        (Outcome::GoesOn(after), Move::Place { to, .. }) => notions::safe(&after, view.options).contains(to),
        _ => false,
    };
    if on_diagonal.iter().any(makes_safe) {
        return on_diagonal;
    }
    let empty: Bitboard = !view.position.occupied();
    empty.squares().map(|to| Move::Place { size: Size::A, to }).collect()
}
