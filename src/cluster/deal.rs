//! Which process has which rows of a tier.

use rayon::prelude::*;

use crate::enumerate::rows::layout::TierLayout;
use crate::enumerate::{Tier, layer};
use crate::prelude::*;
use crate::rules::{Bitboard, ByColor, BySize, Color, Position, Size};
use crate::symmetry::{Symmetry, least_for};

/// Deals rows by what stands of one colour outside the inner pieces: rows in which a symmetry makes these pieces alike have one
/// owner. No move of the other colour leads from one owner to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deal {
    color: Color,
    processes: usize,
}

/// Rows that are dealt together. Few pieces of one colour differ in them.
const ROWS: usize = 1 << 16;

impl Deal {
    /// By the pieces of a colour, to a number of processes.
    pub(crate) fn by(color: Color, processes: usize) -> Deal {
        Deal { color, processes }
    }

    /// The process that has the row of an outer placement.
    pub(crate) fn owner(&self, outer: &Position) -> usize {
        let symmetry = least_for(outer, self.color).next().unwrap_or(Symmetry::IDENTITY);
        (mixed(symmetry.side(outer.side(self.color))) % self.processes as u64) as usize
    }

    /// The owners of rows of a tier.
    pub(crate) fn owners<'a>(&self, plan: &'a TierLayout) -> Owners<'a> {
        Owners { deal: *self, plan, known: vec![(u64::MAX, 0); KNOWN] }
    }

    /// The rows of a tier that a process has, as bits.
    pub(crate) fn rows(&self, plan: &TierLayout, process: usize) -> Vec<u64> {
        let some = |from: usize| {
            let mut owners = self.owners(plan);
            let rows = from..plan.rows.min(from + ROWS);
            let of_word = |word: usize| {
                let rows = 64 * word..rows.end.min(64 * word + 64);
                rows.fold(0, |own, row| own | u64::from(owners.of(row) == process) << (row % 64))
            };
            (rows.start / 64..rows.end.div_ceil(64)).map(of_word).collect::<Vec<u64>>()
        };
        (0..plan.rows.div_ceil(ROWS)).into_par_iter().map(|part| part * ROWS).flat_map_iter(some).collect()
    }
}

/// Finds owners of rows one after the other. In neighbouring rows the pieces of a colour stand in few ways, and for those the owner
/// is looked up.
pub(crate) struct Owners<'a> {
    deal: Deal,
    plan: &'a TierLayout,
    /// The pieces of the colour, as [`Position::side`] has them, and the owner, in a place that the pieces say.
    known: Vec<(u64, usize)>,
}

/// How many owners are known at a time.
const KNOWN: usize = 1 << 12;

impl Owners<'_> {
    /// The process that has a row.
    pub(crate) fn of(&mut self, row: usize) -> usize {
        let outer = self.plan.outer(row, Color::White);
        let pieces = outer.side(self.deal.color);
        let known = &mut self.known[(mixed(pieces) % KNOWN as u64) as usize];
        // No side has pieces on all squares, so what is there at first is nobody's.
        if known.0 != pieces {
            *known = (pieces, self.deal.owner(&outer));
        }
        known.1
    }
}

/// A number in which every bit depends on every bit of another (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// How much more than the mean the process has that has most, as a factor: of the ways in which the pieces of a colour can stand in
/// a tier, those that a symmetry makes alike going together. Where there are more than [`SAMPLE`] ways some are looked at.
pub(crate) fn most_over_mean(tier: Tier, (color, inner): (Color, Size), processes: usize) -> f64 {
    let is_dealt = |&size: &Size| color == Color::White || size != inner;
    let counts: Vec<(Size, u8)> =
        Size::ALL.into_iter().filter(is_dealt).map(|size| (size, tier.count(color, size))).collect();
    let ways: u64 = counts.iter().map(|&(_, count)| u64::from(layer::binomial(16, count))).product();
    let deal = Deal::by(color, processes);
    let step = (ways / SAMPLE).max(1);
    let owner = |way: u64| {
        let mut rest = way;
        let mut outer = ByColor::<BySize<Bitboard>>::default();
        for &(size, count) in &counts {
            let sets = u64::from(layer::binomial(16, count));
            outer[color][size] = layer::set_of_rank((rest % sets) as u32, count);
            rest /= sets;
        }
        deal.owner(&Position::from_pieces(outer, Color::White))
    };
    let mut parts = vec![0u64; processes];
    let owners: Vec<usize> = (0..ways.div_ceil(step)).into_par_iter().map(|way| owner(way * step)).collect();
    owners.iter().for_each(|&owner| parts[owner] += 1);
    let most = parts.iter().copied().max().unwrap_or_default();
    (most * processes as u64) as f64 / owners.len().max(1) as f64
}

/// The ways that are looked at, about.
const SAMPLE: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::rows::layout::Layout;

    #[test]
    fn each_row_has_one_owner_who_has_what_symmetry_makes_alike() {
        let layout = Layout::new("A2B1-A2B2C1".read().expect("a variant"));
        let processes = 3;
        for plan in layout.all().iter().filter(|plan| plan.rows > 100) {
            for color in Color::ALL {
                let deal = Deal::by(color, processes);
                let parts: Vec<Vec<u64>> = (0..processes).map(|process| deal.rows(plan, process)).collect();
                for row in (0..plan.rows).step_by(17) {
                    let has = |part: &Vec<u64>| part[row / 64] >> (row % 64) & 1 == 1;
                    let outer = plan.outer(row, Color::Black);
                    let owner = deal.owner(&outer);
                    assert_eq!(
                        parts.iter().map(has).collect::<Vec<_>>(),
                        [0, 1, 2].map(|process| process == owner)
                    );
                    let image = Symmetry::all().nth(row % 32).expect("32 of them").position(&outer);
                    assert_eq!(deal.owner(&image), owner, "{} {row}", plan.tier);
                }
                let rows: u32 = parts.iter().flatten().map(|word| word.count_ones()).sum();
                assert_eq!(rows as usize, plan.rows, "no row beyond the last");
            }
        }
    }

    #[test]
    fn many_ways_to_stand_are_dealt_evenly() {
        let layout = Layout::new("A3B3-A3B3C2".read().expect("a variant"));
        let largest = layout.all().last().expect("a tier").tier;
        let most = |color, processes| most_over_mean(largest, (color, Size::C), processes);
        for color in Color::ALL {
            assert_eq!(most(color, 1), 1.0);
            let [two, many] = [2, 64].map(|processes| most(color, processes));
            assert!((1.0..1.1).contains(&two) && two < many && many < 1.6, "{two} {many}");
        }
    }
}
