//! A setup: pieces put on squares by hand. It is a position only if the rules allow it.

use std::fmt;

use gobcheck::rules::{Color, Position, Size, Square, Variant};

use super::piece::Piece;

/// What stands on each square, listed from the top, and the side to move. A setup may break every rule;
/// [`Setup::position`] checks whether it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The pieces on each square, by the square's index, from the top.
    pub stacks: [Vec<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
}

impl Setup {
    /// This setup as a position of a variant.
    ///
    /// # Errors
    /// All reasons why the setup is no position of the variant, not only the first.
    pub fn position(&self, variant: Variant) -> Result<Position, SetupErrors> {
        let mut errors = Vec::new();
        let mut position = Position::empty(self.turn);
        let mut counts = [[0u8; 4]; 2];
        for (square, stack) in Square::ALL.into_iter().zip(&self.stacks) {
            for pair in stack.windows(2) {
                if pair[0].size == pair[1].size {
                    errors.push(SetupError::SameSize { square, upper: pair[0], lower: pair[1] });
                } else if pair[0].size > pair[1].size {
                    errors.push(SetupError::LargerUnder { square, upper: pair[0], lower: pair[1] });
                }
            }
            for piece in stack {
                let count = &mut counts[piece.color as usize][piece.size as usize];
                *count = count.saturating_add(1);
                position.add(piece.color, piece.size, square);
            }
        }
        for color in Color::ALL {
            let on_board = |size: Size| counts[color as usize][size as usize];
            for size in Size::ALL {
                let (count, limit) = (on_board(size), variant.material(color).count(size));
                if count > limit {
                    errors.push(SetupError::TooMany { piece: Piece { color, size }, count, limit });
                }
                if let Some(larger) = size.larger()
                    && count > on_board(larger)
                {
                    errors.push(SetupError::StillNested {
                        piece: Piece { color, size },
                        count,
                        larger: on_board(larger),
                    });
                }
            }
        }
        if errors.is_empty() { Ok(position) } else { Err(SetupErrors { variant, errors }) }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let stack = |square: Square| {
            let mut stack = Vec::new();
            for size in Size::ALL {
                for color in Color::ALL {
                    if position.pieces(color, size).contains(square) {
                        stack.push(Piece { color, size });
                    }
                }
            }
            stack
        };
        Setup { stacks: Square::ALL.map(stack), turn: position.turn() }
    }
}

/// One reason that a setup is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// A square holds two pieces of one size (R3).
    SameSize {
        /// Where.
        square: Square,
        /// The piece listed first.
        upper: Piece,
        /// The piece listed right after it.
        lower: Piece,
    },
    /// A piece lies under a smaller one (R3, R5).
    LargerUnder {
        /// Where.
        square: Square,
        /// The smaller piece, on top.
        upper: Piece,
        /// The larger piece, under it.
        lower: Piece,
    },
    /// More pieces than the variant's material (R2, R9).
    TooMany {
        /// Which.
        piece: Piece,
        /// How many stand on the board.
        count: u8,
        /// How many the variant has.
        limit: u8,
    },
    /// More pieces of a size than of the next larger one, inside which they were nested in hand (R2).
    StillNested {
        /// Which.
        piece: Piece,
        /// How many stand on the board.
        count: u8,
        /// How many of the next larger size stand on the board.
        larger: u8,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupError::SameSize { square, upper, lower } => {
                write!(f, "{square} holds two pieces of one size, {upper} and {lower} (R3)")
            }
            SetupError::LargerUnder { square, upper, lower } => {
                write!(f, "on {square}, {lower} lies under {upper}, which is smaller (R3)")
            }
            SetupError::TooMany { piece, count, limit } => {
                write!(f, "{count} {piece} on the board, {limit} in the variant's material (R9)")
            }
            SetupError::StillNested { piece, count, larger } => write!(
                f,
                "{count} {piece} on the board beside {larger} of the next larger size: one is still nested in hand (R2)"
            ),
        }
    }
}

/// Every reason that a setup is no position of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupErrors {
    /// The variant.
    pub variant: Variant,
    /// The reasons, at least one: by square first, then by colour and size.
    pub errors: Vec<SetupError>,
}

impl fmt::Display for SetupErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a position of {}: ", self.variant)?;
        for (i, error) in self.errors.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupErrors {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn errors(text: &str, variant: &str) -> Vec<SetupError> {
        let setup: Setup = text.read().expect("readable");
        let variant = variant.read().expect("a variant");
        setup.position(variant).expect_err("no position").errors
    }

    #[test]
    fn each_reason_is_found() {
        let a4 = Square::ALL[12];
        let piece = |letter| Piece::from_letter(letter).expect("a piece");
        assert_eq!(
            errors("Aa,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "ab"),
            [SetupError::SameSize { square: a4, upper: piece('A'), lower: piece('a') }]
        );
        assert_eq!(
            errors("bA,.,.,a/.,.,.,./.,.,.,./.,.,.,. w", "ab"),
            [SetupError::LargerUnder { square: a4, upper: piece('b'), lower: piece('A') }]
        );
        assert_eq!(
            errors("a,a,a,./a,.,.,./.,.,.,./.,.,.,. w", "ab"),
            [SetupError::TooMany { piece: piece('a'), count: 4, limit: 3 }]
        );
        assert_eq!(
            errors("a,b,b,./.,.,.,./.,.,.,./.,.,.,. w", "ab"),
            [SetupError::StillNested { piece: piece('b'), count: 2, larger: 1 }]
        );
    }

    #[test]
    fn all_reasons_are_listed_at_once() {
        let found = errors("AA,B,b,./Ba,.,.,./.,.,.,./.,.,.,. w", "ab");
        assert_eq!(found.len(), 3, "{found:?}");
    }

    #[test]
    fn each_reason_is_told_with_its_rule() {
        let told = |text: &str| {
            let setup: Setup = text.read().expect("readable");
            setup.position("ab".read().expect("a variant")).expect_err("no position").to_string()
        };
        for (text, says) in [
            (
                "AA,.,.,./.,.,.,./.,.,.,./.,.,.,. w",
                "a4 holds two pieces of one size, White A and White A (R3)",
            ),
            (
                "bA,a,.,./.,.,.,./.,.,.,./.,.,.,. w",
                "on a4, White A lies under Black B, which is smaller (R3)",
            ),
            ("a,a,a,a/.,.,.,./.,.,.,./.,.,.,. w", "4 Black A on the board, 3 in the variant's material (R9)"),
        ] {
            assert_eq!(told(text), format!("not a position of ab: {says}"));
        }
        assert_eq!(
            told("AA,b,.,./.,.,.,./.,.,.,./.,.,.,. w"),
            "not a position of ab: a4 holds two pieces of one size, White A and White A (R3); \
             1 Black B on the board beside 0 of the next larger size: one is still nested in hand (R2)"
        );
    }

    #[test]
    fn a_position_comes_back_as_its_setup() {
        let text = "Ab,.,.,a/.,.,.,./.,.,A,./.,.,.,. w";
        let setup: Setup = text.read().expect("readable");
        let position = setup.position("ab".read().expect("a variant")).expect("a position");
        assert_eq!(Setup::from(&position), setup);
    }
}
