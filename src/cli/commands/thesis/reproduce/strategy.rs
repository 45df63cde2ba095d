//! Algorithm 1 on the thesis's strategy for `ab` (thesis, section 6.2).

use super::quantity::{Amount, Attempt, Quantity, Report, Verdict};
use super::runs::Runs;
use crate::cli::console::report::grouped;
use crate::rules::{Color, Reading};
use crate::strategy::repaired::Deviation;
use crate::strategy::thesis::Options;
use crate::thesis::algorithm_1::{Worked, WorkedCount, attempts, witnesses};
use crate::thesis::conventions::{Convention, CountedTiers, Unit};
use crate::thesis::figures::{ANSWER, WORKED_FOR_BLACK, WORKED_FOR_WHITE};

const SECTION: &str = "6.2";

/// The table.
pub fn report(runs: &Runs) -> Report {
    Report {
        table: "strategy",
        about: "Algorithm 1 on ab: its answer, and the positions worked, under every combination of the \
                options that the thesis's text leaves open. The counts are under the reading official."
            .to_owned(),
        rows: vec![
            answer(runs),
            repaired(runs),
            worked(runs, Color::White, WORKED_FOR_WHITE),
            worked(runs, Color::Black, WORKED_FOR_BLACK),
        ],
    }
}

/// The answer for the functions as the thesis has them.
fn answer(runs: &Runs) -> Quantity {
    let combinations = Options::combinations();
    let mut tried = Vec::new();
    let mut settled = 0;
    let mut places = Vec::new();
    for reading in Reading::ALL {
        let found = attempts(&runs.ab(reading), &combinations);
        settled += found.iter().filter(|attempt| attempt.failure.is_some()).count();
        for (position, ..) in witnesses(&found) {
            if !places.contains(&position) {
                places.push(position);
            }
        }
        tried.extend(found.iter().map(|attempt| Attempt {
            how: match &attempt.failure {
                Some(failure) => {
                    format!("{reading} {}: {} ({})", attempt.options, failure.position, failure.broken.step())
                }
                None => format!("{reading} {}", attempt.options),
            },
            number: Amount::text(if attempt.failure.is_some() { "No" } else { "Yes" }),
        }));
    }
    let total = tried.len();
    let ours = if settled == total { "No" } else { "Yes" };
    let row =
        Quantity::new("answer", Some(Amount::text(ANSWER)), Amount::text(ours), Verdict::of(ours == ANSWER));
    Quantity { attempts: tried, ..row }.section(SECTION).note(format!(
        "No under {} of {} combinations of options and readings; {} positions between them break all of these",
        grouped(settled as u128),
        grouped(total as u128),
        places.len()
    ))
}

/// The answer for the repaired functions.
fn repaired(runs: &Runs) -> Quantity {
    let holds = runs.repaired().result.holds();
    let ours = if holds { "Yes" } else { "No" };
    let names: Vec<&str> = Deviation::ALL.map(Deviation::name).to_vec();
    Quantity::new(
        "answer, repaired",
        Some(Amount::text(ANSWER)),
        Amount::text(ours),
        Verdict::of(ours == ANSWER),
    )
    .section(SECTION)
    .note(format!(
        "with {} deviations, none of which can be left out: {}",
        names.len(),
        names.join(", ")
    ))
}

/// How many positions are worked for a side.
fn worked(runs: &Runs, side: Color, figure: u64) -> Quantity {
    let game = runs.ab(Reading::Official);
    let worked = Worked::new(&game, side);
    let everything = Convention { unit: Unit::Placements, tiers: CountedTiers::All };
    let at_its_word = worked.count(&game, &Options::default(), everything);
    let attempt = |attempted: &WorkedCount| Attempt {
        how: format!(
            "{}, tiers {}, {}",
            attempted.options,
            attempted.convention.tiers.tag(),
            attempted.convention.unit.tag()
        ),
        number: Amount::Count(attempted.count.into()),
    };
    let tried = worked.attempts(&game, figure).iter().map(attempt).collect();
    let figure_found = |value: &Amount| *value == Amount::Count(figure.into());
    Quantity::tried(
        format!("worked for {side}"),
        figure,
        Amount::Count(at_its_word.into()),
        tried,
        figure_found,
    )
    .section(SECTION)
}
