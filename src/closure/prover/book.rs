//! The book: the positions of a closure that grows, and those that turned out lost. It is exact and takes eight bytes a
//! position.
//!
//! Positions with the same black pieces stand together, so one look-up finds all that may answer a question.

use super::view::{BLACK_BITS, Code, WHITE_BITS};

/// What the book says of a position with Black to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// White keeps to it, and its black moves are answered.
    In,
    /// White keeps to it, and its black moves wait for an answer.
    Open,
    /// It is lost.
    Lost,
}

impl Standing {
    pub(crate) const ALL: [Standing; 3] = [Standing::In, Standing::Open, Standing::Lost];
}

/// Each shelf holds cells in ascending order, one for each position. The shelf's index is the first bits of Black's mixed
/// number. A cell holds the other bits, White's number, and the standing.
pub(crate) struct Book {
    shelves: Vec<Vec<u64>>,
    /// How many positions there are of each standing.
    counts: [u64; Standing::ALL.len()],
}

/// The cells of a black placement, and where they stand.
pub(crate) struct Cells<'a> {
    pub shelf: usize,
    pub from: usize,
    pub cells: &'a [u64],
}

impl Cells<'_> {
    /// The number of a position.
    pub(crate) fn code(&self, place: usize) -> Code {
        code(self.shelf, self.cells[place])
    }
}

const SHELF_BITS: u32 = 16;
/// How many bits of Black's mixed number a cell holds.
const REST_BITS: u32 = BLACK_BITS - SHELF_BITS;
const REST_SHIFT: u32 = u64::BITS - REST_BITS;
const WHITE_SHIFT: u32 = REST_SHIFT - WHITE_BITS;
/// The bits below White's number.
const STANDING: u64 = (1 << WHITE_SHIFT) - 1;

/// A full shelf of `n` cells gets room for `n / ROOM` more.
const ROOM: usize = 16;

const BLACK_MASK: u64 = (1 << BLACK_BITS) - 1;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15 & BLACK_MASK;
/// Multiplying by this undoes a multiplication by the factor. Each step doubles the number of bits that are right, three
/// at first.
const INVERSE: u64 = {
    let (mut inverse, mut step) = (FACTOR, 0);
    while step < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(FACTOR.wrapping_mul(inverse)));
        step += 1;
    }
    inverse & BLACK_MASK
};

/// Spreads the numbers of black placements evenly. Different numbers stay different.
fn mixed(black: u64) -> u64 {
    let folded = black ^ black >> (BLACK_BITS / 2);
    let mixed = folded.wrapping_mul(FACTOR) & BLACK_MASK;
    mixed ^ mixed >> (BLACK_BITS / 2)
}

/// Undoes [`mixed`].
fn unmixed(mixed: u64) -> u64 {
    let mixed = mixed ^ mixed >> (BLACK_BITS / 2);
    let folded = mixed.wrapping_mul(INVERSE) & BLACK_MASK;
    folded ^ folded >> (BLACK_BITS / 2)
}

/// White's number and the standing in a cell.
#[inline]
pub(crate) fn white(cell: u64) -> (u64, Standing) {
    (cell >> WHITE_SHIFT & ((1 << WHITE_BITS) - 1), standing(cell))
}

#[inline]
fn standing(cell: u64) -> Standing {
    match cell & STANDING {
        0 => Standing::In,
        1 => Standing::Open,
        _ => Standing::Lost,
    }
}

/// The shelf of a black placement, and the bits that its cells begin with.
fn place(black: u64) -> (usize, u64) {
    let mixed = mixed(black);
    ((mixed >> REST_BITS) as usize, mixed << REST_SHIFT)
}

/// The shelf of a black placement.
pub(crate) fn shelf(black: u64) -> usize {
    place(black).0
}

/// The cell of a position, on its shelf.
fn cell(code: Code, standing: Standing) -> u64 {
    place(code.black).1 | code.white << WHITE_SHIFT | standing as u64
}

/// The place of a position's cell on its shelf, or the place for it, and the standing if it is there.
fn find(cells: &[u64], code: Code) -> (usize, Option<Standing>) {
    let own = cell(code, Standing::In);
    let at = lower_bound(cells, own);
    (at, cells.get(at).filter(|&&other| other & !STANDING == own).map(|&other| standing(other)))
}

fn put(cells: &mut Vec<u64>, at: usize, cell: u64) {
    if cells.len() == cells.capacity() {
        cells.reserve_exact((cells.len() / ROOM).max(2));
    }
    cells.insert(at, cell);
}

/// Adds a position to its shelf. Returns whether it is new.
pub(crate) fn insert(cells: &mut Vec<u64>, code: Code) -> bool {
    let (at, known) = find(cells, code);
    if known.is_none() {
        put(cells, at, cell(code, Standing::In));
    }
    known.is_none()
}

impl Book {
    pub(crate) fn new() -> Book {
        Book { shelves: vec![Vec::new(); 1 << SHELF_BITS], counts: [0; Standing::ALL.len()] }
    }

    /// The shelves in parts of at most `cells` cells each, or of one shelf.
    pub(crate) fn parts(&self, cells: usize) -> impl Iterator<Item = &[Vec<u64>]> {
        let mut left = self.shelves.as_slice();
        std::iter::from_fn(move || {
            let mut sum = 0;
            let mut fits = |shelf: &Vec<u64>| {
                sum += shelf.len();
                sum <= cells
            };
            // At least one shelf.
            let take = left.iter().take_while(|shelf| fits(shelf)).count().clamp(1, left.len().max(1));
            let part;
            (part, left) = left.split_at_checked(take)?;
            Some(part)
        })
    }

    /// The book with these shelves; `None` if one is not sorted or their number is wrong.
    pub(crate) fn from_shelves(shelves: Vec<Vec<u64>>) -> Option<Book> {
        let is_sorted = shelves.iter().all(|shelf| shelf.is_sorted());
        let mut counts = [0; Standing::ALL.len()];
        shelves.iter().flatten().for_each(|&cell| counts[standing(cell) as usize] += 1);
        (is_sorted && shelves.len() == 1 << SHELF_BITS).then_some(Book { shelves, counts })
    }

    /// How many positions White keeps to.
    pub(crate) fn inside(&self) -> u64 {
        self.count(Standing::In) + self.count(Standing::Open)
    }

    /// How many positions have a standing.
    pub(crate) fn count(&self, standing: Standing) -> u64 {
        self.counts[standing as usize]
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let cells: usize = self.shelves.iter().map(Vec::capacity).sum();
        (size_of::<u64>() * cells + size_of::<Vec<u64>>() * self.shelves.len()) as u64
    }

    /// The cells of a black placement.
    #[inline]
    pub(crate) fn cells(&self, black: u64) -> Cells<'_> {
        let (shelf, first) = place(black);
        let cells = &self.shelves[shelf];
        let from = lower_bound(cells, first);
        let last = first | ((1 << REST_SHIFT) - 1);
        let len = cells[from..].iter().take_while(|&&cell| cell <= last).count();
        Cells { shelf, from, cells: &cells[from..from + len] }
    }

    /// For each shelf how many cells stand on the shelves before it.
    pub(crate) fn starts(&self) -> Vec<usize> {
        let mut sum = 0;
        let start = |cells: &Vec<u64>| {
            sum += cells.len();
            sum - cells.len()
        };
        self.shelves.iter().map(start).collect()
    }

    /// The standing of a position, `None` if the book does not have it.
    pub(crate) fn standing(&self, code: Code) -> Option<Standing> {
        find(&self.shelves[shelf(code.black)], code).1
    }

    /// Sets the standing of a position; `false` if it was the same before.
    pub(crate) fn set(&mut self, code: Code, standing: Standing) -> bool {
        let cells = &mut self.shelves[shelf(code.black)];
        let (at, known) = find(cells, code);
        match known {
            Some(known) if known == standing => return false,
            Some(known) => {
                cells[at] = cell(code, standing);
                self.counts[known as usize] -= 1;
            }
            None => put(cells, at, cell(code, standing)),
        }
        self.counts[standing as usize] += 1;
        true
    }

    /// The positions that White keeps to, each once, in the book's order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Code> + '_ {
        (0..self.shelves()).flat_map(|shelf| self.shelf(shelf))
    }

    /// How many shelves there are.
    pub(crate) fn shelves(&self) -> usize {
        self.shelves.len()
    }

    /// The positions of a shelf that White keeps to.
    pub(crate) fn shelf(&self, shelf: usize) -> impl Iterator<Item = Code> + '_ {
        let inside = self.shelves[shelf].iter().filter(|&&cell| standing(cell) != Standing::Lost);
        inside.map(move |&cell| code(shelf, cell))
    }
}

/// The position that a cell of a shelf stands for.
fn code(shelf: usize, cell: u64) -> Code {
    let mixed = (shelf as u64) << REST_BITS | cell >> REST_SHIFT;
    Code { black: unmixed(mixed), white: white(cell).0 }
}

/// The place of the first cell that is not below `cell`. Cells begin with mixed numbers, which are spread evenly, so the
/// search begins at the place that `cell` would have if they were spread perfectly.
#[inline]
fn lower_bound(cells: &[u64], cell: u64) -> usize {
    let guess = ((u128::from(cell) * cells.len() as u128) >> u64::BITS) as usize;
    let mut step = 8;
    if cells.get(guess).is_some_and(|&other| other < cell) {
        let mut low = guess;
        loop {
            let high = low + step;
            match cells.get(high) {
                Some(&other) if other < cell => (low, step) = (high, 2 * step),
                _ => {
                    let high = high.min(cells.len());
                    return low + cells[low..high].partition_point(|&other| other < cell);
                }
            }
        }
    }
    let mut high = guess;
    loop {
        let low = high.saturating_sub(step);
        if low == 0 || cells[low] < cell {
            return low + cells[low..high].partition_point(|&other| other < cell);
        }
        (high, step) = (low, 2 * step);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Numbers without a pattern.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 20
    }

    #[test]
    fn mixing_is_undone() {
        let mut state = 1;
        for black in (0..1000).chain((0..1000).map(|_| random(&mut state) & BLACK_MASK)) {
            assert_eq!(unmixed(mixed(black)), black);
        }
    }

    #[test]
    fn the_book_says_what_was_said_last() {
        let (mut book, mut known, mut state) = (Book::new(), HashMap::new(), 7);
        let mut shelf = Vec::new();
        for _ in 0..200_000u64 {
            // Few black placements, so that many share one, and many on the same shelf.
            let black = (random(&mut state) % 3000 * 0x1_0001) & BLACK_MASK;
            let code = Code { black, white: random(&mut state) % 50 };
            let standing = Standing::ALL[random(&mut state) as usize % 3];
            let before = known.insert((code.black, code.white), standing);
            assert_eq!(book.set(code, standing), before != Some(standing));
            if place(black).0 == place(0).0 || place(black).0 == place(0x1_0001).0 {
                assert_eq!(insert(&mut shelf, code), before.is_none());
            }
        }
        assert!(shelf.len() > 1, "{}", shelf.len());
        for standing in Standing::ALL {
            let count = known.values().filter(|&&other| other == standing).count() as u64;
            assert_eq!(book.count(standing), count);
        }
        for (&(black, white), &standing) in &known {
            assert_eq!(book.standing(Code { black, white }), Some(standing));
            assert_eq!(book.standing(Code { black, white: 99 }), None);
        }
        let positions: Vec<Code> = book.positions().collect();
        assert_eq!(positions.len() as u64, book.inside());
        assert!(positions.iter().all(|code| known[&(code.black, code.white)] != Standing::Lost));
        assert!(book.bytes() < 9 * known.len() as u64 + 40 * (1 << SHELF_BITS));
        // Every position has a place of its own.
        let starts = book.starts();
        let mut met = vec![false; known.len()];
        for &(black, white) in known.keys() {
            let cells = book.cells(black);
            let codes = (0..cells.cells.len()).map(|place| (place, cells.code(place)));
            let own = codes.filter(|&(_, code)| code == Code { black, white });
            let [(place, _)] = own.collect::<Vec<_>>()[..] else { panic!("each once") };
            let place = starts[cells.shelf] + cells.from + place;
            assert!(!std::mem::replace(&mut met[place], true));
        }
    }
}
