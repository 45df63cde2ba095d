//! Material and variants (R2, R9).

use std::fmt;

use super::piece::{Color, Size};

/// How many pieces of each size a side may use: 3 ≥ A ≥ B ≥ C ≥ D and A ≥ 1 (R2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material([u8; 4]);

impl Material {
    /// The material with these counts, A first; `None` if they break 3 ≥ A ≥ B ≥ C ≥ D or A ≥ 1.
    pub fn new(counts: [u8; 4]) -> Option<Material> {
        let falling = counts.is_sorted_by(|larger, smaller| larger >= smaller);
        (falling && (1..=3).contains(&counts[0])).then_some(Material(counts))
    }

    /// How many pieces of a size may be used, 0 … 3.
    pub fn count(self, size: Size) -> u8 {
        self.0[size as usize]
    }

    /// The four counts, A first.
    pub fn counts(self) -> [u8; 4] {
        self.0
    }

    /// Whether no count is above the other material's.
    pub fn at_most(self, other: Material) -> bool {
        Size::ALL.iter().all(|&size| self.count(size) <= other.count(size))
    }
}

/// The sizes in use with their counts, largest first: `A3B3C1`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut used = Size::ALL.into_iter().filter(|&size| self.count(size) > 0);
        used.try_for_each(|size| write!(f, "{size}{}", self.count(size)))
    }
}

/// What each side may use (R9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variant {
    /// What White may use; a proof with less holds for more (R9).
    pub white: Material,
    /// What Black may use.
    pub black: Material,
}

/// The named variants of RULES.md with their white and black counts.
const NAMED: [(&str, [u8; 4], [u8; 4]); 6] = [
    ("ab", [3, 0, 0, 0], [3, 3, 0, 0]),
    ("ab-full", [3, 3, 0, 0], [3, 3, 0, 0]),
    ("abc", [3, 3, 0, 0], [3, 3, 3, 0]),
    ("abc-full", [3, 3, 3, 0], [3, 3, 3, 0]),
    ("abcd", [3, 3, 3, 0], [3, 3, 3, 3]),
    ("abcd-full", [3, 3, 3, 3], [3, 3, 3, 3]),
];

impl Variant {
    /// The named variants, smallest first.
    pub fn named() -> impl Iterator<Item = (&'static str, Variant)> {
        NAMED.iter().map(|&(name, white, black)| (name, Variant { white: Material(white), black: Material(black) }))
    }

    /// The variant's name, if RULES.md gives it one.
    pub fn name(self) -> Option<&'static str> {
        Variant::named().find(|&(_, variant)| variant == self).map(|(name, _)| name)
    }

    /// A side's material.
    pub fn material(self, color: Color) -> Material {
        if color == Color::White { self.white } else { self.black }
    }
}

/// The name where there is one, else the material spelled out, white side first: `A3-A3B3C1`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{}-{}", self.white, self.black),
        }
    }
}
