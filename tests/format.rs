//! Forged and damaged files that are no certificates whatever they list: the reader refuses each for the right
//! reason, and whatever it does accept is what the writer writes. Test names carry the numbers of the list of
//! dangers that the checker is held to.

#[path = "support/reseal.rs"]
mod reseal;

use gobprove::enumerate::Tiers;
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading, Variant};
use gobprove::store::{Certificate, Foreign, FormatError, MAGIC, PositionSet};
use proptest::prelude::*;
use reseal::{Sheet, at, body, raw_body};

fn variant(text: &str) -> Variant {
    text.read().expect("a variant")
}

fn set(variant: Variant, lists: &[(usize, &[u128])]) -> PositionSet {
    let tiers = Tiers::new(variant);
    let mut ranks = vec![Vec::new(); tiers.as_slice().len()];
    for &(tier_index, list) in lists {
        ranks[tier_index] = list.to_vec();
    }
    PositionSet::new(variant, ranks).expect("a set")
}

fn closure(text: &str, lists: &[(usize, &[u128])]) -> Vec<u8> {
    let variant = variant(text);
    let game = Game::new(variant, Reading::Official);
    Certificate::closure(game, set(variant, lists)).encode()
}

/// A small closure: White A1, Black A1 B1, tiers of 1, 16, 256, 16, 240, 3840 placements.
fn toy_closure() -> Vec<u8> {
    closure("A1-A1B1", &[(0, &[0]), (3, &[0]), (4, &[0, 2, 200]), (5, &[7, 3000])])
}

/// A small cut.
fn toy_cut() -> Vec<u8> {
    let variant = variant("A1-A3B3");
    let black_to_move = set(variant, &[(3, &[1, 119]), (19, &[4_000_000])]);
    let white_to_move = set(variant, &[(3, &[5])]);
    Certificate::cut(Game::new(variant, Reading::Thesis), black_to_move, white_to_move).encode()
}

/// A closure of three blocks, two of them in tier 16: 65,537 entries, of 174,720 placements.
fn two_blocks() -> Vec<u8> {
    let ranks: Vec<u128> = (0..65_537).map(|i| 2 * i).collect();
    closure("A2-A2B2", &[(0, &[0]), (16, &ranks)])
}

/// The code of the reason for which the bytes are refused; `accepted` if they are not, and then they are
/// exactly what the writer writes.
fn code(bytes: &[u8]) -> &'static str {
    match Certificate::decode(bytes) {
        Ok(certificate) => {
            assert!(certificate.encode() == bytes, "accepted what the writer would not have written");
            "accepted"
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.chars().any(char::is_control), "{text:?}");
            error.code
        }
    }
}

/// The code for the toy closure with other blocks, counted anew.
fn code_of_bodies(bodies: &[Vec<u8>]) -> &'static str {
    code(&Sheet::of(&toy_closure()).with_bodies(bodies).recounted().sealed())
}

#[test]
fn the_unchanged_files_are_accepted() {
    for file in [toy_closure(), toy_cut(), two_blocks()] {
        assert_eq!(code(&file), "accepted");
        assert_eq!(Sheet::of(&file).sealed(), file, "the tests seal as the writer does");
        assert_eq!(Sheet::of(&file).recounted(), Sheet::of(&file));
    }
    let bodies = [body(0, 4, &[0, 2, 200]), body(0, 5, &[7, 3000])];
    assert_eq!(Sheet::of(&toy_closure()).bodies[2..], bodies, "and writes blocks as it does");
    assert_eq!(code_of_bodies(&bodies), "accepted");
    assert_eq!(code_of_bodies(&[]), "accepted", "an empty set is well-formed; it proves nothing");
}

#[test]
fn m01_every_truncation() {
    for file in [toy_closure(), toy_cut()] {
        for len in 0..file.len() {
            assert_eq!(code(&file[..len]), "truncated", "{len}");
            let mut cut = file[..len].to_vec();
            reseal::reseal_with_len(&mut cut);
            assert_ne!(code(&cut), "accepted", "{len}");
        }
    }
}

#[test]
fn m02_every_bit_and_byte_changed() {
    for file in [toy_closure(), toy_cut()] {
        let mut accepted = 0;
        for place in 0..file.len() {
            let byte = file[place];
            let flips = (0..8).map(|bit| byte ^ 1 << bit);
            for value in flips.chain([0, 0xFF, byte.wrapping_add(1), byte.wrapping_sub(1)]) {
                let mut changed = file.clone();
                changed[place] = value;
                if value == byte {
                    continue;
                }
                assert_ne!(code(&changed), "accepted", "byte {place} is {value}");
                reseal::reseal(&mut changed);
                // Where nothing but a seal was changed, sealing brings the file back.
                if code(&changed) == "accepted" && changed != file {
                    assert_ne!(Certificate::decode(&changed), Certificate::decode(&file));
                    accepted += 1;
                }
            }
        }
        assert!(accepted > 0, "a change may make another well-formed file, which says something else");
    }
}

#[test]
fn m02_a_damaged_block_is_named() {
    let file = toy_closure();
    for place in at::END + 4..file.len() {
        let mut changed = file.clone();
        changed[place] ^= 1;
        reseal::reseal_header(&mut changed);
        // What is left of the file is found to be wrong where it is, not in sum.
        let refused = code(&changed);
        assert!(["block-checksum", "block-length"].contains(&refused), "byte {place}: {refused}");
    }
    let mut changed = file;
    *changed.last_mut().expect("a byte") ^= 1;
    reseal::reseal_header(&mut changed);
    match Certificate::decode(&changed) {
        Err(FormatError { code: "block-checksum", offset, what }) if what.starts_with("block 3: ") => {
            assert_eq!(offset, changed.len() as u64 - 16, "where block 3 begins");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn m02_a_damaged_header_is_named() {
    for file in [toy_closure(), toy_cut()] {
        // Magic and version come first. What stands behind them the digest covers too, except itself and the checksum.
        for place in at::VERSION + 2..at::END {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[place] ^= 1 << bit;
                assert_eq!(code(&changed), "header-checksum", "byte {place}, bit {bit}");
            }
        }
    }
}

#[test]
fn m03_magic_version_flags_reserved() {
    let toy = toy_closure();
    let head = |offset, bytes: &[u8]| code(&Sheet::of(&toy).with_head(offset, bytes).sealed());
    for place in 0..MAGIC.len() {
        assert_eq!(head(place, b"x"), "magic", "{place}");
    }
    for version in [0u16, 2, 255, 256, 257, u16::MAX] {
        assert_eq!(head(at::VERSION, &version.to_le_bytes()), "version");
    }
    for bit in 0..8 {
        assert_eq!(head(at::FLAGS, &[1 << bit]), "header-field");
        assert_eq!(head(at::RESERVED, &[1 << bit]), "header-field");
        assert_eq!(head(at::RESERVED + 1, &[1 << bit]), "header-field");
    }
    for kind in [0, 4, 255] {
        assert_eq!(head(at::KIND, &[kind]), "header-field");
    }
    assert_eq!(head(at::KIND, &[1]), "header-field", "a cut has a seed");
    assert_eq!(head(at::KIND, &[3]), "section", "a refutation has no section 0");
    for reading in [0, 6, 255] {
        assert_eq!(head(at::READING, &[reading]), "header-field");
    }
    for counts in [[0, 0, 0, 0], [4, 0, 0, 0], [1, 2, 0, 0], [3, 3, 0, 1], [255; 4]] {
        assert_eq!(head(at::WHITE, &counts), "material");
        assert_eq!(head(at::BLACK, &counts), "material");
    }
}

#[test]
fn m04_bytes_after_the_end() {
    for file in [toy_closure(), toy_cut()] {
        for more in [&b"\0"[..], b"\n", b"garbage", &file] {
            let mut longer = [&file, more].concat();
            assert_eq!(code(&longer), "trailing");
            reseal::reseal_with_len(&mut longer);
            assert_eq!(code(&longer), "after-blocks");
        }
    }
}

#[test]
fn m05_what_happens_to_files_in_repositories() {
    let toy = toy_closure();
    let foreign = |bytes: &[u8]| match Certificate::decode(bytes) {
        Err(error) if error.code == "magic" => Foreign::recognise(bytes).expect("a known kind of file"),
        other => panic!("{other:?}"),
    };
    let replaced = |from: &[u8], to: &[u8]| {
        let mut bytes = Vec::new();
        let mut rest = &toy[..];
        while let Some((&first, tail)) = rest.split_first() {
            if let Some(after) = rest.strip_prefix(from) {
                bytes.extend(to);
                rest = after;
            } else {
                bytes.push(first);
                rest = tail;
            }
        }
        bytes
    };
    assert_eq!(foreign(&replaced(b"\n", b"\r\n")), Foreign::LineEndings);
    assert_eq!(foreign(&replaced(b"\r\n", b"\n")), Foreign::LineEndings);
    let careful = [&MAGIC[..11], b"\r\n", &toy[12..]].concat();
    assert_eq!(foreign(&careful), Foreign::LineEndings, "a lone LF to CR LF");
    let seven_bits: Vec<u8> = toy.iter().map(|byte| byte & 0x7F).collect();
    assert_eq!(foreign(&seven_bits), Foreign::Recoded);
    assert_eq!(foreign(String::from_utf8_lossy(&toy).as_bytes()), Foreign::Recoded);
    let latin: String = toy.iter().map(|&byte| char::from(byte)).collect();
    assert_eq!(foreign(latin.as_bytes()), Foreign::Recoded);
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 132\n";
    assert_eq!(foreign(pointer), Foreign::GitLfsPointer);
    assert_eq!(foreign(b"\x1F\x8B\x08\0\0\0\0\0\0\x03"), Foreign::Gzip);
    assert_eq!(foreign(b"\x28\xB5\x2F\xFD\x24"), Foreign::Zstd);
    assert_eq!(foreign(b"\xFD7zXZ\0\0\x04"), Foreign::Xz);
    assert_eq!(foreign(b"PK\x03\x04\x14\0"), Foreign::Zip);
    assert_eq!(foreign(b"<!DOCTYPE html>"), Foreign::Html);
    assert_eq!(code(b"p cnf 3 2\n1 -3 0\n"), "magic");
    assert_eq!(code(b"x"), "magic");
}

#[test]
fn m06_lengths_and_counts_that_are_too_large() {
    let sheet = Sheet::of(&toy_closure());
    let head = |offset, number: u64, width: usize| {
        code(&sheet.clone().with_head(offset, &number.to_le_bytes()[..width]).sealed())
    };
    for count in [u64::MAX, 1 << 63, 1 << 32, toy_closure().len() as u64] {
        assert_eq!(head(at::BLACK_TO_MOVE, count, 8), "entries");
        assert_eq!(head(at::WHITE_TO_MOVE, count, 8), "entries");
        assert_eq!(head(at::BLOCKS, count.min(u64::from(u32::MAX)), 4), "block-length");
    }
    // One more and one fewer than there are.
    assert_eq!(head(at::BLACK_TO_MOVE, 8, 8), "entries");
    assert_eq!(head(at::BLACK_TO_MOVE, 6, 8), "entries");
    assert_eq!(head(at::WHITE_TO_MOVE, 1, 8), "entries");
    assert_eq!(head(at::BLOCKS, 5, 4), "block-length");
    assert_eq!(head(at::BLOCKS, 3, 4), "after-blocks");
    let wide: Vec<u128> = (0..20).map(|i| 180 * i).collect();
    let wide = Sheet::of(&closure("A1-A1B1", &[(5, &wide)])).with_head(at::BLOCKS, &[2]);
    assert_eq!(code(&wide.sealed()), "block-length", "there might be room for another");
    let cut = Sheet::of(&toy_cut());
    let both = cut.with_head(at::BLACK_TO_MOVE, &[0xFF; 16]).sealed();
    assert_eq!(code(&both), "entries", "the sum overflows 64 bits");

    // The file's length.
    let own = toy_closure().len() as u64;
    for len in [0, 91, 92, own - 1, own + 1, u64::MAX] {
        let mut file = toy_closure();
        file[at::FILE_LEN..][..8].copy_from_slice(&len.to_le_bytes());
        reseal::reseal(&mut file);
        assert_eq!(code(&file), if len < own { "trailing" } else { "truncated" }, "{len}");
    }

    // A block's length.
    for len in [u32::MAX, 1 << 31, 1 << 16] {
        let mut file = toy_closure();
        file[at::END..][..4].copy_from_slice(&len.to_le_bytes());
        reseal::reseal(&mut file);
        assert_eq!(code(&file), "block-length");
    }
    // A body without bytes, and as many more elsewhere for the counts to be possible.
    let mut bodies = sheet.bodies.clone();
    let len = bodies[2].len();
    bodies[2].clear();
    bodies[3].extend(vec![0; len]);
    assert_eq!(code(&sheet.clone().with_bodies(&bodies).sealed()), "section");
    let no_tier = [&sheet.bodies[..3], &[vec![0]]].concat();
    assert_eq!(code(&sheet.clone().with_bodies(&no_tier).sealed()), "varint");

    // A block's number of entries.
    for entries in [0, 2, 65_536, 65_537, 1 << 32, 1 << 63, u128::from(u64::MAX), 1 << 64, u128::MAX] {
        let count = raw_body(0, &[4, entries, 3, 3], &[]);
        let file = sheet.clone().with_bodies(&[body(0, 0, &[0]), count, body(0, 5, &[1, 2, 3])]);
        let file = file.with_head(at::BLOCKS, &[3]).with_head(at::BLACK_TO_MOVE, &[5]).sealed();
        assert_eq!(code(&file), "block-entries", "{entries}");
    }
}

#[test]
fn m06_a_block_longer_than_a_block_can_be() {
    let ranks: Vec<u128> = (0..65_537).collect();
    let sheet = Sheet::of(&two_blocks()).with_bodies(&[body(0, 16, &ranks), body(0, 17, &[0])]).recounted();
    assert_eq!(code(&sheet.sealed()), "block-entries");
}

#[test]
fn m08_numbers_that_are_written_otherwise() {
    // Section 0, tier 4, 3 entries, first 0, last 200, deltas 2, 198: spelled out, with one number padded.
    let fields: [&[u8]; 6] = [&[4], &[3], &[0], &[0xC8, 0x01], &[2], &[0xC6, 0x01]];
    let sheet = Sheet::of(&toy_closure());
    let with = |place: usize, field: &[u8]| {
        let mut bodies = sheet.bodies.clone();
        bodies[2] = vec![0];
        for (i, &usual) in fields.iter().enumerate() {
            bodies[2].extend(if i == place { field } else { usual });
        }
        code(&sheet.clone().with_bodies(&bodies).sealed())
    };
    for (place, field) in fields.into_iter().enumerate() {
        assert_eq!(with(place, field), "accepted");
        for zeros in 0..20 {
            let mut padded = field.to_vec();
            *padded.last_mut().expect("a byte") |= 0x80;
            padded.extend(vec![0x80; zeros]);
            padded.push(0);
            assert_eq!(with(place, &padded), "varint", "field {place} with {zeros} zeros");
        }
        assert_eq!(with(place, &[0xFF; 40]), "varint");
        let bit_128 = [vec![0x80; 18], vec![4]].concat();
        assert_eq!(with(place, &bit_128), "varint");
    }
    assert_eq!(with(5, &[0xC6]), "varint", "the block ends inside a number");
    assert_eq!(with(5, &[]), "block-entries", "or before it");
}

#[test]
fn m08_deltas_that_do_not_rise() {
    let refused = |deltas: &[u128], last| {
        let entries = deltas.len() as u128 + 1;
        code_of_bodies(&[raw_body(0, &[4, entries, 9, last], deltas)])
    };
    assert_eq!(refused(&[3], 12), "accepted");
    assert_eq!(refused(&[0], 9), "rank-order");
    // 9 − 3 and 9 + 0 modulo 2¹²⁸ and 2⁶⁴.
    assert_eq!(refused(&[3u128.wrapping_neg()], 6), "rank-range");
    assert_eq!(refused(&[u128::MAX, 1], 9), "rank-range");
    assert_eq!(refused(&[1 << 64], 9), "rank-range");
}

#[test]
fn m09_an_entry_twice() {
    assert_eq!(code_of_bodies(&[body(0, 4, &[0, 2, 2, 200])]), "rank-order");
    assert_eq!(code_of_bodies(&[body(0, 4, &[0, 2]), body(0, 4, &[2, 200])]), "block-not-full");
    // Across the border of a full block.
    let full: Vec<u128> = (0..65_536).map(|i| 2 * i).collect();
    let sheet = Sheet::of(&two_blocks());
    let border = |next: &[u128]| {
        code(&sheet.clone().with_bodies(&[body(0, 16, &full), body(0, 16, next)]).recounted().sealed())
    };
    assert_eq!(border(&[131_071]), "accepted");
    assert_eq!(border(&[131_070]), "rank-order");
    assert_eq!(border(&[131_070, 131_071]), "rank-order");
    assert_eq!(border(&[0]), "rank-order");
}

#[test]
fn m10_entries_and_blocks_out_of_order() {
    let sheet = Sheet::of(&toy_closure());
    assert_eq!(code_of_bodies(&[body(0, 4, &[2, 0, 200])]), "rank-range", "the difference wraps around");
    // Swapped blocks.
    for first in 0..3 {
        let mut bodies = sheet.bodies.clone();
        bodies.swap(first, first + 1);
        assert_eq!(code_of_bodies(&bodies), "block-order", "{first}");
    }
    let mut cut = Sheet::of(&toy_cut());
    cut.bodies.rotate_right(1);
    assert_eq!(code(&cut.recounted().sealed()), "block-order", "section 1 first");
    // Wrong first and last.
    assert_eq!(code_of_bodies(&[raw_body(0, &[4, 2, 3, 9], &[5])]), "block-last");
    assert_eq!(code_of_bodies(&[raw_body(0, &[4, 1, 3, 4], &[])]), "block-last");
    assert_eq!(code_of_bodies(&[raw_body(0, &[4, 1, 4, 3], &[])]), "block-last");
    // Something behind the entries.
    assert_eq!(code_of_bodies(&[raw_body(0, &[4, 1, 3, 3], &[1])]), "after-entries");
    // A tier in more blocks than it needs.
    assert_eq!(code_of_bodies(&[body(0, 4, &[0]), body(0, 4, &[2])]), "block-not-full");
    let mut two = Sheet::of(&two_blocks());
    let ranks: Vec<u128> = (0..65_537).map(|i| 2 * i).collect();
    two.bodies = vec![body(0, 16, &ranks[..65_535]), body(0, 16, &ranks[65_535..])];
    assert_eq!(code(&two.recounted().sealed()), "block-not-full");
    // Full blocks that overlap, lie apart, or are swapped.
    let full = |from: u128| (from..from + 65_536).collect::<Vec<u128>>();
    for (from, reason) in
        [(65_536, "accepted"), (65_535, "rank-order"), (0, "rank-order"), (99_999, "accepted")]
    {
        let bodies = [body(0, 16, &full(0)), body(0, 16, &full(from))];
        let sheet = Sheet::of(&two_blocks()).with_bodies(&bodies).recounted();
        assert_eq!(code(&sheet.sealed()), reason, "{from}");
    }
}

#[test]
fn m11_what_is_out_of_range() {
    for (tier, len) in [(0, 1), (1, 16), (2, 256), (3, 16), (4, 240), (5, 3840u128)] {
        assert_eq!(code_of_bodies(&[body(0, tier, &[len - 1])]), "accepted");
        for rank in [len, len + 1, u128::from(u64::MAX), 1 << 64, (1 << 64) + len - 1, u128::MAX] {
            assert_eq!(code_of_bodies(&[body(0, tier, &[rank])]), "rank-range", "{tier}: {rank}");
            if len > 1 {
                assert_eq!(code_of_bodies(&[body(0, tier, &[0, rank])]), "rank-range", "{tier}: {rank}");
            }
        }
    }
    for tier in [6, 7, 255, 256, 1 << 16, 1 << 32, u128::from(u64::MAX), 1 << 64, u128::MAX] {
        assert_eq!(code_of_bodies(&[body(0, tier, &[0])]), "tier", "{tier}");
    }
    // Sections: a closure has one, a cut two.
    let cut = Sheet::of(&toy_cut());
    for (section, of_closure, of_cut) in [
        (0, "accepted", "accepted"),
        (1, "section", "accepted"),
        (2, "section", "section"),
        (255, "section", "section"),
    ] {
        let bodies = [body(section, 3, &[1])];
        let counted = |sheet: &Sheet| sheet.clone().with_bodies(&bodies).recounted();
        assert_eq!(code(&counted(&cut).sealed()), of_cut, "{section}");
        let closure = counted(&Sheet::of(&toy_closure()))
            .with_head(at::BLACK_TO_MOVE, &1u64.to_le_bytes())
            .with_head(at::WHITE_TO_MOVE, &0u64.to_le_bytes());
        assert_eq!(code(&closure.sealed()), of_closure, "{section}");
    }
}

#[test]
fn m18_another_claim_in_the_header() {
    let unsealed = |offset: usize, bytes: &[u8]| {
        let mut file = toy_cut();
        file[offset..offset + bytes.len()].copy_from_slice(bytes);
        let whole_crc = crc32fast::hash(&file[..at::CRC]);
        file[at::CRC..at::END].copy_from_slice(&whole_crc.to_le_bytes());
        code(&file)
    };
    // The header's own checksum fits, the digest does not.
    assert_eq!(unsealed(at::READING, &[1]), "digest");
    assert_eq!(unsealed(at::WHITE, &[2, 0, 0, 0]), "digest");
    // Sealed: another certificate, or none.
    let sealed = |offset: usize, bytes: &[u8]| code(&Sheet::of(&toy_cut()).with_head(offset, bytes).sealed());
    assert_eq!(sealed(at::READING, &[1]), "accepted");
    assert_eq!(sealed(at::SEED, &[0]), "header-field", "a cut has a seed");
    for seed in 2..=255 {
        assert_eq!(sealed(at::SEED, &[seed]), "header-field", "and no other");
    }
    assert_eq!(sealed(at::KIND, &[2]), "header-field", "a closure has none");
    let closure =
        |offset: usize, bytes: &[u8]| code(&Sheet::of(&toy_closure()).with_head(offset, bytes).sealed());
    assert_eq!(closure(at::SEED, &[1]), "header-field");
    assert_eq!(closure(at::WHITE_TO_MOVE, &[1]), "entries");
    assert_eq!(closure(at::BLACK, &[1, 0, 0, 0]), "tier", "a smaller variant has fewer tiers");
}

#[test]
fn m19_blocks_under_another_header() {
    let (a, b) =
        (toy_closure(), closure("A1-A1B1", &[(0, &[0]), (3, &[0]), (4, &[0, 2, 201]), (5, &[7, 3000])]));
    assert_eq!(a.len(), b.len());
    let swapped = [&a[..at::END], &b[at::END..]].concat();
    assert_eq!(code(&swapped), "digest");
    // The whole of A's seal over B's blocks.
    let cut = toy_cut();
    assert_ne!(code(&[&cut[..at::END], &a[at::END..]].concat()), "accepted");
}

/// Bytes that are now and then a block's body.
fn any_body() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop::sample::select(vec![0u8, 1, 2, 3, 4, 5, 19, 127, 128, 129, 255]);
    prop::collection::vec(byte, 5..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn m02_many_changes_at_once(
        cut in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        insert in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        remove in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut file = if cut { toy_cut() } else { toy_closure() };
        for (place, value) in changes {
            let place = place.index(file.len());
            file[place] = value;
        }
        if let Some((place, value)) = insert {
            file.insert(place.index(file.len()), value);
        }
        if let Some(place) = remove {
            file.remove(place.index(file.len()));
        }
        code(&file);
        reseal::reseal_with_len(&mut file);
        code(&file);
    }

    #[test]
    fn m02_anything_in_a_sealed_block(
        cut in any::<bool>(),
        bodies in prop::collection::vec(any_body(), 1..3),
    ) {
        let sheet = Sheet::of(&if cut { toy_cut() } else { toy_closure() }).with_bodies(&bodies);
        let sheet = sheet.with_head(at::BLOCKS, &(bodies.len() as u32).to_le_bytes());
        for entries in bodies.len() as u64..bodies.len() as u64 + 3 {
            let counted = sheet.clone().with_head(at::BLACK_TO_MOVE, &entries.to_le_bytes());
            code(&counted.with_head(at::WHITE_TO_MOVE, &[0; 8]).sealed());
        }
    }

    #[test]
    fn m02_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_ne!(code(&bytes), "accepted");
        let mut framed = [&MAGIC[..], &bytes].concat();
        prop_assert_ne!(code(&framed), "accepted");
        reseal::reseal_with_len(&mut framed);
        code(&framed);
    }
}
