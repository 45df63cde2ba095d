//! Which rows of a tier a discipline allows.

use std::ops::Range;

use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::layout::TierLayout;
use crate::enumerate::rows::placements::Placements;
use crate::rules::{Bitboard, Color, Size};

/// A tier and a discipline. Neighbouring rows mostly differ in the smallest outer pieces only, so the larger ones are tested
/// once for all of them.
pub(super) struct Allowed<'a> {
    plan: &'a TierLayout,
    discipline: &'a Discipline,
    /// The smallest outer pieces; `None` if they are larger than [`TierLayout::above`]. Then each row is tested by itself, because
    /// the limits of the next smaller size depend on them too.
    smallest: Option<Smallest<'a>>,
}

struct Smallest<'a> {
    size: Size,
    placements: &'a Placements,
    /// The placements that are allowed, as bits, if that depends on no larger piece.
    allowed: Option<Vec<u64>>,
}

impl<'a> Allowed<'a> {
    pub(super) fn new(plan: &'a TierLayout, discipline: &'a Discipline) -> Allowed<'a> {
        let smallest = plan.below.last().filter(|(size, _)| *size >= plan.above);
        let smallest = smallest.map(|&(size, ref placements)| {
            // Only White's limits look at white pieces too, those of the next larger size.
            let alone = size > plan.above || discipline.keeper() != Some(Color::White);
            let allows = |blacks| size > plan.above || discipline.allows_at(size, None, blacks, Color::White);
            let words = placements.from(0).chunks(64);
            let allowed = alone.then(|| words.map(|some| mask(some, allows)).collect());
            Smallest { size, placements, allowed }
        });
        Allowed { plan, discipline, smallest }
    }

    /// A mask of up to 64 `rows`: bit i is set if row `rows.start + i` is allowed.
    pub(super) fn rows(&self, rows: Range<usize>) -> u64 {
        let Allowed { plan, discipline, smallest } = self;
        let Some(smallest) = smallest else {
            let allowed =
                |&row: &usize| discipline.allows_down_to(plan.above, &plan.outer(row, Color::White));
            return rows.clone().filter(allowed).fold(0, |word, row| word | 1 << (row - rows.start));
        };
        let placements = smallest.placements.len();
        let larger = smallest.size.larger().unwrap_or(Size::A);
        let (mut word, mut first) = (0, rows.start);
        while first < rows.end {
            let place = first % placements;
            let alike = first..rows.end.min(first - place + placements);
            let outer = plan.outer(first, Color::White);
            if discipline.allows_down_to(larger.min(plan.above), &outer) {
                let allowed = match &smallest.allowed {
                    Some(allowed) => some_bits(allowed, place..place + alike.len()),
                    None => {
                        let whites = Some(outer.pieces(Color::White, larger));
                        let some = &smallest.placements.from(place)[..alike.len()];
                        let size = smallest.size;
                        mask(some, |blacks| discipline.allows_at(size, whites, blacks, Color::White))
                    }
                };
                word |= allowed << (first - rows.start);
            }
            first = alike.end;
        }
        word
    }
}

/// A mask of up to 64 placements: bit i is set if the black squares of placement i are allowed.
fn mask(placements: &[(Bitboard, Bitboard)], allows: impl Fn(Bitboard) -> bool) -> u64 {
    placements.iter().rev().fold(0, |word, &(_, blacks)| word << 1 | u64::from(allows(blacks)))
}

/// The bits of a range, 1 to 64 of them, from bit 0 on.
fn some_bits(words: &[u64], range: Range<usize>) -> u64 {
    let (first, last, shift) = (range.start / 64, (range.end - 1) / 64, range.start % 64);
    let low = words[first] >> shift;
    let bits = if last > first { low | words[last] << (64 - shift) } else { low };
    bits & u64::MAX >> (64 - range.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::rows::layout::Layout;
    use crate::prelude::*;

    #[test]
    fn rows_are_those_whose_outer_pieces_are_within_the_limits() {
        // How many rows are not allowed and are, and how many tiers have no smallest outer pieces and have some.
        let (mut met, mut tiers) = ([0; 2], [0; 2]);
        for (variant, discipline) in [
            ("A2B1-A2B2", "b=0"),
            ("A2B2-A1B1", "A=1"),
            ("A1B1-A1B1C1", "a=0,b=0"),
            ("A1B1-A1B1C1", "A=0,B=0"),
        ] {
            let discipline: Discipline = discipline.parse().expect("a discipline");
            let layout = Layout::new(variant.read().expect("a variant"));
            for plan in layout.all() {
                let allowed = Allowed::new(plan, &discipline);
                tiers[usize::from(allowed.smallest.is_some())] += 1;
                for first in (0..plan.rows).step_by(37) {
                    let rows = first..plan.rows.min(first + 64);
                    let mask = allowed.rows(rows.clone());
                    for row in rows {
                        let expected = discipline.allows_down_to(plan.above, &plan.outer(row, Color::White));
                        assert_eq!(mask >> (row - first) & 1 == 1, expected, "{variant} {discipline} {row}");
                        met[usize::from(expected)] += 1;
                    }
                }
            }
        }
        assert!(met.iter().all(|&met| met > 1000) && tiers.iter().all(|&met| met > 5), "{met:?} {tiers:?}");
    }
}
