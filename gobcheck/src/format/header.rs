//! The header: what a file says of itself.

use super::claim::{Claim, Kind};
use super::error::{FormatError, ensure};
use crate::format::crc32;
use crate::rules::{Game, Material, Reading, Variant};

/// The first bytes of every certificate, in the style of PNG: a byte that 7-bit channels damage, the name, an end of
/// line of either fashion that text modes damage, and the byte that ends text on some systems.
pub const MAGIC: [u8; 12] = *b"\x89GOBCERT\r\n\x1A\n";

/// The version of the format.
pub const VERSION: u16 = 1;

/// The length of the header in bytes.
pub const HEADER_LEN: usize = 92;

/// The bytes of the header that the digest covers, from the file's beginning: all that stand before it.
pub const DIGESTED: usize = 56;

/// The bytes of the header that its checksum covers.
const CHECKED: usize = DIGESTED + 32;

/// What a file says of itself. Nothing of it is believed: it is enough to tell people what a file claims, and
/// [`read`](super::read) compares every number with the content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What the file would prove if it is valid.
    pub claim: Claim,
    /// How many blocks follow.
    pub blocks: u64,
    /// How many positions are listed with Black to move, and with White to move.
    pub entries: [u64; 2],
    /// The length of the whole file in bytes.
    pub file_len: u64,
    /// The SHA-256 of the whole file but this digest and the header's checksum.
    pub digest: [u8; 32],
}

impl Header {
    /// Reads the header at the beginning of a file; what follows it is not looked at, nor whether it is there.
    ///
    /// # Errors
    /// The bytes are no certificate's, the header is cut off or damaged, or it says what no writer says.
    pub fn parse(bytes: &[u8]) -> Result<Header, FormatError> {
        let is_magic = bytes.starts_with(&MAGIC) || MAGIC.starts_with(bytes);
        ensure!(is_magic, "magic", 0, "it does not begin as certificates do");
        let Some(head) = bytes.first_chunk::<HEADER_LEN>() else {
            let (found, code) = (bytes.len(), "truncated");
            let what = format!("the file ends at {found} bytes, and a header has {HEADER_LEN}");
            return Err(FormatError { code, offset: found as u64, what });
        };
        // The version first: another one may have another header.
        let version = number(&head[12..14]);
        ensure!(version == u64::from(VERSION), "version", 12, "its version is {version}, this program reads {VERSION}");
        let checksum = u64::from(crc32([&head[..CHECKED]]));
        ensure!(
            checksum == number(&head[CHECKED..]),
            "header-checksum",
            88,
            "the header is damaged: its CRC-32 differs"
        );

        let code = |offset: usize| usize::from(head[offset]).wrapping_sub(1);
        let (kind, reading) = (Kind::ALL.get(code(14)), Reading::ALL.get(code(15)));
        let (Some(&kind), Some(&reading)) = (kind, reading) else {
            let what = format!("kind {} is not one of 1 to 3, or reading {} not one of 1 to 5", head[14], head[15]);
            return Err(FormatError { code: "header-field", offset: 14, what });
        };
        // `robust` is the worst of all readings for White: that Black wins there says nothing of any game.
        let says_nothing = kind == Kind::Refutation && reading == Reading::Robust;
        ensure!(!says_nothing, "header-field", 15, "a refutation cannot be under robust");
        let material = |at: usize| Material::new([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (Some(white), Some(black)) = (material(16), material(20)) else {
            let what =
                format!("material {:?} or {:?} is not 3 ≥ A ≥ B ≥ C ≥ D and A ≥ 1 (R2)", &head[16..20], &head[20..24]);
            return Err(FormatError { code: "material", offset: 16, what });
        };
        let seed = u8::from(kind == Kind::Cut);
        ensure!(head[24] == seed, "header-field", 24, "seed {} is not {seed}, as it is for a {kind}", head[24]);
        ensure!(head[25..28] == [0; 3], "header-field", 25, "flags and reserved bytes are not 0");
        Ok(Header {
            claim: Claim { game: Game::new(Variant { white, black }, reading), kind },
            blocks: number(&head[28..32]),
            entries: [number(&head[32..40]), number(&head[40..48])],
            file_len: number(&head[48..DIGESTED]),
            digest: std::array::from_fn(|at| head[DIGESTED + at]),
        })
    }
}

/// The number that at most eight bytes are, little-endian.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
