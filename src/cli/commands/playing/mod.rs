//! Commands that play.

pub mod compete;
mod drawing;
mod lines;
pub mod play;
mod screen;
mod table;
pub mod ugi;
mod view;
mod worth;

use std::path::{Path, PathBuf};

use clap::Args;

use super::explain::basis::at_hand;
use super::query;
use crate::cli::console::args;
use crate::cli::console::exit::{Failure, shown};
use crate::cli::console::report::say;
use crate::cli::console::shipped;
use crate::explain::knowledge::Source;
use crate::play::{Sources, Strength};
use crate::rules::{Game, Reading, Variant};
use crate::store::{Claim, Kind};

/// The game that is played.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Which {
    /// The variant: a name, or material spelled out such as A3-A3B3C1
    #[arg(long, value_name = "V", default_value = "abcd-full", value_parser = args::variant)]
    variant: Variant,
    /// How the rules are read
    #[arg(long, value_name = "R", default_value = "official", value_parser = args::reading())]
    reading: Reading,
}

impl Which {
    fn game(&self) -> Game {
        Game::new(self.variant, self.reading)
    }
}

/// How strongly the engine plays.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub struct Power {
    /// The strength of the engine, 1 to 8: 8 plays what is proven where it can and looks at a million positions a move where it
    /// cannot; lower levels look at fewer and make mistakes on purpose [default: 8]
    #[arg(long, value_name = "N", conflicts_with_all = ["nodes", "time"], value_parser = level)]
    level: Option<Strength>,
    /// Look at N positions a move instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Take S seconds a move instead; the same seed may then play another game
    #[arg(long, value_name = "S", conflicts_with = "nodes", value_parser = seconds)]
    time: Option<u64>,
}

fn level(text: &str) -> Result<Strength, String> {
    let level = text.parse().ok().and_then(Strength::level);
    level.ok_or_else(|| "give a level from 1, which makes many mistakes, to 8".to_owned())
}

/// Reads seconds, and returns milliseconds.
fn seconds(text: &str) -> Result<u64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    let wrong = || "give seconds from 0.001 to 3600".to_owned();
    Ok((seconds.ok_or_else(wrong)? * 1000.0) as u64)
}

impl Power {
    /// Whether any of the options was given.
    fn is_given(&self) -> bool {
        *self != Power { level: None, nodes: None, time: None }
    }

    fn strength(&self) -> Strength {
        let best = Strength { knows: true, ..Strength::nodes(1_000_000) };
        match (self.level, self.nodes, self.time) {
            (Some(level), ..) => level,
            (_, Some(nodes), _) => Strength { nodes, ..best },
            (.., Some(millis)) => Strength { millis: Some(millis), nodes: u64::MAX, ..best },
            _ => best,
        }
    }
}

/// The sources of proven values: those that are given, else a solved variant in this folder and the certificates that ship.
/// None of it is checked here.
///
/// # Errors
/// What is given cannot be read or is of another game.
fn sources(game: Game, solved: Option<&Path>, given: &[PathBuf]) -> Result<Sources, Failure> {
    let solved = query::find(&game, solved, given.is_empty())?;
    let mut found = Vec::new();
    for path in given {
        let (certificate, _) = shipped::given(path)?;
        shipped::speaks_of(&shown(path), &certificate.claim, &game)?;
        found.push((shown(path), Source::Certificate(certificate)));
    }
    if given.is_empty() {
        // Certificates that are too large to be inside the program may be missing: less is known then.
        let mut elsewhere = Vec::new();
        let of_game = |claim: &Claim, kind| {
            claim.kind == kind && claim.game.reading == game.reading && claim.covers(game.variant)
        };
        let own = |claim: &Claim| of_game(claim, Kind::Closure) && claim.game == game;
        let of_less = |claim: &Claim| of_game(claim, Kind::Closure);
        let refutation = |claim: &Claim| of_game(claim, Kind::Refutation) && claim.game == game;
        let wanted: [&dyn Fn(&Claim) -> bool; 3] = [&own, &of_less, &refutation];
        for wanted in wanted {
            if let Some(source) = at_hand(wanted, &mut elsewhere)? {
                found.push(source);
                break;
            }
        }
        if found.is_empty() && !elsewhere.is_empty() {
            say(&shipped::missing(&elsewhere).note());
        }
    }
    Ok(Sources::new(game, solved, found))
}
