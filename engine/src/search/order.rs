//! In which order moves are looked at.

use std::cmp::Reverse;
use std::ops::Range;

use crate::board::{Board, PackedMove, Rules};
use crate::lines;
use crate::options::Techniques;

use super::node::MOST_PLIES;

/// A move and how early it is looked at.
#[derive(Clone, Copy)]
pub(super) struct Scored {
    pub mv: PackedMove,
    pub score: i32,
}

/// What has been good so far.
pub(super) struct Order {
    /// By ply the two moves that last refuted what came before.
    killers: Vec<[PackedMove; 2]>,
    /// By side and move, up to [`MOST`].
    history: Vec<[i32; PackedMove::COUNT]>,
    /// The moves of all plies, the last ply's at the end.
    pub moves: Vec<Scored>,
}

/// The most that the history says for or against a move.
const MOST: i32 = 1 << 13;

/// How many moves are looked for one by one before the others are sorted.
const SORTED: usize = 4;

const FROM_TABLE: i32 = 1 << 30;
const KILLER: i32 = 1 << 20;

impl Order {
    pub fn new() -> Order {
        Order {
            killers: vec![[PackedMove::NONE; 2]; MOST_PLIES + 2],
            history: vec![[0; PackedMove::COUNT]; 2],
            moves: Vec::with_capacity(4096),
        }
    }

    /// Makes ready for another search: what was good before is still a hint.
    pub fn begin(&mut self) {
        self.killers.fill([PackedMove::NONE; 2]);
        self.history.iter_mut().flatten().for_each(|worth| *worth /= 2);
        self.moves.clear();
    }

    /// Appends the moves that land on some squares, each with its place in the order.
    pub fn fill(&mut self, rules: &Rules, board: &Board, squares: u16, first: PackedMove, ply: usize) {
        let (us, them) = board.us();
        let [killer, other] = self.killers[ply];
        let history = &self.history[us];
        let moves = &mut self.moves;
        // To cover what shows, and to come near a line.
        let theirs = board.visible[them];
        let fourths = lines::completions(theirs);
        board.moves_to(rules, squares, |mv| {
            let bit = 1u16 << mv.to();
            let score = if mv == first {
                FROM_TABLE
            } else if mv == killer {
                KILLER + 1
            } else if mv == other {
                KILLER
            } else {
                let covers = i32::from(theirs & bit != 0) * 1_000;
                let blocks = i32::from(fourths & bit != 0) * 2_000;
                history[mv.index()] + covers + blocks
            };
            moves.push(Scored { mv, score });
        });
    }

    /// Brings the best of the moves from a place on to that place, where a range begins with those that were brought before.
    #[inline]
    pub fn next(&mut self, at: usize, range: Range<usize>) -> PackedMove {
        let left = &mut self.moves[at..range.end];
        match at - range.start {
            // Most often one of the first moves is good enough, and the others need no order.
            0..SORTED => {
                let mut best = 0;
                for (other, scored) in left.iter().enumerate() {
                    if scored.score > left[best].score {
                        best = other;
                    }
                }
                left.swap(0, best);
            }
            SORTED => left.sort_unstable_by_key(|scored| Reverse(scored.score)),
            _ => (),
        }
        self.moves[at].mv
    }

    /// The move at the end of a range was good enough, and those in it were not.
    pub fn learn(&mut self, techniques: &Techniques, us: usize, ply: usize, tried: Range<usize>, depth: i32) {
        let mv = self.moves[tried.end].mv;
        if techniques.killers && self.killers[ply][0] != mv {
            self.killers[ply] = [mv, self.killers[ply][0]];
        }
        if !techniques.history {
            return;
        }
        let bonus = (depth * depth * 4).min(MOST / 8);
        let mut change = |mv: PackedMove, bonus: i32| {
            let worth = &mut self.history[us][mv.index()];
            // The nearer to the most, the less is added.
            *worth += bonus - *worth * bonus.abs() / MOST;
        };
        change(mv, bonus);
        for tried in tried {
            change(self.moves[tried].mv, -bonus);
        }
    }
}
