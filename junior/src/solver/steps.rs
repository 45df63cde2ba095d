//! One ply for a whole row at once.

use super::words::{Masks, NONE, Words};
use crate::index::{Row, Rows, SETS, set, set_number};
use crate::rules::{Game, Reading, Size, Square, Squares};
use crate::symmetry::Symmetry;

/// In which direction a ply is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// To the positions that the mover can reach.
    After,
    /// To the positions from which the waiter, who moved last, can have come.
    Before,
}

/// How the pieces of a size that the acting side has can change.
struct Change {
    /// Where the piece stands in the position that is looked from; `None` if it is in hand there, or afterwards.
    lifted: Option<Square>,
    /// The number of the set of squares that must show nothing larger: where it stands, and where it goes.
    touched: u8,
    /// The number of the acting side's set afterwards.
    next: u8,
}

/// The plies of a game, and the rows that they are between.
pub(crate) struct Steps {
    game: Game,
    pub(crate) rows: Rows,
    pub(crate) masks: Masks,
    /// By size and number of the acting side's set: forward, then backward.
    changes: [[Vec<Vec<Change>>; 3]; 2],
}

/// The squares on which each side shows a piece as long as no Large one is there: the acting side's, the other's.
fn shown(small: [usize; 2], medium: [usize; 2]) -> [Squares; 2] {
    let side = |own: usize| set(medium[own]).or(set(small[own]).without(set(medium[1 - own])));
    [side(0), side(1)]
}

/// A set by the squares of a list.
fn number_of(squares: &[Square]) -> u8 {
    let squares = squares.iter().fold(Squares::EMPTY, |squares, square| squares.with(*square));
    set_number(squares).unwrap_or_default() as u8
}

/// How a set of at most `most` squares can change.
fn changes(number: usize, most: usize, step: Step) -> Vec<Change> {
    let own = set(number);
    if own.len() > most {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut add = |lifted, touched: &[Square], next: Squares| {
        let next = set_number(next).unwrap_or_default() as u8;
        found.push(Change { lifted, touched: number_of(touched), next });
    };
    let free = Squares::ALL.without(own);
    match step {
        Step::After if own.len() < most => free.squares().for_each(|to| add(None, &[to], own.with(to))),
        Step::After => {}
        Step::Before => own.squares().for_each(|at| add(None, &[at], own.without(at.into()))),
    }
    for from in own.squares() {
        for to in free.squares() {
            add(Some(from), &[from, to], own.without(from.into()).with(to));
        }
    }
    found
}

impl Steps {
    /// The plies of a game.
    pub(crate) fn new(game: Game) -> Steps {
        let of = |size, step| (0..SETS).map(|number| changes(number, game.material.of(size), step)).collect();
        let changes = [Step::After, Step::Before].map(|step| Size::ALL.map(|size| of(size, step)));
        Steps {
            game,
            rows: Rows::new(game.material),
            masks: Masks::new(game.material.of(Size::Large)),
            changes,
        }
    }

    /// The numbers of the sets of a row's Small and Medium pieces, the acting side's first.
    fn sets(&self, row: &Row, step: Step) -> [[usize; 2]; 2] {
        let [small, medium] = [(Size::Small, row.small), (Size::Medium, row.medium)]
            .map(|(size, placement)| self.rows.placements(size).sets(usize::from(placement)));
        match step {
            Step::After => [small, medium],
            Step::Before => [[small[1], small[0]], [medium[1], medium[0]]],
        }
    }

    /// Where the acting side of a row has a line, and where the other: words of the acting side's.
    pub(crate) fn lines(&self, row: &Row, step: Step) -> [Words; 2] {
        let [small, medium] = self.sets(row, step);
        let [acting, other] = shown(small, medium);
        self.masks.lines(acting, other)
    }

    /// The positions of a row that some ply leads to, or comes from, a position of the table. No position of the row that has
    /// a line should be asked for. A lift that loses at once is no such ply.
    ///
    /// The result has words of the acting side's: of the mover's for [`Step::After`], of the waiter's for [`Step::Before`].
    /// The acting side of this row is the other side in the table's: there too it has the words.
    pub(crate) fn joined(&self, row: &Row, step: Step, table: &[Words]) -> Words {
        let [small, medium] = self.sets(row, step);
        let changes = &self.changes[step as usize];
        let strict = self.game.reading == Reading::StrictLift;
        // Where the other side has a line, once a piece is lifted.
        let uncovered = |small: [usize; 2], medium: [usize; 2]| {
            let [acting, other] = shown(small, medium);
            self.masks.lines(acting, other)[1]
        };
        // After the ply the other side is to move: mover and waiter change places.
        let place = |size, [acting, other]: [usize; 2]| {
            let sets = if step == Step::After { [other, acting] } else { [acting, other] };
            self.rows.placements(size).number(sets)
        };
        let find = |small: [usize; 2], medium: [usize; 2]| {
            Some(self.rows.find(place(Size::Small, small)?, place(Size::Medium, medium)?))
        };
        let mut joined = NONE;

        if let Some((row, symmetry)) = find(small, medium) {
            let words = self.masks.before(symmetry, &table[row]);
            let uncovered = if strict { uncovered(small, medium) } else { NONE };
            for (own, joined) in joined.iter_mut().enumerate() {
                let changes = changes[Size::Large as usize][own].iter();
                let forbidden = |change: &Change| change.lifted.map_or(0, |from| uncovered[left(own, from)]);
                *joined = match strict {
                    true => changes
                        .fold(0, |sum, change| sum | words[usize::from(change.next)] & !forbidden(change)),
                    false => changes.fold(0, |sum, change| sum | words[usize::from(change.next)]),
                } & self.masks.valid[own];
            }
        }

        let mut sums = Sums { masks: &self.masks, sums: [NONE; Symmetry::COUNT], used: 0 };
        for changes in
            changes[Size::Medium as usize][medium[0]].chunk_by(|one, next| one.lifted == next.lifted)
        {
            for change in changes {
                if let Some((row, symmetry)) = find(small, [usize::from(change.next), medium[1]]) {
                    sums.add(&table[row], symmetry, change.touched);
                }
            }
            if let Some(from) = changes[0].lifted.filter(|_| strict) {
                sums.join(&mut joined, &uncovered(small, [left(medium[0], from), medium[1]]));
            } else if strict {
                sums.join(&mut joined, &NONE);
            }
        }
        let mediums = set(medium[0]).or(set(medium[1]));
        for changes in changes[Size::Small as usize][small[0]].chunk_by(|one, next| one.lifted == next.lifted)
        {
            for change in
                changes.iter().filter(|change| set(usize::from(change.touched)).and(mediums).is_empty())
            {
                if let Some((row, symmetry)) = find([usize::from(change.next), small[1]], medium) {
                    sums.add(&table[row], symmetry, change.touched);
                }
            }
            if let Some(from) = changes[0].lifted.filter(|_| strict) {
                sums.join(&mut joined, &uncovered([left(small[0], from), small[1]], medium));
            } else if strict {
                sums.join(&mut joined, &NONE);
            }
        }
        sums.join(&mut joined, &NONE);
        joined
    }
}

/// The number of a set without one of its squares.
fn left(number: usize, from: Square) -> usize {
    set_number(set(number).without(from.into())).unwrap_or_default()
}

/// What several plies lead to, summed up by the symmetry that takes it to its rows: to permute words takes longer than to sum
/// them up.
struct Sums<'a> {
    masks: &'a Masks,
    sums: [Words; Symmetry::COUNT],
    /// The symmetries with a sum, as bits by their numbers.
    used: u8,
}

impl Sums<'_> {
    /// Adds words as their row has them, where no Large piece touches the set with this number, as it was before the symmetry.
    fn add(&mut self, words: &Words, symmetry: Symmetry, touched: u8) {
        let free = self.masks.free(self.masks.image(symmetry, usize::from(touched)));
        for (sum, (word, free)) in self.sums[symmetry.index()].iter_mut().zip(words.iter().zip(free)) {
            *sum |= word & free;
        }
        self.used |= 1 << symmetry.index();
    }

    /// Adds all sums to the words of a row, without what is forbidden, and begins anew.
    fn join(&mut self, joined: &mut Words, forbidden: &Words) {
        for symmetry in Symmetry::all().filter(|symmetry| self.used >> symmetry.index() & 1 == 1) {
            let sum = self.masks.before(symmetry, &self.sums[symmetry.index()]);
            for (joined, (word, forbidden)) in joined.iter_mut().zip(sum.iter().zip(forbidden)) {
                *joined |= word & !forbidden;
            }
            self.sums[symmetry.index()] = NONE;
        }
        self.used = 0;
    }
}
