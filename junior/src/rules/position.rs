//! What stands where, and who is to move.

use super::board::{Color, LINES, Size, Square, Squares};

/// A position: the pieces of both sides by size, covered ones too, and the side to move.
///
/// A square holds at most one piece of each size (J3). How many pieces a side owns is the game's to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pieces: [[Squares; 3]; 2],
    turn: Color,
}

impl Position {
    /// The empty board.
    #[must_use]
    pub const fn empty(turn: Color) -> Position {
        Position { pieces: [[Squares::EMPTY; 3]; 2], turn }
    }

    /// The position with these pieces: of White, then of Black, each by size from Small to Large. `None` where two pieces of a
    /// size would share a square.
    #[must_use]
    pub fn new(pieces: [[Squares; 3]; 2], turn: Color) -> Option<Position> {
        let [white, black] = &pieces;
        let apart = white.iter().zip(black).all(|(white, black)| white.and(*black).is_empty());
        apart.then_some(Position { pieces, turn })
    }

    /// The side to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The squares on which a side has a piece of a size, visible or covered.
    #[must_use]
    pub const fn pieces(&self, color: Color, size: Size) -> Squares {
        self.pieces[color as usize][size as usize]
    }

    /// The squares on which either side has a piece of a size.
    #[must_use]
    pub const fn both(&self, size: Size) -> Squares {
        self.pieces(Color::White, size).or(self.pieces(Color::Black, size))
    }

    /// The squares on which no piece of this size or a larger one stands: where such a piece can go (J4, J5).
    #[must_use]
    pub fn open(&self, size: Size) -> Squares {
        let free = Squares::ALL.without(self.both(size));
        size.larger().iter().fold(free, |free, larger| free.without(self.both(*larger)))
    }

    /// The squares on which a side's piece of a size is visible (J3).
    #[must_use]
    pub fn visible(&self, color: Color, size: Size) -> Squares {
        let own = self.pieces(color, size);
        size.larger().iter().fold(own, |own, larger| own.without(self.both(*larger)))
    }

    /// Whether a side has a line (J6).
    #[must_use]
    pub fn has_line(&self, color: Color) -> bool {
        let shown =
            Size::ALL.into_iter().fold(Squares::EMPTY, |shown, size| shown.or(self.visible(color, size)));
        LINES.iter().any(|line| line.within(shown))
    }

    /// Who has won, if a line stands (J6): the side to move if it has one, since the move before was its opponent's.
    #[must_use]
    pub fn finished(&self) -> Option<Color> {
        [self.turn, self.turn.opponent()].into_iter().find(|color| self.has_line(*color))
    }

    /// The pieces on a square, from the top.
    pub fn stack(&self, square: Square) -> impl Iterator<Item = (Color, Size)> + '_ {
        let on = move |size| Color::ALL.map(|color| (color, size));
        let all = Size::ALL.into_iter().rev().flat_map(on);
        all.filter(move |&(color, size)| self.pieces(color, size).has(square))
    }

    /// With a piece put down, the same side to move.
    pub(crate) fn with(mut self, color: Color, size: Size, square: Square) -> Position {
        let own = &mut self.pieces[color as usize][size as usize];
        *own = own.with(square);
        self
    }

    /// With a piece taken away, the same side to move.
    pub(crate) fn lifted(mut self, color: Color, size: Size, square: Square) -> Position {
        let own = &mut self.pieces[color as usize][size as usize];
        *own = own.without(square.into());
        self
    }

    /// With the other side to move.
    pub(crate) fn passed(mut self) -> Position {
        self.turn = self.turn.opponent();
        self
    }
}
