//! Counting move sequences, by the moves of the search.

use gobcheck::rules::{Game, Position};

use crate::board::{Board, Rules};
use crate::lines;

/// The number of move sequences of a length; a move that ends the game ends its sequences. The search's own moves are
/// counted, so that they can be compared with those of the rules.
#[must_use]
pub fn perft(game: &Game, position: &Position, depth: u32) -> u64 {
    if position.finished().is_some() {
        return u64::from(depth == 0);
    }
    count(&Rules::new(game), &Board::from(position), depth)
}

fn count(rules: &Rules, board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (us, _) = board.us();
    let mut found = 0;
    board.moves_to(rules, u16::MAX, |mv| {
        let after = board.after(mv);
        let ends = lines::has_line(after.visible[us]) || board.loses(rules, mv, &after);
        found += if ends { u64::from(depth == 1) } else { count(rules, &after, depth - 1) };
    });
    found
}
