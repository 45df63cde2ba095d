//! Everything that gobprove writes goes through [`Disk`], certificates and working files alike.
//!
//! Each method is one step that can fail. A test can put in a disk that fails at a chosen step, and look at what is lost.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The operations on a disk. By default they use the operating system, as [`System`] does; another disk overrides some.
///
/// # Errors
/// Each method gives the error of the operating system.
#[allow(clippy::missing_errors_doc, reason = "the trait says it for all of them")]
pub trait Disk: fmt::Debug + Send + Sync {
    /// Looks at what a path names, through links.
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        fs::metadata(path)
    }

    /// Creates a file to write, which must not be there yet, and locks it to show that its owner lives.
    fn create_new(&self, path: &Path) -> io::Result<File> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        match file.try_lock() {
            // Somebody who tidies up locked it first, and takes it for abandoned.
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::AlreadyExists.into()),
            // Somebody who tidies up removed it before it was locked.
            Ok(()) if fs::metadata(path).is_err() => Err(io::ErrorKind::AlreadyExists.into()),
            // On a system without locks nobody can tidy up.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    /// Writes all of the bytes.
    fn write_all(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    /// Brings a file's bytes to the disk.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Brings the names in a directory to the disk. This does nothing except on Unix, where directories can be
    /// opened.
    fn sync_directory(&self, directory: &Path) -> io::Result<()> {
        if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
    }

    /// Reads all of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    /// Gives a file a new name, replacing whatever has that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    /// Removes an empty directory.
    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    /// Makes a directory and those above it.
    fn create_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    /// The paths of what a directory holds, in no particular order.
    fn list(&self, directory: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect()
    }

    /// Opens a file, or creates it if it is not there, and locks it; `None` if a living owner holds the lock.
    fn try_lock(&self, path: &Path) -> io::Result<Option<File>> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// The disk of the operating system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct System;

impl Disk for System {}

/// How many bytes the disk of a directory has free for this user; `None` where the system does not say.
#[must_use]
pub fn free_bytes(directory: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(directory).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    #[cfg(not(unix))]
    {
        let _ = directory;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_made_listed_and_removed() {
        let own = tempfile::tempdir().expect("a directory");
        let (above, below) = (own.path().join("above"), own.path().join("above/below"));
        System.create_directory(&below).expect("both are made");
        assert!(below.is_dir());
        fs::write(above.join("file"), b"bytes").expect("a file");
        let mut listed = System.list(&above).expect("listed");
        listed.sort();
        assert_eq!(listed, [below.clone(), above.join("file")]);
        assert!(System.remove_directory(&above).is_err(), "it is not empty");
        System.remove_directory(&below).expect("removed");
        assert!(!below.exists());
        assert!(System.list(&below).is_err());
    }

    #[test]
    fn a_file_has_one_owner_at_a_time() {
        let own = tempfile::tempdir().expect("a directory");
        let path = own.path().join("file");
        let owner = System.create_new(&path).expect("created");
        assert!(matches!(System.try_lock(&path), Ok(None)), "its owner lives");
        let again = System.create_new(&path).expect_err("it is there");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        drop(owner);
        let heir = System.try_lock(&path).expect("nothing fails");
        assert!(heir.is_some() && matches!(System.try_lock(&path), Ok(None)));
        // A file that is not there is created; one that is there keeps its bytes.
        assert!(matches!(System.try_lock(&own.path().join("new")), Ok(Some(_))));
        fs::write(own.path().join("new"), b"bytes").expect("written");
        assert!(matches!(System.try_lock(&own.path().join("new")), Ok(Some(_))));
        assert_eq!(fs::read(own.path().join("new")).expect("read"), b"bytes");
        assert!(System.try_lock(&own.path().join("missing/new")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_synchronised_is_an_error() {
        let own = tempfile::tempdir().expect("a directory");
        assert!(System.sync_directory(own.path()).is_ok());
        assert!(System.sync_directory(&own.path().join("missing")).is_err());
        // There is no disk behind a pipe.
        let (_reader, writer) = io::pipe().expect("a pipe");
        let pipe = File::from(std::os::fd::OwnedFd::from(writer));
        assert!(System.sync(&pipe).is_err());
    }
}
