//! Forging `.gobcert` files: taking one apart, changing it, and sealing it again with checksums, length and
//! digest that fit. Written from `gobcheck/FORMAT.md`; shares no code with the reader or the writer.
#![allow(dead_code, reason = "each test uses some of it")]

use sha2::{Digest as _, Sha256};

/// Where fields of the header begin.
pub mod at {
    pub const VERSION: usize = 12;
    pub const KIND: usize = 14;
    pub const READING: usize = 15;
    pub const WHITE: usize = 16;
    pub const BLACK: usize = 20;
    pub const SEED: usize = 24;
    pub const FLAGS: usize = 25;
    pub const RESERVED: usize = 26;
    pub const BLOCKS: usize = 28;
    pub const BLACK_TO_MOVE: usize = 32;
    pub const WHITE_TO_MOVE: usize = 40;
    pub const FILE_LEN: usize = 48;
    pub const DIGEST: usize = 56;
    pub const CRC: usize = 88;
    pub const END: usize = 92;
}

/// A file taken apart: what the digest covers, without frames.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The header before the digest.
    pub head: [u8; at::DIGEST],
    /// The bodies of the blocks.
    pub bodies: Vec<Vec<u8>>,
}

impl Sheet {
    /// Takes a well-formed file apart.
    pub fn of(file: &[u8]) -> Sheet {
        let head = file[..at::DIGEST].try_into().expect("a header");
        let mut rest = &file[at::END..];
        let mut bodies = Vec::new();
        while !rest.is_empty() {
            let len = u32::from_le_bytes(rest[..4].try_into().expect("a length")) as usize;
            bodies.push(rest[4..4 + len].to_vec());
            rest = &rest[4 + len + 4..];
        }
        Sheet { head, bodies }
    }

    /// Overwrites bytes of the header.
    #[must_use]
    pub fn with_head(mut self, offset: usize, bytes: &[u8]) -> Sheet {
        self.head[offset..offset + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Replaces the blocks; the counts in the header stay.
    #[must_use]
    pub fn with_bodies(mut self, bodies: &[Vec<u8>]) -> Sheet {
        self.bodies = bodies.to_vec();
        self
    }

    /// Sets the counts of blocks and entries to what the blocks' heads say.
    #[must_use]
    pub fn recounted(self) -> Sheet {
        let mut entries = [0u64; 2];
        for body in &self.bodies {
            let (_tier, len) = read_varint(&body[1..]);
            let (count, _) = read_varint(&body[1 + len..]);
            entries[usize::from(body[0]) & 1] += count as u64;
        }
        let blocks = self.bodies.len() as u32;
        self.with_head(at::BLOCKS, &blocks.to_le_bytes())
            .with_head(at::BLACK_TO_MOVE, &entries[0].to_le_bytes())
            .with_head(at::WHITE_TO_MOVE, &entries[1].to_le_bytes())
    }

    /// The file, with lengths, checksums and digest that fit.
    pub fn sealed(&self) -> Vec<u8> {
        let mut file = self.head.to_vec();
        file.extend([0; at::END - at::DIGEST]);
        for body in &self.bodies {
            file.extend((body.len() as u32).to_le_bytes());
            file.extend(body);
            file.extend([0; 4]);
        }
        let len = file.len() as u64;
        file[at::FILE_LEN..][..8].copy_from_slice(&len.to_le_bytes());
        reseal(&mut file);
        file
    }
}

/// Mends what can be mended in a changed file: the checksum of every block that is there whole, the digest,
/// and the header's checksum. Lengths and counts stay as they are.
pub fn reseal(file: &mut [u8]) {
    let mut start = at::END;
    while let Some(len) = file.get(start..start + 4) {
        let len = u32::from_le_bytes(len.try_into().expect("4 bytes")) as usize;
        let end = start + 4 + len;
        if end + 4 > file.len() {
            break;
        }
        let crc = crc32fast::hash(&file[start..end]);
        file[end..end + 4].copy_from_slice(&crc.to_le_bytes());
        start = end + 4;
    }
    reseal_header(file);
}

/// [`reseal`] without the blocks' checksums.
pub fn reseal_header(file: &mut [u8]) {
    if file.len() >= at::END {
        let digest =
            Sha256::new().chain_update(&file[..at::DIGEST]).chain_update(&file[at::END..]).finalize();
        file[at::DIGEST..at::CRC].copy_from_slice(&digest);
        let crc = crc32fast::hash(&file[..at::CRC]);
        file[at::CRC..at::END].copy_from_slice(&crc.to_le_bytes());
    }
}

/// [`reseal`] after the file length in the header has been set to the file's.
pub fn reseal_with_len(file: &mut [u8]) {
    let len = file.len() as u64;
    if let Some(field) = file.get_mut(at::FILE_LEN..at::FILE_LEN + 8) {
        field.copy_from_slice(&len.to_le_bytes());
    }
    reseal(file);
}

/// A block's body with these ranks of a tier. A rank that is not above the one before wraps around.
pub fn body(section: u8, tier: u128, ranks: &[u128]) -> Vec<u8> {
    let (first, last) = (ranks[0], ranks[ranks.len() - 1]);
    let deltas: Vec<u128> = ranks.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect();
    raw_body(section, &[tier, ranks.len() as u128, first, last], &deltas)
}

/// A block's body with these numbers in its head (tier, entries, first, last) and these deltas.
pub fn raw_body(section: u8, head: &[u128; 4], deltas: &[u128]) -> Vec<u8> {
    let mut body = vec![section];
    for &number in head.iter().chain(deltas) {
        body.extend(varint(number));
    }
    body
}

/// A number as a varint.
pub fn varint(mut number: u128) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let group = (number & 0x7F) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(group);
            return bytes;
        }
        bytes.push(group | 0x80);
    }
}

/// The varint at the beginning of bytes, and how many bytes it has.
fn read_varint(bytes: &[u8]) -> (u128, usize) {
    let mut number = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        number |= u128::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return (number, i + 1);
        }
    }
    panic!("no varint in {bytes:?}");
}
