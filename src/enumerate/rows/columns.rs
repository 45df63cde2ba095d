//! Which rows lie together for the moves of one side.
//!
//! A *band* has the rows whose black A are alike, up to symmetry. No white move leads out of it, and its rows have
//! consecutive numbers. A *column* has the rows whose white A are alike, and no black move leads out of it. With three
//! A a side there are 28 bands, and the rows of each column lie in 28 places. A pass that goes over a tier band by
//! band, or column by column, touches a small part of it at a time, and only this part has to be in memory.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::enumerate::Layers;
use crate::rules::{ByColor, Color};

/// The roots of some layers of A, grouped by the orbit of the other side's A: into bands for White's moves, columns for
/// Black's. This orbit has the same number in tiers with more or fewer A of the mover: an A from hand keeps it too.
pub(crate) struct Columns {
    /// For each mover the orbit of each root.
    orbits: ByColor<Vec<usize>>,
    /// For each mover the roots of each orbit, in their order.
    roots: ByColor<BTreeMap<usize, Vec<Range<usize>>>>,
}

impl Columns {
    pub(crate) fn of(layers: &Layers) -> Columns {
        let orbits = ByColor::from_fn(|mover| {
            layers.roots().iter().map(|root| root.orbit(!mover)).collect::<Vec<_>>()
        });
        let roots = ByColor::from_fn(|mover| {
            let (mut roots, mut first) = (BTreeMap::<usize, Vec<Range<usize>>>::new(), 0);
            for alike in orbits[mover].chunk_by(|one, next| one == next) {
                roots.entry(alike[0]).or_default().push(first..first + alike.len());
                first += alike.len();
            }
            roots
        });
        Columns { orbits, roots }
    }

    /// The orbit of a root for the moves of one side.
    pub(crate) fn orbit(&self, mover: Color, root: usize) -> usize {
        self.orbits[mover][root]
    }

    /// The roots of each orbit for the moves of one side.
    pub(crate) fn roots(&self, mover: Color) -> &BTreeMap<usize, Vec<Range<usize>>> {
        &self.roots[mover]
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

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
                assert!(groups.iter().all(|rows| plan.orbits_of(mover, rows).len() == 1), "{}", plan.tier);
            }
            assert!(plan.groups(Color::White).iter().all(|band| band.len() == 1), "side by side");
            for row in (0..plan.rows).step_by(7) {
                for mover in Color::ALL {
                    let after = after(plan, row, mover);
                    met += after.len();
                    let orbit = |row| plan.orbits_of(mover, slice::from_ref(&(row..row + 1)));
                    assert!(after.into_iter().all(|to| orbit(to) == orbit(row)));
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
