//! Bytes taken one after the other, varints, and the two hashes.

use sha2::{Digest as _, Sha256};

use super::error::FormatError;

/// Bytes that are taken from the front.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    offset: u64,
}

impl<'a> Cursor<'a> {
    /// All of `bytes`, which begin at an offset of the file.
    pub fn new(bytes: &'a [u8], offset: u64) -> Cursor<'a> {
        Cursor { rest: bytes, offset }
    }

    /// Where in the file the next byte is.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes are left.
    pub fn left(&self) -> u64 {
        self.rest.len() as u64
    }

    /// The next `len` bytes, `None` (and nothing taken) if fewer are left.
    pub fn slice(&mut self, len: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(len).ok()?)?;
        self.rest = rest;
        self.offset += len;
        Some(taken)
    }

    /// The next N bytes, `None` (and nothing taken) if fewer are left.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.slice(N as u64)?.try_into().ok()
    }

    /// The next varint: a number below 2¹²⁸ in groups of seven bits, the least significant first, the top bit set in
    /// all bytes but the last, no more bytes than the number needs. `field` names it in errors.
    ///
    /// # Errors
    /// The bytes end before the varint does, it has more bytes than it needs, or it does not fit in 128 bits.
    pub fn varint(&mut self, field: &str) -> Result<u128, FormatError> {
        let start = self.offset;
        let wrong = |why| Err(FormatError { code: "varint", offset: start, what: format!("{field} {why}") });
        let mut value: u128 = 0;
        // 18 · 7 = 126 bits, so the 19th byte has room for two.
        for shift in (0..=126).step_by(7) {
            let Some([byte]) = self.array() else { return wrong("runs past the end of the block") };
            let bits = u128::from(byte & 0x7F);
            if shift == 126 && bits > 3 {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                let overlong = byte == 0 && shift > 0;
                return if overlong { wrong("is written with more bytes than it needs") } else { Ok(value) };
            }
        }
        wrong("does not fit in 128 bits")
    }
}

/// The CRC-32 (IEEE, as zlib) of parts taken as one.
pub fn crc32<const N: usize>(parts: [&[u8]; N]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// The SHA-256 of parts taken as one.
pub fn sha256<const N: usize>(parts: [&[u8]; N]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}
