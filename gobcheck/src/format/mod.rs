#![doc = include_str!("../../FORMAT.md")]
//!
//! # In this module
//! [`read`] tells what a file lists, [`Header`] is what it says of itself, [`Claim`] the sentence that a valid file
//! proves. Writing is not here: nothing of it has to be trusted.

mod blocks;
mod bytes;
mod claim;
mod error;
mod header;

use crate::rules::Color;
use error::ensure;

pub use bytes::{Cursor, crc32, sha256};
pub use claim::{Claim, Kind};
pub use error::FormatError;
pub use header::{DIGESTED, HEADER_LEN, Header, MAGIC, VERSION};

/// The most entries of a block; every block but the last of its section and tier holds as many.
pub const MAX_BLOCK_ENTRIES: u64 = 65_536;

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
