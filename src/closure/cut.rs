//! Cuts: the positions of a solution that White has to avoid, as a certificate.

use crate::bitbase::Solution;
use crate::bitbase::solution::Select;
use crate::rules::Color;
use crate::store::{Certificate, NoSet, PositionSet};

/// The cut: all that is lost and holds no black line.
///
/// # Errors
/// The ranks are no set of positions, which would be a mistake of the passes.
pub fn cut(solution: &Solution) -> Result<Certificate, NoSet> {
    let variant = solution.game().variant;
    let set = |turn| {
        let tiers = 0..solution.layout.tiers().as_slice().len();
        let lost =
            |tier| solution.ranks_in_parts(tier, turn, Select::LostWithoutALine, None).flatten().collect();
        PositionSet::new(variant, tiers.map(lost).collect())
    };
    Ok(Certificate::cut(*solution.game(), set(Color::Black)?, set(Color::White)?))
}
