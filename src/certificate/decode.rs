//! Reading a certificate from bytes.

use super::block::Reader;
use super::bytes::Cursor;
use super::claim::Kind;
use super::error::FormatError;
use super::header::{HEADER_LEN, Header, digest};
use super::{Body, Certificate, PositionSet};
use crate::enumerate::Tiers;
use crate::rules::Color;

impl Certificate {
    /// The certificate that these bytes are: those that [`Certificate::encode`] writes for it, and no others.
    ///
    /// Whether it proves its claim is not judged here, nor whether its positions are canonical.
    ///
    /// # Errors
    /// The first thing about the bytes that the writer would not have written.
    pub fn decode(bytes: &[u8]) -> Result<Certificate, FormatError> {
        let header = Header::parse(bytes)?;
        let found = bytes.len() as u64;
        if found < header.file_len {
            return Err(FormatError::Truncated { needed: header.file_len, found });
        }
        if found > header.file_len {
            return Err(FormatError::Trailing { expected: header.file_len, found });
        }
        let mut file = Cursor::new(bytes, 0);
        let head = file.slice(HEADER_LEN).ok_or(FormatError::Truncated { needed: HEADER_LEN, found })?;
        let blocks = file.rest();

        let tiers = Tiers::new(header.game.variant);
        let mut reader = Reader::new(header.kind, &tiers);
        for _ in 0..header.blocks {
            reader.read(&mut file)?;
        }
        if file.left() > 0 {
            return Err(FormatError::AfterBlocks { offset: file.offset(), left: file.left() });
        }
        let [black_to_move, white_to_move] =
            reader.finish().map(|ranks| PositionSet::from_checked(tiers.clone(), ranks));
        for (turn, expected, set) in [
            (Color::Black, header.black_to_move, &black_to_move),
            (Color::White, header.white_to_move, &white_to_move),
        ] {
            if set.len() != expected {
                return Err(FormatError::Entries { turn, expected, found: set.len() });
            }
        }
        let computed = digest(head, blocks);
        if header.digest != computed {
            return Err(FormatError::Digest { stored: header.digest, computed });
        }
        let body = match (header.seed, header.kind) {
            (Some(seed), _) => Body::Cut { seed, black_to_move, white_to_move },
            (None, Kind::Refutation) => Body::Refutation(white_to_move),
            (None, _) => Body::Closure(black_to_move),
        };
        Ok(Certificate { game: header.game, body })
    }
}
