//! Which process has which rows of a tier.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::enumerate::rows::layout::TierLayout;
use crate::enumerate::{Tier, layer};
use crate::rules::{Bitboard, Color, Position, Size};
use crate::symmetry::Symmetry;

/// Deals rows by the A, or the A and the pieces of a second outer size, of one colour. Rows in which a symmetry makes these pieces alike have one
/// owner. No move of the other colour leads from one owner to another.
///
/// If the orbits of the A of that colour can be dealt evenly, an owner has whole orbits. Its rows lie side by side
/// then, see `enumerate::rows::columns`, and a pass goes over them as over whole tiers. For example, three A have 28
/// orbits, which is enough for two processes and too few for 64. If they are too few, the orbits of A and of a second
/// size together are dealt: three A and three B have 10,094.
#[derive(Debug)]
pub(crate) struct Deal {
    color: Color,
    /// The second size.
    second: Size,
    /// By the numbers of A and of pieces of the second size of the colour on the board.
    dealt: [[Dealt; 4]; 4],
}

/// The owners of placements.
#[derive(Debug)]
struct Dealt {
    /// By the rank of the squares of A; if that is uneven, by `sets` times this rank plus the rank of the squares of the
    /// second size.
    owners: Vec<u32>,
    /// How many placements of the second size there are for each of A; 1 where it does not matter.
    sets: u32,
    /// The largest part of a process, as a multiple of the mean part.
    most_over_mean: f64,
}

/// The largest part that a process may have if orbits of A are dealt, as a multiple of the mean part.
const UNEVEN: f64 = 1.1;

/// The fewest words, of 64 rows each, that are worth another thread.
const WORDS: usize = 1 << 8;

impl Deal {
    /// Deals by the outer pieces of a colour to a number of processes.
    pub(crate) fn by(color: Color, inner: Size, processes: usize) -> Deal {
        let dealt = |a, other| Dealt::evenly([a, other], processes);
        let dealt = std::array::from_fn(|a| std::array::from_fn(|other| dealt(a as u8, other as u8)));
        Deal { color, second: second(color, inner), dealt }
    }

    /// The process that has the row of an outer placement.
    pub(crate) fn owner(&self, outer: &Position) -> usize {
        let [a, other] = [Size::A, self.second].map(|size| outer.pieces(self.color, size));
        self.dealt[a.count() as usize][other.count() as usize].owner(a, other)
    }

    /// The process that has a row of a tier.
    pub(crate) fn owner_of_row(&self, plan: &TierLayout, row: usize) -> usize {
        self.owner(&plan.outer(row, Color::White))
    }

    /// The rows of a tier that a process has, as one bit per row.
    pub(crate) fn rows(&self, plan: &TierLayout, process: usize) -> Vec<u64> {
        let own = |row: &usize| self.owner_of_row(plan, *row) == process;
        let of_word = |word: usize| {
            let rows = 64 * word..plan.rows.min(64 * word + 64);
            rows.filter(own).fold(0, |word, row| word | 1 << (row % 64))
        };
        (0..plan.rows.div_ceil(64)).into_par_iter().with_min_len(WORDS).map(of_word).collect()
    }
}

impl Dealt {
    /// The orbits of A, if they can be dealt evenly; else those of A and the second size.
    fn evenly([a, other]: [u8; 2], processes: usize) -> Dealt {
        let by_a = Dealt::new([a, 0], processes);
        if by_a.most_over_mean > UNEVEN && other > 0 { Dealt::new([a, other], processes) } else { by_a }
    }

    /// Deals the orbits of this many A and pieces of the second size of one colour: the largest first, each to the process
    /// that has least so far.
    fn new([a, other]: [u8; 2], processes: usize) -> Dealt {
        let sets = layer::binomial(16, other);
        let images = [a, other].map(images);
        // An orbit's name is the least of its ranks.
        let names_over = |of_a: &[u32; Symmetry::COUNT]| {
            let of_both = |of_other: &[u32; Symmetry::COUNT]| {
                of_a.iter().zip(of_other).map(|(a, other)| sets * a + other).min().unwrap_or_default()
            };
            images[1].iter().map(of_both).collect::<Vec<u32>>()
        };
        let names: Vec<u32> = images[0].par_iter().flat_map_iter(names_over).collect();
        let mut sizes = vec![0; names.len()];
        names.iter().for_each(|&name| sizes[name as usize] += 1);
        let mut orbits: Vec<usize> = (0..names.len()).filter(|&name| sizes[name] > 0).collect();
        orbits.sort_by_key(|&name| Reverse(sizes[name]));
        let (mut loads, mut owners) = (vec![0; processes], vec![0; names.len()]);
        for name in orbits {
            let least = (0..processes).min_by_key(|&process| loads[process]).unwrap_or_default();
            loads[least] += sizes[name];
            owners[name] = least as u32;
        }
        let most = loads.into_iter().max().unwrap_or_default();
        let most_over_mean = (most * processes) as f64 / names.len() as f64;
        let owners = names.into_iter().map(|name| owners[name as usize]).collect();
        Dealt { owners, sets, most_over_mean }
    }

    fn owner(&self, a: Bitboard, other: Bitboard) -> usize {
        let of_other = if self.sets == 1 { 0 } else { layer::rank_of_set(other) };
        self.owners[(self.sets * layer::rank_of_set(a) + of_other) as usize] as usize
    }
}

/// The largest part of a tier that a process has, as a multiple of the mean part, if rows are dealt by a colour's pieces.
pub(crate) fn most_over_mean(tier: Tier, (color, inner): (Color, Size), processes: usize) -> f64 {
    let counts = [Size::A, second(color, inner)].map(|size| tier.count(color, size));
    Dealt::evenly(counts, processes).most_over_mean
}

/// The second size by which rows are dealt: the largest outer one below A.
fn second(color: Color, inner: Size) -> Size {
    if color == Color::Black && inner == Size::B { Size::C } else { Size::B }
}

/// For each set of `count` squares, by its rank, the ranks of its images.
fn images(count: u8) -> Vec<[u32; Symmetry::COUNT]> {
    let images = |set| {
        let mut images = [0; Symmetry::COUNT];
        let ranks = Symmetry::all().map(|symmetry| layer::rank_of_set(symmetry.bitboard(set)));
        images.iter_mut().zip(ranks).for_each(|(image, rank)| *image = rank);
        images
    };
    (0..layer::binomial(16, count)).map(|rank| images(layer::set_of_rank(rank, count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::rows::layout::Layout;
    use crate::prelude::*;

    #[test]
    fn each_row_has_one_owner_who_has_what_symmetry_makes_alike() {
        let layout = Layout::new("A2B1-A2B2C1".read().expect("a variant"));
        for processes in [2, 3, 7] {
            for color in Color::ALL {
                let deal = Deal::by(color, layout.inner(), processes);
                for plan in layout.all().iter().filter(|plan| plan.rows > 100) {
                    let parts: Vec<Vec<u64>> =
                        (0..processes).map(|process| deal.rows(plan, process)).collect();
                    for row in (0..plan.rows).step_by(17) {
                        let has = |part: &Vec<u64>| part[row / 64] >> (row % 64) & 1 == 1;
                        let outer = plan.outer(row, Color::Black);
                        let owner = deal.owner(&outer);
                        let expected: Vec<bool> = (0..processes).map(|process| process == owner).collect();
                        assert_eq!(parts.iter().map(has).collect::<Vec<_>>(), expected);
                        let image = Symmetry::all().nth(row % 32).expect("32 of them").position(&outer);
                        assert_eq!(deal.owner(&image), owner, "{} {row}", plan.tier);
                    }
                    let rows: u32 = parts.iter().flatten().map(|word| word.count_ones()).sum();
                    assert_eq!(rows as usize, plan.rows, "no row beyond the last");
                }
            }
        }
    }

    /// For few processes bands and columns are dealt whole. For many they are divided, which is more even.
    #[test]
    fn orbits_of_a_stay_together_where_they_can_be_dealt_evenly() {
        let layout = Layout::new("A3B1-A3B1C1".read().expect("a variant"));
        let plan = layout.all().last().expect("a tier");
        for (processes, stay_together) in [(2, true), (5, true), (64, false)] {
            for color in Color::ALL {
                let deal = Deal::by(color, layout.inner(), processes);
                let mut rows = vec![0; processes];
                let mut together = true;
                for group in plan.groups(!color) {
                    let some =
                        group.iter().cloned().flatten().step_by(7).map(|row| deal.owner_of_row(plan, row));
                    let some: Vec<usize> = some.collect();
                    some.iter().for_each(|&owner| rows[owner] += 1);
                    together &= some.iter().all(|&owner| owner == some[0]);
                }
                assert_eq!(together, stay_together, "{processes} {color:?}");
                let (most, all): (usize, usize) = (*rows.iter().max().expect("a process"), rows.iter().sum());
                let is = (most * processes) as f64 / all as f64;
                let said = most_over_mean(plan.tier, (color, layout.inner()), processes);
                assert!(
                    said < 1.2 && (0.9..1.1).contains(&(is / said)),
                    "{processes} {color:?}: {is} {said}"
                );
            }
        }
    }

    #[test]
    fn many_ways_to_stand_are_dealt_evenly() {
        let layout = Layout::new("A3B3-A3B3C2".read().expect("a variant"));
        let largest = layout.all().last().expect("a tier").tier;
        for color in Color::ALL {
            for (processes, at_most) in [(1, 1.0), (2, 1.01), (64, 1.01), (1024, 1.1)] {
                let most = most_over_mean(largest, (color, Size::C), processes);
                assert!((1.0..=at_most).contains(&most), "{color:?} {processes}: {most}");
            }
        }
        // Where Black's B are inner, its A and C are dealt.
        let most = |name: &str, processes| {
            let tiers = Layout::new(name.read().expect("a variant"));
            most_over_mean(tiers.all().last().expect("a tier").tier, (Color::Black, Size::B), processes)
        };
        assert!(most("A3B2-A3B3C2", 64) < 1.1 && most("A3B1-A3B3C1", 64) < 1.3);
        // In `ab` its A alone are dealt, and their 28 orbits are too few for 64 processes.
        assert!(most("ab", 64) > 1.5);
    }
}
