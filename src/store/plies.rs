//! The number of plies in which each listed position of a solved variant is lost, in a file beside that of [`Store`].
//!
//! A solved variant lists lost positions with White to move. This file has a byte for each of them, in the same order: the
//! number of plies in which Black wins. It is at least 3, because positions that are lost in fewer plies are not listed.
//! All numbers are little-endian:
//!
//! - 12 bytes of magic; version (u16); the checksum in the head of the solved variant (u32); number of blocks (u32);
//! - for each block of the solved variant the CRC-32 of its bytes here (u32);
//! - the CRC-32 of all bytes before it (u32);
//! - the bytes, block by block, one for each entry.
//!
//! All other positions follow from these. With Black to move, Black wins one ply later than after its best move.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::read::{begins_with, open_regular};
use super::solved::{Store, StoreError};
use crate::bitbase::is_symmetric;
use crate::enumerate::random::{Random, Sample};
use crate::enumerate::wins::plies_at_sight;
use crate::prelude::*;
use crate::rules::{Color, Outcome, Position};
use crate::store::{Cursor, Integers as _, crc32};

const MAGIC: [u8; 12] = *b"\x89GOBPLYS\r\n\x1A\n";
const VERSION: u16 = 1;
/// The number of bytes before the checksums of the blocks.
const HEAD: usize = 22;

/// The path of the plies of a solved variant: that of its own file with `.plies` added.
#[must_use]
pub fn plies_beside(solved: &Path) -> PathBuf {
    let mut name = solved.as_os_str().to_owned();
    name.push(".plies");
    PathBuf::from(name)
}

/// The bytes of the file for a solved variant. For each tier, `listed` has the ranks of the lost positions in order, each with
/// its plies. `None` if their numbers, or the first ranks of blocks, are not those of the solved variant.
#[must_use]
pub fn encode_plies(solved: &Store, listed: &[Vec<(u64, u8)>]) -> Option<Vec<u8>> {
    let mut left: Vec<&[(u64, u8)]> = listed.iter().map(Vec::as_slice).collect();
    let (mut checksums, mut all) = (Vec::new(), Vec::new());
    for (tier, entries, first) in solved.blocks() {
        let of_tier = left.get_mut(usize::from(tier))?;
        let (block, rest) = of_tier.split_at_checked(entries as usize)?;
        *of_tier = rest;
        if block.first().is_none_or(|&(rank, _)| rank != first) {
            return None;
        }
        let bytes: Vec<u8> = block.iter().map(|&(_, plies)| plies).collect();
        checksums.extend(crc32([&bytes]).to_le_bytes());
        all.extend(bytes);
    }
    if !left.iter().all(|rest| rest.is_empty()) {
        return None;
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(solved.checksum().to_le_bytes());
    bytes.extend(((checksums.len() / 4) as u32).to_le_bytes());
    bytes.extend(checksums);
    bytes.extend(crc32([&bytes]).to_le_bytes());
    bytes.extend(all);
    Some(bytes)
}

/// The plies of a solved variant. Opening reads only the checksums; a lookup reads a block or a few.
pub struct Plies {
    path: PathBuf,
    file: File,
    /// For each block: its offset in the file, its length and its checksum.
    blocks: Vec<(u64, usize, u32)>,
    /// The blocks that were read, by their places in `blocks`.
    read: HashMap<usize, Vec<u8>>,
}

impl Plies {
    /// Whether a file says that it holds plies, of whichever solved variant.
    #[must_use]
    pub fn is_one(path: &Path) -> bool {
        begins_with(path, &MAGIC)
    }

    /// Opens the plies of a solved variant; `None` if there is no such file.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or is of another solved variant.
    pub fn open(path: &Path, solved: &Store) -> Result<Option<Plies>, StoreError> {
        let read = |error| StoreError::Read { path: path.to_owned(), error };
        let damaged = |problem| StoreError::Damaged { path: path.to_owned(), problem };
        let mut file = match open_regular(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(read)?,
        };
        let mut head = vec![0; HEAD];
        file.read_exact(&mut head).map_err(|_| damaged("it is shorter than its head"))?;
        let mut cursor = Cursor::new(&head, 0);
        if cursor.array() != Some(MAGIC) || cursor.u16() != Some(VERSION) {
            return Err(damaged("it holds no plies, or those of another version"));
        }
        let (of, count) = (cursor.u32(), cursor.u32());
        let entries: Vec<u32> = solved.blocks().map(|(_, entries, _)| entries).collect();
        if of != Some(solved.checksum()) || count != u32::try_from(entries.len()).ok() {
            return Err(damaged("it is of another solved variant"));
        }
        let mut rest = vec![0; 4 * entries.len() + 4];
        file.read_exact(&mut rest).map_err(|_| damaged("it is cut off"))?;
        let (checksums, last) = rest.split_at(4 * entries.len());
        if last != crc32([&head, checksums]).to_le_bytes() {
            return Err(damaged("its first checksum is wrong"));
        }
        let mut offset = (HEAD + rest.len()) as u64;
        let mut cursor = Cursor::new(checksums, HEAD as u64);
        let mut blocks = Vec::with_capacity(entries.len());
        for entries in entries {
            blocks.push((offset, entries as usize, cursor.u32().unwrap_or_default()));
            offset += u64::from(entries);
        }
        if file.metadata().map_err(read)?.len() != offset {
            return Err(damaged("it is cut off or too long"));
        }
        Ok(Some(Plies { path: path.to_owned(), file, blocks, read: HashMap::new() }))
    }

    /// In how many plies the side that can force a win from a position wins; `None` if neither side can. If the sides are not
    /// alike, only Black's win counts. 0 if the winner's line stands.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn to_the_win(&mut self, solved: &mut Store, position: &Position) -> Result<Option<u32>, StoreError> {
        match self.plies_to_loss(solved, position)? {
            None if is_symmetric(solved.game()) => self.plies_to_loss(solved, &position.exchanged()),
            plies => Ok(plies),
        }
    }

    /// In how many plies Black wins; `None` if it cannot force a win.
    fn plies_to_loss(&mut self, solved: &mut Store, position: &Position) -> Result<Option<u32>, StoreError> {
        if let Some(winner) = position.finished() {
            return Ok((winner == Color::Black).then_some(0));
        }
        let game = *solved.game();
        if position.turn() == Color::White {
            if let Some((block, place)) = solved.find(position)? {
                return Ok(Some(u32::from(self.entry(block, place)?)));
            }
            return Ok(plies_at_sight(&game, position));
        }
        let mut best = None;
        for mv in game.moves(position) {
            let after = match game.play_unchecked(position, mv) {
                Outcome::BlackWins => return Ok(Some(1)),
                Outcome::WhiteWins => None,
                Outcome::GoesOn(next) => self.plies_to_loss(solved, &next)?,
            };
            best = best.into_iter().chain(after.map(|plies| plies + 1)).min();
        }
        Ok(best)
    }

    /// Draws at most `most` listed positions for each number of plies to the loss, all equally likely. The positions have White
    /// to move and are lost. Every entry is looked at once.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub(crate) fn sample(
        &mut self,
        solved: &mut Store,
        most: usize,
        random: &mut Random,
    ) -> Result<BTreeMap<u32, Vec<Position>>, StoreError> {
        let mut drawn: BTreeMap<u32, Sample<(usize, usize)>> = BTreeMap::new();
        for block in 0..self.blocks.len() {
            for (place, plies) in self.block(block)?.iter().enumerate() {
                let sample = drawn.entry(u32::from(*plies)).or_insert_with(|| Sample::new(most));
                sample.meet((block, place), random);
            }
        }
        let positions = |(plies, sample): (u32, Sample<(usize, usize)>)| {
            let listed = sample.drawn.into_iter().map(|(block, place)| solved.listed(block, place));
            Ok((plies, listed.collect::<Result<_, StoreError>>()?))
        };
        drawn.into_iter().map(positions).collect()
    }

    /// The plies of an entry.
    fn entry(&mut self, block: usize, place: usize) -> Result<u8, StoreError> {
        // A block has as many bytes as entries.
        self.block(block).map(|bytes| bytes[place])
    }

    /// The bytes of a block, read from the file the first time.
    fn block(&mut self, block: usize) -> Result<&[u8], StoreError> {
        if !self.read.contains_key(&block) {
            let damaged = |problem| StoreError::Damaged { path: self.path.clone(), problem };
            let &(offset, len, checksum) =
                self.blocks.get(block).ok_or_else(|| damaged("it has too few blocks"))?;
            let mut bytes = vec![0; len];
            let read = self.file.seek(SeekFrom::Start(offset)).and_then(|_| self.file.read_exact(&mut bytes));
            read.map_err(|error| StoreError::Read { path: self.path.clone(), error })?;
            if crc32([&bytes]) != checksum {
                return Err(damaged("the checksum of a block is wrong"));
            }
            self.read.insert(block, bytes);
        }
        Ok(&self.read[&block])
    }
}
