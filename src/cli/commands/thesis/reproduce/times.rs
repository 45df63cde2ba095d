//! Run times of the thesis (sections 6.2 and 7.2) beside those of this run.

use std::time::Duration;

use super::quantity::{Amount, Quantity, Report, Verdict};
use super::runs::{Runs, Timed};
use crate::cli::console::exit::{Exit, Failure};
use crate::rules::Reading;
use crate::strategy::Seed;
use crate::thesis::figures::{HOURS_ALGORITHM_1, HOURS_ALGORITHM_4, HOURS_VERIFYING};
use gobcheck::check as checker;

/// The table.
///
/// # Errors
/// As [`Runs::solution`], and a cut that the checker refuses, which would be a bug.
pub fn report(runs: &Runs) -> Result<Report, Failure> {
    let bug = |error: &dyn std::fmt::Display| Failure::new(Exit::Bug, error);
    let solution = runs.solution(&runs.ab(Reading::Official), Seed::Thesis)?;
    let bytes = crate::closure::cut(&solution.result).map_err(|error| bug(&error))?.encode();
    let verified = Timed::of(|| checker::check(&bytes, runs.threads, &|_, _| ()));
    verified.result.map_err(|refusal| bug(&refusal))?;
    Ok(Report {
        table: "times",
        about: format!(
            "This run, with {} threads on this machine. The thesis used a 2 GHz Core2 Duo and worked every \
             placement; ours is up to symmetry.",
            runs.threads
        ),
        rows: vec![
            row("Algorithm 1", "6.2", HOURS_ALGORITHM_1, runs.repaired().took),
            row("Algorithm 4, making and verifying", "7.2", HOURS_ALGORITHM_4, solution.took + verified.took),
            row("Algorithm 4, verifying", "7.2", HOURS_VERIFYING, verified.took),
        ],
    })
}

fn row(quantity: &str, section: &'static str, hours: u64, took: Duration) -> Quantity {
    let seconds = took.as_secs_f64();
    let times = Duration::from_secs(3600 * hours).as_secs_f64() / seconds.max(f64::MIN_POSITIVE);
    let thesis = Some(Amount::Text(format!("{hours} h")));
    Quantity::new(quantity, thesis, Amount::Seconds(seconds), Verdict::NotComparable)
        .section(section)
        .detail("times as fast", Amount::Count(times.round() as u128))
}
