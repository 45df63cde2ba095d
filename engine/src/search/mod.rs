//! The engine: iterative deepening over [`node`].

mod node;
mod order;

use gobcheck::rules::{Color, Game, Move, Position};

use crate::board::{Board, PackedMove, Rules};
use crate::options::{Limits, Options};
use crate::score::{INFINITE, Score, WIN};
use crate::table::Table;
use node::MOST_PLIES;
use order::Order;

/// How far an engine is, or what it has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How many plies it has looked ahead.
    pub depth: u32,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The moves that both sides would make, the best move first; never empty.
    pub line: Vec<Move>,
    /// How many positions it has looked at.
    pub nodes: u64,
}

impl Report {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Move {
        self.line[0]
    }
}

/// The half of a first narrow window.
const WINDOW: i32 = 24;

/// An engine for one game. What it learns in one search helps it in the next.
pub struct Engine {
    rules: Rules,
    /// How many moves of a position are looked at near the end of a search before others may be left out.
    few_moves: i32,
    options: Options,
    table: Table,
    order: Order,
}

/// A running search.
struct Search<'a> {
    rules: &'a Rules,
    few_moves: i32,
    options: &'a Options,
    table: &'a mut Table,
    order: &'a mut Order,
    stop: &'a dyn Fn() -> bool,
    /// The game so far and the line that is looked at: each position's pieces, and how many transfers led to it since a piece
    /// came from hand.
    path: Vec<([u64; 2], u32)>,
    /// The best line from each ply.
    lines: Vec<Vec<PackedMove>>,
    nodes: u64,
    limit: u64,
    stopped: bool,
    /// How many plies this iteration looks ahead.
    depth: i32,
}

impl Engine {
    /// An engine that knows nothing yet.
    #[must_use]
    pub fn new(game: &Game, options: Options) -> Engine {
        let bytes = if options.techniques.table { options.table } else { 0 };
        let (rules, few_moves) = (Rules::new(game), few_moves(game));
        Engine { rules, few_moves, options, table: Table::new(bytes), order: Order::new() }
    }

    /// Forgets what it has learned.
    pub fn clear(&mut self) {
        self.table.clear();
        self.order = Order::new();
    }

    /// Looks for the best move in the last of the positions; those before it are the game so far, oldest first, which may be
    /// left out. A position that comes again counts as a draw. `stop` is asked every 1,024 positions; `listen` hears of each
    /// depth that is done.
    ///
    /// `None` if there is no position or a line stands in it (R6). At least one move is looked at, whatever the limits.
    pub fn search(
        &mut self,
        game: &[Position],
        limits: &Limits,
        stop: &dyn Fn() -> bool,
        listen: &mut dyn FnMut(&Report),
    ) -> Option<Report> {
        let (root, before) = game.split_last()?;
        if root.finished().is_some() {
            return None;
        }
        self.table.begin();
        self.order.begin();
        let mut search = Search {
            rules: &self.rules,
            few_moves: self.few_moves,
            options: &self.options,
            table: &mut self.table,
            order: &mut self.order,
            stop,
            path: path(before),
            lines: vec![Vec::new(); MOST_PLIES + 2],
            nodes: 0,
            limit: limits.nodes,
            stopped: false,
            depth: 0,
        };
        Some(search.run(&Board::from(root), limits.depth, listen))
    }
}

/// 6 moves in the game with all 24 pieces. The fewer pieces a game has, the fewer moves there are and the more of them matter.
fn few_moves(game: &Game) -> i32 {
    let pieces = Color::ALL.into_iter().flat_map(|color| game.variant.material(color).counts());
    6 * 24 / pieces.map(i32::from).sum::<i32>().max(1)
}

/// The game so far, as a search keeps it.
fn path(game: &[Position]) -> Vec<([u64; 2], u32)> {
    let mut path: Vec<([u64; 2], u32)> = Vec::with_capacity(game.len() + MOST_PLIES);
    for position in game {
        let sides = Board::from(position).sides;
        let transfers = transfers(&path, &sides);
        path.push((sides, transfers));
    }
    path
}

/// How many transfers led from the end of a path to a position since a piece came from hand.
#[inline]
fn transfers(path: &[([u64; 2], u32)], sides: &[u64; 2]) -> u32 {
    let pieces = |sides: &[u64; 2]| sides[0].count_ones() + sides[1].count_ones();
    match path.last() {
        Some((before, transfers)) if pieces(before) == pieces(sides) => transfers + 1,
        _ => 0,
    }
}

impl Search<'_> {
    fn run(&mut self, board: &Board, most: u32, listen: &mut dyn FnMut(&Report)) -> Report {
        let mut report = self.first(board);
        if report.score.is_proven() {
            listen(&report);
            return report;
        }
        let mut score = 0;
        for depth in 1..=most.min(MOST_PLIES as u32 / 2) {
            self.depth = depth as i32;
            let Some(found) = self.deepen(board, score) else { break };
            score = found;
            let mut line: Vec<Move> = self.lines[0].iter().map(|&mv| mv.into()).collect();
            if line.is_empty() {
                // Every move loses at once or with the next one: none is better than another.
                line = report.line;
            }
            report = Report { depth, score: Score::new(score), line, nodes: self.nodes };
            listen(&report);
            let (Score::Wins { plies } | Score::Loses { plies }) = report.score else { continue };
            // Nothing shorter, or longer for the side that loses, was left out.
            if plies <= depth + 1 {
                break;
            }
        }
        report.nodes = self.nodes.max(1);
        report
    }

    /// What is seen without a search: a win at once, or else any move, if possible one that does not lose at once.
    fn first(&self, board: &Board) -> Report {
        let (us, _) = board.us();
        let report = |score, mv: PackedMove| Report { depth: 0, score, line: vec![mv.into()], nodes: 1 };
        if let Some(mv) = board.winning_move(self.rules, us) {
            return report(Score::Wins { plies: 1 }, mv);
        }
        let mut any = PackedMove::NONE;
        board.moves_to(self.rules, u16::MAX, |mv| {
            if any == PackedMove::NONE || board.loses(self.rules, any, &board.after(any)) {
                any = mv;
            }
        });
        report(Score::Estimate(0), any)
    }

    /// The score of the position to this iteration's depth, after the score of the last one; `None` if the search was stopped.
    fn deepen(&mut self, board: &Board, last: i32) -> Option<i32> {
        let narrow = self.options.techniques.aspiration && self.depth > 3 && last.abs() < WIN;
        let mut width = if narrow { WINDOW } else { 2 * INFINITE };
        loop {
            let (alpha, beta) = ((last - width).max(-INFINITE), (last + width).min(INFINITE));
            let score = self.node(board, self.depth, alpha, beta, 0, true);
            if self.stopped {
                return None;
            }
            if alpha < score && score < beta || width >= 2 * INFINITE {
                return Some(score);
            }
            width = if width > 8 * WINDOW { 2 * INFINITE } else { 4 * width };
        }
    }
}
