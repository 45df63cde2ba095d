//! The client side of the Universal Game Interface (UGI): programs that play, each in a process of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use gobengine::{Report, Score};

use super::illegal::why_illegal;
use super::level::Strength;
use super::player::Forfeit;
use super::record::Record;
use crate::prelude::*;
use crate::rules::{Game, Move};

/// How long a program may take to answer when it starts, and for a move beyond the time it was given.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// How often it is looked whether to go on waiting for a program.
const OFTEN: Duration = Duration::from_millis(100);

/// A program that speaks UGI.
pub struct Client {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
}

impl Client {
    /// Starts a program. `command` is its name and arguments, separated by spaces. The options `Variant` and `Reading`
    /// tell it the game. It may take `patience` for each answer, and for a move `patience` beyond the time it was
    /// given.
    ///
    /// # Errors
    /// It cannot be started, ends, or does not say in time that it speaks UGI.
    pub fn start(command: &str, game: &Game, patience: Duration) -> Result<Client, Forfeit> {
        let mut words = command.split_whitespace();
        let program = words.next().unwrap_or_default();
        let child = Command::new(program).args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| Forfeit(format!("cannot be started ({program}: {error})")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Forfeit("has no pipes".to_owned()));
        };
        let (tell, lines) = channel();
        // The thread ends when the program closes its output or nobody listens any more.
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if tell.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    break;
                }
            }
        });
        let mut client = Client { child, input, lines, patience };
        client.say("ugi")?;
        client.hear(patience, &|| false, |line| (line == "ugiok").then_some(()))?;
        client.say(&format!("setoption name Variant value {}", game.variant))?;
        client.say(&format!("setoption name Reading value {}", game.reading))?;
        client.say("uginewgame")?;
        client.say("isready")?;
        client.hear(patience, &|| false, |line| (line == "readyok").then_some(()))?;
        Ok(client)
    }

    /// Its move in the position that a game has reached. Once `stop` returns true it is told to stop, and cannot be asked
    /// again.
    ///
    /// # Errors
    /// It has ended, does not answer in time, answers no legal move, or was told to stop.
    pub fn answer(
        &mut self,
        record: &Record,
        strength: &Strength,
        stop: &dyn Fn() -> bool,
    ) -> Result<Move, Forfeit> {
        let moves: String = record.moves().iter().map(|mv| format!(" {mv}")).collect();
        self.say(&format!("position fen {} moves{moves}", record.positions()[0]))?;
        let mut go = "go".to_owned();
        if let Some(millis) = strength.millis {
            go.push_str(&format!(" movetime {millis}"));
        } else {
            go.push_str(&format!(" nodes {}", strength.nodes));
        }
        self.say(&go)?;
        let given = Duration::from_millis(strength.millis.unwrap_or(0));
        let best = |line: &str| {
            line.strip_prefix("bestmove")
                .map(|rest| rest.split_whitespace().next().unwrap_or_default().to_owned())
        };
        let text = self.hear(given + self.patience, stop, best)?;
        let mv: Move = text.read().map_err(|error| Forfeit(format!("answers nonsense: {error}")))?;
        match why_illegal(&record.game, record.position(), mv) {
            None => Ok(mv),
            Some(why) => Err(Forfeit(format!("plays {mv}, which is not legal: {why}"))),
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Forfeit> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|_| Forfeit("has ended".to_owned()))
    }

    /// Waits for a line of which `wanted` finds something. Other lines are passed over. Once `stop` returns true the program
    /// is told to stop.
    fn hear<T>(
        &mut self,
        patience: Duration,
        stop: &dyn Fn() -> bool,
        wanted: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        let begun = Instant::now();
        while !stop() {
            let left = patience.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left.min(OFTEN)) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // Ctrl-C ends the program too, perhaps before it has come here. After this time it has.
                    thread::sleep(OFTEN);
                    return Err(Forfeit("has ended".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if left > OFTEN => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Forfeit(format!("has not answered within {} s", patience.as_secs())));
                }
            }
        }
        self.say("stop")?;
        Err(Forfeit("was told to stop".to_owned()))
    }
}

impl Drop for Client {
    /// Asks the program to end, and kills it if it has not ended after 200 ms.
    fn drop(&mut self) {
        let _ = self.say("quit");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(200) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The line that reports a search: `info depth 5 score cp 12 nodes 1000 pv A@a1 a1-b2`. A proven win has the score
/// `mate N`, where N counts the winner's moves; a proven loss has `mate -N`.
#[must_use]
pub fn report_line(report: &Report) -> String {
    let moves = |plies: u32| plies.div_ceil(2);
    let score = match report.score {
        Score::Estimate(score) => format!("cp {score}"),
        Score::Wins { plies } => format!("mate {}", moves(plies)),
        Score::Loses { plies } => format!("mate -{}", moves(plies)),
    };
    let line: String = report.line.iter().map(|mv| format!(" {mv}")).collect();
    format!("info depth {} score {score} nodes {} pv{line}", report.depth, report.nodes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::rules::{Color, Position, Reading};

    /// What a shell script, as the program, answers: its first move, or why it forfeits.
    fn met(script: &str) -> String {
        met_until(script, &|| false)
    }

    /// The same, until `stop` returns true.
    fn met_until(script: &str, stop: &dyn Fn() -> bool) -> String {
        let own = tempfile::tempdir().expect("a directory");
        let path = own.path().join("program");
        std::fs::write(&path, script).expect("written");
        let game = Game::new("ab".read().expect("a variant"), Reading::Official);
        let record = Record::new(game, Position::empty(Color::White), Default::default(), 1);
        let command = format!("sh {}", path.display());
        let started = Client::start(&command, &game, Duration::from_millis(700));
        let answered = started.and_then(|mut client| client.answer(&record, &Strength::nodes(10), stop));
        answered.map_or_else(|forfeit| forfeit.to_string(), |mv| mv.to_string())
    }

    /// A program's part of the conversation, up to where it is asked for a move.
    const POLITE: &str = "read a; echo ugiok; read b; read c; read d; read e; echo readyok; read f; read g;";

    #[test]
    fn a_program_that_thinks_is_not_waited_for_after_a_stop() {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 1;
        let met = met_until(&format!("{POLITE} read h; echo bestmove A@b2"), &stop);
        assert!(met.contains("was told to stop"), "{met}");
        assert_eq!(asked.get(), 2, "it was waited for at first");
    }

    #[test]
    fn a_program_that_ends_hangs_or_answers_nonsense_is_told_apart_from_one_that_plays() {
        assert_eq!(met(&format!("{POLITE} echo info depth 1; echo bestmove A@b2")), "A@b2");
        assert!(met(&format!("{POLITE} echo bestmove B@b2")).contains("not legal: White has no B"));
        assert!(met(&format!("{POLITE} echo bestmove castles")).contains("nonsense"));
        assert!(met(POLITE).contains("has ended"));
        assert!(met("exit 1").contains("has ended"));
        assert!(met(&format!("{POLITE} sleep 5")).contains("has not answered"));
        let game = Game::new("ab".read().expect("a variant"), Reading::Official);
        let none = Client::start("/nowhere/at/all", &game, Duration::from_secs(1));
        assert!(none.err().expect("no program").to_string().contains("cannot be started"));
    }
}
