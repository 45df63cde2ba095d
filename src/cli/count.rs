//! `gobprove count`: how many positions a variant has.

use clap::Args;
use serde::Serialize;

use super::args::{self, Format, Talk};
use super::exit::{Ended, Exit, Failure};
use super::report::{Align, Out, Table, grouped};
use crate::enumerate::{Tiers, census};
use crate::rules::Variant;

const EXAMPLES: &str = "\
Positions are placements of pieces, each counted once whoever is to move; canonical ones are counted
once for all their images under the 32 symmetries. The thesis's convention leaves out the tiers in
which a side has no A on the board.

Examples:
  gobprove count
  gobprove count ab
  gobprove count abc A3-A3B3C1 --json";

/// Count the positions of variants, by formula
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CountArgs {
    /// Variants: names, or material spelled out such as A3-A3B3C1 [default: all named ones]
    #[arg(value_name = "VARIANT", value_parser = args::variant)]
    variants: Vec<Variant>,
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
    tiers: Vec<TierReport>,
}

#[derive(Serialize)]
struct TierReport {
    tier: String,
    positions: u128,
    canonical: u128,
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
        Report {
            variant: variant.to_string(),
            white: variant.white.to_string(),
            black: variant.black.to_string(),
            positions: total.positions,
            canonical: total.canonical,
            thesis_convention: census::thesis_convention(variant),
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
        let variants = match self.variants.as_slice() {
            [] => Variant::named().map(|(_, variant)| variant).collect(),
            some => some.to_vec(),
        };
        let reports: Vec<Report> = variants.into_iter().map(Report::of).collect();
        let mut out = Out::new();
        if self.format.json {
            out.json_one_or_many(&reports)?;
        } else {
            self.tables(&mut out, &reports)?;
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
        let (printed, verdict) = match Printed::of(&report.variant) {
            Some(printed) if printed.agrees(report.thesis_convention) => (printed.text(), "agrees"),
            Some(printed) => (printed.text(), "DIFFERS"),
            None => ("-".to_owned(), ""),
        };
        table.row([
            report.variant.clone(),
            report.white.clone(),
            report.black.clone(),
            report.tiers.len().to_string(),
            grouped(report.positions),
            grouped(report.canonical),
            grouped(report.thesis_convention),
            printed,
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

/// A size as the thesis prints it: the digits, the first before the point, and a power of ten.
struct Printed {
    digits: u128,
    exponent: u32,
}

impl Printed {
    /// The thesis's figure for a named variant (section 2.2).
    fn of(name: &str) -> Option<Printed> {
        let (digits, exponent) = match name {
            "ab-full" => (506_294, 10),
            "ab" => (155_017, 8),
            "abc-full" => (8_386, 15),
            "abc" => (26_946, 13),
            "abcd" => (44_068, 18),
            "abcd-full" => (135_531, 21),
            _ => return None,
        };
        Some(Printed { digits, exponent })
    }

    /// How many of the printed digits stand behind the point.
    fn decimals(&self) -> u32 {
        self.digits.ilog10()
    }

    fn text(&self) -> String {
        let unit = 10u128.pow(self.decimals());
        let width = self.decimals() as usize;
        format!("{}.{:0width$}e{}", self.digits / unit, self.digits % unit, self.exponent)
    }

    /// Whether an exact count, rounded to as many digits, is the figure.
    fn agrees(&self, exact: u128) -> bool {
        let unit = 10u128.pow(self.exponent - self.decimals());
        (exact + unit / 2) / unit == self.digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_figures_are_written_as_printed() {
        let text = |name| Printed::of(name).map(|printed| printed.text());
        assert_eq!(text("ab-full").as_deref(), Some("5.06294e10"));
        assert_eq!(text("abc-full").as_deref(), Some("8.386e15"));
        assert_eq!(text("A3-A3B2"), None);
    }

    #[test]
    fn a_figure_agrees_with_what_rounds_to_it() {
        let printed = Printed { digits: 123, exponent: 4 };
        for (exact, agrees) in [(12_249, false), (12_250, true), (12_349, true), (12_350, false)] {
            assert_eq!(printed.agrees(exact), agrees, "{exact}");
        }
    }

    #[test]
    fn every_named_variant_agrees() {
        for (name, variant) in Variant::named() {
            let exact = census::thesis_convention(variant);
            assert!(Printed::of(name).is_some_and(|printed| printed.agrees(exact)), "{name}");
        }
    }
}
