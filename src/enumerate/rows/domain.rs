//! The part of a tier that a discipline leaves: which rows are stored, and which placements of each.

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

/// The part of a tier that is stored: what can come about if one side keeps to a discipline.
pub(crate) struct Domain {
    rows: Ranked,
    /// By rank of the squares of the white pieces that may stand on inner ones; one if it is the same for all of these, and
    /// none if every placement is stored.
    lists: Vec<List>,
}

/// The placements that are stored of a row.
pub(crate) struct List {
    /// Their places among all, ascending.
    places: Vec<u16>,
    /// The same as bits.
    stored: Row<WORDS>,
    /// Those to which White must not move.
    barred: Row<WORDS>,
    /// For each place how many of the stored ones are before it.
    before: Vec<u16>,
    /// For each four places in turn the 16 sets of them; empty where there are more lists than one, for then these tables
    /// would push out of the cache what they save.
    fours: Vec<[Row<WORDS>; 16]>,
}

impl Domain {
    /// The domain of a tier with `rows` rows, where `left` says which of some the discipline leaves, as bits, and with
    /// `whites` white pieces of the size next to `inner`; `None` if the discipline leaves all of it.
    pub(crate) fn new(
        discipline: &Discipline,
        inner: Size,
        order: &Order,
        whites: u8,
        rows: usize,
        left: impl Fn(Range<usize>) -> u64 + Sync,
    ) -> Option<Domain> {
        let lists = lists(discipline, inner, order, whites);
        let word = |index: usize| left(64 * index..rows.min(64 * index + 64));
        let stored = Ranked::new((0..rows.div_ceil(64)).into_par_iter().map(word).collect());
        let all = stored.count() == rows && lists.is_empty();
        (!all).then_some(Domain { rows: stored, lists })
    }

    /// The domain of some rows, as bits, and all placements of each.
    pub(crate) fn of_rows(rows: Vec<u64>) -> Domain {
        Domain { rows: Ranked::new(rows), lists: Vec::new() }
    }

    /// How many rows are stored.
    pub(crate) fn rows(&self) -> usize {
        self.rows.count()
    }

    /// Which rows of 64 are stored: those from 64 times a number on.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.rows.word(word)
    }

    /// How many placements are stored of a row at most, if not all.
    pub(crate) fn places(&self) -> Option<usize> {
        self.lists.iter().map(|list| list.places.len()).max()
    }

    /// Where a row is stored.
    #[inline]
    pub(crate) fn slot(&self, row: usize) -> Option<usize> {
        self.rows.place(row)
    }

    /// Whether all placements of each stored row are stored.
    #[inline]
    pub(crate) fn has_whole_rows(&self) -> bool {
        self.lists.is_empty()
    }

    /// The placements that are stored where white pieces of the size next to the inner one stand on these squares;
    /// `None` for all.
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

/// The sets of up to four places, by their bits.
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

    /// Those of them to which White must not move.
    pub(crate) fn barred<const N: usize>(&self) -> Row<N> {
        std::array::from_fn(|word| self.barred[word])
    }

    /// Where a placement is stored.
    pub(crate) fn place(&self, place: usize) -> Option<usize> {
        (self.stored[place / 64] >> (place % 64) & 1 == 1).then(|| usize::from(self.before[place]))
    }

    /// A row out of what is stored of it, a word after the other.
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

    /// The words in which a row is stored: what is not stored is left out.
    pub(crate) fn gathered<const N: usize>(&self, row: &Row<N>) -> Row<WORDS> {
        let mut words = [0; WORDS];
        for place in bits(&and(row, &self.stored())) {
            let at = usize::from(self.before[place]);
            words[at / 64] |= 1 << (at % 64);
        }
        words
    }
}
