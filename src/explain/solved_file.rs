//! Solved variants on disk: the value of each position and move, and the plies to each win if the file of plies is there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::json;

use crate::bitbase::{Value, is_symmetric};
use crate::enumerate::random::Random;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};
use crate::store::{Plies, Store, StoreError, plies_beside};

/// A solved variant, and the plies to each win if they are at hand.
pub struct SolvedFile {
    store: Store,
    plies: Option<Plies>,
}

/// A solved variant that several threads ask. After the first read error it is not asked again.
pub struct AskedFile {
    game: Game,
    has_plies: bool,
    state: Mutex<Held>,
}

struct Held {
    file: SolvedFile,
    trouble: Option<Trouble>,
}

/// The read error after which a file is not asked again.
enum Trouble {
    /// The error, not reported yet.
    New(StoreError),
    /// The error was reported.
    Told,
}

impl AskedFile {
    /// Lets several threads ask this file.
    #[must_use]
    pub fn new(file: SolvedFile) -> AskedFile {
        let (game, has_plies) = (*file.game(), file.has_plies());
        AskedFile { game, has_plies, state: Mutex::new(Held { file, trouble: None }) }
    }

    /// The game that is solved.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether the plies to each win are at hand.
    #[must_use]
    pub fn has_plies(&self) -> bool {
        self.has_plies
    }

    /// The answer to a question, such as [`SolvedFile::worth`] of a position; `None` if the file cannot be read now, or could
    /// not be read before.
    pub fn ask<T>(&self, question: impl FnOnce(&mut SolvedFile) -> Result<T, StoreError>) -> Option<T> {
        let mut state = self.state();
        if state.trouble.is_some() {
            return None;
        }
        match question(&mut state.file) {
            Ok(answer) => Some(answer),
            Err(error) => {
                state.trouble = Some(Trouble::New(error));
                None
            }
        }
    }

    /// The read error after which the file is not asked any more. Only the first call after the error returns it.
    #[must_use]
    pub fn trouble(&self) -> Option<StoreError> {
        let mut state = self.state();
        let trouble = state.trouble.take()?;
        state.trouble = Some(Trouble::Told);
        match trouble {
            Trouble::New(error) => Some(error),
            Trouble::Told => None,
        }
    }

    /// The state, even after a panic: a question that panicked has changed only what was read from the file.
    fn state(&self) -> MutexGuard<'_, Held> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a position or a move is worth to the side to move; where the sides are not alike, to White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Valued {
    /// Who wins, or neither.
    pub value: Value,
    /// In how many plies the win comes, if it is known and there is one.
    pub plies: Option<u32>,
}

impl Valued {
    /// The same for the side to move, also where the sides are not alike: if Black is to move, White's loss is a win.
    #[must_use]
    pub fn of_mover(self, game: &Game, turn: Color) -> Valued {
        match self.value {
            Value::Loss if turn == Color::Black && !is_symmetric(game) => {
                Valued { value: Value::Win, ..self }
            }
            _ => self,
        }
    }
}

impl SolvedFile {
    /// Opens a solved variant, and the file of plies beside it if there is one.
    ///
    /// # Errors
    /// One of the two cannot be read or is damaged, or the plies are those of another variant.
    pub fn open(path: &Path) -> Result<SolvedFile, StoreError> {
        let store = Store::open(path)?;
        let plies = Plies::open(&plies_beside(path), &store)?;
        Ok(SolvedFile { store, plies })
    }

    /// The game that is solved.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.store.game()
    }

    /// Whether the plies to each win are at hand.
    #[must_use]
    pub fn has_plies(&self) -> bool {
        self.plies.is_some()
    }

    /// A sample of the lost positions that the file lists, with White to move, by the plies to the loss: at most `most` for
    /// each number of plies. Empty if the plies are not at hand.
    pub(super) fn listed_losses(
        &mut self,
        most: usize,
        random: &mut Random,
    ) -> Result<BTreeMap<u32, Vec<Position>>, StoreError> {
        match &mut self.plies {
            Some(plies) => plies.sample(&mut self.store, most, random),
            None => Ok(BTreeMap::new()),
        }
    }

    /// Whether Black wins from a position.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn is_lost(&mut self, position: &Position) -> Result<bool, StoreError> {
        self.store.is_lost(position)
    }

    /// In how many plies Black wins from a position; `None` if it does not, or if the plies are not at hand.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn plies_of_loss(&mut self, position: &Position) -> Result<Option<u32>, StoreError> {
        match &mut self.plies {
            Some(plies) if self.store.is_lost(position)? => plies.to_the_win(&mut self.store, position),
            _ => Ok(None),
        }
    }

    /// In how many plies White wins from a position; `None` if it does not, if the plies are not at hand, or if the sides are
    /// not alike: the file then says only whether White holds.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn plies_of_win(&mut self, position: &Position) -> Result<Option<u32>, StoreError> {
        if is_symmetric(self.game()) { self.plies_of_loss(&position.exchanged()) } else { Ok(None) }
    }

    /// What a position is worth.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn worth(&mut self, position: &Position) -> Result<Valued, StoreError> {
        let value = self.store.value(position)?;
        let plies = match &mut self.plies {
            Some(plies) if value != Value::Draw => plies.to_the_win(&mut self.store, position)?,
            _ => None,
        };
        Ok(Valued { value, plies })
    }

    /// What a position is worth, and what each move is worth unless `brief`, in the format of `schemas/query.json`.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn told(&mut self, position: &Position, brief: bool) -> Result<serde_json::Value, StoreError> {
        let game = *self.game();
        let worth = self.worth(position)?;
        let moves = if brief { None } else { Some(self.moves(position)?) };
        let of = |(mv, worth): &(Move, Valued)| json!({ "move": mv.to_string(), "value": word(&game, worth.value), "plies": worth.plies });
        Ok(json!({
            "variant": game.variant.to_string(),
            "reading": game.reading.tag(),
            "position": position.to_string(),
            "value": word(&game, worth.value),
            "plies": worth.plies,
            "moves": moves.map(|moves| moves.iter().map(of).collect::<Vec<_>>()),
        }))
    }

    /// What each move is worth, as [`Valued`] has it, the best for the side to move first: a quick win, a draw, a slow loss.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<(Move, Valued)>, StoreError> {
        let game = *self.store.game();
        let (turn, alike) = (position.turn(), is_symmetric(&game));
        let won_by = |winner| match winner {
            Color::White if alike && turn == Color::Black => Value::Loss,
            Color::White if alike => Value::Win,
            Color::White => Value::Draw,
            Color::Black if alike && turn == Color::Black => Value::Win,
            Color::Black => Value::Loss,
        };
        let mut moves = Vec::new();
        for mv in game.moves(position) {
            let won = |winner, known: bool| Valued {
                value: won_by(winner),
                // Where the sides are not alike, White's win counts only as a hold and has no plies.
                plies: (known && (alike || winner == Color::Black)).then_some(1),
            };
            let worth = match game.play_unchecked(position, mv) {
                Outcome::WhiteWins => won(Color::White, self.plies.is_some()),
                Outcome::BlackWins => won(Color::Black, self.plies.is_some()),
                Outcome::GoesOn(next) => {
                    let Valued { value, plies } = self.worth(&next)?;
                    let value = match value {
                        Value::Win => Value::Loss,
                        Value::Loss if alike => Value::Win,
                        same => same,
                    };
                    Valued { value, plies: plies.map(|plies| plies + 1) }
                }
            };
            moves.push((mv, worth));
        }
        // Where the sides are not alike, `Loss` is White's, so Black prefers it.
        moves.sort_by_key(|(_, valued)| {
            let Valued { value, plies } = valued.of_mover(&game, turn);
            let plies = i64::from(plies.unwrap_or_default());
            match value {
                Value::Win => (0, plies),
                Value::Draw => (1, 0),
                Value::Loss => (2, -plies),
            }
        });
        Ok(moves)
    }
}

/// A value in a word; where the sides are not alike, seen from White: `draw` or `lost`.
#[must_use]
pub fn word(game: &Game, value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss if is_symmetric(game) => "loss",
        Value::Loss => "lost",
    }
}
