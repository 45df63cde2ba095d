//! One value for each colour, and one for each size.

use std::ops::{Index, IndexMut};

use gobcheck::rules::{Color, Size};

/// One value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// The value that a function has for each colour.
    pub fn from_fn(value: impl Fn(Color) -> T) -> ByColor<T> {
        ByColor { white: value(Color::White), black: value(Color::Black) }
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

/// One value for each size, largest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BySize<T>(pub [T; 4]);

impl<T> Index<Size> for BySize<T> {
    type Output = T;
    fn index(&self, size: Size) -> &T {
        &self.0[size as usize]
    }
}

impl<T> IndexMut<Size> for BySize<T> {
    fn index_mut(&mut self, size: Size) -> &mut T {
        &mut self.0[size as usize]
    }
}
