//! Moves, and which of them are legal (R4, R5).

use std::fmt;
use std::str::FromStr;

use super::game::Game;
use super::mask::Mask;
use super::piece::{Color, Size};
use super::position::Position;
use super::reading::Reading;
use super::square::Square;

/// What a side can do with one turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A piece from hand onto a square (R4).
    Place {
        /// Its size.
        size: Size,
        /// Where it lands.
        to: Square,
    },
    /// The visible piece of a square onto another (R5).
    Transfer {
        /// Where it stood.
        from: Square,
        /// Where it lands.
        to: Square,
    },
}

/// `B@c3` for a place, `a1-c3` for a transfer.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place { size, to } => write!(f, "{size}@{to}"),
            Move::Transfer { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

/// The text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAMove(pub String);

impl fmt::Display for NotAMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a move: a place is written B@c3, a transfer a1-c3", self.0)
    }
}

impl std::error::Error for NotAMove {}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let not_a_move = || NotAMove(text.to_owned());
        let square = |name: &str| name.parse::<Square>().map_err(|_| not_a_move());
        if let Some((letter, to)) = text.split_once('@') {
            let mut letters = letter.chars();
            match (letters.next().and_then(Size::from_letter), letters.next()) {
                (Some(size), None) => Ok(Move::Place { size, to: square(to)? }),
                _ => Err(not_a_move()),
            }
        } else {
            let (from, to) = text.split_once('-').ok_or_else(not_a_move)?;
            Ok(Move::Transfer { from: square(from)?, to: square(to)? })
        }
    }
}

impl Game {
    /// The legal moves of the side to move, none from a finished position: places first, by size from
    /// the largest and then by square, then transfers by the square left and the square reached.
    pub fn moves(&self, position: &Position) -> impl Iterator<Item = Move> + use<> {
        let finished = position.finished().is_some();
        let places =
            Size::ALL.map(|size| (size, if finished { Mask::EMPTY } else { self.places(position, size) }));
        let own = if finished { Mask::EMPTY } else { position.visible(position.turn()) };
        let barred = Size::ALL.map(|size| position.barred(size));
        let visible = Size::ALL.map(|size| position.visible_of(position.turn(), size));
        let place = places
            .into_iter()
            .flat_map(|(size, targets)| targets.squares().map(move |to| Move::Place { size, to }));
        let transfer = own.squares().flat_map(move |from| {
            let size = visible.iter().position(|mask| mask.contains(from)).unwrap_or(0);
            (!barred[size]).squares().map(move |to| Move::Transfer { from, to })
        });
        place.chain(transfer)
    }

    /// Where the side to move can put a piece of a size from hand: nowhere if it has none to play (R2),
    /// else the empty squares and what R4 lets it cover.
    #[must_use]
    pub fn places(&self, position: &Position, size: Size) -> Mask {
        let mover = position.turn();
        let placed = position.pieces(mover, size).count();
        let released = size.larger().map_or(3, |larger| position.pieces(mover, larger).count());
        let material = u32::from(self.variant.material()[mover].count(size));
        if placed >= released.min(material) {
            return Mask::EMPTY;
        }
        !position.occupied() | self.entry_covers(position, size)
    }

    /// The opponent's pieces that a piece of a size from hand may cover (R4): smaller ones in a line where
    /// the opponent has three or more visible pieces.
    fn entry_covers(&self, position: &Position, size: Size) -> Mask {
        let mover = position.turn();
        match (self.reading, mover) {
            (Reading::NoEntryCover, _) | (Reading::Robust, Color::White) => Mask::EMPTY,
            (Reading::Official | Reading::Thesis | Reading::StrictLift, _)
            | (Reading::Robust, Color::Black) => {
                let theirs = position.visible(!mover);
                (theirs & theirs.lines_of_three()) - position.barred(size)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["A@a1", "D@d4", "a1-d4", "c3-b2"] {
            assert_eq!(text.parse::<Move>().map(|m| m.to_string()), Ok(text.to_owned()));
        }
        for bad in ["", "E@a1", "AB@a1", "a@a1", "A@a5", "a1", "a1-", "-a1", "a1-b2-c3", "@a1"] {
            let error = bad.parse::<Move>().expect_err(bad).to_string();
            assert_eq!(error, format!("{bad:?} is not a move: a place is written B@c3, a transfer a1-c3"));
        }
    }

    #[test]
    fn a_move_is_small() {
        assert!(size_of::<Move>() <= 4);
    }

    fn targets(variant: &str, reading: Reading, position: &str, size: Size) -> String {
        let game = Game::new(variant.parse().expect("a variant"), reading);
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
}
