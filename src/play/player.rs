//! Who plays: the engine, chance, or another program. A person's moves come from elsewhere.

use std::fmt;
use std::time::{Duration, Instant};

use gobengine::{Engine, Score};
use thiserror::Error;

use super::level::Strength;
use super::record::Record;
use super::sources::{Known, Sources};
use super::talk::{Client, PATIENCE};
use crate::rules::{Game, Move};

/// Who sits on one side of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seat {
    /// A person.
    Human,
    /// The engine, at this strength or, if `None`, at the usual one.
    Engine(Option<Strength>),
    /// A random legal move each time.
    Random,
    /// A program that speaks UGI: its command line.
    Program(String),
}

/// The text names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{0:?} is no player: give human, engine, level:1 … level:8, nodes:N, depth:N, random, or ugi:CMD for a program that speaks UGI"
)]
pub struct SeatError(pub String);

impl std::str::FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Seat, SeatError> {
        let wrong = || SeatError(text.to_owned());
        let number = |text: &str| text.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(wrong);
        Ok(match text.split_once(':') {
            None if text == "human" => Seat::Human,
            None if text == "engine" => Seat::Engine(None),
            None if text == "random" => Seat::Random,
            Some(("ugi", command)) if !command.trim().is_empty() => Seat::Program(command.to_owned()),
            Some(("level", level)) => {
                let level = number(level)?.try_into().ok().and_then(Strength::level);
                Seat::Engine(Some(level.ok_or_else(wrong)?))
            }
            Some(("nodes", nodes)) => Seat::Engine(Some(Strength::nodes(number(nodes)?))),
            Some(("depth", depth)) => {
                let depth = number(depth)?.try_into().map_err(|_| wrong())?;
                Seat::Engine(Some(Strength { depth, ..Strength::nodes(u64::MAX) }))
            }
            _ => return Err(wrong()),
        })
    }
}

/// A player's move, and how good the player takes it to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move.
    pub mv: Move,
    /// What it is worth: `proven: White holds (FILE)`, `solved: Black wins in 5 plies (FILE)`, `estimate +12 (depth 7)`; empty if
    /// the player does not say.
    pub worth: String,
    /// The score of a search, for the side that moves.
    pub score: Option<Score>,
}

/// Why a player forfeits the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct Forfeit(pub String);

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A player that is a program.
pub enum Player {
    /// The engine.
    Engine(Box<Engine>, Strength),
    /// Random moves, with the state of the random numbers.
    Random(u64),
    /// Another program, with the positions or the time that it is given for a move.
    Program(Box<Client>, Strength),
}

impl Player {
    /// The player of a seat, `None` for a person. `usual` is the strength if the seat names none. Random choices follow
    /// from `seed`.
    ///
    /// # Errors
    /// A program cannot be started or does not speak UGI.
    pub fn sit(seat: &Seat, game: &Game, usual: Strength, seed: u64) -> Result<Option<Player>, Forfeit> {
        Ok(match seat {
            Seat::Human => None,
            Seat::Engine(strength) => {
                let strength = strength.unwrap_or(usual);
                let engine = Engine::new(game, strength.options(seed));
                Some(Player::Engine(Box::new(engine), strength))
            }
            Seat::Random => Some(Player::Random(mix(seed))),
            Seat::Program(command) => {
                Some(Player::Program(Box::new(Client::start(command, game, PATIENCE)?), usual))
            }
        })
    }

    /// The player's move in the position that a game has reached; the game must not be over. A search ends early once
    /// `stop` returns true. A program is told to stop then, and cannot be asked again.
    ///
    /// # Errors
    /// A program has ended, does not answer, answers no legal move or was told to stop.
    pub fn answer(
        &mut self,
        record: &Record,
        sources: &Sources,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, Forfeit> {
        let plain = |mv| Answer { mv, worth: String::new(), score: None };
        match self {
            Player::Random(state) => {
                let moves: Vec<Move> = record.game.moves(record.position()).collect();
                *state = mix(*state);
                Ok(plain(moves[(*state >> 20) as usize % moves.len()]))
            }
            Player::Program(client, strength) => client.answer(record, strength, stop).map(plain),
            Player::Engine(engine, strength) => {
                if strength.knows {
                    return Ok(advise(engine, strength, record, sources, stop));
                }
                Ok(search(engine, strength, record, stop))
            }
        }
    }
}

/// A proven move if there is one, otherwise the engine's move. Among several moves that are proven equally good the
/// engine chooses: a draw can be easy or hard for the opponent.
#[must_use]
pub fn advise(
    engine: &mut Engine,
    strength: &Strength,
    record: &Record,
    sources: &Sources,
    stop: &dyn Fn() -> bool,
) -> Answer {
    let Some(known) = sources.answer(record) else { return search(engine, strength, record, stop) };
    let found = (known.moves.len() > 1).then(|| search(engine, strength, record, stop));
    chosen(&known, found)
}

/// The engine's move if it is one of those that are proven best, or if it wins where they may win later or not at all.
/// Otherwise the first of those.
fn chosen(known: &Known, found: Option<Answer>) -> Answer {
    let how = if known.is_solved { "solved" } else { "proven" };
    let worth = format!("{how}: {} ({})", known.what, known.source);
    match found {
        Some(found) if known.moves.contains(&found.mv) => Answer { worth, ..found },
        Some(found) if matches!(found.score, Some(Score::Wins { .. })) && !known.is_quickest => found,
        _ => Answer { mv: known.moves[0], worth, score: None },
    }
}

/// The engine's move.
#[must_use]
pub fn search(engine: &mut Engine, strength: &Strength, record: &Record, stop: &dyn Fn() -> bool) -> Answer {
    let begun = Instant::now();
    let late = || strength.millis.is_some_and(|millis| begun.elapsed() >= Duration::from_millis(millis));
    let report = engine.search(record.positions(), &strength.limits(), &|| stop() || late(), &mut |_| ());
    // The game is not over, so there is a report.
    let Some(report) = report else {
        let mv = record.game.moves(record.position()).next();
        return Answer { mv: mv.expect("R7: there is a move"), worth: String::new(), score: None };
    };
    let turn = record.position().turn();
    let worth = match report.score {
        Score::Estimate(score) => format!("estimate {score:+} for {turn} (search, depth {})", report.depth),
        score => format!("proven: {turn} {score} (search)"),
    };
    Answer { mv: report.best(), worth, score: Some(report.score) }
}

/// The next number of a random sequence, never 0.
#[must_use]
pub fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ z >> 31).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn a_move_is_announced_with_its_own_value() {
        let mv = |text: &str| text.read::<Move>().expect("a move");
        let known = Known {
            moves: vec![mv("a1-b1"), mv("a1-c1")],
            what: "White wins in 7 plies".to_owned(),
            source: "file".to_owned(),
            is_solved: true,
            is_quickest: true,
        };
        let found = |text: &str| Answer {
            mv: mv(text),
            worth: "proven: White wins in 9 plies (search)".to_owned(),
            score: Some(Score::Wins { plies: 9 }),
        };
        let said = |known: &Known, found: Option<Answer>| {
            let Answer { mv, worth, .. } = chosen(known, found);
            format!("{mv} {worth}")
        };
        let solved = "solved: White wins in 7 plies (file)";
        assert_eq!(said(&known, None), format!("a1-b1 {solved}"));
        assert_eq!(said(&known, Some(found("a1-c1"))), format!("a1-c1 {solved}"));
        assert_eq!(said(&known, Some(found("a1-d1"))), format!("a1-b1 {solved}"));
        let may_be_late = Known { what: "White wins".to_owned(), is_quickest: false, ..known };
        let own = "a1-d1 proven: White wins in 9 plies (search)";
        assert_eq!(said(&may_be_late, Some(found("a1-d1"))), own);
    }
}
