//! `gobprove play`: a game at the terminal, or through a pipe.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::table::Table;
use super::{Power, lines, screen, sources};
use crate::cli::commands::junior;
use crate::cli::console::args::{self, Subject};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::memory::Memory;
use crate::cli::console::position::full;
use crate::cli::console::report::{Out, say};
use crate::cli::console::signals::{Left, Signals};
use crate::play::{Player, Record, Seat, Strength};
use crate::rules::{Color, Game, Position, Reading, Variant};
use crate::store::read_file;

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

On a terminal the board fills it, and the arrow keys and Enter, or the mouse, move the pieces as well:
+ marks where the piece that is taken can go, and ' the squares of the last move. --plain goes line by
line there too.

What is proven comes first: a solved variant, if gobprove solve has left its file here or --solved names
one, knows every position, and after gobprove solve --distances the plies to each win; else a closure
gives White's moves and a refutation Black's, as far as certificates are at hand. If so much follows
that its quickest win is not laid out, Black makes any move that keeps the win, each as often as the
others, and so comes to the win in the end. Where nothing is known the engine searches, and it chooses
among moves that are equally good by what is proven. With each of its moves it says whether the value is
proven by a certificate, solved (right if gobprove solve is right), or an estimate.
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

/// The seed where none is given.
pub(in crate::cli::commands) const SEED: u64 = 1;

/// Play against the engine, a person or another program
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct PlayArgs {
    /// The variant, as --variant has it; or junior, the game on nine squares
    #[arg(value_name = "VARIANT", value_parser = args::subject, conflicts_with = "variant")]
    subject: Option<Subject>,
    /// The variant: a name, or material spelled out such as A3-A3B3C1 [default: abcd-full]
    #[arg(long, value_name = "V", value_parser = args::variant)]
    variant: Option<Variant>,
    /// How the rules are read [default: official]
    #[arg(long, value_name = "R", value_parser = args::reading())]
    reading: Option<Reading>,
    /// Who plays White: human, engine, level:1 to level:8, nodes:N, depth:N, random, or ugi:CMD for a program that speaks UGI
    #[arg(long, value_name = "PLAYER", default_value = "human", value_parser = str::parse::<Seat>)]
    white: Seat,
    /// Who plays Black, likewise
    #[arg(long, value_name = "PLAYER", default_value = "engine", value_parser = str::parse::<Seat>)]
    black: Seat,
    #[command(flatten)]
    power: Power,
    /// What the engine's mistakes and chance follow from [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Who moves first [default: white]
    #[arg(long, value_name = "SIDE", value_parser = args::color())]
    first: Option<Color>,
    /// Go on with a game that was saved. Its variant, reading, first side and seed are kept
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
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    most: u64,
    /// Play line by line, also where the game could fill the terminal
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    memory: Memory,
}

impl PlayArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A certificate or a saved game cannot be read, a program cannot be started, or stdin cannot be read.
    pub fn run(&self) -> Ended {
        let variant = match self.subject {
            Some(Subject::Junior) => return self.junior(),
            Some(Subject::Gobblet(variant)) => Some(variant),
            None => self.variant,
        };
        if self.memory.is_given() {
            return Err(Failure::usage("--memory is for junior, which is solved on the spot").at("--memory"));
        }
        let record = self.record(variant)?;
        let (game, seed) = (record.game, record.seed);
        let sources = sources(game, self.solved.as_deref(), &self.certificates)?;
        let strength = self.power.strength();
        let sit = |seat: &Seat, color: Color| {
            let seed = seed.wrapping_mul(2).wrapping_add(color as u64);
            Player::sit(seat, &game, strength, seed)
                .map_err(|why| Failure::unavailable(format!("the program for {color} {why}")))
        };
        let players = [sit(&self.white, Color::White)?, sit(&self.black, Color::Black)?];
        let help = AFTER_HELP.split("\n\n").next().unwrap_or_default();
        let mut table = Table { record, players, strength, sources, help, most: self.most as usize };
        // A game that was saved may be too long already.
        table.end_if_long();
        let mut out = Out::new();
        let played = if !self.plain && table.has_person() && fills_the_terminal() {
            screen::play(&mut table)
        } else {
            lines::play(&mut table, &mut out)
        };
        if self.review && played.is_ok() {
            let signals = Signals::catch(Left::Tidy);
            out.line(&table.review(&|| signals.came().is_some()))?;
        }
        // This is printed after a signal too: --load goes on from it.
        out.verbatim(&format!("\n{}", table.record.to_string().trim_end()))?;
        played.map(|()| Exit::Done)
    }
}

impl PlayArgs {
    /// A new game, or the one that was saved, with those who play now.
    fn record(&self, variant: Option<Variant>) -> Result<Record, Failure> {
        let names = [&self.white, &self.black].map(|seat| name(seat, self.power.strength()));
        let Some(path) = &self.load else {
            let reading = self.reading.unwrap_or(Reading::Official);
            let game = Game::new(variant.unwrap_or(full().variant), reading);
            let start = Position::empty(self.first.unwrap_or(Color::White));
            return Ok(Record::new(game, start, names, self.seed.unwrap_or(SEED)));
        };
        let mut record = loaded(path)?;
        agree("--variant", variant, record.game.variant)?;
        agree("--reading", self.reading, record.game.reading)?;
        agree("--first", self.first, record.positions()[0].turn())?;
        agree("--seed", self.seed, record.seed)?;
        tell_who_plays(&record.names, &names);
        record.names = names;
        Ok(record)
    }

    /// Plays the game on nine squares.
    fn junior(&self) -> Ended {
        if !self.certificates.is_empty() || self.power.is_given() {
            let what = "--certificate, --level, --nodes and --time do not apply to junior";
            return Err(Failure::usage(what).next("give depth:N as a player to make it weaker"));
        }
        let reading = junior::reading(self.reading.unwrap_or(Reading::Official))?;
        let playing = junior::Playing {
            reading,
            seats: [&self.white, &self.black],
            seed: self.seed,
            first: self.first,
            review: self.review,
            most: self.most as usize,
            load: self.load.as_deref(),
        };
        playing.run(|| junior::cite(reading, self.solved.as_deref(), self.memory))
    }
}

/// Refuses what is given beside a saved game that says otherwise.
pub(in crate::cli::commands) fn agree<T: PartialEq + Display>(
    option: &str,
    given: Option<T>,
    saved: T,
) -> Result<(), Failure> {
    match given {
        Some(given) if given != saved => {
            let what = format!("{option} is {given}, and the saved game has {saved}");
            Err(Failure::usage(what).at(option).next(format!("leave out {option}, or --load")))
        }
        _ => Ok(()),
    }
}

/// Says that others play on with a saved game than those who played it, if it is so.
pub(in crate::cli::commands) fn tell_who_plays(saved: &[String; 2], now: &[String; 2]) {
    if saved != now {
        let ([white, black], [white_now, black_now]) = (saved, now);
        say(&format!(
            "note: the saved game was played by {white} with White and {black} with Black; now it is {white_now} and {black_now}, \
             as --white, --black and --level say"
        ));
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

/// Whether there is a terminal that a game can fill.
fn fills_the_terminal() -> bool {
    let draws = env::var("TERM").is_ok_and(|name| !name.is_empty() && name != "dumb");
    draws && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// A game that was saved.
pub(super) fn loaded(path: &Path) -> Result<Record, Failure> {
    let bytes = read_file(path)?;
    Record::read(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        Failure::new(Exit::Rejected, format!("{} is no saved game: {error}", shown(path))).at(shown(path))
    })
}
