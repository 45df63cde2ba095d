//! Blocks: how the ranks of a tier are written and read.

use super::bytes::{self, Cursor, VarintError};
use super::claim::Kind;
use super::error::{BlockError, FormatError};
use crate::enumerate::{Ranking, Tiers};

/// The most entries of a block; every block but the last of its section and tier holds as many.
pub const MAX_BLOCK_ENTRIES: u64 = 65_536;

/// [`MAX_BLOCK_ENTRIES`] as the length of a slice.
pub(super) const FULL: usize = 65_536;

/// Appends a block of 1 … [`FULL`] ranks of one tier, strictly increasing.
pub(super) fn push(out: &mut Vec<u8>, section: u8, tier_index: usize, ranks: &[u128]) {
    let (Some(&first), Some(&last)) = (ranks.first(), ranks.last()) else { return };
    let mut body = vec![section];
    for number in [tier_index as u128, ranks.len() as u128, first, last] {
        bytes::push_varint(&mut body, number);
    }
    for (before, rank) in ranks.iter().zip(ranks.iter().skip(1)) {
        bytes::push_varint(&mut body, rank - before);
    }
    // At most 65,535 deltas and five numbers of 19 bytes each: far below 2³².
    let len = (body.len() as u32).to_le_bytes();
    let checksum = bytes::crc32([&len, &body]);
    out.extend(len);
    out.extend(body);
    out.extend(checksum.to_le_bytes());
}

/// Where a block stands and how it ended: what the next one is held to.
struct Block {
    section: u8,
    tier_index: usize,
    entries: u64,
    last: u128,
}

/// Blocks that are read one after the other.
pub(super) struct Reader<'a> {
    kind: Kind,
    tiers: &'a Tiers,
    /// How many blocks have been read.
    count: u32,
    before: Option<Block>,
    /// The ranks read so far by section, one list for each tier.
    sections: [Vec<Vec<u128>>; 2],
}

impl<'a> Reader<'a> {
    pub(super) fn new(kind: Kind, tiers: &'a Tiers) -> Reader<'a> {
        let lists = || vec![Vec::new(); tiers.as_slice().len()];
        Reader { kind, tiers, count: 0, before: None, sections: [lists(), lists()] }
    }

    /// The ranks of both sections.
    pub(super) fn finish(self) -> [Vec<Vec<u128>>; 2] {
        self.sections
    }

    /// Reads the next block.
    pub(super) fn read(&mut self, file: &mut Cursor<'_>) -> Result<(), FormatError> {
        let block = self.count;
        let (at, len) = (file.offset(), file.u32());
        let wrong = |offset, problem| FormatError::Block { block, offset, problem };
        let Some(len) = len else {
            return Err(wrong(at, BlockError::Missing { left: file.left() }));
        };
        let left = file.left();
        let mut body = Cursor::new(&[], file.offset());
        let stored = file.slice(u64::from(len)).and_then(|bytes| {
            body = Cursor::new(bytes, body.offset());
            file.u32().map(|stored| (stored, bytes))
        });
        let Some((stored, bytes)) = stored else {
            return Err(wrong(at, BlockError::Length { len, left }));
        };
        let computed = bytes::crc32([&len.to_le_bytes(), bytes]);
        if stored != computed {
            return Err(wrong(at, BlockError::Checksum { stored, computed }));
        }
        let read = self.read_body(&mut body);
        read.map_err(|Wrong { offset, problem }| wrong(offset, problem))?;
        self.count += 1;
        Ok(())
    }

    fn read_body(&mut self, body: &mut Cursor<'_>) -> Result<(), Wrong> {
        let start = body.offset();
        let at = |offset| move |problem| Wrong { offset, problem };

        let section =
            body.u8().ok_or(VarintError::CutOff).map_err(|e| at(start)(varint("the section", e)))?;
        let has_section = match self.kind {
            Kind::Cut => true,
            Kind::Closure => section == 0,
            Kind::Refutation => section == 1,
        };
        let lists = self.sections.get_mut(usize::from(section)).filter(|_| has_section);
        let no_section = BlockError::Section { section, kind: self.kind };
        let lists = lists.ok_or(no_section).map_err(at(start))?;

        let (offset, index) = number(body, "the tier")?;
        let tier_index = usize::try_from(index).unwrap_or(usize::MAX);
        let tier = self.tiers.as_slice().get(tier_index).copied().zip(lists.get_mut(tier_index));
        let no_tier = BlockError::Tier { index, tiers: self.tiers.as_slice().len() as u64 };
        let (tier, list) = tier.ok_or(no_tier).map_err(at(offset))?;
        let end = Ranking::new(tier).len();

        let mut before = None;
        if let Some(block) = &self.before {
            if (section, tier_index) < (block.section, block.tier_index) {
                return Err(at(start)(BlockError::Order));
            }
            if (section, tier_index) == (block.section, block.tier_index) {
                if block.entries < MAX_BLOCK_ENTRIES {
                    return Err(at(start)(BlockError::NotFull { entries: block.entries }));
                }
                before = Some(block.last);
            }
        }

        let (offset, found) = number(body, "the number of entries")?;
        let (first_offset, first) = number(body, "the first rank")?;
        let (last_offset, last) = number(body, "the last rank")?;
        // The first entry has no delta, every other one takes a byte or more.
        let at_most = MAX_BLOCK_ENTRIES.min(body.left() + 1);
        let entries = u64::try_from(found).unwrap_or(u64::MAX);
        if !(1..=at_most).contains(&entries) {
            return Err(at(offset)(BlockError::Entries { found, at_most }));
        }

        let mut offset = first_offset;
        let mut rank = first;
        for entry in 0..entries {
            if entry > 0 {
                let (delta_offset, delta) = number(body, "a delta")?;
                offset = delta_offset;
                // No tier is so long that a saturated sum would be a rank of it.
                rank = rank.saturating_add(delta);
            }
            if rank >= end {
                return Err(at(offset)(BlockError::Rank { tier, rank, len: end }));
            }
            if let Some(before) = before.filter(|&before| before >= rank) {
                return Err(at(offset)(BlockError::NotAbove { tier, rank, before }));
            }
            list.push(rank);
            before = Some(rank);
        }
        if last != rank {
            return Err(at(last_offset)(BlockError::Last { stored: last, found: rank }));
        }
        if body.left() > 0 {
            return Err(at(body.offset())(BlockError::AfterEntries { left: body.left() }));
        }
        self.before = Some(Block { section, tier_index, entries, last });
        Ok(())
    }
}

/// A problem with a block, and where in the file it is.
struct Wrong {
    offset: u64,
    problem: BlockError,
}

fn varint(field: &'static str, error: VarintError) -> BlockError {
    BlockError::Varint { field, reason: error.reason() }
}

/// The next varint, and where it begins.
fn number(body: &mut Cursor<'_>, field: &'static str) -> Result<(u64, u128), Wrong> {
    let offset = body.offset();
    let value = body.varint();
    value.map(|value| (offset, value)).map_err(|e| Wrong { offset, problem: varint(field, e) })
}
