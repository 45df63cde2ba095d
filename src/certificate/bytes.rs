//! Bytes taken one after the other, varints, and the two hashes.

use sha2::{Digest as _, Sha256};

/// Bytes that are taken from the front.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    offset: u64,
}

/// Why bytes are no varint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarintError {
    /// The bytes end before the varint does.
    CutOff,
    /// Fewer bytes say the same.
    Overlong,
    /// The number does not fit in 128 bits.
    TooLarge,
}

impl VarintError {
    pub(super) fn reason(self) -> &'static str {
        match self {
            VarintError::CutOff => "runs past the end of the block",
            VarintError::Overlong => "is written with more bytes than it needs",
            VarintError::TooLarge => "does not fit in 128 bits",
        }
    }
}

impl<'a> Cursor<'a> {
    /// All of `bytes`, which begin at an offset of the file.
    pub(crate) fn new(bytes: &'a [u8], offset: u64) -> Cursor<'a> {
        Cursor { rest: bytes, offset }
    }

    /// Where in the file the next byte is.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> u64 {
        self.rest.len() as u64
    }

    fn advance(&mut self, rest: &'a [u8]) {
        self.offset += (self.rest.len() - rest.len()) as u64;
        self.rest = rest;
    }

    /// The next N bytes, `None` (and nothing taken) if fewer are left.
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.advance(rest);
        Some(taken)
    }

    /// The next `len` bytes, `None` (and nothing taken) if fewer are left.
    pub(crate) fn slice(&mut self, len: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(len).ok()?)?;
        self.advance(rest);
        Some(taken)
    }

    /// The next byte.
    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// The next two bytes, little-endian.
    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next four bytes, little-endian.
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next eight bytes, little-endian.
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// The next varint: seven bits a byte, least significant first, the top bit set in all bytes but the
    /// last, no more bytes than the number needs.
    pub(crate) fn varint(&mut self) -> Result<u128, VarintError> {
        let mut value: u128 = 0;
        // 18 · 7 = 126 bits, so the 19th byte has room for two.
        for shift in (0..=126).step_by(7) {
            let byte = self.u8().ok_or(VarintError::CutOff)?;
            let bits = u128::from(byte & 0x7F);
            if shift == 126 && bits > 3 {
                return Err(VarintError::TooLarge);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return if byte == 0 && shift > 0 { Err(VarintError::Overlong) } else { Ok(value) };
            }
        }
        Err(VarintError::TooLarge)
    }
}

/// Appends a varint, as [`Cursor::varint`] reads it.
pub(crate) fn push_varint(bytes: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The CRC-32 (IEEE, as zlib) of parts taken as one.
pub(crate) fn crc32<const N: usize>(parts: [&[u8]; N]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// The SHA-256 of parts taken as one.
pub(super) fn sha256<const N: usize>(parts: [&[u8]; N]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.into_iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(bytes: &[u8]) -> Result<u128, VarintError> {
        Cursor::new(bytes, 0).varint()
    }

    #[test]
    fn varints_round_trip() {
        let powers = (0..128).map(|bit| 1u128 << bit);
        for value in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u128::MAX, 0xDEAD_BEEF]) {
            let mut bytes = Vec::new();
            push_varint(&mut bytes, value);
            let mut cursor = Cursor::new(&bytes, 5);
            assert_eq!(cursor.varint(), Ok(value));
            assert_eq!((cursor.left(), cursor.offset()), (0, 5 + bytes.len() as u64));
            for cut in 0..bytes.len() {
                assert_eq!(varint(&bytes[..cut]), Err(VarintError::CutOff));
            }
        }
        let mut bytes = Vec::new();
        push_varint(&mut bytes, u128::MAX);
        assert_eq!(bytes.len(), 19);
    }

    #[test]
    fn m08_varints_that_the_writer_does_not_write() {
        assert_eq!(varint(&[0x80, 0x00]), Err(VarintError::Overlong));
        assert_eq!(varint(&[0xFF, 0x80, 0x00]), Err(VarintError::Overlong));
        let mut long = [0xFF; 20];
        assert_eq!(varint(&long), Err(VarintError::TooLarge));
        long[18] = 0x04;
        assert_eq!(varint(&long), Err(VarintError::TooLarge), "bit 128");
        long[18] = 0x03;
        assert_eq!(varint(&long), Ok(u128::MAX));
        long[18] = 0x00;
        assert_eq!(varint(&long), Err(VarintError::Overlong));
        long[18] = 0x83;
        assert_eq!(varint(&long), Err(VarintError::TooLarge), "a 20th byte");
    }

    #[test]
    fn what_is_no_varint_is_told_apart() {
        for (error, words) in [
            (VarintError::CutOff, "past the end"),
            (VarintError::Overlong, "more bytes than it needs"),
            (VarintError::TooLarge, "128 bits"),
        ] {
            assert!(error.reason().contains(words), "{error:?}: {}", error.reason());
        }
    }

    #[test]
    fn nothing_is_taken_beyond_the_end() {
        let mut cursor = Cursor::new(&[1, 2, 3], 10);
        assert_eq!(cursor.u32(), None);
        assert_eq!(cursor.slice(u64::MAX), None);
        assert_eq!(cursor.u16(), Some(0x0201));
        assert_eq!((cursor.offset(), cursor.left()), (12, 1));
        assert_eq!(cursor.slice(1), Some(&[3][..]));
        assert_eq!(cursor.u8(), None);
    }

    #[test]
    fn the_hashes_are_the_usual_ones() {
        assert_eq!(crc32([b"1234", b"56789"]), 0xCBF4_3926);
        assert_eq!(
            hex(&sha256([b"a", b"bc"])),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
