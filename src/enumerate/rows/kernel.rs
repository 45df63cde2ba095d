//! Bit vectors of placements of Black's inner pieces, and what moves do to them.
//!
//! A *row* has one bit for every set of `k` squares, in the order of [`Order`], in `N` words. A move of a larger piece
//! changes 560 placements by an AND or OR of nine words. The placements that hold some squares, or leave one free, are
//! a precomputed vector. A symmetry is a few exchanges of bits.

use std::sync::Arc;

use crate::enumerate::layer;
use crate::enumerate::lines::{LineCounts, lines_in};
use crate::enumerate::rows::order::{DISTANCES, Order};
use crate::enumerate::rows::ranks::rank_of_set;
use crate::prelude::*;
use crate::rules::{Bitboard, LINES, Square};
use crate::symmetry::Symmetry;

/// How many words a row of `k`-sets takes.
pub(crate) const fn words(k: u8) -> usize {
    (layer::binomial(16, k) as usize).div_ceil(64)
}

/// A set of placements of the inner pieces.
pub(crate) type Row<const N: usize> = [u64; N];

/// The tables for placements of `k` inner pieces.
pub(crate) struct Kernel<const N: usize> {
    order: Arc<Order>,
    /// All placements.
    full: Row<N>,
    /// `superset[n][r]`: the placements that hold the `r`-th set of `n` squares.
    superset: Vec<Vec<Row<N>>>,
    /// `subsets[n][r]`: that set of `n` squares.
    subsets: Vec<Vec<Bitboard>>,
    /// For each placement a mask: bit `r` is set if it holds the `r`-th set of `k − 1` squares.
    parts: Vec<u128>,
    /// The placements without a square.
    lacking: [Row<N>; Square::COUNT],
    /// For each symmetry the exchanges of bits that make it up, see [`Order::exchanges`].
    exchanges: Vec<Exchanges<N>>,
    /// The inverse of each symmetry.
    inverses: Vec<Symmetry>,
}

impl<const N: usize> Kernel<N> {
    /// The tables for the placements in an order.
    ///
    /// # Panics
    /// If `N` is not the number of [`words`] of such a row.
    pub(crate) fn new(order: Arc<Order>) -> Kernel<N> {
        let k = order.k();
        assert_eq!(N, words(k), "a kernel's words fit its pieces");
        let sets = order.sets();
        let select = |accept: &dyn Fn(Bitboard) -> bool| {
            let mut row = [0; N];
            for (i, _) in sets.iter().enumerate().filter(|&(_, &set)| accept(set)) {
                row[i / 64] |= 1 << (i % 64);
            }
            row
        };
        let subsets_of =
            |n| (0..layer::binomial(16, n)).map(move |rank| layer::set_of_rank(rank, n)).collect();
        let subsets: Vec<Vec<Bitboard>> = (0..=k).map(subsets_of).collect();
        let holding = |parts: &Vec<Bitboard>| {
            parts.iter().map(|&part| select(&|set| set.includes(part))).collect::<Vec<_>>()
        };
        let superset = subsets.iter().map(holding).collect();
        let parts_of = |set: Bitboard| {
            set.squares().fold(0, |parts, square| parts | 1_u128 << rank_of_set(set.without(square)))
        };
        let parts = sets.iter().map(|&set| parts_of(set)).collect();
        let lacking = Square::ALL.map(|square| select(&|set| !set.contains(square)));
        let exchanges = Symmetry::all().map(|symmetry| order.exchanges(symmetry)).collect();
        let inverses = Symmetry::all().map(Symmetry::inverse).collect();
        Kernel { full: select(&|_| true), superset, subsets, parts, lacking, exchanges, inverses, order }
    }

    /// All placements.
    pub(crate) fn full(&self) -> Row<N> {
        self.full
    }

    /// The placements in their order.
    pub(crate) fn sets(&self) -> &[Bitboard] {
        self.order.sets()
    }

    /// The first `N` words of a longer row.
    pub(crate) fn narrow<const M: usize>(&self, row: &Row<M>) -> Row<N> {
        std::array::from_fn(|word| row[word])
    }

    /// The placements without a square.
    pub(crate) fn lacking(&self, square: Square) -> &Row<N> {
        &self.lacking[square.index()]
    }

    /// The placements that share no square with a mask.
    pub(crate) fn apart_from(&self, mask: Bitboard) -> Row<N> {
        mask.squares().fold(self.full, |row, square| and(&row, self.lacking(square)))
    }

    /// The placements that hold a whole mask; `None` if the mask has more squares than there are inner pieces.
    pub(crate) fn holding(&self, mask: Bitboard) -> Option<&Row<N>> {
        self.superset.get(mask.count() as usize).map(|rows| &rows[rank_of_set(mask)])
    }

    /// The placements in which a black line stands. `black` has the squares where Black shows an outer piece. On
    /// `closed` squares an inner piece does not show.
    pub(crate) fn lines(&self, black: Bitboard, closed: Bitboard) -> Row<N> {
        let mut row = [0; N];
        for line in LINES {
            let missing = line - black;
            if !missing.meets(closed)
                && let Some(holding) = self.holding(missing)
            {
                or_into(&mut row, holding);
            }
        }
        row
    }

    /// The placements from which one inner piece that shows can go to a square that no piece holds and
    /// complete a black line there; arguments as for [`Kernel::lines`].
    pub(crate) fn transfers_to_lines(&self, black: Bitboard, closed: Bitboard) -> Row<N> {
        let Some(others) = self.order.k().checked_sub(1) else { return [0; N] };
        // Placements with at least one, two, three pieces showing.
        let mut showing = [[0; N]; 3];
        for square in (!closed).squares() {
            let here = minus(&self.full, self.lacking(square));
            let [one, two, three] = &mut showing;
            or_into(three, &and(two, &here));
            or_into(two, &and(one, &here));
            or_into(one, &here);
        }
        let mut row = [0; N];
        for line in lines_in(LineCounts::of(black).at_least(3 - others)) {
            // The piece that moves fills one missing square; pieces that show hold the others.
            let missing = line - black;
            let pieces = missing.count() as usize;
            if missing.meets(closed) || !(1..=showing.len()).contains(&pieces) {
                continue;
            }
            for to in missing.squares() {
                if let Some(holding) = self.holding(missing.without(to)) {
                    or_into(&mut row, &and(&and(holding, self.lacking(to)), &showing[pieces - 1]));
                }
            }
        }
        row
    }

    /// The placements in which a line through `square` has three or more black pieces that show, one of them on
    /// `square` (R4); arguments as for [`Kernel::lines`].
    pub(crate) fn threes_with(&self, square: Square, black: Bitboard, closed: Bitboard) -> Row<N> {
        let mut row = [0; N];
        for line in LINES.into_iter().filter(|line| line.contains(square)) {
            for left_out in line.without(square).squares() {
                let missing = line.without(left_out) - black;
                if !missing.meets(closed)
                    && let Some(holding) = self.holding(missing)
                {
                    or_into(&mut row, holding);
                }
            }
        }
        row
    }

    /// The row of the placements whose image under a symmetry is in `row`.
    // Inlined to keep the row in registers: to pass it through memory takes as long as the exchanges.
    #[inline(always)]
    pub(crate) fn permute(&self, row: &Row<N>, symmetry: Symmetry) -> Row<N> {
        if symmetry == Symmetry::IDENTITY {
            return *row;
        }
        exchanged(row, &self.exchanges[symmetry.index()])
    }

    /// As [`Kernel::permute`], for many rows under one symmetry.
    pub(crate) fn permute_all(&self, rows: &mut [Row<N>], symmetry: Symmetry) {
        if symmetry == Symmetry::IDENTITY {
            return;
        }
        let exchanges = &self.exchanges[symmetry.index()];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { exchange_all_avx2(rows, exchanges) };
        }
        exchange_all(rows, exchanges);
    }

    /// The images of the placements in `row` under a symmetry.
    #[inline(always)]
    pub(crate) fn image(&self, row: &Row<N>, symmetry: Symmetry) -> Row<N> {
        self.permute(row, self.inverses[symmetry.index()])
    }

    /// As [`Kernel::image`], for many rows under one symmetry.
    pub(crate) fn image_all(&self, rows: &mut [Row<N>], symmetry: Symmetry) {
        self.permute_all(rows, self.inverses[symmetry.index()]);
    }

    /// The placements in `wanted` from which the transfer of one inner piece gives a placement in `row`. The piece neither
    /// lies on a square of `closed` nor lands on one, nor on an inner piece.
    ///
    /// The piece moves between two placements that share the other `k − 1`. So if one of the placements that hold a set
    /// of `k − 1` squares is in `row`, all the others are found; if two are, all are found.
    pub(crate) fn transfers(&self, row: &Row<N>, closed: Bitboard, wanted: &Row<N>) -> Row<N> {
        let mut moved = [0; N];
        let shared = self.parts_of(wanted) & self.parts_of(row);
        let Some(fewer) = self.order.k().checked_sub(1).filter(|_| shared != 0) else { return moved };
        let among = self.by_number_on(closed);
        // By the number of the others on `closed`: the moving piece is on no such square.
        let ends = among.map(|among| and(row, &among));
        let mut starts = [[0; N]; 4];
        for (part, (others, holding)) in self.subsets(fewer).enumerate() {
            let number = (others & closed).count() as usize;
            if shared >> part & 1 == 1 {
                let here = and(&ends[number], holding);
                if !is_empty(&here) {
                    let found = if has_one(&here) { minus(holding, &here) } else { *holding };
                    or_into(&mut starts[number], &found);
                }
            }
        }
        for (starts, among) in starts.iter().zip(&among) {
            or_into(&mut moved, &and(starts, among));
        }
        and(&moved, wanted)
    }

    /// A mask: bit `r` is set if a placement in `row` holds the `r`-th set of `k − 1` squares. If there are many
    /// placements, all bits are set: to look at each would take longer than it saves.
    fn parts_of(&self, row: &Row<N>) -> u128 {
        const MANY: u32 = 64;
        if row.iter().map(|word| word.count_ones()).sum::<u32>() > MANY {
            return u128::MAX;
        }
        // A row that was read from a file may have bits of no placement.
        bits(&and(row, &self.full)).fold(0, |parts, place| parts | self.parts[place])
    }

    /// The placements from which an inner piece put on a square outside `closed` gives a placement in `row`. `row` has
    /// one inner piece more, and `more` is its kernel.
    pub(crate) fn places<const M: usize>(&self, row: &Row<M>, more: &Kernel<M>, closed: Bitboard) -> Row<N> {
        let mut before = [0; N];
        let ends = more.by_number_on(closed).map(|among| and(row, &among));
        for (place, &set) in self.sets().iter().enumerate() {
            let ends = &ends[(set & closed).count() as usize];
            let found = more.holding(set).is_some_and(|holding| !is_empty(&and(ends, holding)));
            before[place / 64] |= u64::from(found) << (place % 64);
        }
        before
    }

    /// The placements with no piece on squares of a mask, with one, with two and with three.
    fn by_number_on(&self, mask: Bitboard) -> [Row<N>; 4] {
        let mut among = [[0; N]; 4];
        among[0] = self.full;
        for square in mask.squares() {
            let without = self.lacking(square);
            for number in (1..among.len()).rev() {
                let one_more = minus(&among[number - 1], without);
                among[number] = and(&among[number], without);
                or_into(&mut among[number], &one_more);
            }
            among[0] = and(&among[0], without);
        }
        among
    }

    /// The sets of `n` squares, each with the placements that hold it.
    fn subsets(&self, n: u8) -> impl Iterator<Item = (Bitboard, &Row<N>)> {
        self.subsets[usize::from(n)].iter().copied().zip(&self.superset[usize::from(n)])
    }
}

/// The masks of the exchanges of bits that make up a symmetry.
type Exchanges<const N: usize> = [Row<N>; DISTANCES.len()];

/// The row after the exchanges of bits.
#[inline(always)]
fn exchanged<const N: usize>(row: &Row<N>, exchanges: &Exchanges<N>) -> Row<N> {
    let mut row = *row;
    for (distance, masks) in DISTANCES.into_iter().zip(exchanges) {
        for (word, mask) in row.iter_mut().zip(masks) {
            let differing = (*word ^ *word >> distance) & mask;
            *word ^= differing | differing << distance;
        }
    }
    row
}

/// Makes the same exchanges in many rows.
#[inline(always)]
fn exchange_all<const N: usize>(rows: &mut [Row<N>], exchanges: &Exchanges<N>) {
    for row in rows {
        *row = exchanged(row, exchanges);
    }
}

/// The same with vectors of four words.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn exchange_all_avx2<const N: usize>(rows: &mut [Row<N>], exchanges: &Exchanges<N>) {
    exchange_all(rows, exchanges);
}

/// The places of the set bits.
pub(crate) fn bits(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(i, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                64 * i + bit
            })
        })
    })
}

/// Whether no bit is set. The comparison with a row of zeros would be a call.
pub(crate) fn is_empty<const N: usize>(row: &Row<N>) -> bool {
    row.iter().all(|&word| word == 0)
}

/// Whether a single bit is set, of a row that is not empty.
fn has_one<const N: usize>(row: &Row<N>) -> bool {
    let mut words = row.iter().filter(|&&word| word != 0);
    words.next().is_some_and(|word| word.is_power_of_two()) && words.next().is_none()
}

pub(crate) fn and<const N: usize>(a: &Row<N>, b: &Row<N>) -> Row<N> {
    std::array::from_fn(|i| a[i] & b[i])
}

/// The bits of `a` that are not in `b`.
pub(crate) fn minus<const N: usize>(a: &Row<N>, b: &Row<N>) -> Row<N> {
    std::array::from_fn(|i| a[i] & !b[i])
}

pub(crate) fn or_into<const N: usize>(a: &mut Row<N>, b: &Row<N>) {
    for (a, b) in a.iter_mut().zip(b) {
        *a |= b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows with bits here and there.
    fn rows<const N: usize>(kernel: &Kernel<N>) -> impl Iterator<Item = Row<N>> {
        let places = kernel.sets().len();
        [1, 2, 3, 7, 31, 101].into_iter().map(move |step| {
            let mut row = [0; N];
            for place in (0..places).step_by(step) {
                row[place / 64] |= 1 << (place % 64);
            }
            row
        })
    }

    fn holds<const N: usize>(kernel: &Kernel<N>, row: &Row<N>, set: Bitboard) -> bool {
        let place = kernel.order.place(set);
        row[place / 64] >> (place % 64) & 1 == 1
    }

    fn check_permutations<const N: usize>(k: u8) {
        let kernel: Kernel<N> = Kernel::new(Arc::new(Order::new(k)));
        let all: Vec<Row<N>> = rows(&kernel).collect();
        for symmetry in Symmetry::all() {
            let expected: Vec<Row<N>> = all.iter().map(|row| kernel.permute(row, symmetry)).collect();
            let [mut together, mut plainly] = [all.clone(), all.clone()];
            kernel.permute_all(&mut together, symmetry);
            exchange_all(&mut plainly, &kernel.exchanges[symmetry.index()]);
            assert_eq!((&together, &plainly), (&expected, &expected));
            kernel.image_all(&mut together, symmetry);
            assert_eq!(together, all);
        }
        for row in rows(&kernel) {
            for symmetry in Symmetry::all() {
                let (source, image) = (kernel.permute(&row, symmetry), kernel.image(&row, symmetry));
                for &set in kernel.sets() {
                    assert_eq!(holds(&kernel, &source, set), holds(&kernel, &row, symmetry.bitboard(set)));
                    assert_eq!(holds(&kernel, &image, symmetry.bitboard(set)), holds(&kernel, &row, set));
                }
                let count = |row: &Row<N>| bits(row).count();
                assert_eq!((count(&source), count(&image)), (count(&row), count(&row)));
            }
        }
    }

    #[test]
    fn symmetries_permute_the_placements() {
        check_permutations::<{ words(0) }>(0);
        check_permutations::<{ words(1) }>(1);
        check_permutations::<{ words(2) }>(2);
        check_permutations::<{ words(3) }>(3);
    }

    #[test]
    fn transfers_and_places_are_those_of_each_placement() {
        let (two, three) = (
            Kernel::<{ words(2) }>::new(Arc::new(Order::new(2))),
            Kernel::<{ words(3) }>::new(Arc::new(Order::new(3))),
        );
        for closed in [0x0000, 0x0001, 0x8421, 0x0FF0, 0x7FFE, 0xFFFF].map(Bitboard) {
            for row in rows(&three) {
                let full = three.full();
                let (moved, before) =
                    (three.transfers(&row, closed, &full), two.places(&row, &three, closed));
                for wanted in rows(&three) {
                    assert_eq!(three.transfers(&row, closed, &wanted), and(&moved, &wanted), "{closed:?}");
                }
                let beyond = three.transfers(&[0, 0, 0, 0, 0, 0, 0, 0, 1 << 63], closed, &full);
                assert!(is_empty(&beyond), "the last bit is no placement");
                let reaches = |others: Bitboard, from: Option<Square>| {
                    let to = (!(others | closed)).squares().filter(|&to| Some(to) != from);
                    to.map(|to| others.with(to)).any(|set| holds(&three, &row, set))
                };
                for &set in three.sets() {
                    let expected =
                        (set - closed).squares().any(|from| reaches(set.without(from), Some(from)));
                    assert_eq!(holds(&three, &moved, set), expected, "{set:?} {closed:?}");
                }
                for &set in two.sets() {
                    assert_eq!(holds(&two, &before, set), reaches(set, None), "{set:?} {closed:?}");
                }
            }
        }
    }

    #[test]
    fn a_transfer_to_a_line_is_a_transfer_to_where_a_line_stands() {
        let kernel: Kernel<{ words(3) }> = Kernel::new(Arc::new(Order::new(3)));
        for black in [0x0000, 0x0003, 0x0111, 0x8421, 0x0660, 0x7003] {
            for covered in [0x0000, 0x1000, 0x0808, 0x0F00] {
                let (black, closed) = (Bitboard(black), Bitboard(black | covered));
                let lines = kernel.lines(black, closed);
                // Where a line stands already, a piece that goes from one line to another counts too.
                let expected = minus(&kernel.transfers(&lines, closed, &kernel.full()), &lines);
                let found = minus(&kernel.transfers_to_lines(black, closed), &lines);
                assert_eq!(found, expected, "black {black:?}, closed {closed:?}");
            }
        }
    }
}
