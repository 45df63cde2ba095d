//! The rules once more, written from RULES.md for reading and not for speed: stacks of pieces, and no sets of squares.

use gobjunior::rules::{Color, Game, Move, Outcome, Position, Reading, Size, Square, Squares};

/// Files and ranks of the eight lines (J1).
const LINES: [[(usize, usize); 3]; 8] = [
    [(0, 0), (1, 0), (2, 0)],
    [(0, 1), (1, 1), (2, 1)],
    [(0, 2), (1, 2), (2, 2)],
    [(0, 0), (0, 1), (0, 2)],
    [(1, 0), (1, 1), (1, 2)],
    [(2, 0), (2, 1), (2, 2)],
    [(0, 0), (1, 1), (2, 2)],
    [(0, 2), (1, 1), (2, 0)],
];

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    color: Color,
    size: Size,
}

/// A table: a stack on each square, by file and rank, the visible piece last; what is in hand; who is to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    stacks: [[Vec<Piece>; 3]; 3],
    hands: Vec<Piece>,
    turn: Color,
}

/// How a move ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judged {
    Illegal,
    Wins(Color),
    GoesOn(Box<Table>),
}

impl Table {
    /// The empty board with all pieces in hand (J2).
    pub fn empty(game: &Game, turn: Color) -> Table {
        let mut hands = Vec::new();
        for color in Color::ALL {
            for size in Size::ALL {
                hands.extend(vec![Piece { color, size }; game.material.of(size)]);
            }
        }
        Table { stacks: Default::default(), hands, turn }
    }

    /// A position that RULES.md writes on one line; `None` if it is none.
    pub fn read(game: &Game, text: &str) -> Option<Table> {
        let (board, turn) = text.split_once(' ')?;
        let turn = if turn == "w" { Color::White } else { Color::Black };
        let mut table = Table::empty(game, turn);
        for (rank, line) in board.split('/').enumerate() {
            for (file, stack) in line.split(',').enumerate() {
                for letter in stack.chars().rev().filter(|letter| *letter != '.') {
                    let color = if letter.is_uppercase() { Color::White } else { Color::Black };
                    let size = match letter.to_ascii_uppercase() {
                        'S' => Size::Small,
                        'M' => Size::Medium,
                        'L' => Size::Large,
                        _ => return None,
                    };
                    let piece = table.take(Piece { color, size })?;
                    if !table.put(file, 2 - rank, piece) {
                        return None;
                    }
                }
            }
        }
        Some(table)
    }

    /// Takes a piece from hand.
    fn take(&mut self, piece: Piece) -> Option<Piece> {
        let place = self.hands.iter().position(|other| *other == piece)?;
        Some(self.hands.remove(place))
    }

    /// Puts a piece onto a square if what is visible there is smaller.
    fn put(&mut self, file: usize, rank: usize, piece: Piece) -> bool {
        let fits = self.stacks[file][rank].last().is_none_or(|top| top.size < piece.size);
        if fits {
            self.stacks[file][rank].push(piece);
        }
        fits
    }

    fn has_line(&self, color: Color) -> bool {
        let shows = |&(file, rank): &(usize, usize)| {
            self.stacks[file][rank].last().is_some_and(|piece| piece.color == color)
        };
        LINES.iter().any(|line| line.iter().all(shows))
    }

    /// What a move leads to (J4 to J6).
    pub fn play(&self, reading: Reading, mv: Move) -> Judged {
        let other = if self.turn == Color::White { Color::Black } else { Color::White };
        if self.has_line(Color::White) || self.has_line(Color::Black) {
            return Judged::Illegal;
        }
        let mut after = self.clone();
        let (piece, to) = match mv {
            Move::Place { size, to } => (after.take(Piece { color: self.turn, size }), to),
            Move::Transfer { from, to } if from == to => (None, to),
            Move::Transfer { from, to } => {
                let top = after.stacks[from.file()][from.rank()].pop();
                (top.filter(|piece| piece.color == self.turn), to)
            }
        };
        let Some(piece) = piece else { return Judged::Illegal };
        let uncovered = matches!(mv, Move::Transfer { .. }) && after.has_line(other);
        if !after.put(to.file(), to.rank(), piece) {
            return Judged::Illegal;
        }
        after.turn = other;
        if uncovered && reading == Reading::StrictLift || after.has_line(other) {
            Judged::Wins(other)
        } else if after.has_line(self.turn) {
            Judged::Wins(self.turn)
        } else {
            Judged::GoesOn(Box::new(after))
        }
    }

    /// The position.
    pub fn position(&self) -> Position {
        let mut pieces = [[Squares::EMPTY; 3]; 2];
        for square in Square::all() {
            for piece in &self.stacks[square.file()][square.rank()] {
                let own = &mut pieces[piece.color as usize][piece.size as usize];
                *own = own.with(square);
            }
        }
        Position::new(pieces, self.turn).expect("stacks hold one piece of each size")
    }
}

/// Every move that can be written.
pub fn all_moves() -> Vec<Move> {
    let places = Size::ALL.into_iter().flat_map(|size| Square::all().map(move |to| Move::Place { size, to }));
    let transfers = Square::all().flat_map(|from| Square::all().map(move |to| Move::Transfer { from, to }));
    places.chain(transfers).collect()
}

/// What the crate says of a move, in the reference's words.
pub fn judged(outcome: Outcome) -> Result<Position, Color> {
    match outcome {
        Outcome::GoesOn(next) => Ok(next),
        Outcome::Won(winner) => Err(winner),
    }
}
