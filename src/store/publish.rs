//! Writing a file so that at any moment its name holds either the old bytes or all of the new ones.
//!
//! The bytes go to a temporary file in the same directory, are synchronised, read back and compared, and then judged by
//! the caller. Only after that the file takes its name. An error removes the temporary file. What a killed process left
//! behind, the next one removes. A synchronisation that failed is not tried again, because the system may then report
//! as written what is not.

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
    /// Removing the temporary file of a trial.
    Remove,
}

impl fmt::Display for WriteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteStep::Write { len } => return write!(f, "writing {len} bytes to the temporary file"),
            WriteStep::Look => "looking at what is there",
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
        write!(f, "cannot write {:?}: {}: {}", self.path, self.step, self.source)
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

/// A file's place: its path and its directory.
#[derive(Debug)]
struct Target<'a> {
    path: &'a Path,
    directory: &'a Path,
}

impl<'a> Target<'a> {
    /// Looks at what is there: nothing, or a regular file that will be replaced. A link to a regular file
    /// is itself replaced.
    fn look(disk: &dyn Disk, path: &'a Path) -> Result<Target<'a>, WriteError> {
        let directory = match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => path,
        };
        let target = Target { path, directory };
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

    /// Gives the error of a step its path.
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
            // Whatever led here is being reported already.
            let _ = self.disk.remove_file(&self.path);
        }
    }
}

/// Removes the temporary files that killed processes left in a directory. A file whose owner lives is locked.
/// What cannot be removed stays: it is in nobody's way.
pub fn remove_leftovers(disk: &dyn Disk, directory: &Path) {
    let (begin, end) = TEMPORARY;
    for path in disk.list(directory).unwrap_or_default() {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        if name.starts_with(begin) && name.ends_with(end) && matches!(disk.try_lock(&path), Ok(Some(_))) {
            let _ = disk.remove_file(&path);
        }
    }
}

/// Whether a file can be written at a path: creates a temporary file beside it and removes it again, with
/// those that killed processes left there. Call it before hours of work.
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

/// A file that is written piece by piece. Until [`Writing::finish`] its name holds what it held before; dropped
/// without that, it leaves nothing behind.
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
    /// They cannot be written. The file is of no use then: what is on the disk of it is not known.
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

    /// Gives the file its name, replacing one that is there. Of the bytes on the disk only the number is looked
    /// at: there may be more of them than memory holds.
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
    verify: impl FnOnce(&[u8]) -> Result<(), E>,
) -> Result<(), PublishError<E>> {
    named(disk, path, bytes, verify)?.sync_name().map_err(PublishError::Write)
}

/// As [`publish`], but the directory is not synchronised yet.
fn named<'a, E>(
    disk: &'a dyn Disk,
    path: &'a Path,
    bytes: &[u8],
    verify: impl FnOnce(&[u8]) -> Result<(), E>,
) -> Result<Writing<'a>, PublishError<E>> {
    let write = PublishError::Write;
    let mut writing = Writing::begin(disk, path).map_err(write)?;
    writing.write(bytes).map_err(write)?;
    writing.sync().map_err(write)?;
    {
        let back = read_back(disk, &writing.temporary.path, bytes);
        let back = writing.target.at(WriteStep::ReadBack, back).map_err(write)?;
        verify(&back).map_err(PublishError::Refused)?;
    }
    writing.name().map_err(write)
}

/// Writes a file, replacing one that is there.
///
/// # Errors
/// As [`publish`].
pub fn write_file(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_nameless(disk, path, bytes)?.sync_name()
}

/// As [`write_file`], but until somebody synchronises the directory the name may be gone if the machine fails.
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

/// The bytes of the file, which must be `expected`.
fn read_back(disk: &dyn Disk, path: &Path, expected: &[u8]) -> io::Result<Vec<u8>> {
    let back = disk.read(path)?;
    if back == expected {
        return Ok(back);
    }
    Err(others(expected.len() as u64, back.len() as u64))
}

/// What is there is not what was written.
fn others(written: u64, found: u64) -> io::Error {
    io::Error::other(format!("{written} bytes were written, and {found} others are there"))
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::fs;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::super::disk::System;
    use super::*;

    /// The names in a directory, sorted.
    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_and_replaced() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.gobcert");
        for bytes in [&b"first"[..], b"second", b""] {
            check_writable(&System, &path).expect("writable");
            write_file(&System, &path, bytes).expect("written");
            assert_eq!(fs::read(&path).expect("read"), bytes);
            assert_eq!(names(dir.path()), ["a.gobcert"]);
        }
    }

    #[test]
    fn a_file_in_pieces_has_its_name_only_when_it_is_whole() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.pg");
        write_file(&System, &path, b"old").expect("written");
        for finished in [false, true] {
            let mut writing = Writing::begin(&System, &path).expect("begun");
            for piece in [&b"first "[..], b"", b"second"] {
                writing.write(piece).expect("written");
            }
            assert_eq!(writing.written(), 12);
            assert_eq!(fs::read(&path).expect("read"), b"old");
            assert_eq!(names(dir.path()).len(), 2, "the temporary file is beside the old one");
            if finished {
                writing.finish().expect("finished");
            } else {
                drop(writing);
                assert_eq!(fs::read(&path).expect("read"), b"old");
            }
            assert_eq!(names(dir.path()), ["a.pg"]);
        }
        assert_eq!(fs::read(&path).expect("read"), b"first second");
    }

    #[test]
    fn a_file_in_pieces_that_lost_some_does_not_get_its_name() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.pg");
        let mut writing = Writing::begin(&System, &path).expect("begun");
        writing.write(b"piece").expect("written");
        writing.temporary.file.set_len(4).expect("cut short");
        let error = writing.finish().expect_err("one byte is missing");
        assert_eq!(error.step, WriteStep::ReadBack);
        assert!(error.to_string().contains("5 bytes were written, and 4 others are there"), "{error}");
        assert_eq!(names(dir.path()), Vec::<String>::new());
    }

    #[test]
    fn c15_what_is_refused_leaves_the_old_file() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.gobcert");
        write_file(&System, &path, b"old").expect("written");
        let refused = publish(&System, &path, b"new", |back| {
            assert_eq!(back, b"new");
            assert_eq!(names(dir.path()).len(), 2, "the temporary file is beside the old one");
            Err("no")
        });
        assert!(matches!(refused, Err(PublishError::Refused("no"))));
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(dir.path()), ["a.gobcert"]);
    }

    /// A disk on which the first names for a file are taken, or cannot be had at all.
    #[derive(Debug)]
    struct Taken {
        first: u32,
        why: io::ErrorKind,
        asked: AtomicU32,
    }

    impl Disk for Taken {
        fn create_new(&self, path: &Path) -> io::Result<File> {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            assert!(asked < 100, "asks for ever");
            if asked < self.first { Err(self.why.into()) } else { System.create_new(path) }
        }
    }

    #[test]
    fn another_name_is_tried_where_one_is_taken_but_not_for_ever() {
        use io::ErrorKind::{AlreadyExists, PermissionDenied};
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.gobcert");
        for (first, why, asked, created) in [
            (0, AlreadyExists, 1, true),
            (1, AlreadyExists, 2, true),
            (15, AlreadyExists, 16, true),
            (16, AlreadyExists, 16, false),
            (1, PermissionDenied, 1, false),
        ] {
            let disk = Taken { first, why, asked: AtomicU32::new(0) };
            let begun = Writing::begin(&disk, &path).map(drop);
            assert_eq!(begun.is_ok(), created, "{first} {why:?}: {begun:?}");
            assert_eq!(disk.asked.load(Ordering::Relaxed), asked, "{first} {why:?}");
            if let Err(error) = begun {
                assert_eq!((error.step, error.source.kind()), (WriteStep::Create, why));
            }
            assert_eq!(names(dir.path()), Vec::<String>::new());
        }
    }

    /// A disk on which one step fails.
    #[derive(Debug)]
    struct Failing(WriteStep);

    impl Failing {
        fn at(&self, step: WriteStep) -> io::Result<()> {
            if self.0 == step { Err(io::Error::other("a fault")) } else { Ok(()) }
        }
    }

    impl Disk for Failing {
        fn write_all(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
            self.at(WriteStep::Write { len: bytes.len() })?;
            System.write_all(file, bytes)
        }

        fn sync(&self, file: &File) -> io::Result<()> {
            self.at(WriteStep::Sync)?;
            System.sync(file)
        }

        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            self.at(WriteStep::ReadBack)?;
            System.read(path)
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.at(WriteStep::Rename)?;
            System.rename(from, to)
        }

        fn sync_directory(&self, directory: &Path) -> io::Result<()> {
            self.at(WriteStep::SyncDirectory)?;
            System.sync_directory(directory)
        }
    }

    #[test]
    fn c06_the_step_that_failed_is_named_and_the_file_is_the_old_or_the_new_one() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.gobcert");
        for step in [
            WriteStep::Write { len: 3 },
            WriteStep::Sync,
            WriteStep::ReadBack,
            WriteStep::Rename,
            WriteStep::SyncDirectory,
        ] {
            write_file(&System, &path, b"old").expect("written");
            let error = write_file(&Failing(step), &path, b"new").expect_err("a step fails");
            assert_eq!((error.step, error.source.to_string().as_str()), (step, "a fault"));
            let left: &[u8] = if step == WriteStep::SyncDirectory { b"new" } else { b"old" };
            assert_eq!(fs::read(&path).expect("read"), left, "{step}");
            assert_eq!(names(dir.path()), ["a.gobcert"]);
        }
    }

    #[test]
    fn only_what_killed_processes_left_is_tidied_up() {
        let dir = tempfile::tempdir().expect("a directory");
        let kept = [".gobcert-note", "other.tmp", "certificate"];
        for name in [".gobcert-1-2.tmp", ".gobcert-3-4.tmp"].iter().chain(&kept) {
            fs::write(dir.path().join(name), b"").expect("a file");
        }
        let path = dir.path().join("a.gobcert");
        let living = Writing::begin(&System, &path).expect("begun");
        remove_leftovers(&System, dir.path());
        let mut left = names(dir.path());
        left.retain(|name| !kept.contains(&name.as_str()));
        let own = living.temporary.path.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(left, [own]);
        assert_eq!(names(dir.path()).len(), kept.len() + 1);
    }

    #[test]
    fn a_bare_name_is_one_in_the_directory_that_one_is_in() {
        let target = Target::look(&System, Path::new("no such file.gobcert")).expect("free");
        assert_eq!(target.directory, Path::new("."));
        let target = Target::look(&System, Path::new("src/no such file.gobcert")).expect("free");
        assert_eq!(target.directory, Path::new("src"));
    }

    #[test]
    fn errors_name_the_file_the_step_and_the_cause() {
        let mut said = Vec::new();
        for (step, words) in [
            (WriteStep::Look, "looking"),
            (WriteStep::Create, "creating"),
            (WriteStep::Write { len: 71 }, "writing 71 bytes"),
            (WriteStep::Sync, "synchronising the temporary file"),
            (WriteStep::ReadBack, "reading"),
            (WriteStep::Rename, "renaming"),
            (WriteStep::SyncDirectory, "synchronising the directory"),
            (WriteStep::Remove, "removing"),
        ] {
            let source = io::Error::other("a cause");
            let error = WriteError { path: "a\nfile".into(), step, source };
            let text = error.to_string();
            let named = text.contains(r"a\nfile") && text.contains(words) && text.ends_with("a cause");
            assert!(named, "{text}");
            assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("a cause"));
            let error = PublishError::<WriteError>::Write(error);
            assert_eq!(error.to_string(), text);
            assert_eq!(error.source().map(ToString::to_string), Some(text.clone()));
            assert!(!said.contains(&text), "{text}");
            said.push(text);
        }
        let refused = PublishError::Refused(io::Error::other("no"));
        assert_eq!(refused.to_string(), "no");
        assert_eq!(refused.source().map(ToString::to_string).as_deref(), Some("no"));
    }

    #[test]
    fn what_cannot_be_written_is_found_beforehand() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("file");
        write_file(&System, &file, b"").expect("written");
        for (path, step) in [
            (dir.path().to_owned(), WriteStep::Look),
            (dir.path().join("missing/"), WriteStep::Look),
            (dir.path().join(".."), WriteStep::Look),
            (PathBuf::from("/"), WriteStep::Look),
            (PathBuf::new(), WriteStep::Look),
            (file.join("under a file"), WriteStep::Look),
            (dir.path().join("missing/a.gobcert"), WriteStep::Create),
        ] {
            assert_eq!(check_writable(&System, &path).map_err(|error| error.step), Err(step), "{path:?}");
            assert_eq!(write_file(&System, &path, b"x").map_err(|error| error.step), Err(step), "{path:?}");
        }
        if cfg!(unix) {
            let device = check_writable(&System, Path::new("/dev/null")).expect_err("a device");
            assert!(device.to_string().contains("it is a pipe, a socket or a device"), "{device}");
        }
        assert_eq!(names(dir.path()), ["file"]);
    }
}
