//! The order of placements in a row, chosen so that a symmetry of a row is a few swaps of bits.
//!
//! The group has 32 elements, so an orbit of placements has 1, 2, 4, 8, 16 or 32. The group acts on an orbit like on
//! the leaves of a binary tree: it maps pairs to pairs, pairs of pairs to pairs of pairs, and further up in the same
//! way. The placements of an orbit stand in the order of such a tree, and larger orbits come first, so that each is
//! aligned to its length. A symmetry then either swaps the two halves below a node or leaves them. All nodes of one
//! height in a word take one exchange of bits under a mask.

use std::cmp::Reverse;

use crate::enumerate::layer;
use crate::enumerate::rows::ranks::rank_of_set;
use crate::rules::Bitboard;
use crate::symmetry::Symmetry;

/// The distances of the exchanges, from the root of the largest orbits down.
pub(crate) const DISTANCES: [u32; 5] = [16, 8, 4, 2, 1];

/// The order of the placements of `k` inner pieces.
pub(crate) struct Order {
    k: u8,
    sets: Vec<Bitboard>,
    /// The place of each set of squares, by its rank.
    places: Vec<u16>,
}

impl Order {
    /// The order of the placements of `k` pieces, at most 3.
    pub(crate) fn new(k: u8) -> Order {
        let count = layer::binomial(16, k);
        let mut seen = vec![false; count as usize];
        let mut orbits = Vec::new();
        for rank in 0..count {
            if !seen[rank as usize] {
                let set = layer::set_of_rank(rank, k);
                let mut orbit: Vec<Bitboard> =
                    Symmetry::all().map(|symmetry| symmetry.bitboard(set)).collect();
                orbit.sort_unstable();
                orbit.dedup();
                for &set in &orbit {
                    seen[layer::rank_of_set(set) as usize] = true;
                }
                orbits.push(tree(orbit.into_iter().map(|set| vec![set]).collect()));
            }
        }
        orbits.sort_by_key(|orbit| Reverse(orbit.len()));
        let sets = orbits.concat();
        let mut places = vec![0; sets.len()];
        for (place, &set) in (0..).zip(&sets) {
            places[layer::rank_of_set(set) as usize] = place;
        }
        Order { k, sets, places }
    }

    /// How many pieces are placed.
    pub(crate) fn k(&self) -> u8 {
        self.k
    }

    /// The placements in their order.
    pub(crate) fn sets(&self) -> &[Bitboard] {
        &self.sets
    }

    /// The place of a set of `k` squares.
    pub(crate) fn place(&self, set: Bitboard) -> usize {
        usize::from(self.places[rank_of_set(set)])
    }

    /// The masks, as `masks[distance][word]`, of the exchanges that bring to each place the bit at the place of its
    /// image under a symmetry. The distances are [`DISTANCES`]. A set bit is the lower place of an exchange.
    pub(crate) fn exchanges<const N: usize>(&self, symmetry: Symmetry) -> [[u64; N]; DISTANCES.len()] {
        let mut masks = [[0; N]; DISTANCES.len()];
        for (place, &set) in self.sets.iter().enumerate() {
            let source = self.place(symmetry.bitboard(set));
            for (mask, distance) in masks.iter_mut().zip(DISTANCES) {
                let distance = distance as usize;
                if place & distance == 0 && source & distance != 0 {
                    mask[place / 64] |= 1 << (place % 64);
                }
            }
        }
        masks
    }
}

/// The points of an orbit in the order of a tree that the group acts on. Each of the `blocks` is a subtree in
/// its order; the group maps blocks to blocks.
fn tree(blocks: Vec<Vec<Bitboard>>) -> Vec<Bitboard> {
    let Some((first, rest)) = blocks.split_first() else { return Vec::new() };
    let block_of = |set: Bitboard| blocks.iter().position(|block| block.contains(&set));
    let images = |block: &[Bitboard]| -> Vec<Option<usize>> {
        Symmetry::all().map(|symmetry| block_of(symmetry.bitboard(block[0]))).collect()
    };
    let from = images(first);
    // In a group of order 2ⁿ some partner of the first block makes pairs that are mapped to pairs.
    for partner in rest {
        let mut pair_of = vec![None; blocks.len()];
        let mapped = from.iter().zip(images(partner)).all(|(&a, b)| match (a, b) {
            (Some(a), Some(b)) => {
                let pair = (a.min(b), a.max(b));
                [a, b].into_iter().all(|block| *pair_of[block].get_or_insert(pair) == pair)
            }
            _ => false,
        });
        if mapped {
            let mut pairs: Vec<(usize, usize)> = pair_of.into_iter().flatten().collect();
            pairs.sort_unstable();
            pairs.dedup();
            return tree(pairs.into_iter().map(|(a, b)| [&blocks[a][..], &blocks[b][..]].concat()).collect());
        }
    }
    blocks.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placement_has_one_place() {
        for k in 0..=3 {
            let order = Order::new(k);
            assert_eq!(order.sets().len(), layer::binomial(16, k) as usize);
            for (place, &set) in order.sets().iter().enumerate() {
                assert_eq!((order.place(set), set.count()), (place, u32::from(k)));
            }
        }
    }
}
