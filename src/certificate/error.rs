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

    /// What to do next, where the reason does not say it itself.
    fn advice(&self) -> &'static str {
        use BlockError::{Checksum, Length, Missing};
        match self {
            FormatError::Empty
            | FormatError::Foreign(_)
            | FormatError::Magic { .. }
            | FormatError::Version { .. } => "",
            // The file is not the one that was written.
            FormatError::Truncated { .. }
            | FormatError::HeaderChecksum { .. }
            | FormatError::Trailing { .. }
            | FormatError::Block { problem: Missing { .. } | Length { .. } | Checksum { .. }, .. }
            | FormatError::Digest { .. } => "; copy the certificate again, in binary mode",
            // It was written wrongly.
            FormatError::HeaderField { .. }
            | FormatError::Material { .. }
            | FormatError::Seed { .. }
            | FormatError::Counts { .. }
            | FormatError::Block { .. }
            | FormatError::AfterBlocks { .. }
            | FormatError::Entries { .. } => "; gobprove writes no such file: generate the certificate anew",
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
                "not a certificate: it begins with {}, and a certificate with {}; give the path of a .gobcert file",
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
        f.write_str(self.advice())
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
                let has = match kind {
                    Kind::Cut => "sections 0 and 1",
                    Kind::Closure => "section 0 only",
                    Kind::Refutation => "section 1 only",
                };
                write!(f, "section {section}, but a {kind} has {has}")
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What a reader of the message has to do next.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Next {
        /// The message says it in words of its own.
        Said,
        /// To copy the file again.
        Again,
        /// To generate it anew.
        Anew,
    }
    use Next::{Again, Anew, Said};

    fn of_blocks() -> Vec<(BlockError, Next, &'static [&'static str])> {
        let tier = Tier::of(&crate::rules::Position::empty(Color::White));
        vec![
            (BlockError::Missing { left: 71 }, Again, &["71 bytes"]),
            (BlockError::Length { len: 71, left: 72 }, Again, &["71 bytes", "72 bytes"]),
            (BlockError::Checksum { stored: 0xA1, computed: 0xB2 }, Again, &["000000a1", "000000b2"]),
            (BlockError::Varint { field: "a delta", reason: "is odd" }, Anew, &["a delta is odd"]),
            (BlockError::Section { section: 71, kind: Kind::Cut }, Anew, &["71", "cut", "0 and 1"]),
            (BlockError::Section { section: 71, kind: Kind::Closure }, Anew, &["closure", "0 only"]),
            (BlockError::Section { section: 0, kind: Kind::Refutation }, Anew, &["refutation", "1 only"]),
            (BlockError::Tier { index: 71, tiers: 72 }, Anew, &["tier 71", "72"]),
            (BlockError::Order, Anew, &["in order"]),
            (BlockError::NotFull { entries: 71 }, Anew, &["71 entries", "65536"]),
            (BlockError::Entries { found: 71, at_most: 72 }, Anew, &["71 entries", "1 to 72"]),
            (BlockError::Rank { tier, rank: 71, len: 72 }, Anew, &["rank 71", "72 placements"]),
            (BlockError::NotAbove { tier, rank: 71, before: 72 }, Anew, &["rank 71", "rank 72"]),
            (BlockError::Last { stored: 71, found: 72 }, Anew, &["says 71", "is 72"]),
            (BlockError::AfterEntries { left: 71 }, Anew, &["71 bytes"]),
        ]
    }

    fn of_files() -> Vec<(FormatError, Next, &'static [&'static str])> {
        let variant = "A1-A1".parse().expect("a variant");
        let field = FormatError::HeaderField { field: "kind", offset: 71, found: 72, expected: "73" };
        let counts = FormatError::Counts { blocks: 71, black_to_move: 72, white_to_move: 73, file_len: 74 };
        let checksum = FormatError::HeaderChecksum { stored: 0xA1, computed: 0xB2 };
        let material = FormatError::Material { color: Color::White, offset: 71, counts: [2, 4, 6, 8] };
        let entries = FormatError::Entries { turn: Color::Black, expected: 71, found: 72 };
        let (stored, computed) = ([0xA1; 32], [0xB2; 32]);
        vec![
            (FormatError::Empty, Said, &["copy", "generate"]),
            (FormatError::Foreign(Foreign::Gzip), Said, &["gzip", "decompress"]),
            (FormatError::Magic { found: vec![1, 0x2A] }, Said, &["012a,", "89474f42434552540d0a1a0a"]),
            (FormatError::Version { found: 71 }, Said, &["version 71", "reads version 1", "generate"]),
            (FormatError::Truncated { needed: 71, found: 72 }, Again, &["at 72 bytes of 71"]),
            (checksum, Again, &["000000a1", "000000b2"]),
            (field, Anew, &["kind", "offset 71", "is 72", "expected 73"]),
            (material, Anew, &["White", "71", "2 A, 4 B, 6 C, 8 D"]),
            (FormatError::Seed { seed: Seed::Thesis, variant }, Anew, &["thesis", "A1-A1"]),
            (counts, Anew, &["71 blocks", "72 entries", "73 with", "74 bytes"]),
            (FormatError::Trailing { expected: 71, found: 72 }, Again, &["72 bytes", "says 71"]),
            (FormatError::AfterBlocks { offset: 71, left: 72 }, Anew, &["72 bytes", "offset 71"]),
            (entries, Anew, &["Black", "promises 71", "hold 72"]),
            (FormatError::Digest { stored, computed }, Again, &["a1a1a1", "b2b2b2"]),
        ]
    }

    #[test]
    fn each_message_has_its_numbers_and_says_what_to_do() {
        let in_block =
            |(problem, next, words)| (FormatError::Block { block: 171, offset: 172, problem }, next, words);
        for (error, next, words) in of_files().into_iter().chain(of_blocks().into_iter().map(in_block)) {
            let text = error.to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{text}: not all of {words:?}");
            assert!(!text.chars().any(char::is_control), "{text:?}");
            if let FormatError::Block { problem, .. } = &error {
                assert!(text.starts_with(&format!("block 171, offset 172: {problem}")), "{text}");
            }
            let (copy, generate) =
                (text.ends_with("in binary mode"), text.ends_with("generate the certificate anew"));
            let said = (copy, generate);
            assert_eq!(said, (next == Again, next == Anew), "{text}");
        }
    }

    #[test]
    fn each_reason_has_a_code_of_its_own() {
        let blocks = of_blocks();
        let mut codes: BTreeSet<&str> = blocks.iter().map(|(problem, ..)| problem.code()).collect();
        assert_eq!(codes.len(), 13);
        for (problem, ..) in blocks {
            let code = problem.code();
            assert_eq!(FormatError::Block { block: 0, offset: 0, problem }.code(), code);
        }
        codes.extend(of_files().iter().map(|(error, ..)| error.code()));
        assert_eq!(codes.len(), 13 + 14);
        let plain = |code: &&str| {
            code.len() > 3 && code.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase())
        };
        assert!(codes.iter().all(plain), "{codes:?}");
    }
}
