//! The black update (thesis, Algorithm 2), a row at a time: a position with Black to move is lost when some black move
//! is judged *Black wins* or leads to a position that is lost with White to move.
//!
//! It has two parts. [`opening`] finds the positions that Black wins by completing a line or with a piece from hand.
//! These depend on no other position of the tier, so one pass finds them all. [`follow`] takes black moves back from
//! the few positions that were added to the tier last.

use std::convert::Infallible;
use std::ops::Range;

use arrayvec::ArrayVec;

use crate::bitbase::lost::Rows;
use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Dirty, Part, Tables, parts, with_kernel};
use crate::enumerate::lines::{LineCounts, lines_in};
use crate::enumerate::rows::board::{Board, Landing, Lift, add_where, black_lines};
use crate::enumerate::rows::kernel::{Kernel, Row, and, is_empty, minus, or_into};
use crate::enumerate::rows::strip::TOGETHER;
use crate::prelude::*;
use crate::rules::{Bitboard, Color, Position, Reading, Size, Square};
use crate::symmetry::Symmetry;

/// The placements of each row from which Black can complete a line, or put a piece from hand so that the
/// result is lost with White to move. The rows are of one strip.
pub(crate) fn opening<const N: usize>(
    tables: &Tables,
    boards: &[Board<'_, N>],
) -> ArrayVec<Row<N>, TOGETHER> {
    let begin = |board: &Board<'_, N>| {
        let mut open = Open { lost: [0; N], possible: board.possible(), covered: board.covered_by_black() };
        if board.outer.has_line(Color::White) {
            open.possible = [0; N];
            return open;
        }
        open.lost = board.kernel.transfers_to_lines(board.outer.visible(Color::Black), board.closed);
        tables.inner_places(board, &mut open.lost);
        if open.is_left() {
            outer_lines(board, &mut open);
        }
        open
    };
    let mut all: ArrayVec<Open<N>, TOGETHER> = boards.iter().map(begin).collect();
    outer_places(tables, boards, &mut all);
    all.into_iter().map(|open| and(&open.lost, &open.possible)).collect()
}

/// What [`opening`] knows of a row so far.
struct Open<const N: usize> {
    /// The placements found to be lost.
    lost: Row<N>,
    /// The placements that can occur; none if a white line stands.
    possible: Row<N>,
    /// The squares of white pieces that a piece from hand may cover whatever the placement, if it is large enough.
    covered: Bitboard,
}

impl<const N: usize> Open<N> {
    /// Whether more placements could be lost.
    fn is_left(&self) -> bool {
        !is_empty(&minus(&self.possible, &self.lost))
    }

    /// Adds the placements over which Black can put a piece of `size` from hand on `to` so that the result is lost. The
    /// result is in `row`, and its inner pieces are found under `symmetry`.
    fn add_place(
        &mut self,
        tables: &Tables,
        board: &Board<'_, N>,
        rows: &Rows<'_>,
        (size, to): (Size, Square),
        (row, symmetry): (usize, Symmetry),
    ) {
        let entry = if self.covered.contains(to) && !board.outer.barred(size).contains(to) {
            board.kernel.full()
        } else if board.occupied.contains(to) {
            return;
        } else {
            *board.kernel.lacking(to)
        };
        let wanted = minus(&and(&entry, &self.possible), &self.lost);
        if is_empty(&wanted) {
            return;
        }
        let mut after = board.kernel.permute(&rows.row(row), symmetry);
        if tables.may_end_outside() {
            let mut outer = board.outer;
            outer.add(Color::Black, size, to);
            or_into(&mut after, &black_lines(board.kernel, &outer));
        }
        add_where(&mut self.lost, &wanted, &after);
    }
}

/// Adds the placements from which the transfer of an outer piece completes a line.
fn outer_lines<const N: usize>(board: &Board<'_, N>, open: &mut Open<N>) {
    for lift in board.lifts() {
        let black = lift.lifted.visible(Color::Black);
        // No white line stood before the lift.
        let uncovers = lift.uncovers(Color::White) && lift.lifted.has_line(Color::White);
        // The piece in the air fills one square of the line, and the k inner pieces can fill others.
        for line in lines_in(LineCounts::of(black).at_least(3 - board.plan.k)) {
            let missing = line - black;
            for to in (missing & lift.targets).squares() {
                let rest = missing.without(to);
                if rest.meets(lift.lifted.occupied()) {
                    continue;
                }
                let Some(holding) = board.kernel.holding(rest) else { break };
                let mut outer = lift.lifted;
                outer.add(Color::Black, lift.size, to);
                if !uncovers || line_counts(board.game.reading, &outer) {
                    or_into(&mut open.lost, &and(&board.transfer(lift.size, lift.from, to), holding));
                }
            }
        }
    }
}

/// Whether a black line in `outer` wins for Black, who has just moved and uncovered a white line by lifting.
fn line_counts(reading: Reading, outer: &Position) -> bool {
    match reading {
        Reading::Official | Reading::NoEntryCover => !outer.has_line(Color::White),
        Reading::Thesis | Reading::Robust => true,
        Reading::StrictLift => false,
    }
}

/// Adds the placements over which Black can put an outer piece from hand so that the result is lost.
fn outer_places<const N: usize>(tables: &Tables, boards: &[Board<'_, N>], all: &mut [Open<N>]) {
    let Some(first) = boards.first() else { return };
    for size in first.plan.outer_sizes() {
        let Some(next) = first.plan.after.black[size] else { continue };
        let (plan, rows) = (tables.layout.tier(next), tables.lost.rows(next, Color::White));
        if size == Size::A {
            for way in first.ways_of_a_from_hand(plan) {
                for (board, open) in boards.iter().zip(&mut *all).filter(|(_, open)| open.is_left()) {
                    open.add_place(tables, board, &rows, (size, way.to), board.landing_of_a(&way).place());
                }
            }
        } else {
            for (board, open) in boards.iter().zip(&mut *all).filter(|(_, open)| open.is_left()) {
                for to in board.entries(size).squares() {
                    open.add_place(tables, board, &rows, (size, to), board.placed(plan, size, to));
                }
            }
        }
    }
}

/// Adds the positions from which a transfer by Black leads to `new` placements of the boards' rows, which
/// are lost with White to move and hold no line. `grown` gets the rows that grew. The rows are of one strip.
pub(crate) fn follow<const N: usize>(
    tables: &Tables,
    boards: &[Board<'_, N>],
    new: &[Part<N>],
    mut grown: impl FnMut(usize),
) {
    let Some(first) = boards.first() else { return };
    let kernel = first.kernel;
    let rows = tables.lost.rows(first.tier, Color::Black);
    // A transfer is taken back by the reverse transfer. With the piece in the air both have the same board.
    let mut lifted: ArrayVec<(u8, Lift, Taken), TOGETHER> = ArrayVec::new();
    let mut found: ArrayVec<(u8, Landing), TOGETHER> = ArrayVec::new();
    let mut images: ArrayVec<Row<N>, TOGETHER> = ArrayVec::new();
    for (from, ways) in first.ways_of_a() {
        lifted.clear();
        lifted.extend((0..).zip(boards).filter_map(|(place, board)| {
            let lift = board.lift(Size::A, from);
            Taken::back(board, &lift).map(|taken| (place, lift, taken))
        }));
        for way in ways {
            found.clear();
            found.extend(lifted.iter().filter_map(|(place, lift, taken)| {
                let landing = boards[usize::from(*place)].landing_of_a(&way);
                (may_grow(&rows, &landing) && !taken.leaves_line(lift, way.to)).then_some((*place, landing))
            }));
            images.clear();
            images.extend(found.iter().map(|&(place, _)| new[usize::from(place)].1));
            kernel.image_all(&mut images, way.symmetry());
            for ((place, landing), image) in found.iter().zip(&images) {
                add(&rows, &boards[usize::from(*place)], landing, image, &mut grown);
            }
        }
    }
    for (board, (_, new)) in boards.iter().zip(new) {
        for lift in board.lifts_below_a() {
            let Some(taken) = Taken::back(board, &lift) else { continue };
            for (to, landing) in board.landings(&lift) {
                if may_grow(&rows, &landing) && !taken.leaves_line(&lift, to) {
                    let new = and(new, &board.transfer(lift.size, lift.from, to));
                    add(&rows, board, &landing, &new, &mut grown);
                }
            }
        }
        if !rows.is_full(board.row) {
            let (stays, mut wanted) = (board.stays(), board.possible());
            // Rows that symmetry makes equal to this one may hold fewer positions, see `add`.
            if stays.alone {
                wanted = minus(&wanted, &rows.row(board.row));
            }
            let moved = kernel.transfers(new, board.closed, &wanted);
            add(&rows, board, &stays, &moved, &mut grown);
        }
    }
}

/// Whether the row of a landing, or a row that symmetry makes equal to it, may still grow.
#[inline(always)]
fn may_grow(rows: &Rows<'_>, landing: &Landing) -> bool {
    !landing.alone || !rows.is_full(landing.row)
}

/// Adds lost placements to the row from which a transfer came, and to the rows that symmetry makes equal to it. `grown`
/// gets the rows that grew.
#[inline(always)]
fn add<const N: usize>(
    rows: &Rows<'_>,
    board: &Board<'_, N>,
    landing: &Landing,
    placements: &Row<N>,
    grown: &mut impl FnMut(usize),
) {
    // Mostly there is nothing to add. Equal rows may hold fewer positions if a block of a checkpoint was missing.
    if !landing.alone || !is_empty(&minus(placements, &rows.row(landing.row))) {
        add_some(rows, board, landing, placements, grown);
    }
}

/// As [`add`], where there may be something to add.
#[inline(never)]
fn add_some<const N: usize>(
    rows: &Rows<'_>,
    board: &Board<'_, N>,
    &Landing { row, symmetry, alone }: &Landing,
    placements: &Row<N>,
    grown: &mut impl FnMut(usize),
) {
    let possible = board.kernel.image(&board.possible(), symmetry);
    let mut add = |row, stabiliser| {
        if rows.add(row, &board.kernel.image(placements, stabiliser)) {
            rows.note_full(row, &board.kernel.image(&possible, stabiliser));
            grown(row);
        }
    };
    if alone {
        add(row, Symmetry::IDENTITY);
    } else {
        board.plan.images((row, symmetry), |row, [_, stabiliser]| add(row, stabiliser));
    }
}

/// A transfer by Black that is taken back.
struct Taken {
    /// Whether lifting the piece uncovers a white line.
    uncovers: bool,
}

impl Taken {
    /// `None` if the line that lifting the piece uncovers decides the game.
    fn back<const N: usize>(board: &Board<'_, N>, lift: &Lift) -> Option<Taken> {
        let uncovers = lift.lifted.has_line(Color::White);
        match board.game.reading {
            Reading::Thesis | Reading::StrictLift if uncovers => None,
            _ => Some(Taken { uncovers }),
        }
    }

    /// Whether the uncovered line still stands after the piece has landed on `to`.
    fn leaves_line(&self, lift: &Lift, to: Square) -> bool {
        self.uncovers && {
            let mut outer = lift.lifted;
            outer.add(Color::Black, lift.size, to);
            outer.has_line(Color::White)
        }
    }
}

/// As [`follow`], for pieces put from hand: the positions are in earlier tiers, and `grown` gets tier and row.
fn follow_places<const N: usize>(
    tables: &Tables,
    board: &Board<'_, N>,
    new: &Row<N>,
    mut grown: impl FnMut(usize, usize),
) {
    let inner = tables.layout.inner();
    for size in board.plan.outer_sizes() {
        let Some(tier) = board.plan.before.black[size] else { continue };
        let plan = tables.layout.tier(tier);
        for to in board.outer.visible_of(Color::Black, size).squares() {
            let before = board.without(Color::Black, size, to);
            let placed = and(&before.entry(size, to), new);
            if is_empty(&placed) || before.outer.has_line(Color::White) {
                continue;
            }
            plan.images(board.row_after(plan, size, &before.outer), |index, symmetries| {
                let image =
                    symmetries.iter().fold(placed, |row, &symmetry| board.kernel.image(&row, symmetry));
                if tables.lost.add(tier, Color::Black, index, &image) {
                    grown(tier, index);
                }
            });
        }
    }
    if let Some(tier) = board.plan.before.black[inner] {
        let plan = tables.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, fewer => {
            let placed = fewer.places(new, board.kernel, board.occupied);
            // The outer pieces stay, so the row has the same number there.
            if tables.lost.add(tier, Color::Black, board.row, &placed) {
                grown(tier, board.row);
            }
        });
    }
}

/// Adds the positions in which Black can win in one move. Only positions with a black line may be lost before: then a
/// black update finds exactly these.
pub(crate) fn add_wins_in_one(solution: &Solution) {
    let Ok(()) = add_wins_in_one_heeding::<Infallible>(solution, &mut || Ok(()));
}

/// The same; `heed` is called before each part of a tier, and what it returns may break it off.
pub(crate) fn add_wins_in_one_heeding<E>(
    solution: &Solution,
    heed: &mut dyn FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let tables = solution.tables();
    for (tier, plan) in solution.layout.all().iter().enumerate() {
        let grown = Dirty::none(plan.rows);
        for part in parts(plan.rows) {
            heed()?;
            with_kernel!(tables.kernels, plan.k, kernel => tables.opening(kernel, tier, part, &grown));
        }
    }
    Ok(())
}

/// The pass over the rows of a tier, split over the cores.
impl Tables<'_> {
    /// Runs [`opening`] over some rows of a tier, adds what it finds, and marks the rows that grew.
    pub(crate) fn opening<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Range<usize>,
        grown: &Dirty,
    ) {
        let lost = self.lost.rows(tier, Color::Black);
        let which = |word| lost.unfilled(word);
        self.for_strips(kernel, (tier, Color::Black), rows, which, |boards| {
            for (board, new) in boards.iter().zip(opening(self, boards)) {
                if lost.add(board.row, &new) {
                    grown.mark(board.row);
                    lost.note_full(board.row, &board.possible());
                }
            }
        });
    }

    /// Runs [`follow`] from positions that were added with White to move, and marks the rows that grew.
    pub(crate) fn follow<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        new: &[Part<N>],
        grown: &Dirty,
    ) {
        self.visit_parts(kernel, (tier, Color::Black), new, |boards, new| {
            follow(self, boards, new, |row| grown.mark(row));
        });
    }

    /// Runs the black update in all tiers after the positions `new` of a tier became lost with White to move, and marks in
    /// `grown` the rows that grew.
    pub(crate) fn follow_everywhere<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        new: &[Part<N>],
        grown: &[Dirty],
    ) {
        self.visit_parts(kernel, (tier, Color::Black), new, |boards, new| {
            follow(self, boards, new, |row| grown[tier].mark(row));
            for (board, (_, new)) in boards.iter().zip(new) {
                follow_places(self, board, new, |tier, row| grown[tier].mark(row));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::enumerate::rows::discipline::Discipline;
    use crate::strategy::Seed;

    /// Rows that symmetry makes equal may hold different positions where a block of a checkpoint was missing.
    #[test]
    fn an_equal_row_gets_what_the_row_in_hand_holds_already() {
        let solution = solved(&game("A1B1-A3B3", Reading::Official), Seed::Rules);
        let begun = Solution::start_within(solution.game(), Seed::Rules, Discipline::FREE).expect("memory");
        let mut gained = 0;
        for (tier, plan) in solution.layout.all().iter().enumerate() {
            for row in (0..plan.rows).filter(|&row| plan.stabiliser(row).len() > 1) {
                gained += with_kernel!(solution.kernels, plan.k, kernel => {
                    equals_gain(&begun, &solution, kernel, (tier, row))
                });
            }
        }
        assert!(gained > 100, "{gained}");
    }

    /// Gives a row all that is lost with Black to move, and takes transfers back to it. Returns how many of the rows equal
    /// to it lacked what these transfers show to be lost; after the update none may.
    fn equals_gain<const N: usize>(
        begun: &Solution,
        solution: &Solution,
        kernel: &Kernel<N>,
        (tier, row): (usize, usize),
    ) -> usize {
        let (tables, plan) = (solution.tables(), solution.layout.tier(tier));
        let new = tables.lost_without_line(kernel, tier, row..row + 1, |_| u64::MAX);
        let [(_, lost)] = new.as_slice() else { return 0 };
        let mut walk = tables.walk(kernel, tier, Color::Black);
        let board = walk.board(row);
        let moved = kernel.transfers(lost, board.closed, &board.possible());
        begun.lost.add::<N>(tier, Color::Black, row, &solution.lost.row(tier, Color::Black, row));
        let lacking = || {
            let mut lacking = 0;
            plan.images((row, Symmetry::IDENTITY), |image, [_, stabiliser]| {
                let held = begun.lost.row(tier, Color::Black, image);
                let rest = minus(&kernel.image(&moved, stabiliser), &held);
                lacking += usize::from(!is_empty(&rest));
            });
            lacking
        };
        let before = lacking();
        begun.tables().follow(kernel, tier, &new, &Dirty::none(plan.rows));
        assert_eq!(lacking(), 0, "{} row {row}", plan.tier);
        before
    }
}
