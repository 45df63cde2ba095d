//! Which rows lie together for the moves of one side.
//!
//! Rows are numbered so that those whose black A are alike, up to symmetry, lie side by side. They are a *band*, and no white
//! move leads out of it. A *column* has the rows whose white A are alike, and no black move leads out of that. With three A a side
//! there are 28 bands, and each column has its rows in 28 places. Whoever goes over a tier band by band, or column by column, touches
//! a small part of it at a time, and the memory need hold no more than that.

use std::ops::Range;

use crate::enumerate::Layers;
use crate::rules::{ByColor, Color};

/// The roots of some layers of A that lie together.
pub(crate) struct Columns {
    /// For each mover the groups of roots among which its moves stay: bands for White, columns for Black.
    groups: ByColor<Vec<Group>>,
    /// For each mover the group of each root, by its place.
    group_of: ByColor<Vec<usize>>,
}

/// Roots among which all moves of one side stay.
pub(crate) struct Group {
    /// The orbit of the other side's A. Layers with more or fewer A of the mover have a group with the same orbit, and that is
    /// where an A from hand leads.
    pub orbit: usize,
    /// The roots, in their order.
    pub roots: Vec<Range<usize>>,
}

impl Columns {
    pub(crate) fn of(layers: &Layers) -> Columns {
        let [(bands, band_of), (columns, column_of)] =
            [Color::White, Color::Black].map(|mover| Columns::of_mover(layers, mover));
        Columns {
            groups: ByColor { white: bands, black: columns },
            group_of: ByColor { white: band_of, black: column_of },
        }
    }

    fn of_mover(layers: &Layers, mover: Color) -> (Vec<Group>, Vec<usize>) {
        let orbits: Vec<usize> = layers.roots().iter().map(|root| root.orbit(!mover)).collect();
        let mut all = orbits.clone();
        all.sort_unstable();
        all.dedup();
        let group_of: Vec<usize> =
            orbits.iter().map(|orbit| all.partition_point(|one| one < orbit)).collect();
        let mut groups: Vec<Group> =
            all.into_iter().map(|orbit| Group { orbit, roots: Vec::new() }).collect();
        let mut first = 0;
        for alike in group_of.chunk_by(|one, next| one == next) {
            groups[alike[0]].roots.push(first..first + alike.len());
            first += alike.len();
        }
        (groups, group_of)
    }

    /// The group of a root for the moves of one side.
    pub(crate) fn group(&self, mover: Color, root: usize) -> usize {
        self.group_of[mover][root]
    }

    /// The groups for the moves of one side.
    pub(crate) fn groups(&self, mover: Color) -> &[Group] {
        &self.groups[mover]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::rows::layout::{Layout, TierLayout};
    use crate::enumerate::{Tier, roots};
    use crate::prelude::*;
    use crate::rules::{Position, Size};

    /// The rows that transfers of A of one side lead to.
    fn after(plan: &TierLayout, row: usize, mover: Color) -> Vec<usize> {
        let outer = plan.outer(row, mover);
        let moved = |from, to| {
            let mut moved: Position = outer;
            moved.remove(mover, Size::A, from);
            moved.add(mover, Size::A, to);
            plan.row(&moved).0
        };
        let targets = !outer.barred(Size::A);
        outer
            .visible_of(mover, Size::A)
            .squares()
            .flat_map(|from| targets.squares().map(move |to| moved(from, to)))
            .collect()
    }

    #[test]
    fn white_stays_in_a_band_and_black_in_a_column() {
        let layout = Layout::new("A3-A3B1".read().expect("a variant"));
        let mut met = 0;
        for plan in layout.all() {
            for mover in Color::ALL {
                let groups = plan.groups(mover);
                let mut rows: Vec<usize> = groups.iter().flatten().flat_map(Clone::clone).collect();
                rows.sort_unstable();
                assert!(rows.into_iter().eq(0..plan.rows), "each row is in one group: {}", plan.tier);
                for (group, rows) in groups.iter().enumerate() {
                    assert!(rows.iter().flat_map(Clone::clone).all(|row| plan.group(mover, row) == group));
                }
            }
            assert!(plan.groups(Color::White).iter().all(|band| band.len() == 1), "side by side");
            for row in (0..plan.rows).step_by(7) {
                for mover in Color::ALL {
                    let after = after(plan, row, mover);
                    met += after.len();
                    assert!(after.into_iter().all(|to| plan.group(mover, to) == plan.group(mover, row)));
                }
            }
        }
        assert!(met > 10_000, "{met}");
        // Three A of one side, up to symmetry, counted without the other side.
        let alone = roots(Tier([[3, 0, 0, 0], [0; 4]])).len();
        let fullest = layout.all().last().expect("a tier");
        assert_eq!(Color::ALL.map(|mover| fullest.groups(mover).len()), [alone; 2]);
    }
}
