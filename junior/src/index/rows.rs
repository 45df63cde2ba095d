//! The placements of the two smaller sizes up to symmetry, and the number of a position.

use super::placements::{Placements, SETS, set, set_number};
use crate::rules::{Color, Material, Position, Size};
use crate::symmetry::Symmetry;

/// One pair of placements of the Small and the Medium pieces, which stands for all its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The placement of the Small pieces.
    pub small: u16,
    /// The placement of the Medium pieces.
    pub medium: u16,
    /// The symmetries that leave both as they are: bit n for the symmetry with number n.
    pub stabiliser: u8,
}

/// All rows of a material.
#[derive(Clone, Debug)]
pub struct Rows {
    placements: [Placements; 3],
    /// Each size's placements with the sides exchanged.
    exchanged: [Vec<u16>; 3],
    rows: Vec<Row>,
    /// By the two placements: the row, and in the lowest three bits the symmetry that leads to it.
    places: Vec<u32>,
}

impl Rows {
    /// The rows of a material.
    #[must_use]
    pub fn new(material: Material) -> Rows {
        let placements = Size::ALL.map(|size| Placements::new(material.of(size)));
        let [small, medium, _] = &placements;
        let images = |placements: &Placements| -> Vec<Vec<u16>> {
            Symmetry::all().map(|symmetry| placements.images(symmetry)).collect()
        };
        let [small_images, medium_images] = [images(small), images(medium)];
        let mut rows = Vec::new();
        let mut places = vec![u32::MAX; small.len() * medium.len()];
        for (own_small, own_medium) in (0..small.len()).flat_map(|s| (0..medium.len()).map(move |m| (s, m))) {
            if places[own_small * medium.len() + own_medium] != u32::MAX {
                continue;
            }
            let mut row = Row { small: own_small as u16, medium: own_medium as u16, stabiliser: 0 };
            for symmetry in Symmetry::all() {
                let image =
                    [small_images[symmetry.index()][own_small], medium_images[symmetry.index()][own_medium]];
                if image == [row.small, row.medium] {
                    row.stabiliser |= 1 << symmetry.index();
                }
                let place = &mut places[usize::from(image[0]) * medium.len() + usize::from(image[1])];
                if *place == u32::MAX {
                    // 255,903 rows at most.
                    *place = (rows.len() as u32) << 3 | symmetry.inverse().index() as u32;
                }
            }
            rows.push(row);
        }
        let exchange = |placements: &Placements| -> Vec<u16> {
            let other = |number| {
                let [mover, waiter] = placements.sets(number);
                placements.number([waiter, mover]).unwrap_or_default() as u16
            };
            (0..placements.len()).map(other).collect()
        };
        let exchanged = [0, 1, 2].map(|size| exchange(&placements[size]));
        Rows { placements, exchanged, rows, places }
    }

    /// The rows, the empty one first.
    #[must_use]
    pub fn as_slice(&self) -> &[Row] {
        &self.rows
    }

    /// How many numbers there are: one for each row and each placement of the Large pieces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len() * self.placements(Size::Large).len()
    }

    /// How many positions there are that differ by more than a symmetry, with one side to move. Several numbers may be of one, so
    /// that there are fewer than [`Rows::len`].
    #[must_use]
    pub fn canonical(&self) -> u64 {
        let mut groups = [0u64; 256];
        for row in &self.rows {
            groups[usize::from(row.stabiliser)] += 1;
        }
        let of_row = |group: u8| -> u64 {
            let words = representatives(self.placements(Size::Large), group);
            words.iter().map(|word| u64::from(word.count_ones())).sum()
        };
        let used = (0..=u8::MAX).zip(groups).filter(|(_, count)| *count > 0);
        used.map(|(group, count)| count * of_row(group)).sum()
    }

    /// Whether there are none; there is always the empty board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The placements of a size.
    #[must_use]
    pub fn placements(&self, size: Size) -> &Placements {
        &self.placements[size as usize]
    }

    /// A placement of a size with mover and waiter exchanged.
    ///
    /// # Panics
    /// If there is no such placement.
    #[must_use]
    pub fn exchanged(&self, size: Size, placement: usize) -> usize {
        usize::from(self.exchanged[size as usize][placement])
    }

    /// The row of two placements, and the symmetry that takes them to the row's own.
    ///
    /// # Panics
    /// If there is no such placement.
    #[must_use]
    pub fn find(&self, small: usize, medium: usize) -> (usize, Symmetry) {
        let place = self.places[small * self.placements(Size::Medium).len() + medium];
        let symmetry = Symmetry::all().nth(place as usize & 7);
        (place as usize >> 3, symmetry.unwrap_or(Symmetry::IDENTITY))
    }

    /// The number of a position, below [`Rows::len`]; `None` if it has more pieces than the material. All images have the same
    /// number, the smallest.
    #[must_use]
    pub fn number(&self, position: &Position) -> Option<usize> {
        let sides = [position.turn(), position.turn().opponent()];
        let placement = |size, symmetry: Symmetry| {
            let sets = sides.map(|color| set_number(symmetry.squares(position.pieces(color, size))));
            self.placements(size).number([sets[0]?, sets[1]?])
        };
        let [small, medium] = [Size::Small, Size::Medium].map(|size| placement(size, Symmetry::IDENTITY));
        let (small, medium) = (small?, medium?);
        let (row, _) = self.find(small, medium);
        // Symmetries that leave the row as it is lead to several placements of the Large pieces.
        let leads = |symmetry: &Symmetry| {
            let [small, medium] = [Size::Small, Size::Medium].map(|size| placement(size, *symmetry));
            let own = self.rows[row];
            [small, medium] == [Some(own.small.into()), Some(own.medium.into())]
        };
        let large =
            Symmetry::all().filter(leads).filter_map(|symmetry| placement(Size::Large, symmetry)).min()?;
        Some(row * self.placements(Size::Large).len() + large)
    }

    /// A position with a number below [`Rows::len`]; of the images that have it the one that is as the row is.
    #[must_use]
    pub fn position(&self, number: usize, turn: Color) -> Option<Position> {
        let large = self.placements(Size::Large).len();
        let row = self.rows.get(number / large)?;
        let numbers = [usize::from(row.small), usize::from(row.medium), number % large];
        let sets = [0, 1, 2].map(|size| self.placements[size].sets(numbers[size]).map(set));
        let side = |side: usize| [0, 1, 2].map(|size| sets[size][side]);
        let sides = if turn == Color::White { [side(0), side(1)] } else { [side(1), side(0)] };
        Position::new(sides, turn)
    }
}

/// The Large placements that stand for their images under a group of symmetries, given as bits by their numbers: those with the
/// smallest number. Bit `j` of word `i` is the placement of the sets `i` and `j`.
pub(crate) fn representatives(large: &Placements, group: u8) -> [u64; SETS] {
    let mut words = [0; SETS];
    let group: Vec<Vec<u16>> = Symmetry::all()
        .filter(|symmetry| group >> symmetry.index() & 1 == 1)
        .map(|symmetry| large.images(symmetry))
        .collect();
    for number in 0..large.len() {
        if group.iter().all(|images| usize::from(images[number]) >= number) {
            let [mover, waiter] = large.sets(number);
            words[mover] |= 1 << waiter;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_with_a_number_has_that_number_or_a_smaller_one_of_its_images() {
        let rows = Rows::new(Material::FULL);
        assert_eq!(rows.position(0, Color::Black), Some(Position::empty(Color::Black)));
        let mut own = 0;
        for number in (0..rows.len()).step_by(100_003) {
            for turn in Color::ALL {
                let position = rows.position(number, turn).expect("below the length");
                let least = rows.number(&position).expect("of the game");
                assert!(position.turn() == turn && least <= number, "{number}: {least}");
                own += u32::from(least == number);
                let again = rows.position(least, turn).expect("below the length");
                assert!(Symmetry::all().any(|symmetry| symmetry.position(&again) == position), "{number}");
            }
        }
        assert!(own > 7_000, "{own}");
        assert_eq!(rows.position(rows.len(), Color::White), None);
    }

    #[test]
    fn the_positions_are_as_many_as_burnside_counts() {
        let rows = Rows::new(Material::FULL);
        assert_eq!(rows.as_slice().len(), 255_903);
        assert_eq!(rows.len(), 364_149_969);
        // By Burnside's lemma, from how many placements each symmetry leaves as they are.
        let fixed = |power: u32| -> usize {
            let still = |symmetry| {
                let images = Placements::new(2).images(symmetry);
                images.iter().enumerate().filter(|(own, image)| *own == usize::from(**image)).count()
            };
            Symmetry::all().map(|symmetry| still(symmetry).pow(power)).sum::<usize>() / Symmetry::COUNT
        };
        assert_eq!((fixed(2), fixed(3)), (255_903, 360_382_485));
        assert_eq!(rows.canonical(), 360_382_485);
    }
}
