//! Writing a certificate as bytes.

use gobcheck::format::{
    Certificate, DIGESTED, HEADER_LEN, Kind, MAGIC, MAX_BLOCK_ENTRIES, VERSION, crc32, sha256,
};
use gobcheck::rules::Reading;

use super::codec::push_block;

/// What can be written as the bytes of a certificate.
pub trait Encode {
    /// The bytes. The same content always gives the same bytes.
    ///
    /// # Panics
    /// If a closure lists positions with White to move, or a refutation some with Black to move; if a set is not of the
    /// claim's variant; if a refutation is under the reading `robust`; or if the certificate has more than 2³² − 1 blocks.
    #[must_use]
    fn encode(&self) -> Vec<u8>;
}

impl Encode for Certificate {
    fn encode(&self) -> Vec<u8> {
        let (kind, game) = (self.claim.kind, self.claim.game);
        let says_nothing = kind == Kind::Refutation && game.reading == Reading::Robust;
        assert!(!says_nothing, "what Black wins under robust says nothing");
        assert!(
            kind != Kind::Closure || self.white_to_move.is_empty(),
            "a closure lists Black to move alone"
        );
        assert!(
            kind != Kind::Refutation || self.black_to_move.is_empty(),
            "a refutation lists White to move alone"
        );
        let mut blocks = Vec::new();
        let mut count: u32 = 0;
        for (section, set) in [(0, &self.black_to_move), (1, &self.white_to_move)] {
            let tiers = gobcheck::index::Tiers::new(game.variant);
            assert_eq!(*set.tiers(), tiers, "the positions are of the variant");
            for tier_index in 0..tiers.as_slice().len() {
                for ranks in set.ranks(tier_index).chunks(MAX_BLOCK_ENTRIES as usize) {
                    push_block(&mut blocks, section, tier_index, ranks);
                    count += 1;
                }
            }
        }
        let mut bytes = Vec::with_capacity(HEADER_LEN + blocks.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        // Kinds and readings are counted from 1; the one seed of a cut, `rules`, is 1.
        bytes.extend([kind as u8 + 1, game.reading as u8 + 1]);
        bytes.extend(game.variant.white.counts());
        bytes.extend(game.variant.black.counts());
        bytes.extend([u8::from(kind == Kind::Cut), 0, 0, 0]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.black_to_move.len().to_le_bytes());
        bytes.extend(self.white_to_move.len().to_le_bytes());
        bytes.extend(((HEADER_LEN + blocks.len()) as u64).to_le_bytes());
        assert_eq!(bytes.len(), DIGESTED);
        bytes.extend(sha256([&bytes, &blocks]));
        bytes.extend(crc32([&bytes]).to_le_bytes());
        bytes.append(&mut blocks);
        bytes
    }
}
