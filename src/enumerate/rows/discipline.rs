//! A discipline: a restriction that one side keeps to, so that a proof takes less memory and time. A proof needs one
//! strategy of one side, not all of them.
//!
//! **White's** discipline limits how many of its pieces of a size stand anywhere but on a black piece of the next
//! smaller size, or how many it places from hand at all. Black cannot break it, because a covered piece does not move
//! (R5). A position that is safe under it is safe. One that is not may still be safe.
//!
//! **Black's** discipline limits how many of its pieces of a size stand off the two long diagonals. White cannot break
//! it, because it never moves a black piece. A position that is lost under it is lost. One that is not may still be
//! lost. The diagonals help Black because each of their squares lies on three lines, and every other square on two.
//!
//! Examples: under `A=2` at most two white A stand anywhere but on a black B. Under `B@=2/2/3/3` White places its third B
//! only when two black C are on the board. The checker knows nothing of disciplines.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::notation::Piece;
use crate::rules::{Bitboard, BySize, Color, Position, Size};

/// A side has none to three pieces of a size on the board: four cases.
const COUNTS: usize = 4;

/// All pieces that a side has of a size: as a limit it allows everything.
const ALL: u8 = 3;

/// The squares of the two long diagonals.
pub(crate) const DIAGONALS: Bitboard = Bitboard(0x9669);

/// The side that keeps to a discipline, with its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Discipline(Bounds);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Bounds {
    #[default]
    Free,
    /// By a size and `n`, where Black has `n` pieces of the next smaller size on the board.
    White {
        /// How many white pieces of the size may stand anywhere but on a black piece of the next smaller size.
        off: Limits,
        /// How many white pieces of the size may be on the board.
        placed: Limits,
    },
    /// By a size and `n`: how many of Black's `n` pieces of the size may stand off the long diagonals.
    Black(Limits),
}

/// Limits by a size and a number of black pieces.
type Limits = BySize<[u8; COUNTS]>;

/// Limits that allow everything.
const NO_LIMITS: Limits = BySize([[ALL; COUNTS]; 4]);

/// What follows the letter of a size whose pieces on the board are counted: moves from hand are written so.
const PLACED: char = '@';

/// The sizes that a discipline of this side can limit.
fn sizes(keeper: Color) -> &'static [Size] {
    match keeper {
        // There is nothing below D to stand on.
        Color::White => &Size::ALL[..3],
        Color::Black => &Size::ALL,
    }
}

/// The letter of a size in a discipline: as a piece of the keeper is written.
fn letter(keeper: Color, size: Size) -> char {
    Piece { color: keeper, size }.letter()
}

impl Discipline {
    /// Both sides may play as they like.
    pub const FREE: Discipline = Discipline(Bounds::Free);

    /// Whether both sides may play as they like.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.keeper().is_none()
    }

    /// The side that keeps to it. The other side plays as it likes, so a result for the keeper holds in the whole game.
    #[must_use]
    pub fn keeper(&self) -> Option<Color> {
        match self.0 {
            Bounds::Free => None,
            Bounds::White { .. } => Some(Color::White),
            Bounds::Black(_) => Some(Color::Black),
        }
    }

    /// Whether the limits hold for the black pieces of one size and the white ones of the next larger size (`None` for
    /// size A). With White to move the limit for one black piece fewer will do too: Black may just have placed one.
    pub(crate) fn allows_at(
        &self,
        size: Size,
        whites: Option<Bitboard>,
        blacks: Bitboard,
        turn: Color,
    ) -> bool {
        match &self.0 {
            Bounds::Free => true,
            Bounds::White { off, placed } => {
                let (Some(whites), Some(larger)) = (whites, size.larger()) else { return true };
                let count = blacks.count() as usize;
                let most = |limits: &Limits| {
                    let limits = &limits[larger];
                    u32::from(match turn {
                        Color::Black => limits[count],
                        Color::White => limits[count].max(limits[count.saturating_sub(1)]),
                    })
                };
                (whites - blacks).count() <= most(off) && whites.count() <= most(placed)
            }
            Bounds::Black(bounds) => {
                (blacks - DIAGONALS).count() <= u32::from(bounds[size][blacks.count() as usize])
            }
        }
    }

    /// Whether White may have this many pieces of a size on the board where Black has none of the next smaller size.
    pub(crate) fn allows_bare(&self, size: Size, count: u8) -> bool {
        match &self.0 {
            Bounds::Free | Bounds::Black(_) => true,
            Bounds::White { off, placed } => count <= off[size][0].min(placed[size][0]),
        }
    }

    /// As [`Discipline::allows`], for the sizes down to `smallest` only.
    pub(crate) fn allows_down_to(&self, smallest: Size, position: &Position) -> bool {
        Size::ALL.into_iter().take_while(|&size| size <= smallest).all(|size| {
            let whites = size.larger().map(|larger| position.pieces(Color::White, larger));
            self.allows_at(size, whites, position.pieces(Color::Black, size), position.turn())
        })
    }

    /// Whether a position agrees with the discipline. If the keeper has just moved, the limits must hold. If the other side has
    /// just moved, the position must be one that its move can lead to from a position within the limits.
    #[must_use]
    pub fn allows(&self, position: &Position) -> bool {
        self.allows_down_to(Size::D, position)
    }
}

/// The text is not a discipline.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{text:?} is no discipline: {why}; write for instance A=2 or A=3/3/2/1,B=1 for White, a=1,b=1/1/1/0 for Black"
)]
pub struct DisciplineError {
    text: String,
    why: &'static str,
}

impl FromStr for Discipline {
    type Err = DisciplineError;

    fn from_str(text: &str) -> Result<Discipline, DisciplineError> {
        let wrong = |why| DisciplineError { text: text.to_owned(), why };
        let [mut off, mut placed, mut black] = [NO_LIMITS; 3];
        let mut named = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, bounds) = part.split_once('=').ok_or_else(|| wrong("a part has no ="))?;
            let (name, counts_placed) =
                name.strip_suffix(PLACED).map_or((name, false), |letter| (letter, true));
            let of = |keeper| {
                let is_meant = |size: &&Size| name == letter(keeper, **size).to_string();
                sizes(keeper).iter().find(is_meant).map(|&size| (keeper, size))
            };
            let (keeper, size) = Color::ALL
                .into_iter()
                .find_map(of)
                .ok_or_else(|| wrong("it is for A, B and C of White's and a, b, c and d of Black's"))?;
            if named.contains(&(keeper, size, counts_placed)) {
                return Err(wrong("a size is limited twice"));
            }
            named.push((keeper, size, counts_placed));
            let bounds: Option<Vec<u8>> =
                bounds.split('/').map(|bound| bound.parse().ok().filter(|&bound| bound <= ALL)).collect();
            let bounds = bounds.ok_or_else(|| wrong("a bound is a number from 0 to 3"))?;
            let of_keeper = match (keeper, counts_placed) {
                (Color::White, false) => &mut off,
                (Color::White, true) => &mut placed,
                (Color::Black, false) => &mut black,
                (Color::Black, true) => return Err(wrong("@ is for A, B and C of White's")),
            };
            of_keeper[size] = match *bounds.as_slice() {
                [bound] => [bound; COUNTS],
                [none, one, two, three] => [none, one, two, three],
                _ => return Err(wrong("a size has one bound, or four for none to three black pieces")),
            };
        }
        match ((off, placed) == (NO_LIMITS, NO_LIMITS), black == NO_LIMITS) {
            (true, true) => Ok(Discipline::FREE),
            (false, true) => Ok(Discipline(Bounds::White { off, placed })),
            (true, false) => Ok(Discipline(Bounds::Black(black))),
            (false, false) => Err(wrong("where both sides keep to something nothing is proven")),
        }
    }
}

/// As it is written on the command line: nothing if both sides are free.
impl fmt::Display for Discipline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(keeper) = self.keeper() else { return Ok(()) };
        let kinds: &[(Limits, &str)] = match &self.0 {
            Bounds::Free => &[],
            Bounds::White { off, placed } => &[(*off, ""), (*placed, "@")],
            Bounds::Black(off) => &[(*off, "")],
        };
        let mut comma = "";
        for &size in sizes(keeper) {
            for (limits, mark) in kinds {
                let bounds = limits[size];
                if bounds == [ALL; COUNTS] {
                    continue;
                }
                write!(f, "{comma}{}{mark}={}", letter(keeper, size), bounds[0])?;
                if bounds != [bounds[0]; COUNTS] {
                    write!(f, "/{}/{}/{}", bounds[1], bounds[2], bounds[3])?;
                }
                comma = ",";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::rules::Variant;
    use crate::rules::{LINES, Square};
    use crate::symmetry::Symmetry;

    fn discipline(text: &str) -> Discipline {
        text.parse().expect("a discipline")
    }

    #[test]
    fn texts_are_read_and_written() {
        for text in [
            "",
            "A=2",
            "B=1",
            "A=3/3/2/1,B=0",
            "A@=1",
            "A=2,B=1,B@=2/2/3/3",
            "C=1/2/3/0",
            "a=1",
            "a=1,b=0",
            "c=3/2/1/0,d=2",
        ] {
            assert_eq!(discipline(text).to_string(), text);
        }
        assert_eq!(discipline("A=1/1/1/1").to_string(), "A=1");
        assert!(discipline("A=3,B=3,C=3").is_free());
        assert!(discipline("a=3,A=3").is_free());
        assert_eq!(discipline("A=2").keeper(), Some(Color::White));
        assert_eq!(discipline("a=2").keeper(), Some(Color::Black));
        for (text, why) in [
            ("A", "no ="),
            ("D=1", "it is for A, B and C"),
            ("a=1/1", "one bound, or four"),
            ("A=1,a=1", "both sides"),
            ("A=4", "0 to 3"),
            ("A=-1", "0 to 3"),
            ("A=1/2", "one bound, or four"),
            ("A=1,A=3", "a size is limited twice"),
            ("a@=1", "@ is for A, B and C of White's"),
            ("@=1", "it is for A, B and C"),
        ] {
            let error = text.parse::<Discipline>().expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn white_pieces_are_counted_that_do_not_stand_on_the_next_size() {
        let variant: Variant = "abcd-full".read().expect("a variant");
        let position = |text: &str| variant.parse(text).expect("a position");
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

    #[test]
    fn all_white_pieces_on_the_board_are_counted() {
        let variant: Variant = "abcd-full".read().expect("a variant");
        let position = |text: &str| variant.parse(text).expect("a position");
        // Three white A, two black B, one white B, no black C.
        let board = "Ab,a,.,b/Ac,a,.,./A,a,.,./.,.,.,B";
        let black_to_move = position(&format!("{board} b"));
        for (text, allowed) in [
            ("A@=3", true),
            ("A@=2", false),
            ("A@=0/0/3/0,B@=1", true),
            ("A=2,B@=0", false),
            ("A=1,A@=3", false),
        ] {
            assert_eq!(discipline(text).allows(&black_to_move), allowed, "{text}");
        }
        let white_to_move = position(&format!("{board} w"));
        for (text, allowed) in [("A@=0/3/0/0", true), ("A@=2/0/0/3", false), ("A@=0/0/3/0", true)] {
            assert_eq!(discipline(text).allows(&white_to_move), allowed, "{text}");
        }
    }

    #[test]
    fn black_pieces_are_counted_that_do_not_stand_on_the_long_diagonals() {
        let variant: Variant = "abc".read().expect("a variant");
        // Two black A and one B are on the diagonals, one A and one C are not.
        for turn in ["w", "b"] {
            let text = format!("a,a,.,./.,b,.,A/c,.,a,./.,.,.,B {turn}");
            let position = variant.parse(&text).expect("a position");
            for (text, allowed) in [
                ("a=1", true),
                ("a=0", false),
                ("a=1,b=0,c=1", true),
                ("c=0", false),
                ("a=0/0/0/1,c=0/1/0/0", true),
                ("a=3/3/3/0", false),
                ("c=3/0/3/3", false),
            ] {
                assert_eq!(discipline(text).allows(&position), allowed, "{text}");
            }
        }
    }

    #[test]
    fn the_long_diagonals_are_those_of_the_rules_and_symmetries_keep_them() {
        let three_lines = |square: &Square| LINES.iter().filter(|line| line.contains(*square)).count() == 3;
        let squares = Square::ALL.into_iter().filter(three_lines);
        assert_eq!(DIAGONALS, squares.fold(Bitboard::EMPTY, |mask, square| mask.with(square)));
        assert!(Symmetry::all().all(|symmetry| symmetry.bitboard(DIAGONALS) == DIAGONALS));
    }
}
