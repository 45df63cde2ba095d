//! Working files: what a long run saves, such as a bitbase between rounds, in blocks of rows.
//!
//! They belong to the prover, and nothing here is evidence. A file that is damaged, or belongs to another game, seed,
//! layout or version of gobprove, is refused. What a run makes from them is checked like anything else.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::enumerate::rows::discipline::Discipline;
use crate::prelude::*;
use crate::rules::Game;
use crate::store::{Disk, System, WriteError, crc32, remove_leftovers, write_file};
use crate::strategy::Seed;

/// A working directory, locked for as long as this value lives.
#[derive(Debug)]
pub struct Working {
    disk: Arc<dyn Disk>,
    dir: PathBuf,
    identity: String,
    checkpoint_every: Duration,
    block_words: usize,
    _lock: File,
}

/// What is known of a block of a tier's rows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TierBlock {
    /// Rounds run so far.
    pub rounds: u32,
    /// How far the first round is: rows gone over by its three passes together. What they found is in the sets.
    pub first_round: u64,
    /// A random number for all blocks that were saved together. Blocks of several saves hold nothing false, but what
    /// follows from one of them may be missing in another.
    pub save: u64,
    /// Whether the last round added nothing.
    pub finished: bool,
    /// The words of the bitbase with White to move: the thesis's B.
    pub white_to_move: Vec<u64>,
    /// The same with Black to move, the thesis's W; `None` for just what a black update finds from the sets
    /// with White to move.
    pub black_to_move: Option<Vec<u64>>,
}

/// Why working files cannot be used.
#[derive(Debug, Error)]
pub enum WorkingError {
    /// The operating system said no.
    #[error("{path:?}: cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file could not be written; what was there before still is.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process works there.
    #[error("{0:?}: another gobprove works in this directory; wait for it or give another --dir")]
    Locked(PathBuf),
    /// The files are for something else.
    #[error(
        "{path:?}: made for {found:?}, not for {expected:?}; give another --dir, or --fresh to discard what is there"
    )]
    Foreign {
        /// Where.
        path: PathBuf,
        /// What they are for.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A file is damaged.
    #[error("{path:?}: damaged ({reason}); {cure}")]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// What can be done.
        cure: &'static str,
    },
}

/// What a working file holds besides its checksum.
#[derive(Serialize, Deserialize)]
struct Sheet<T> {
    identity: String,
    place: (u32, u32),
    content: T,
}

/// What a sheet is of; its file is named after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Topic {
    /// A block of a tier.
    Tier,
    /// A block of a book of the closure prover.
    Book,
    /// How far a proof is.
    Proof,
    /// A block of what a step of a refutation found.
    Found,
    /// How far these steps are.
    Done,
    /// A block of what has grown of a refutation.
    Grown,
    /// How far it has grown.
    Growing,
}

impl Topic {
    /// In the order in which they are deleted. A manifest goes before the files that it names.
    const ALL: [Topic; 7] =
        [Topic::Growing, Topic::Grown, Topic::Done, Topic::Found, Topic::Proof, Topic::Book, Topic::Tier];

    /// What the names of its files begin with.
    fn prefix(self) -> &'static str {
        match self {
            Topic::Tier => "tier-",
            Topic::Book => "book-",
            Topic::Proof => "proof-",
            Topic::Found => "found-",
            Topic::Done => "done-",
            Topic::Grown => "grown-",
            Topic::Growing => "growing-",
        }
    }

    /// What can be done if a file of it is damaged.
    fn cure(self) -> &'static str {
        match self {
            Topic::Tier => "without this file its tier is solved again, and --fresh discards all of them",
            Topic::Book | Topic::Proof => "without its directory the proof begins anew",
            Topic::Found | Topic::Done | Topic::Grown | Topic::Growing => {
                "--fresh discards all of them, and the refutation begins anew"
            }
        }
    }

    /// The place of a sheet, by the name of its file.
    fn place(self, path: &Path) -> Option<(usize, usize)> {
        let name = path.file_name()?.to_str()?;
        let (first, second) = name.strip_prefix(self.prefix())?.strip_suffix(".bin")?.split_once('-')?;
        Some((first.parse().ok()?, second.parse().ok()?))
    }
}

const LOCK: &str = "lock";
const IDENTITY: &str = "identity";

/// The most bytes that decoding a sheet may ask for.
const LIMIT: usize = 1 << 28;

/// How many words of a set go into one file: writing and reading them takes some 100 MB at most.
const BLOCK_WORDS: usize = 1 << 22;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<LIMIT>()
}

/// How long a tier is worked on before what is known of it is saved.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

/// Goes up when the files are laid out in another way.
const LAYOUT: u32 = 4;

/// What the files are for.
fn identity(game: &Game, seed: Seed, discipline: &Discipline) -> String {
    let (variant, version) = (game.variant.spelled(), env!("CARGO_PKG_VERSION"));
    let within = if discipline.is_free() { String::new() } else { format!(" within {discipline}") };
    format!("{variant} {} {seed}{within} gobprove {version} layout {LAYOUT}", game.reading)
}

impl Working {
    /// Whether a directory is a working directory.
    #[must_use]
    pub fn is_at(dir: &Path) -> bool {
        dir.join(IDENTITY).exists()
    }

    /// Opens a working directory for a game and seed, made if it is not there. With `fresh` what lies there
    /// is discarded. A lock goes with the process that took it, so a dead one leaves none.
    ///
    /// # Errors
    /// The directory cannot be used, another process works there, or it was made for something else.
    pub fn open(dir: &Path, game: &Game, seed: Seed, fresh: bool) -> Result<Working, WorkingError> {
        Working::open_on(Arc::new(System), dir, game, seed, fresh)
    }

    /// As [`Working::open`], for what a discipline leaves of a game.
    ///
    /// # Errors
    /// As [`Working::open`].
    pub fn open_within(
        dir: &Path,
        game: &Game,
        seed: Seed,
        discipline: &Discipline,
        fresh: bool,
    ) -> Result<Working, WorkingError> {
        Working::open_for(Arc::new(System), dir, identity(game, seed, discipline), fresh)
    }

    /// As [`Working::open`], on another disk.
    ///
    /// # Errors
    /// As [`Working::open`].
    pub fn open_on(
        disk: Arc<dyn Disk>,
        dir: &Path,
        game: &Game,
        seed: Seed,
        fresh: bool,
    ) -> Result<Working, WorkingError> {
        Working::open_for(disk, dir, identity(game, seed, &Discipline::FREE), fresh)
    }

    /// As [`Working::open`], for whatever an identity names.
    ///
    /// # Errors
    /// As [`Working::open`].
    pub(crate) fn open_for(
        disk: Arc<dyn Disk>,
        dir: &Path,
        identity: String,
        fresh: bool,
    ) -> Result<Working, WorkingError> {
        disk.create_directory(dir).map_err(failed("make the working directory", dir))?;
        let lock = lock(&*disk, dir)?;
        let working = Working {
            disk,
            dir: dir.to_owned(),
            identity,
            checkpoint_every: CHECKPOINT_EVERY,
            block_words: BLOCK_WORDS,
            _lock: lock,
        };
        remove_leftovers(&*working.disk, dir);
        if fresh {
            working.discard()?;
        }
        let path = dir.join(IDENTITY);
        match working.disk.read(&path) {
            Ok(found) if found == working.identity.as_bytes() => {}
            Ok(found) => {
                let found = String::from_utf8_lossy(&found).into_owned();
                return Err(WorkingError::Foreign { path, found, expected: working.identity });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_file(&*working.disk, &path, working.identity.as_bytes())?;
            }
            Err(source) => return Err(failed("read", &path)(source)),
        }
        Ok(working)
    }

    /// How long a tier is worked on before what is known of it is saved: a minute, unless
    /// [`Working::set_checkpoint_every`] says otherwise.
    #[must_use]
    pub fn checkpoint_every(&self) -> Duration {
        self.checkpoint_every
    }

    /// Sets [`Working::checkpoint_every`]; with 0 each round is saved.
    pub fn set_checkpoint_every(&mut self, every: Duration) {
        self.checkpoint_every = every;
    }

    /// The directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How many words of a set go into one file. Less is for tests.
    #[must_use]
    pub fn block_words(&self) -> usize {
        self.block_words
    }

    /// Sets it.
    ///
    /// # Panics
    /// If it is 0.
    pub fn set_block_words(&mut self, words: usize) {
        assert!(words > 0, "a block holds something");
        self.block_words = words;
    }

    /// How many entries of `words` words go into one file.
    pub(crate) fn block_len(&self, words: usize) -> usize {
        (self.block_words / words).max(1)
    }

    fn sheet(&self, topic: Topic, (first, second): (usize, usize)) -> PathBuf {
        self.dir.join(format!("{}{first:04}-{second:04}.bin", topic.prefix()))
    }

    /// What is known of a block of `words` words, by its place in a tier and that tier's in the tiers' order;
    /// `None` if nothing is yet.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is for something else.
    pub fn load(&self, tier: usize, block: usize, words: usize) -> Result<Option<TierBlock>, WorkingError> {
        let place = (tier, block);
        let Some(content) = self.read::<TierBlock>(Topic::Tier, place)? else { return Ok(None) };
        let TierBlock { white_to_move, black_to_move, .. } = &content;
        if [Some(white_to_move), black_to_move.as_ref()].into_iter().flatten().any(|set| set.len() != words) {
            return Err(self.damaged(Topic::Tier, place, format!("a set in it has not {words} words")));
        }
        Ok(Some(content))
    }

    /// Writes what is known of a block, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written; the earlier one, if there was one, is still there.
    pub fn save(&self, tier: usize, block: usize, content: &TierBlock) -> Result<(), WorkingError> {
        self.write(Topic::Tier, (tier, block), content)
    }

    /// What a sheet holds, `None` if there is none.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is for something else.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        topic: Topic,
        place: (usize, usize),
    ) -> Result<Option<T>, WorkingError> {
        let path = self.sheet(topic, place);
        let bytes = match self.disk.read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed("read", &path)(source)),
        };
        let damaged = |reason: String| self.damaged(topic, place, reason);
        let (body, checksum) =
            bytes.split_last_chunk::<4>().ok_or_else(|| damaged("shorter than its checksum".to_owned()))?;
        if crc32([body]) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum differs".to_owned()));
        }
        let (sheet, read): (Sheet<T>, usize) =
            bincode::serde::decode_from_slice(body, config()).map_err(|error| damaged(error.to_string()))?;
        if read != body.len() {
            return Err(damaged("something follows its end".to_owned()));
        }
        if sheet.identity != self.identity {
            return Err(WorkingError::Foreign {
                path,
                found: sheet.identity,
                expected: self.identity.clone(),
            });
        }
        if sheet.place != (place.0 as u32, place.1 as u32) {
            return Err(damaged(format!("it is that of another place, {:?}", sheet.place)));
        }
        Ok(Some(sheet.content))
    }

    /// Writes a sheet, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written; the earlier one, if there was one, is still there.
    pub(crate) fn write<T: Serialize>(
        &self,
        topic: Topic,
        place: (usize, usize),
        content: T,
    ) -> Result<(), WorkingError> {
        let place_in_sheet = (place.0 as u32, place.1 as u32);
        let sheet = Sheet { identity: self.identity.clone(), place: place_in_sheet, content };
        let encoded = bincode::serde::encode_to_vec(&sheet, config());
        let mut bytes = encoded.map_err(|error| self.damaged(topic, place, error.to_string()))?;
        let checksum = crc32([&bytes]);
        bytes.extend(checksum.to_le_bytes());
        Ok(write_file(&*self.disk, &self.sheet(topic, place), &bytes)?)
    }

    /// That a sheet is damaged.
    pub(crate) fn damaged(&self, topic: Topic, place: (usize, usize), reason: String) -> WorkingError {
        WorkingError::Damaged { path: self.sheet(topic, place), reason, cure: topic.cure() }
    }

    /// Removes the sheets of a topic but for those at some places.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub(crate) fn keep_only(
        &self,
        topic: Topic,
        keep: impl Fn((usize, usize)) -> bool,
    ) -> Result<(), WorkingError> {
        for path in self.disk.list(&self.dir).map_err(failed("list", &self.dir))? {
            if topic.place(&path).is_some_and(|place| !keep(place)) {
                self.disk.remove_file(&path).map_err(failed("discard", &path))?;
            }
        }
        Ok(())
    }

    /// Removes all working files; the lock stays.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn discard(&self) -> Result<(), WorkingError> {
        for topic in Topic::ALL {
            self.keep_only(topic, |_| false)?;
        }
        let path = self.dir.join(IDENTITY);
        match self.disk.remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed("discard", &path)(source)),
            _ => Ok(()),
        }
    }

    /// Removes all working files and, where nothing else lies in it, the directory.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(self) -> Result<(), WorkingError> {
        self.discard()?;
        let _ = self.disk.remove_file(&self.dir.join(LOCK));
        let _ = self.disk.remove_directory(&self.dir);
        Ok(())
    }
}

/// The error of something tried at a path.
fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WorkingError {
    let path = path.to_owned();
    move |source| WorkingError::Io { action, path, source }
}

/// Takes the lock of a working directory.
fn lock(disk: &dyn Disk, dir: &Path) -> Result<File, WorkingError> {
    let path = dir.join(LOCK);
    loop {
        let lock = disk.try_lock(&path).map_err(failed("lock", &path))?;
        let Some(lock) = lock else { return Err(WorkingError::Locked(dir.to_owned())) };
        // A process that is done removes its lock: what was locked here may be a file without a name.
        match disk.metadata(&path) {
            Ok(named) if is_same(&lock.metadata().map_err(failed("lock", &path))?, &named) => {
                return Ok(lock);
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed("lock", &path)(error));
            }
            _ => {}
        }
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    // A file that is open cannot be removed.
    true
}
