//! Writing varints and blocks (FORMAT.md); [`gobcheck::format`] reads them.

use gobcheck::format::{Cursor, crc32};

/// Appends a varint.
pub fn push_varint(bytes: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends the distance of each rank from the one before, except for the first rank. The ranks increase strictly.
pub(crate) fn push_deltas(bytes: &mut Vec<u8>, ranks: &[u128]) {
    for (before, rank) in ranks.iter().zip(ranks.iter().skip(1)) {
        push_varint(bytes, rank - before);
    }
}

/// Appends a block of ranks of one tier: at least one, at most
/// [`MAX_BLOCK_ENTRIES`](gobcheck::format::MAX_BLOCK_ENTRIES), strictly increasing. For no ranks it appends nothing.
pub fn push_block(out: &mut Vec<u8>, section: u8, tier_index: usize, ranks: &[u128]) {
    let (Some(&first), Some(&last)) = (ranks.first(), ranks.last()) else { return };
    let mut body = vec![section];
    for number in [tier_index as u128, ranks.len() as u128, first, last] {
        push_varint(&mut body, number);
    }
    push_deltas(&mut body, ranks);
    // At most 65,535 deltas and five numbers of 19 bytes each: far below 2³².
    let len = (body.len() as u32).to_le_bytes();
    let checksum = crc32([&len, &body]);
    out.extend(len);
    out.extend(body);
    out.extend(checksum.to_le_bytes());
}

/// Takes little-endian integers of fixed width from the front. `None`, with nothing taken, if too few bytes are left.
pub trait Integers {
    /// The next byte.
    fn u8(&mut self) -> Option<u8>;
    /// The next two bytes.
    fn u16(&mut self) -> Option<u16>;
    /// The next four bytes.
    fn u32(&mut self) -> Option<u32>;
    /// The next eight bytes.
    fn u64(&mut self) -> Option<u64>;
}

impl Integers for Cursor<'_> {
    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}
