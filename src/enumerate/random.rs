//! Numbers at random, from a seed: the same on every machine and in every run.

/// SplitMix64 (Steele, Lea and Flood, 2014): random enough to draw with, and the same everywhere.
pub(crate) struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, or 0 if `bound` is 0. Bounds are far below 2¹²⁸, so the bias is negligible.
    pub fn below(&mut self, bound: u128) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) % bound.max(1)
    }

    /// A random element, `None` if there is none.
    pub fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len() as u128) as usize)
    }
}

/// A random sample of things that come one by one, all equally likely (reservoir sampling, Vitter's algorithm R).
pub(crate) struct Sample<T> {
    /// The sample so far; its order means nothing.
    pub drawn: Vec<T>,
    most: usize,
    met: u128,
}

impl<T> Sample<T> {
    /// A sample of at most `most` things.
    pub fn new(most: usize) -> Sample<T> {
        Sample { drawn: Vec::new(), most, met: 0 }
    }

    /// Takes the next thing into the sample, or leaves it out.
    pub fn meet(&mut self, next: T, random: &mut Random) {
        self.met += 1;
        if self.drawn.len() < self.most {
            self.drawn.push(next);
        } else if let Some(place) = self.drawn.get_mut(random.below(self.met) as usize) {
            *place = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_drawn_as_often_as_any_other() {
        let mut random = Random(1);
        let mut times = [0; 20];
        for _ in 0..2_000 {
            let mut sample = Sample::new(5);
            (0..20).for_each(|number| sample.meet(number, &mut random));
            assert_eq!(sample.drawn.len(), 5);
            sample.drawn.into_iter().for_each(|number: usize| times[number] += 1);
        }
        // Each is expected 500 times, give or take 20.
        assert!(times.iter().all(|times| (400..600).contains(times)), "{times:?}");
    }
}
