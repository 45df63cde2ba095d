//! The distances of one tier, stored in whichever of two ways takes less memory.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::packed::Packed;
use crate::bitbase::lost::OutOfMemory;
use crate::enumerate::rows::layout::TierLayout;
use crate::enumerate::rows::ranked::Ranked;

/// The distances of a tier's positions, in white moves. A position is named by its number in
/// [`TierLayout::number`](crate::enumerate::rows::layout::TierLayout::number).
pub(crate) enum TierDistances {
    /// A distance for each position; 0 where Black does not win, or not soon enough.
    Each(Packed),
    /// Which positions Black wins soon enough, and for each of these its distance less one.
    Won(Ranked, Packed),
}

impl TierDistances {
    /// Room for the distances of `len` positions, each at most `most`. `won` names those that have one. What takes less
    /// memory is chosen.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn new(won: Vec<AtomicU64>, len: usize, most: u8) -> Result<TierDistances, TryReserveError> {
        let count = won.par_iter().map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum();
        if Packed::bytes(len, most) <= bytes_of_won(len, count, most) {
            drop(won);
            return Ok(TierDistances::Each(Packed::new(len, most)?));
        }
        let won = Ranked::new(won.into_iter().map(AtomicU64::into_inner).collect());
        let moves = Packed::new(won.count(), most.saturating_sub(1))?;
        Ok(TierDistances::Won(won, moves))
    }

    /// The error that the system does not give the memory for distances of a tier.
    pub(crate) fn refused(plan: &TierLayout, most: u8) -> OutOfMemory {
        OutOfMemory { tier: plan.tier, bytes: TierDistances::bytes(plan.numbers(), plan.numbers(), most) }
    }

    /// The distance of a position; 0 if it has none.
    pub(crate) fn get(&self, number: usize) -> u8 {
        match self {
            TierDistances::Each(moves) => moves.get(number),
            TierDistances::Won(won, moves) => won.place(number).map_or(0, |place| moves.get(place) + 1),
        }
    }

    /// Sets the distance of a position that has none yet, at least 1. Other threads may set others meanwhile.
    ///
    /// # Panics
    /// If the position is not one of those that were said to have a distance.
    pub(crate) fn set(&self, number: usize, distance: u8) {
        match self {
            TierDistances::Each(moves) => moves.set(number, distance),
            TierDistances::Won(won, moves) => {
                moves.set(won.place(number).expect("it was said to have a distance"), distance - 1);
            }
        }
    }

    /// The bytes that [`TierDistances::new`] takes for `len` positions, of which Black wins `won`.
    pub(crate) fn bytes(len: usize, won: usize, most: u8) -> u128 {
        Packed::bytes(len, most).min(bytes_of_won(len, won, most))
    }
}

fn bytes_of_won(len: usize, won: usize, most: u8) -> u128 {
    Ranked::bytes(len) + Packed::bytes(won, most.saturating_sub(1))
}

/// A bit for each of `len` numbers, none of them set.
///
/// # Errors
/// The system does not give the memory.
pub(crate) fn no_bits(len: usize) -> Result<Vec<AtomicU64>, TryReserveError> {
    let (len, mut bits) = (len.div_ceil(64), Vec::new());
    bits.try_reserve_exact(len)?;
    bits.resize_with(len, AtomicU64::default);
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_what_was_set_and_the_smaller_one_is_taken() {
        let mut listed = [0; 2];
        for (apart, most) in [(1, 3), (2, 15), (3, 15), (7, 1), (40, 200), (5000, 24)] {
            let len = 2000;
            let won: Vec<usize> = (0..len).skip(apart / 2).step_by(apart).collect();
            let some = no_bits(len).expect("memory");
            won.iter().for_each(|&number| {
                some[number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
            });
            let distances = TierDistances::new(some, len, most).expect("memory");
            listed[usize::from(matches!(distances, TierDistances::Won(..)))] += 1;
            let distance = |number: usize| (number * 37 % usize::from(most)) as u8 + 1;
            won.iter().for_each(|&number| distances.set(number, distance(number)));
            for number in 0..len {
                let expected = if won.contains(&number) { distance(number) } else { 0 };
                assert_eq!(distances.get(number), expected, "{apart} {most} {number}");
            }
            let least = Packed::bytes(len, most).min(bytes_of_won(len, won.len(), most));
            assert_eq!(TierDistances::bytes(len, won.len(), most), least);
        }
        assert_eq!(listed, [2, 4]);
    }

    #[test]
    fn distances_of_half_of_the_positions_take_thirteen_sixteenths_of_the_memory() {
        // 15 distances and none take four bits. A list takes one bit and a quarter, and the distances of one half two.
        let (each, half) =
            (TierDistances::bytes(1 << 20, 1 << 20, 15), TierDistances::bytes(1 << 20, 1 << 19, 15));
        assert_eq!((each, half), (1 << 19, (1 << 19) * 13 / 16));
    }
}
