//! Why bytes are no certificate.

use std::fmt;

use super::block::MAX_BLOCK_ENTRIES;
use super::bytes;
use super::claim::Kind;
use super::foreign::Foreign;
use super::header::VERSION;
use crate::enumerate::Tier;
use crate::rules::{Color, Variant};
use crate::strategy::Seed;

/// Why bytes are no certificate: what is wrong and where. Offsets count bytes from the file's beginning,
/// blocks count from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// There are no bytes.
    Empty,
    /// Another kind of file, or a certificate that something rewrote.
    Foreign(Foreign),
    /// The file does not begin as certificates do.
    Magic {
        /// Its first bytes, at most 12.
        found: Vec<u8>,
    },
    /// Another version of the format.
    Version {
        /// Which.
        found: u16,
    },
    /// The file is shorter than its header or than its header says.
    Truncated {
        /// How many bytes there should be, or be at least.
        needed: u64,
        /// How many there are.
        found: u64,
    },
    /// The header's checksum does not fit the header.
    HeaderChecksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the bytes in the file.
        computed: u32,
    },
    /// A field of the header holds what the writer never writes.
    HeaderField {
        /// Which field.
        field: &'static str,
        /// Where it is.
        offset: u64,
        /// What it holds.
        found: u64,
        /// What it may hold.
        expected: &'static str,
    },
    /// A side's material is none (R2).
    Material {
        /// Whose.
        color: Color,
        /// Where it is.
        offset: u64,
        /// The counts, A first.
        counts: [u8; 4],
    },
    /// The seed is not made for the variant.
    Seed {
        /// The seed.
        seed: Seed,
        /// The variant.
        variant: Variant,
    },
    /// No file of that length has so many blocks and entries.
    Counts {
        /// How many blocks the header promises.
        blocks: u32,
        /// How many entries with Black to move.
        black_to_move: u64,
        /// How many entries with White to move.
        white_to_move: u64,
        /// The file's length in bytes by the header.
        file_len: u64,
    },
    /// The file is longer than its header says.
    Trailing {
        /// The length in bytes by the header.
        expected: u64,
        /// The length in bytes.
        found: u64,
    },
    /// Something is wrong with a block.
    Block {
        /// Which block.
        block: u32,
        /// Where in the file.
        offset: u64,
        /// What.
        problem: BlockError,
    },
    /// Bytes are left when all blocks have been read.
    AfterBlocks {
        /// Where they begin.
        offset: u64,
        /// How many there are.
        left: u64,
    },
    /// The header says another number of entries than the blocks hold.
    Entries {
        /// The side to move in the entries counted.
        turn: Color,
        /// How many there should be by the header.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The digest does not fit the file.
    Digest {
        /// The digest in the file.
        stored: [u8; 32],
        /// The digest of the file.
        computed: [u8; 32],
    },
}

/// What is wrong with a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlockError {
    /// The file ends where the block should begin.
    Missing {
        /// How many bytes are left.
        left: u64,
    },
    /// The block is longer than what is left of the file.
    Length {
        /// The length of the block's body in bytes.
        len: u32,
        /// How many bytes are left after the length.
        left: u64,
    },
    /// The block's checksum does not fit the block.
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the bytes in the file.
        computed: u32,
    },
    /// A number is not written as the writer writes it.
    Varint {
        /// Which number.
        field: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The section is none of the kind's.
    Section {
        /// The section.
        section: u8,
        /// The kind of certificate.
        kind: Kind,
    },
    /// The variant has no such tier.
    Tier {
        /// The tier's index.
        index: u128,
        /// How many tiers the variant has.
        tiers: u64,
    },
    /// The section and tier come before those of the block before.
    Order,
    /// The block goes on with a tier although the block before was not full.
    NotFull {
        /// How many entries the block before holds.
        entries: u64,
    },
    /// The block is empty, or its number of entries is above what a block or its bytes can hold.
    Entries {
        /// How many entries the block is said to hold.
        found: u128,
        /// How many it can hold.
        at_most: u64,
    },
    /// A rank is not below its tier's length.
    Rank {
        /// The tier.
        tier: Tier,
        /// The rank; `u128::MAX` also stands for anything larger.
        rank: u128,
        /// How many ranks the tier has.
        len: u128,
    },
    /// An entry is not above the one before it.
    NotAbove {
        /// The tier.
        tier: Tier,
        /// The entry's rank.
        rank: u128,
        /// The rank of the entry before.
        before: u128,
    },
    /// The block's last entry is not the one that the block names.
    Last {
        /// The last rank by the block's head.
        stored: u128,
        /// The rank of the last entry.
        found: u128,
    },
    /// Bytes are left in the block after its entries.
    AfterEntries {
        /// How many.
        left: u64,
    },
}

impl FormatError {
    /// A short name of the reason, which stays the same from version to version.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            FormatError::Empty => "empty",
            FormatError::Foreign(_) => "foreign",
            FormatError::Magic { .. } => "magic",
            FormatError::Version { .. } => "version",
            FormatError::Truncated { .. } => "truncated",
            FormatError::HeaderChecksum { .. } => "header-checksum",
            FormatError::HeaderField { .. } => "header-field",
            FormatError::Material { .. } => "material",
            FormatError::Seed { .. } => "seed",
            FormatError::Counts { .. } => "counts",
            FormatError::Trailing { .. } => "trailing",
            FormatError::Block { problem, .. } => problem.code(),
            FormatError::AfterBlocks { .. } => "after-blocks",
            FormatError::Entries { .. } => "entries",
            FormatError::Digest { .. } => "digest",
        }
    }

    /// Whether the file is not the one that was written, rather than one that was written wrongly: then a
    /// new copy may help.
    fn is_damage(&self) -> bool {
        match self {
            FormatError::Magic { .. }
            | FormatError::Truncated { .. }
            | FormatError::HeaderChecksum { .. }
            | FormatError::Trailing { .. }
            | FormatError::Digest { .. } => true,
            FormatError::Block { problem, .. } => matches!(
                problem,
                BlockError::Missing { .. } | BlockError::Length { .. } | BlockError::Checksum { .. }
            ),
            _ => false,
        }
    }
}

impl BlockError {
    /// A short name of the reason, which stays the same from version to version.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            BlockError::Missing { .. } => "block-missing",
            BlockError::Length { .. } => "block-length",
            BlockError::Checksum { .. } => "block-checksum",
            BlockError::Varint { .. } => "varint",
            BlockError::Section { .. } => "section",
            BlockError::Tier { .. } => "tier",
            BlockError::Order => "block-order",
            BlockError::NotFull { .. } => "block-not-full",
            BlockError::Entries { .. } => "block-entries",
            BlockError::Rank { .. } => "rank-range",
            BlockError::NotAbove { .. } => "rank-order",
            BlockError::Last { .. } => "block-last",
            BlockError::AfterEntries { .. } => "after-entries",
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Empty => {
                f.write_str("the file is empty: copy the certificate again, or generate it anew")
            }
            FormatError::Foreign(foreign) => foreign.fmt(f),
            FormatError::Magic { found } => write!(
                f,
                "not a certificate: it begins with {}, a .gobcert file with {}",
                bytes::hex(found),
                bytes::hex(&super::MAGIC)
            ),
            FormatError::Version { found } => write!(
                f,
                "format version {found} at offset 12, and this program reads version {VERSION}: \
                 use the gobprove that made the file, or generate it anew"
            ),
            FormatError::Truncated { needed, found } => {
                write!(f, "the file ends at {found} bytes of {needed}")
            }
            FormatError::HeaderChecksum { stored, computed } => write!(
                f,
                "the header is damaged: CRC-32 {stored:08x} at offset 88, but {computed:08x} over bytes 0 to 87"
            ),
            FormatError::HeaderField { field, offset, found, expected } => {
                write!(f, "header field {field:?} at offset {offset} is {found}, expected {expected}")
            }
            FormatError::Material { color, offset, counts: [a, b, c, d] } => write!(
                f,
                "{color}'s material at offset {offset} is {a} A, {b} B, {c} C, {d} D, \
                 expected 3 ≥ A ≥ B ≥ C ≥ D and A ≥ 1 (R2)"
            ),
            FormatError::Seed { seed, variant } => {
                write!(f, "seed {seed} at offset 24 is not made for variant {variant}")
            }
            FormatError::Counts { blocks, black_to_move, white_to_move, file_len } => write!(
                f,
                "the header promises {black_to_move} entries with Black to move and {white_to_move} with White \
                 to move in {blocks} blocks (offsets 28 to 47), which no file of {file_len} bytes can hold"
            ),
            FormatError::Trailing { expected, found } => {
                write!(f, "the file has {found} bytes, and its header says {expected}")
            }
            FormatError::Block { block, offset, problem } => {
                write!(f, "block {block}, offset {offset}: {problem}")
            }
            FormatError::AfterBlocks { offset, left } => {
                write!(f, "{left} bytes at offset {offset}, after the last block")
            }
            FormatError::Entries { turn, expected, found } => write!(
                f,
                "the header promises {expected} entries with {turn} to move, and the blocks hold {found}"
            ),
            FormatError::Digest { stored, computed } => write!(
                f,
                "the file does not belong to its header: SHA-256 {} at offset 56, but {} over the rest",
                bytes::hex(stored),
                bytes::hex(computed)
            ),
        }?;
        if self.is_damage() { f.write_str("; copy the certificate again, in binary mode") } else { Ok(()) }
    }
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockError::Missing { left } => {
                write!(f, "the header promises a block here, and {left} bytes are left")
            }
            BlockError::Length { len, left } => {
                write!(f, "the block's body has {len} bytes and a checksum of 4, and {left} bytes are left")
            }
            BlockError::Checksum { stored, computed } => {
                write!(f, "the block is damaged: CRC-32 {stored:08x}, but {computed:08x} over its bytes")
            }
            BlockError::Varint { field, reason } => write!(f, "{field} {reason}"),
            BlockError::Section { section, kind } => {
                let last = match kind {
                    Kind::Cut => "sections 0 and 1",
                    Kind::Closure => "section 0 only",
                };
                write!(f, "section {section}, but a {kind} has {last}")
            }
            BlockError::Tier { index, tiers } => {
                write!(f, "tier {index}, but the variant has {tiers}, counted from 0")
            }
            BlockError::Order => f.write_str(
                "the block's section and tier come before those of the block before: blocks must be in order",
            ),
            BlockError::NotFull { entries } => write!(
                f,
                "the block goes on with a tier whose block before holds {entries} entries, \
                 and only a block of {MAX_BLOCK_ENTRIES} is followed by another"
            ),
            BlockError::Entries { found, at_most } => {
                write!(f, "the block is said to hold {found} entries, expected 1 to {at_most}")
            }
            BlockError::Rank { tier, rank, len } => {
                write!(f, "rank {rank} is outside tier {tier}, which has {len} placements")
            }
            BlockError::NotAbove { tier, rank, before } => {
                write!(f, "rank {rank} in tier {tier} follows rank {before}: ranks must increase")
            }
            BlockError::Last { stored, found } => {
                write!(f, "the block's last rank is {found}, and its head says {stored}")
            }
            BlockError::AfterEntries { left } => write!(f, "{left} bytes after the block's last entry"),
        }
    }
}

impl std::error::Error for FormatError {}

impl std::error::Error for BlockError {}
