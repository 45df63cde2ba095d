//! The names of squares, moves, readings and kinds of certificate.

use std::fmt;

use gobcheck::format::Kind;
use gobcheck::rules::{Move, Reading, Size, Square};

use super::{Notation, Text as _};

/// The text is no square's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchSquare(pub String);

impl fmt::Display for NoSuchSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a square: squares are a1 … d4", self.0)
    }
}

impl std::error::Error for NoSuchSquare {}

impl Notation for Square {
    type Error = NoSuchSquare;

    fn from_text(text: &str) -> Result<Square, NoSuchSquare> {
        let index = match text.as_bytes() {
            [file @ b'a'..=b'd', rank @ b'1'..=b'4'] => file - b'a' + 4 * (rank - b'1'),
            _ => return Err(NoSuchSquare(text.to_owned())),
        };
        Square::new(index).ok_or_else(|| NoSuchSquare(text.to_owned()))
    }
}

impl Notation for Size {
    type Error = NotAMove;

    /// Reads a capital letter.
    fn from_text(text: &str) -> Result<Size, NotAMove> {
        Size::ALL.into_iter().find(|size| size.to_string() == text).ok_or_else(|| NotAMove(text.to_owned()))
    }
}

/// The text is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAMove(pub String);

impl fmt::Display for NotAMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a move: B@c3 puts a B from hand on c3, and a1-c3 moves the piece on a1 to c3",
            self.0
        )
    }
}

impl std::error::Error for NotAMove {}

impl Notation for Move {
    type Error = NotAMove;

    fn from_text(text: &str) -> Result<Move, NotAMove> {
        let not_a_move = || NotAMove(text.to_owned());
        let square = |name: &str| name.read::<Square>().map_err(|_| not_a_move());
        if let Some((letter, to)) = text.split_once('@') {
            let size = letter.read().map_err(|_| not_a_move())?;
            Ok(Move::Place { size, to: square(to)? })
        } else {
            let (from, to) = text.split_once('-').ok_or_else(not_a_move)?;
            Ok(Move::Transfer { from: square(from)?, to: square(to)? })
        }
    }
}

/// The text is no reading's tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchReading(pub String);

impl fmt::Display for NoSuchReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a reading: readings are", self.0)?;
        for (i, reading) in Reading::ALL.iter().enumerate() {
            write!(f, "{} {reading}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for NoSuchReading {}

impl Notation for Reading {
    type Error = NoSuchReading;

    fn from_text(text: &str) -> Result<Reading, NoSuchReading> {
        let found = Reading::ALL.into_iter().find(|reading| reading.tag() == text);
        found.ok_or_else(|| NoSuchReading(text.to_owned()))
    }
}

/// The text is no kind's tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchKind(pub String);

impl fmt::Display for NoSuchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a kind of certificate: kinds are cut, closure, refutation", self.0)
    }
}

impl std::error::Error for NoSuchKind {}

impl Notation for Kind {
    type Error = NoSuchKind;

    fn from_text(text: &str) -> Result<Kind, NoSuchKind> {
        Kind::ALL.into_iter().find(|kind| kind.tag() == text).ok_or_else(|| NoSuchKind(text.to_owned()))
    }
}
