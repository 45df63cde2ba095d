//! Publishing on real directories, and on a disk that fails at each step.

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

/// A disk on which the first `first` attempts to create a file fail because of `why`.
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

/// A disk that panics if a file that is to be removed is not locked.
#[derive(Debug)]
struct Locking;

impl Disk for Locking {
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        assert!(matches!(System.try_lock(path), Ok(None)), "whoever makes it now would have it removed");
        System.remove_file(path)
    }
}

#[test]
fn what_is_tidied_up_is_locked_until_it_is_gone() {
    let dir = tempfile::tempdir().expect("a directory");
    let (begin, end) = TEMPORARY;
    fs::write(dir.path().join(format!("{begin}1{end}")), b"left").expect("written");
    remove_leftovers(&Locking, dir.path());
    assert_eq!(names(dir.path()), Vec::<String>::new());
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
        (WriteStep::Look, "a file cannot stand there"),
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
