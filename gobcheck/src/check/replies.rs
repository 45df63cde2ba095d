//! Listed positions, found from the questions that lead to them.
//!
//! No move changes a piece of the other side. So all positions that one side reaches from a question share the pieces of
//! the other side, and to find those of them that are listed it is enough to bring *these* pieces to their smallest
//! image and to look among the listed positions that have it.
//!
//! One symmetry leads to that image, or several where the pieces lie symmetrically. A listed position is stored under the first
//! of them, so that it takes the same memory whatever its symmetry, and a question is brought there by each of them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::rules::{Color, Game, Move, Position};
use crate::symmetry::least_for;

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
        let mut sorted: Vec<(u64, u64)> = positions.iter().map(|position| image(position, asking)).collect();
        sorted.sort_unstable();
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
        let (asking, replying) = image(position, self.asking);
        let group = self.groups.get(&asking);
        if let Some(counts) = group.and_then(|group| self.find(group, replying)) {
            counts.store(true, Ordering::Release);
        }
    }

    /// Whether the position with the replying side's pieces counts; `None` if the group does not list it.
    fn find(&self, group: &Range<usize>, replying: u64) -> Option<&AtomicBool> {
        let at = self.pieces.get(group.clone())?.binary_search(&replying).ok()?;
        self.counts.get(group.start + at)
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
        least_for(question, self.asking).any(|symmetry| self.reaches(game, &symmetry.position(question)))
    }

    /// Whether some reply to a question, whose asking side is at its smallest image, reaches a position that is stored and
    /// counts.
    fn reaches(&self, game: &Game, question: &Position) -> bool {
        let Some(group) = self.groups.get(&question.side(self.asking)) else { return false };
        game.moves(question).any(|mv| {
            let after = question.moved(mv);
            let counts = self.find(group, after.side(question.turn()));
            counts.is_some_and(|counts| counts.load(Ordering::Acquire)) && game.winner(question, mv, &after).is_none()
        })
    }
}

/// Where a listed position is stored: the pieces of the side that asks, at their smallest image, and with them those of the
/// other side, by the first symmetry that leads there.
fn image(position: &Position, asking: Color) -> (u64, u64) {
    let image = least_for(position, asking).next().map_or(*position, |symmetry| symmetry.position(position));
    (image.side(asking), image.side(!asking))
}
