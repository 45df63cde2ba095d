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
    /// The positions, sorted: the asking side's pieces, at their smallest image, and then those of the replying side.
    images: Vec<[u64; 2]>,
    /// For the asking side's pieces, at their smallest image, where the positions that have them are.
    groups: HashMap<u64, Range<usize>>,
    /// Whether the position may be reached: all of a closure's; of a refutation's those that are known to be won.
    counts: Vec<AtomicBool>,
}

impl Replies {
    /// These positions, all with `asking` to move. Their memory is used again.
    pub(super) fn new(mut positions: Vec<[u64; 2]>, asking: Color, counts: bool) -> Replies {
        positions.iter_mut().for_each(|sides| *sides = image(&Position::from_sides(*sides, asking)));
        positions.sort_unstable();
        let mut groups: HashMap<u64, Range<usize>> = HashMap::new();
        for (at, &[asking, _]) in positions.iter().enumerate() {
            groups.entry(asking).or_insert(at..at).end = at + 1;
        }
        let counts = positions.iter().map(|_| AtomicBool::new(counts)).collect();
        Replies { asking, images: positions, groups, counts }
    }

    /// How many positions are listed.
    pub(super) fn len(&self) -> usize {
        self.images.len()
    }

    /// The listed positions from a place on, each by one image.
    pub(super) fn images(&self, from: usize) -> impl Iterator<Item = Position> {
        let rest = self.images.get(from..).unwrap_or_default();
        rest.iter().map(|&[asking, replying]| {
            let sides = if self.asking == Color::White { [asking, replying] } else { [replying, asking] };
            Position::from_sides(sides, self.asking)
        })
    }

    /// Lets a listed position count from now on.
    pub(super) fn count(&self, position: &Position) {
        if let Some(counts) = self.listed(position) {
            counts.store(true, Ordering::Release);
        }
    }

    /// Whether a position is listed and counts.
    pub(super) fn counts(&self, position: &Position) -> bool {
        self.listed(position).is_some_and(|counts| counts.load(Ordering::Acquire))
    }

    /// Whether a position counts; `None` if it is not listed.
    fn listed(&self, position: &Position) -> Option<&AtomicBool> {
        let [asking, replying] = image(position);
        self.find(self.groups.get(&asking)?, replying)
    }

    /// Whether the position with the replying side's pieces counts; `None` if the group does not list it.
    fn find(&self, group: &Range<usize>, replying: u64) -> Option<&AtomicBool> {
        let images = self.images.get(group.clone())?;
        let at = images.binary_search_by_key(&replying, |&[_, replying]| replying).ok()?;
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

/// As what a listed position is stored: the pieces of the side to move, which asks, at their smallest image, and with them those
/// of the other side, by the first symmetry that leads there.
fn image(position: &Position) -> [u64; 2] {
    let asking = position.turn();
    let image = least_for(position, asking).next().map_or(*position, |symmetry| symmetry.position(position));
    [image.side(asking), image.side(!asking)]
}
