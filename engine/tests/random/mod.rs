//! What the tests draw at random.

/// Random numbers that are the same in each run.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 on, below this one.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % below
    }
}
