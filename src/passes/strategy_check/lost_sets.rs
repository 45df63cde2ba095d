//! W and B of a triple: the positions that it calls lost, as bits over the canonical positions of a variant.

use bitvec::vec::BitVec;
use rayon::prelude::*;

use crate::enumerate::{Ranking, Root, Tier, Tiers, positions_above, roots};
use crate::rules::{Color, Game, Position};
use crate::strategy::Triple;
use crate::symmetry::canonical;

/// A root of a tier with the numbers that find it: the unit that a scan splits into.
pub(crate) struct Block {
    /// The numbering of the block's tier.
    pub ranking: Ranking,
    /// The root.
    pub root: Root,
}

/// The blocks of a variant, in the order of their tiers and ranks.
pub(crate) fn blocks(game: &Game) -> Vec<Block> {
    let tiers = Tiers::new(game.variant);
    let of_tier = |&tier: &Tier| {
        let ranking = Ranking::new(tier);
        roots(tier).into_iter().map(move |root| Block { ranking, root }).collect::<Vec<_>>()
    };
    tiers.as_slice().par_iter().flat_map_iter(of_tier).collect()
}

/// Membership in W (Black to move) and B (White to move) for every position of the variant.
pub(crate) struct LostSets {
    tiers: Tiers,
    /// By tier, where the bits of each layer of A begin in `bits`.
    layers: Vec<Layers>,
    /// White to move (B), Black to move (W).
    bits: [BitVec; 2],
}

struct Layers {
    ranking: Ranking,
    /// By the layer's rank.
    starts: Vec<u32>,
}

impl LostSets {
    /// Evaluates FceW and FceB at every canonical position.
    pub fn new(game: &Game, triple: &dyn Triple, blocks: &[Block]) -> LostSets {
        let of_block: Vec<[BitVec; 2]> =
            blocks.par_iter().map(|block| lost_bits(game, triple, block)).collect();
        let mut bits = [BitVec::new(), BitVec::new()];
        for sides in of_block {
            for (all, block) in bits.iter_mut().zip(sides) {
                all.extend_from_bitslice(&block);
            }
        }
        let tiers = Tiers::new(game.variant);
        let layers_of = |&tier: &Tier| {
            let ranking = Ranking::new(tier);
            Layers { ranking, starts: vec![u32::MAX; index(ranking.len() / ranking.len_above_a())] }
        };
        let mut layers: Vec<Layers> = tiers.as_slice().iter().map(layers_of).collect();
        let mut next = 0u32;
        for Block { ranking, root } in blocks {
            let tier = tiers.index(ranking.tier()).expect("a block's tier is the variant's");
            let rank = Ranking::new(Tier::of(&root.layer)).rank(&root.layer);
            layers[tier].starts[index(rank)] = next;
            next += index(ranking.len_above_a()) as u32;
        }
        LostSets { tiers, layers, bits }
    }

    /// Whether the position is in the set of its side to move.
    pub fn contains(&self, position: &Position) -> bool {
        let canonical = canonical(position);
        let tier = self.tiers.index(Tier::of(&canonical)).expect("a position of the variant");
        let layers = &self.layers[tier];
        let (rank, width) = (layers.ranking.rank(&canonical), layers.ranking.len_above_a());
        let start = layers.starts[index(rank / width)] as usize;
        self.bits[position.turn() as usize][start + index(rank % width)]
    }
}

/// The bits of a block, White to move, Black to move.
fn lost_bits(game: &Game, triple: &dyn Triple, block: &Block) -> [BitVec; 2] {
    let width = block.ranking.len_above_a();
    let mut bits = [BitVec::repeat(false, index(width)), BitVec::repeat(false, index(width))];
    for position in positions_above(&block.ranking, &block.root, Color::White) {
        let bit = index(block.ranking.rank(&position) % width);
        for turn in Color::ALL {
            bits[turn as usize].set(bit, triple.lost(game, &position.with_turn(turn)));
        }
    }
    bits
}

/// A rank inside a variant small enough to hold in memory.
fn index(rank: u128) -> usize {
    usize::try_from(rank).expect("the bits of the variant fit in memory")
}
