//! The rules of `RULES.md` once more, slowly: the twin that the fast rules are tested against.
//!
//! Nothing here is clever and nothing is shared with the fast rules. A square holds a real stack of pieces, a hand is
//! three real nested stacks, and the lines are spelled out by files and ranks. To find out whether a rule is
//! implemented correctly, compare this file with the text of R1 … R9 and of the section "Readings". The two
//! implementations meet only in text: positions and moves are strings.
//!
//! A [`Table`] is what lies on the board and who is to move. A [`Referee`] knows the variant and the reading, lists the
//! legal moves and judges each of them.

#![forbid(unsafe_code)]

use std::fmt;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Side {
    White,
    Black,
}

impl Side {
    const BOTH: [Side; 2] = [Side::White, Side::Black];

    fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// A size of R2. The order of the variants makes "larger" mean `>`: A > B > C > D.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Size {
    D,
    C,
    B,
    A,
}

impl Size {
    const LARGEST_FIRST: [Size; 4] = [Size::A, Size::B, Size::C, Size::D];

    fn letter(self) -> char {
        match self {
            Size::A => 'A',
            Size::B => 'B',
            Size::C => 'C',
            Size::D => 'D',
        }
    }
}

/// A piece on the board. Pieces of one side and size are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Piece {
    side: Side,
    size: Size,
}

impl Piece {
    /// White upper-case, Black lower-case.
    fn letter(self) -> char {
        match self.side {
            Side::White => self.size.letter(),
            Side::Black => self.size.letter().to_ascii_lowercase(),
        }
    }

    fn from_letter(letter: char) -> Option<Piece> {
        Side::BOTH
            .into_iter()
            .flat_map(|side| Size::LARGEST_FIRST.map(|size| Piece { side, size }))
            .find(|piece| piece.letter() == letter)
    }
}

/// A square of R1: file 0 … 3 for `a` … `d`, rank 0 … 3 for `1` … `4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Square {
    file: usize,
    rank: usize,
}

impl Square {
    fn all() -> Vec<Square> {
        (0..4).flat_map(|file| (0..4).map(move |rank| Square { file, rank })).collect()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = ["a", "b", "c", "d"][self.file];
        write!(f, "{file}{}", self.rank + 1)
    }
}

/// The ten lines of R1: four files, four ranks, two long diagonals.
fn lines() -> Vec<[Square; 4]> {
    let mut lines = Vec::with_capacity(10);
    for line in 0..4 {
        lines.push([0, 1, 2, 3].map(|rank| Square { file: line, rank }));
        lines.push([0, 1, 2, 3].map(|file| Square { file, rank: line }));
    }
    lines.push([0, 1, 2, 3].map(|step| Square { file: step, rank: step }));
    lines.push([0, 1, 2, 3].map(|step| Square { file: step, rank: 3 - step }));
    lines
}

/// A board of real stacks and the side to move (R1, R3).
///
/// A table can be anything that the notation can write. [`Referee::problems`] tells whether it is a
/// position of a variant. The order (`Ord`) has no meaning in the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Table {
    /// By file, then rank; each stack from the bottom up, so that the last piece is visible (R3).
    stacks: Box<[[Vec<Piece>; 4]; 4]>,
    to_move: Side,
}

impl Table {
    /// The empty board with White (or else Black) to move.
    pub fn empty(white_first: bool) -> Table {
        let to_move = if white_first { Side::White } else { Side::Black };
        Table { stacks: Default::default(), to_move }
    }

    /// Reads the position notation: ranks 4 to 1 separated by `/`, in each the squares of files a
    /// to d separated by `,`, each with its pieces from the top, White upper-case, Black lower-case,
    /// `.` for an empty square; then one space and `w` or `b` for the side to move.
    ///
    /// # Errors
    /// Says what is not notation. A table that breaks R2 or R3 is read without complaint: see
    /// [`Referee::problems`].
    pub fn parse(text: &str) -> Result<Table, String> {
        let (board, side) = text.split_once(' ').ok_or("no space before the side to move")?;
        let mut table = match side {
            "w" => Table::empty(true),
            "b" => Table::empty(false),
            _ => return Err(format!("side to move is {side:?}, not w or b")),
        };
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 4 {
            return Err(format!("{} ranks, not 4", ranks.len()));
        }
        for (row, rank_text) in ranks.iter().enumerate() {
            let squares: Vec<&str> = rank_text.split(',').collect();
            if squares.len() != 4 {
                return Err(format!("{} squares in rank {}, not 4", squares.len(), 4 - row));
            }
            for (file, square_text) in squares.iter().enumerate() {
                let square = Square { file, rank: 3 - row };
                *table.stack_mut(square) =
                    parse_stack(square_text).map_err(|why| format!("{square}: {why}"))?;
            }
        }
        Ok(table)
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        self.to_move == Side::White
    }

    fn stack(&self, square: Square) -> &Vec<Piece> {
        &self.stacks[square.file][square.rank]
    }

    fn stack_mut(&mut self, square: Square) -> &mut Vec<Piece> {
        &mut self.stacks[square.file][square.rank]
    }

    /// R3: the piece on top of a square's stack.
    fn visible(&self, square: Square) -> Option<Piece> {
        self.stack(square).last().copied()
    }

    /// How many visible pieces a side has in a line.
    fn visible_in(&self, line: &[Square; 4], side: Side) -> usize {
        let is_own = |square: &&Square| self.visible(**square).is_some_and(|p| p.side == side);
        line.iter().filter(is_own).count()
    }

    /// R6: whether a side has a visible line of four.
    fn has_line(&self, side: Side) -> bool {
        lines().iter().any(|line| self.visible_in(line, side) == 4)
    }

    /// How many pieces of a side and size are on the board, visible or covered: `n_s` of R2.
    fn count(&self, side: Side, size: Size) -> usize {
        let piece = Piece { side, size };
        self.stacks.iter().flatten().flatten().filter(|other| **other == piece).count()
    }
}

/// Reads one square, top first, into a stack, bottom first.
fn parse_stack(text: &str) -> Result<Vec<Piece>, String> {
    if text == "." {
        return Ok(Vec::new());
    }
    if text.is_empty() {
        return Err("nothing, not even a dot".to_string());
    }
    let read = |letter| Piece::from_letter(letter).ok_or(format!("{letter:?} is no piece"));
    text.chars().rev().map(read).collect()
}

/// Writes one square, top first.
fn stack_text(stack: &[Piece]) -> String {
    if stack.is_empty() {
        return ".".to_string();
    }
    stack.iter().rev().map(|piece| piece.letter()).collect()
}

impl fmt::Display for Table {
    /// Writes the notation that [`Table::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |file, rank| stack_text(self.stack(Square { file, rank }));
        let ranks = [3, 2, 1, 0].map(|rank| [0, 1, 2, 3].map(|file| square(file, rank)).join(","));
        let side = if self.white_to_move() { "w" } else { "b" };
        write!(f, "{} {side}", ranks.join("/"))
    }
}

/// The off-board pieces of one side (R2): three stacks, each nested, the outermost piece last.
///
/// Why real stacks say the same as the counts of R2: all three stacks start equal, with one piece of
/// each size, and lose their pieces in the order A, B, C, D. So two stacks whose outermost pieces
/// have one size hold the same pieces, it does not matter from which of them a piece is taken, and
/// `n_s` stacks have lost their piece of size s. Size s is outermost in those that have lost the
/// next larger size and not yet s: there is such a stack exactly if `n_s < n_(next larger)`, and
/// for A exactly if `n_A < 3`.
///
/// The variant's material is *not* taken out of the stacks but is a cap beside them
/// ([`Referee::may_play_from_hand`]): the pieces that a variant forbids stay where they are (R9).
/// To take them out would make the stacks unequal (`A3B1`: one stack B in A, two bare A), and B
/// could be shut in by the choice of stack, whereas R2 does not tell stacks apart.
struct Hand {
    stacks: [Vec<Size>; 3],
}

impl Hand {
    /// The whole set, nothing played yet.
    fn full() -> Hand {
        let nested = vec![Size::D, Size::C, Size::B, Size::A];
        Hand { stacks: [nested.clone(), nested.clone(), nested] }
    }

    /// What is left in a side's hand when the pieces on the table have been played: a piece never
    /// leaves the board (R5), and the larger ones had to come out first. None if the nesting does
    /// not allow these pieces to be out.
    fn left_of(table: &Table, side: Side) -> Option<Hand> {
        let mut hand = Hand::full();
        for size in Size::LARGEST_FIRST {
            for _ in 0..table.count(side, size) {
                let stack = hand.stacks.iter_mut().find(|stack| stack.last() == Some(&size))?;
                stack.pop();
            }
        }
        Some(hand)
    }

    /// R2: a piece can be played only when it is the outermost of its stack.
    fn is_outermost(&self, size: Size) -> bool {
        self.stacks.iter().any(|stack| stack.last() == Some(&size))
    }
}

/// The readings of RULES.md, section "Readings".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Official,
    Thesis,
    StrictLift,
    NoEntryCover,
    Robust,
}

/// What a move leads to under a reading (RULES.md, "Readings").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The game is over and White has lost it.
    BlackWins,
    /// The game is over and White has won it.
    WhiteWins,
    /// Play goes on in this position, with the other side to move (R7).
    GoesOn(Table),
}

/// A move: a placement (R4) or a transfer (R5).
#[derive(Clone, Copy, Debug)]
enum Move {
    Place { size: Size, to: Square },
    Transfer { from: Square, to: Square },
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place { size, to } => write!(f, "{}@{to}", size.letter()),
            Move::Transfer { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

/// All that the readings look at when they judge a move.
struct Moved {
    mover: Side,
    /// With the transferred piece in the air, a line of the mover's opponent is visible. No line
    /// stood before the move, so it is the lift that uncovers it. Never so for a placement.
    lift_uncovers: bool,
    /// A visible line of the mover stands after the move.
    own_line: bool,
    /// A visible line of the mover's opponent stands after the move.
    opponent_line: bool,
}

/// R6 and the reading `official`: judged once, after the move is complete. An opponent's line wins
/// for the opponent, even beside one of the mover; else a line of the mover wins for the mover.
fn winner_official(moved: &Moved) -> Option<Side> {
    if moved.opponent_line {
        Some(moved.mover.opponent())
    } else if moved.own_line {
        Some(moved.mover)
    } else {
        None
    }
}

/// Reading `thesis`: a lift that uncovers a line of the mover's opponent loses at once, even if the
/// move covers the line again, unless after it a visible line of the mover's own stands: then the
/// mover wins (also beside a line of the opponent). All else as R6.
fn winner_thesis(moved: &Moved) -> Option<Side> {
    match (moved.lift_uncovers, moved.own_line) {
        (true, true) => Some(moved.mover),
        (true, false) => Some(moved.mover.opponent()),
        (false, _) => winner_official(moved),
    }
}

/// Reading `strict-lift`: a lift that uncovers a line of the mover's opponent loses at once,
/// whatever the move does. All else as R6.
fn winner_strict_lift(moved: &Moved) -> Option<Side> {
    if moved.lift_uncovers {
        return Some(moved.mover.opponent());
    }
    winner_official(moved)
}

/// Reading `no-entry-cover`: judged at the end of the move, as R6. It differs from `official` only
/// in R4 ([`Referee::may_enter_by_covering`]).
fn winner_no_entry_cover(moved: &Moved) -> Option<Side> {
    winner_official(moved)
}

/// Reading `robust`: if lines of both colours stand after any move, Black wins. A lift that uncovers
/// a line of the mover's opponent: by White, Black wins; by Black, Black wins if a black line stands
/// after the move, else White wins if a white line stands, else play goes on. All else as R6.
fn winner_robust(moved: &Moved) -> Option<Side> {
    let (white_line, black_line) = match moved.mover {
        Side::White => (moved.own_line, moved.opponent_line),
        Side::Black => (moved.opponent_line, moved.own_line),
    };
    if black_line && white_line {
        return Some(Side::Black);
    }
    if !moved.lift_uncovers {
        return winner_official(moved);
    }
    match moved.mover {
        Side::White => Some(Side::Black),
        Side::Black if black_line => Some(Side::Black),
        Side::Black if white_line => Some(Side::White),
        Side::Black => None,
    }
}

/// Knows the variant (R9) and the reading, and so which moves are legal and what they lead to.
#[derive(Clone, Debug)]
pub struct Referee {
    white: [u8; 4],
    black: [u8; 4],
    reading: Reading,
}

impl Referee {
    /// A referee for white and black material, each as the numbers of A, B, C and D that the side
    /// may use (R2, R9), and for a reading by its tag: `official`, `thesis`, `strict-lift`,
    /// `no-entry-cover` or `robust`.
    ///
    /// # Errors
    /// Material other than 3 ≥ A ≥ B ≥ C ≥ D, A ≥ 1 (R2), or an unknown tag.
    pub fn new(white: [u8; 4], black: [u8; 4], reading: &str) -> Result<Referee, String> {
        for material in [white, black] {
            let [a, b, c, d] = material;
            if !(3 >= a && a >= b && b >= c && c >= d && a >= 1) {
                return Err(format!("material {material:?} is not 3 ≥ A ≥ B ≥ C ≥ D, A ≥ 1"));
            }
        }
        let reading = match reading {
            "official" => Reading::Official,
            "thesis" => Reading::Thesis,
            "strict-lift" => Reading::StrictLift,
            "no-entry-cover" => Reading::NoEntryCover,
            "robust" => Reading::Robust,
            _ => return Err(format!("{reading:?} is no reading")),
        };
        Ok(Referee { white, black, reading })
    }

    /// Every reason why the table is not a position of this variant, in plain words; none if it is
    /// one. R3: on each square every piece is larger than the one under it. R2: no side has more
    /// pieces of a size on the board than the variant's material, nor more than of the next larger
    /// size. A finished position (a line stands) is a position.
    pub fn problems(&self, table: &Table) -> Vec<String> {
        let mut problems = Vec::new();
        for square in Square::all() {
            for pair in table.stack(square).windows(2) {
                let (below, above) = (pair[0], pair[1]);
                if above.size <= below.size {
                    let (above, below) = (above.letter(), below.letter());
                    problems.push(format!("{square}: {above} lies on {below}, which is not smaller"));
                }
            }
        }
        for side in Side::BOTH {
            // R2: stacks that have lost the next larger size, so that this size could come out.
            let mut opened = 3;
            for size in Size::LARGEST_FIRST {
                let (letter, count, cap) = (size.letter(), table.count(side, size), self.cap(side, size));
                if count > cap {
                    problems.push(format!("{side:?} has {count} of size {letter}, may use {cap}"));
                }
                if count > opened {
                    problems.push(format!("{side:?} has {count} of size {letter}, opened stacks: {opened}"));
                }
                opened = count;
            }
        }
        problems
    }

    /// Who has won a position in which a line stands, whoever is to move (R6, last paragraph): with a
    /// black line, alone or beside a white one, Black has; with a white line only, White has. None if
    /// no line stands; never [`Judgement::GoesOn`].
    pub fn finished(&self, table: &Table) -> Option<Judgement> {
        if table.has_line(Side::Black) {
            Some(Judgement::BlackWins)
        } else if table.has_line(Side::White) {
            Some(Judgement::WhiteWins)
        } else {
            None
        }
    }

    /// Each legal move of the side to move (R4, R5, R7) with its judgement under the reading, once
    /// each and sorted by text. A placement is written as size letter, `@` and square (`B@c3`), a
    /// transfer as from, `-`, to (`a1-c3`).
    ///
    /// There are none when the position is finished, and none when the table is not a position of
    /// the variant: ask [`Referee::problems`] first.
    pub fn moves(&self, table: &Table) -> Vec<(String, Judgement)> {
        let is_position = self.problems(table).is_empty();
        let Some(hand) = Hand::left_of(table, table.to_move).filter(|_| is_position) else {
            return Vec::new();
        };
        if self.finished(table).is_some() {
            return Vec::new();
        }
        let mut playable = Size::LARGEST_FIRST.to_vec();
        playable.retain(|size| self.may_play_from_hand(table, &hand, *size));
        let mut moves = Vec::new();
        for to in Square::all() {
            for size in playable.iter().copied() {
                if self.may_place(table, size, to) {
                    moves.push(Move::Place { size, to });
                }
            }
            for from in Square::all() {
                if may_transfer(table, from, to) {
                    moves.push(Move::Transfer { from, to });
                }
            }
        }
        let judged = |chosen: Move| (chosen.to_string(), self.judge(table, chosen));
        let mut judged: Vec<(String, Judgement)> = moves.into_iter().map(judged).collect();
        judged.sort_by(|one, other| one.0.cmp(&other.0));
        judged
    }

    /// How many sequences of `depth` moves there are from this table. A move that ends the game
    /// counts and has no continuation. With depth 0 it is 1.
    pub fn perft(&self, table: &Table, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let beyond = |(_, judgement): (String, Judgement)| match judgement {
            Judgement::GoesOn(next) => self.perft(&next, depth - 1),
            Judgement::WhiteWins | Judgement::BlackWins if depth == 1 => 1,
            Judgement::WhiteWins | Judgement::BlackWins => 0,
        };
        self.moves(table).into_iter().map(beyond).sum()
    }

    /// R2, R9: how many pieces of a size the variant lets a side use.
    fn cap(&self, side: Side, size: Size) -> usize {
        let [a, b, c, d] = match side {
            Side::White => self.white,
            Side::Black => self.black,
        };
        usize::from(match size {
            Size::A => a,
            Size::B => b,
            Size::C => c,
            Size::D => d,
        })
    }

    /// R2: the piece must be the outermost of a stack, and the variant's cap must not be reached.
    fn may_play_from_hand(&self, table: &Table, hand: &Hand, size: Size) -> bool {
        hand.is_outermost(size) && table.count(table.to_move, size) < self.cap(table.to_move, size)
    }

    /// R4: onto an empty square, or, where the reading allows it, onto a smaller visible piece of
    /// the opponent that is one of three or more visible opponent pieces in one line.
    fn may_place(&self, table: &Table, size: Size, to: Square) -> bool {
        let opponent = table.to_move.opponent();
        let Some(covered) = table.visible(to) else {
            return true;
        };
        let is_one_of_three =
            lines().iter().any(|line| line.contains(&to) && table.visible_in(line, opponent) >= 3);
        self.may_enter_by_covering(table.to_move)
            && covered.side == opponent
            && is_one_of_three
            && size > covered.size
    }

    /// RULES.md, "Readings", second column: whether R4's exception exists for this side.
    fn may_enter_by_covering(&self, mover: Side) -> bool {
        match self.reading {
            Reading::Official | Reading::Thesis | Reading::StrictLift => true,
            Reading::NoEntryCover => false,
            Reading::Robust => mover == Side::Black,
        }
    }

    /// Makes a legal move and judges it under the reading, from the position before it.
    fn judge(&self, before: &Table, chosen: Move) -> Judgement {
        let mover = before.to_move;
        let mut after = before.clone();
        let mut lift_uncovers = false;
        let (piece, to) = match chosen {
            Move::Place { size, to } => (Some(Piece { side: mover, size }), to),
            Move::Transfer { from, to } => {
                let piece = after.stack_mut(from).pop();
                lift_uncovers = after.has_line(mover.opponent());
                (piece, to)
            }
        };
        after.stack_mut(to).extend(piece);
        after.to_move = mover.opponent();

        let moved = Moved {
            mover,
            lift_uncovers,
            own_line: after.has_line(mover),
            opponent_line: after.has_line(mover.opponent()),
        };
        let winner = match self.reading {
            Reading::Official => winner_official(&moved),
            Reading::Thesis => winner_thesis(&moved),
            Reading::StrictLift => winner_strict_lift(&moved),
            Reading::NoEntryCover => winner_no_entry_cover(&moved),
            Reading::Robust => winner_robust(&moved),
        };
        match winner {
            Some(Side::White) => Judgement::WhiteWins,
            Some(Side::Black) => Judgement::BlackWins,
            None => Judgement::GoesOn(after),
        }
    }
}

/// R5: a visible own piece, to another square that is empty or whose visible piece, of either side,
/// is smaller.
fn may_transfer(table: &Table, from: Square, to: Square) -> bool {
    let Some(piece) = table.visible(from) else {
        return false;
    };
    let fits = table.visible(to).is_none_or(|covered| covered.size < piece.size);
    piece.side == table.to_move && from != to && fits
}

#[cfg(test)]
#[path = "reference_tests.rs"]
mod tests;
