//! Lines on a set of squares given as 16 bits, all ten at once (R1).

/// The squares of the two long diagonals.
const DIAGONALS: [u16; 2] = [0x8421, 0x1248];

/// The lines through each square; 0 where there are only two.
pub(crate) const THROUGH: [[u16; 3]; 16] = {
    let mut through = [[0; 3]; 16];
    let mut square = 0;
    while square < 16 {
        through[square][0] = 0xF << (square & !3);
        through[square][1] = 0x1111 << (square & 3);
        let bit = 1 << square;
        let mut diagonal = 0;
        while diagonal < 2 {
            if DIAGONALS[diagonal] & bit != 0 {
                through[square][2] = DIAGONALS[diagonal];
            }
            diagonal += 1;
        }
        square += 1;
    }
    through
};

/// Whether the set holds a whole line.
#[inline]
pub(crate) const fn has_line(set: u16) -> bool {
    let ranks = set & set >> 1;
    let ranks = ranks & ranks >> 2 & 0x1111;
    let files = set & set >> 4;
    let files = files & files >> 8 & 0x000F;
    ranks | files != 0 || set & DIAGONALS[0] == DIAGONALS[0] || set & DIAGONALS[1] == DIAGONALS[1]
}

/// The squares whose line the set would complete: the other three of a line are in it. The square itself may be in the set only
/// if a whole line is.
#[inline]
pub(crate) const fn completions(set: u16) -> u16 {
    // Each rank and each file turned by one, two and three squares: where all three are set, the other three are.
    let ranks = ((set << 1 & 0xEEEE) | (set >> 3 & 0x1111))
        & ((set << 2 & 0xCCCC) | (set >> 2 & 0x3333))
        & ((set << 3 & 0x8888) | (set >> 1 & 0x7777));
    let files = set.rotate_left(4) & set.rotate_left(8) & set.rotate_left(12);
    ranks | files | of_diagonal(set, DIAGONALS[0]) | of_diagonal(set, DIAGONALS[1])
}

#[inline]
const fn of_diagonal(set: u16, diagonal: u16) -> u16 {
    match !set & diagonal {
        0 => diagonal,
        missing if missing & (missing - 1) == 0 => missing,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gobcheck::rules::{Bitboard, LINES};

    #[test]
    fn lines_and_what_completes_them_are_those_of_the_rules_for_every_set() {
        for set in 0..=u16::MAX {
            assert_eq!(has_line(set), Bitboard(set).has_line(), "{set:#06x}");
            let completes = |square: &u32| {
                let bit = 1u16 << square;
                LINES.iter().any(|line| line.0 & bit != 0 && line.0 & !bit & !set == 0)
            };
            let expected = (0..16).filter(completes).fold(0, |found, square| found | 1 << square);
            assert_eq!(completions(set), expected, "{set:#06x}");
        }
        for (square, through) in THROUGH.iter().enumerate() {
            let mut lines: Vec<u16> = through.iter().copied().filter(|&line| line != 0).collect();
            let mut of_rules: Vec<u16> =
                LINES.iter().map(|line| line.0).filter(|line| line & 1 << square != 0).collect();
            lines.sort_unstable();
            of_rules.sort_unstable();
            assert_eq!(lines, of_rules);
        }
    }
}
