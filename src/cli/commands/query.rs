//! `gobprove query`: looks up the value of a position in a solved variant.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::solve::{file_name, word};
use crate::bitbase::Value;
use crate::bitbase::is_symmetric;
use crate::cli::console::args::{self, Format};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::position;
use crate::cli::console::report::{Align, Out, Table};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Reading, Variant};
use crate::store::Store;
use crate::store::StoreError;

const AFTER_HELP: &str = "\
The file is the one that gobprove solve wrote. It is not loaded: a question reads a few blocks of it.

Examples:
  gobprove query ab-full '.,.,.,./.,A,.,./.,.,a,./.,.,.,. w'
  gobprove query A3-A3B3C1 '.,.,.,./.,.,.,./.,.,.,./.,.,.,. b' --file my.gobsolved --json";

/// Look up a position of a solved variant
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct QueryArgs {
    /// The variant that was solved
    #[arg(value_parser = args::variant)]
    variant: Variant,
    /// The position: ranks from the top, squares by commas, white pieces in capitals, the side to move
    position: String,
    /// Moves to play from there, such as 'A@a1 a@b2 a1-c3'
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// What gobprove solve wrote [default: VARIANT-READING.gobsolved]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

impl QueryArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The position does not belong to the variant, or the file cannot be used or is of another game.
    pub fn run(&self) -> Ended {
        let game = Game::new(self.variant, self.reading);
        let position = position::read(&game, &self.position, &self.moves, "POSITION", "query")?;
        let path = self.file.clone().unwrap_or_else(|| file_name(&game));
        let mut store = Store::open(&path).map_err(|error| {
            let missing = matches!(error, StoreError::Read { .. });
            let failure = Failure::unavailable(error).at(shown(&path));
            let solve = format!("gobprove solve {} --reading {} writes it", game.variant, game.reading);
            if missing { failure.next(&solve) } else { failure }
        })?;
        if *store.game() != game {
            let is = store.game();
            let what = format!(
                "{} holds {} {}, not {} {}",
                shown(&path),
                is.variant,
                is.reading,
                game.variant,
                game.reading
            );
            return Err(Failure::unavailable(what));
        }
        let value = store.value(&position).map_err(Failure::unavailable)?;
        let moves = moves(&mut store, &game, &position).map_err(Failure::unavailable)?;
        let mut out = Out::new();
        if self.format.json {
            let moves: Vec<_> = moves
                .iter()
                .map(|(mv, value)| json!({ "move": mv.to_string(), "value": word(&game, *value) }))
                .collect();
            out.json(&json!({
                "variant": game.variant.to_string(),
                "reading": game.reading.tag(),
                "position": position.to_string(),
                "value": word(&game, value),
                "moves": moves,
            }))?;
            return Ok(Exit::Done);
        }
        out.line(&position.drawing())?;
        let who = if is_symmetric(&game) { position.turn() } else { Color::White };
        out.line(&format!("{} to move: {} for {who}", position.turn(), word(&game, value)))?;
        if !moves.is_empty() {
            let mut table = Table::new(&[("moves", Align::Left), ("", Align::Left)]);
            for wanted in [Value::Win, Value::Draw, Value::Loss] {
                let these: Vec<String> = moves
                    .iter()
                    .filter(|(_, value)| *value == wanted)
                    .map(|(mv, _)| mv.to_string())
                    .collect();
                if !these.is_empty() {
                    table.row([word(&game, wanted).to_owned(), these.join(" ")]);
                }
            }
            out.line(&table.text())?;
        }
        Ok(Exit::Done)
    }
}

/// What each move is worth to the side that makes it; where the sides are not alike, to White.
fn moves(store: &mut Store, game: &Game, position: &Position) -> Result<Vec<(Move, Value)>, StoreError> {
    let turn = position.turn();
    let won_by = |winner| match winner {
        Color::White if is_symmetric(game) && turn == Color::Black => Value::Loss,
        Color::White if is_symmetric(game) => Value::Win,
        Color::White => Value::Draw,
        Color::Black if is_symmetric(game) && turn == Color::Black => Value::Win,
        Color::Black => Value::Loss,
    };
    let mut moves = Vec::new();
    for mv in game.moves(position) {
        let value = match game.play_unchecked(position, mv) {
            Outcome::WhiteWins => won_by(Color::White),
            Outcome::BlackWins => won_by(Color::Black),
            Outcome::GoesOn(next) => match store.value(&next)? {
                Value::Win => Value::Loss,
                Value::Loss if is_symmetric(game) => Value::Win,
                same => same,
            },
        };
        moves.push((mv, value));
    }
    Ok(moves)
}
