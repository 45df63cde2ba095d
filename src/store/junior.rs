//! The solved game on nine squares on disk: the draws, and the losses in three plies or more. Everything else follows from the
//! rules ([`gobjunior::solver::Solved`]). All numbers are little-endian:
//!
//! - 12 bytes of magic; version (u16); reading (u8, its place in [`Reading::ALL`]); number of counts (u8); number of
//!   entries (u32);
//! - for each count: the value that is counted, as kind (u8: 0 loss, 1 draw, 2 win) and plies (u8); number of positions (u64);
//! - for each entry: the distance of its number from the one before (varint; for the first, from 0); its value (u8): 0 for a
//!   draw, else the plies of the loss;
//! - the CRC-32 of all bytes before it (u32).
//!
//! The file is no certificate: nothing in it can be checked without solving the game again, which takes seconds.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use gobjunior::rules::{Game, Reading};
use gobjunior::solver::{Counts, Solved, Unlisted, Value};
use thiserror::Error;

use super::codec::push_varint;
use super::read::open_regular;
use crate::store::{Cursor, Integers as _, crc32};

const MAGIC: [u8; 12] = *b"\x89GOBJUNR\r\n\x1A\n";
const VERSION: u16 = 1;

/// Why a solved game on nine squares cannot be used.
#[derive(Debug, Error)]
pub enum JuniorError {
    /// The file cannot be opened or read.
    #[error("cannot read {path:?}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not what `gobprove solve junior` writes, or is damaged.
    #[error("{path:?} is no solved junior: {problem}; gobprove solve junior writes it anew")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// A solved game as a file's bytes.
///
/// # Panics
/// If a win takes more than 255 plies; none takes more than 24.
#[must_use]
pub fn encode_junior(solved: &Solved) -> Vec<u8> {
    let plies = |value: Value| u8::try_from(value.plies().unwrap_or_default()).expect("few plies");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    let reading = Reading::ALL.iter().position(|&reading| reading == solved.game().reading);
    bytes.push(reading.unwrap_or_default() as u8);
    bytes.push(solved.counts().len() as u8);
    bytes.extend((solved.listed().len() as u32).to_le_bytes());
    for (value, count) in solved.counts() {
        let kind = match value {
            Value::Loss(_) => 0,
            Value::Draw => 1,
            Value::Win(_) => 2,
        };
        bytes.extend([kind, plies(*value)]);
        bytes.extend(count.to_le_bytes());
    }
    let mut before = 0;
    for &(number, value) in solved.listed() {
        push_varint(&mut bytes, (number - before).into());
        bytes.push(plies(value));
        before = number;
    }
    bytes.extend(crc32([&bytes]).to_le_bytes());
    bytes
}

/// Reads a solved game on nine squares.
///
/// # Errors
/// The file cannot be read, holds no solved game, or is damaged.
pub fn read_junior(path: &Path) -> Result<Solved, JuniorError> {
    let mut bytes = Vec::new();
    open_regular(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| JuniorError::Read { path: path.to_owned(), error })?;
    let damaged = |problem: String| JuniorError::Damaged { path: path.to_owned(), problem };
    let (game, listed, counts) = decode(&bytes).map_err(|problem| damaged(problem.to_owned()))?;
    Solved::from_listed(game, listed, counts).map_err(|error: Unlisted| damaged(error.to_string()))
}

type Decoded = (Game, Vec<(u32, Value)>, Counts);

fn decode(bytes: &[u8]) -> Result<Decoded, &'static str> {
    let cut_off = "it is cut off";
    let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(cut_off)?;
    let mut cursor = Cursor::new(body, 0);
    if cursor.array() != Some(MAGIC) {
        return Err("it begins otherwise");
    }
    if cursor.u16() != Some(VERSION) {
        return Err("it is of another version");
    }
    if crc32([body]) != u32::from_le_bytes(*checksum) {
        return Err("its checksum is wrong, or it is cut off");
    }
    let reading = cursor.u8().and_then(|reading| Reading::ALL.get(usize::from(reading)));
    let game = Game::full(*reading.ok_or("it names a reading that is none")?);
    let (counted, entries) = (cursor.u8().ok_or(cut_off)?, cursor.u32().ok_or(cut_off)?);
    let mut counts = Counts::new();
    for _ in 0..counted {
        let (kind, plies) = (cursor.u8().ok_or(cut_off)?, u32::from(cursor.u8().ok_or(cut_off)?));
        let value = match kind {
            0 => Value::Loss(plies),
            1 => Value::Draw,
            2 => Value::Win(plies),
            _ => return Err("it counts something that is no value"),
        };
        counts.insert(value, cursor.u64().ok_or(cut_off)?);
    }
    // An entry has two bytes or more.
    let mut listed = Vec::with_capacity((entries as usize).min(body.len() / 2));
    let mut number = 0u32;
    for _ in 0..entries {
        let delta = cursor.varint("a number").ok().and_then(|delta| u32::try_from(delta).ok());
        number = delta.and_then(|delta| number.checked_add(delta)).ok_or("a number in it is too large")?;
        let value = match cursor.u8().ok_or(cut_off)? {
            0 => Value::Draw,
            plies => Value::Loss(plies.into()),
        };
        listed.push((number, value));
    }
    if cursor.left() > 0 { Err("it is too long") } else { Ok((game, listed, counts)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn few() -> Solved {
        let game = Game::full(Reading::StrictLift);
        let listed =
            vec![(0, Value::Loss(12)), (7, Value::Draw), (300, Value::Loss(3)), (364_149_968, Value::Draw)];
        let counts = Counts::from([(Value::Draw, 104_224), (Value::Win(1), 1 << 40), (Value::Loss(24), 1)]);
        Solved::from_listed(game, listed, counts).expect("a list")
    }

    #[test]
    fn what_is_written_is_read_back() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("junior");
        std::fs::write(&path, encode_junior(&few())).expect("written");
        let read = read_junior(&path).expect("a solved game");
        assert_eq!(
            (read.game(), read.listed(), read.counts()),
            (few().game(), few().listed(), few().counts())
        );
    }

    #[test]
    fn every_damaged_byte_is_seen() {
        let bytes = encode_junior(&few());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(decode(&damaged).is_err(), "byte {at}");
            assert!(decode(&bytes[..at]).is_err(), "cut off at {at}");
        }
        assert!(decode(&bytes).is_ok());
        let mut endless = bytes[..16].to_vec();
        endless.extend([0xFF; 40]);
        endless.extend(crc32([&endless]).to_le_bytes());
        assert!(decode(&endless).is_err());
    }
}
