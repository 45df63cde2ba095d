//! `gobprove ugi`: the engine for other programs, by the Universal Game Interface.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, BufRead as _};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use gobengine::{Engine, Limits, Options};

use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::position::written;
use crate::cli::console::report::Out;
use crate::play::{Record, report_line};
use crate::prelude::*;
use crate::rules::{Color, Game, Position, Reading};

const AFTER_HELP: &str = "\
UGI is to other games what UCI is to chess. The program reads commands from stdin, one a line:
  ugi                            who this is, and its options; the answer ends with ugiok
  setoption name Variant value V    likewise Reading, Hash (megabytes of the table)
  isready                        readyok
  uginewgame                     forget what was learned
  position startpos [moves M…]   the empty board, White to move, and the moves since
  position fen POSITION [moves M…]  a position as gobprove explain takes it
  go [nodes N] [depth N] [movetime MS] [infinite]   info lines, then bestmove M
  go p1time MS p2time MS [p1inc MS] [p2inc MS]   likewise, by the clocks and what they gain with each move
  stop                           end the search now
  query gameover, p1turn, result   response true, false, p1win, p2win, draw or none; p1 is White
  quit
What it does not understand it says on a line that begins with `info string`. Scores are for the side
to move: cp for estimates, mate for what is proven, in moves.

Examples:
  gobprove ugi < commands.txt
  printf 'ugi\\nposition startpos\\ngo nodes 1000\\nquit\\n' | gobprove ugi";

/// Let other programs play with the engine, by UGI
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct UgiArgs {}

/// The state of a conversation.
struct Session {
    game: Game,
    record: Record,
    /// Whether the last position that was given is that of the record: a refused one is not.
    is_placed: bool,
    engine: Engine,
    options: Options,
    lines: Receiver<String>,
    /// Lines that came during a search.
    waiting: RefCell<VecDeque<String>>,
    out: RefCell<Out>,
}

impl UgiArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub fn run(&self) -> Ended {
        let (tell, lines) = channel();
        // The thread ends with the input, or with the process.
        thread::spawn(move || {
            for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
                if tell.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    break;
                }
            }
        });
        let variant = "abcd-full".read().map_err(|error| Failure::new(Exit::Bug, format!("{error}")))?;
        let game = Game::new(variant, Reading::Official);
        let options = Options::default();
        let mut session = Session {
            game,
            record: empty(game),
            is_placed: true,
            engine: Engine::new(&game, options),
            options,
            lines,
            waiting: RefCell::default(),
            out: RefCell::default(),
        };
        while let Some(line) = session.next() {
            if line == "quit" {
                break;
            }
            session.heed(&line)?;
        }
        Ok(Exit::Done)
    }
}

/// A side's clock is divided among this number of its moves.
const MOVES_LEFT: u32 = 30;

/// How long a `go` lets the engine search.
#[derive(Default)]
struct Go {
    limits: Limits,
    /// The time for this move.
    given: Option<Duration>,
    /// The time left on each side's clock, White's first.
    clocks: [Option<Duration>; 2],
    /// The time that each clock gains with a move, White's first.
    gains: [Duration; 2],
}

impl Go {
    /// Reads what follows `go`.
    ///
    /// # Errors
    /// Which word is not understood. A search without the limit that was meant might not end.
    fn read(text: &str) -> Result<Go, String> {
        let mut asked = Go::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut number = || {
                let number = words.next().and_then(|word| word.parse::<u64>().ok());
                number.ok_or_else(|| format!("{word} takes a number"))
            };
            match word {
                "nodes" => asked.limits.nodes = number()?,
                "depth" => asked.limits.depth = number()?.min(64) as u32,
                "movetime" => asked.given = Some(Duration::from_millis(number()?)),
                "p1time" => asked.clocks[0] = Some(Duration::from_millis(number()?)),
                "p2time" => asked.clocks[1] = Some(Duration::from_millis(number()?)),
                "p1inc" => asked.gains[0] = Duration::from_millis(number()?),
                "p2inc" => asked.gains[1] = Duration::from_millis(number()?),
                "infinite" => {}
                _ => {
                    return Err(format!(
                        "go takes nodes N, depth N, movetime MS, p1time MS, p2time MS, p1inc MS, p2inc MS and infinite, not {word:?}"
                    ));
                }
            }
        }
        Ok(asked)
    }

    /// How long the move of a side may take: the time for the move, else a part of the side's clock, at most half of it.
    fn time(&self, turn: Color) -> Option<Duration> {
        let side = turn as usize;
        let of_clock = |left: Duration| (left / MOVES_LEFT + self.gains[side]).min(left / 2);
        self.given.or_else(|| self.clocks[side].map(of_clock))
    }
}

fn empty(game: Game) -> Record {
    Record::new(game, Position::empty(Color::White), Default::default(), 0)
}

impl Session {
    /// Waits for the next line; `None` at the end of the input.
    fn next(&mut self) -> Option<String> {
        let waiting = self.waiting.borrow_mut().pop_front();
        waiting.or_else(|| self.lines.recv().ok())
    }

    fn tell(&self, line: &str) -> Result<(), Failure> {
        self.out.borrow_mut().verbatim(line)
    }

    fn heed(&mut self, line: &str) -> Result<(), Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let objection = match word {
            "" | "stop" => Ok(()),
            "ugi" => {
                self.tell(concat!(
                    "id name gobprove ",
                    env!("CARGO_PKG_VERSION"),
                    "\nid author the authors of gobprove"
                ))?;
                self.tell("option name Variant type string default abcd-full")?;
                let readings: String = Reading::ALL.iter().map(|reading| format!(" var {reading}")).collect();
                self.tell(&format!("option name Reading type combo default official{readings}"))?;
                return self.tell("option name Hash type spin default 64 min 1 max 4096\nugiok");
            }
            "isready" => return self.tell("readyok"),
            "uginewgame" => {
                self.engine.clear();
                (self.record, self.is_placed) = (empty(self.game), true);
                Ok(())
            }
            "setoption" => self.set(rest),
            "position" => {
                let placed = self.place(rest);
                self.is_placed = placed.is_ok();
                placed
            }
            "query" => return self.query(rest.trim()),
            "go" if !self.is_placed => {
                return self.tell("info string the last position was refused\nbestmove none");
            }
            "go" => match Go::read(rest) {
                Ok(asked) => return self.go(&asked),
                Err(why) => return self.tell(&format!("info string {why}\nbestmove none")),
            },
            _ => Err(format!("{word:?} is no command")),
        };
        match objection {
            Ok(()) => Ok(()),
            Err(why) => self.tell(&format!("info string {why}")),
        }
    }

    fn set(&mut self, rest: &str) -> Result<(), String> {
        let option = rest.trim().strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
        let (name, value) = option.ok_or("setoption takes name NAME value VALUE")?;
        let (mut game, value) = (self.game, value.trim());
        match name.trim() {
            "Variant" => game.variant = value.read().map_err(|error| format!("{error}"))?,
            "Reading" => game.reading = value.read().map_err(|error| format!("{error}"))?,
            "Hash" => {
                let megabytes: usize =
                    value.parse().ok().filter(|size| (1..=4096).contains(size)).ok_or("Hash is 1 to 4096")?;
                self.options.table = megabytes << 20;
            }
            other => return Err(format!("there is no option {other:?}")),
        }
        self.game = game;
        (self.record, self.is_placed) = (empty(game), true);
        self.engine = Engine::new(&game, self.options);
        Ok(())
    }

    fn place(&mut self, rest: &str) -> Result<(), String> {
        let (start, moves) = rest.split_once("moves").unwrap_or((rest, ""));
        let start = match start.trim() {
            "startpos" => Position::empty(Color::White),
            other => {
                let text = other.strip_prefix("fen ").ok_or("position takes startpos or fen POSITION")?;
                self.game.parse_written(text)?
            }
        };
        let mut record = Record::new(self.game, start, Default::default(), 0);
        for word in moves.split_whitespace() {
            record.play(written(record.position(), word)?)?;
        }
        self.record = record;
        Ok(())
    }

    fn query(&self, what: &str) -> Result<(), Failure> {
        let winner = self.record.ending.as_ref().map(crate::play::Ending::winner);
        self.tell(&match what {
            "gameover" => format!("response {}", winner.is_some()),
            "p1turn" => format!("response {}", self.record.position().turn() == Color::White),
            "result" => match winner {
                None => "response none".to_owned(),
                Some(None) => "response draw".to_owned(),
                Some(Some(Color::White)) => "response p1win".to_owned(),
                Some(Some(Color::Black)) => "response p2win".to_owned(),
            },
            other => format!("info string nobody knows {other:?}"),
        })
    }

    fn go(&mut self, asked: &Go) -> Result<(), Failure> {
        let begun = Instant::now();
        let (limits, given) = (asked.limits, asked.time(self.record.position().turn()));
        let unlimited = limits == Limits::default() && given.is_none();
        let Session { engine, record, lines, waiting, out, .. } = self;
        let stopped = Cell::new(false);
        let stop = || {
            loop {
                match lines.try_recv() {
                    Ok(line) if line == "isready" => {
                        stopped.set(stopped.get() || out.borrow_mut().verbatim("readyok").is_err());
                    }
                    Ok(line) if line == "stop" => stopped.set(true),
                    Ok(line) => {
                        stopped.set(stopped.get() || line == "quit");
                        waiting.borrow_mut().push_back(line);
                    }
                    Err(TryRecvError::Empty) => break,
                    // The input has ended, so nobody can say stop any more.
                    Err(TryRecvError::Disconnected) => {
                        stopped.set(stopped.get() || unlimited);
                        break;
                    }
                }
            }
            stopped.get() || given.is_some_and(|given| begun.elapsed() >= given)
        };
        let mut failed = None;
        let mut listen = |report: &gobengine::Report| {
            if let Err(failure) = out.borrow_mut().verbatim(&report_line(report)) {
                failed = Some(failure);
            }
        };
        let report = engine.search(record.positions(), &limits, &stop, &mut listen);
        if let Some(failure) = failed {
            return Err(failure);
        }
        match report {
            Some(report) => self.tell(&format!("bestmove {}", report.best())),
            None => self.tell("info string the game is over (R6)\nbestmove none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_takes_a_part_of_the_clock_or_the_time_that_is_given_for_it() {
        let millis = |text: &str| {
            let asked = Go::read(text).expect("it is understood");
            Color::ALL.map(|turn| asked.time(turn).map(|time| time.as_millis()))
        };
        assert_eq!(millis("p1time 3000 p2time 60000 p1inc 10 p2inc 0"), [Some(110), Some(2000)]);
        assert_eq!(millis("p2time 10 p2inc 1000"), [None, Some(5)]);
        assert_eq!(millis("p1time 3000 p2time 3000 movetime 7"), [Some(7), Some(7)]);
        assert_eq!(millis("nodes 5 depth 3 infinite"), [None, None]);
        for text in ["p1time", "p1time x", "wtime 5", "nodes 5 depth"] {
            assert!(Go::read(text).is_err(), "{text}");
        }
    }
}
