//! Sets of squares, and the ten lines (R1).

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub};

use super::square::Square;

/// A set of squares: bit `i` stands for the square with index `i`.
///
/// ```text
/// rank 4   12 13 14 15
/// rank 3    8  9 10 11
/// rank 2    4  5  6  7
/// rank 1    0  1  2  3
///           a  b  c  d
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Mask(pub u16);

/// The ten lines: four files, four ranks, two long diagonals (R1).
pub const LINES: [Mask; 10] = {
    let mut lines = [Mask::EMPTY; 10];
    let mut i = 0;
    while i < 4 {
        lines[i] = Mask(0x1111 << i);
        lines[4 + i] = Mask(0x000F << (4 * i));
        lines[8] = Mask(lines[8].0 | 1 << (5 * i));
        lines[9] = Mask(lines[9].0 | 1 << (3 + 3 * i));
        i += 1;
    }
    lines
};

impl Mask {
    /// No square.
    pub const EMPTY: Mask = Mask(0);
    /// All 16 squares.
    pub const ALL: Mask = Mask(0xFFFF);

    /// The set of one square.
    #[must_use]
    pub const fn of(square: Square) -> Mask {
        Mask(1 << square.index())
    }

    /// Whether no square is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in the set, 0 … 16.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square is in the set.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square.index()) != 0
    }

    /// Whether every square of `other` is in the set.
    #[must_use]
    pub const fn includes(self, other: Mask) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the two sets share a square.
    #[must_use]
    pub const fn meets(self, other: Mask) -> bool {
        self.0 & other.0 != 0
    }

    /// The set with the square added.
    #[must_use]
    pub const fn with(self, square: Square) -> Mask {
        Mask(self.0 | 1 << square.index())
    }

    /// The set with the square taken away.
    #[must_use]
    pub const fn without(self, square: Square) -> Mask {
        Mask(self.0 & !(1 << square.index()))
    }

    /// Whether the set holds a whole line.
    #[must_use]
    pub fn has_line(self) -> bool {
        LINES.iter().fold(false, |found, &line| found | self.includes(line))
    }

    /// The union of all lines in which the set has three squares or more.
    #[must_use]
    pub fn lines_of_three(self) -> Mask {
        LINES.iter().fold(
            Mask::EMPTY,
            |union, &line| {
                if (self & line).count() >= 3 { union | line } else { union }
            },
        )
    }

    /// The squares in the order of their index.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let square = Square::lowest(rest)?;
            rest &= rest - 1;
            Some(square)
        })
    }
}

impl BitAnd for Mask {
    type Output = Mask;
    fn bitand(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Mask;
    fn bitor(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }
}

impl BitOrAssign for Mask {
    fn bitor_assign(&mut self, other: Mask) {
        self.0 |= other.0;
    }
}

/// The squares of the first set that are not in the second.
impl Sub for Mask {
    type Output = Mask;
    fn sub(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
    }
}

impl Not for Mask {
    type Output = Mask;
    fn not(self) -> Mask {
        Mask(!self.0)
    }
}

impl FromIterator<Square> for Mask {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Mask {
        squares.into_iter().fold(Mask::EMPTY, Mask::with)
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.squares()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(names: &[&str]) -> Mask {
        names.iter().map(|name| name.parse::<Square>().expect("a square")).collect()
    }

    #[test]
    fn the_ten_lines_are_those_of_r1() {
        let mut expected = vec![mask(&["a1", "b2", "c3", "d4"]), mask(&["a4", "b3", "c2", "d1"])];
        for file in ["a", "b", "c", "d"] {
            expected.push(
                ["1", "2", "3", "4"]
                    .iter()
                    .map(|r| format!("{file}{r}").parse::<Square>().expect("a square"))
                    .collect(),
            );
        }
        for rank in ["1", "2", "3", "4"] {
            expected.push(
                ["a", "b", "c", "d"]
                    .iter()
                    .map(|f| format!("{f}{rank}").parse::<Square>().expect("a square"))
                    .collect(),
            );
        }
        let mut lines = LINES.to_vec();
        lines.sort();
        expected.sort();
        assert_eq!(lines, expected);
    }

    #[test]
    fn set_verbs() {
        let set = mask(&["a1", "c2", "d4"]);
        assert_eq!(set.count(), 3);
        assert_eq!(set.squares().map(|s| s.to_string()).collect::<Vec<_>>(), ["a1", "c2", "d4"]);
        assert_eq!(set - mask(&["c2", "b1"]), mask(&["a1", "d4"]));
        assert!(set.includes(mask(&["a1", "d4"])) && !set.includes(mask(&["a1", "b1"])));
        assert!(!set.has_line() && mask(&["a1", "b1", "c1", "d1", "a2"]).has_line());
        let two_lines = mask(&["a1", "b1", "c1", "d1", "a2", "a3", "a4"]);
        assert!(two_lines.has_line(), "two are no fewer than one");
        assert_eq!(mask(&["a1", "b1", "d1"]).lines_of_three(), mask(&["a1", "b1", "c1", "d1"]));
        assert_eq!(mask(&["a1", "b1", "c2"]).lines_of_three(), Mask::EMPTY);
        assert_eq!(Mask::ALL.squares().count(), 16);
    }

    #[test]
    fn one_square_comes_and_goes() {
        let [a1, c2] = ["a1", "c2"].map(|name| name.parse::<Square>().expect("a square"));
        let both = Mask::of(a1).with(c2);
        assert_eq!(both, mask(&["a1", "c2"]));
        assert_eq!(both.with(c2), both);
        assert_eq!((both.without(a1), both.without(c2).without(c2)), (Mask::of(c2), Mask::of(a1)));
        assert!(both.meets(Mask::of(c2)) && !Mask::of(a1).meets(Mask::of(c2)));
        assert!(Mask::EMPTY.is_empty() && !both.is_empty());
        let mut union = Mask::of(a1);
        union |= both;
        assert_eq!(union, both);
        assert_eq!(format!("{both:?}"), "{a1, c2}");
    }
}
