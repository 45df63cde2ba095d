//! The part of a tier that is stored under a discipline: which rows, and which placements of each.

use std::ops::Range;

use rayon::prelude::*;

use crate::enumerate::layer;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::kernel::{Row, and, bits, is_empty, minus, words};
use crate::enumerate::rows::order::Order;
use crate::enumerate::rows::ranked::Ranked;
use crate::rules::{Bitboard, Color, Size};

/// The words of the longest row.
const WORDS: usize = words(3);

/// The rows and placements of a tier that are stored, for instance those that one side's discipline allows.
pub(crate) struct Domain {
    rows: Ranked,
    /// The stored placements, by the rank of the squares of the white pieces of the next size above the inner one.
    /// Under Black's discipline a single list serves all ranks. There is no list if every placement is stored.
    lists: Vec<List>,
}

/// The placements that are stored of a row.
pub(crate) struct List {
    /// The stored placements as places in [`Order`], ascending.
    places: Vec<u16>,
    /// The same as bits.
    stored: Row<WORDS>,
    /// The stored placements that White's move must not lead to.
    barred: Row<WORDS>,
    /// For each place how many stored placements are before it.
    before: Vec<u16>,
    /// For each four stored placements in turn their 16 subsets as bits. Empty if there are several lists: these tables
    /// would then push more out of the cache than they save.
    fours: Vec<[Row<WORDS>; 16]>,
}

impl Domain {
    /// The domain of a tier with `rows` rows and `whites` white pieces of the next size above `inner`. `left` returns a
    /// mask of the rows of a range that the discipline allows. `None` if the discipline allows everything.
    pub(crate) fn new(
        discipline: &Discipline,
        inner: Size,
        order: &Order,
        whites: u8,
        rows: usize,
        left: impl Fn(Range<usize>) -> u64 + Sync,
    ) -> Option<Domain> {
        let lists = lists(discipline, inner, order, whites);
        let allows_none = !lists.is_empty() && lists.iter().all(|list| list.places.is_empty());
        let word = |index: usize| {
            if allows_none { 0 } else { left(64 * index..rows.min(64 * index + 64)) }
        };
        let stored = Ranked::new((0..rows.div_ceil(64)).into_par_iter().map(word).collect());
        let all = stored.count() == rows && lists.is_empty();
        (!all).then_some(Domain { rows: stored, lists })
    }

    /// The domain of the rows whose bits are set, with all placements of each.
    pub(crate) fn of_rows(rows: Vec<u64>) -> Domain {
        Domain { rows: Ranked::new(rows), lists: Vec::new() }
    }

    /// How many rows are stored.
    pub(crate) fn rows(&self) -> usize {
        self.rows.count()
    }

    /// A mask of 64 rows: bit i is set if row `64 * word + i` is stored.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.rows.word(word)
    }

    /// The most placements that are stored of a row; `None` if all are.
    pub(crate) fn places(&self) -> Option<usize> {
        self.lists.iter().map(|list| list.places.len()).max()
    }

    /// The number of a row among the stored ones, `None` if it is not stored.
    #[inline]
    pub(crate) fn slot(&self, row: usize) -> Option<usize> {
        self.rows.place(row)
    }

    /// Whether all placements of each stored row are stored.
    #[inline]
    pub(crate) fn has_whole_rows(&self) -> bool {
        self.lists.is_empty()
    }

    /// The stored placements of a row whose white pieces of the next size above the inner one stand on `whites`; `None`
    /// if all are stored.
    pub(crate) fn list(&self, whites: impl FnOnce() -> Bitboard) -> Option<&List> {
        match self.lists.as_slice() {
            [] => None,
            [same] => Some(same),
            lists => Some(&lists[layer::rank_of_set(whites()) as usize]),
        }
    }
}

fn lists(discipline: &Discipline, inner: Size, order: &Order, whites: u8) -> Vec<List> {
    // Black's discipline does not look at white pieces.
    let ranks = if discipline.keeper() == Some(Color::Black) { 1 } else { layer::binomial(16, whites) };
    let lists = (0..ranks).map(|rank| {
        let whites = layer::set_of_rank(rank, whites);
        let allowed = |turn| {
            let mut row = [0; WORDS];
            for (place, &set) in order.sets().iter().enumerate() {
                let allowed = discipline.allows_at(inner, Some(whites), set, turn);
                row[place / 64] |= u64::from(allowed) << (place % 64);
            }
            row
        };
        let stored = allowed(Color::White);
        let places: Vec<u16> = bits(&stored).map(|place| place as u16).collect();
        let before = |place| places.partition_point(|&other| usize::from(other) < place) as u16;
        let fours = if ranks == 1 { places.chunks(4).map(sets_of_four).collect() } else { Vec::new() };
        List {
            fours,
            before: (0..order.sets().len()).map(before).collect(),
            barred: minus(&stored, &allowed(Color::Black)),
            stored,
            places,
        }
    });
    let lists: Vec<List> = lists.collect();
    let all = |list: &List| list.places.len() == order.sets().len() && is_empty(&list.barred);
    if lists.iter().all(all) { Vec::new() } else { lists }
}

/// The subsets of up to four places: subset `set` has `places[i]` if bit i of `set` is set.
fn sets_of_four(places: &[u16]) -> [Row<WORDS>; 16] {
    std::array::from_fn(|set| {
        let mut row = [0; WORDS];
        for (_, &place) in places.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1) {
            row[usize::from(place / 64)] |= 1 << (place % 64);
        }
        row
    })
}

impl List {
    /// The placements that are stored.
    pub(crate) fn stored<const N: usize>(&self) -> Row<N> {
        std::array::from_fn(|word| self.stored[word])
    }

    /// The stored placements that White's move must not lead to.
    pub(crate) fn barred<const N: usize>(&self) -> Row<N> {
        std::array::from_fn(|word| self.barred[word])
    }

    /// The place of a placement among the stored ones, `None` if it is not stored.
    pub(crate) fn place(&self, place: usize) -> Option<usize> {
        (self.stored[place / 64] >> (place % 64) & 1 == 1).then(|| usize::from(self.before[place]))
    }

    /// The row whose stored bits are `words`, from the first word on.
    pub(crate) fn spread<const N: usize>(&self, words: impl Iterator<Item = u64>) -> Row<N> {
        let mut row = [0; N];
        if !self.fours.is_empty() {
            for (word, fours) in words.zip(self.fours.chunks(16)) {
                for (index, sets) in fours.iter().enumerate() {
                    let set = &sets[(word >> (4 * index) & 15) as usize];
                    row.iter_mut().zip(set).for_each(|(to, from)| *to |= from);
                }
            }
            return row;
        }
        for (word, part) in words.zip(self.places.chunks(64)) {
            for bit in bits(&[word]) {
                let place = usize::from(part[bit]);
                row[place / 64] |= 1 << (place % 64);
            }
        }
        row
    }

    /// The words in which a row is stored. Placements that are not stored are left out.
    pub(crate) fn gathered<const N: usize>(&self, row: &Row<N>) -> Row<WORDS> {
        let mut words = [0; WORDS];
        for place in bits(&and(row, &self.stored())) {
            let at = usize::from(self.before[place]);
            words[at / 64] |= 1 << (at % 64);
        }
        words
    }
}
