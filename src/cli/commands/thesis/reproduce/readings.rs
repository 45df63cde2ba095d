//! Every reading of the rules: values, lost positions, exceptions.

use rayon::prelude::*;

use super::quantity::{Amount, Quantity, Report, Verdict};
use super::runs::Runs;
use crate::bitbase::Solution;
use crate::cli::console::exit::Failure;
use crate::enumerate::Tiers;
use crate::prelude::*;
use crate::rules::{Color, Game, Reading, Variant};
use crate::store::sha256_hex;
use crate::strategy::Seed;
use crate::thesis::figures::VALUE;

/// The variants beside `ab`: small ones, of both values.
const SMALL: [&str; 5] = ["A1-A2B2", "A2-A3B2", "A2-A3B3", "A2B1-A2B2", "A3-A3B2"];

/// The table.
///
/// # Errors
/// As [`Runs::solution`].
pub fn report(runs: &Runs) -> Result<Report, Failure> {
    let small = SMALL.into_iter().filter_map(|name| name.read::<Variant>().ok());
    let mut solved: Vec<(Variant, Seed)> = small.map(|variant| (variant, Seed::Rules)).collect();
    solved.extend(Seed::ALL.map(|seed| (runs.ab(Reading::Official).variant, seed)));
    let mut rows = Vec::new();
    for (variant, seed) in solved {
        let mut official = None;
        for reading in Reading::ALL {
            let game = Game::new(variant, reading);
            let solution = runs.solution(&game, seed)?;
            let found = Found::of(&solution.result);
            rows.push(row(&game, seed, &solution.result, &found, official.as_ref().unwrap_or(&found)));
            official.get_or_insert(found);
        }
    }
    Ok(Report {
        table: "readings",
        about: "Variant, reading, seed: value, lost positions and canonical exceptions, White to move (B) + Black \
                to move (W). Over the seed rules the lost positions are the truth, over the seed thesis they are \
                more. The last column but one says which set of exceptions is another than under official. The \
                thesis speaks of ab alone."
            .to_owned(),
        rows,
    })
}

/// The exception sets of a solution as hashes of their ranks, B's and W's.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found([String; 2]);

impl Found {
    fn of(solution: &Solution) -> Found {
        let tiers = Tiers::new(solution.game().variant).as_slice().len();
        Found(Color::ALL.map(|turn| {
            let ranks: Vec<Vec<u128>> =
                (0..tiers).into_par_iter().map(|tier| solution.exceptions(tier, turn)).collect();
            let mut bytes = Vec::new();
            for ranks in ranks {
                // Where one tier ends and the next begins is part of the set.
                bytes.extend_from_slice(&(ranks.len() as u64).to_le_bytes());
                bytes.extend(ranks.iter().flat_map(|rank| rank.to_le_bytes()));
            }
            sha256_hex(&bytes)
        }))
    }

    /// Which of the two sets differ from those of `other`.
    fn beside(&self, other: &Found) -> &'static str {
        match (self.0[0] == other.0[0], self.0[1] == other.0[1]) {
            (true, true) => "same",
            (true, false) => "W differs",
            (false, true) => "B differs",
            (false, false) => "both differ",
        }
    }
}

fn row(game: &Game, seed: Seed, solution: &Solution, found: &Found, official: &Found) -> Quantity {
    let value = if solution.white_holds() { "draw" } else { "lost" };
    let (thesis, verdict) = if game.variant.name() == Some("ab") {
        (Some(Amount::text(VALUE)), Verdict::of(value == VALUE))
    } else {
        (None, Verdict::NotComparable)
    };
    let lost = Color::ALL.map(|turn| solution.lost_count(turn));
    let exceptions = Color::ALL.map(|turn| solution.exception_count(turn));
    Quantity::new(format!("{}, {}, {seed}", game.variant, game.reading), thesis, Amount::text(value), verdict)
        .section_if(verdict != Verdict::NotComparable, "6")
        .detail("lost", Amount::Both(lost.map(|count| count.positions)))
        .detail("canonical exceptions", Amount::Both(exceptions.map(|count| count.canonical)))
        .detail("sets", Amount::text(found.beside(official)))
        .hidden("sha256_b", Amount::text(&found.0[0]))
        .hidden("sha256_w", Amount::text(&found.0[1]))
}
