//! Rows of a tier in which something was found, as working files hold them.

use serde::{Deserialize, Serialize};

use crate::bitbase::tables::Part;
use crate::enumerate::rows::kernel::words;
use crate::enumerate::rows::layout::TierLayout;

/// About how many words a row takes in a working file.
pub(crate) const ROW_WORDS: usize = 4;

/// Some rows of a tier and placements of its inner pieces.
#[derive(Default, Debug, Serialize, Deserialize)]
pub(crate) struct RowBlock {
    /// The number of the first row, then for each other row its number less that of the row before.
    behind: Vec<u64>,
    /// The placements as bits, one row after the other.
    places: Vec<u64>,
}

impl RowBlock {
    /// The rows of a part, in ascending order.
    pub(crate) fn of<const N: usize>(found: &[Part<N>]) -> RowBlock {
        let mut block = RowBlock::default();
        block.append(0, found);
        block
    }

    /// Appends rows in ascending order. None of them comes before `last`, the last row in the block; 0 if it is empty.
    pub(crate) fn append<const N: usize>(&mut self, last: usize, found: &[Part<N>]) {
        let mut before = last;
        let behind = |&(row, _): &Part<N>| (row - std::mem::replace(&mut before, row)) as u64;
        self.behind.extend(found.iter().map(behind));
        self.places.extend(found.iter().flat_map(|(_, places)| places));
    }

    /// About how many words it takes.
    pub(crate) fn words(&self) -> usize {
        self.behind.len() + self.places.len()
    }

    /// The rows and their placements; `None` if they are not those of the tier.
    pub(crate) fn rows(&self, plan: &TierLayout) -> Option<Vec<(usize, &[u64])>> {
        let words = words(plan.k);
        if self.places.len() != words * self.behind.len() {
            return None;
        }
        let mut row = 0;
        let numbers = self.behind.iter().map(|&behind| {
            row = usize::try_from(behind)
                .ok()
                .and_then(|behind| behind.checked_add(row))
                .filter(|&row| row < plan.rows)?;
            Some(row)
        });
        numbers.zip(self.places.chunks(words)).map(|(row, places)| Some((row?, places))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::rows::layout::Layout;
    use crate::prelude::*;

    #[test]
    fn rows_that_are_not_the_tiers_are_refused() {
        let layout = Layout::new("A1-A1B1".read().expect("a variant"));
        let plan = layout.all().last().expect("a tier");
        let rows = |behind: &[u64], places: usize| {
            RowBlock { behind: behind.to_vec(), places: vec![1; places] }.rows(plan).map(|rows| rows.len())
        };
        let last = plan.rows as u64 - 1;
        assert_eq!(rows(&[0, 1, last - 1], 3), Some(3));
        assert_eq!(rows(&[0, 1], 3), None, "more placements than rows");
        assert_eq!(rows(&[last + 1], 1), None);
        assert_eq!(rows(&[1, last], 2), None);
        assert_eq!(rows(&[1, u64::MAX], 2), None);
    }

    #[test]
    fn rows_that_are_appended_come_out_again() {
        let layout = Layout::new("A1-A1B1".read().expect("a variant"));
        let plan = layout.all().last().expect("a tier");
        let mut block = RowBlock::of(&[(1, [5]), (2, [7])]);
        block.append(2, &[(2, [8]), (4, [1])]);
        let expected: [(usize, &[u64]); 4] = [(1, &[5]), (2, &[7]), (2, &[8]), (4, &[1])];
        assert_eq!(block.rows(plan).expect("rows of the tier"), expected);
        assert_eq!(block.words(), 8);
    }
}
