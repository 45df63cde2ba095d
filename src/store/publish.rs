//! Writing a file so that at any moment its name holds either the old bytes or all of the new ones.
//!
//! The bytes go to a temporary file in the same directory, are synchronised, read back and compared, and then judged by
//! the caller. Only after that does the file take its name. An error removes the temporary file. The next process removes
//! what a killed one left behind. A synchronisation that failed is not tried again, because the second one may report
//! success for bytes that were not written.

use std::convert::Infallible;
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::read::not_a_file;

/// The steps of writing a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteStep {
    /// Looking at what the path names.
    Look,
    /// Creating the temporary file.
    Create,
    /// Writing the bytes.
    Write {
        /// How many.
        len: usize,
    },
    /// Synchronising the temporary file.
    Sync,
    /// Reading the bytes back.
    ReadBack,
    /// Giving the file its name.
    Rename,
    /// Synchronising the directory; the file has its name, but may lose it if the machine fails now.
    SyncDirectory,
    /// Removing the temporary file of [`check_writable`].
    Remove,
}

impl fmt::Display for WriteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteStep::Write { len } => return write!(f, "writing {len} bytes to the temporary file"),
            WriteStep::Look => "a file cannot stand there",
            WriteStep::Create => "creating a temporary file beside it",
            WriteStep::Sync => "synchronising the temporary file with the disk",
            WriteStep::ReadBack => "reading the temporary file back",
            WriteStep::Rename => "renaming the temporary file",
            WriteStep::SyncDirectory => "synchronising the directory with the disk",
            WriteStep::Remove => "removing the temporary file",
        })
    }
}

/// A file could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// The step that failed.
    pub step: WriteStep,
    /// Why.
    pub source: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, step, source } = self;
        if *step == WriteStep::Create && source.kind() == io::ErrorKind::NotFound {
            return write!(f, "cannot write {path:?}: there is no folder {:?}", directory_of(path));
        }
        write!(f, "cannot write {path:?}: {step}: {source}")
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Why a file was not published.
#[derive(Debug)]
pub enum PublishError<E> {
    /// It could not be written.
    Write(WriteError),
    /// The publisher refused the bytes that were read back; the path holds what it held before.
    Refused(E),
}

impl<E: fmt::Display> fmt::Display for PublishError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PublishError::Write(error) => error.fmt(f),
            PublishError::Refused(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for PublishError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PublishError::Write(error) => Some(error),
            PublishError::Refused(error) => Some(error),
        }
    }
}

/// The directory that a path is in: `.` for a bare name.
pub(super) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

/// A file's place: its path and its directory.
#[derive(Debug)]
struct Target<'a> {
    path: &'a Path,
    directory: &'a Path,
}

impl<'a> Target<'a> {
    /// Looks at the path. It is an error unless there is nothing, or a regular file, which will be replaced. A
    /// link to a regular file is itself replaced.
    fn look(disk: &dyn Disk, path: &'a Path) -> Result<Target<'a>, WriteError> {
        let target = Target { path, directory: directory_of(path) };
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.file_name().is_none() {
            return Err(target.failed(WriteStep::Look, io::Error::other("the path names a directory")));
        }
        match disk.metadata(path) {
            Ok(metadata) => match not_a_file(&metadata) {
                Some(found) => {
                    Err(target.failed(WriteStep::Look, io::Error::other(format!("it is {found}"))))
                }
                None => Ok(target),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(target),
            Err(error) => Err(target.failed(WriteStep::Look, error)),
        }
    }

    fn failed(&self, step: WriteStep, source: io::Error) -> WriteError {
        WriteError { path: self.path.to_owned(), step, source }
    }

    /// Adds the step and the path to an error.
    fn at<T>(&self, step: WriteStep, result: io::Result<T>) -> Result<T, WriteError> {
        result.map_err(|source| self.failed(step, source))
    }
}

/// How the names of temporary files begin and end.
const TEMPORARY: (&str, &str) = (".gobcert-", ".tmp");

/// A temporary file, removed when dropped unless it was given a name.
#[derive(Debug)]
struct Temporary<'a> {
    disk: &'a dyn Disk,
    path: PathBuf,
    file: File,
    keep: bool,
}

impl<'a> Temporary<'a> {
    /// A new file in the directory, under a name that nobody can foresee.
    fn create(disk: &'a dyn Disk, directory: &Path) -> io::Result<Temporary<'a>> {
        const ATTEMPTS: u32 = 16;
        let mut attempt = 0;
        loop {
            let random = RandomState::new().build_hasher().finish();
            let (begin, end) = TEMPORARY;
            let path = directory.join(format!("{begin}{}-{random:016x}{end}", std::process::id()));
            attempt += 1;
            match disk.create_new(&path) {
                Ok(file) => return Ok(Temporary { disk, path, file, keep: false }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.keep {
            // The error that led here is being reported already.
            let _ = self.disk.remove_file(&self.path);
        }
    }
}

/// Removes the temporary files that killed processes left in a directory. A file whose owner lives is locked and
/// stays. So does a file that cannot be removed: it is in nobody's way.
pub fn remove_leftovers(disk: &dyn Disk, directory: &Path) {
    let (begin, end) = TEMPORARY;
    for path in disk.list(directory).unwrap_or_default() {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        // The lock is held until the file is gone, so a process that has just created the file takes another name.
        if name.starts_with(begin)
            && name.ends_with(end)
            && let Ok(Some(_lock)) = disk.try_lock(&path)
        {
            let _ = disk.remove_file(&path);
        }
    }
}

/// Checks that a file can be written at a path: creates a temporary file beside it and removes it again. It also
/// removes what killed processes left there. Call it before hours of work.
///
/// # Errors
/// The path names something other than a regular file, or no file can be created beside it.
pub fn check_writable(disk: &dyn Disk, path: &Path) -> Result<(), WriteError> {
    let target = Target::look(disk, path)?;
    remove_leftovers(disk, target.directory);
    let mut temporary = target.at(WriteStep::Create, Temporary::create(disk, target.directory))?;
    let removed = disk.remove_file(&temporary.path);
    temporary.keep = true;
    target.at(WriteStep::Remove, removed)
}

/// A file that is written piece by piece. Until [`Writing::finish`] its name holds what it held before. If it is
/// dropped without that, it leaves nothing behind.
#[derive(Debug)]
pub struct Writing<'a> {
    target: Target<'a>,
    temporary: Temporary<'a>,
    len: u64,
}

impl<'a> Writing<'a> {
    /// Begins a file at a path.
    ///
    /// # Errors
    /// The path names something other than a regular file, or no file can be created beside it.
    pub fn begin(disk: &'a dyn Disk, path: &'a Path) -> Result<Writing<'a>, WriteError> {
        let target = Target::look(disk, path)?;
        let temporary = target.at(WriteStep::Create, Temporary::create(disk, target.directory))?;
        Ok(Writing { target, temporary, len: 0 })
    }

    /// Adds bytes to the file.
    ///
    /// # Errors
    /// The bytes cannot be written. The file is of no use then, because nobody knows how many of them are on the disk.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let written = self.temporary.disk.write_all(&mut self.temporary.file, bytes);
        self.len += bytes.len() as u64;
        self.target.at(WriteStep::Write { len: bytes.len() }, written)
    }

    /// How many bytes were written.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.len
    }

    /// Gives the file its name, replacing one that is there. Of what is on the disk only the length is compared, because the
    /// file may be larger than memory.
    ///
    /// # Errors
    /// The file could not be written. The path holds what it held before, except after
    /// [`WriteStep::SyncDirectory`], when it holds the new bytes.
    pub fn finish(self) -> Result<(), WriteError> {
        self.sync()?;
        let found = self.temporary.disk.metadata(&self.temporary.path).map(|metadata| metadata.len());
        match self.target.at(WriteStep::ReadBack, found)? {
            found if found == self.len => self.name()?.sync_name(),
            found => Err(self.target.failed(WriteStep::ReadBack, others(self.len, found))),
        }
    }

    fn sync(&self) -> Result<(), WriteError> {
        self.target.at(WriteStep::Sync, self.temporary.disk.sync(&self.temporary.file))
    }

    fn name(mut self) -> Result<Writing<'a>, WriteError> {
        let disk = self.temporary.disk;
        self.target.at(WriteStep::Rename, disk.rename(&self.temporary.path, self.target.path))?;
        self.temporary.keep = true;
        Ok(self)
    }

    fn sync_name(&self) -> Result<(), WriteError> {
        let synchronised = self.temporary.disk.sync_directory(self.target.directory);
        self.target.at(WriteStep::SyncDirectory, synchronised)
    }
}

/// Writes a file, replacing one that is there, if `verify` accepts the bytes as they are read back from the
/// temporary file.
///
/// # Errors
/// The file could not be written, or `verify` refused. The path holds what it held before, except after
/// [`WriteStep::SyncDirectory`], when it holds the new bytes.
pub fn publish<E>(
    disk: &dyn Disk,
    path: &Path,
    bytes: &[u8],
    verify: impl FnOnce(Vec<u8>) -> Result<(), E>,
) -> Result<(), PublishError<E>> {
    named(disk, path, bytes, verify)?.sync_name().map_err(PublishError::Write)
}

/// As [`publish`], but the directory is not synchronised yet.
fn named<'a, E>(
    disk: &'a dyn Disk,
    path: &'a Path,
    bytes: &[u8],
    verify: impl FnOnce(Vec<u8>) -> Result<(), E>,
) -> Result<Writing<'a>, PublishError<E>> {
    let write = PublishError::Write;
    let mut writing = Writing::begin(disk, path).map_err(write)?;
    writing.write(bytes).map_err(write)?;
    writing.sync().map_err(write)?;
    let back = read_back(disk, &writing.temporary.path, bytes);
    let back = writing.target.at(WriteStep::ReadBack, back).map_err(write)?;
    verify(back).map_err(PublishError::Refused)?;
    writing.name().map_err(write)
}

/// Writes a file, replacing one that is there.
///
/// # Errors
/// As [`publish`].
pub fn write_file(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_nameless(disk, path, bytes)?.sync_name()
}

/// As [`write_file`], but the directory is not synchronised. Until it is, the name may be lost if the machine fails.
pub(super) fn write_nameless<'a>(
    disk: &'a dyn Disk,
    path: &'a Path,
    bytes: &[u8],
) -> Result<Writing<'a>, WriteError> {
    named(disk, path, bytes, |_| Ok::<(), Infallible>(())).map_err(|error| match error {
        PublishError::Write(error) => error,
        PublishError::Refused(never) => match never {},
    })
}

/// The bytes of a file. It is an error if they are not `expected`.
fn read_back(disk: &dyn Disk, path: &Path, expected: &[u8]) -> io::Result<Vec<u8>> {
    let back = disk.read(path)?;
    if back == expected {
        return Ok(back);
    }
    Err(others(expected.len() as u64, back.len() as u64))
}

/// The error that a file does not hold what was written.
fn others(written: u64, found: u64) -> io::Error {
    io::Error::other(format!("{written} bytes were written, and {found} others are there"))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
