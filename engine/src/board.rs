//! Positions as the search has them: what is visible and what has been played is kept beside the pieces.

use gobcheck::rules::{Color, Game, Move, Position, Reading, Size, Square};

use crate::lines;

/// One bit of each size's 16: what may stand on a square.
const STACK: u64 = 0x0001_0001_0001_0001;

/// A move in 11 bits: where it lands, where it starts, the size of the piece, and whether it comes from hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedMove(pub u16);

impl PackedMove {
    /// No move: a transfer of an A from a1 to a1.
    pub const NONE: PackedMove = PackedMove(0);
    /// How many values a move can have.
    pub const COUNT: usize = 1 << 11;

    #[inline]
    pub const fn place(size: usize, to: usize) -> PackedMove {
        PackedMove((to | size << 8 | 1 << 10) as u16)
    }

    #[inline]
    pub const fn transfer(size: usize, from: usize, to: usize) -> PackedMove {
        PackedMove((to | from << 4 | size << 8) as u16)
    }

    #[inline]
    pub const fn to(self) -> usize {
        self.0 as usize & 15
    }

    #[inline]
    pub const fn from(self) -> usize {
        self.0 as usize >> 4 & 15
    }

    #[inline]
    pub const fn size(self) -> usize {
        self.0 as usize >> 8 & 3
    }

    #[inline]
    pub const fn is_place(self) -> bool {
        self.0 >> 10 & 1 != 0
    }

    /// The number of the move among [`PackedMove::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (Self::COUNT - 1)
    }

    /// The move with its squares taken elsewhere.
    pub fn mapped(self, square: impl Fn(usize) -> usize) -> PackedMove {
        match self {
            PackedMove::NONE => self,
            _ if self.is_place() => PackedMove::place(self.size(), square(self.to())),
            _ => PackedMove::transfer(self.size(), square(self.from()), square(self.to())),
        }
    }
}

impl From<PackedMove> for Move {
    fn from(mv: PackedMove) -> Move {
        let to = Square::ALL[mv.to()];
        match mv.is_place() {
            true => Move::Place { size: Size::ALL[mv.size()], to },
            false => Move::Transfer { from: Square::ALL[mv.from()], to },
        }
    }
}

/// What a lift that shows a line of the opponent means for a side (RULES.md, Readings).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lift {
    /// It is judged when the move is complete: a line of the opponent that then stands comes first.
    AtTheEnd,
    /// Likewise, but an own line comes first.
    OwnFirst,
    /// It wins with an own line and loses without.
    WinsOrLoses,
    /// It loses.
    Loses,
}

/// The rules of a game in tables.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// By side and by how many pieces of each size it has played: the sizes that it can play from hand, as bits (R2).
    playable: [[u8; 256]; 2],
    /// Whether a piece from hand may cover (R4).
    covers: [bool; 2],
    lift: [Lift; 2],
}

impl Rules {
    pub fn new(game: &Game) -> Rules {
        let playable = Color::ALL.map(|color| {
            let material = game.variant.material(color).counts();
            std::array::from_fn(|played| {
                let count = |size: usize| played >> (2 * size) & 3;
                let can = |&size: &usize| {
                    let released = if size == 0 { 3 } else { count(size - 1) };
                    count(size) < released.min(material[size].into())
                };
                (0..4).filter(can).fold(0, |sizes, size| sizes | 1 << size)
            })
        });
        let (covers, lift) = match game.reading {
            Reading::Official => ([true; 2], [Lift::AtTheEnd; 2]),
            Reading::Thesis => ([true; 2], [Lift::WinsOrLoses; 2]),
            Reading::StrictLift => ([true; 2], [Lift::Loses; 2]),
            Reading::NoEntryCover => ([false; 2], [Lift::AtTheEnd; 2]),
            Reading::Robust => ([false, true], [Lift::Loses, Lift::OwnFirst]),
        };
        Rules { playable, covers, lift }
    }
}

/// A position in which no line stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// As [`Position::side`], White's first.
    pub sides: [u64; 2],
    /// The squares where each side is visible (R3).
    pub visible: [u16; 2],
    /// How many pieces of each size a side has played, two bits each, A the lowest.
    played: [u8; 2],
    /// 0 if White is to move.
    pub turn: u8,
}

/// The 16 bits of a size.
#[inline]
pub(crate) const fn lane(side: u64, size: usize) -> u16 {
    (side >> (16 * size)) as u16
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let played = Color::ALL.map(|color| {
            let count = |size| position.pieces(color, size).count() << (2 * size as u32);
            Size::ALL.into_iter().map(count).sum::<u32>() as u8
        });
        Board {
            sides: position.sides(),
            visible: Color::ALL.map(|color| position.visible(color).0),
            played,
            turn: position.turn() as u8,
        }
    }
}

impl From<&Board> for Position {
    fn from(board: &Board) -> Position {
        Position::from_sides(board.sides, Color::ALL[usize::from(board.turn)])
    }
}

impl Board {
    /// The side to move, and its opponent.
    #[inline]
    pub fn us(&self) -> (usize, usize) {
        let us = usize::from(self.turn & 1);
        (us, us ^ 1)
    }

    /// By size the squares whose visible piece is as large or larger (R5).
    #[inline]
    pub fn barred(&self) -> [u16; 4] {
        let all = self.sides[0] | self.sides[1];
        let a = lane(all, 0);
        let b = a | lane(all, 1);
        let c = b | lane(all, 2);
        [a, b, c, c | lane(all, 3)]
    }

    /// The sizes that a side can play from hand, as bits.
    #[inline]
    pub fn playable(&self, rules: &Rules, side: usize) -> u8 {
        rules.playable[side][usize::from(self.played[side])]
    }

    /// The same pieces with the other side to move.
    #[inline]
    pub fn passed(&self) -> Board {
        Board { turn: self.turn ^ 1, ..*self }
    }

    /// The squares of the opponent's that a large enough piece from hand may cover (R4).
    #[inline]
    pub fn entries(&self, rules: &Rules, side: usize) -> u16 {
        let theirs = self.visible[side ^ 1];
        let mut fourths = if rules.covers[side] { lines::completions(theirs) } else { 0 };
        let mut entries = 0;
        while fourths != 0 {
            let fourth = fourths.trailing_zeros() as usize;
            fourths &= fourths - 1;
            for line in lines::THROUGH[fourth] {
                if (line & theirs).count_ones() >= 3 {
                    entries |= line & theirs;
                }
            }
        }
        entries
    }

    /// The position after a move, with the other side to move.
    #[inline]
    pub fn after(&self, mv: PackedMove) -> Board {
        let (us, them) = self.us();
        let (size, to) = (mv.size(), mv.to());
        let mut next = *self;
        if mv.is_place() {
            next.played[us] += 1 << (2 * size);
        } else {
            let from = mv.from();
            next.sides[us] ^= 1 << (16 * size + from);
            let (own, top) = next.top(us, from);
            let bit = 1 << from;
            next.visible[us] &= !bit;
            match (own, top) {
                (_, 0) => {}
                (true, _) => next.visible[us] |= bit,
                (false, _) => next.visible[them] |= bit,
            }
        }
        next.sides[us] |= 1 << (16 * size + to);
        next.visible[us] |= 1 << to;
        next.visible[them] &= !(1 << to);
        next.turn ^= 1;
        next
    }

    /// The largest piece on a square as one bit of its side, 0 if there is none, and whether it is this side's.
    #[inline]
    fn top(&self, side: usize, square: usize) -> (bool, u64) {
        let stack = STACK << square;
        let all = (self.sides[0] | self.sides[1]) & stack;
        let top = all & all.wrapping_neg();
        (self.sides[side] & top != 0, top)
    }

    /// How many sizes are larger than the visible piece of a square: 4 if it is empty.
    #[inline]
    fn larger(&self, square: usize) -> usize {
        let all = (self.sides[0] | self.sides[1]) >> square & STACK;
        if all == 0 { 4 } else { all.trailing_zeros() as usize / 16 }
    }

    /// Whether under the visible piece of a square lies a piece of this side.
    #[inline]
    fn lies_under(&self, side: usize, square: usize) -> bool {
        let all = (self.sides[0] | self.sides[1]) >> square & STACK;
        let under = all & all.wrapping_sub(1);
        under & under.wrapping_neg() & self.sides[side] >> square != 0
    }

    /// Whether a move that does not win loses at once: it lifts a piece off a line of the opponent's.
    #[inline]
    pub fn loses(&self, rules: &Rules, mv: PackedMove, after: &Board) -> bool {
        let (us, them) = self.us();
        let bit = 1 << mv.from();
        // Whether the lift shows a piece of the opponent's; the piece lands on another square.
        if mv.is_place() || after.visible[them] & bit == 0 {
            return false;
        }
        match rules.lift[us] {
            Lift::AtTheEnd | Lift::OwnFirst => lines::has_line(after.visible[them]),
            Lift::WinsOrLoses | Lift::Loses => lines::has_line(self.visible[them] | bit),
        }
    }

    /// A move with which a side wins at once if it is to move.
    pub fn winning_move(&self, rules: &Rules, side: usize) -> Option<PackedMove> {
        let mut fourths = lines::completions(self.visible[side]);
        while fourths != 0 {
            let to = fourths.trailing_zeros() as usize;
            fourths &= fourths - 1;
            if let Some(size) = self.winning_place(rules, side, to) {
                return Some(PackedMove::place(size, to));
            }
            for line in lines::THROUGH[to] {
                let found = self.sources(rules, side, to, line);
                if found != 0 {
                    let from = found.trailing_zeros() as usize;
                    let (_, top) = self.top(side, from);
                    return Some(PackedMove::transfer(top.trailing_zeros() as usize / 16, from, to));
                }
            }
        }
        None
    }

    /// The largest size that a side can place on a square that completes a line.
    #[inline]
    fn winning_place(&self, rules: &Rules, side: usize, to: usize) -> Option<usize> {
        let playable = self.playable(rules, side);
        if playable == 0 {
            return None;
        }
        let larger = self.larger(to);
        let fit = match larger {
            4 => playable,
            _ if self.visible[side ^ 1] & self.entries(rules, side) & 1 << to != 0 => {
                playable & ((1 << larger) - 1)
            }
            _ => 0,
        };
        (fit != 0).then(|| fit.trailing_zeros() as usize)
    }

    /// From where a side can transfer a piece to a square so that it wins by a line through it.
    #[inline]
    fn sources(&self, rules: &Rules, side: usize, to: usize, line: u16) -> u16 {
        let (own, bit) = (self.visible[side], 1u16 << to);
        if line == 0 || line & !bit & !own != 0 {
            return 0;
        }
        let large = [0, 0xFFFF, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF, u64::MAX][self.larger(to)] & self.sides[side];
        let movable = (lane(large, 0) | lane(large, 1) | lane(large, 2) | lane(large, 3)) & own & !bit;
        // What leaves the line must leave a piece of its own there.
        let mut found = movable & !line;
        let mut leaving = movable & line;
        while leaving != 0 {
            let from = leaving.trailing_zeros() as usize;
            leaving &= leaving - 1;
            if self.lies_under(side, from) {
                found |= 1 << from;
            }
        }
        let theirs = self.sides[side ^ 1];
        let mut doubtful = found & (lane(theirs, 0) | lane(theirs, 1) | lane(theirs, 2) | lane(theirs, 3));
        while doubtful != 0 {
            let from = doubtful.trailing_zeros() as usize;
            doubtful &= doubtful - 1;
            if self.lies_under(side ^ 1, from) {
                let shown = self.visible[side ^ 1] | 1 << from;
                let wins = match rules.lift[side] {
                    Lift::AtTheEnd => !lines::has_line(shown & !bit),
                    Lift::OwnFirst | Lift::WinsOrLoses => true,
                    Lift::Loses => !lines::has_line(shown),
                };
                if !wins {
                    found &= !(1 << from);
                }
            }
        }
        found
    }

    /// Where the side to move has to land so that its opponent does not win with the next move: a move that lands elsewhere
    /// lets it win, or wins itself. `None` if the opponent threatens nothing.
    pub fn parries(&self, rules: &Rules) -> Option<u16> {
        let (us, them) = self.us();
        let mut fourths = lines::completions(self.visible[them]);
        let (mut threatened, mut parries) = (false, u16::MAX);
        let ours = self.sides[us];
        let ours = lane(ours, 0) | lane(ours, 1) | lane(ours, 2) | lane(ours, 3);
        while fourths != 0 {
            let to = fourths.trailing_zeros() as usize;
            fourths &= fourths - 1;
            let placed = self.winning_place(rules, them, to).is_some();
            // To cover from hand needs a line of three of ours, which we may dissolve.
            let surely_placed = placed && self.larger(to) == 4;
            for line in lines::THROUGH[to] {
                if line == 0 || line & !(1 << to) & !self.visible[them] != 0 {
                    continue;
                }
                let sources = self.sources(rules, them, to, line);
                threatened |= placed || sources != 0;
                // Under the others lies a piece of ours, which may come to complete a line.
                let sure = sources & !ours;
                if surely_placed || sure & sure.wrapping_sub(1) != 0 {
                    parries &= line;
                } else if sure != 0 {
                    parries &= line | sure;
                }
            }
        }
        threatened.then_some(parries)
    }

    /// The legal moves that land on one of these squares.
    #[inline]
    pub fn moves_to(&self, rules: &Rules, squares: u16, mut each: impl FnMut(PackedMove)) {
        let (us, _) = self.us();
        let barred = self.barred();
        let mut playable = self.playable(rules, us);
        let entries = if playable == 0 { 0 } else { self.entries(rules, us) };
        while playable != 0 {
            let size = playable.trailing_zeros() as usize;
            playable &= playable - 1;
            let mut targets = (!barred[3] | entries & !barred[size]) & squares;
            while targets != 0 {
                each(PackedMove::place(size, targets.trailing_zeros() as usize));
                targets &= targets - 1;
            }
        }
        let mut larger = 0;
        for (size, barred) in barred.into_iter().enumerate() {
            let mut own = lane(self.sides[us], size) & !larger;
            larger = barred;
            while own != 0 {
                let from = own.trailing_zeros() as usize;
                own &= own - 1;
                let mut targets = !barred & squares;
                while targets != 0 {
                    each(PackedMove::transfer(size, from, targets.trailing_zeros() as usize));
                    targets &= targets - 1;
                }
            }
        }
    }

    /// Whether a move, which may be meant for any other position, is legal here.
    #[inline]
    pub fn is_legal(&self, rules: &Rules, mv: PackedMove) -> bool {
        let (us, _) = self.us();
        let (size, to) = (mv.size(), 1 << mv.to());
        let barred = self.barred();
        if mv.is_place() {
            let targets = !barred[3] | self.entries(rules, us) & !barred[size];
            return mv.from() == 0 && self.playable(rules, us) >> size & 1 != 0 && targets & to != 0;
        }
        let covered = if size == 0 { 0 } else { barred[size - 1] };
        lane(self.sides[us], size) & !covered & 1 << mv.from() != 0 && !barred[size] & to != 0
    }

    /// A number that differs for nearly all positions: where the table keeps it.
    #[inline]
    pub fn hash(&self) -> u64 {
        hash(self.sides, self.turn)
    }
}

/// Mixes all bits of a position by two long multiplications.
#[inline]
pub(crate) fn hash(sides: [u64; 2], turn: u8) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let first = fold(sides[0] ^ 0x9E37_79B9_7F4A_7C15, sides[1] ^ 0xD1B5_4A32_D192_ED03);
    fold(first ^ sides[0] ^ u64::from(turn), sides[1] ^ 0x8CB9_2BA7_2F3D_8DD7)
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
