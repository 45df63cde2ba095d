//! The header: what a file says of itself.

use super::block::MAX_BLOCK_ENTRIES;
use super::bytes::{self, Cursor};
use super::claim::{Claim, Kind};
use super::error::FormatError;
use super::foreign::Foreign;
use crate::rules::{Color, Game, Material, Reading, Variant};
use crate::strategy::Seed;

/// The first bytes of every certificate, in the style of PNG: a byte that 7-bit channels damage, the name,
/// an end of line of either fashion that text modes damage, and the byte that ends text on some systems.
pub const MAGIC: [u8; 12] = *b"\x89GOBCERT\r\n\x1A\n";

/// The version of the format that this module reads and writes.
pub const VERSION: u16 = 1;

/// The length of the header in bytes.
pub const HEADER_LEN: u64 = 92;

/// Where the reading is.
const READING_AT: u64 = 15;

/// The bytes of the header that the digest covers, from the file's beginning: all that stand before it.
const DIGESTED: usize = 56;

/// The bytes of the header that its checksum covers.
const CHECKED: usize = DIGESTED + 32;

/// The fewest bytes of a block besides one for each entry: length and checksum of 4 bytes each, section,
/// tier, number of entries, and last rank of 1 byte each. (The first rank counts as its entry's byte.)
const MIN_BLOCK_OVERHEAD: u128 = 12;

/// What a file says of itself. Nothing of it is believed: it is enough to tell people what a file claims,
/// and [`Certificate::decode`](super::Certificate::decode) compares every number with the content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The version of the format; always [`VERSION`], other versions are refused.
    pub version: u16,
    /// The kind of certificate.
    pub kind: Kind,
    /// The variant and the reading.
    pub game: Game,
    /// A cut's seed; `None` for the other kinds.
    pub seed: Option<Seed>,
    /// How many blocks follow.
    pub blocks: u32,
    /// How many positions with Black to move are listed; 0 for a refutation.
    pub black_to_move: u64,
    /// How many positions with White to move are listed; 0 for a closure.
    pub white_to_move: u64,
    /// The length of the whole file in bytes.
    pub file_len: u64,
    /// The SHA-256 of the whole file but this digest and the header's checksum.
    pub digest: [u8; 32],
}

const fn kind_code(kind: Kind) -> u8 {
    match kind {
        Kind::Cut => 1,
        Kind::Closure => 2,
        Kind::Refutation => 3,
    }
}

const fn reading_code(reading: Reading) -> u8 {
    match reading {
        Reading::Official => 1,
        Reading::Thesis => 2,
        Reading::StrictLift => 3,
        Reading::NoEntryCover => 4,
        Reading::Robust => 5,
    }
}

const fn seed_code(seed: Option<Seed>) -> u8 {
    match seed {
        None => 0,
        Some(Seed::Rules) => 1,
        Some(Seed::Thesis) => 2,
    }
}

impl Header {
    /// The claim of the file: what it would prove if it is valid.
    #[must_use]
    pub fn claim(&self) -> Claim {
        Claim { game: self.game, kind: self.kind }
    }

    /// Reads the header at the beginning of a file; what follows it is not looked at, nor whether it is
    /// there.
    ///
    /// # Errors
    /// The bytes are no certificate's, the header is cut off or damaged, or it says what the writer never
    /// would.
    pub fn parse(bytes: &[u8]) -> Result<Header, FormatError> {
        let mut cursor = after_magic(bytes)?;
        let truncated = FormatError::Truncated { needed: HEADER_LEN, found: bytes.len() as u64 };
        let cut_off = || truncated.clone();

        // The version first: another one may have another header.
        let version = cursor.u16().ok_or_else(cut_off)?;
        if version != VERSION {
            return Err(FormatError::Version { found: version });
        }
        let checked = bytes.get(..CHECKED).ok_or_else(cut_off)?;
        let stored = Cursor::new(bytes.get(CHECKED..).unwrap_or_default(), 0).u32().ok_or_else(cut_off)?;
        let computed = bytes::crc32([checked]);
        if stored != computed {
            return Err(FormatError::HeaderChecksum { stored, computed });
        }
        let kinds = "1 (cut), 2 (closure) or 3 (refutation)";
        let kind = coded(&mut cursor, "kind", kinds, &Kind::ALL, kind_code)?;
        let reading = coded(
            &mut cursor,
            "reading",
            "1 (official), 2 (thesis), 3 (strict-lift), 4 (no-entry-cover) or 5 (robust)",
            &Reading::ALL,
            reading_code,
        )?;
        // `robust` is the worst of all readings for White: that Black wins there says nothing of any game.
        if kind == Kind::Refutation && reading == Reading::Robust {
            let (field, found) = ("reading", u64::from(reading_code(reading)));
            let expected = "1 to 4, for a refutation";
            return Err(FormatError::HeaderField { field, offset: READING_AT, found, expected });
        }
        let white = material(&mut cursor, Color::White)?;
        let black = material(&mut cursor, Color::Black)?;
        let variant = Variant { white, black };
        let (seeds, expected): (&[_], _) = match kind {
            Kind::Cut => (&[Some(Seed::Rules), Some(Seed::Thesis)], "1 (rules) or 2 (thesis), for a cut"),
            Kind::Closure | Kind::Refutation => (&[None], "0, for a closure or a refutation"),
        };
        let seed = coded(&mut cursor, "seed", expected, seeds, seed_code)?;
        if let Some(seed) = seed.filter(|seed| !seed.suits(variant)) {
            return Err(FormatError::Seed { seed, variant });
        }
        let zero = |field, offset, found: u64| match found {
            0 => Ok(()),
            _ => Err(FormatError::HeaderField { field, offset, found, expected: "0" }),
        };
        let offset = cursor.offset();
        zero("flags", offset, u64::from(cursor.u8().ok_or_else(cut_off)?))?;
        let offset = cursor.offset();
        zero("reserved", offset, u64::from(cursor.u16().ok_or_else(cut_off)?))?;
        let blocks = cursor.u32().ok_or_else(cut_off)?;
        let offset = cursor.offset();
        let black_to_move = cursor.u64().ok_or_else(cut_off)?;
        if kind == Kind::Refutation {
            zero("entries with Black to move", offset, black_to_move)?;
        }
        let offset = cursor.offset();
        let white_to_move = cursor.u64().ok_or_else(cut_off)?;
        if kind == Kind::Closure {
            zero("entries with White to move", offset, white_to_move)?;
        }
        let file_len = cursor.u64().ok_or_else(cut_off)?;
        let digest = cursor.array().ok_or_else(cut_off)?;
        let header = Header {
            version,
            kind,
            game: Game::new(variant, reading),
            seed,
            blocks,
            black_to_move,
            white_to_move,
            file_len,
            digest,
        };
        if header.counts_are_possible() {
            Ok(header)
        } else {
            Err(FormatError::Counts { blocks, black_to_move, white_to_move, file_len })
        }
    }

    /// Whether some file of this length has so many blocks and entries: a block holds 1 …
    /// [`MAX_BLOCK_ENTRIES`] entries of at least a byte each.
    fn counts_are_possible(&self) -> bool {
        let blocks = u128::from(self.blocks);
        let entries = u128::from(self.black_to_move) + u128::from(self.white_to_move);
        let bytes = u128::from(HEADER_LEN) + blocks * MIN_BLOCK_OVERHEAD + entries;
        blocks <= entries
            && entries <= blocks * u128::from(MAX_BLOCK_ENTRIES)
            && bytes <= u128::from(self.file_len)
    }

    /// The header's bytes, with its checksum.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let variant = self.game.variant;
        let mut bytes = Vec::with_capacity(CHECKED + 4);
        bytes.extend(MAGIC);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend([kind_code(self.kind), reading_code(self.game.reading)]);
        bytes.extend(variant.white.counts());
        bytes.extend(variant.black.counts());
        bytes.extend([seed_code(self.seed), 0, 0, 0]);
        bytes.extend(self.blocks.to_le_bytes());
        bytes.extend(self.black_to_move.to_le_bytes());
        bytes.extend(self.white_to_move.to_le_bytes());
        bytes.extend(self.file_len.to_le_bytes());
        bytes.extend(self.digest);
        bytes.extend(bytes::crc32([&bytes]).to_le_bytes());
        bytes
    }
}

/// The digest of a file with this header, whose own digest and checksum do not count, and these blocks.
pub(super) fn digest(header: &[u8], blocks: &[u8]) -> [u8; 32] {
    bytes::sha256([header.get(..DIGESTED).unwrap_or(header), blocks])
}

/// The bytes after the magic.
fn after_magic(bytes: &[u8]) -> Result<Cursor<'_>, FormatError> {
    if bytes.is_empty() {
        return Err(FormatError::Empty);
    }
    let mut cursor = Cursor::new(bytes, 0);
    match cursor.array() {
        Some(MAGIC) => Ok(cursor),
        None if MAGIC.starts_with(bytes) => {
            Err(FormatError::Truncated { needed: HEADER_LEN, found: bytes.len() as u64 })
        }
        _ => Err(match Foreign::recognise(bytes) {
            Some(foreign) => FormatError::Foreign(foreign),
            None => FormatError::Magic { found: bytes.iter().copied().take(MAGIC.len()).collect() },
        }),
    }
}

/// The value whose code is the next byte.
fn coded<T: Copy>(
    cursor: &mut Cursor<'_>,
    field: &'static str,
    expected: &'static str,
    values: &[T],
    code: impl Fn(T) -> u8,
) -> Result<T, FormatError> {
    let offset = cursor.offset();
    let found = cursor.u8().ok_or(FormatError::Truncated { needed: HEADER_LEN, found: offset })?;
    let value = values.iter().copied().find(|&value| code(value) == found);
    value.ok_or(FormatError::HeaderField { field, offset, found: u64::from(found), expected })
}

/// The material whose counts are the next four bytes.
fn material(cursor: &mut Cursor<'_>, color: Color) -> Result<Material, FormatError> {
    let offset = cursor.offset();
    let counts = cursor.array().ok_or(FormatError::Truncated { needed: HEADER_LEN, found: offset })?;
    Material::new(counts).map_err(|_| FormatError::Material { color, offset, counts })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            version: VERSION,
            kind: Kind::Cut,
            game: Game::new("ab".parse().expect("a variant"), Reading::StrictLift),
            seed: Some(Seed::Thesis),
            blocks: 3,
            black_to_move: 5,
            white_to_move: 7,
            file_len: 1000,
            digest: std::array::from_fn(|i| i as u8),
        }
    }

    #[test]
    fn headers_round_trip() {
        let header = header();
        let bytes = header.to_bytes();
        assert_eq!(bytes.len() as u64, HEADER_LEN);
        assert_eq!(Header::parse(&bytes), Ok(header.clone()));
        assert_eq!(header.claim().to_string(), "ab strict-lift draw cut");
    }

    #[test]
    fn m01_a_header_cut_off_anywhere() {
        let bytes = header().to_bytes();
        assert_eq!(Header::parse(&[]), Err(FormatError::Empty));
        for len in 1..bytes.len() {
            let truncated = FormatError::Truncated { needed: HEADER_LEN, found: len as u64 };
            assert_eq!(Header::parse(&bytes[..len]), Err(truncated), "{len}");
        }
    }

    #[test]
    fn m06_counts_that_no_file_has() {
        let refused = |change: &dyn Fn(&mut Header)| {
            let mut header = header();
            change(&mut header);
            matches!(Header::parse(&header.to_bytes()), Err(FormatError::Counts { .. }))
        };
        assert!(!refused(&|h| h.file_len = 92 + 3 * 12 + 12), "just enough");
        assert!(refused(&|h| h.file_len = 92 + 3 * 12 + 11));
        assert!(refused(&|h| h.file_len = 0));
        assert!(refused(&|h| h.black_to_move = u64::MAX));
        assert!(refused(&|h| (h.black_to_move, h.white_to_move) = (u64::MAX, u64::MAX)));
        assert!(refused(&|h| h.white_to_move = 1 << 63));
        assert!(refused(&|h| h.blocks = u32::MAX));
        assert!(refused(&|h| h.blocks = 0));
        assert!(refused(&|h| h.blocks = 13), "more blocks than entries");
        assert!(refused(&|h| (h.file_len, h.white_to_move) = (u64::MAX, 3 * 65_536 - 4)));
        assert!(!refused(&|h| (h.file_len, h.white_to_move) = (u64::MAX, 3 * 65_536 - 5)));
    }
}
