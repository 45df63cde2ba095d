//! The sizes of the six variants (thesis, section 2.2).

use super::quantity::{Amount, Quantity, Report, Verdict};
use crate::enumerate::census;
use crate::rules::Variant;
use crate::thesis::figures::Printed;

/// The table.
pub fn report() -> Report {
    let row = |(name, variant): (&'static str, Variant)| {
        let (count, ours) = (census::variant(variant), census::thesis_convention(variant));
        let printed = Printed::size(name);
        let verdict = printed.map_or(Verdict::NotComparable, |printed| Verdict::of(printed.agrees(ours)));
        Quantity::new(name, printed.map(|printed| Amount::Text(printed.text())), Amount::Count(ours), verdict)
            .section("2.2")
            .detail("all positions", Amount::Count(count.positions))
            .detail("canonical", Amount::Count(count.canonical))
    };
    Report {
        table: "sizes",
        about:
            "Positions, whoever is to move. The thesis counts from one A of each side on the board, and so \
                does ours; beside it are all positions, and the number of them up to symmetry."
                .to_owned(),
        rows: Variant::named().map(row).collect(),
    }
}
