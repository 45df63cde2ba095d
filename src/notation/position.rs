//! Positions as text: one line for machines and people, a board for people.
//!
//! Four ranks from rank 4 down to 1, separated by `/`; squares by `,`; each square lists its pieces from
//! the top, White upper-case, Black lower-case, `.` for empty; then a space and `w` or `b`, the side to
//! move: `Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. w`.

use std::fmt;

use gobcheck::rules::{Color, Game, Position, Square, Variant};

use super::piece::Piece;
use super::setup::{Setup, SetupErrors};
use super::written::spelled_out;
use super::{Notation, Text as _};

/// The square that stands at a place of the text: ranks from 4 down, files from a.
fn square_at(row: usize, column: usize) -> Square {
    Square::ALL[4 * (3 - row) + column]
}

/// Why a text is no setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotationError {
    /// The side to move is missing or neither `w` nor `b`.
    Turn(String),
    /// There are not four ranks.
    Ranks(usize),
    /// A rank does not have four squares.
    Squares {
        /// Which rank, 1 … 4.
        rank: usize,
        /// How many squares it has.
        found: usize,
    },
    /// A square lists no pieces and is not `.`.
    NoPieces(Square),
    /// A letter names no piece.
    NoSuchPiece {
        /// On which square.
        square: Square,
        /// The letter.
        letter: char,
    },
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Turn(found) if found.is_empty() => {
                f.write_str("the position must end in a space and w or b; the side to move is missing")
            }
            NotationError::Turn(found) => {
                write!(f, "the position must end in a space and w or b, the side to move, not in {found:?}")
            }
            NotationError::Ranks(found) => {
                write!(f, "a position has 4 ranks separated by '/', from rank 4 down; found {found}")
            }
            NotationError::Squares { rank, found } => {
                write!(f, "rank {rank} must have 4 squares separated by ','; found {found}")
            }
            NotationError::NoPieces(square) => {
                write!(f, "nothing is said about {square}: an empty square is '.'")
            }
            NotationError::NoSuchPiece { square, letter: '.' } => {
                write!(f, "'.' on {square} stands beside other signs: '.' alone is an empty square")
            }
            NotationError::NoSuchPiece { square, letter } => {
                write!(f, "{letter:?} on {square} is no piece: A B C D are White's, a b c d Black's")
            }
        }
    }
}

impl std::error::Error for NotationError {}

impl Notation for Setup {
    type Error = NotationError;

    fn from_text(text: &str) -> Result<Setup, NotationError> {
        let (board, turn) = text.rsplit_once(' ').unwrap_or((text, ""));
        let turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(NotationError::Turn(other.to_owned())),
        };
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 4 {
            return Err(NotationError::Ranks(ranks.len()));
        }
        let mut stacks = [const { Vec::new() }; Square::COUNT];
        for (row, rank) in ranks.iter().enumerate() {
            let squares: Vec<&str> = rank.split(',').collect();
            if squares.len() != 4 {
                return Err(NotationError::Squares { rank: 4 - row, found: squares.len() });
            }
            for (column, letters) in squares.iter().enumerate() {
                let square = square_at(row, column);
                stacks[square.index()] = stack(square, letters)?;
            }
        }
        Ok(Setup { stacks, turn })
    }
}

fn stack(square: Square, letters: &str) -> Result<Vec<Piece>, NotationError> {
    match letters {
        "" => Err(NotationError::NoPieces(square)),
        "." => Ok(Vec::new()),
        _ => letters
            .chars()
            .map(|letter| Piece::from_letter(letter).ok_or(NotationError::NoSuchPiece { square, letter }))
            .collect(),
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..4 {
            for column in 0..4 {
                let stack = &self.stacks[square_at(row, column).index()];
                if stack.is_empty() {
                    f.write_str(".")?;
                }
                for piece in stack {
                    write!(f, "{}", piece.letter())?;
                }
                f.write_str(if column < 3 { "," } else { "" })?;
            }
            f.write_str(if row < 3 { "/" } else { "" })?;
        }
        f.write_str(if self.turn == Color::White { " w" } else { " b" })
    }
}

/// Why a text is no position of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// It cannot be read.
    Notation(NotationError),
    /// It can be read and breaks the rules.
    Setup(SetupErrors),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Notation(error) => error.fmt(f),
            PositionError::Setup(errors) => errors.fmt(f),
        }
    }
}

impl std::error::Error for PositionError {}

/// Reading positions: a game or a variant knows which pieces there are.
pub trait Reader {
    /// Reads a position of the variant.
    ///
    /// # Errors
    /// The text cannot be read, or it is no position of the variant.
    fn parse(&self, text: &str) -> Result<Position, PositionError>;

    /// Reads a position of the variant, however a person wrote it: see [`spelled_out`].
    ///
    /// # Errors
    /// Why it cannot be read, or is no position of the variant.
    fn parse_written(&self, text: &str) -> Result<Position, String> {
        self.parse(&spelled_out(text)?).map_err(|error| error.to_string())
    }
}

impl Reader for Variant {
    fn parse(&self, text: &str) -> Result<Position, PositionError> {
        let setup: Setup = text.read().map_err(PositionError::Notation)?;
        setup.position(*self).map_err(PositionError::Setup)
    }
}

impl Reader for Game {
    fn parse(&self, text: &str) -> Result<Position, PositionError> {
        self.variant.parse(text)
    }
}

/// What can be drawn for people.
pub trait Drawn {
    /// The board with ranks and files named: each square lists its pieces from the top.
    ///
    /// ```text
    /// 4  Ab  .   .   a
    /// 3  .   .   .   .
    /// 2  .   .   .   .
    /// 1  .   .   .   .
    ///    a   b   c   d    White to move
    /// ```
    #[must_use]
    fn drawing(&self) -> String;
}

impl Drawn for Position {
    fn drawing(&self) -> String {
        let setup = Setup::from(self);
        let cell = |row, column| {
            let stack = &setup.stacks[square_at(row, column).index()];
            let letters: String = stack.iter().map(|piece| piece.letter()).collect();
            if letters.is_empty() { ".".to_owned() } else { letters }
        };
        let mut drawing = String::new();
        for row in 0..4 {
            let cells: Vec<String> = (0..4).map(|column| format!("{:<4}", cell(row, column))).collect();
            drawing.push_str(format!("{}  {}", 4 - row, cells.concat()).trim_end());
            drawing.push('\n');
        }
        drawing.push_str(&format!("   a   b   c   d    {} to move\n", self.turn()));
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let variant: Variant = "abcd-full".read().expect("a variant");
        for text in [
            ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b",
            "Ab,.,.,a/.,.,.,./.,.,.,A/.,.,.,. w",
            "aBcD,.,.,A/.,b,.,./.,.,C,a/.,.,.,. b",
        ] {
            assert_eq!(variant.parse(text).map(|p| p.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn unreadable_text_says_which_square() {
        let error = |text: &str| text.read::<Setup>().expect_err("unreadable");
        let square = |name: &str| name.read::<Square>().expect("a square");
        assert_eq!(error(""), NotationError::Turn(String::new()));
        assert_eq!(error(".,.,.,./.,.,.,./.,.,.,./.,.,.,. x"), NotationError::Turn("x".to_owned()));
        assert_eq!(error(".,.,.,. w"), NotationError::Ranks(1));
        assert_eq!(error(".,.,.,./.,.,./.,.,.,./.,.,.,. w"), NotationError::Squares { rank: 3, found: 3 });
        assert_eq!(error(".,.,.,./.,,.,./.,.,.,./.,.,.,. w"), NotationError::NoPieces(square("b3")));
        assert_eq!(
            error(".,.,.,./.,.,.,./.,.,Ax,./.,.,.,. w"),
            NotationError::NoSuchPiece { square: square("c2"), letter: 'x' }
        );
    }

    #[test]
    fn errors_say_what_is_expected() {
        let told = |text: &str| {
            "ab".read::<Variant>().expect("a variant").parse(text).expect_err("none").to_string()
        };
        for (text, says) in [
            (
                ".,.,.,./.,.,.,./.,.,.,./.,.,.,. x",
                "must end in a space and w or b, the side to move, not in \"x\"",
            ),
            (".,.,.,. w", "4 ranks separated by '/', from rank 4 down; found 1"),
            (".,.,.,./.,.,./.,.,.,./.,.,.,. w", "rank 3 must have 4 squares separated by ','; found 3"),
            (".,.,.,./.,,.,./.,.,.,./.,.,.,. w", "nothing is said about b3: an empty square is '.'"),
            (".,.,.,./.,.,.,./.,.,x,./.,.,.,. w", "'x' on c2 is no piece"),
            (".,.,.,./.,.,.,./.,.,A.,./.,.,.,. w", "'.' on c2 stands beside other signs"),
            ("b,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "still nested in hand (R2)"),
        ] {
            assert!(told(text).contains(says), "{text}: {}", told(text));
        }
    }

    #[test]
    fn the_drawing_names_ranks_and_files() {
        let p = "ab".read::<Variant>().expect("a variant").parse("Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. w");
        let expected = [
            "4  Ab  .   .   a",
            "3  .   .   .   .",
            "2  .   .   .   .",
            "1  .   .   .   .",
            "   a   b   c   d    White to move\n",
        ];
        assert_eq!(p.map(|p| p.drawing()), Ok(expected.join("\n")));
    }
}
