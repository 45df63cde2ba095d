//! Working files: the exception sets between rounds, on disk, a file a tier.
//!
//! They are the prover's own. Nothing here is evidence: a file that is damaged, or that another game, seed
//! or version of gobprove made, is refused, and what comes out of it is checked like anything else.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::certificate::{WriteError, write_file};
use crate::rules::{Color, Game};
use crate::strategy::Seed;

/// A working directory, locked for as long as this value lives.
#[derive(Debug)]
pub struct Working {
    dir: PathBuf,
    identity: String,
    _lock: File,
}

/// What is known of a tier.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TierRecord {
    /// Rounds run so far.
    pub rounds: u32,
    /// Whether the last round added nothing.
    pub finished: bool,
    /// Ranks of the canonical exceptions with White to move, increasing: the thesis's B.
    pub white_to_move: Vec<u128>,
    /// The same with Black to move: the thesis's W.
    pub black_to_move: Vec<u128>,
}

impl TierRecord {
    /// The ranks of a side to move.
    #[must_use]
    pub fn ranks(&self, turn: Color) -> &[u128] {
        match turn {
            Color::White => &self.white_to_move,
            Color::Black => &self.black_to_move,
        }
    }
}

/// Why working files cannot be used.
#[derive(Debug, Error)]
pub enum WorkingError {
    /// The operating system said no.
    #[error("{}: cannot {action}: {source}", path.display())]
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
    #[error("{}: another gobprove works in this directory; wait for it or give another --dir", .0.display())]
    Locked(PathBuf),
    /// The files are for something else.
    #[error(
        "{}: made for {found:?}, not for {expected:?}; give another --dir, or --fresh to discard what is there",
        path.display()
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
    #[error("{}: damaged ({reason}); --fresh discards the working files", path.display())]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// What a working file holds besides its checksum.
#[derive(Serialize, Deserialize)]
struct Sheet {
    identity: String,
    tier: u32,
    record: TierRecord,
}

const LOCK: &str = "lock";
const IDENTITY: &str = "identity";

/// The most bytes that decoding a sheet may ask for: 4 GiB.
const LIMIT: usize = 1 << 32;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<LIMIT>()
}

impl Working {
    /// Opens a working directory for a game and seed, made if it is not there. With `fresh` what lies there
    /// is discarded. A lock goes with the process that took it, so a dead one leaves none.
    ///
    /// # Errors
    /// The directory cannot be used, another process works there, or it was made for something else.
    pub fn open(dir: &Path, game: &Game, seed: Seed, fresh: bool) -> Result<Working, WorkingError> {
        let io = |action, path: &Path| {
            let path = path.to_owned();
            move |source| WorkingError::Io { action, path, source }
        };
        fs::create_dir_all(dir).map_err(io("make the working directory", dir))?;
        let lock_path = dir.join(LOCK);
        let lock = File::create(&lock_path).map_err(io("make the lock", &lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(WorkingError::Locked(dir.to_owned())),
            Err(TryLockError::Error(source)) => return Err(io("lock", &lock_path)(source)),
        }
        let identity = format!(
            "{} {} {} gobprove {}",
            game.variant.spelled(),
            game.reading,
            seed,
            env!("CARGO_PKG_VERSION")
        );
        let working = Working { dir: dir.to_owned(), identity, _lock: lock };
        if fresh {
            working.discard()?;
        }
        let path = dir.join(IDENTITY);
        match fs::read_to_string(&path) {
            Ok(found) if found == working.identity => {}
            Ok(found) => return Err(WorkingError::Foreign { path, found, expected: working.identity }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_file(&path, working.identity.as_bytes())?;
            }
            Err(source) => return Err(io("read", &path)(source)),
        }
        Ok(working)
    }

    /// The directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn sheet(&self, tier: usize) -> PathBuf {
        self.dir.join(format!("tier-{tier:04}.bin"))
    }

    /// What is known of a tier, by its place in the tiers' order; `None` if nothing is yet.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is for something else.
    pub fn load(&self, tier: usize) -> Result<Option<TierRecord>, WorkingError> {
        let path = self.sheet(tier);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(WorkingError::Io { action: "read", path, source }),
        };
        let damaged = |reason: String| WorkingError::Damaged { path: path.clone(), reason };
        let (body, checksum) =
            bytes.split_last_chunk::<4>().ok_or_else(|| damaged("shorter than its checksum".to_owned()))?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum differs".to_owned()));
        }
        let (sheet, read): (Sheet, usize) =
            bincode::serde::decode_from_slice(body, config()).map_err(|error| damaged(error.to_string()))?;
        if read != body.len() {
            return Err(damaged("something follows its end".to_owned()));
        }
        if sheet.identity != self.identity || usize::try_from(sheet.tier) != Ok(tier) {
            return Err(WorkingError::Foreign {
                path,
                found: sheet.identity,
                expected: self.identity.clone(),
            });
        }
        Ok(Some(sheet.record))
    }

    /// Writes what is known of a tier, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written; the earlier one, if there was one, is still there.
    pub fn save(&self, tier: usize, record: TierRecord) -> Result<(), WorkingError> {
        let path = self.sheet(tier);
        let sheet = Sheet { identity: self.identity.clone(), tier: tier as u32, record };
        let encoded = bincode::serde::encode_to_vec(&sheet, config());
        let mut bytes = encoded
            .map_err(|error| WorkingError::Damaged { path: path.clone(), reason: error.to_string() })?;
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        Ok(write_file(&path, &bytes)?)
    }

    /// Removes all working files; the lock stays.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn discard(&self) -> Result<(), WorkingError> {
        let io =
            |source| WorkingError::Io { action: "discard the working files", path: self.dir.clone(), source };
        for entry in fs::read_dir(&self.dir).map_err(io)? {
            let entry = entry.map_err(io)?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name == IDENTITY || (name.starts_with("tier-") && name.ends_with(".bin")) {
                fs::remove_file(entry.path()).map_err(io)?;
            }
        }
        Ok(())
    }

    /// Removes all working files and, where nothing else lies in it, the directory.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(self) -> Result<(), WorkingError> {
        self.discard()?;
        let _ = fs::remove_file(self.dir.join(LOCK));
        let _ = fs::remove_dir(&self.dir);
        Ok(())
    }
}
