//! `gobprove play junior`: a game against the solved game.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::Path;

use gobjunior::rules::{Color, Game, Move, Outcome, Position, Reading, Size};
use gobjunior::search::look_ahead;
use gobjunior::solver::{Solved, Value};

use super::position::{read_move, side};
use crate::cli::commands::playing::play::{SEED, agree, tell_who_plays};
use crate::cli::console::args::JUNIOR;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::report::{Out, say};
use crate::explain::junior_win;
use crate::play::{Seat, Strength, mix, pgn};
use crate::rules;
use crate::store::{System, read_file, write_file};

const HELP: &str = "\
a move is L@b2 for a piece from hand and a1-c3 for one on the board; also: moves, hint, undo, board,
save FILE, load FILE, review, resign, quit";

/// How many plies a player without the solved game looks ahead.
const PLIES: u32 = 4;
/// The most positions that such a player looks at to find a win that takes longer.
const MOST_NODES: u64 = 100_000;
/// The most plies that may be asked for: each takes some thirty times as long as the one before.
const MOST_PLIES: u32 = 6;

/// How a program plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Skill {
    /// By the values of all positions.
    Perfect,
    /// By looking this number of plies ahead.
    Plies(u32),
    /// A random move.
    Random,
}

/// The options of `play` that apply.
pub(in crate::cli::commands) struct Playing<'a> {
    pub reading: Reading,
    pub seats: [&'a Seat; 2],
    /// What chance follows from, if that is given; else as the saved game says, or [`SEED`].
    pub seed: Option<u64>,
    /// Who moves first, if that is given; else White, or as the saved game says.
    pub first: Option<rules::Color>,
    pub review: bool,
    pub most: usize,
    /// A game to go on with.
    pub load: Option<&'a Path>,
}

/// The solved game, and the name under which it is cited.
pub(in crate::cli::commands) struct Cited {
    pub solved: Solved,
    pub name: String,
}

impl Playing<'_> {
    /// Runs the command. `cited` gives the solved game, if a person, a perfect player or a review needs it.
    ///
    /// # Errors
    /// A player does not play this game, the solved game cannot be read, or stdin cannot be read.
    pub(in crate::cli::commands) fn run(
        &self,
        cited: impl FnOnce() -> Result<Option<Cited>, Failure>,
    ) -> Ended {
        let [white, black] = self.seats.map(skill);
        let skills = [white?, black?];
        let is_person = |skill: &Option<Skill>| skill.is_none();
        let asks = self.review || skills.iter().any(|skill| matches!(skill, None | Some(Skill::Perfect)));
        let mut table = Table {
            game: Game::full(self.reading),
            cited: None,
            skills,
            state: 0,
            positions: vec![Position::empty(side(self.first.unwrap_or(rules::Color::White)))],
            moves: Vec::new(),
            ending: None,
            seed: self.seed.unwrap_or(SEED),
            out: Out::new(),
        };
        if let Some(path) = self.load {
            let (seed, names) = table.load(path)?;
            table.seed = seed;
            tell_who_plays(&names, &table.names());
            agree("--first", self.first.map(side), table.positions[0].turn())?;
            agree("--seed", self.seed, table.seed)?;
        }
        table.state = mix(table.seed);
        // Solving the game takes seconds, and what is wrong with a file is said before.
        table.cited = if asks { cited()? } else { None };
        let known = table.cited.as_ref().map_or("the search alone", |cited| &cited.name);
        let greeting = format!("{JUNIOR} {}; to go by: {known}", self.reading);
        table.out.line(&greeting)?;
        table.play(if skills.iter().any(is_person) { usize::MAX } else { self.most })?;
        if self.review {
            table.review()?;
        }
        // The whole game, from which --load goes on.
        let game = format!("\n{}", table.saved().trim_end());
        table.out.verbatim(&game)?;
        Ok(Exit::Done)
    }
}

/// How a seat plays, `None` for a person.
fn skill(seat: &Seat) -> Result<Option<Skill>, Failure> {
    match seat {
        Seat::Human => Ok(None),
        Seat::Engine(None) => Ok(Some(Skill::Perfect)),
        Seat::Engine(Some(Strength { nodes: u64::MAX, depth, .. })) if *depth <= MOST_PLIES => {
            Ok(Some(Skill::Plies(*depth)))
        }
        Seat::Random => Ok(Some(Skill::Random)),
        Seat::Engine(_) | Seat::Program(_) => Err(Failure::usage(format!(
            "junior is played by human, engine, which is perfect, depth:1 to depth:{MOST_PLIES}, and random"
        ))
        .at("PLAYER")),
    }
}

/// A game at the board.
struct Table {
    game: Game,
    cited: Option<Cited>,
    skills: [Option<Skill>; 2],
    /// The state from which the choice among equal moves is drawn.
    state: u64,
    positions: Vec<Position>,
    moves: Vec<Move>,
    ending: Option<String>,
    seed: u64,
    out: Out,
}

impl Table {
    fn position(&self) -> Position {
        self.positions[self.positions.len() - 1]
    }

    /// How often the position has stood in this game, this time included.
    fn times(&self) -> usize {
        self.positions.iter().filter(|position| **position == self.position()).count()
    }

    fn play(&mut self, most: usize) -> Result<(), Failure> {
        let stdin = io::stdin();
        let mut lines = stdin.lock().split(b'\n');
        // A game that was saved may be too long already.
        self.end_if_long(most);
        self.show()?;
        while self.ending.is_none() {
            let turn = self.position().turn();
            if let Some(skill) = self.skills[turn as usize] {
                let (mv, worth) = self.choose(skill)?;
                self.out.line(format!("\n{turn} plays {mv}   {worth}").trim_end())?;
                self.make(mv)?;
                self.end_if_long(most);
                self.show()?;
                continue;
            }
            if stdin.is_terminal() {
                say(&format!("{turn}'s move, or help:"));
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line
                .map_err(|error| Failure::unavailable(format!("cannot read stdin: {error}")).at("stdin"))?;
            match String::from_utf8_lossy(&line).trim() {
                "" => {}
                "quit" => return Ok(()),
                "help" => self.out.line(HELP)?,
                "board" => self.show()?,
                "review" => self.review()?,
                "resign" => self.ending = Some(format!("{} wins: {turn} resigns", turn.opponent())),
                "moves" => {
                    let moves: Vec<String> =
                        self.game.moves(&self.position()).map(|mv| mv.to_string()).collect();
                    self.out.line(&moves.join(" "))?;
                }
                "hint" => {
                    // A hint does not change what the program plays later.
                    let state = self.state;
                    let (mv, worth) = self.choose(Skill::Perfect)?;
                    self.state = state;
                    self.out.line(&format!("{mv}   {worth}"))?;
                }
                "undo" => {
                    let alone = self.skills[turn.opponent() as usize].is_none();
                    let left = self.moves.len().saturating_sub(if alone { 1 } else { 2 });
                    self.moves.truncate(left);
                    self.positions.truncate(left + 1);
                    self.show()?;
                }
                word @ ("save" | "load") => self.out.line(&format!("name the file: {word} FILE"))?,
                word if word.starts_with("save ") => {
                    let path = Path::new(word["save ".len()..].trim());
                    let told = match write_file(&System, path, self.saved().as_bytes()) {
                        Ok(()) => format!("saved to {}", shown(path)),
                        Err(error) => format!("not saved: {error}"),
                    };
                    self.out.line(&told)?;
                }
                word if word.starts_with("load ") => {
                    match self.load(Path::new(word["load ".len()..].trim())) {
                        // What chance follows from stays.
                        Ok(_) => self.show()?,
                        Err(failure) => self.out.line(&failure.to_string())?,
                    }
                }
                word => match read_move(&self.position(), word) {
                    Ok(mv) => match self.game.play(&self.position(), mv) {
                        Ok(_) => {
                            self.make(mv)?;
                            self.show()?;
                        }
                        Err(why) => self.out.line(&format!("{mv} is not legal: {why}"))?,
                    },
                    Err(why) => self.out.line(&format!("{why}; help lists what else you can give"))?,
                },
            }
        }
        let ending = self.ending.clone().unwrap_or_default();
        self.out.line(&format!("\n{ending}"))
    }

    /// Ends a game that has this many moves, or whose position stands for the third time. [`usize::MAX`] is for a game with
    /// a person at the board, which goes on.
    fn end_if_long(&mut self, most: usize) {
        if self.ending.is_some() || most == usize::MAX {
            return;
        }
        if self.times() >= 3 {
            self.ending = Some("draw: the position stood three times".to_owned());
        } else if self.moves.len() >= most {
            self.ending = Some(format!("draw: {most} moves"));
        }
    }

    /// Makes a legal move.
    fn make(&mut self, mv: Move) -> Result<(), Failure> {
        let before = self.position();
        let outcome = self.game.play(&before, mv).map_err(|error| Failure::new(Exit::Bug, error))?;
        if let Outcome::Won(winner) = outcome {
            self.ending = Some(by_line(winner, mv));
        } else if let Outcome::GoesOn(after) = outcome {
            self.positions.push(after);
        }
        self.moves.push(mv);
        Ok(())
    }

    /// What the players are called.
    fn names(&self) -> [String; 2] {
        self.skills.each_ref().map(|skill| match skill {
            None => "human".to_owned(),
            Some(Skill::Perfect) => "engine".to_owned(),
            Some(Skill::Plies(plies)) => format!("depth:{plies}"),
            Some(Skill::Random) => "random".to_owned(),
        })
    }

    /// How the result of a game is written that ended so.
    fn result(ending: Option<&str>) -> &'static str {
        match ending.map(|ending| ending.split(' ').next().unwrap_or_default()) {
            None => "*",
            Some("White") => "1-0",
            Some("Black") => "0-1",
            Some(_) => "1/2-1/2",
        }
    }

    /// The game so far, as it is saved.
    fn saved(&self) -> String {
        let [white, black] = self.names();
        let (seed, start) = (self.seed.to_string(), self.positions[0].to_string());
        let ending = self.ending.as_deref().unwrap_or("play goes on");
        let result = Table::result(self.ending.as_deref());
        let tags = [
            ("Variant", JUNIOR),
            ("Reading", self.game.reading.tag()),
            ("White", &white),
            ("Black", &black),
            ("Seed", &seed),
            ("Start", &start),
            ("Result", result),
            ("Termination", ending),
        ];
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        pgn::written(&tags, &moves, result)
    }

    /// Goes on with a game that was saved, and returns its seed and the names of its players. Where that fails the
    /// game stays as it is.
    fn load(&mut self, path: &Path) -> Result<(u64, [String; 2]), Failure> {
        let bytes = read_file(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let wrong = |why: String| {
            let what = format!("{} is no saved game of {JUNIOR} {}: {why}", shown(path), self.game.reading);
            Failure::new(Exit::Rejected, what).at(shown(path))
        };
        for (name, expected) in [("Variant", JUNIOR), ("Reading", self.game.reading.tag())] {
            let found = pgn::tag(&text, name);
            if found != expected {
                return Err(wrong(format!("the tag {name} is {found:?}, and should be {expected:?}")));
            }
        }
        let seed =
            pgn::tag(&text, "Seed").parse().map_err(|error| wrong(format!("the tag Seed: {error}")))?;
        let start = self
            .game
            .parse(&pgn::tag(&text, "Start"))
            .map_err(|error| wrong(format!("the tag Start: {error}")))?;
        if start.finished().is_some() {
            return Err(wrong("the tag Start: a line stands there, so the game is over".to_owned()));
        }
        let (mut positions, mut moves, mut ending) = (vec![start], Vec::new(), None);
        for (number, word) in (1..).zip(pgn::moves(&text)) {
            let wrong = |why: String| wrong(format!("move {number}, {word}: {why}"));
            let position = positions[positions.len() - 1];
            let mv = read_move(&position, word).map_err(wrong)?;
            if ending.is_some() {
                return Err(wrong("the game is over".to_owned()));
            }
            match self.game.play(&position, mv).map_err(|error| wrong(error.to_string()))? {
                Outcome::Won(winner) => ending = Some(by_line(winner, mv)),
                Outcome::GoesOn(after) => positions.push(after),
            }
            moves.push(mv);
        }
        let result = pgn::tag(&text, "Result");
        if result != "*" {
            let ending = ending.get_or_insert_with(|| pgn::tag(&text, "Termination"));
            if result != Table::result(Some(ending)) {
                return Err(wrong(format!("the tag Result is {result:?}, and the game ended so: {ending}")));
            }
        }
        (self.positions, self.moves, self.ending) = (positions, moves, ending);
        Ok((seed, ["White", "Black"].map(|name| pgn::tag(&text, name))))
    }

    /// Draws the board, and says what is in hand.
    fn show(&mut self) -> Result<(), Failure> {
        if self.ending.is_some() {
            return Ok(());
        }
        let position = self.position();
        let mut text = position.drawing();
        for color in Color::ALL {
            let count = |size: Size| self.game.material.of(size) - position.pieces(color, size).len();
            let letters = Size::ALL.into_iter().rev().zip(["L", "M", "S"]);
            let hand: Vec<String> = letters
                .filter(|(size, _)| count(*size) > 0)
                .map(|(size, letter)| format!("{letter}{}", count(size)))
                .collect();
            let hand = if hand.is_empty() { "nothing".to_owned() } else { hand.join(" ") };
            text.push_str(&format!("   {color} has in hand {hand}\n"));
        }
        if self.times() > 1 {
            text.push_str(&format!("   this position stands for the {}. time (J7)\n", self.times()));
        }
        self.out.line(&format!("\n{}", text.trim_end()))
    }

    /// What a program plays, and what the move is worth.
    fn choose(&mut self, skill: Skill) -> Result<(Move, String), Failure> {
        let position = self.position();
        let (moves, source) = match (skill, &self.cited) {
            (Skill::Random, _) => (self.game.moves(&position).map(|mv| (mv, None)).collect(), None),
            (Skill::Perfect, Some(Cited { solved, name })) => {
                let none = || Failure::new(Exit::Bug, format!("{position} has no value"));
                let moves = solved.moves(&position).ok_or_else(none)?;
                let moves: Vec<_> = moves.into_iter().map(|(mv, value)| (mv, Some(value))).collect();
                (moves, Some(name.clone()))
            }
            (Skill::Perfect, None) => match junior_win(self.game, &position, MOST_NODES) {
                Some((mv, plies)) => {
                    (vec![(mv, Some(Value::Win(plies)))], Some("search; it may come sooner".to_owned()))
                }
                None => (look_ahead(&self.game, &position, PLIES), Some(format!("search, {PLIES} plies"))),
            },
            (Skill::Plies(plies), _) => {
                (look_ahead(&self.game, &position, plies), Some(format!("search, {plies} plies")))
            }
        };
        let &(_, best) = moves.first().ok_or_else(|| Failure::new(Exit::Bug, "no move is left (J7)"))?;
        let equal: Vec<Move> =
            moves.iter().take_while(|(_, value)| *value == best).map(|(mv, _)| *mv).collect();
        self.state = mix(self.state);
        let mv = equal[(self.state >> 20) as usize % equal.len()];
        let worth = match (source, best) {
            (None, _) => String::new(),
            (Some(source), Some(value)) => {
                let is_solved = self.cited.as_ref().is_some_and(|cited| cited.name == source);
                let how = if is_solved { "solved" } else { "proven" };
                format!("{how}: {} ({source})", in_words(position.turn(), value))
            }
            (Some(source), None) => format!("nobody is seen to win ({source})"),
        };
        Ok((mv, worth))
    }

    /// Lists the moves that changed the value of the game, each with the best move.
    fn review(&mut self) -> Result<(), Failure> {
        let Some(Cited { solved, .. }) = &self.cited else {
            return self.out.line("review\n  the game is not solved here");
        };
        let mut lines = vec!["review".to_owned()];
        for (number, (position, mv)) in (1..).zip(self.positions.iter().zip(&self.moves)) {
            let moves = solved.moves(position).unwrap_or_default();
            let made = moves.iter().find(|(other, _)| other == mv);
            let (Some((best, could)), Some((_, is))) = (moves.first(), made) else { continue };
            if could.word() != is.word() {
                let turn = position.turn();
                let [could, is] = [could, is].map(|value| in_words(turn, *value));
                lines.push(format!("  {number}. {turn} {mv}: {is}; by {best}: {could}"));
            }
        }
        if lines.len() == 1 {
            lines.push("  no move changed who wins".to_owned());
        }
        self.out.line(&lines.join("\n"))
    }
}

/// How a game ends by a line.
fn by_line(winner: Color, mv: Move) -> String {
    format!("{winner} wins: three in a line, by {mv}")
}

/// A value for the side to move, with the winner's name.
fn in_words(turn: Color, value: Value) -> String {
    let wins = |winner: Color, plies: u32| match plies {
        1 => format!("{winner} wins in 1 ply"),
        plies => format!("{winner} wins in {plies} plies"),
    };
    match value {
        Value::Draw => "draw".to_owned(),
        Value::Win(plies) => wins(turn, plies),
        Value::Loss(plies) => wins(turn.opponent(), plies),
    }
}
