//! Blocks: how the ranks of a tier are read.

use super::bytes::{Cursor, crc32};
use super::claim::Kind;
use super::error::{FormatError, ensure};
use super::header::Header;
use crate::format::MAX_BLOCK_ENTRIES;
use crate::index::{Ranking, Tiers};
use crate::rules::Color;

/// The side to move in the positions of each section.
const SECTIONS: [Color; 2] = [Color::Black, Color::White];

/// Where a block stands and how it ended: what the next one is held to.
struct Before {
    place: (u8, usize),
    entries: u64,
    last: u128,
}

/// Reads all blocks of a file, and tells the ranks of each, with the side to move and the index of the tier. Returns how many
/// entries each section has.
///
/// # Errors
/// The first thing that FORMAT.md does not allow.
pub(super) fn read(
    header: &Header,
    mut file: Cursor<'_>,
    tell: &mut dyn FnMut(Color, usize, &[u128]),
) -> Result<[u64; 2], FormatError> {
    let tiers = Tiers::new(header.claim.game.variant);
    let (mut before, mut ranks, mut found) = (None, Vec::new(), [0; 2]);
    for number in 0..header.blocks {
        ranks.clear();
        let body = framed(&mut file).and_then(|body| read_body(header.claim.kind, body, before, &tiers, &mut ranks));
        let block = body.map_err(|error| FormatError { what: format!("block {number}: {}", error.what), ..error })?;
        let (section, tier_index) = block.place;
        tell(SECTIONS[usize::from(section)], tier_index, &ranks);
        found[usize::from(section)] += block.entries;
        before = Some(block);
    }
    ensure!(file.left() == 0, "after-blocks", file.offset(), "{} bytes follow the last block", file.left());
    Ok(found)
}

/// The body of the next block, taken out of its frame.
fn framed<'a>(file: &mut Cursor<'a>) -> Result<Cursor<'a>, FormatError> {
    let start = file.offset();
    let len = file.array().unwrap_or([u8::MAX; 4]);
    let (offset, length) = (file.offset(), u32::from_le_bytes(len));
    let (Some(body), Some(checksum)) = (file.slice(u64::from(length)), file.array()) else {
        let what = "the file ends before the block does".to_owned();
        return Err(FormatError { code: "block-length", offset: start, what });
    };
    let fits = u32::from_le_bytes(checksum) == crc32([&len, body]);
    ensure!(fits, "block-checksum", start, "it is damaged: its CRC-32 is not that of its bytes");
    Ok(Cursor::new(body, offset))
}

/// Reads what is in a block, and appends its ranks to those given.
fn read_body(
    kind: Kind,
    mut body: Cursor<'_>,
    before: Option<Before>,
    tiers: &Tiers,
    ranks: &mut Vec<u128>,
) -> Result<Before, FormatError> {
    let start = body.offset();
    let section = body.array().map_or(u8::MAX, |[section]| section);
    let has_section = match kind {
        Kind::Cut => section <= 1,
        Kind::Closure => section == 0,
        Kind::Refutation => section == 1,
    };
    ensure!(has_section, "section", start, "a {kind} has no section {section}");

    let (offset, number) = (body.offset(), body.varint("the tier")?);
    let index = usize::try_from(number).unwrap_or(usize::MAX);
    let count = tiers.as_slice().len();
    ensure!(index < count, "tier", offset, "tier {number}, but the variant has {count}, counted from 0");
    let tier = tiers.as_slice()[index];
    let place = (section, index);
    let in_order = before.as_ref().is_none_or(|before| before.place <= place);
    ensure!(in_order, "block-order", start, "it comes after a block of a later section or tier");
    let same_tier = before.filter(|before| before.place == place);
    let was_full = same_tier.as_ref().is_none_or(|before| before.entries == MAX_BLOCK_ENTRIES);
    ensure!(was_full, "block-not-full", start, "it goes on with a tier, and the block before was not full");
    let mut above = same_tier.map(|before| before.last);

    let (offset, number) = (body.offset(), body.varint("the number of entries")?);
    let mut rank = body.varint("the first rank")?;
    let last = body.varint("the last rank")?;
    // The first entry has no delta, every other one takes a byte or more.
    let most = MAX_BLOCK_ENTRIES.min(body.left() + 1);
    let entries = u64::try_from(number).unwrap_or(u64::MAX);
    ensure!((1..=most).contains(&entries), "block-entries", offset, "{number} entries, expected 1 to {most}");
    let len = Ranking::new(tier).len();
    for entry in 0..entries {
        let offset = body.offset();
        if entry > 0 {
            // No tier is so long that a saturated sum would be a rank of it.
            rank = rank.saturating_add(body.varint("a delta")?);
        }
        ensure!(rank < len, "rank-range", offset, "rank {rank} is outside tier {tier}, which has {len} placements");
        ensure!(
            above.is_none_or(|above| above < rank),
            "rank-order",
            offset,
            "rank {rank} is not above the one before"
        );
        ranks.push(rank);
        above = Some(rank);
    }
    ensure!(last == rank, "block-last", offset, "its last rank is {rank}, and its head says {last}");
    ensure!(body.left() == 0, "after-entries", body.offset(), "{} bytes follow its last entry", body.left());
    Ok(Before { place, entries, last })
}
