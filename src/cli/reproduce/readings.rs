//! Every reading of the rules: values, lost positions, exceptions.

use std::rc::Rc;

use super::row::{Report, Row, Value, Verdict};
use super::runs::{Runs, Timed};
use crate::certificate::sha256_hex;
use crate::cli::exit::Failure;
use crate::cli::report::grouped;
use crate::enumerate::Tiers;
use crate::passes::Solution;
use crate::passes::figures::VALUE;
use crate::rules::{Color, Game, Reading, Variant};
use crate::strategy::Seed;

/// The variants beside `ab`: small ones, of both values.
const SMALL: [&str; 6] = ["A1-A2B1", "A1-A2B2", "A2-A3B2", "A2-A3B3", "A2B1-A2B2", "A3-A3B2"];

/// The table.
///
/// # Errors
/// As [`Runs::solution`].
pub fn report(runs: &Runs) -> Result<Report, Failure> {
    let mut rows = Vec::new();
    for variant in SMALL.into_iter().chain(["ab"]).filter_map(|name| name.parse::<Variant>().ok()) {
        for seed in Seed::ALL.into_iter().filter(|seed| seed.suits(variant)) {
            let mut official = None;
            for reading in Reading::ALL {
                let game = Game::new(variant, reading);
                let solution = runs.solution(&game, seed)?;
                let found = Found::of(&solution);
                rows.push(row(&game, seed, &solution, &found, official.as_ref().unwrap_or(&found)));
                official.get_or_insert(found);
            }
        }
    }
    Ok(Report {
        table: "readings",
        about: "Value, lost positions and exceptions under every reading of the rules, both sides' numbers as \
                B + W: White to move, then Black to move. The seed rules gives the truth about every position, \
                the seed thesis more lost ones. The sets column says which of the two exception sets is not \
                that of official; the thesis is held to the value of ab alone."
            .to_owned(),
        rows,
    })
}

/// The exception sets of a solution as hashes of their ranks, B's and W's.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found([String; 2]);

impl Found {
    fn of(solution: &Rc<Timed<Solution>>) -> Found {
        let solution = &solution.result;
        let tiers = Tiers::new(solution.game().variant).as_slice().len();
        Found(Color::ALL.map(|turn| {
            let mut bytes = Vec::new();
            for tier in 0..tiers {
                let ranks = solution.exceptions(tier, turn);
                // Where one tier ends and the next begins is part of the set.
                bytes.extend_from_slice(&(ranks.len() as u64).to_le_bytes());
                bytes.extend(ranks.iter().flat_map(|rank| rank.to_le_bytes()));
            }
            sha256_hex(&bytes)
        }))
    }

    /// Which of the sets are not those of another.
    fn beside(&self, other: &Found) -> &'static str {
        match (self.0[0] == other.0[0], self.0[1] == other.0[1]) {
            (true, true) => "same",
            (true, false) => "W differs",
            (false, true) => "B differs",
            (false, false) => "both differ",
        }
    }
}

fn row(game: &Game, seed: Seed, solution: &Rc<Timed<Solution>>, found: &Found, official: &Found) -> Row {
    let solution = &solution.result;
    let value = if solution.white_holds() { "draw" } else { "lost" };
    let (thesis, verdict) = if game.variant.name() == Some("ab") {
        (Some(Value::text(VALUE)), Verdict::of(value == VALUE))
    } else {
        (None, Verdict::NotComparable)
    };
    let both = |counts: [u128; 2]| Value::Text(counts.map(grouped).join(" + "));
    let lost = Color::ALL.map(|turn| solution.lost_count(turn));
    let exceptions = Color::ALL.map(|turn| solution.exception_count(turn));
    Row::new(format!("{} {}, {seed}", game.variant, game.reading), thesis, Value::text(value), verdict)
        .section_if(verdict != Verdict::NotComparable, "6")
        .detail("lost", both(lost.map(|count| count.positions)))
        .detail("canonical exceptions", both(exceptions.map(|count| count.canonical)))
        .detail("sets", Value::text(found.beside(official)))
        .hidden("sha256_b", Value::text(&found.0[0]))
        .hidden("sha256_w", Value::text(&found.0[1]))
}
