//! Moves, and which of them are legal (R2, R4, R5).

use std::fmt;

use super::bitboard::Bitboard;
use super::game::Game;
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

impl Game {
    /// The legal moves of the side to move, none from a finished position: places first, by size from the largest and
    /// then by square, then transfers by the square left and the square reached.
    pub fn moves(&self, position: &Position) -> impl Iterator<Item = Move> + use<> {
        let position = *position;
        let goes_on = position.finished().is_none();
        let places = Size::ALL.map(|size| (size, if goes_on { self.places(&position, size) } else { Bitboard::EMPTY }));
        let own = if goes_on { position.visible(position.turn()) } else { Bitboard::EMPTY };
        let barred = Size::ALL.map(|size| position.barred(size));
        let place =
            places.into_iter().flat_map(|(size, targets)| targets.squares().map(move |to| Move::Place { size, to }));
        let transfer = own.squares().flat_map(move |from| {
            let size = position.top(from).map_or(Size::A, |(_, size)| size);
            (!barred[size as usize]).squares().map(move |to| Move::Transfer { from, to })
        });
        place.chain(transfer)
    }

    /// Where the side to move can put a piece of a size from hand: nowhere if it has none to play (R2), else the empty
    /// squares and what R4 lets it cover.
    pub fn places(&self, position: &Position, size: Size) -> Bitboard {
        let mover = position.turn();
        let placed = position.pieces(mover, size).count();
        let released = size.larger().map_or(3, |larger| position.pieces(mover, larger).count());
        let material = u32::from(self.variant.material(mover).count(size));
        if placed >= released.min(material) {
            return Bitboard::EMPTY;
        }
        !position.occupied() | self.entry_covers(position, size)
    }

    /// The opponent's pieces that a piece of a size from hand may cover (R4): smaller ones in a line where the opponent
    /// has three or more visible pieces.
    fn entry_covers(&self, position: &Position, size: Size) -> Bitboard {
        let mover = position.turn();
        match (self.reading, mover) {
            (Reading::NoEntryCover, _) | (Reading::Robust, Color::White) => Bitboard::EMPTY,
            (Reading::Official | Reading::Thesis | Reading::StrictLift, _) | (Reading::Robust, Color::Black) => {
                let theirs = position.visible(!mover);
                (theirs & theirs.lines_of_three()) - position.barred(size)
            }
        }
    }
}
