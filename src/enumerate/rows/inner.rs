//! Which pieces of Black are the inner ones.
//!
//! A row takes about the same time whatever its length, and longer rows are fewer. So the inner size is the one with the
//! fewest rows, unless something speaks against it:
//!
//! - White must have no smaller pieces. An inner piece on top of one hides it in some placements of a row and not in
//!   others. It may hide a smaller piece of Black's, because the square shows a black piece all the same.
//! - Where both sides have pieces of the inner size, some placements of a row cannot occur, because two pieces of a size
//!   never share a square. Their bits take memory: at most half as much again as with the smallest size.
//!
//! For example, in `A3B1-A3B3C1` Black's B are inner: the largest tier has 256 rows of 560 placements over each layer
//! of A, instead of 7,280 rows of 16. In `A3B3-A3B3C2` they would take 2.2 times the memory, so Black's C are inner.

use crate::enumerate::layer::binomial;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::layout::width;
use crate::rules::{Size, Variant};

/// The most memory that longer rows may take, in hundredths of what the rows of the smallest pieces take.
const MOST: u64 = 150;

/// The size of the inner pieces: the one with the fewest rows among those that do not take too much memory. Within a
/// discipline it is the smallest size, because a discipline leaves out placements of the smallest pieces.
pub(crate) fn inner(variant: Variant, discipline: &Discipline) -> Size {
    let smallest = smallest(variant);
    if !discipline.is_free() {
        return smallest;
    }
    let hides_none = |&size: &Size| {
        size > Size::A
            && size <= smallest
            && Size::ALL.into_iter().all(|below| below <= size || variant.white.count(below) == 0)
    };
    let affordable = |&size: &Size| 100 * bits(variant, size) <= MOST * bits(variant, smallest);
    let sizes = Size::ALL.into_iter().rev().filter(hides_none).filter(affordable);
    sizes.min_by_key(|&size| rows(variant, size)).unwrap_or(smallest)
}

/// The smallest size of a variant's pieces below A; B if it has none.
pub(crate) fn smallest(variant: Variant) -> Size {
    let has = |&size: &Size| variant.black.count(size) + variant.white.count(size) > 0;
    Size::ALL.into_iter().rev().find(has).map_or(Size::B, |smallest| smallest.max(Size::B))
}

/// The rows over each layer of A of the tier with all pieces on the board.
fn rows(variant: Variant, inner: Size) -> u64 {
    let of_size = |size: Size| {
        let white = variant.white.count(size);
        let black = if size == inner { 0 } else { variant.black.count(size) };
        u64::from(binomial(16, white)) * u64::from(binomial(16 - white, black))
    };
    Size::ALL.into_iter().skip(1).map(of_size).product()
}

/// The bits that these rows take.
fn bits(variant: Variant, inner: Size) -> u64 {
    rows(variant, inner) * width(binomial(16, variant.black.count(inner)) as usize) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn most_pieces_are_inner_where_that_costs_little_memory() {
        for (name, expected) in [
            ("ab", Size::B),
            ("A3-A1", Size::B),
            ("A3-A3B3C1", Size::B),
            ("A3B1-A3B3C1", Size::B),
            ("A3B2-A3B3C2", Size::B),
            ("A2-A2B2C1", Size::B),
            // Of equal sizes the smallest is inner.
            ("A3-A3B2C2", Size::C),
            // Many placements of each row could not occur.
            ("A3B3-A3B3C2", Size::C),
            // White's C could lie below Black's B.
            ("A3B1C1-A3B3C1", Size::C),
        ] {
            let variant = name.read().expect("a variant");
            assert_eq!(inner(variant, &Discipline::FREE), expected, "{name}");
        }
        let keeps = "a=1".parse().expect("a discipline");
        assert_eq!(inner("A3-A3B3C1".read().expect("a variant"), &keeps), Size::C);
    }
}
