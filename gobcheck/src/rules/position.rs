//! A position: what stands where, and whose move it is.

use std::fmt;

use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Color, Size};
use super::square::Square;

/// A position: for each colour and size the squares where such a piece stands, visible or covered (R3), and the
/// side to move.
///
/// # Equality
/// Two positions are equal when the same pieces stand on the same squares and the same side is to move. What is in
/// hand follows from the variant (R2).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Where each side's pieces stand, White's first: 16 bits for each size, A the lowest.
    sides: [u64; 2],
    turn: Color,
}

/// The lowest of the 16 bits of a size.
const fn lane(size: Size) -> u32 {
    16 * size as u32
}

impl Position {
    /// The empty board.
    pub const fn empty(turn: Color) -> Position {
        Position { sides: [0; 2], turn }
    }

    /// The position with these pieces, White's first, as [`Position::sides`] gives them. The caller answers for R2 and R3:
    /// no square holds two pieces of one size, and the counts are nested and within the variant's material.
    pub const fn from_sides(sides: [u64; 2], turn: Color) -> Position {
        Position { sides, turn }
    }

    /// All pieces of a colour in one number: 16 bits for each size, A the lowest.
    pub fn side(&self, color: Color) -> u64 {
        self.sides[color as usize]
    }

    /// Both sides' pieces, White's first: all but the side to move.
    pub const fn sides(&self) -> [u64; 2] {
        self.sides
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The same pieces with the given side to move.
    pub const fn with_turn(mut self, turn: Color) -> Position {
        self.turn = turn;
        self
    }

    /// Where pieces of a colour and size stand, visible or covered.
    pub fn pieces(&self, color: Color, size: Size) -> Bitboard {
        Bitboard((self.sides[color as usize] >> lane(size)) as u16)
    }

    /// The squares that hold a piece.
    pub fn occupied(&self) -> Bitboard {
        self.barred(Size::D)
    }

    /// The squares whose visible piece is larger than `size`, or of that size: where a piece of that size cannot go
    /// (R5).
    pub fn barred(&self, size: Size) -> Bitboard {
        let all = Position { sides: [self.sides[0] | self.sides[1]; 2], turn: self.turn };
        Size::ALL
            .into_iter()
            .take_while(|&s| s <= size)
            .fold(Bitboard::EMPTY, |union, s| union | all.pieces(self.turn, s))
    }

    /// The squares whose visible piece is of a colour (R3).
    pub fn visible(&self, color: Color) -> Bitboard {
        let all = self.sides[0] | self.sides[1];
        // In each size's 16 bits the squares of all larger pieces.
        let covered = all << 16 | all << 32 | all << 48;
        let visible = self.sides[color as usize] & !covered;
        Bitboard((visible | visible >> 16 | visible >> 32 | visible >> 48) as u16)
    }

    /// The colour and size of the visible piece on a square, `None` if it is empty.
    pub fn top(&self, square: Square) -> Option<(Color, Size)> {
        self.stack(square).next()
    }

    /// The pieces on a square from the top.
    fn stack(&self, square: Square) -> impl Iterator<Item = (Color, Size)> {
        let pieces = Size::ALL.into_iter().flat_map(|size| Color::ALL.map(|color| (color, size)));
        pieces.filter(move |&(color, size)| self.pieces(color, size).contains(square))
    }

    /// Whether four visible pieces of a colour stand in a line (R6).
    pub fn has_line(&self, color: Color) -> bool {
        self.visible(color).has_line()
    }

    /// Who has won when a line stands, as White's claim counts it (R6): Black with a black line, alone
    /// or beside a white one; White with a white line only; `None` while play goes on.
    pub fn finished(&self) -> Option<Color> {
        [Color::Black, Color::White].into_iter().find(|&color| self.has_line(color))
    }

    /// The position after a move, whoever wins with it; the other side is to move.
    pub fn moved(&self, mv: Move) -> Position {
        let mut after = self.with_turn(!self.turn);
        match mv {
            Move::Place { size, to } => after.add(self.turn, size, to),
            Move::Transfer { from, to } => {
                if let Some((color, size)) = self.top(from) {
                    after.remove(color, size, from);
                    after.add(color, size, to);
                }
            }
        }
        after
    }

    /// Puts a piece on a square. The caller answers for R2 and R3.
    pub fn add(&mut self, color: Color, size: Size, square: Square) {
        self.sides[color as usize] |= 1 << (lane(size) as usize + square.index());
    }

    /// Takes a piece from a square.
    pub fn remove(&mut self, color: Color, size: Size, square: Square) {
        self.sides[color as usize] &= !(1 << (lane(size) as usize + square.index()));
    }
}

/// Four ranks from rank 4 down, separated by `/`; squares by `,`; each lists its pieces from the top, White in capitals,
/// `.` for an empty one; then the side to move: `Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. w`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, square) in [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3].into_iter().enumerate() {
            f.write_str(if place == 0 { "" } else { ["/", ",", ",", ","][place % 4] })?;
            let square = Square::ALL[square];
            if self.top(square).is_none() {
                f.write_str(".")?;
            }
            for (color, size) in self.stack(square) {
                let letter = size.to_string();
                f.write_str(&if color == Color::White { letter } else { letter.to_ascii_lowercase() })?;
            }
        }
        f.write_str(if self.turn == Color::White { " w" } else { " b" })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
