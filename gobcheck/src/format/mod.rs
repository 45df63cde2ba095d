#![doc = include_str!("../../FORMAT.md")]
//!
//! # In this module
//! [`Certificate`] is the content, [`Header`] what a file says of itself, [`Claim`] the sentence that a valid file
//! proves. Writing is not here: nothing of it has to be trusted.

mod blocks;
mod bytes;
mod claim;
mod error;
mod header;
mod set;

use crate::rules::Color;
use error::ensure;

pub use bytes::{Cursor, crc32, sha256};
pub use claim::{Claim, Kind};
pub use error::FormatError;
pub use header::{DIGESTED, HEADER_LEN, Header, MAGIC, VERSION};
pub use set::PositionSet;

/// The most entries of a block; every block but the last of its section and tier holds as many.
pub const MAX_BLOCK_ENTRIES: u64 = 65_536;

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
            set.ranks[tier_index].extend_from_slice(ranks);
        })?;
        Ok(Certificate { claim, black_to_move, white_to_move })
    }
}

/// Reads a file block by block, and tells the ranks of each with the side to move and the index of their tier. What it has told
/// counts only if it returns without an error.
///
/// # Errors
/// The first thing about the bytes that FORMAT.md does not allow.
pub fn read(bytes: &[u8], tell: &mut dyn FnMut(Color, usize, &[u128])) -> Result<Claim, FormatError> {
    let header = Header::parse(bytes)?;
    let (found, expected) = (bytes.len() as u64, header.file_len);
    ensure!(found >= expected, "truncated", found, "the file has {found} bytes of {expected}");
    ensure!(found == expected, "trailing", expected, "the file has {found} bytes, and its header says {expected}");
    let (head, blocks) = bytes.split_at(HEADER_LEN);
    let found = blocks::read(&header, Cursor::new(blocks, HEADER_LEN as u64), tell)?;
    let promised = header.entries;
    ensure!(found == promised, "entries", 32, "the header promises {promised:?} entries, found {found:?}");
    let digest = sha256([&head[..DIGESTED], blocks]);
    ensure!(header.digest == digest, "digest", 56, "the SHA-256 in the header is not that of the file");
    Ok(header.claim)
}
