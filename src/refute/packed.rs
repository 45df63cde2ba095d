//! Arrays of small numbers, packed into words.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

/// An array of numbers up to some bound. A word holds several, as its digits to the base `base`.
pub(crate) struct Packed {
    /// What a one is worth in each digit of a word: the powers of `base`.
    ones: Vec<u64>,
    /// How many values a digit has.
    base: u64,
    words: Vec<AtomicU64>,
}

impl Packed {
    /// Room for numbers up to `most`, all of them 0.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn new(len: usize, most: u8) -> Result<Packed, TryReserveError> {
        let base = u64::from(most) + 1;
        let ones: Vec<u64> = (0..digits(most)).map(|digit| base.pow(digit)).collect();
        let (len, mut words) = (len.div_ceil(ones.len()), Vec::new());
        words.try_reserve_exact(len)?;
        words.resize_with(len, AtomicU64::default);
        Ok(Packed { ones, base, words })
    }

    /// How many bytes [`Packed::new`] takes.
    pub(crate) fn bytes(len: usize, most: u8) -> u128 {
        8 * len.div_ceil(digits(most) as usize) as u128
    }

    /// The number at a place; 0 past the end.
    pub(crate) fn get(&self, place: usize) -> u8 {
        let word = self.words.get(place / self.ones.len()).map_or(0, |word| word.load(Ordering::Relaxed));
        (word / self.ones[place % self.ones.len()] % self.base) as u8
    }

    /// Sets the number at a place, which must exist and hold 0. Other threads may set other places meanwhile.
    pub(crate) fn set(&self, place: usize, number: u8) {
        debug_assert!(u64::from(number) < self.base && self.get(place) == 0, "{number} at {place}");
        let one = self.ones[place % self.ones.len()];
        self.words[place / self.ones.len()].fetch_add(u64::from(number) * one, Ordering::Relaxed);
    }

    /// Replaces the number at a place, which must exist. Other threads may change other places meanwhile.
    pub(crate) fn replace(&self, place: usize, number: u8) {
        let one = self.ones[place % self.ones.len()];
        // The numbers of the other places stay, whichever of the two is larger.
        let more = u64::from(number).wrapping_sub(self.get(place).into()).wrapping_mul(one);
        self.words[place / self.ones.len()].fetch_add(more, Ordering::Relaxed);
    }
}

/// How many numbers up to `most` a word holds.
fn digits(most: u8) -> u32 {
    // With `most` 0 a word could hold any number of them. It is treated as 1.
    let base = u128::from(most.max(1)) + 1;
    (1..).take_while(|&digits| base.pow(digits) <= 1 << 64).last().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_there_and_nothing_else() {
        for most in 0..=u8::MAX {
            let packed = Packed::new(200, most).expect("memory");
            assert_eq!(8 * packed.words.len() as u128, Packed::bytes(200, most));
            let number = |place: usize| (place * 37 % (usize::from(most) + 1)) as u8;
            (0..200).step_by(3).for_each(|place| packed.set(place, number(place)));
            for place in 0..200 {
                assert_eq!(
                    packed.get(place),
                    if place % 3 == 0 { number(place) } else { 0 },
                    "{most} {place}"
                );
            }
            assert_eq!(packed.get(1000), 0);
            for (place, number) in [(30, most), (33, 0), (34, most)] {
                packed.replace(place, number);
                assert_eq!(packed.get(place), number, "{most} {place}");
            }
            assert_eq!([29, 31, 36].map(|place| packed.get(place)), [0, 0, number(36)], "{most}");
        }
    }

    #[test]
    fn a_word_holds_as_many_as_fit() {
        assert_eq!([1, 3, 15, 16, 18, 19, 255].map(digits), [64, 32, 16, 15, 15, 14, 8]);
    }
}
