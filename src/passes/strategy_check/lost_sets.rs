//! W and B of a triple, as bits over the canonical positions of a variant.

use std::collections::HashMap;

use bitvec::vec::BitVec;
use rayon::prelude::*;

use crate::enumerate::{Ranking, Root, Tier, Tiers, positions_above, roots};
use crate::rules::{Color, Game, Position};
use crate::strategy::Triple;
use crate::symmetry::canonical;

/// A root of a tier with the numbers that find it: the unit that a scan splits into.
pub(super) struct Block {
    /// The numbering of the block's tier.
    pub ranking: Ranking,
    /// The root.
    pub root: Root,
}

/// The blocks of a variant, in the order of their tiers and ranks.
pub(super) fn blocks(game: &Game) -> Vec<Block> {
    let tiers = Tiers::new(game.variant);
    let of_tier = |&tier: &Tier| {
        let ranking = Ranking::new(tier);
        roots(tier).into_iter().map(move |root| Block { ranking, root }).collect::<Vec<_>>()
    };
    tiers.as_slice().par_iter().flat_map_iter(of_tier).collect()
}

/// Membership in W (Black to move) and B (White to move) for every position of the variant.
pub(super) struct LostSets {
    /// For each tier, where the bits of each layer of A begin in `bits`, by the layer's rank.
    starts: HashMap<Tier, Layers>,
    bits: [BitVec; 2],
}

struct Layers {
    ranking: Ranking,
    starts: Vec<u32>,
}

impl LostSets {
    /// Evaluates FceW and FceB at every canonical position.
    pub fn new(game: &Game, triple: &dyn Triple, blocks: &[Block]) -> LostSets {
        let sides = [Color::White, Color::Black].map(|turn| {
            let of_block: Vec<BitVec> =
                blocks.par_iter().map(|block| lost_bits(game, triple, block, turn)).collect();
            of_block.into_iter().fold(BitVec::new(), |mut all, bits| {
                all.extend_from_bitslice(&bits);
                all
            })
        });
        let mut starts: HashMap<Tier, Layers> = HashMap::new();
        let mut next = 0u32;
        for Block { ranking, root } in blocks {
            let layers = starts.entry(ranking.tier()).or_insert_with(|| Layers {
                ranking: *ranking,
                starts: vec![u32::MAX; index(ranking.len() / ranking.len_above_a())],
            });
            layers.starts[index(Ranking::new(Tier::of(&root.layer)).rank(&root.layer))] = next;
            next += index(ranking.len_above_a()) as u32;
        }
        LostSets { starts, bits: sides }
    }

    /// Whether the position is in the set of its side to move.
    pub fn contains(&self, position: &Position) -> bool {
        let canonical = canonical(position);
        let layers = &self.starts[&Tier::of(&canonical)];
        let (rank, width) = (layers.ranking.rank(&canonical), layers.ranking.len_above_a());
        let start = layers.starts[index(rank / width)] as usize;
        self.bits[position.turn() as usize][start + index(rank % width)]
    }
}

fn lost_bits(game: &Game, triple: &dyn Triple, block: &Block, turn: Color) -> BitVec {
    let width = block.ranking.len_above_a();
    let mut bits = BitVec::repeat(false, index(width));
    for position in positions_above(&block.ranking, &block.root, turn) {
        if triple.lost(game, &position) {
            bits.set(index(block.ranking.rank(&position) % width), true);
        }
    }
    bits
}

/// A rank inside a variant small enough to hold in memory.
fn index(rank: u128) -> usize {
    usize::try_from(rank).expect("the bits of the variant fit in memory")
}
