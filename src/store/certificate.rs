//! A certificate's content, from bytes and as bytes.

use gobcheck::format::{
    Claim, DIGESTED, FormatError, HEADER_LEN, Header, Kind, MAGIC, MAX_BLOCK_ENTRIES, VERSION, crc32, read,
    sha256,
};
use gobcheck::index::Tiers;
use gobcheck::rules::{Color, Game, Reading};

use super::codec::push_block;
use super::position_set::PositionSet;

/// A certificate's content: a claim, and the positions that are to prove it. Both sets are of the claim's variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What the certificate claims.
    pub claim: Claim,
    /// What is listed with Black to move: a closure's positions, which White never leaves; of a cut those that White
    /// keeps away from, the thesis's W; nothing of a refutation.
    pub black_to_move: PositionSet,
    /// What is listed with White to move: a refutation's positions, each of which Black wins by way of others; of a cut
    /// those that White keeps away from, the thesis's B; nothing of a closure.
    pub white_to_move: PositionSet,
}

impl Certificate {
    /// The certificate that these bytes are. There is one file for each content: nothing else is read.
    ///
    /// Whether it proves its claim is not judged here, nor whether its positions are canonical.
    ///
    /// # Errors
    /// The first thing about the bytes that FORMAT.md does not allow.
    pub fn decode(bytes: &[u8]) -> Result<Certificate, FormatError> {
        let variant = Header::parse(bytes)?.claim.game.variant;
        let [mut black_to_move, mut white_to_move] = [(); 2].map(|()| PositionSet::empty(variant));
        let claim = read(bytes, &mut |turn, tier_index, ranks| {
            let set = if turn == Color::Black { &mut black_to_move } else { &mut white_to_move };
            set.extend(tier_index, ranks);
        })?;
        Ok(Certificate { claim, black_to_move, white_to_move })
    }

    /// A closure of these positions with Black to move.
    #[must_use]
    pub fn closure(game: Game, black_to_move: PositionSet) -> Certificate {
        let white_to_move = PositionSet::empty(game.variant);
        Certificate { claim: Claim { game, kind: Kind::Closure }, black_to_move, white_to_move }
    }

    /// A refutation of these positions with White to move.
    #[must_use]
    pub fn refutation(game: Game, white_to_move: PositionSet) -> Certificate {
        let black_to_move = PositionSet::empty(game.variant);
        Certificate { claim: Claim { game, kind: Kind::Refutation }, black_to_move, white_to_move }
    }

    /// A cut that keeps away from these positions.
    #[must_use]
    pub fn cut(game: Game, black_to_move: PositionSet, white_to_move: PositionSet) -> Certificate {
        Certificate { claim: Claim { game, kind: Kind::Cut }, black_to_move, white_to_move }
    }

    /// The positions listed with a side to move; `None` where the kind lists none: a closure's White, a refutation's
    /// Black.
    #[must_use]
    pub fn listed(&self, turn: Color) -> Option<&PositionSet> {
        match (self.claim.kind, turn) {
            (Kind::Cut | Kind::Closure, Color::Black) => Some(&self.black_to_move),
            (Kind::Cut | Kind::Refutation, Color::White) => Some(&self.white_to_move),
            (Kind::Closure, Color::White) | (Kind::Refutation, Color::Black) => None,
        }
    }

    /// The bytes. The same content always gives the same bytes.
    ///
    /// # Panics
    /// If a closure lists positions with White to move, or a refutation some with Black to move; if a set is not of the
    /// claim's variant; if a refutation is under the reading `robust`; or if the certificate has more than 2³² − 1 blocks.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
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
            let tiers = Tiers::new(game.variant);
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
