//! `gobprove play`: a game at the terminal, or through a pipe.

use std::fmt;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;
use gobengine::{Engine, Score};

use super::table::{all_moves, drawn, targets};
use super::{Power, Which, sources};
use crate::bitbase::{Value, is_symmetric};
use crate::cli::commands::junior;
use crate::cli::console::args::{self, Subject};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::report::{Out, say};
use crate::explain::knowledge::Safety;
use crate::play::{Ending, Exact, Player, Record, Seat, Sources, Strength, advise, search};
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Position, Size, Square};
use crate::store::{System, read_file, write_file};

const AFTER_HELP: &str = "\
White is the side that is said to hold the draw; --first says who moves first. A move is written B@c3
for a piece from hand and a1-c3 for one on the board. Instead of a move you can give
  a1, B@            where the piece on a1, or a B from hand, can go
  moves             all legal moves
  hint              what is proven or what the search would play
  undo              take back your last move and the answer to it
  board             draw the board again
  save FILE         write the game, to go on later or elsewhere
  load FILE         go on with a game that was saved
  draw              offer a draw: a program takes it where it does not stand better
  resign            give up
  review            where the value of the game changed
  quit              end here; also the end of input does
A square shows its pieces from the top, so that Ab is a white A over a black b.

What is proven comes first: a solved variant, if gobprove solve has left its file here or --solved names
one, knows every position, and after gobprove solve --distances the plies to each win; else a closure
gives White's moves and a refutation Black's, as far as certificates are at hand. If so much follows
that its quickest win is not laid out, Black makes any move that keeps the win, each as often as the
others, and so comes to the win in the end. Where nothing is known the engine searches, and it chooses
among moves that are equally good by what is proven. With each of its moves it says whether the value is
proven, and by what, or an estimate.
In junior, the game on nine squares, the engine is perfect: by the file of gobprove solve junior if it
is here, else solved on the spot in some ten seconds. depth:1 to depth:6 see that many plies, and no more.
There is no draw, and a piece's targets are not listed.
The same --seed plays the same game against the same moves, unless --time limits it.

Examples:
  gobprove play --level 3
  gobprove play --variant ab --white engine --black human
  gobprove play junior
  gobprove play junior --white depth:3 --black depth:2 --seed 5
  gobprove play --variant A2-A3B1 --solved my.gobsolved
  gobprove play --white level:2 --black random --seed 7 --review
  gobprove play --white human --black 'ugi:gobprove ugi' --nodes 5000
  echo 'A@b2 hint quit' | tr ' ' '\\n' | gobprove play --level 1";

/// Play against the engine, a person or another program
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct PlayArgs {
    /// The variant, as --variant has it; or junior, the game on nine squares
    #[arg(value_name = "VARIANT", value_parser = args::subject, conflicts_with = "variant")]
    subject: Option<Subject>,
    #[command(flatten)]
    which: Which,
    /// Who plays White: human, engine, level:1 to level:8, nodes:N, depth:N, random, or ugi:CMD for a program that speaks UGI
    #[arg(long, value_name = "PLAYER", default_value = "human", value_parser = str::parse::<Seat>)]
    white: Seat,
    /// Who plays Black, likewise
    #[arg(long, value_name = "PLAYER", default_value = "engine", value_parser = str::parse::<Seat>)]
    black: Seat,
    #[command(flatten)]
    power: Power,
    /// What the engine's mistakes and chance follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Who moves first
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = args::color())]
    first: Color,
    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// A certificate to play by instead of what ships; may be given several times
    #[arg(long = "certificate", value_name = "FILE")]
    certificates: Vec<PathBuf>,
    /// A solved variant to play by, or solved junior [default: VARIANT-READING.gobsolved in this folder, if it is there and no certificate is given]
    #[arg(long, value_name = "FILE")]
    solved: Option<PathBuf>,
    /// At the end say where the value of the game changed
    #[arg(long)]
    review: bool,
    /// Without a person at the board, call the game a draw after N moves
    #[arg(long, value_name = "N", default_value_t = 200)]
    most: usize,
    #[command(flatten)]
    memory: Memory,
}

/// How many positions a hint and each step of a review look at.
const HINT_NODES: u64 = 300_000;
const REVIEW_NODES: u64 = 20_000;

/// From which change of an estimate on a review tells of it.
const TOLD: i32 = 40;

/// A game at the board.
struct Table {
    record: Record,
    players: [Option<Player>; 2],
    strength: Strength,
    sources: Sources,
    out: Out,
}

/// What to do after a line of the person's.
enum Next {
    /// The position has changed, or is to be shown again.
    Show,
    /// Ask again.
    Ask,
    /// The person has left.
    Leave,
}

impl PlayArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A certificate or a saved game cannot be read, a program cannot be started, or stdin cannot be read.
    pub fn run(&self) -> Ended {
        let game = match self.subject {
            Some(Subject::Junior) => return self.junior(),
            Some(Subject::Gobblet(variant)) => Game { variant, ..self.which.game() },
            None => self.which.game(),
        };
        if self.memory.is_given() {
            return Err(Failure::usage("--memory is for junior, which is solved on the spot").at("--memory"));
        }
        let names = [&self.white, &self.black].map(|seat| name(seat, self.power.strength()));
        let record = match &self.load {
            Some(path) => loaded(path)?,
            None => Record::new(game, Position::empty(self.first), names, self.seed),
        };
        let game = record.game;
        let sources = sources(game, self.solved.as_deref(), &self.certificates)?;
        let strength = self.power.strength();
        let sit = |seat: &Seat, color: Color| {
            let seed = self.seed.wrapping_mul(2).wrapping_add(color as u64);
            Player::sit(seat, &game, strength, seed)
                .map_err(|why| Failure::unavailable(format!("the program for {color} {why}")))
        };
        let players = [sit(&self.white, Color::White)?, sit(&self.black, Color::Black)?];
        let mut table = Table { record, players, strength, sources, out: Out::new() };
        table.greet()?;
        let has_person = table.players.iter().any(Option::is_none);
        table.play(if has_person { usize::MAX } else { self.most })?;
        if self.review {
            table.review()?;
        }
        table.out.line(&format!("\n{}", table.record.to_string().trim_end()))?;
        Ok(Exit::Done)
    }
}

impl PlayArgs {
    /// Plays the game on nine squares.
    fn junior(&self) -> Ended {
        if !self.certificates.is_empty() || self.power.is_given() {
            let what = "--certificate, --level, --nodes and --time do not apply to junior";
            return Err(Failure::usage(what).next("give depth:N as a player to make it weaker"));
        }
        let reading = junior::reading(self.which.reading)?;
        let playing = junior::Playing {
            reading,
            seats: [&self.white, &self.black],
            seed: self.seed,
            first: self.first,
            review: self.review,
            most: self.most,
            load: self.load.as_deref(),
        };
        playing.run(|| junior::cite(reading, self.solved.as_deref(), self.memory))
    }
}

/// What a player is called.
pub(super) fn name(seat: &Seat, usual: Strength) -> String {
    let engine = |strength: Strength| match strength {
        Strength { millis: Some(millis), .. } => format!("engine, {millis} ms a move"),
        Strength { nodes: u64::MAX, depth, .. } => format!("engine, depth {depth}"),
        Strength { nodes, noise, .. } => format!("engine, {nodes} positions a move, noise {noise}"),
    };
    match seat {
        Seat::Human => "human".to_owned(),
        Seat::Engine(strength) => engine(strength.unwrap_or(usual)),
        Seat::Random => "random".to_owned(),
        Seat::Program(command) => command.clone(),
    }
}

fn loaded(path: &Path) -> Result<Record, Failure> {
    let bytes = read_file(path).map_err(|error| Failure::unavailable(error).at(shown(path)))?;
    Record::read(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        Failure::new(Exit::Rejected, format!("{} is no saved game: {error}", shown(path))).at(shown(path))
    })
}

impl Table {
    fn greet(&mut self) -> Result<(), Failure> {
        let game = self.record.game;
        let names: Vec<&str> = self.sources.names().collect();
        let known = if names.is_empty() { "nothing at hand".to_owned() } else { names.join(", ") };
        self.out.line(&format!("{} {}; proven: {known}", game.variant, game.reading))
    }

    /// Plays until the game is over or the person leaves.
    fn play(&mut self, most: usize) -> Result<(), Failure> {
        let stdin = io::stdin();
        let mut lines = stdin.lock().split(b'\n');
        let mut shown = usize::MAX;
        while self.record.ending.is_none() {
            let turn = self.record.position().turn();
            if self.record.moves().len() != shown {
                shown = self.record.moves().len();
                let text = drawn(&self.record);
                self.out.line(&format!("\n{text}"))?;
            }
            if self.players[turn as usize].is_some() {
                self.answer(turn)?;
                if self.record.ending.is_none() && self.record.times() >= 3 && most < usize::MAX {
                    self.record.ending = Some(Ending::Draw("the position stood three times".to_owned()));
                } else if self.record.ending.is_none() && self.record.moves().len() >= most {
                    self.record.ending = Some(Ending::Draw(format!("{most} moves")));
                }
                continue;
            }
            if stdin.is_terminal() {
                say(&format!("{turn}'s move, or help:"));
            }
            let line = match lines.next() {
                None => return Ok(()),
                Some(line) => line.map_err(|error| {
                    Failure::unavailable(format!("cannot read stdin: {error}")).at("stdin")
                })?,
            };
            match self.heed(String::from_utf8_lossy(&line).trim())? {
                Next::Show => shown = usize::MAX,
                Next::Ask => {}
                Next::Leave => return Ok(()),
            }
        }
        let text = drawn(&self.record);
        let ending = self.record.ending.as_ref().map(ToString::to_string).unwrap_or_default();
        self.out.line(&format!("\n{text}\n\n{ending}"))
    }

    /// Lets a program move.
    fn answer(&mut self, turn: Color) -> Result<(), Failure> {
        let Some(player) = &mut self.players[turn as usize] else { return Ok(()) };
        let answer = player.answer(&self.record, &self.sources, &|| false);
        if let Some(trouble) = self.sources.trouble() {
            say(&format!("note: {trouble}; it is not asked any more"));
        }
        match answer {
            Ok(answer) => {
                let worth =
                    if answer.worth.is_empty() { String::new() } else { format!("   {}", answer.worth) };
                self.out.line(&format!("\n{turn} plays {}{worth}", answer.mv))?;
                // It was looked at whether the move is legal.
                self.record.play(answer.mv).map_err(|why| Failure::new(Exit::Bug, why))
            }
            Err(why) => {
                self.record.ending = Some(Ending::Forfeit(turn, why.to_string()));
                Ok(())
            }
        }
    }

    /// Does what a person's line says.
    fn heed(&mut self, line: &str) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (game, position) = (self.record.game, *self.record.position());
        let told = match word {
            "" => return Ok(Next::Ask),
            "quit" => return Ok(Next::Leave),
            "board" => return Ok(Next::Show),
            "help" => AFTER_HELP.split("\n\n").next().unwrap_or_default().to_owned(),
            "moves" => all_moves(&game, &position),
            "hint" => self.hint(),
            "review" => return self.review().map(|()| Next::Ask),
            "undo" => {
                let own = self.players[!position.turn() as usize].is_none();
                self.record.take_back(if own { 1 } else { 2 });
                return Ok(Next::Show);
            }
            "resign" => {
                self.record.ending = Some(Ending::Forfeit(position.turn(), "resigns".to_owned()));
                return Ok(Next::Show);
            }
            "draw" => match self.takes_draw() {
                true => {
                    self.record.ending = Some(Ending::Draw("agreed".to_owned()));
                    return Ok(Next::Show);
                }
                false => format!("{} plays on", !position.turn()),
            },
            "save" => {
                let path = Path::new(rest.trim());
                match write_file(&System, path, self.record.to_string().as_bytes()) {
                    Ok(()) => format!("saved to {}", shown(path)),
                    Err(error) => format!("not saved: {error}"),
                }
            }
            "load" => match loaded(Path::new(rest.trim())) {
                Ok(record) if record.game == game => {
                    self.record = record;
                    return Ok(Next::Show);
                }
                Ok(record) => {
                    format!("that is a game of {} {}", record.game.variant, record.game.reading)
                }
                Err(failure) => failure.to_string(),
            },
            _ => match chosen(word) {
                Some(chosen) => targets(&game, &position, chosen),
                None => match word.read::<Move>() {
                    Ok(mv) => match self.record.play(mv) {
                        Ok(()) => return Ok(Next::Show),
                        Err(why) => why,
                    },
                    Err(error) => format!("{error}; help lists what else you can give"),
                },
            },
        };
        self.out.line(&told)?;
        Ok(Next::Ask)
    }

    /// Whether who is not to move takes a draw: a person is asked at the board, and a program does not stand better.
    fn takes_draw(&self) -> bool {
        let turn = self.record.position().turn();
        if self.players[!turn as usize].is_none() {
            return true;
        }
        match value(&self.record, &self.sources, REVIEW_NODES).0 {
            Judged::Estimate(score) => score >= 0,
            Judged::Exact(value, _) => value != Value::Loss,
        }
    }

    fn hint(&self) -> String {
        let strength =
            Strength { millis: None, ..Strength::nodes(self.strength.nodes.clamp(10_000, HINT_NODES)) };
        let mut engine = Engine::new(&self.record.game, strength.options(0));
        let answer = advise(&mut engine, &strength, &self.record, &self.sources, &|| false);
        format!("{}   {}", answer.mv, answer.worth)
    }

    /// Says of each move after which the value of the game is another.
    fn review(&mut self) -> Result<(), Failure> {
        let mut again = self.record.clone();
        again.take_back(usize::MAX);
        let mut lines = vec!["review".to_owned()];
        let mut before = value(&again, &self.sources, REVIEW_NODES);
        for (number, &mv) in (1..).zip(self.record.moves()) {
            let turn = again.position().turn();
            if again.play(mv).is_err() {
                break;
            }
            let after = match &again.ending {
                Some(Ending::Line(winner)) if *winner == turn => {
                    (Judged::Exact(Value::Loss, Some(0)), "by R6".to_owned())
                }
                Some(_) => (Judged::Exact(Value::Win, Some(0)), "by R6".to_owned()),
                None => value(&again, &self.sources, REVIEW_NODES),
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
        self.out.line(&lines.join("\n"))
    }
}

/// A piece that is chosen: the square where it stands, or its size from hand.
fn chosen(word: &str) -> Option<Result<Square, Size>> {
    match word.strip_suffix('@') {
        Some(size) => size.read().ok().map(Err),
        None => word.read().ok().map(Ok),
    }
}

/// What a position is worth to a side.
#[derive(Clone, Copy)]
enum Judged {
    /// By the rules, a search or a solved variant, with the plies to the win if they are known.
    Exact(Value, Option<u32>),
    /// By the engine, likewise where White is only known to hold.
    Estimate(i32),
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Judged::Estimate(score) => Score::Estimate(score).fmt(f),
            Judged::Exact(Value::Win, Some(plies)) => Score::Wins { plies }.fmt(f),
            Judged::Exact(Value::Loss, Some(plies)) => Score::Loses { plies }.fmt(f),
            Judged::Exact(Value::Win, None) => f.write_str("wins"),
            Judged::Exact(Value::Loss, None) => f.write_str("loses"),
            Judged::Exact(Value::Draw, _) => f.write_str("draw"),
        }
    }
}

/// What a position is worth to the side to move, and how that is known.
fn value(record: &Record, sources: &Sources, nodes: u64) -> (Judged, String) {
    if let Some(Exact { value, plies, source }) = sources.exact(record.position()) {
        let how = format!("proven by {source}");
        return match value {
            Value::Draw if !is_symmetric(&record.game) => {
                (Judged::Estimate(0), format!("White holds, {how}"))
            }
            value => (Judged::Exact(value, plies), how),
        };
    }
    let strength = Strength::nodes(nodes);
    let mut engine = Engine::new(&record.game, Strength { noise: 0, ..strength }.options(0));
    let found = search(&mut engine, &strength, record, &|| false).score.unwrap_or(Score::Estimate(0));
    match (found, sources.value(record.position())) {
        (Score::Estimate(_), Some((Safety::Safe, name))) => {
            (Judged::Estimate(0), format!("White holds, proven by {name}"))
        }
        (Score::Estimate(score), _) => (Judged::Estimate(score), "estimate".to_owned()),
        (Score::Wins { plies }, _) => (Judged::Exact(Value::Win, Some(plies)), "proven by search".to_owned()),
        (Score::Loses { plies }, _) => {
            (Judged::Exact(Value::Loss, Some(plies)), "proven by search".to_owned())
        }
    }
}

/// A value for the other side.
fn turned(judged: Judged) -> Judged {
    match judged {
        Judged::Estimate(score) => Judged::Estimate(-score),
        Judged::Exact(Value::Win, plies) => Judged::Exact(Value::Loss, plies),
        Judged::Exact(Value::Loss, plies) => Judged::Exact(Value::Win, plies),
        draw => draw,
    }
}

fn has_changed(was: Judged, is: Judged) -> bool {
    match (was, is) {
        (Judged::Estimate(was), Judged::Estimate(is)) => (was - is).abs() >= TOLD,
        (Judged::Exact(was, _), Judged::Exact(is, _)) => was != is,
        _ => true,
    }
}
