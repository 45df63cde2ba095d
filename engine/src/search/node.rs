//! One position of the search.
//!
//! # What is proven
//! A score of [`WIN`] or more comes from one place: a move that wins at once by the rules. It becomes the score of an earlier
//! position only through a move to a position that is lost, and a position is lost only if every move was looked at and leads to
//! a won one. What is a guess never has such a score: the evaluation, a draw because a position comes again, and what a cut-off
//! by passing or by a margin returns; and where moves were left out, the score is kept above a loss. So neither the order, nor
//! the table, nor the positions that came before can make a false win. A draw is never said to be proven.

use std::sync::LazyLock;

use gobcheck::rules::{Bitboard, Position, Square};
use gobcheck::symmetry::{self, Symmetry};

use crate::board::{Board, PackedMove};
use crate::evaluation::evaluate;
use crate::score::{INFINITE, MATE, WIN};
use crate::table::{Bound, Entry, Key};

use super::{Search, transfers};

/// The most plies between the position that is asked about and the last one looked at.
pub(super) const MOST_PLIES: usize = 120;

/// The score of a position that comes again.
const DRAW: i32 = 0;

/// The most depth at which a position that is much better than it has to be is not looked at further, and by how much for each
/// ply.
const MARGIN_DEPTH: i32 = 4;
const MARGIN: i32 = 36;

impl Search<'_> {
    /// The score of a position for the side to move, looked at to a depth: exact between `alpha` and `beta`, else a bound. When
    /// the search is stopped the score means nothing.
    pub(super) fn node(
        &mut self,
        board: &Board,
        mut depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        self.stopped |= self.nodes >= self.limit || self.nodes & 1023 == 1023 && (self.stop)();
        if self.stopped {
            return 0;
        }
        self.nodes += 1;
        let is_main = beta - alpha > 1;
        if is_main {
            self.lines[ply].clear();
        }
        let techniques = self.options.techniques;
        if depth > 0 && techniques.table && !self.is_shared(board) {
            self.table.ask_for(&Key { sides: board.sides, turn: board.turn });
        }
        let (us, _) = board.us();
        let transfers = transfers(&self.path, &board.sides);
        if ply > 0 {
            if self.comes_again(board, transfers) {
                return DRAW;
            }
            if let Some(mv) = board.winning_move(self.rules, us) {
                if is_main {
                    self.lines[ply].push(mv);
                }
                return MATE - ply as i32 - 1;
            }
            // Nothing is better than to win with the next move but one.
            let best = MATE - ply as i32 - 3;
            if best <= alpha {
                return best;
            }
        }
        let parries = board.parries(self.rules);
        let threatened = parries.is_some();
        if threatened && techniques.threats && (ply as i32) < 2 * self.depth + 6 {
            depth = depth.max(0) + 1;
        }
        if depth <= 0 || ply >= MOST_PLIES {
            return self.guess(board);
        }
        let guess = if threatened { -INFINITE } else { self.guess(board) };
        let (key, symmetry) = self.key(board);
        let mut first = PackedMove::NONE;
        if techniques.table
            && let Some(entry) = self.table.get(&key)
        {
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if ply > 0 && !is_main && cuts && (i32::from(entry.depth) >= depth || entry.is_proven()) {
                return score;
            }
            let mv = entry.mv.mapped(|square| symmetry.back(square));
            if mv != PackedMove::NONE && board.is_legal(self.rules, mv) {
                first = mv;
            }
        }
        if !threatened && !is_main {
            if techniques.margins && depth <= MARGIN_DEPTH && guess - MARGIN * depth >= beta && beta > -WIN {
                return guess;
            }
            if techniques.pass && may_pass && depth >= 3 && guess >= beta && beta.abs() < WIN {
                let passed = board.passed();
                // Nothing comes again across a pass.
                self.path.push((board.sides, 0));
                let less = 3 + depth / 4;
                let score = -self.node(&passed, depth - less, -beta, 1 - beta, ply + 1, false);
                self.path.pop();
                if self.stopped {
                    return 0;
                }
                if score >= beta {
                    return score.min(WIN - 1);
                }
            }
        }
        let begin = self.order.moves.len();
        self.order.fill(self.rules, board, parries.unwrap_or(u16::MAX), first, ply);
        let end = self.order.moves.len();
        // Every move that lands elsewhere lets the opponent win at once.
        let mut best = if parries.is_some_and(|squares| squares != u16::MAX) || begin == end {
            -MATE + ply as i32 + 2
        } else {
            -INFINITE
        };
        let (mut best_move, raised) = (PackedMove::NONE, alpha);
        self.path.push((board.sides, transfers));
        let mut looked_at = 0;
        for at in begin..end {
            let mv = self.order.next(at, begin..end);
            let after = board.after(mv);
            if board.loses(self.rules, mv, &after) {
                best = best.max(-MATE + ply as i32 + 1);
                continue;
            }
            let quiet = !threatened && looked_at > 0;
            if techniques.margins
                && quiet
                && !is_main
                && depth <= 3
                && looked_at >= self.few_moves * (1 + depth * depth)
                && best > -WIN
            {
                // Left out, and so no reason to call the position lost.
                break;
            }
            looked_at += 1;
            let score = if looked_at == 1 {
                -self.node(&after, depth - 1, -beta, -alpha, ply + 1, true)
            } else {
                let reduction = match techniques.reductions && quiet && depth >= 3 && looked_at > 3 {
                    true => reduction(depth, looked_at) - i32::from(is_main),
                    false => 0,
                };
                let scout = if techniques.scout { alpha + 1 } else { beta };
                let mut score =
                    -self.node(&after, depth - 1 - reduction.max(0), -scout, -alpha, ply + 1, true);
                if score > alpha && reduction > 0 && score < WIN {
                    score = -self.node(&after, depth - 1, -scout, -alpha, ply + 1, true);
                }
                if score > alpha && score < beta && techniques.scout {
                    score = -self.node(&after, depth - 1, -beta, -alpha, ply + 1, true);
                }
                score
            };
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha || at == begin {
                    best_move = mv;
                }
            }
            if score > alpha {
                alpha = score;
                if is_main {
                    self.keep_line(ply, mv);
                }
                if score >= beta {
                    self.order.learn(&techniques, us, ply, begin..at, depth);
                    break;
                }
            }
        }
        self.path.pop();
        self.order.moves.truncate(begin);
        if self.stopped {
            return 0;
        }
        if techniques.table {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > raised => Bound::Exact,
                _ => Bound::Upper,
            };
            let mv = if bound == Bound::Upper { first } else { best_move };
            let mv = mv.mapped(|square| symmetry.forth(square));
            self.table.put(&key, Entry { mv, score: to_table(best, ply), depth: depth as i8, bound });
        }
        best
    }

    /// Whether the position stood before, with the same side to move.
    #[inline]
    fn comes_again(&self, board: &Board, transfers: u32) -> bool {
        // It takes both sides two moves each.
        transfers >= 4
            && self
                .path
                .iter()
                .rev()
                .take(transfers as usize)
                .skip(3)
                .step_by(2)
                .any(|(sides, _)| *sides == board.sides)
    }

    #[inline]
    fn guess(&self, board: &Board) -> i32 {
        let guess = evaluate(board);
        match u64::from(self.options.noise) {
            0 => guess,
            noise => {
                let random = (board.hash() ^ self.options.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
                let guess = guess + (random % (2 * noise + 1)) as i32 - noise as i32;
                // However large the noise is, a guess proves nothing.
                guess.clamp(1 - WIN, WIN - 1)
            }
        }
    }

    /// Puts a move before the line of the next ply.
    fn keep_line(&mut self, ply: usize, mv: PackedMove) {
        let (here, next) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&next[0]);
    }

    /// Whether symmetric positions have one entry with this one.
    #[inline]
    fn is_shared(&self, board: &Board) -> bool {
        let most = self.options.techniques.symmetric;
        most > 0 && board.sides[0].count_ones() + board.sides[1].count_ones() <= most
    }

    /// Where the table keeps a position.
    #[inline]
    fn key(&self, board: &Board) -> (Key, Turned) {
        if self.is_shared(board) {
            let position = Position::from(board);
            let symmetry = symmetry::to_canonical(&position);
            let sides = board.sides.map(|side| symmetry.side(side));
            return (Key { sides, turn: board.turn }, Turned(Some(symmetry)));
        }
        (Key { sides: board.sides, turn: board.turn }, Turned(None))
    }
}

/// The symmetry that took a position to where the table keeps it, if it is not the identity.
#[derive(Clone, Copy)]
struct Turned(Option<Symmetry>);

/// Where each symmetry takes each square, and where it comes from.
static SQUARES: LazyLock<Vec<[[usize; 16]; 2]>> = LazyLock::new(|| {
    let squares = |symmetry: Symmetry| {
        let (mut forth, mut back) = ([0; 16], [0; 16]);
        for from in Square::ALL {
            let to = symmetry.bitboard(Bitboard::EMPTY.with(from)).0.trailing_zeros() as usize;
            (forth[from.index()], back[to]) = (to, from.index());
        }
        [forth, back]
    };
    Symmetry::all().map(squares).collect()
});

impl Turned {
    fn forth(self, square: usize) -> usize {
        self.0.map_or(square, |symmetry| SQUARES[symmetry.index()][0][square])
    }

    fn back(self, square: usize) -> usize {
        self.0.map_or(square, |symmetry| SQUARES[symmetry.index()][1][square])
    }
}

/// A score as the table has it: a win counts from the position and not from where the search began.
#[inline]
fn to_table(score: i32, ply: usize) -> i16 {
    let score = match score {
        _ if score >= WIN => score + ply as i32,
        _ if score <= -WIN => score - ply as i32,
        _ => score,
    };
    score as i16
}

#[inline]
fn from_table(score: i16, ply: usize) -> i32 {
    match i32::from(score) {
        score if score >= WIN => score - ply as i32,
        score if score <= -WIN => score + ply as i32,
        score => score,
    }
}

/// By how much less deeply a late move is looked at first.
#[inline]
fn reduction(depth: i32, looked_at: i32) -> i32 {
    ((depth.ilog2() * looked_at.ilog2()) as i32 / 2).clamp(1, depth - 2)
}
