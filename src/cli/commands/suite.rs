//! `gobprove suite`: draws positions with their answers from a solved game.

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use gobjunior::solver::Value;
use serde_json::json;

use super::solve::command;
use super::{junior, query};
use crate::cli::console::args::{self, Format, JUNIOR, Subject, Talk};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Align, Out, Table, say};
use crate::explain::suite::{Problem, SolvedGame, Suite, Wanted, draw};
use crate::rules::{Game, Reading};
use crate::store::StoreError;

const AFTER_HELP: &str = "\
The answers come from a file that gobprove solve wrote, with --distances, and from no search: a program
that plays can be tested by them. A problem is a line: the position, what the side to move can reach,
and the moves that are right, apart by semicolons. Of a win these are all moves that win, the quickest
first, each with its plies if another is quicker; of a draw it is the one move that does not lose. Where
the sides are not alike, Black's wins are drawn, and a draw is a position that White holds.
No two positions differ by a symmetry only. There are fewer than was asked for where there are no more,
or where the search for them took too long. The same --seed draws the same from the same file. A
table of what was drawn is on stderr.

Examples:
  gobprove suite ab                                    after gobprove solve ab --distances
  gobprove suite ab --wins 10 --only 0 --seed 7 --json
  gobprove suite junior --wins 20 --only 50            after gobprove solve junior
  gobprove suite A1-A3B3 --file won.gobsolved > suite.txt";

/// Draw positions with the moves that are right, to test programs
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct SuiteArgs {
    /// The variant that was solved, or junior
    #[arg(value_parser = args::subject)]
    variant: Subject,
    /// How the rules are read
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// What gobprove solve wrote [default: VARIANT-READING.gobsolved]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// How many positions to draw for each number of plies to the win
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    wins: u32,
    /// How many positions to draw in which one move alone does not lose
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    only: u32,
    /// What the draw follows from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

impl SuiteArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The file cannot be used, is of another game, or has no plies.
    pub fn run(&self) -> Ended {
        let variant = match self.variant {
            Subject::Gobblet(variant) => variant,
            Subject::Junior => {
                let mut solved = junior::open(junior::reading(self.reading)?, self.file.as_deref())?;
                return self.tell(&self.draw(&mut solved)?, JUNIOR);
            }
        };
        let game = Game::new(variant, self.reading);
        let solve = format!("{} --distances", command(&game, self.file.as_deref()));
        let mut solved = query::open_or(&game, self.file.as_deref(), |error| {
            let is_missing = matches!(error, StoreError::Read { .. });
            let failure = query::cannot_use(error, &game, self.file.as_deref());
            match is_missing && query::is_solved_here(&game) {
                true => failure.next(format!("{solve} writes it")),
                false => failure,
            }
        })?;
        if !solved.has_plies() {
            let what = format!("the plies to each win of {variant} are not at hand");
            return Err(Failure::unavailable(what).next(format!("{solve} writes them")));
        }
        self.tell(&self.draw(&mut solved)?, &variant.to_string())
    }

    fn draw<S: SolvedGame>(&self, solved: &mut S) -> Result<Suite<S::Position, S::Move>, Failure>
    where
        S::Error: Display,
    {
        let wanted = Wanted { wins: self.wins as usize, only: self.only as usize };
        let progress = Progress::new("drawing positions", self.talk);
        draw(solved, wanted, self.seed, &mut |drawn| progress.so_far(|| format!("{drawn} positions")))
            .map_err(Failure::unavailable)
    }

    /// Prints a suite.
    fn tell<P: Display, M: Display>(&self, suite: &Suite<P, M>, variant: &str) -> Ended {
        let mut out = Out::new();
        if self.format.json {
            let right = |(mv, value): &(M, Value)| json!({ "move": mv.to_string(), "plies": value.plies() });
            let problem = |problem: &Problem<P, M>| {
                json!({
                    "position": problem.position.to_string(),
                    "value": problem.value.word(),
                    "plies": problem.value.plies(),
                    "moves": problem.right.iter().map(right).collect::<Vec<_>>(),
                })
            };
            out.json(&json!({
                "variant": variant,
                "reading": self.reading.tag(),
                "seed": self.seed,
                "positions": suite.iter().map(problem).collect::<Vec<_>>(),
            }))?;
        } else {
            for Problem { position, value, right } in suite {
                let best = right.first().map(|(_, value)| *value);
                let mv = |(mv, value): &(M, Value)| match value.plies() {
                    Some(plies) if Some(*value) != best => format!("{mv} ({plies})"),
                    _ => mv.to_string(),
                };
                let moves: Vec<String> = right.iter().map(mv).collect();
                out.verbatim(&format!("{position}; {}; {}", junior::text(*value), moves.join(" ")))?;
            }
        }
        if !self.talk.quiet {
            let mut table = Table::new(&[("to reach", Align::Left), ("drawn", Align::Right)]);
            for alike in suite.chunk_by(|one, next| one.value == next.value) {
                table.row([junior::text(alike[0].value), alike.len().to_string()]);
            }
            say(&table.text());
        }
        Ok(Exit::Done)
    }
}
