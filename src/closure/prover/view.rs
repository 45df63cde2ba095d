//! Numbers for positions: all images of a position have the same one.
//!
//! White's moves leave Black's pieces where they are. So Black's placement is brought to its least image first, and
//! White's placement follows under the symmetries that lead there. A question and all positions that answer it then
//! share Black's number.

use std::sync::LazyLock;

use crate::prelude::*;
use crate::rules::{Bitboard, ByColor, BySize, Color, Position, Size};
use crate::symmetry::Symmetry;

/// A position: the numbers of Black's placement and of White's. The side to move does not count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Code {
    pub black: u64,
    pub white: u64,
}

/// How many bits the number of a side's set of one size takes.
pub(crate) const DIGIT: u32 = 10;
/// The same for black A, where only sets that are their own least image are numbered.
const FIRST_DIGIT: u32 = 6;
/// How many bits the numbers of Black's and of White's placement take.
pub(crate) const BLACK_BITS: u32 = FIRST_DIGIT + 3 * DIGIT;
pub(crate) const WHITE_BITS: u32 = 4 * DIGIT;

/// Black's placement up to symmetry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The number of its least image.
    pub black: u64,
    /// The symmetries that lead to that image, a bit each.
    ways: u32,
}

impl View {
    /// The numbers of the symmetries that lead to the least image.
    pub(crate) fn ways(self) -> impl Iterator<Item = usize> {
        let mut left = self.ways;
        std::iter::from_fn(move || {
            let way = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (way < u32::BITS).then_some(way as usize)
        })
    }
}

/// The sets of up to three squares, numbered: a side has at most three pieces of a size (R2).
struct Sets {
    sets: Vec<Bitboard>,
    /// The numbers of the sets, by their bits; larger sets have none.
    numbers: Vec<u16>,
    /// For each set the numbers of its images.
    images: Vec<[u16; Symmetry::COUNT]>,
    /// For each set the place of its least image in `heads`, and the symmetries that lead to that image, a bit each.
    least: Vec<(u8, u32)>,
    /// The numbers of all least images, in ascending order.
    heads: Vec<u16>,
}

static SETS: LazyLock<Sets> = LazyLock::new(|| {
    let sets: Vec<Bitboard> = (0..=u16::MAX).map(Bitboard).filter(|set| set.count() <= 3).collect();
    let mut numbers = vec![u16::MAX; 1 << 16];
    for (number, set) in sets.iter().enumerate() {
        numbers[usize::from(set.0)] = number as u16;
    }
    let image = |set: Bitboard, symmetry: Symmetry| numbers[usize::from(symmetry.bitboard(set).0)];
    let images = |&set: &Bitboard| std::array::from_fn(|way| image(set, Symmetry::from_index(way as u8)));
    let images: Vec<[u16; Symmetry::COUNT]> = sets.iter().map(images).collect();
    let least = |images: &[u16; Symmetry::COUNT]| images.iter().copied().min().unwrap_or_default();
    let mut heads: Vec<u16> = images.iter().map(least).collect();
    heads.sort_unstable();
    heads.dedup();
    let place = |images: &[u16; Symmetry::COUNT]| {
        let head = least(images);
        let ways =
            (0..Symmetry::COUNT).filter(|&way| images[way] == head).fold(0, |ways, way| ways | 1 << way);
        (heads.partition_point(|&other| other < head) as u8, ways)
    };
    let least = images.iter().map(place).collect();
    Sets { sets, numbers, images, least, heads }
});

/// The sets, computed once.
#[derive(Clone, Copy)]
pub(crate) struct Views(&'static Sets);

impl Views {
    pub(crate) fn new() -> Views {
        Views(&SETS)
    }

    fn number(self, set: Bitboard) -> usize {
        usize::from(self.0.numbers[usize::from(set.0)])
    }

    /// The set with a number.
    pub(crate) fn set(self, number: u64) -> Bitboard {
        self.0.sets[number as usize]
    }

    /// The view of Black's placement.
    #[inline]
    pub(crate) fn view(self, position: &Position) -> View {
        let [first, rest @ ..] = Size::ALL.map(|size| self.number(position.pieces(Color::Black, size)));
        let (head, mut ways) = self.0.least[first];
        let mut black = u64::from(head);
        for number in rest {
            let images = &self.0.images[number];
            let mut least = images[ways.trailing_zeros() as usize];
            if number != 0 && ways & (ways - 1) != 0 {
                let (mut kept, mut left) = (0, ways);
                while left != 0 {
                    let way = left.trailing_zeros();
                    left &= left - 1;
                    let image = images[way as usize];
                    if image < least {
                        (least, kept) = (image, 0);
                    }
                    kept |= u32::from(image == least) << way;
                }
                ways = kept;
            }
            black = black << DIGIT | u64::from(least);
        }
        View { black, ways }
    }

    /// The number of White's placement after a symmetry.
    #[inline]
    pub(crate) fn white(self, position: &Position, way: usize) -> u64 {
        Size::ALL.into_iter().fold(0, |white, size| {
            let number = self.number(position.pieces(Color::White, size));
            white << DIGIT | u64::from(self.0.images[number][way])
        })
    }

    /// The number of a position, given the view of its black placement.
    pub(crate) fn code_in(self, view: View, position: &Position) -> Code {
        let white = view.ways().map(|way| self.white(position, way)).min().unwrap_or_default();
        Code { black: view.black, white }
    }

    /// The number of a position.
    pub(crate) fn code(self, position: &Position) -> Code {
        self.code_in(self.view(position), position)
    }

    /// The position with a number, as one of its images, with Black to move.
    pub(crate) fn position(self, code: Code) -> Position {
        let mut pieces: ByColor<BySize<Bitboard>> = ByColor::default();
        let Code { mut black, mut white } = code;
        let [first, rest @ ..] = Size::ALL;
        for size in rest.into_iter().rev() {
            pieces.black[size] = self.set(black & ((1 << DIGIT) - 1));
            black >>= DIGIT;
        }
        pieces.black[first] = self.0.sets[usize::from(self.0.heads[black as usize])];
        for size in Size::ALL.into_iter().rev() {
            pieces.white[size] = self.set(white & ((1 << DIGIT) - 1));
            white >>= DIGIT;
        }
        Position::from_pieces(pieces, Color::Black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate::{Ranking, Tiers};

    use crate::symmetry;

    #[test]
    fn the_images_of_a_position_and_they_alone_have_its_number() {
        let views = Views::new();
        assert!(views.0.heads.len() <= 1 << FIRST_DIGIT, "{}", views.0.heads.len());
        assert!(views.0.sets.len() < 1 << DIGIT);
        let mut met = std::collections::HashMap::new();
        for variant in ["A2B1-A2B1", "abcd-full"] {
            let tiers = Tiers::new(variant.read().expect("a variant"));
            for &tier in tiers.as_slice() {
                let ranking = Ranking::new(tier);
                let step = (ranking.len() / 40).max(1) | 1;
                for rank in (0..ranking.len()).step_by(step as usize) {
                    let position = ranking.unrank(rank, Color::Black).expect("a rank");
                    let code = views.code(&position);
                    assert!(code.black >> BLACK_BITS == 0 && code.white >> WHITE_BITS == 0);
                    let canonical = symmetry::canonical(&position);
                    assert_eq!(symmetry::canonical(&views.position(code)), canonical, "{position}");
                    let known = *met.entry((code.black, code.white)).or_insert(canonical);
                    assert_eq!(known, canonical);
                    let image = Symmetry::from_index((rank % 32) as u8).position(&position);
                    assert_eq!(views.code(&image), code, "{position}");
                }
            }
        }
        assert!(met.len() > 10_000, "{}", met.len());
    }
}
