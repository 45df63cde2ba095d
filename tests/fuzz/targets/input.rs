//! An input read piece by piece; what is missing at its end is 0, so that every input means something.

use gobprove::rules::{Reading, Variant};

use super::random::variants;

pub struct Input<'a>(pub &'a [u8]);

impl Input<'_> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    pub fn number(&mut self, bytes: u32) -> u128 {
        (0..bytes).fold(0, |number, place| number | u128::from(self.byte()) << (8 * place))
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }

    pub fn reading(&mut self) -> Reading {
        self.pick(&Reading::ALL)
    }

    pub fn variant(&mut self) -> Variant {
        self.pick(&variants())
    }
}
