//! `gobprove perft`: counting moves to a depth.

use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::cli::commands::junior;
use crate::cli::console::args::{self, Format, Subject, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit};
use crate::cli::console::position;
use crate::cli::console::progress::Progress;
use crate::cli::console::report::{Out, grouped};
use crate::cli::console::work;
use crate::enumerate::perft;
use crate::prelude::*;
use crate::rules::{Color, Game, Outcome, Position, Reading};

const EXAMPLES: &str = "\
A position is written rank by rank from rank 4 down, ranks separated by '/', squares by ','. Each
square lists its pieces from the top, White's upper-case and Black's lower-case, '.' for none; then
a space and the side to move, w or b.

Examples:
  gobprove perft 4
  gobprove perft 3 --variant abc --reading thesis --first black
  gobprove perft 2 --position 'Ab,.,.,a/.,.,.,./.,.,.,./.,.,.,. w'
  gobprove perft 4 --variant junior           Gobblet Gobblers, the game on nine squares";

/// Count the moves made at a depth
///
/// perft(N) is the number of moves made at depth N: 1 at depth 0, the legal moves at depth 1. A move that
/// ends the game counts and has no continuation. It is the standard test of a move generator.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PerftArgs {
    /// The depth in plies, 64 at most
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
    /// The variant: a name, or material spelled out such as A3-A3B3C1; or junior
    #[arg(long, value_name = "V", default_value = "ab", value_parser = args::subject)]
    variant: Subject,
    /// How the rules are read
    #[arg(long, value_name = "R", default_value = "official", value_parser = args::reading())]
    reading: Reading,
    /// The position to start from [default: the empty board]
    #[arg(long, value_name = "POS")]
    position: Option<String>,
    /// Who moves first on the empty board [default: white]
    #[arg(long, value_name = "SIDE", conflicts_with = "position", value_parser = args::color())]
    first: Option<Color>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

#[derive(Serialize)]
struct Report {
    variant: String,
    reading: &'static str,
    first: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    depth: u32,
    nodes: u128,
}

impl PerftArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The position does not belong to the variant, or the result cannot be written.
    pub fn run(&self) -> Ended {
        let first = self.first.unwrap_or(Color::White);
        let progress = Progress::new(format!("perft {}", self.depth), self.talk);
        let counted = match self.variant {
            Subject::Gobblet(variant) => {
                let game = Game::new(variant, self.reading);
                let start = match &self.position {
                    Some(text) => position::read(&game, text, "", "--position", "perft")?,
                    None => Position::empty(first),
                };
                let count = || count(&game, &start, self.depth, &progress);
                let nodes = work::on_threads(self.threads.count(), count)?;
                Counted { variant: variant.to_string(), first: start.turn(), start: start.to_string(), nodes }
            }
            Subject::Junior => {
                let reading = junior::reading(self.reading)?;
                let start = junior::start(reading, self.position.as_deref(), first)?;
                let nodes = work::on_threads(self.threads.count(), || start.perft(self.depth))?;
                let variant = args::JUNIOR.to_owned();
                Counted { variant, first: start.turn(), start: start.to_string(), nodes: nodes.into() }
            }
        };
        drop(progress);
        self.report(counted)
    }

    fn report(&self, counted: Counted) -> Ended {
        let Counted { variant, first, start, nodes } = counted;
        let mut out = Out::new();
        if self.format.json {
            out.json(&Report {
                variant,
                reading: self.reading.tag(),
                first: first.name(),
                position: self.position.is_some().then_some(start),
                depth: self.depth,
                nodes,
            })?;
        } else {
            let from = match self.position {
                Some(_) => format!("from {start}"),
                None => format!("{first} first"),
            };
            out.line(&format!(
                "{} moves at depth {} ({variant}, {}, {from})",
                grouped(nodes),
                self.depth,
                self.reading
            ))?;
        }
        Ok(Exit::Done)
    }
}

/// What was counted, and from where.
struct Counted {
    variant: String,
    first: Color,
    start: String,
    nodes: u128,
}

/// [`perft`], the first two plies split over threads.
fn count(game: &Game, start: &Position, depth: u32, progress: &Progress) -> u128 {
    if depth < 3 {
        return perft(game, start, depth);
    }
    let replies = |position: &Position| -> Vec<Position> {
        let after = |mv| match game.play_unchecked(position, mv) {
            Outcome::GoesOn(next) => Some(next),
            Outcome::BlackWins | Outcome::WhiteWins => None,
        };
        game.moves(position).filter_map(after).collect()
    };
    let second: Vec<Position> = replies(start).iter().flat_map(&replies).collect();
    let (total, done) = (second.len() as u64, AtomicU64::new(0));
    second
        .par_iter()
        .map(|position| {
            let nodes = perft(game, position, depth - 2);
            progress.at(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            nodes
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_changes_no_count() {
        let game = Game::new("ab-full".read().expect("a variant"), Reading::Official);
        let quiet = Talk { quiet: true, verbose: false };
        for text in [
            ".,.,.,./.,.,.,./.,.,.,./.,.,.,. b",
            "a,a,a,Ab/.,.,.,./A,.,.,./.,B,.,. w",
            "a,a,b,a/A,.,.,./.,.,.,./.,.,.,. w",
        ] {
            let start = game.parse(text).expect("a position");
            for depth in 0..4 {
                let split = count(&game, &start, depth, &Progress::new("", quiet));
                assert_eq!(split, perft(&game, &start, depth), "{text} {depth}");
            }
        }
    }
}
