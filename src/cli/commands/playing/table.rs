//! A game at the board: what a person's words do to it, and the programs that answer.

use std::path::Path;

use gobengine::Engine;

use super::drawing::{all_moves, targets};
use super::play::loaded;
use super::worth::{Judged, has_changed, turned, value};
use crate::bitbase::Value;
use crate::cli::console::exit::{Exit, Failure, shown};
use crate::cli::console::position::written;
use crate::cli::console::signals::Signals;
use crate::play::{Ending, Player, Record, Sources, Strength, advise};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Position, Size, Square};
use crate::store::{System, write_file};

/// The most positions that a hint looks at, and that each step of a review looks at.
const HINT_NODES: u64 = 300_000;
const REVIEW_NODES: u64 = 20_000;

/// A game at the board.
pub(super) struct Table {
    pub record: Record,
    /// White's player and Black's; `None` is a person.
    pub players: [Option<Player>; 2],
    pub strength: Strength,
    pub sources: Sources,
    /// What the word `help` says.
    pub help: &'static str,
    /// If no person is at the board, the game is a draw after this number of moves.
    pub most: usize,
}

/// What a person's line did.
pub(super) enum Heard {
    /// The position has changed, the game has ended, or the board is to be shown again.
    Changed,
    /// Nothing has changed, and this text is to be shown.
    Said(String),
    /// The person has left.
    Left,
}

impl Table {
    /// A line that names the game and what is proven of it.
    pub(super) fn greeting(&self) -> String {
        let Game { variant, reading, .. } = self.record.game;
        let names: Vec<&str> = self.sources.names().collect();
        let known = if names.is_empty() { "no proof, the search alone".to_owned() } else { names.join(", ") };
        format!("{variant} {reading}; to go by: {known}")
    }

    /// Whether a person plays a side.
    pub(super) fn is_person(&self, color: Color) -> bool {
        self.players[color as usize].is_none()
    }

    /// Whether a person is at the board.
    pub(super) fn has_person(&self) -> bool {
        self.players.iter().any(Option::is_none)
    }

    /// Lets the program that is to move answer, if there is one, and returns what is to be said of it, a line each. Once
    /// `stop` returns true a search ends early, and its move is not played.
    ///
    /// # Errors
    /// The program inside answered a move that is not legal.
    pub(super) fn answer(&mut self, stop: &dyn Fn() -> bool) -> Result<Vec<Remark>, Failure> {
        let turn = self.record.position().turn();
        let Some(player) = &mut self.players[turn as usize] else { return Ok(Vec::new()) };
        let answer = player.answer(&self.record, &self.sources, stop);
        let mut said = Vec::new();
        if let Some(trouble) = self.sources.trouble() {
            said.push(Remark::Note(format!("note: {trouble}; it is not asked any more")));
        }
        // The player may have been cut short, and Ctrl-C ends another program: it has not lost by that.
        if stop() {
            return Ok(said);
        }
        match answer {
            Ok(answer) => {
                let worth =
                    if answer.worth.is_empty() { String::new() } else { format!("   {}", answer.worth) };
                said.push(Remark::Move(format!("{turn} plays {}{worth}", answer.mv)));
                // The answer of another program was checked before.
                self.record.play(answer.mv).map_err(|why| Failure::new(Exit::Bug, why))?;
            }
            Err(why) => self.record.ending = Some(Ending::Forfeit(turn, why.to_string())),
        }
        self.end_if_long();
        Ok(said)
    }

    /// Ends a game without a person at the board that has too many moves, or whose position stands for the third time.
    pub(super) fn end_if_long(&mut self) {
        if self.has_person() || self.record.ending.is_some() {
            return;
        }
        if self.record.times() >= 3 {
            self.record.ending = Some(Ending::Draw("the position stood three times".to_owned()));
        } else if self.record.moves().len() >= self.most {
            self.record.ending = Some(Ending::Draw(format!("{} moves", self.most)));
        }
    }

    /// Does what a person's line says. `stop` ends a search early.
    pub(super) fn heed(&mut self, line: &str, stop: &dyn Fn() -> bool) -> Heard {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !rest.is_empty() && !["save", "load"].contains(&word) {
            let what = format!("{line:?} is more than one move or word; give each a line of its own");
            return Heard::Said(what);
        }
        let (game, position) = (self.record.game, *self.record.position());
        if let ("draw" | "resign", Some(ending)) = (word, &self.record.ending) {
            return Heard::Said(format!("the game is over: {ending}"));
        }
        Heard::Said(match word {
            "" => String::new(),
            "quit" => return Heard::Left,
            "board" => return Heard::Changed,
            "help" => self.help.to_owned(),
            "moves" => all_moves(&game, &position),
            "hint" => self.hint(stop),
            "review" => self.review(stop),
            "undo" => {
                self.record.take_back(if self.is_person(!position.turn()) { 1 } else { 2 });
                return Heard::Changed;
            }
            "resign" => {
                self.record.ending = Some(Ending::Forfeit(position.turn(), "resigns".to_owned()));
                return Heard::Changed;
            }
            "draw" if self.takes_draw(stop) => {
                self.record.ending = Some(Ending::Draw("agreed".to_owned()));
                return Heard::Changed;
            }
            "draw" => format!("{} plays on", !position.turn()),
            "save" | "load" if rest.trim().is_empty() => format!("name the file: {word} FILE"),
            "save" => {
                let path = Path::new(rest.trim());
                match write_file(&System, path, self.record.to_string().as_bytes()) {
                    Ok(()) => format!("saved to {}", shown(path)),
                    Err(error) => format!("not saved: {error}"),
                }
            }
            "load" => match loaded(Path::new(rest.trim())) {
                Ok(mut record) if record.game == game => {
                    // Those at the board stay, and so does what their chance follows from.
                    record.names.clone_from(&self.record.names);
                    record.seed = self.record.seed;
                    self.record = record;
                    return Heard::Changed;
                }
                Ok(record) => {
                    format!("that is a game of {} {}", record.game.variant, record.game.reading)
                }
                Err(failure) => failure.to_string(),
            },
            _ => match Spot::read(word) {
                Some(spot) => targets(&game, &position, spot),
                None => match written(&position, word) {
                    Ok(mv) => match self.record.play(mv) {
                        Ok(()) => return Heard::Changed,
                        Err(why) => why,
                    },
                    Err(error) => format!("{error}; help lists what else you can give"),
                },
            },
        })
    }

    /// Whether the side that is not to move takes a draw: a person does, and a program does unless it stands better.
    fn takes_draw(&self, stop: &dyn Fn() -> bool) -> bool {
        if self.is_person(!self.record.position().turn()) {
            return true;
        }
        match value(&self.record, &self.sources, REVIEW_NODES, stop).0 {
            Judged::Estimate(score) => score >= 0,
            Judged::Exact(value, _) => value != Value::Loss,
        }
    }

    fn hint(&self, stop: &dyn Fn() -> bool) -> String {
        if let Some(ending) = &self.record.ending {
            return format!("the game is over: {ending}");
        }
        let strength =
            Strength { millis: None, ..Strength::nodes(self.strength.nodes.clamp(10_000, HINT_NODES)) };
        let mut engine = Engine::new(&self.record.game, strength.options(0));
        let answer = advise(&mut engine, &strength, &self.record, &self.sources, stop);
        format!("{}   {}", answer.mv, answer.worth)
    }

    /// Lists the moves that changed the value of the game by much, until `stop` ends it.
    pub(super) fn review(&self, stop: &dyn Fn() -> bool) -> String {
        let mut again = self.record.clone();
        again.take_back(usize::MAX);
        if let Some(ending) = &again.ending {
            return format!("the game was over before its first move: {ending}");
        }
        let mut lines = vec!["review".to_owned()];
        let mut before = value(&again, &self.sources, REVIEW_NODES, stop);
        for (number, &mv) in (1..).zip(self.record.moves()) {
            let turn = again.position().turn();
            if stop() {
                lines.push(format!("  ended before move {number}"));
                break;
            }
            if again.play(mv).is_err() {
                break;
            }
            let after = match &again.ending {
                Some(Ending::Line(winner)) if *winner == turn => {
                    (Judged::Exact(Value::Loss, Some(0)), "by R6".to_owned())
                }
                Some(_) => (Judged::Exact(Value::Win, Some(0)), "by R6".to_owned()),
                None => value(&again, &self.sources, REVIEW_NODES, stop),
            };
            let ((was, how), (is, how_now)) = (&before, &after);
            let (was, is) = (*was, turned(*is));
            if has_changed(was, is) {
                lines.push(format!("  {number}. {turn} {mv}: {was} ({how}), then {is} ({how_now})"));
            }
            before = after;
        }
        if lines.len() == 1 {
            lines.push("  no move changed the value by much".to_owned());
        }
        lines.join("\n")
    }
}

/// The failure of a game that a signal interrupts.
pub(super) fn interrupted(signals: &Signals) -> Failure {
    let next = "gobprove play --load FILE goes on from there, with those lines in the file";
    signals.failure_after("the game so far is printed", next)
}

/// Something to be said after a program's turn.
pub(super) enum Remark {
    /// The program's move, and what it takes the move to be worth.
    Move(String),
    /// Something that went wrong and does not end the game.
    Note(String),
}

/// Where the side to move takes a piece from: a square, or a size in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    Square(Square),
    Hand(Size),
}

impl Spot {
    /// Reads `a1` or `B@`.
    pub(super) fn read(word: &str) -> Option<Spot> {
        match word.strip_suffix('@') {
            Some(size) => size.read().ok().map(Spot::Hand),
            None => word.read().ok().map(Spot::Square),
        }
    }

    /// The squares that the piece from here can go to.
    pub(super) fn targets(self, game: &Game, position: &Position) -> impl Iterator<Item = Square> {
        game.moves(position).filter_map(move |mv| match (mv, self) {
            (Move::Place { size, to }, Spot::Hand(taken)) if size == taken => Some(to),
            (Move::Transfer { from, to }, Spot::Square(taken)) if from == taken => Some(to),
            _ => None,
        })
    }
}
