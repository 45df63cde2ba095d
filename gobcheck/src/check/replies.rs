//! Listed positions, found from the questions that lead to them.
//!
//! No move changes a piece of the other side. So all positions that one side reaches from a question share the pieces of
//! the other side, and to find those of them that are listed it is enough to bring *these* pieces to their smallest
//! image, once, and to look among the listed positions that have it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::rules::{Color, Game, Move, Position, Size, Square};
use crate::symmetry::{Symmetry, least_for};

/// A group with fewer positions is gone through; in a larger one the position after each move is looked for.
const SMALL: usize = 64;

/// Listed positions that a side may reach by a reply. All have the other side, which asks, to move.
pub(super) struct Replies {
    asking: Color,
    /// For the asking side's pieces, at their smallest image, where the positions that have them are.
    groups: HashMap<u64, Range<usize>>,
    /// The replying side's pieces, in order within each group.
    pieces: Vec<u64>,
    /// Whether the position may be reached: all of a closure's; of a refutation's those that are known to be won.
    counts: Vec<AtomicBool>,
}

impl Replies {
    /// These positions, all with `asking` to move.
    pub(super) fn new(positions: &[Position], asking: Color, counts: bool) -> Replies {
        let images = positions.iter().flat_map(|position| images(position, asking));
        let mut sorted: Vec<(u64, u64)> = images.collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut groups: HashMap<u64, Range<usize>> = HashMap::new();
        for (at, &(asking, _)) in sorted.iter().enumerate() {
            groups.entry(asking).or_insert(at..at).end = at + 1;
        }
        let pieces: Vec<u64> = sorted.iter().map(|&(_, replying)| replying).collect();
        let counts = pieces.iter().map(|_| AtomicBool::new(counts)).collect();
        Replies { asking, groups, pieces, counts }
    }

    /// Lets a listed position count from now on.
    pub(super) fn count(&self, position: &Position) {
        for (asking, replying) in images(position, self.asking) {
            let at = self.groups.get(&asking).and_then(|group| self.find(group, replying));
            if let Some(counts) = at.and_then(|at| self.counts.get(at)) {
                counts.store(true, Ordering::Release);
            }
        }
    }

    /// Where a group has the replying side's pieces.
    fn find(&self, group: &Range<usize>, replying: u64) -> Option<usize> {
        Some(group.start + self.pieces.get(group.clone())?.binary_search(&replying).ok()?)
    }

    /// Whether some reply to a question wins or reaches a position that counts.
    pub(super) fn answer(&self, game: &Game, question: &Position) -> bool {
        let replying = question.turn();
        // Of a line that a move completes three squares were the mover's before, and the move leads to the fourth.
        let fourths = question.visible(replying).lines_of_three() - question.visible(replying);
        let completes = |(Move::Place { to, .. } | Move::Transfer { to, .. })| fourths.contains(to);
        let wins = |mv| completes(mv) && game.winner(question, mv, &question.moved(mv)) == Some(replying);
        if !fourths.is_empty() && game.moves(question).any(wins) {
            return true;
        }
        let Some(symmetry) = least_for(question, self.asking).next() else { return false };
        let image = symmetry.position(question);
        let Some(group) = self.groups.get(&image.side(self.asking)) else { return false };
        let counts = |at: usize| self.counts.get(at).is_some_and(|counts| counts.load(Ordering::Acquire));
        let reached = |mv| {
            let after = image.moved(mv);
            let listed = self.find(group, after.side(replying)).is_some_and(counts);
            listed && game.winner(&image, mv, &after).is_none()
        };
        if group.len() >= SMALL {
            return game.moves(&image).any(reached);
        }
        // In a small group it is quicker to go through what is listed: which move could lead there?
        let listed = self.pieces.get(group.clone()).unwrap_or_default().iter();
        let mut moves = listed.filter_map(|&after| between(image.side(replying), after));
        moves.any(|mv| reached(mv) && game.moves(&image).any(|legal| legal == mv))
    }
}

/// The move between two arrangements of a side's pieces ([`Position::side`]); `None` if it takes more than one.
fn between(before: u64, after: u64) -> Option<Move> {
    let (left, reached) = (before & !after, after & !before);
    let square = |bit: u64| Square::new((bit.trailing_zeros() % 16) as u8);
    let size = |bit: u64| Size::ALL.get(bit.trailing_zeros() as usize / 16).copied();
    match (left.count_ones(), reached.count_ones()) {
        (0, 1) => Some(Move::Place { size: size(reached)?, to: square(reached)? }),
        (1, 1) if size(left) == size(reached) => Some(Move::Transfer { from: square(left)?, to: square(reached)? }),
        _ => None,
    }
}

/// The pieces of the side that asks, at their smallest image, and those of the other side with them: once for each
/// symmetry that leads there.
fn images(position: &Position, asking: Color) -> impl Iterator<Item = (u64, u64)> {
    let image = move |symmetry: Symmetry| [asking, !asking].map(|color| symmetry.side(position.side(color)));
    least_for(position, asking).map(image).map(|[asking, replying]| (asking, replying))
}
