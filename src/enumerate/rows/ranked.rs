//! Sets of numbers with rank: each set says how many of its members are below a number.
//!
//! The counts are those of rank9 (S. Vigna, *Broadword implementation of rank/select queries*, 2008): one for each block
//! of eight words, and one of nine bits for each word of the block, so that a rank takes one population count.

/// A set of numbers, as bits.
pub(crate) struct Ranked {
    words: Vec<u64>,
    /// For each block: how many members are before it, and the counts that [`within`] returns for it.
    before: Vec<[u64; 2]>,
    count: usize,
}

/// The number of words of a block: they share a count of the members before them.
const BLOCK: usize = 8;

/// The bits that hold the count of members before a word within its block, at most 7 × 64.
const COUNT_BITS: usize = 9;

/// For each word of a block but the first, how many members of the block are before it; nine bits a word.
fn within(block: &[u64]) -> u64 {
    let mut count = 0;
    let counts = block.iter().take(BLOCK - 1).enumerate().map(|(index, word)| {
        count += u64::from(word.count_ones());
        count << (COUNT_BITS * index)
    });
    counts.fold(0, |all, count| all | count)
}

impl Ranked {
    /// The set of the numbers whose bits are set.
    pub(crate) fn new(words: Vec<u64>) -> Ranked {
        let mut count = 0;
        let before = words.chunks(BLOCK).map(|block| {
            let before = count;
            count += block.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            [before, within(block)]
        });
        let before = before.collect();
        Ranked { words, before, count: count as usize }
    }

    /// The bytes that a set of numbers below `len` takes.
    pub(crate) fn bytes(len: usize) -> u128 {
        let words = len.div_ceil(64);
        8 * (words + 2 * words.div_ceil(BLOCK)) as u128
    }

    /// The number of members.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// A mask of 64 numbers: bit i is set if `64 * word + i` is a member.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words[word]
    }

    /// The rank of a number: how many members are smaller. `None` if it is not a member.
    #[inline]
    pub(crate) fn place(&self, number: usize) -> Option<usize> {
        let (index, bit) = (number / 64, 1 << (number % 64));
        let word = self.words[index];
        if word & bit == 0 {
            return None;
        }
        let [before, within] = self.before[index / BLOCK];
        // For the first word of a block this reads bit 63, which no count takes: it is 0.
        let earlier = within >> (COUNT_BITS * ((index + BLOCK - 1) % BLOCK)) & ((1 << COUNT_BITS) - 1);
        Some((before + earlier) as usize + (word & (bit - 1)).count_ones() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_know_how_many_are_before_them() {
        for step in [1, 3, 64, 511, 512, 700] {
            let len = 64 * 40;
            let mut words = vec![0; len / 64];
            let members: Vec<usize> = (step / 2..len).step_by(step).collect();
            members.iter().for_each(|number| words[number / 64] |= 1 << (number % 64));
            let ranked = Ranked::new(words);
            assert_eq!(ranked.count(), members.len());
            for number in 0..len {
                assert_eq!(ranked.place(number), members.iter().position(|&member| member == number));
            }
        }
    }
}
