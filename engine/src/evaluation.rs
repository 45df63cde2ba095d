//! What a position seems to be worth where the search ends.

use crate::board::{Board, lane};

/// What a side's visible pieces are worth by size, A first.
const VISIBLE: [i32; 4] = [36, 20, 12, 6];

/// What a side's visible pieces are worth more on the long diagonals: there a square lies on three lines.
const DIAGONAL: i32 = 3;
const DIAGONALS: u16 = 0x9669;

/// To be on move.
const TEMPO: i32 = 8;

/// What a line is worth by how many pieces of one side show on it, if no A of the opponent does.
const OPEN: [i16; 5] = [0, 2, 9, 26, 26];
/// The same where an A of the opponent stands on it: it cannot be covered.
const BLOCKED: [i16; 5] = [0, 0, 1, 3, 3];

/// What a line is worth, by its squares with visible pieces as the lower four bits and those with an A of the opponent as the
/// higher.
const LINE: [i16; 256] = {
    let mut line = [0; 256];
    let mut squares = 0;
    while squares < 256 {
        let own = (squares as u8 & 15).count_ones() as usize;
        line[squares] = if squares >> 4 == 0 { OPEN[own] } else { BLOCKED[own] };
        squares += 1;
    }
    line
};

/// The value for the side to move, at most some thousands.
#[inline]
pub(crate) fn evaluate(board: &Board) -> i32 {
    let (us, them) = board.us();
    TEMPO + side(board, us) - side(board, them)
}

#[inline]
fn side(board: &Board, side: usize) -> i32 {
    let own = board.visible[side];
    let pieces = board.sides[side];
    let mut worth = 0;
    let mut larger = 0;
    for (size, worth_of) in VISIBLE.into_iter().enumerate() {
        let shown = lane(pieces, size) & own & !larger;
        larger |= lane(pieces, size);
        worth += worth_of * shown.count_ones() as i32;
    }
    worth += DIAGONAL * (own & DIAGONALS).count_ones() as i32;
    worth + i32::from(lines(own, lane(board.sides[side ^ 1], 0)))
}

/// What all ten lines are worth.
#[inline]
fn lines(own: u16, blocks: u16) -> i16 {
    let four = |set: u16, shift: usize| usize::from(set >> shift & 15);
    let line = |own: u16, blocks: u16, shift: usize| LINE[four(own, shift) | four(blocks, shift) << 4];
    let all = |own: u16, blocks: u16| {
        line(own, blocks, 0) + line(own, blocks, 4) + line(own, blocks, 8) + line(own, blocks, 12)
    };
    let diagonals =
        LINE[diagonal(own) | diagonal(blocks) << 4] + LINE[other_diagonal(own) | other_diagonal(blocks) << 4];
    all(own, blocks) + all(turned(own), turned(blocks)) + diagonals
}

/// The board with files and ranks exchanged.
#[inline]
const fn turned(set: u16) -> u16 {
    let half = (set ^ set >> 3) & 0x0A0A;
    let set = set ^ half ^ half << 3;
    let half = (set ^ set >> 6) & 0x00CC;
    set ^ half ^ half << 6
}

/// The squares of the diagonal from a1 as four bits.
#[inline]
const fn diagonal(set: u16) -> usize {
    let set = set & 0x8421;
    ((set | set >> 4 | set >> 8 | set >> 12) & 15) as usize
}

/// The squares of the diagonal from d1 as four bits.
#[inline]
const fn other_diagonal(set: u16) -> usize {
    let set = set & 0x1248;
    ((set | set >> 4 | set >> 8 | set >> 12) & 15) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use gobcheck::rules::LINES;

    #[test]
    fn lines_are_worth_what_a_loop_over_them_says() {
        // Squares that follow no pattern, with blocks on a third of them.
        let mut set = 1u32;
        for _ in 0..20_000 {
            set = set.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let own = (set >> 16) as u16;
            let blocks = (set.wrapping_mul(0x9E37_79B9) >> 16) as u16 & (set >> 9) as u16 & !own;
            let worth = |line: u16| {
                let count = (own & line).count_ones() as usize;
                if blocks & line == 0 { OPEN[count] } else { BLOCKED[count] }
            };
            let expected: i16 = LINES.iter().map(|line| worth(line.0)).sum();
            assert_eq!(lines(own, blocks), expected, "{own:#06x} {blocks:#06x}");
        }
    }
}
