//! Writing a certificate as bytes.

use super::block;
use super::claim::Kind;
use super::header::{HEADER_LEN, Header, VERSION, digest};
use super::{Body, Certificate, PositionSet};
use crate::rules::Reading;

impl Certificate {
    /// The certificate's bytes: the same for the same content, always.
    ///
    /// # Panics
    /// If a set is not of the certificate's variant, or a cut's seed does not suit it; if a refutation is under the
    /// reading `robust`; or if the certificate has more than 2³² − 1 blocks.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let variant = self.game.variant;
        assert!(self.seed().is_none_or(|seed| seed.suits(variant)), "the seed suits the variant");
        let says_nothing = self.kind() == Kind::Refutation && self.game.reading == Reading::Robust;
        assert!(!says_nothing, "what Black wins under robust says nothing");
        let (black_to_move, white_to_move) = match &self.body {
            Body::Cut { black_to_move, white_to_move, .. } => (Some(black_to_move), Some(white_to_move)),
            Body::Closure(set) => (Some(set), None),
            Body::Refutation(set) => (None, Some(set)),
        };
        let mut blocks = Vec::new();
        let mut count: u32 = 0;
        for (section, set) in [(0, black_to_move), (1, white_to_move)] {
            let Some(set) = set else { continue };
            assert_eq!(set.variant(), variant, "the positions are of the variant");
            for tier_index in 0..set.tiers().as_slice().len() {
                for ranks in set.ranks(tier_index).chunks(block::FULL) {
                    block::push(&mut blocks, section, tier_index, ranks);
                    count += 1;
                }
            }
        }
        let mut header = Header {
            version: VERSION,
            kind: self.kind(),
            game: self.game,
            seed: self.seed(),
            blocks: count,
            black_to_move: black_to_move.map_or(0, PositionSet::len),
            white_to_move: white_to_move.map_or(0, PositionSet::len),
            file_len: HEADER_LEN + blocks.len() as u64,
            digest: [0; 32],
        };
        header.digest = digest(&header.to_bytes(), &blocks);
        let mut bytes = header.to_bytes();
        bytes.append(&mut blocks);
        bytes
    }
}
