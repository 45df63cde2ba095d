//! `gobprove query`: looks up the values of positions in a solved variant.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::solve::{file_name, word};
use crate::bitbase::Value;
use crate::bitbase::is_symmetric;
use crate::cli::console::args::{self, Format};
use crate::cli::console::asked::Asked;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::report::{Align, Out, Table};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Reading, Variant};
use crate::store::Store;
use crate::store::StoreError;

const AFTER_HELP: &str = "\
The file is the one that gobprove solve wrote. It is not loaded: a question reads a few blocks of it.
A position is written as for gobprove explain. Several positions, or `-` for one on each line of
stdin, are answered in order, with --json by an object on a line of its own. One that cannot be read
is told of in its place, and the exit code says so at the end.

Examples:
  gobprove query ab-full '.,.,.,./.,A,.,./.,.,a,./.,.,.,. w'
  gobprove query ab-full start --moves 'A@a1 a@b2 a1-c3'
  gobprove query ab-full '4/1,A,2/2,a,1/4 w' 'A,3/4/4/4 b'
  gobprove query ab-full - --brief --json < positions.txt
  gobprove query A3-A3B3C1 'start b' --file my.gobsolved --json";

/// Look up positions of a solved variant
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct QueryArgs {
    /// The variant that was solved
    #[arg(value_parser = args::variant)]
    variant: Variant,
    #[command(flatten)]
    asked: Asked,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// What gobprove solve wrote [default: VARIANT-READING.gobsolved]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Leave out what each move is worth: many positions are then answered twenty times as fast
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    format: Format,
}

impl QueryArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A position does not belong to the variant, or the file cannot be used or is of another game.
    pub fn run(&self) -> Ended {
        let game = Game::new(self.variant, self.reading);
        let mut store = self.open(&game)?;
        let mut out = Out::new();
        self.asked.each(&game, "query", self.format.json, &mut out, |out, position| {
            self.answer(&mut store, position, out)
        })
    }

    /// The solved variant.
    fn open(&self, game: &Game) -> Result<Store, Failure> {
        let path = self.file.clone().unwrap_or_else(|| file_name(game));
        let store = Store::open(&path).map_err(|error| {
            let missing = matches!(error, StoreError::Read { .. });
            let failure = Failure::unavailable(error).at(shown(&path));
            let solve = format!("gobprove solve {} --reading {} writes it", game.variant, game.reading);
            if missing { failure.next(&solve) } else { failure }
        })?;
        if store.game() != game {
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
        Ok(store)
    }

    /// Prints what a position is worth.
    fn answer(&self, store: &mut Store, position: &Position, out: &mut Out) -> Ended {
        let game = *store.game();
        let value = store.value(position).map_err(Failure::unavailable)?;
        let moves = match self.brief {
            true => None,
            false => Some(moves(store, &game, position).map_err(Failure::unavailable)?),
        };
        if self.format.json {
            let of =
                |(mv, value): &(Move, Value)| json!({ "move": mv.to_string(), "value": word(&game, *value) });
            let answer = json!({
                "variant": game.variant.to_string(),
                "reading": game.reading.tag(),
                "position": position.to_string(),
                "value": word(&game, value),
                "moves": moves.map(|moves| moves.iter().map(of).collect::<Vec<_>>()),
            });
            if self.asked.is_one() {
                out.json(&answer)?
            } else {
                out.json_line(&answer)?
            }
            return Ok(Exit::Done);
        }
        let who = if is_symmetric(&game) { position.turn() } else { Color::White };
        let mut text = position.drawing();
        text.push_str(&format!("{} to move: {} for {who}\n", position.turn(), word(&game, value)));
        let moves = moves.unwrap_or_default();
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
            text.push_str(&format!("{}\n", table.text()));
        }
        // Several are apart by an empty line.
        out.line(if self.asked.is_one() { text.trim_end() } else { &text })?;
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
