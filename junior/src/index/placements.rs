//! The ways to place the pieces of one size.

use crate::rules::Squares;
use crate::symmetry::Symmetry;

/// How many sets of at most two squares there are.
pub const SETS: usize = 46;

/// All sets of at most two squares by their numbers: the empty one, nine of one square, 36 of two.
const ALL: [Squares; SETS] = {
    let mut all = [Squares::EMPTY; SETS];
    let (mut count, mut found) = (0, 0);
    while count <= 2 {
        let mut bits = 0;
        while bits <= Squares::ALL.0 {
            if Squares(bits).len() == count {
                all[found] = Squares(bits);
                found += 1;
            }
            bits += 1;
        }
        count += 1;
    }
    all
};

/// The number of each set; [`SETS`] for one of more than two squares.
const NUMBERS: [u8; 512] = {
    let mut numbers = [SETS as u8; 512];
    let mut number = 0;
    while number < SETS {
        numbers[ALL[number].0 as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// The set of at most two squares with a number below [`SETS`].
#[must_use]
pub const fn set(number: usize) -> Squares {
    ALL[number]
}

/// The number of a set of squares, `None` if it has more than two.
#[must_use]
pub const fn set_number(squares: Squares) -> Option<usize> {
    let number = NUMBERS[(squares.0 & Squares::ALL.0) as usize] as usize;
    if number < SETS { Some(number) } else { None }
}

/// All placements of one size: a set of squares for the mover's pieces and a set apart from it for the waiter's.
#[derive(Clone, Debug)]
pub struct Placements {
    /// The numbers of the two sets, the mover's first.
    sets: Vec<[u8; 2]>,
    /// The placement of two sets, `None` where there is none.
    numbers: [[Option<u16>; SETS]; SETS],
}

impl Placements {
    /// The placements of at most `most` pieces a side: 1,423 for two, 91 for one, 1 for none.
    #[must_use]
    pub fn new(most: usize) -> Placements {
        let mut sets = Vec::new();
        let mut numbers = [[None; SETS]; SETS];
        for (mover, row) in numbers.iter_mut().enumerate() {
            for (waiter, number) in row.iter_mut().enumerate() {
                let [own, other] = [set(mover), set(waiter)];
                if own.len().max(other.len()) <= most && own.and(other).is_empty() {
                    *number = Some(sets.len() as u16);
                    sets.push([mover as u8, waiter as u8]);
                }
            }
        }
        Placements { sets, numbers }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none; there is always the empty one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The numbers of the two sets of a placement, the mover's first.
    ///
    /// # Panics
    /// If there is no placement with this number.
    #[must_use]
    pub fn sets(&self, number: usize) -> [usize; 2] {
        self.sets[number].map(usize::from)
    }

    /// The number of a placement by the numbers of its two sets; `None` if they meet or have too many squares.
    #[must_use]
    pub fn number(&self, [mover, waiter]: [usize; 2]) -> Option<usize> {
        self.numbers[mover][waiter].map(usize::from)
    }

    /// Where a symmetry takes each placement.
    #[must_use]
    pub fn images(&self, symmetry: Symmetry) -> Vec<u16> {
        let image = |number: u8| set_number(symmetry.squares(set(usize::from(number)))).unwrap_or_default();
        self.sets.iter().map(|sets| self.number(sets.map(image)).unwrap_or_default() as u16).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_1423_placements_of_two_pieces_a_side() {
        // Of i and j pieces there are C(9, i) · C(9 - i, j).
        let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
        for most in 0..=2 {
            let counts = (0..=most).flat_map(|i| (0..=most).map(move |j| choose(9, i) * choose(9 - i, j)));
            let placements = Placements::new(most);
            assert_eq!(placements.len(), counts.sum::<usize>());
            for number in 0..placements.len() {
                assert_eq!(placements.number(placements.sets(number)), Some(number));
            }
        }
        assert_eq!(Placements::new(2).len(), 1_423);
    }
}
