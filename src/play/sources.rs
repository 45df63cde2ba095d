//! What is proven of a game. A solved variant is asked first, then closures for White's moves and refutations for
//! Black's.

use std::cell::RefCell;

use super::record::Record;
use crate::bitbase::{Value, is_symmetric};
use crate::explain::knowledge::{Knowledge, Safety, Source};
use crate::explain::listed_win::ListedWin;
use crate::explain::solved_file::{AskedFile, SolvedFile, Valued};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::store::{PositionSet, StoreError};
use crate::symmetry;

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
    /// Whether they win, and no other move wins as soon.
    pub is_quickest: bool,
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
    /// From which position Black's win was last to be laid out, and the win; `None` if too many positions follow. It covers
    /// every position that can follow.
    laid_out: RefCell<Option<(Position, Option<ListedWin>)>>,
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

    /// What is proven of a position, without the solved variant, and which file says so. [`Safety::Avoided`] means that Black
    /// wins.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<(Safety, &str)> {
        self.certificates.iter().find_map(|(name, known)| match known.value(position) {
            Safety::Unknown => None,
            Safety::Avoided if !known.is_exact() => None,
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
                    Color::Black => self.win(known, record, MOST_LISTED)?,
                };
                Some(Known { moves, what, source: name.clone(), is_solved: false, is_quickest: false })
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
        let is_quickest = value == Value::Win && plies.is_some();
        Some(Known { moves: equal, what, source: source.to_owned(), is_solved: true, is_quickest })
    }

    /// Black's quickest move if the win can be laid out. Otherwise a move that wins at once, or else the moves that
    /// keep the win and repeat positions least often. It can be laid out if at most `most` listed positions follow. All this
    /// depends on the game so far, and not on what was asked before.
    fn win(&self, known: &Knowledge, record: &Record, most: usize) -> Option<(Vec<Move>, String)> {
        let (game, position) = (known.game(), record.position());
        let set = known.refutation().filter(|_| known.value(position) == Safety::Avoided)?;
        // Fewer positions follow as pieces come onto the board. Without new pieces their number stays about the same,
        // so it is not worth another try.
        let start = since_last_piece(known, record);
        let quickest = match self.laid_out(game, set, &start, position, most) {
            // Black has left the win that was laid out, and goes on with another.
            Quickest::Elsewhere => self.laid_out(game, set, position, position, most),
            found => found,
        };
        if let Quickest::Is(mv, plies) = quickest {
            return Some((vec![mv], in_words(game, Color::Black, Value::Win, Some(plies))));
        }
        let moves = known.moves(position).into_iter().filter(|(_, value)| *value == Safety::Avoided);
        let moves: Vec<Move> = moves.map(|(mv, _)| mv).collect();
        let wins = |mv: &Move| game.play_unchecked(position, *mv) == Outcome::BlackWins;
        if let Some(mv) = moves.iter().copied().find(wins) {
            return Some((vec![mv], in_words(game, Color::Black, Value::Win, Some(1))));
        }
        let moves = least_often(record, moves);
        (!moves.is_empty()).then(|| (moves, in_words(game, Color::Black, Value::Win, None)))
    }

    /// Black's quickest move in a position by the win that is laid out from `start`, with Black to move in both. What was laid
    /// out before is enough if all that follows from `start` is in it: then the plies are the same.
    fn laid_out(
        &self,
        game: &Game,
        set: &PositionSet,
        start: &Position,
        position: &Position,
        most: usize,
    ) -> Quickest {
        let covers = |win: &ListedWin, from: &Position| {
            let after = game.moves(from).map(|mv| symmetry::canonical(&from.moved(mv)));
            after.filter(|after| set.contains(after)).all(|after| win.plies(&after).is_some())
        };
        let mut laid_out = self.laid_out.borrow_mut();
        let is_enough = laid_out
            .as_ref()
            .is_some_and(|(tried, win)| tried == start || win.as_ref().is_some_and(|win| covers(win, start)));
        if !is_enough {
            let win = ListedWin::new(game, set, start, most, &mut |_, _| {});
            *laid_out = Some((*start, win.ok().flatten()));
        }
        match laid_out.as_ref().and_then(|(_, win)| win.as_ref()) {
            None => Quickest::Unknown,
            Some(win) if !covers(win, position) => Quickest::Elsewhere,
            Some(win) => {
                let found = win.reply(position).zip(win.plies(position));
                found.map_or(Quickest::Elsewhere, |(mv, plies)| Quickest::Is(mv, plies))
            }
        }
    }
}

/// What a win that is laid out says of Black's quickest move.
enum Quickest {
    /// The move, and the plies up to the win.
    Is(Move, u32),
    /// The win does not come here.
    Elsewhere,
    /// It cannot be laid out.
    Unknown,
}

/// The first position since the last piece came with Black to move, and the current one if there is none. A position that the
/// refutation does not win, and those before it, do not count.
fn since_last_piece(known: &Knowledge, record: &Record) -> Position {
    let position = record.position();
    let pieces = |position: &Position| Color::ALL.map(|color| position.side(color).count_ones());
    let is_since =
        |before: &&Position| pieces(before) == pieces(position) && known.value(before) == Safety::Avoided;
    let since = record.positions().iter().rev().take_while(is_since);
    *since.filter(|before| before.turn() == Color::Black).last().unwrap_or(position)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::closure::cut;
    use crate::play::player::mix;
    use crate::rules::Reading;
    use crate::store::Certificate;
    use crate::strategy::Seed;

    /// Black plays what the refutation lists, no piece from hand where it can, and does not win at once. So several positions
    /// with Black to move have the same pieces, and wins are passed over.
    #[test]
    fn how_black_wins_does_not_depend_on_what_was_asked_before() {
        let game = game("A1-A3B1", Reading::Official);
        // It lists all that Black wins, so that a move that does not win at once often keeps the win.
        let lost = cut(&solved(&game, Seed::Rules)).expect("a cut").white_to_move;
        let known = Knowledge::new(game, vec![Source::Certificate(Certificate::refutation(game, lost))]);
        let (mut passed_over, mut without_a_piece) = (0, 0);
        let shared = Sources::default();
        for seed in 1..=40 {
            let mut random = seed;
            let mut record = Record::new(game, Position::empty(Color::White), Default::default(), 1);
            let mut has_passed_over = false;
            while record.moves().len() < 30 && record.position().finished().is_none() {
                let position = *record.position();
                random = mix(random);
                let pick = |moves: &[Move]| moves[(random >> 20) as usize % moves.len()];
                let moves: Vec<Move> = game.moves(&position).collect();
                if position.turn() == Color::White {
                    record.play(pick(&moves)).expect("legal");
                    continue;
                }
                if has_passed_over || (seed == 1 && record.moves().len() > 25) {
                    let alone = Sources::default().win(&known, &record, usize::MAX);
                    assert!(alone.as_ref().is_some_and(|(_, what)| what.contains("pl")), "{alone:?}");
                    assert_eq!(shared.win(&known, &record, usize::MAX), alone, "seed {seed}: {position}");
                }
                let goes_on = |mv: &Move| matches!(game.play_unchecked(&position, *mv), Outcome::GoesOn(_));
                let keeps = |(mv, value): &(Move, Safety)| *value == Safety::Avoided && goes_on(mv);
                let kept: Vec<Move> =
                    known.moves(&position).into_iter().filter(keeps).map(|(mv, _)| mv).collect();
                let on_board: Vec<Move> =
                    kept.iter().copied().filter(|mv| matches!(mv, Move::Transfer { .. })).collect();
                let choice = if random & 3 == 0 { [kept, on_board] } else { [on_board, kept] };
                let Some(from) = choice.into_iter().find(|moves| !moves.is_empty()) else { break };
                let mv = pick(&from);
                let is_transfer = matches!(mv, Move::Transfer { .. });
                without_a_piece += u32::from(is_transfer);
                has_passed_over = is_transfer && !moves.iter().all(goes_on);
                passed_over += u32::from(has_passed_over);
                record.play(mv).expect("legal");
            }
        }
        assert!(passed_over > 2 && without_a_piece > 100, "{passed_over} {without_a_piece}");
        // That too many positions follow from another position says nothing of this one.
        let record = Record::new(game, Position::empty(Color::Black), Default::default(), 1);
        let sources = Sources::default();
        assert_eq!(sources.win(&known, &record, 0).map(|(_, what)| what), Some("Black wins".to_owned()));
        let mut later = record.clone();
        for _ in 0..2 {
            let mv = known.moves(later.position()).into_iter().find(|(_, value)| *value == Safety::Avoided);
            later.play(mv.expect("Black wins").0).expect("legal");
        }
        assert_eq!(
            sources.win(&known, &later, usize::MAX),
            Sources::default().win(&known, &later, usize::MAX)
        );
    }
}
