//! The record of a game, finished or not: its moves, who played, and how it ended. Written like PGN, with tags and
//! moves.

use std::fmt;

use thiserror::Error;

use super::illegal::why_illegal;
use super::pgn;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A side has a line (R6).
    Line(Color),
    /// A side, or its program, has given up or broken the rules; the text says why.
    Forfeit(Color, String),
    /// The players agreed, or a rule of the contest ended the game; the text says why.
    Draw(String),
}

impl Ending {
    /// Who won, `None` after a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self {
            Ending::Line(color) => Some(*color),
            Ending::Forfeit(color, _) => Some(!*color),
            Ending::Draw(_) => None,
        }
    }
}

/// `Black wins: four in a line (R6)`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Line(color) => write!(f, "{color} wins: four in a line (R6)"),
            Ending::Forfeit(color, why) => write!(f, "{} wins: {color} {why}", !*color),
            Ending::Draw(why) => write!(f, "a draw: {why}"),
        }
    }
}

/// Why a text cannot be read as a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// A tag is missing, or its value is not valid.
    #[error("the tag {tag} is {found:?}, and should be {expected}")]
    Tag {
        /// Its name.
        tag: &'static str,
        /// What it says, empty if it is missing.
        found: String,
        /// What it should say.
        expected: &'static str,
    },
    /// A word is not a move, or the move is not legal.
    #[error("move {number}: {why}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// A game so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The variant and the reading.
    pub game: Game,
    /// Who plays, White first.
    pub names: [String; 2],
    /// What the players' random choices and mistakes follow from.
    pub seed: u64,
    /// How it ended, if it has.
    pub ending: Option<Ending>,
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Record {
    /// A game that begins in a position.
    #[must_use]
    pub fn new(game: Game, start: Position, names: [String; 2], seed: u64) -> Record {
        let ending = start.finished().map(Ending::Line);
        Record { game, names, seed, ending, positions: vec![start], moves: Vec::new() }
    }

    /// The position that has been reached.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// All positions, the first one first.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Why it is not legal, with the rule.
    pub fn play(&mut self, mv: Move) -> Result<(), String> {
        if let Some(ending) = &self.ending {
            return Err(format!("the game is over: {ending}"));
        }
        let before = *self.position();
        if let Some(why) = why_illegal(&self.game, &before, mv) {
            return Err(format!("{mv} is not legal: {why}"));
        }
        let after = before.moved(mv);
        self.ending = match self.game.play_unchecked(&before, mv) {
            Outcome::WhiteWins => Some(Ending::Line(Color::White)),
            Outcome::BlackWins => Some(Ending::Line(Color::Black)),
            Outcome::GoesOn(_) => None,
        };
        self.moves.push(mv);
        self.positions.push(after);
        Ok(())
    }

    /// Takes back the last `count` moves, or all if there are fewer. The game then goes on, unless a line stands at its start.
    pub fn take_back(&mut self, count: usize) {
        let left = self.moves.len().saturating_sub(count);
        self.moves.truncate(left);
        self.positions.truncate(left + 1);
        self.ending = self.position().finished().map(Ending::Line);
    }

    /// How often the current position has stood in the game, this time included.
    #[must_use]
    pub fn times(&self) -> usize {
        self.positions.iter().filter(|position| *position == self.position()).count()
    }

    /// How the result is written: `1-0` if White won, `*` while play goes on.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self.ending.as_ref().map(Ending::winner) {
            None => "*",
            Some(Some(Color::White)) => "1-0",
            Some(Some(Color::Black)) => "0-1",
            Some(None) => "1/2-1/2",
        }
    }

    /// Reads a game.
    ///
    /// # Errors
    /// A tag is missing or wrong, or a move is not legal.
    pub fn read(text: &str) -> Result<Record, RecordError> {
        let tag = |name: &str| pgn::tag(text, name);
        let wrong = |name, expected| RecordError::Tag { tag: name, found: tag(name), expected };
        let variant = tag("Variant").read().map_err(|_| wrong("Variant", "a variant, such as ab"))?;
        let reading = tag("Reading").read().map_err(|_| wrong("Reading", "a reading, such as official"))?;
        let game = Game::new(variant, reading);
        let start = game.parse(&tag("Start")).map_err(|_| wrong("Start", "a position of the variant"))?;
        let seed = tag("Seed").parse().map_err(|_| wrong("Seed", "a number"))?;
        let mut record = Record::new(game, start, [tag("White"), tag("Black")], seed);
        for (number, word) in (1..).zip(pgn::moves(text)) {
            let mv: Move = word.read().map_err(|error: crate::notation::NotAMove| RecordError::Move {
                number,
                why: error.to_string(),
            })?;
            record.play(mv).map_err(|why| RecordError::Move { number, why })?;
        }
        let result = tag("Result");
        if record.ending.is_none() {
            let why = tag("Termination");
            record.ending = match result.as_str() {
                "1-0" => Some(Ending::Forfeit(Color::Black, why)),
                "0-1" => Some(Ending::Forfeit(Color::White, why)),
                "1/2-1/2" => Some(Ending::Draw(why)),
                "*" => None,
                _ => return Err(wrong("Result", "1-0, 0-1, 1/2-1/2 or *")),
            };
        } else if !["*", record.result()].contains(&result.as_str()) {
            return Err(wrong("Result", record.result()));
        }
        Ok(record)
    }
}

/// Tags, an empty line, and the moves in pairs.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match &self.ending {
            None => "play goes on".to_owned(),
            Some(Ending::Line(_)) => "four in a line".to_owned(),
            Some(Ending::Forfeit(_, why) | Ending::Draw(why)) => why.clone(),
        };
        let start = self.positions[0].to_string();
        let (variant, reading, seed) =
            (self.game.variant.to_string(), self.game.reading, self.seed.to_string());
        let [white, black] = &self.names;
        let tags = [
            ("Variant", variant.as_str()),
            ("Reading", reading.tag()),
            ("White", white),
            ("Black", black),
            ("Seed", &seed),
            ("Start", &start),
            ("Result", self.result()),
            ("Termination", &why),
        ];
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        f.write_str(&pgn::written(&tags, &moves, self.result()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Reading;

    fn record(moves: &str) -> Record {
        let game = Game::new("abcd-full".read().expect("a variant"), Reading::Official);
        let names = ["human".to_owned(), "engine, level 3".to_owned()];
        let mut record = Record::new(game, Position::empty(Color::White), names, 7);
        for mv in moves.split_whitespace() {
            record.play(mv.read().expect("a move")).expect("legal");
        }
        record
    }

    #[test]
    fn a_game_that_begins_over_stays_over() {
        let won = record("A@a1 A@a4 A@b1 A@b4 A@c1 A@c4 B@d1");
        let mut over = Record::new(won.game, *won.position(), won.names.clone(), 7);
        over.take_back(usize::MAX);
        assert_eq!(over.ending, Some(Ending::Line(Color::White)));
        let mut again = won;
        again.take_back(1);
        assert_eq!(again.ending, None);
    }

    #[test]
    fn what_is_written_is_read_again() {
        for moves in ["", "A@a1", "A@a1 A@d4 a1-b2", "A@a1 A@a4 A@b1 A@b4 A@c1 A@c4 B@d1"] {
            let mut written = record(moves);
            assert_eq!(Record::read(&written.to_string()), Ok(written.clone()), "{written}");
            if written.ending.is_none() {
                written.ending = Some(Ending::Forfeit(Color::White, "resigns".to_owned()));
                assert_eq!(Record::read(&written.to_string()), Ok(written.clone()), "{written}");
                written.ending = Some(Ending::Draw("agreed".to_owned()));
                assert_eq!(Record::read(&written.to_string()), Ok(written));
            } else {
                assert_eq!(written.ending, Some(Ending::Line(Color::White)));
                assert_eq!(written.result(), "1-0");
            }
        }
    }

    #[test]
    fn what_is_no_game_is_told_where_it_is_none() {
        let told = |from: &str, to: &str| {
            let text = record("A@a1 A@d4 a1-b2").to_string();
            assert!(text.contains(from), "{text}");
            Record::read(&text.replace(from, to)).expect_err("no game").to_string()
        };
        assert!(told("abcd-full", "abce").contains("Variant"));
        assert!(told("[Seed \"7\"]", "").contains("Seed"));
        assert!(told("[Result \"*\"]", "[Result \"won\"]").contains("1-0, 0-1, 1/2-1/2 or *"));
        // The line on the board says who has won.
        let won = record("A@a1 A@a4 A@b1 A@b4 A@c1 A@c4 B@d1").to_string();
        let other = won.replace("[Result \"1-0\"]", "[Result \"0-1\"]");
        let why = Record::read(&other).expect_err("White has won").to_string();
        assert_eq!(why, "the tag Result is \"0-1\", and should be 1-0");
        assert!(
            told("a1-b2", "a1-d4").contains("move 3: a1-d4 is not legal")
                && told("a1-b2", "a1-d4").contains("(R5)")
        );
        assert!(told("a1-b2", "xyz").contains("move 3"));
        assert!(Record::read("").is_err());
    }

    #[test]
    fn moves_are_taken_back_and_positions_that_come_again_are_counted() {
        let mut record = record("A@a1 A@d4 a1-b2 d4-c3 b2-a1 c3-d4");
        assert_eq!(record.times(), 2);
        record.take_back(2);
        assert_eq!((record.times(), record.moves().len()), (1, 4));
        record.take_back(99);
        assert_eq!(record.position(), &Position::empty(Color::White));
    }
}
