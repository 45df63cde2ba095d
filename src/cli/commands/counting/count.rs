//! `gobprove count`: how many positions a variant has.

use clap::Args;
use serde::Serialize;

use crate::cli::commands::junior::{self, JuniorCount};
use crate::cli::console::args::{self, Format, JUNIOR, Subject, Talk, Threads};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::report::{Align, Out, Table, grouped};
use crate::enumerate::{Tiers, census};
use crate::rules::{Reading, Variant};
use crate::thesis::figures::Printed;

const EXAMPLES: &str = "\
Positions are placements of pieces, each counted once whoever is to move; canonical ones are counted
once for all their images under the 32 symmetries. The thesis's convention leaves out the tiers in
which a side has no A on the board.

In junior, the game on nine squares, it is counted what can come up in play too, which takes some ten
seconds: positions that differ by a symmetry or an exchange of the colours count once.

Examples:
  gobprove count
  gobprove count ab
  gobprove count abc A3-A3B3C1 --json
  gobprove count junior";

/// Count the positions of variants
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CountArgs {
    /// Variants: names, or material spelled out such as A3-A3B3C1, or junior [default: all named ones but junior]
    #[arg(value_name = "VARIANT", value_parser = args::subject)]
    variants: Vec<Subject>,
    /// How the rules of junior are read, which decides what positions can come up; other counts are the same under all readings
    #[arg(long, default_value = "official", value_parser = args::reading())]
    reading: Reading,
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
    white: String,
    black: String,
    positions: u128,
    canonical: u128,
    thesis_convention: u128,
    /// The number as the thesis prints it, and whether the one by its convention agrees.
    thesis_prints: Option<String>,
    agrees: Option<bool>,
    tiers: Vec<TierReport>,
}

#[derive(Serialize)]
struct TierReport {
    tier: String,
    positions: u128,
    canonical: u128,
}

/// What was counted of one game.
#[derive(Serialize)]
#[serde(untagged)]
enum Counted {
    Gobblet(Report),
    Junior(JuniorCount),
}

impl Report {
    fn of(variant: Variant) -> Report {
        let tiers = Tiers::new(variant);
        let counts = census::tiers(&tiers);
        let total = census::variant(variant);
        let tier = |(tier, count): (&crate::enumerate::Tier, census::Count)| TierReport {
            tier: tier.to_string(),
            positions: count.positions,
            canonical: count.canonical,
        };
        let thesis_convention = census::thesis_convention(variant);
        let printed = Printed::size(&variant.to_string());
        Report {
            variant: variant.to_string(),
            white: variant.white.to_string(),
            black: variant.black.to_string(),
            positions: total.positions,
            canonical: total.canonical,
            thesis_convention,
            thesis_prints: printed.map(Printed::text),
            agrees: printed.map(|printed| printed.agrees(thesis_convention)),
            tiers: tiers.as_slice().iter().zip(counts).map(tier).collect(),
        }
    }
}

impl CountArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The result cannot be written.
    pub fn run(&self) -> Ended {
        let named = || Variant::named().map(|(_, variant)| Subject::Gobblet(variant)).collect();
        let subjects = if self.variants.is_empty() { named() } else { self.variants.clone() };
        let counted = |subject| match subject {
            Subject::Gobblet(variant) => Ok(Counted::Gobblet(Report::of(variant))),
            Subject::Junior => {
                let reading = junior::reading(self.reading)?;
                junior::count(reading, self.threads, self.talk).map(Counted::Junior)
            }
        };
        let all = subjects.into_iter().map(counted).collect::<Result<Vec<Counted>, Failure>>()?;
        let mut out = Out::new();
        if self.format.json {
            out.json_one_or_many(&all)?;
            return Ok(Exit::Done);
        }
        let (mut reports, mut juniors) = (Vec::new(), Vec::new());
        for counted in all {
            match counted {
                Counted::Gobblet(report) => reports.push(report),
                Counted::Junior(count) => juniors.push(count),
            }
        }
        if !reports.is_empty() {
            self.tables(&mut out, &reports)?;
        }
        for count in juniors {
            out.line(&of_junior(&count))?;
        }
        Ok(Exit::Done)
    }

    fn tables(&self, out: &mut Out, reports: &[Report]) -> Result<(), Failure> {
        out.line(&summary(reports))?;
        if reports.len() == 1 || self.talk.verbose {
            for report in reports {
                out.line(&format!(
                    "\nTiers of {}: White's pieces on the board, a dot, Black's",
                    report.variant
                ))?;
                out.line(&tiers(report))?;
            }
        }
        Ok(())
    }
}

fn summary(reports: &[Report]) -> String {
    use Align::{Left, Right};
    let mut table = Table::new(&[
        ("variant", Left),
        ("white", Left),
        ("black", Left),
        ("tiers", Right),
        ("positions", Right),
        ("canonical", Right),
        ("thesis's convention", Right),
        ("thesis prints", Right),
        ("", Left),
    ]);
    for report in reports {
        let verdict = match report.agrees {
            Some(true) => "agrees",
            Some(false) => "DIFFERS",
            None => "",
        };
        table.row([
            report.variant.clone(),
            report.white.clone(),
            report.black.clone(),
            report.tiers.len().to_string(),
            grouped(report.positions),
            grouped(report.canonical),
            grouped(report.thesis_convention),
            report.thesis_prints.clone().unwrap_or_else(|| "-".to_owned()),
            verdict.to_owned(),
        ]);
    }
    table.text()
}

fn tiers(report: &Report) -> String {
    let mut table =
        Table::new(&[("tier", Align::Left), ("positions", Align::Right), ("canonical", Align::Right)]);
    for tier in &report.tiers {
        table.row([tier.tier.clone(), grouped(tier.positions), grouped(tier.canonical)]);
    }
    table.text()
}

fn of_junior(count: &JuniorCount) -> String {
    let mut table = Table::new(&[(JUNIOR, Align::Left), ("positions", Align::Right)]);
    for (what, number) in [
        ("placements of pieces", count.positions),
        ("that differ by more than a symmetry", count.canonical),
        ("that can come up without a line", count.unfinished),
        ("that can come up with one", count.finished),
        ("that can come up", count.reachable),
    ] {
        table.row([what.to_owned(), grouped(number.into())]);
    }
    format!("{}\nAfter {} plies no new position comes up ({}).", table.text(), count.plies, count.reading)
}
