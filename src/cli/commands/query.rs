//! `gobprove query`: looks up the values of positions in a solved variant.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::junior;
use super::solve::{file_name, word};
use crate::bitbase::Value;
use crate::bitbase::is_symmetric;
use crate::cli::console::args::{self, Format, Subject};
use crate::cli::console::asked::Asked;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::report::{Align, Out, Table};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Reading};
use crate::store::{Plies, Store, StoreError, plies_beside};

const AFTER_HELP: &str = "\
The file is the one that gobprove solve wrote. It is not loaded: a question reads a few blocks of it.
After gobprove solve --distances it is also said in how many plies each win comes, and moves are
sorted, the best first. In JSON `plies` is null for a draw, and where the plies are not at hand.
A position is written as for gobprove explain. Several positions, or `-` for one on each line of
stdin, are answered in order, with --json by an object on a line of its own. One that cannot be read
is told of in its place, and the exit code says so at the end. In junior the ranks go from 3 down and
the pieces are L, M and S: L,2/1,s,1/3 w. Its file always has the plies.

Examples:
  gobprove query ab-full '.,.,.,./.,A,.,./.,.,a,./.,.,.,. w'
  gobprove query ab-full start --moves 'A@a1 a@b2 a1-c3'
  gobprove query ab-full '4/1,A,2/2,a,1/4 w' 'A,3/4/4/4 b'
  gobprove query ab-full - --brief --json < positions.txt
  gobprove query A3-A3B3C1 'start b' --file my.gobsolved --json
  gobprove query junior start --moves 'S@b1 m@a2'
  gobprove query junior 'L,2/1,s,1/3 w' --json";

/// Look up positions of a solved variant
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct QueryArgs {
    /// The variant that was solved, or junior
    #[arg(value_parser = args::subject)]
    variant: Subject,
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
        let variant = match self.variant {
            Subject::Gobblet(variant) => variant,
            Subject::Junior => {
                let solved = junior::open(junior::reading(self.reading)?, self.file.as_deref())?;
                return junior::query(&solved, &self.asked, self.brief, self.format);
            }
        };
        let game = Game::new(variant, self.reading);
        let mut solved = self.open(&game)?;
        let mut out = Out::new();
        self.asked.each(&game, "query", self.format.json, &mut out, |out, position| {
            self.answer(&mut solved, position, out)
        })
    }

    /// The solved variant.
    fn open(&self, game: &Game) -> Result<Solved, Failure> {
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
        let plies = Plies::open(&plies_beside(&path), &store).map_err(|error| {
            let next = format!("gobprove solve {} --distances writes it anew", game.variant);
            Failure::unavailable(error).next(next)
        })?;
        Ok(Solved { store, plies })
    }

    /// Prints what a position is worth.
    fn answer(&self, solved: &mut Solved, position: &Position, out: &mut Out) -> Ended {
        let game = *solved.store.game();
        let worth = solved.worth(position).map_err(Failure::unavailable)?;
        let moves = match self.brief {
            true => None,
            false => Some(solved.moves(position).map_err(Failure::unavailable)?),
        };
        if self.format.json {
            let of = |(mv, worth): &(Move, Worth)| json!({ "move": mv.to_string(), "value": word(&game, worth.value), "plies": worth.plies });
            let answer = json!({
                "variant": game.variant.to_string(),
                "reading": game.reading.tag(),
                "position": position.to_string(),
                "value": word(&game, worth.value),
                "plies": worth.plies,
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
        text.push_str(&format!("{} to move: {} for {who}\n", position.turn(), worth.text(&game)));
        let moves = moves.unwrap_or_default();
        if !moves.is_empty() {
            let mut table = Table::new(&[("moves", Align::Left), ("", Align::Left)]);
            for alike in moves.chunk_by(|(_, one), (_, next)| one == next) {
                let names: Vec<String> = alike.iter().map(|(mv, _)| mv.to_string()).collect();
                table.row([alike[0].1.text(&game), names.join(" ")]);
            }
            text.push_str(&format!("{}\n", table.text()));
        }
        // Several are apart by an empty line.
        out.line(if self.asked.is_one() { text.trim_end() } else { &text })?;
        Ok(Exit::Done)
    }
}

/// A solved variant, and the plies to each win if they are at hand.
struct Solved {
    store: Store,
    plies: Option<Plies>,
}

/// What a position or a move is worth to the side to move; where the sides are not alike, to White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Worth {
    value: Value,
    /// In how many plies the win comes, if it is known and there is one.
    plies: Option<u32>,
}

impl Worth {
    fn text(self, game: &Game) -> String {
        match self.plies {
            Some(1) => format!("{} in 1 ply", word(game, self.value)),
            Some(plies) => format!("{} in {plies} plies", word(game, self.value)),
            None => word(game, self.value).to_owned(),
        }
    }
}

impl Solved {
    fn worth(&mut self, position: &Position) -> Result<Worth, StoreError> {
        let value = self.store.value(position)?;
        let plies = match &mut self.plies {
            Some(plies) if value != Value::Draw => plies.to_the_win(&mut self.store, position)?,
            _ => None,
        };
        Ok(Worth { value, plies })
    }

    /// What each move is worth to the side that makes it, the best first: a quick win, a draw, a slow loss.
    fn moves(&mut self, position: &Position) -> Result<Vec<(Move, Worth)>, StoreError> {
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
            let won = |winner, known: bool| Worth {
                value: won_by(winner),
                // That White wins at once is only one way to hold where the sides are not alike.
                plies: (known && (alike || winner == Color::Black)).then_some(1),
            };
            let worth = match game.play_unchecked(position, mv) {
                Outcome::WhiteWins => won(Color::White, self.plies.is_some()),
                Outcome::BlackWins => won(Color::Black, self.plies.is_some()),
                Outcome::GoesOn(next) => {
                    let Worth { value, plies } = self.worth(&next)?;
                    let value = match value {
                        Value::Win => Value::Loss,
                        Value::Loss if alike => Value::Win,
                        same => same,
                    };
                    Worth { value, plies: plies.map(|plies| plies + 1) }
                }
            };
            moves.push((mv, worth));
        }
        // Where the sides are not alike a loss is White's, and what Black plays for.
        let is_won = |value| match value {
            Value::Win => true,
            Value::Loss => !alike && turn == Color::Black,
            Value::Draw => false,
        };
        moves.sort_by_key(|(_, Worth { value, plies })| {
            let plies = i64::from(plies.unwrap_or_default());
            match value {
                &value if is_won(value) => (0, plies),
                Value::Draw => (1, 0),
                _ => (2, -plies),
            }
        });
        Ok(moves)
    }
}
