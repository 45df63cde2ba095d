//! Solved variants on disk: what White loses, in blocks that can be read one at a time.
//!
//! A file lists, tier by tier in the tiers' order, the ranks of canonical positions with White to move that are lost.
//! Two kinds are left out: positions that hold a line, and positions in which Black wins at once whatever White does.
//! Everything else follows from the rules. With Black to move a position is lost when some black move wins, or leads to
//! a lost position, listed or left out. If the sides are alike, what Black loses is found by exchanging the colours.
//! All numbers are little-endian:
//!
//! - 12 bytes of magic; version (u16); reading (u8, its place in [`Reading::ALL`]); the counts of A, B, C, D of White,
//!   then of Black (u8 each); a zero byte; number of blocks (u32); length of the file (u64);
//! - for each block: tier (u16), entries (u32), first rank (u64), offset in the file (u64), length in bytes (u32), CRC-32
//!   of its bytes (u32);
//! - the CRC-32 of all bytes before it (u32);
//! - the blocks: each rank after the first as its distance from the one before, seven bits a byte, the lowest first, the
//!   top bit set on all but the last byte.
//!
//! The file is no certificate: nothing in it can be checked without solving the variant again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use crate::bitbase::lost::Lost;
use crate::bitbase::solution::Solution;
use crate::bitbase::{Value, is_symmetric};
use crate::enumerate::wins::{is_lost_at_sight, is_won};
use crate::enumerate::{Ranking, Tier, Tiers};
use crate::prelude::*;
use crate::rules::{Color, Game, Material, Outcome, Position, Reading, Variant};
use crate::store::codec::push_deltas;
use crate::store::read::{begins_with, open_regular};
use crate::store::{Cursor, Integers as _, crc32};
use crate::symmetry;
use thiserror::Error;

pub(super) const MAGIC: [u8; 12] = *b"\x89GOBSOLV\r\n\x1A\n";
const VERSION: u16 = 2;
/// The number of bytes before the index.
const HEAD: usize = 36;
/// The number of bytes of an entry of the index.
const ENTRY: usize = 30;
/// The most ranks of a block, so that a lookup decodes only some kilobytes.
const BLOCK: usize = 4096;
/// The most ranks that are kept in memory: 64 MiB. All ranks of `ab-full` take about half of that.
const HELD: usize = 1 << 23;

/// Why a solved variant cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be opened or read.
    #[error("cannot read {path:?}: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not what `gobprove solve` writes, or is damaged; the command writes it anew.
    #[error("{path:?} cannot be used: {problem}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// The bytes of the file of a solution. `sight` has the positions that `passes::lost_at_sight` finds. They are not listed,
/// because they follow from the rules.
///
/// # Panics
/// If the variant is so large that a rank needs more than 64 bits: it cannot have been solved.
pub fn encode(solution: &Solution, sight: &Lost) -> Vec<u8> {
    let game = solution.game();
    let (mut index, mut blocks) = (Vec::new(), Vec::new());
    let mut add = |tier: usize, ranks: &[u128]| {
        let mut block = Vec::with_capacity(ranks.len() + ranks.len() / 4);
        push_deltas(&mut block, ranks);
        let first = u64::try_from(ranks[0]).expect("a rank of a solved variant fits into 64 bits");
        index.push((tier as u16, ranks.len() as u32, first, block.len() as u32, crc32([&block])));
        blocks.push(block);
    };
    for tier in 0..Tiers::new(game.variant).as_slice().len() {
        let mut waiting = Vec::new();
        for part in solution.exceptions_beyond(tier, Color::White, Some(sight)) {
            waiting.extend(part);
            let full = waiting.len() - waiting.len() % BLOCK;
            waiting[..full].chunks(BLOCK).for_each(|ranks| add(tier, ranks));
            waiting.drain(..full);
        }
        waiting.chunks(BLOCK).for_each(|ranks| add(tier, ranks));
    }
    let mut offset = (HEAD + ENTRY * index.len() + 4) as u64;
    let len = offset + blocks.iter().map(|block| block.len() as u64).sum::<u64>();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(Reading::ALL.iter().position(|&reading| reading == game.reading).unwrap_or_default() as u8);
    bytes.extend(game.variant.white.counts());
    bytes.extend(game.variant.black.counts());
    bytes.push(0);
    bytes.extend((index.len() as u32).to_le_bytes());
    bytes.extend(len.to_le_bytes());
    for (tier, entries, first, len, checksum) in index {
        bytes.extend(tier.to_le_bytes());
        bytes.extend(entries.to_le_bytes());
        bytes.extend(first.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend(len.to_le_bytes());
        bytes.extend(checksum.to_le_bytes());
        offset += u64::from(len);
    }
    bytes.extend(crc32([&bytes]).to_le_bytes());
    bytes.extend(blocks.concat());
    bytes
}

/// A solved variant on disk. Opening reads only the index; a lookup reads a block or a few.
pub struct Store {
    path: PathBuf,
    file: File,
    len: u64,
    game: Game,
    tiers: Tiers,
    /// The checksum of the head and the index.
    checksum: u32,
    index: Vec<Entry>,
    /// The blocks that were read, by their places in the index.
    read: HashMap<usize, Vec<u64>>,
    /// The number of ranks in `read`.
    held: usize,
}

/// The entry of a block in the index.
#[derive(Clone, Copy)]
struct Entry {
    tier: u16,
    entries: u32,
    first: u64,
    offset: u64,
    len: u32,
    checksum: u32,
}

impl Store {
    /// Whether a file says that it is a solved variant, of whichever game.
    #[must_use]
    pub fn is_one(path: &Path) -> bool {
        begins_with(path, &MAGIC)
    }

    /// Opens a solved variant and checks its index.
    ///
    /// # Errors
    /// The file cannot be read, or its head or index is damaged.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let read = |error| StoreError::Read { path: path.to_owned(), error };
        let damaged = |problem| StoreError::Damaged { path: path.to_owned(), problem };
        let mut file = open_regular(path).map_err(read)?;
        let actual = file.metadata().map_err(read)?.len();
        let mut head = [0; HEAD];
        file.read_exact(&mut head).map_err(|_| damaged("it is shorter than its head"))?;
        let mut cursor = Cursor::new(&head, 0);
        if cursor.array() != Some(MAGIC) {
            return Err(damaged("it does not begin as what gobprove solve writes"));
        }
        if cursor.u16() != Some(VERSION) {
            return Err(damaged("it is of another version"));
        }
        let game = cursor.array().and_then(read_game);
        let index_len = ENTRY as u64 * cursor.u32().map_or(0, u64::from);
        if cursor.u64() != Some(actual) || HEAD as u64 + index_len + 4 > actual {
            return Err(damaged("it is cut off or too long"));
        }
        // This allocates no more than the length of the file.
        let mut rest = vec![0; index_len as usize + 4];
        file.read_exact(&mut rest).map_err(read)?;
        let (index, checksum) = rest.split_at(index_len as usize);
        if checksum != crc32([&head, index]).to_le_bytes() {
            return Err(damaged("the checksum of its index is wrong"));
        }
        let game = game.ok_or_else(|| damaged("it names a variant or a reading that is none"))?;
        let mut cursor = Cursor::new(index, HEAD as u64);
        let index = std::iter::from_fn(|| Entry::read(&mut cursor)).collect();
        let tiers = Tiers::new(game.variant);
        let (path, read) = (path.to_owned(), HashMap::new());
        let checksum = Cursor::new(checksum, 0).u32().unwrap_or_default();
        Ok(Store { path, file, len: actual, game, tiers, checksum, index, read, held: 0 })
    }

    /// The game that is solved.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// Whether a position of the variant is lost for White.
    ///
    /// # Errors
    /// A block cannot be read, or is damaged.
    pub fn is_lost(&mut self, position: &Position) -> Result<bool, StoreError> {
        if let Some(winner) = position.finished() {
            return Ok(winner == Color::Black);
        }
        let game = self.game;
        if position.turn() == Color::White {
            return Ok(self.lists(position)? || is_lost_at_sight(&game, position));
        }
        if is_won(&game, position) {
            return Ok(true);
        }
        // No black move wins at once.
        for mv in game.moves(position) {
            let Outcome::GoesOn(next) = game.play_unchecked(position, mv) else { continue };
            if self.lists(&next)? || is_lost_at_sight(&game, &next) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a position is worth to the side to move. If the sides are not alike, it is `Loss` when Black forces
    /// a line and `Draw` when White holds, whoever is to move.
    ///
    /// # Errors
    /// As [`Store::is_lost`].
    pub fn value(&mut self, position: &Position) -> Result<Value, StoreError> {
        let lost = self.is_lost(position)?;
        if !is_symmetric(&self.game) {
            return Ok(if lost { Value::Loss } else { Value::Draw });
        }
        let won = self.is_lost(&position.exchanged())?;
        Ok(Value::of(position, lost, won))
    }

    /// The blocks in order: tier, entries, first rank.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u16, u32, u64)> + '_ {
        self.index.iter().map(|entry| (entry.tier, entry.entries, entry.first))
    }

    /// The checksum of the head and the index, which tells solved variants apart.
    pub(super) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Whether a position, or an image of it, is listed. The position has White to move and holds no line.
    fn lists(&mut self, position: &Position) -> Result<bool, StoreError> {
        self.find(position).map(|found| found.is_some())
    }

    /// The block that lists such a position, and the place in the block; `None` if it is not listed.
    pub(super) fn find(&mut self, position: &Position) -> Result<Option<(usize, usize)>, StoreError> {
        let tier = Tier::of(position);
        let Some(index) = self.tiers.index(tier) else { return Ok(None) };
        let rank = Ranking::new(tier).rank(&symmetry::canonical(position));
        let (Ok(index), Ok(rank)) = (u16::try_from(index), u64::try_from(rank)) else { return Ok(None) };
        let after = self.index.partition_point(|entry| (entry.tier, entry.first) <= (index, rank));
        match after.checked_sub(1) {
            Some(number) if self.index[number].tier == index => {
                let distance = rank - self.index[number].first;
                let place = self.distances(number)?.binary_search(&distance).ok();
                Ok(place.map(|place| (number, place)))
            }
            _ => Ok(None),
        }
    }

    /// The position at a place of a block, with White to move.
    ///
    /// # Errors
    /// As [`Store::is_lost`], and if there is no such place.
    pub(super) fn listed(&mut self, block: usize, place: usize) -> Result<Position, StoreError> {
        let found = self.index.get(block).copied();
        let distance = match found {
            Some(_) => self.distances(block)?.get(place).copied(),
            None => None,
        };
        let position = found.zip(distance).and_then(|(entry, distance)| {
            let tier = *self.tiers.as_slice().get(usize::from(entry.tier))?;
            let rank = entry.first.checked_add(distance)?;
            Ranking::new(tier).unrank(rank.into(), Color::White)
        });
        position.ok_or_else(|| StoreError::Damaged {
            path: self.path.clone(),
            problem: "an entry is the rank of no position",
        })
    }

    /// The distances of a block's ranks from its first rank, in order. The block is read unless it is in memory.
    fn distances(&mut self, number: usize) -> Result<&[u64], StoreError> {
        if !self.read.contains_key(&number) {
            let entry = self.index[number];
            let block = self.block(&entry)?;
            if self.held + block.len() > HELD {
                self.read.clear();
                self.held = 0;
            }
            self.held += block.len();
            self.read.insert(number, block);
        }
        Ok(&self.read[&number])
    }

    /// Reads and decodes a block: the distances of its ranks from the first.
    fn block(&mut self, entry: &Entry) -> Result<Vec<u64>, StoreError> {
        let damaged = |problem| StoreError::Damaged { path: self.path.clone(), problem };
        let end = entry.offset.checked_add(entry.len.into());
        if end.is_none_or(|end| end > self.len) {
            return Err(damaged("a block is said to be where the file has ended"));
        }
        if entry.entries as usize > BLOCK {
            return Err(damaged("a block is said to have more entries than any has"));
        }
        let mut bytes = vec![0; entry.len as usize];
        let read =
            self.file.seek(SeekFrom::Start(entry.offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|error| StoreError::Read { path: self.path.clone(), error })?;
        if crc32([&bytes]) != entry.checksum {
            return Err(damaged("the checksum of a block is wrong"));
        }
        let mut distances = vec![0];
        let (mut distance, mut cursor) = (0u64, Cursor::new(&bytes, entry.offset));
        while cursor.left() > 0 {
            let delta = cursor.varint("a distance").ok().and_then(|delta| u64::try_from(delta).ok());
            let next = delta.and_then(|delta| distance.checked_add(delta));
            distance = next.ok_or_else(|| damaged("a number in a block is malformed"))?;
            distances.push(distance);
        }
        if distances.len() != entry.entries as usize {
            return Err(damaged("a block has not as many entries as the index says"));
        }
        Ok(distances)
    }
}

impl Entry {
    /// The next entry, `None` after the last.
    fn read(cursor: &mut Cursor<'_>) -> Option<Entry> {
        Some(Entry {
            tier: cursor.u16()?,
            entries: cursor.u32()?,
            first: cursor.u64()?,
            offset: cursor.u64()?,
            len: cursor.u32()?,
            checksum: cursor.u32()?,
        })
    }
}

/// The game that a part of the head names: the reading, the counts and a zero byte. `None` if there is no such game.
fn read_game(bytes: [u8; 10]) -> Option<Game> {
    let mut cursor = Cursor::new(&bytes, 14);
    let reading = *Reading::ALL.get(usize::from(cursor.u8()?))?;
    let [white, black] = [cursor.array()?, cursor.array()?].map(Material::new);
    let variant = Variant { white: white?, black: black? };
    (cursor.u8()? == 0).then_some(Game::new(variant, reading))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::passes::lost_at_sight;
    use crate::strategy::Seed;
    use crate::thorough::thorough;

    fn written(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        file
    }

    #[test]
    fn a_store_says_what_the_solution_says() {
        let games = [
            ("A3B1-A3B1", Reading::Official),
            ("A3-A3B1", Reading::Robust),
            ("A3B1-A3B1", Reading::StrictLift),
        ];
        for (variant, reading) in games.into_iter().take(if thorough() { 3 } else { 1 }) {
            let solution = solved(&game(variant, reading), Seed::Rules);
            let file = written(&encode(&solution, &lost_at_sight(&solution).expect("memory")));
            let mut store = Store::open(file.path()).expect("opened");
            assert_eq!(store.game(), solution.game());
            let (mut lost, mut asked) = (0, 0);
            let of_tier = if thorough() { 300 } else { 80 };
            for &tier in Tiers::new(solution.game().variant).as_slice() {
                let ranking = Ranking::new(tier);
                for rank in (0..ranking.len()).step_by(1 + ranking.len() as usize / of_tier) {
                    for turn in Color::ALL {
                        let position = ranking.unrank(rank, turn).expect("a placement");
                        let is_lost = solution.is_lost(&position);
                        assert_eq!(store.is_lost(&position).expect("read"), is_lost, "{position}");
                        (lost, asked) = (lost + u32::from(is_lost), asked + 1);
                        if is_symmetric(solution.game()) {
                            assert_eq!(store.value(&position).expect("read"), solution.worth(&position));
                        }
                    }
                }
            }
            assert!(lost > 100 && lost < asked, "{lost} of {asked}");
        }
    }

    #[test]
    fn a_damaged_store_is_refused_when_opened_or_when_the_block_is_read() {
        let solution = solved(&game("A2-A3B2", Reading::Official), Seed::Rules);
        let bytes = encode(&solution, &lost_at_sight(&solution).expect("memory"));
        let blocks = Cursor::new(&bytes[24..], 24).u32().expect("the number of blocks") as usize;
        assert!(blocks > 0, "something is listed");
        let index_end = HEAD + ENTRY * blocks + 4;
        for at in (0..index_end).chain([bytes.len() - 1]) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let file = written(&damaged);
            match Store::open(file.path()) {
                Err(StoreError::Damaged { .. }) => {}
                Err(error) => panic!("byte {at}: {error}"),
                Ok(mut store) => {
                    assert!(at >= index_end, "byte {at} of the head or index");
                    let last = *store.index.last().expect("a block");
                    assert!(matches!(store.block(&last).err(), Some(StoreError::Damaged { .. })));
                }
            }
        }
        // Numbers that are too large are refused even though all checksums are right.
        let mut store = Store::open(written(&bytes).path()).expect("opened");
        let beyond = Entry { offset: u64::MAX, ..*store.index.last().expect("a block") };
        assert!(matches!(store.block(&beyond).err(), Some(StoreError::Damaged { .. })));
        store.index[0].first = u64::MAX;
        assert!(matches!(store.listed(0, 1).err(), Some(StoreError::Damaged { .. })));
        for len in 0..bytes.len().min(index_end + 1) {
            let file = written(&bytes[..len]);
            assert!(
                matches!(Store::open(file.path()).err(), Some(StoreError::Damaged { .. })),
                "{len} bytes"
            );
        }
    }
}
