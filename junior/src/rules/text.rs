//! Squares, moves and positions as people write them.

use std::fmt;
use std::str::FromStr;

use super::board::{Color, Size, Square};
use super::game::{Game, Move};
use super::position::Position;
use thiserror::Error;

/// The text is no move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a move: a piece from hand is written M@c3, a transfer a1-c3")]
pub struct NotAMove(pub String);

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The side to move is missing.
    #[error("a position must end in a space and w or b")]
    NoTurn,
    /// Ranks are missing, or there are too many.
    #[error("a position has 3 ranks separated by '/', from rank 3 down; found {0}")]
    Ranks(usize),
    /// Squares are missing, or there are too many.
    #[error("rank {rank} must have 3 squares separated by ','; found {found}")]
    Files {
        /// The rank, from 1.
        rank: usize,
        /// How many there are.
        found: usize,
    },
    /// A letter is no piece.
    #[error("{letter:?} on {square} is no piece: pieces are S, M and L, Black's s, m and l")]
    NoPiece {
        /// What stands there.
        letter: char,
        /// Where.
        square: Square,
    },
    /// A larger piece, or one of the same size, under another.
    #[error("a piece on {0} lies on one that is not smaller (J3); a stack is written from the top")]
    NoStack(Square),
    /// More pieces than the side owns.
    #[error("{color} has more than {most} pieces of size {size} (J2)")]
    TooMany {
        /// Whose they are.
        color: Color,
        /// How large.
        size: Size,
        /// How many the side owns.
        most: usize,
    },
}

impl FromStr for Square {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Square, NotAMove> {
        let square = match text.as_bytes() {
            [file @ b'a'..=b'c', rank @ b'1'..=b'3'] => {
                Square::new(usize::from(file - b'a'), usize::from(rank - b'1'))
            }
            _ => None,
        };
        square.ok_or_else(|| NotAMove(text.to_owned()))
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let not_a_move = || NotAMove(text.to_owned());
        let square = |name: &str| name.parse::<Square>().map_err(|_| not_a_move());
        if let Some((letter, to)) = text.split_once('@') {
            let mut letters = letter.chars();
            let size = letters.next().and_then(Size::from_letter).filter(|_| letters.next().is_none());
            return Ok(Move::Place { size: size.ok_or_else(not_a_move)?, to: square(to)? });
        }
        let (from, to) = text.split_once('-').ok_or_else(not_a_move)?;
        Ok(Move::Transfer { from: square(from)?, to: square(to)? })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place { size, to } => write!(f, "{size}@{to}"),
            Move::Transfer { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

/// A rank's squares; a digit stands for as many empty ones.
fn cells(rank: &str) -> Vec<&str> {
    let cell = |text| match text {
        "2" => vec!["."; 2],
        "3" => vec!["."; 3],
        "1" => vec!["."],
        other => vec![other],
    };
    rank.split(',').map(str::trim).flat_map(cell).collect()
}

impl Game {
    /// Reads a position: ranks 3 to 1 separated by `/`, in each the squares of files a to c separated by `,`, on each square
    /// its pieces from the top, `.` for none, and at the end `w` or `b`. A digit stands for as many empty squares; `start`
    /// and `start b` are the empty board.
    ///
    /// # Errors
    /// What is wrong with the text, or the rule that such a position breaks.
    pub fn parse(&self, text: &str) -> Result<Position, PositionError> {
        let text = match text.trim() {
            "start" | "start w" => "3/3/3 w",
            "start b" => "3/3/3 b",
            written => written,
        };
        let (board, turn) = text.rsplit_once(' ').ok_or(PositionError::NoTurn)?;
        let turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(PositionError::NoTurn),
        };
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 3 {
            return Err(PositionError::Ranks(ranks.len()));
        }
        let mut position = Position::empty(turn);
        for (rank, text) in (0..3).rev().zip(ranks) {
            let cells = cells(text);
            if cells.len() != 3 {
                return Err(PositionError::Files { rank: rank + 1, found: cells.len() });
            }
            for (file, stack) in cells.into_iter().enumerate().filter(|(_, stack)| *stack != ".") {
                let square = Square::new(file, rank).ok_or(PositionError::Ranks(3))?;
                position = stacked(position, square, stack)?;
            }
        }
        for (color, size) in Color::ALL.into_iter().flat_map(|color| Size::ALL.map(|size| (color, size))) {
            let most = self.material.of(size);
            if position.pieces(color, size).len() > most {
                return Err(PositionError::TooMany { color, size, most });
            }
        }
        Ok(position)
    }
}

/// With a stack on a square, written from the top.
fn stacked(mut position: Position, square: Square, stack: &str) -> Result<Position, PositionError> {
    let mut above = None;
    for letter in stack.chars() {
        let size = Size::from_letter(letter.to_ascii_uppercase());
        let size = size.ok_or(PositionError::NoPiece { letter, square })?;
        if above.is_some_and(|above| above <= size) {
            return Err(PositionError::NoStack(square));
        }
        above = Some(size);
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        position = position.with(color, size, square);
    }
    if above.is_none() {
        return Err(PositionError::NoPiece { letter: ' ', square });
    }
    Ok(position)
}

/// What stands on a square, from the top.
fn written(position: &Position, square: Square) -> String {
    let letter = |(color, size): (Color, Size)| match color {
        Color::White => size.letter(),
        Color::Black => size.letter().to_ascii_lowercase(),
    };
    let stack: String = position.stack(square).map(letter).collect();
    if stack.is_empty() { ".".to_owned() } else { stack }
}

/// The squares of a rank, from a to c.
fn rank_of(position: &Position, rank: usize) -> Vec<String> {
    (0..3).filter_map(|file| Square::new(file, rank)).map(|square| written(position, square)).collect()
}

/// On one line, as [`Game::parse`] reads it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<String> = (0..3).rev().map(|rank| rank_of(self, rank).join(",")).collect();
        let turn = if self.turn() == Color::White { 'w' } else { 'b' };
        write!(f, "{} {turn}", ranks.join("/"))
    }
}

impl Position {
    /// The board as RULES.md draws it, with the files below and an end of line.
    #[must_use]
    pub fn drawing(&self) -> String {
        let mut text = String::new();
        for rank in (0..3).rev() {
            let cells = rank_of(self, rank).into_iter().map(|cell| format!("{cell:<4}")).collect::<String>();
            text.push_str(format!("{}  {cells}", rank + 1).trim_end());
            text.push('\n');
        }
        text + "   a   b   c\n"
    }
}
