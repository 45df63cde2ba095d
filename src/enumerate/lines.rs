//! The number of squares of a set on each line, for all ten lines at once.

use crate::rules::{Bitboard, LINES};

/// The counts for the ten lines, four bits each.
#[derive(Clone, Copy)]
pub(crate) struct LineCounts(u64);

/// The lowest of the four bits of each line.
const LOWEST: u64 = 0x11_1111_1111;

/// `COUNTS[0]`: the counts for each set of squares of ranks 1 and 2. `COUNTS[1]`: for ranks 3 and 4.
static COUNTS: [[u64; 256]; 2] = {
    let mut counts = [[0; 256]; 2];
    let mut set = 0;
    while set < 512 {
        let (half, byte) = (set / 256, set % 256);
        let mut line = 0;
        while line < LINES.len() {
            let common = LINES[line].0 >> (8 * half) & byte as u16;
            counts[half][byte] |= (common.count_ones() as u64) << (4 * line);
            line += 1;
        }
        set += 1;
    }
    counts
};

/// A set of lines is returned as a mask: bit 4 * i is set if line i of [`LINES`] is in the set.
impl LineCounts {
    pub(crate) fn of(set: Bitboard) -> LineCounts {
        let [low, high] = set.0.to_le_bytes();
        LineCounts(COUNTS[0][usize::from(low)] + COUNTS[1][usize::from(high)])
    }

    /// The lines that the set meets.
    pub(crate) fn met(self) -> u64 {
        (self.0 | self.0 >> 1 | self.0 >> 2) & LOWEST
    }

    /// The lines with two squares of the set.
    pub(crate) fn twos(self) -> u64 {
        self.0 >> 1 & !self.0 & LOWEST
    }

    /// The lines with three or four squares of the set.
    pub(crate) fn threes(self) -> u64 {
        (self.0 >> 1 & self.0 | self.0 >> 2) & LOWEST
    }

    /// The lines with at least `n` squares of the set.
    pub(crate) fn at_least(self, n: u8) -> u64 {
        match n {
            0 => LOWEST,
            1 => self.met(),
            2 => self.twos() | self.threes(),
            3 => self.threes(),
            _ => self.fours(),
        }
    }

    /// The lines that lie in the set.
    pub(crate) fn fours(self) -> u64 {
        self.0 >> 2 & LOWEST
    }
}

/// The lines of a mask as [`LineCounts`] returns it.
pub(crate) fn lines_in(lines: u64) -> impl Iterator<Item = Bitboard> {
    LINES.into_iter().enumerate().filter(move |(line, _)| lines >> (4 * line) & 1 == 1).map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_one_by_one() {
        for set in (0..=u16::MAX).map(Bitboard) {
            let counts = LineCounts::of(set);
            for (line, place) in LINES.into_iter().zip((0..).step_by(4)) {
                let count = (set & line).count();
                let lines = [counts.met(), counts.twos(), counts.threes(), counts.fours()];
                let expected = [count > 0, count == 2, count >= 3, count == 4];
                for n in 0..=4 {
                    assert_eq!(
                        counts.at_least(n) >> place & 1 == 1,
                        count >= u32::from(n),
                        "{set:?} {line:?}"
                    );
                }
                assert_eq!(lines.map(|lines| lines >> place & 1 == 1), expected, "{set:?} {line:?}");
            }
            assert_eq!(counts.met() & !LOWEST, 0);
        }
    }
}
