//! The directory of a long run: its lock, its identity (what it is for), and files with a checksum. What the files hold and
//! which of them count is decided by [`Checkpoint`](super::Checkpoint).
//!
//! A file is a [`Sheet`], encoded by bincode and compressed by LZ4, and then the CRC-32 of the compressed bytes. Bitbases
//! shrink to a third of their size.
//!
//! Working files belong to the prover and are no evidence. A file that is damaged, or belongs to another run or version of
//! gobprove, is refused. What a run makes from them is checked like anything else.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::disk::{Disk, System};
use super::publish::{WriteError, directory_of, remove_leftovers, write_file, write_nameless};
use crate::store::crc32;

/// A directory that is locked for as long as this value lives. It holds working files of any run, or none.
#[derive(Debug)]
pub struct Reserved {
    disk: Arc<dyn Disk>,
    dir: PathBuf,
    lock: File,
}

/// The working directory of a run, locked for as long as this value lives.
#[derive(Debug)]
pub(super) struct Working {
    place: Reserved,
    identity: String,
}

/// Says in words what the files of a working directory are for, and what was asked for instead. Both are identities.
#[must_use]
pub fn mistaken(found: &str, expected: &str) -> String {
    let differs = parts(found).zip(parts(expected));
    let differs = differs.and_then(|(found, expected)| found.into_iter().zip(expected).find(|(a, b)| a != b));
    match differs {
        Some((found, expected)) => format!("made for {found}, not for {expected}"),
        None => format!("made for {found:?}, not for {expected:?}"),
    }
}

/// The parts of an identity `ABOUT MAKES VERSION`: the commands that make `MAKES`, then `ABOUT`, then `VERSION`.
fn parts(identity: &str) -> Option<[&str; 3]> {
    let (run, version) = identity.split_at(identity.find(" gobprove ")?);
    let (about, makes) = run.rsplit_once(' ')?;
    let command = match makes {
        "tiers" => "gobprove solve, generate or update",
        "proof" => "gobprove prove",
        "refutation" => "gobprove refute",
        _ => return None,
    };
    Some([command, about, version.trim_start()])
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
    /// A file could not be written. What was there before still is, except after
    /// [`WriteStep::SyncDirectory`](super::WriteStep): then the new file is there.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Another process works there.
    #[error("{0:?}: another gobprove works in this directory; wait for it or give another --dir")]
    Locked(PathBuf),
    /// The files are for something else.
    #[error(
        "{path:?}: {}; give another --dir, or --fresh to discard what is there",
        mistaken(found, expected)
    )]
    Foreign {
        /// Where.
        path: PathBuf,
        /// What they are for.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A file may be somebody else's.
    #[error(
        "{0:?}: this file has the name of a working file, and nothing shows that gobprove wrote it; name another directory"
    )]
    NotOurs(PathBuf),
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
    /// A file that the manifest names is missing.
    #[error("{path:?}: the file is not there; {cure}")]
    Missing {
        /// Where.
        path: PathBuf,
        /// What can be done.
        cure: &'static str,
    },
}

/// What a file holds besides its checksum.
#[derive(Serialize, Deserialize)]
struct Sheet<T> {
    identity: String,
    name: String,
    content: T,
}

/// A file before it is written.
pub(super) struct Encoded {
    path: PathBuf,
    bytes: Vec<u8>,
}

const LOCK: &str = "lock";
const IDENTITY: &str = "identity";

/// The name of the only [`Sheet`] that is no block. It names the blocks that count.
pub(super) const MANIFEST: &str = "manifest.bin";

/// How the names of blocks begin and end.
const BLOCK: (&str, &str) = ("block-", ".bin");

/// How these names began in layouts before the fifth. Such files are only ever discarded.
const FORMERLY: [&str; 7] = ["tier-", "book-", "proof-", "found-", "done-", "grown-", "growing-"];

/// The version of the layout of the files. It goes up with each change of the layout.
const LAYOUT: u32 = 9;

/// The most bytes that a file may decode to: 256 MiB.
const LIMIT: usize = 1 << 28;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<LIMIT>()
}

/// The name of a block: `number` is shared by the blocks written together, and `place` counts them from 0.
pub(super) fn block_name(number: u32, place: u32) -> String {
    let (begin, end) = BLOCK;
    format!("{begin}{number:04}-{place:04}{end}")
}

/// The number and the place in a file's name that begins with `begin` and ends like a block's; `None` for other names.
fn numbers(path: &Path, begin: &str) -> Option<(u32, u32)> {
    let name = path.file_name()?.to_str()?;
    let (number, place) = name.strip_prefix(begin)?.strip_suffix(BLOCK.1)?.split_once('-')?;
    Some((number.parse().ok()?, place.parse().ok()?))
}

/// Whether a file has the name of a manifest or a block, of this layout or an earlier one.
fn is_named_as_ours(path: &Path) -> bool {
    path.ends_with(MANIFEST) || [BLOCK.0].iter().chain(&FORMERLY).any(|begin| numbers(path, begin).is_some())
}

/// Whether a directory is a working directory.
#[must_use]
pub fn is_working_directory(dir: &Path) -> bool {
    dir.join(IDENTITY).exists()
}

impl Reserved {
    /// Locks a directory whose working files are to be discarded, and makes it if it is not there. Nothing is discarded yet.
    ///
    /// # Errors
    /// The directory cannot be used, another process works there, or what it holds may be somebody else's.
    pub fn new(dir: &Path) -> Result<Reserved, WorkingError> {
        let reserved = Reserved::on(Arc::new(System), dir)?;
        reserved.identity()?;
        Ok(reserved)
    }

    /// Locks a directory, and makes it if it is not there. A lock ends with the process that took it, so a killed process
    /// leaves none.
    fn on(disk: Arc<dyn Disk>, dir: &Path) -> Result<Reserved, WorkingError> {
        let new: Vec<&Path> =
            dir.ancestors().take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists()).collect();
        disk.create_directory(dir).map_err(failed("make the working directory", dir))?;
        // Files in a new directory survive a crash only if its name, and those of new directories above it, do.
        for above in new.into_iter().map(directory_of) {
            disk.sync_directory(above).map_err(failed("synchronise", above))?;
        }
        let lock = lock(&*disk, dir)?;
        remove_leftovers(&*disk, dir);
        Ok(Reserved { disk, dir: dir.to_owned(), lock })
    }

    /// What the working files are for; `None` if there are none.
    ///
    /// # Errors
    /// The directory cannot be read, or what it holds may be somebody else's.
    fn identity(&self) -> Result<Option<String>, WorkingError> {
        let path = self.dir.join(IDENTITY);
        match self.disk.read(&path) {
            Ok(found) => {
                let found = String::from_utf8_lossy(&found).into_owned();
                if found.contains(" gobprove ") { Ok(Some(found)) } else { Err(WorkingError::NotOurs(path)) }
            }
            // The identity is made before all other files and removed after them. So files without it are not ours.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.lock_is_ours()?;
                let mut files = self.disk.list(&self.dir).map_err(failed("list", &self.dir))?.into_iter();
                let other = files.find(|path| is_named_as_ours(path));
                other.map_or(Ok(None), |path| Err(WorkingError::NotOurs(path)))
            }
            Err(source) => Err(failed("read", &path)(source)),
        }
    }

    /// The lock of a working directory is empty. A file of its name with something in it is somebody else's.
    fn lock_is_ours(&self) -> Result<(), WorkingError> {
        let path = self.dir.join(LOCK);
        match self.lock.metadata().map_err(failed("lock", &path))?.len() {
            0 => Ok(()),
            _ => Err(WorkingError::NotOurs(path)),
        }
    }

    /// Removes all working files, those of earlier layouts too; the lock stays. The manifest is removed before the blocks
    /// that it names, and the identity after them.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn discard(&self) -> Result<(), WorkingError> {
        self.remove_if_there(MANIFEST)?;
        self.synchronise()?;
        self.remove_where(is_named_as_ours)?;
        self.synchronise()?;
        self.remove_if_there(IDENTITY)
    }

    /// Gives the directory up, and removes it if the lock alone is in it. Errors are ignored: what stays does no harm.
    pub fn leave(self) {
        let _ = self.disk.remove_file(&self.dir.join(LOCK));
        let _ = self.disk.remove_directory(&self.dir);
    }

    fn remove_where(&self, goes: impl Fn(&Path) -> bool) -> Result<(), WorkingError> {
        for path in self.disk.list(&self.dir).map_err(failed("list", &self.dir))? {
            if goes(&path) {
                self.disk.remove_file(&path).map_err(failed("discard", &path))?;
            }
        }
        Ok(())
    }

    fn remove_if_there(&self, name: &str) -> Result<(), WorkingError> {
        let path = self.dir.join(name);
        match self.disk.remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(failed("discard", &path)(source)),
            _ => Ok(()),
        }
    }

    /// Brings the names in the directory to the disk.
    fn synchronise(&self) -> Result<(), WorkingError> {
        self.disk.sync_directory(&self.dir).map_err(failed("synchronise", &self.dir))
    }
}

impl Working {
    /// Opens a working directory for a run, and makes it if it is not there. `fresh` discards the working files in it.
    ///
    /// # Errors
    /// The directory cannot be used, another process works there, or it was made for something else. Or what it holds may be
    /// somebody else's.
    pub(super) fn open(
        disk: Arc<dyn Disk>,
        dir: &Path,
        run: &str,
        fresh: bool,
    ) -> Result<Working, WorkingError> {
        let place = Reserved::on(disk, dir)?;
        let identity = format!("{run} gobprove {} layout {LAYOUT}", env!("CARGO_PKG_VERSION"));
        let path = dir.join(IDENTITY);
        let mut found = place.identity()?;
        if fresh {
            place.discard()?;
            found = None;
        }
        match found {
            Some(found) if found == identity => {}
            Some(found) => return Err(WorkingError::Foreign { path, found, expected: identity }),
            None => write_file(&*place.disk, &path, identity.as_bytes())?,
        }
        Ok(Working { place, identity })
    }

    /// The directory.
    pub(super) fn dir(&self) -> &Path {
        &self.place.dir
    }

    /// The content of a file; `None` if there is no such file. An error about damage shows `cure`.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, or is for something else.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        name: &str,
        cure: &'static str,
    ) -> Result<Option<T>, WorkingError> {
        let path = self.dir().join(name);
        let bytes = match self.place.disk.read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed("read", &path)(source)),
        };
        let damaged = |reason: String| WorkingError::Damaged { path: path.clone(), reason, cure };
        let (body, checksum) =
            bytes.split_last_chunk::<4>().ok_or_else(|| damaged("shorter than its checksum".to_owned()))?;
        if crc32([body]) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum differs".to_owned()));
        }
        let large = body.first_chunk().is_none_or(|&len| u32::from_le_bytes(len) as usize > LIMIT);
        if large {
            return Err(damaged("it claims to be larger than any working file, or is cut off".to_owned()));
        }
        let written =
            lz4_flex::decompress_size_prepended(body).map_err(|error| damaged(error.to_string()))?;
        let (sheet, read): (Sheet<T>, usize) = bincode::serde::decode_from_slice(&written, config())
            .map_err(|error| damaged(error.to_string()))?;
        if read != written.len() {
            return Err(damaged("something follows its end".to_owned()));
        }
        if sheet.identity != self.identity {
            let expected = self.identity.clone();
            return Err(WorkingError::Foreign { path, found: sheet.identity, expected });
        }
        if sheet.name != name {
            return Err(damaged(format!("it is that of another place, {:?}", sheet.name)));
        }
        Ok(Some(sheet.content))
    }

    /// Encodes the content of a file that is to have this name.
    ///
    /// # Errors
    /// The content cannot be encoded.
    pub(super) fn encode<T: Serialize>(&self, name: &str, content: &T) -> Result<Encoded, WorkingError> {
        let path = self.dir().join(name);
        let sheet = Sheet { identity: self.identity.clone(), name: name.to_owned(), content };
        match bincode::serde::encode_to_vec(&sheet, config()) {
            Ok(written) => {
                let mut bytes = lz4_flex::compress_prepend_size(&written);
                let checksum = crc32([&bytes]);
                bytes.extend(checksum.to_le_bytes());
                Ok(Encoded { path, bytes })
            }
            Err(error) => Err(failed("encode", &path)(io::Error::other(error))),
        }
    }

    /// Writes a block, whole or not at all. Its name is on the disk for good after the next [`Working::write_manifest`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write_block(&self, block: &Encoded) -> Result<(), WorkingError> {
        Ok(write_nameless(&*self.place.disk, &block.path, &block.bytes).map(drop)?)
    }

    /// Brings the names of all blocks to the disk, and then writes the manifest, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written. The earlier one, if there was one, is still there, or the new one if only its directory could
    /// not be synchronised.
    pub(super) fn write_manifest<T: Serialize>(&self, content: &T) -> Result<(), WorkingError> {
        let Encoded { path, bytes } = self.encode(MANIFEST, content)?;
        self.place.synchronise()?;
        Ok(write_file(&*self.place.disk, &path, &bytes)?)
    }

    /// Removes the blocks for whose number and place `keep` is false.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub(super) fn keep_blocks(&self, keep: impl Fn((u32, u32)) -> bool) -> Result<(), WorkingError> {
        self.place.remove_where(|path| numbers(path, BLOCK.0).is_some_and(|numbers| !keep(numbers)))
    }

    /// Removes all working files and the lock, and then the directory if it is empty.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub(super) fn remove(self) -> Result<(), WorkingError> {
        self.place.discard()?;
        self.place.leave();
        Ok(())
    }
}

/// Makes an error of the system at a path into a [`WorkingError::Io`].
pub(super) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WorkingError {
    let path = path.to_owned();
    move |source| WorkingError::Io { action, path, source }
}

/// Takes the lock of a working directory.
fn lock(disk: &dyn Disk, dir: &Path) -> Result<File, WorkingError> {
    let path = dir.join(LOCK);
    loop {
        let lock = disk.try_lock(&path).map_err(failed("lock", &path))?;
        let Some(lock) = lock else { return Err(WorkingError::Locked(dir.to_owned())) };
        // A process that is done removes its lock file. If the file locked here has lost its name, another try is needed.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn open(dir: &Path, fresh: bool) -> Result<Working, WorkingError> {
        Working::open(Arc::new(System), dir, "A1-A1B1 official rules tiers", fresh)
    }

    #[test]
    fn a_file_that_may_be_somebody_elses_stays_even_if_all_is_to_be_discarded() {
        for name in [IDENTITY, MANIFEST, "block-0001-0002.bin", "tier-0000-0001.bin"] {
            let own = tempfile::tempdir().expect("a directory");
            let path = own.path().join(name);
            fs::write(&path, b"a key").expect("written");
            for fresh in [false, true] {
                let told = open(own.path(), fresh).expect_err("refused").to_string();
                assert!(told.contains(name) && told.contains("name another directory"), "{told}");
            }
            assert!(Reserved::new(own.path()).is_err());
            assert_eq!(fs::read(&path).expect("it is there"), b"a key");
            assert!(name == IDENTITY || !own.path().join(IDENTITY).exists(), "it is not made ours");
        }
    }

    #[test]
    fn a_directory_without_working_files_is_taken_beside_what_else_it_holds() {
        for fresh in [false, true] {
            let own = tempfile::tempdir().expect("a directory");
            for name in [LOCK, "notes.bin"] {
                fs::write(own.path().join(name), b"").expect("written");
            }
            open(own.path(), fresh).expect("opened").remove().expect("removed");
            assert!(own.path().join("notes.bin").exists());
        }
    }

    #[test]
    fn what_differs_is_named_and_nothing_else() {
        let solve = "A3-A3B1 official rules tiers gobprove 0.1.0 layout 9";
        for (expected, told) in [
            (
                "A3-A3B1 official proof gobprove 0.1.0 layout 9",
                "made for gobprove solve, generate or update, not for gobprove prove",
            ),
            (
                "A3-A3B2 official rules tiers gobprove 0.1.0 layout 9",
                "made for A3-A3B1 official rules, not for A3-A3B2 official rules",
            ),
            (
                "A3-A3B1 official rules tiers gobprove 0.1.0 layout 10",
                "made for gobprove 0.1.0 layout 9, not for gobprove 0.1.0 layout 10",
            ),
            ("else", "made for \"A3-A3B1 official rules tiers gobprove 0.1.0 layout 9\", not for \"else\""),
        ] {
            assert_eq!(mistaken(solve, expected), told);
        }
    }
}
