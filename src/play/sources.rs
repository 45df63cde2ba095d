//! What is proven of a game. A solved variant is asked first, then closures for White's moves and refutations for
//! Black's.

use std::cell::{Cell, RefCell};

use super::record::Record;
use crate::bitbase::{Value, is_symmetric};
use crate::explain::knowledge::{Knowledge, Safety, Source};
use crate::explain::listed_win::ListedWin;
use crate::explain::solved_file::{AskedFile, SolvedFile, Valued};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::store::StoreError;

/// The most listed positions from which Black's win is laid out, which takes up to a second. If more can follow, Black
/// plays a move that keeps the win.
const MOST_LISTED: usize = 20_000;

/// What is proven of a position: its best moves, and what they achieve.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The moves that are equally good by what is proven; never empty.
    pub moves: Vec<Move>,
    /// What is proven of them: `White holds`, `Black wins in 7 plies`.
    pub what: String,
    /// Which file says so.
    pub source: String,
    /// Whether that is a solved variant. It is right if the solver is right, whereas a certificate can be checked.
    pub is_solved: bool,
}

/// What a solved variant says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// A win, a loss or a draw for the side to move. Where the sides are not alike, a draw means that White holds.
    pub value: Value,
    /// In how many plies the win comes, if the file knows.
    pub plies: Option<u32>,
    /// The name of the file.
    pub source: String,
}

/// What is proven of a game, each source with the name of its file.
#[derive(Default)]
pub struct Sources {
    solved: Option<(String, AskedFile)>,
    certificates: Vec<(String, Knowledge)>,
    /// Black's win as it was last laid out. It covers every position that can follow.
    laid_out: RefCell<Option<ListedWin>>,
    /// How many pieces were on the board when too many positions followed to lay out the win; `None` if that worked.
    too_much: Cell<Option<u32>>,
}

impl Sources {
    /// The sources for a game. `solved` is asked before `sources`; it is left out if it solves another game.
    #[must_use]
    pub fn new(game: Game, solved: Option<(String, SolvedFile)>, sources: Vec<(String, Source)>) -> Sources {
        let of = |(name, source)| (name, Knowledge::new(game, vec![source]));
        let solved = solved.filter(|(_, solved)| *solved.game() == game);
        Sources {
            solved: solved.map(|(name, solved)| (name, AskedFile::new(solved))),
            certificates: sources.into_iter().map(of).collect(),
            laid_out: RefCell::default(),
            too_much: Cell::default(),
        }
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let solved = self.solved.iter().map(|(name, _)| name.as_str());
        solved.chain(self.certificates.iter().map(|(name, _)| name.as_str()))
    }

    /// Why the solved variant is no longer asked. The reason is returned once.
    #[must_use]
    pub fn trouble(&self) -> Option<StoreError> {
        self.solved.as_ref()?.1.trouble()
    }

    /// Asks the solved variant.
    fn ask<T>(&self, question: impl FnOnce(&mut SolvedFile) -> Result<T, StoreError>) -> Option<(T, &str)> {
        let (name, solved) = self.solved.as_ref()?;
        Some((solved.ask(question)?, name))
    }

    /// The exact value of a position, if the variant is solved.
    #[must_use]
    pub fn exact(&self, position: &Position) -> Option<Exact> {
        let ((valued, game), source) = self.ask(|solved| Ok((solved.worth(position)?, *solved.game())))?;
        let Valued { value, plies } = valued.of_mover(&game, position.turn());
        Some(Exact { value, plies, source: source.to_owned() })
    }

    /// What is proven of a position, without the solved variant, and which file says so.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<(Safety, &str)> {
        self.certificates.iter().find_map(|(name, known)| match known.value(position) {
            Safety::Unknown => None,
            value => Some((value, name.as_str())),
        })
    }

    /// The moves that are proven right for the side to move, if there are any.
    #[must_use]
    pub fn answer(&self, record: &Record) -> Option<Known> {
        let position = record.position();
        let by_certificates = || {
            self.certificates.iter().find_map(|(name, known)| {
                let (moves, what) = match position.turn() {
                    Color::White => hold(known, position)?,
                    Color::Black => self.win(known, record)?,
                };
                Some(Known { moves, what, source: name.clone(), is_solved: false })
            })
        };
        self.best(record).or_else(by_certificates)
    }

    /// The best moves by a solved variant.
    fn best(&self, record: &Record) -> Option<Known> {
        let (position, game) = (record.position(), &record.game);
        let (moves, source) = self.ask(|solved| solved.moves(position))?;
        let turn = position.turn();
        let &(_, best) = moves.first()?;
        let Valued { value, plies } = best.of_mover(game, turn);
        let mut equal: Vec<Move> =
            moves.into_iter().take_while(|(_, valued)| *valued == best).map(|(mv, _)| mv).collect();
        if value == Value::Win && plies.is_none() {
            equal = least_often(record, equal);
        }
        let what = in_words(game, turn, value, plies);
        Some(Known { moves: equal, what, source: source.to_owned(), is_solved: true })
    }

    /// Black's quickest move if the win can be laid out. Otherwise a move that wins at once, or else the moves that
    /// keep the win and repeat positions least often.
    fn win(&self, known: &Knowledge, record: &Record) -> Option<(Vec<Move>, String)> {
        let position = record.position();
        let set = known.refutation().filter(|_| known.value(position) == Safety::Avoided)?;
        let mut laid_out = self.laid_out.borrow_mut();
        // Fewer positions follow as pieces come onto the board. Without new pieces their number stays about the same,
        // so it is not worth another try.
        let pieces = Color::ALL.map(|color| position.side(color).count_ones()).iter().sum();
        let may_fit = self.too_much.get().is_none_or(|then| then < pieces);
        if may_fit && laid_out.as_ref().is_none_or(|win| win.plies(position).is_none()) {
            let win = ListedWin::new(known.game(), set, position, MOST_LISTED, &mut |_, _| {});
            self.too_much.set(win.is_err().then_some(pieces));
            *laid_out = win.ok().flatten();
        }
        if let Some((mv, plies)) =
            laid_out.as_ref().and_then(|win| win.reply(position).zip(win.plies(position)))
        {
            return Some((vec![mv], in_words(known.game(), Color::Black, Value::Win, Some(plies))));
        }
        let game = known.game();
        let moves = known.moves(position).into_iter().filter(|(_, value)| *value == Safety::Avoided);
        let moves: Vec<Move> = moves.map(|(mv, _)| mv).collect();
        let wins = |mv: &Move| game.play_unchecked(position, *mv) == Outcome::BlackWins;
        if let Some(mv) = moves.iter().copied().find(wins) {
            return Some((vec![mv], in_words(game, Color::Black, Value::Win, Some(1))));
        }
        let moves = least_often(record, moves);
        (!moves.is_empty()).then(|| (moves, in_words(game, Color::Black, Value::Win, None)))
    }
}

/// Of moves that all keep a win, those that lead to the positions seen least often in the game. If the plies to the win
/// are not known, a side could go round among won positions for ever. Choosing like this prevents it: in a position
/// that recurs, every such move is made in turn, and one of them leads nearer to the win.
fn least_often(record: &Record, mut moves: Vec<Move>) -> Vec<Move> {
    let position = record.position();
    let times = |mv: &Move| {
        let after = position.moved(*mv);
        record.positions().iter().filter(|before| **before == after).count()
    };
    let least = moves.iter().map(times).min();
    moves.retain(|mv| Some(times(mv)) == least);
    moves
}

/// What a solved variant says in words: `White wins in 3 plies`, `draw`.
#[must_use]
pub fn in_words(game: &Game, turn: Color, value: Value, plies: Option<u32>) -> String {
    let wins = |winner: Color| match plies {
        None => format!("{winner} wins"),
        Some(1) => format!("{winner} wins in 1 ply"),
        Some(plies) => format!("{winner} wins in {plies} plies"),
    };
    match value {
        Value::Win => wins(turn),
        Value::Loss => wins(!turn),
        Value::Draw if is_symmetric(game) => "draw".to_owned(),
        Value::Draw => "White holds".to_owned(),
    }
}

/// White's answer by a closure, or else a move to a position that a cut or a solution calls safe.
fn hold(known: &Knowledge, position: &Position) -> Option<(Vec<Move>, String)> {
    let mv = known.answer(position).or_else(|| {
        let moves = known.moves(position);
        moves.into_iter().find(|(_, value)| *value == Safety::Safe).map(|(mv, _)| mv)
    })?;
    let wins = known.game().play_unchecked(position, mv) == Outcome::WhiteWins;
    Some((vec![mv], if wins { "White wins".to_owned() } else { "White holds".to_owned() }))
}
