//! `gobprove match`: programs against programs.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::play::name;
use super::{Power, Which, sources};
use crate::cli::console::args::{self, Format, Talk};
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, say};
use crate::cli::console::signals::{Left, Signals};
use crate::play::{Ending, Player, Record, Seat, Sources, Tally, mix};
use crate::rules::{Color, Game, Move, Position};
use crate::store::{System, write_file};

const AFTER_HELP: &str = "\
Each two of the players meet in pairs of games. Both games of a pair begin with the same random moves,
and the second has the colours exchanged. A game is a draw when a position has stood three times, or
after --most moves. A program that ends, hangs or answers no legal move loses the game.

The table has for each two players the score of the first, draws as halves, the Elo points by which it
is stronger with the interval that holds them with 95 %, and the median number of moves of a game. Of
three players or more two tables follow, player by player: the score in percent of the one in the row
against the one in the column, and the median number of moves. gobprove plot match draws the scores.
With --log every finished game is in the file before the next one begins, and the same command goes on
after an interruption. Without it an interrupted match prints the table of the finished games, and keeps
nothing. The same --seed gives the same games unless --time limits them.

Examples:
  gobprove match level:1 random --games 2
  gobprove match level:1 level:2 level:3 --games 100 --log levels.log
  gobprove match depth:1 depth:2 depth:3 nodes:1000 nodes:4000 --games 2
  gobprove match nodes:4000 nodes:1000 --games 20 --variant abc-full --json
  gobprove match 'ugi:gobprove ugi' level:3 --nodes 2000 --games 2";

/// Let programs play against each other, and say which is stronger
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct MatchArgs {
    /// The players: engine, level:1 to level:8, nodes:N, depth:N, random, or ugi:CMD for a program that speaks UGI
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<String>,
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    power: Power,
    /// How many games each two players have, rounded up to pairs
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// How many random moves a game begins with
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=40))]
    opening: u32,
    /// What the openings and the players' mistakes follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most moves of a game
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    most: u64,
    /// Keep finished games in this file, and go on from it
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    log: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

/// A finished game, which is one line of the log.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct Played {
    /// The two players by their places on the command line, from 0, the lower one first.
    players: [usize; 2],
    /// The number of the game between the two, from 0; odd ones have the colours exchanged.
    number: u64,
    /// `1-0` if White won.
    result: String,
    /// How it ended, in words.
    ending: String,
    /// All moves.
    moves: String,
}

impl Played {
    /// The points of the first player, in halves: 2 for a win, 1 for a draw.
    fn halves(&self) -> u64 {
        match self.result.as_str() {
            "1/2-1/2" => 1,
            "1-0" if self.number.is_multiple_of(2) => 2,
            "0-1" if !self.number.is_multiple_of(2) => 2,
            _ => 0,
        }
    }

    fn plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }
}

impl MatchArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A player's text is wrong, a program cannot be started, the log is of another match or cannot be written, or a signal came.
    pub fn run(&self) -> Ended {
        let seats = self.seats()?;
        let game = self.which.game();
        let head = self.head(game);
        let mut played = self.log.as_deref().map_or(Ok(Vec::new()), |path| read_log(path, &head))?;
        let signals = Signals::catch(if self.log.is_some() { Left::Files } else { Left::Tidy });
        let sources = sources(game, None, &[])?;
        let pairs: Vec<[usize; 2]> =
            (0..seats.len()).flat_map(|one| (one + 1..seats.len()).map(move |two| [one, two])).collect();
        let games = self.games.div_ceil(2) * 2;
        let all = pairs.len() as u64 * games;
        let progress = Progress::new(format!("playing {all} games"), self.talk);
        let of = pairs.iter().flat_map(|&players| (0..games).map(move |number| (players, number)));
        for (at, (players, number)) in (0..).zip(of) {
            if played.iter().any(|done| done.players == players && done.number == number) {
                continue;
            }
            if at > 0 {
                progress.at(at, all);
            }
            let stop = || signals.came().is_some();
            let seats = players.map(|player| &seats[player]);
            let mut heard = |moves| progress.so_far(|| format!("game {}, {moves} moves", at + 1));
            let record = self.game(game, seats, number, &sources, &stop, &mut heard)?;
            if signals.came().is_some() {
                drop(progress);
                return self.interrupted(&signals, game, &pairs, &played);
            }
            let moves: Vec<String> = record.moves().iter().map(ToString::to_string).collect();
            let ending = record.ending.as_ref().map(ToString::to_string).unwrap_or_default();
            let done = Played {
                players,
                number,
                result: record.result().to_owned(),
                ending,
                moves: moves.join(" "),
            };
            if let Some(Ending::Forfeit(..)) = &record.ending {
                say(&format!(
                    "note: game {} of {} and {}: {}",
                    number + 1,
                    self.players[players[0]],
                    self.players[players[1]],
                    done.ending
                ));
            }
            played.push(done);
            if let Some(path) = &self.log {
                write_log(path, &head, &played)?;
            }
        }
        drop(progress);
        self.print(game, &pairs, &played)
    }

    fn seats(&self) -> Result<Vec<Seat>, Failure> {
        let read = |text: &String| match text.parse() {
            Ok(Seat::Human) => Err(Failure::usage("a person plays with gobprove play").at("PLAYER")),
            Ok(seat) => Ok(seat),
            Err(error) => Err(Failure::usage(error).at("PLAYER")),
        };
        self.players.iter().map(read).collect()
    }

    /// The first line of a log: what has to be the same for a match to go on from it.
    fn head(&self, game: Game) -> String {
        json!({
            "match": self.players,
            "usual": name(&Seat::Engine(None), self.power.strength()),
            "variant": game.variant.to_string(),
            "reading": game.reading.tag(),
            "opening": self.opening,
            "seed": self.seed,
            "most": self.most,
        })
        .to_string()
    }

    /// Plays a game.
    fn game(
        &self,
        game: Game,
        seats: [&Seat; 2],
        number: u64,
        sources: &Sources,
        stop: &dyn Fn() -> bool,
        heard: &mut dyn FnMut(usize),
    ) -> Result<Record, Failure> {
        let exchanged = !number.is_multiple_of(2);
        // The two games of a pair have the same opening, and each game has its own seed for mistakes.
        let mut record = opening(game, mix(self.seed ^ mix(number / 2)), self.opening);
        let seed = mix(self.seed ^ mix(number ^ 1 << 40));
        let mut players = Vec::new();
        for color in Color::ALL {
            let seat = seats[usize::from(exchanged) ^ color as usize];
            match Player::sit(seat, &game, self.power.strength(), seed ^ color as u64) {
                Ok(Some(player)) => players.push(player),
                Ok(None) => return Err(Failure::new(Exit::Bug, "a person sits at a match")),
                Err(why) if number == 0 => {
                    let program = name(seat, self.power.strength());
                    return Err(Failure::unavailable(format!("the program {program:?} {why}")).at("PLAYER"));
                }
                Err(why) => {
                    record.ending = Some(Ending::Forfeit(color, why.to_string()));
                    return Ok(record);
                }
            }
        }
        while record.ending.is_none() {
            if stop() {
                break;
            }
            heard(record.moves().len());
            let turn = record.position().turn();
            match players[turn as usize].answer(&record, sources, stop) {
                Ok(answer) => record.play(answer.mv).map_err(|why| Failure::new(Exit::Bug, why))?,
                Err(why) => record.ending = Some(Ending::Forfeit(turn, why.to_string())),
            }
            if record.ending.is_none() && record.times() >= 3 {
                record.ending = Some(Ending::Draw("a position stood three times".to_owned()));
            } else if record.ending.is_none() && record.moves().len() as u64 >= self.most {
                record.ending = Some(Ending::Draw(format!("{} moves", self.most)));
            }
        }
        Ok(record)
    }

    /// Ends an interrupted match: the finished games are in the log, else in a table. JSON says why it ended instead.
    fn interrupted(&self, signals: &Signals, game: Game, pairs: &[[usize; 2]], played: &[Played]) -> Ended {
        if self.log.is_some() {
            return Err(signals.failure());
        }
        let next = "gobprove match --log FILE keeps each finished game, and goes on after an interruption";
        if played.is_empty() || self.format.json {
            return Err(signals.failure().next(next));
        }
        self.print(game, pairs, played)?;
        Err(signals.failure_after("the table of the finished games is printed", next))
    }

    fn print(&self, game: Game, pairs: &[[usize; 2]], played: &[Played]) -> Ended {
        let mut out = Out::new();
        let mut rows = Vec::new();
        // `cells[row][column]`: the score of the player in the row, in percent, and the median number of moves.
        let mut cells = vec![vec![None; self.players.len()]; self.players.len()];
        let mut table = Table::new(&[
            ("player", Align::Left),
            ("against", Align::Left),
            ("won", Align::Right),
            ("drawn", Align::Right),
            ("lost", Align::Right),
            ("score", Align::Right),
            ("Elo", Align::Right),
            ("95 %", Align::Left),
            ("moves", Align::Right),
        ]);
        for &pair in pairs {
            let games: Vec<&Played> = played.iter().filter(|played| played.players == pair).collect();
            let count = |halves| games.iter().filter(|game| game.halves() == halves).count() as u64;
            let tally = Tally { won: count(2), drawn: count(1), lost: count(0) };
            let mut plies: Vec<usize> = games.iter().map(|game| game.plies()).collect();
            plies.sort_unstable();
            let median = plies.get(plies.len() / 2).copied().unwrap_or_default();
            let (Some(score), Some(elo)) = (tally.score(), tally.elo()) else { continue };
            let [one, two] = pair;
            cells[one][two] = Some((100.0 * score, median));
            cells[two][one] = Some((100.0 - 100.0 * score, median));
            let [one, two] = pair.map(|player| &self.players[player]);
            table.row([
                one.clone(),
                two.clone(),
                tally.won.to_string(),
                tally.drawn.to_string(),
                tally.lost.to_string(),
                format!("{:.1} %", 100.0 * score),
                points(elo[0]),
                format!("{} to {}", points(elo[1]), points(elo[2])),
                median.to_string(),
            ]);
            // JSON has no infinity.
            let finite = |points: f64| points.is_finite().then(|| points.round() as i64);
            rows.push(json!({
                "player": one,
                "against": two,
                "games": tally.games(),
                "won": tally.won,
                "drawn": tally.drawn,
                "lost": tally.lost,
                "score": score,
                "elo": finite(elo[0]),
                "elo_low": finite(elo[1]),
                "elo_high": finite(elo[2]),
                "median_moves": median,
            }));
        }
        if self.format.json {
            out.json(&json!({
                "variant": game.variant.to_string(),
                "reading": game.reading.tag(),
                "seed": self.seed,
                "opening": self.opening,
                "pairs": rows,
            }))?;
        } else {
            out.line(&table.text())?;
            if self.players.len() > 2 {
                let score = |(score, _): (f64, usize)| format!("{score:.1}");
                let moves = |(_, moves): (f64, usize)| moves.to_string();
                out.line(&format!("\n{}", self.crossed("score, %", &cells, score)))?;
                out.line(&format!("\n{}", self.crossed("moves", &cells, moves)))?;
            }
        }
        Ok(Exit::Done)
    }

    /// A table with a row and a column for each player.
    fn crossed(
        &self,
        name: &str,
        cells: &[Vec<Option<(f64, usize)>>],
        text: impl Fn((f64, usize)) -> String,
    ) -> String {
        let columns: Vec<(&str, Align)> = std::iter::once((name, Align::Left))
            .chain(self.players.iter().map(|player| (player.as_str(), Align::Right)))
            .collect();
        let mut table = Table::new(&columns);
        for (player, cells) in self.players.iter().zip(cells) {
            let cells = cells.iter().map(|cell| cell.map(&text).unwrap_or_default());
            table.row(std::iter::once(player.clone()).chain(cells));
        }
        table.text()
    }
}

/// A game that begins with random moves, none of which ends it.
fn opening(game: Game, seed: u64, plies: u32) -> Record {
    let mut state = seed;
    let mut record = Record::new(game, Position::empty(Color::White), Default::default(), seed);
    for _ in 0..plies {
        let goes_on =
            |mv: &Move| game.winner(record.position(), *mv, &record.position().moved(*mv)).is_none();
        let moves: Vec<Move> = game.moves(record.position()).filter(goes_on).collect();
        state = mix(state);
        let Some(&mv) = moves.get((state >> 20) as usize % moves.len().max(1)) else { break };
        if record.play(mv).is_err() {
            break;
        }
    }
    record
}

fn read_log(path: &Path, head: &str) -> Result<Vec<Played>, Failure> {
    let text = match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(Failure::unavailable(format!("cannot read {}: {error}", shown(path))).at(shown(path)));
        }
    };
    let mut lines = text.lines();
    let refused =
        |what: String| Failure::unavailable(what).at(shown(path)).next("name another file with --log");
    match lines.next() {
        Some(first) if first == head => {}
        Some(first) => return Err(refused(format!("{} {}", shown(path), what_differs(first, head)))),
        None => return Err(refused(format!("{} is empty, and no log of a match", shown(path)))),
    }
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| refused(format!("{}, line {number}: {error}", shown(path))))
    };
    (2..).zip(lines).map(read).collect()
}

/// Why a log with this first line is not that of a match whose log begins with `head`, after the name of its file.
fn what_differs(first: &str, head: &str) -> String {
    let read = |line: &str| match serde_json::from_str(line) {
        Ok(Value::Object(members)) if members.contains_key("match") => Some(members),
        _ => None,
    };
    let (Some(first), Some(head)) = (read(first), read(head)) else {
        return "is no log of a match".to_owned();
    };
    let differs = |(name, now): (&String, &Value)| {
        let before = first.get(name).unwrap_or(&Value::Null);
        (before != now).then(|| format!("{name} was {before} and is {now}"))
    };
    let all: Vec<String> = head.iter().filter_map(differs).collect();
    format!("is the log of another match: {}", all.join("; "))
}

/// Writes the whole log anew, so that there is never half a line.
fn write_log(path: &Path, head: &str, played: &[Played]) -> Result<(), Failure> {
    let mut text = format!("{head}\n");
    for played in played {
        let line = serde_json::to_string(played).map_err(Failure::unavailable)?;
        text.push_str(&line);
        text.push('\n');
    }
    write_file(&System, path, text.as_bytes()).map_err(Failure::from)
}

/// Elo points with their sign. Adding 0.0 turns -0.0 into 0.0, which has no minus.
fn points(points: f64) -> String {
    format!("{:+}", points.round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_difference_has_no_minus() {
        let all = [-0.2, 0.0, 12.6, -12.6, f64::INFINITY, f64::NEG_INFINITY].map(points);
        assert_eq!(all, ["+0", "+0", "+13", "-13", "+inf", "-inf"]);
    }
}
