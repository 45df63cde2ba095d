//! A position: what stands where, and whose move it is.

use super::mask::Mask;
use super::piece::{ByColor, BySize, Color, Size};
use super::square::Square;

/// A position of some variant: for each colour and size the squares where such a piece stands, visible
/// or covered (R3), and the side to move.
///
/// The only door from outside is [`Setup::position`](super::Setup::position).
///
/// # Equality
/// Two positions are equal when the same pieces stand on the same squares and the same side is to move.
/// What is in hand follows from the variant (R2) and is no part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Where each side's pieces stand: a lane of 16 bits for each size, A the lowest.
    pieces: ByColor<u64>,
    turn: Color,
}

/// The lowest bit of a size's lane.
const fn lane(size: Size) -> u32 {
    16 * size as u32
}

impl Position {
    /// The empty board.
    #[must_use]
    pub const fn empty(turn: Color) -> Position {
        Position { pieces: ByColor { white: 0, black: 0 }, turn }
    }

    /// The position with these pieces. The caller answers for R2 and R3: no square holds two pieces of
    /// one size, and the counts are within the variant's material and nested.
    #[must_use]
    pub(crate) const fn from_pieces_unchecked(pieces: ByColor<BySize<Mask>>, turn: Color) -> Position {
        const fn lanes(side: BySize<Mask>) -> u64 {
            let BySize([a, b, c, d]) = side;
            a.0 as u64 | (b.0 as u64) << 16 | (c.0 as u64) << 32 | (d.0 as u64) << 48
        }
        Position { pieces: ByColor { white: lanes(pieces.white), black: lanes(pieces.black) }, turn }
    }

    /// The side to move.
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The same pieces with the given side to move.
    #[must_use]
    pub const fn with_turn(mut self, turn: Color) -> Position {
        self.turn = turn;
        self
    }

    /// Where pieces of a colour and size stand, visible or covered.
    #[must_use]
    pub fn pieces(&self, color: Color, size: Size) -> Mask {
        Mask((self.pieces[color] >> lane(size)) as u16)
    }

    /// Whether nothing stands on the board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.occupied().is_empty()
    }

    /// The squares that hold a piece.
    #[must_use]
    pub fn occupied(&self) -> Mask {
        Size::ALL.into_iter().fold(Mask::EMPTY, |union, size| union | self.of_size(size))
    }

    /// The squares that hold a piece of a size, of either colour.
    #[must_use]
    pub fn of_size(&self, size: Size) -> Mask {
        self.pieces(Color::White, size) | self.pieces(Color::Black, size)
    }

    /// The squares whose visible piece is larger than `size`, or of that size: where a piece of that size
    /// cannot go (R5).
    #[must_use]
    pub fn barred(&self, size: Size) -> Mask {
        Size::ALL.into_iter().take_while(|&s| s <= size).fold(Mask::EMPTY, |union, s| union | self.of_size(s))
    }

    /// Where pieces of a colour and size stand visible (R3).
    #[must_use]
    pub fn visible_of(&self, color: Color, size: Size) -> Mask {
        match size.larger() {
            None => self.pieces(color, size),
            Some(larger) => self.pieces(color, size) - self.barred(larger),
        }
    }

    /// The squares whose visible piece is of a colour (R3).
    #[must_use]
    pub fn visible(&self, color: Color) -> Mask {
        let all = self.pieces.white | self.pieces.black;
        // In each size's lane the squares of all larger pieces.
        let covered = all << 16 | all << 32 | all << 48;
        let visible = self.pieces[color] & !covered;
        Mask((visible | visible >> 16 | visible >> 32 | visible >> 48) as u16)
    }

    /// The colour and size of the visible piece on a square, `None` if it is empty.
    #[must_use]
    pub fn top(&self, square: Square) -> Option<(Color, Size)> {
        Size::ALL.into_iter().find_map(|size| {
            Color::ALL
                .into_iter()
                .find(|&color| self.pieces(color, size).contains(square))
                .map(|color| (color, size))
        })
    }

    /// Whether four visible pieces of a colour stand in a line (R6).
    #[must_use]
    pub fn has_line(&self, color: Color) -> bool {
        self.visible(color).has_line()
    }

    /// Who has won when a line stands, as White's claim counts it (RULES.md, Readings): Black with a black
    /// line, alone or beside a white one; White with a white line only; `None` while play goes on.
    #[must_use]
    pub fn finished(&self) -> Option<Color> {
        if self.has_line(Color::Black) {
            Some(Color::Black)
        } else if self.has_line(Color::White) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// The position with Black's pieces of a size on these squares instead.
    #[cfg(feature = "prover")]
    pub(crate) fn with_black(mut self, size: Size, squares: Mask) -> Position {
        self.pieces.black &= !(u64::from(u16::MAX) << lane(size));
        self.pieces.black |= u64::from(squares.0) << lane(size);
        self
    }

    /// The position with the colours exchanged, the side to move too.
    #[cfg(feature = "prover")]
    pub(crate) fn exchanged(&self) -> Position {
        let pieces = ByColor { white: self.pieces.black, black: self.pieces.white };
        Position { pieces, turn: !self.turn }
    }

    pub(crate) fn add(&mut self, color: Color, size: Size, square: Square) {
        self.pieces[color] |= u64::from(Mask::of(square).0) << lane(size);
    }

    pub(crate) fn remove(&mut self, color: Color, size: Size, square: Square) {
        self.pieces[color] &= !(u64::from(Mask::of(square).0) << lane(size));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Variant;
    use super::*;

    fn position(text: &str) -> Position {
        let variant: Variant = "abcd-full".parse().expect("a variant");
        Position::parse(text, variant).expect("a position")
    }

    #[test]
    fn the_largest_piece_of_a_square_is_visible() {
        let p = position("Ab,.,.,a/.,bC,.,./.,.,.,./.,a,.,B w");
        let square = |name: &str| name.parse::<Square>().expect("a square");
        assert_eq!(p.top(square("a4")), Some((Color::White, Size::A)));
        assert_eq!(p.top(square("b3")), Some((Color::Black, Size::B)));
        assert_eq!(p.top(square("c3")), None);
        assert_eq!(p.visible(Color::White).count(), 2);
        assert_eq!(p.visible(Color::Black).count(), 3);
        assert_eq!(p.visible_of(Color::Black, Size::B).count(), 1);
        assert_eq!(p.visible_of(Color::White, Size::C).count(), 0);
        assert_eq!(p.barred(Size::B).count(), 5);
        assert_eq!(p.barred(Size::A).count(), 3);
    }

    #[test]
    fn what_is_visible_is_on_top_whatever_lies_under_it() {
        for text in [
            "ABcd,aCD,b,./.,.,.,./.,.,.,./.,.,.,. w",
            "c,d,b,a/D,C,B,A/.,.,.,./.,.,.,. b",
            "ABCD,abcd,.,./.,.,.,./.,.,.,./.,.,.,. b",
            "BD,aC,cd,b/A,.,.,./.,.,.,./.,.,.,. w",
        ] {
            let p = position(text);
            for color in Color::ALL {
                let on_top = |square: &Square| p.top(*square).is_some_and(|(top, _)| top == color);
                assert_eq!(p.visible(color), Square::ALL.into_iter().filter(on_top).collect(), "{text}");
            }
            assert!(!p.is_empty());
            assert_eq!(format!("{p:?}"), text);
        }
        assert!(Position::empty(Color::White).is_empty());
    }

    #[cfg(feature = "prover")]
    #[test]
    fn the_provers_own_verbs() {
        let p = position("ABcd,aCD,b,./.,.,.,./.,.,.,./.,.,.,. w");
        assert_eq!(p.exchanged(), position("abCD,Acd,B,./.,.,.,./.,.,.,./.,.,.,. b"));
        let corner = Mask::of("d1".parse().expect("a square"));
        let moved = position("ABcd,aCD,.,./.,.,.,./.,.,.,./.,.,.,b w");
        assert_eq!(p.with_black(Size::B, corner), moved);
        assert_eq!(p.with_black(Size::C, p.pieces(Color::Black, Size::C)), p);
    }

    #[test]
    fn a_black_line_beside_a_white_one_is_lost() {
        let both = position("A,B,A,A/.,.,.,./.,.,.,./a,b,a,a w");
        assert_eq!(both.finished(), Some(Color::Black));
        let white = position("A,B,A,A/.,.,.,./.,.,.,./a,b,a,. w");
        assert_eq!(white.finished(), Some(Color::White));
        let covered = position("B,B,A,A/.,.,.,./.,.,.,./a,Ab,a,a b");
        assert_eq!(covered.finished(), Some(Color::White));
        assert_eq!(position("A,aB,A,./.,.,.,./.,.,.,./.,.,.,. w").finished(), None);
    }
}
