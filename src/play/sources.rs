//! What is proven of a game, asked in order: closures for White's moves, refutations for Black's.

use crate::explain::knowledge::{Knowledge, Safety, Source};
use crate::explain::listed_win::ListedWin;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};

/// The most listed positions out of which Black's win is laid out for one move.
const MOST_LISTED: usize = 20_000;

/// A move that is proven, and what it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The move.
    pub mv: Move,
    /// What is proven of it: `White holds`, `Black wins in 7 plies`.
    pub what: String,
    /// Which file proves it.
    pub source: String,
}

/// What is proven of a game, each source with the name of its file.
#[derive(Default)]
pub struct Sources(Vec<(String, Knowledge)>);

impl Sources {
    /// What these sources say of a game.
    #[must_use]
    pub fn new(game: Game, sources: Vec<(String, Source)>) -> Sources {
        let of = |(name, source)| (name, Knowledge::new(game, vec![source]));
        Sources(sources.into_iter().map(of).collect())
    }

    /// The names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// What is proven of a position: who wins or holds, and which file says so.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<(Safety, &str)> {
        self.0.iter().find_map(|(name, known)| match known.value(position) {
            Safety::Unknown => None,
            value => Some((value, name.as_str())),
        })
    }

    /// The move that is proven to be the right one for the side to move, if one is.
    #[must_use]
    pub fn answer(&self, position: &Position) -> Option<Known> {
        self.0.iter().find_map(|(name, known)| {
            let (mv, what) = match position.turn() {
                Color::White => hold(known, position)?,
                Color::Black => win(known, position)?,
            };
            Some(Known { mv, what, source: name.clone() })
        })
    }
}

/// White's answer by a closure, or else a move to a position that a cut or a solution calls safe.
fn hold(known: &Knowledge, position: &Position) -> Option<(Move, String)> {
    let mv = known.answer(position).or_else(|| {
        let moves = known.moves(position);
        moves.into_iter().find(|(_, value)| *value == Safety::Safe).map(|(mv, _)| mv)
    })?;
    let wins = known.game().play_unchecked(position, mv) == Outcome::WhiteWins;
    Some((mv, if wins { "White wins".to_owned() } else { "White holds".to_owned() }))
}

/// Black's shortest listed win. Without the length of each way Black could go round for ever, so no other move counts.
fn win(known: &Knowledge, position: &Position) -> Option<(Move, String)> {
    if known.value(position) != Safety::Avoided {
        return None;
    }
    let win = ListedWin::new(known.game(), known.refutation()?, position, MOST_LISTED).ok()??;
    let line = win.line(position);
    let plies = line.len();
    Some((line.first()?.mv, format!("Black wins in {plies} {}", if plies == 1 { "ply" } else { "plies" })))
}
