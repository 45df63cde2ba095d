//! White's discipline: what White keeps to so that a proof can be found in less memory.
//!
//! A proof needs one white strategy, not all of them. White answers only with positions in which few of its pieces
//! stand elsewhere than on a black piece of the next smaller size. Black cannot break that: a covered piece does not
//! move (R5). What is safe among these positions alone is safe; what is not may be safe all the same. The checker
//! need not know of any of this.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::rules::{BySize, Color, Mask, Position, Size};

/// How many black pieces of a size there can be on the board, none included.
const COUNTS: usize = 4;

/// So many white pieces of a size there are: this bounds nothing.
const ALL: u8 = 3;

/// For each size how many white pieces of it may stand elsewhere than on a black piece of the next smaller size, by how
/// many of those are on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Discipline(BySize<[u8; COUNTS]>);

/// A size with the next smaller one.
fn pairs() -> impl Iterator<Item = (Size, Size)> {
    Size::ALL.into_iter().zip(Size::ALL.into_iter().skip(1))
}

impl Default for Discipline {
    fn default() -> Discipline {
        Discipline::FREE
    }
}

impl Discipline {
    /// White may answer as it likes.
    pub const FREE: Discipline = Discipline(BySize([[ALL; COUNTS]; 4]));

    /// Whether White may answer as it likes.
    #[must_use]
    pub fn is_free(&self) -> bool {
        *self == Discipline::FREE
    }

    /// The most white pieces of a size off black ones, of which there are so many. With White to move Black may just
    /// have put one more of them on the board.
    fn most(&self, size: Size, blacks: u32, turn: Color) -> u8 {
        let (bounds, blacks) = (&self.0[size], blacks as usize);
        match turn {
            Color::Black => bounds[blacks],
            Color::White => bounds[blacks].max(bounds[blacks.saturating_sub(1)]),
        }
    }

    /// Whether the discipline lets White's pieces of a size stand as they do over black ones of the next size.
    pub(super) fn allows_over(&self, size: Size, whites: Mask, blacks: Mask, turn: Color) -> bool {
        (whites - blacks).count() <= u32::from(self.most(size, blacks.count(), turn))
    }

    /// Whether it says so of all sizes above `smallest`: those with White to move are the ones that Black can bring
    /// about.
    pub(super) fn allows_above(&self, smallest: Size, position: &Position) -> bool {
        pairs().take_while(|&(_, smaller)| smaller <= smallest).all(|(size, smaller)| {
            let (whites, blacks) =
                (position.pieces(Color::White, size), position.pieces(Color::Black, smaller));
            self.allows_over(size, whites, blacks, position.turn())
        })
    }

    /// Whether White keeps to it in a position with Black to move; with White to move, whether Black can bring the
    /// position about when White has kept to it.
    #[must_use]
    pub fn allows(&self, position: &Position) -> bool {
        self.allows_above(Size::D, position)
    }
}

/// A text that is no discipline.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is no discipline: {why}; write for instance A=2 or A=3/3/2/1,B=1")]
pub struct DisciplineError {
    text: String,
    why: &'static str,
}

impl FromStr for Discipline {
    type Err = DisciplineError;

    fn from_str(text: &str) -> Result<Discipline, DisciplineError> {
        let wrong = |why| DisciplineError { text: text.to_owned(), why };
        let mut discipline = Discipline::FREE;
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, bounds) = part.split_once('=').ok_or_else(|| wrong("a part has no ="))?;
            let size = pairs()
                .map(|(size, _)| size)
                .find(|size| name == size.letter().to_string())
                .ok_or_else(|| wrong("only white A, B and C can stand on smaller pieces"))?;
            let bounds: Option<Vec<u8>> =
                bounds.split('/').map(|bound| bound.parse().ok().filter(|&bound| bound <= ALL)).collect();
            let bounds = bounds.ok_or_else(|| wrong("a bound is a number from 0 to 3"))?;
            discipline.0[size] = match *bounds.as_slice() {
                [bound] => [bound; COUNTS],
                [none, one, two, three] => [none, one, two, three],
                _ => return Err(wrong("a size has one bound, or four for none to three black pieces")),
            };
        }
        Ok(discipline)
    }
}

/// As it is written on the command line: nothing if White is free.
impl fmt::Display for Discipline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = pairs().map(|(size, _)| size).filter(|&size| self.0[size] != [ALL; COUNTS]);
        for (i, size) in bound.enumerate() {
            let bounds = self.0[size];
            write!(f, "{}{}={}", if i > 0 { "," } else { "" }, size.letter(), bounds[0])?;
            if bounds != [bounds[0]; COUNTS] {
                write!(f, "/{}/{}/{}", bounds[1], bounds[2], bounds[3])?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn discipline(text: &str) -> Discipline {
        text.parse().expect("a discipline")
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in ["", "A=2", "B=1", "A=3/3/2/1,B=0", "C=1/2/3/0"] {
            assert_eq!(discipline(text).to_string(), text);
        }
        assert_eq!(discipline("A=1/1/1/1").to_string(), "A=1");
        assert!(discipline("A=3,B=3,C=3").is_free());
        for (text, why) in [
            ("A", "no ="),
            ("D=1", "only white A"),
            ("A=4", "0 to 3"),
            ("A=-1", "0 to 3"),
            ("A=1/2", "one bound, or four"),
        ] {
            let error = text.parse::<Discipline>().expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn white_pieces_are_counted_that_do_not_stand_on_the_next_size() {
        let variant = "abcd-full".parse().expect("a variant");
        let position = |text: &str| Position::parse(text, variant).expect("a position");
        // Of three white A one stands on a black B, one on a black C, one on nothing.
        let board = "Ab,a,.,b/Ac,a,.,./A,a,.,./.,.,.,B";
        let black_to_move = position(&format!("{board} b"));
        for (text, allowed) in [("A=2", true), ("A=1", false), ("A=0/0/2/0,B=1", true), ("A=2,B=0", false)] {
            assert_eq!(discipline(text).allows(&black_to_move), allowed, "{text}");
        }
        // Black may have put its second B on the board just now, but not its third.
        let white_to_move = position(&format!("{board} w"));
        for (text, allowed) in [("A=0/2/0/0", true), ("A=2/0/0/2", false), ("A=0/0/2/0", true)] {
            assert_eq!(discipline(text).allows(&white_to_move), allowed, "{text}");
        }
    }
}
