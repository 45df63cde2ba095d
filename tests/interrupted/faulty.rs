//! A disk that fails at a chosen call.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use gobprove::store::{Disk, System};

/// How it fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not at all.
    None,
    /// With an error, once. A write has written half by then.
    Once(io::ErrorKind),
    /// As if the process were killed there: of a write half is done, and nothing after it.
    Killed,
}

/// The system's disk, until the call of a number, counted from 1.
#[derive(Debug)]
pub struct Faulty {
    at: usize,
    fault: Fault,
    calls: Mutex<Vec<&'static str>>,
}

impl Faulty {
    pub fn new(at: usize, fault: Fault) -> Faulty {
        Faulty { at, fault, calls: Mutex::new(Vec::new()) }
    }

    /// The calls made so far.
    pub fn calls(&self) -> Vec<&'static str> {
        self.calls.lock().expect("no test panics with it").clone()
    }

    /// Counts a call, and fails it if it is its turn. Whether it fails first there is told besides.
    fn pass(&self, call: &'static str) -> Result<(), (io::Error, bool)> {
        let mut calls = self.calls.lock().expect("no test panics with it");
        calls.push(call);
        let now = calls.len();
        match self.fault {
            Fault::Once(kind) if now == self.at => Err((kind.into(), true)),
            Fault::Killed if now >= self.at => Err((io::Error::other("killed"), now == self.at)),
            _ => Ok(()),
        }
    }
}

impl Disk for Faulty {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.pass("metadata").map_err(|(error, _)| error)?;
        System.metadata(path)
    }

    fn create_new(&self, path: &Path) -> io::Result<File> {
        self.pass("create_new").map_err(|(error, _)| error)?;
        System.create_new(path)
    }

    fn write_all(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        match self.pass("write_all") {
            Ok(()) => System.write_all(file, bytes),
            Err((error, first)) => {
                if first {
                    System.write_all(file, &bytes[..bytes.len() / 2])?;
                }
                Err(error)
            }
        }
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.pass("sync").map_err(|(error, _)| error)?;
        System.sync(file)
    }

    fn sync_directory(&self, directory: &Path) -> io::Result<()> {
        self.pass("sync_directory").map_err(|(error, _)| error)?;
        System.sync_directory(directory)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.pass("read").map_err(|(error, _)| error)?;
        System.read(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let is_block = to.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"block-"));
        self.pass(if is_block { "rename_block" } else { "rename" }).map_err(|(error, _)| error)?;
        System.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.pass("remove_file").map_err(|(error, _)| error)?;
        System.remove_file(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.pass("remove_directory").map_err(|(error, _)| error)?;
        System.remove_directory(path)
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.pass("create_directory").map_err(|(error, _)| error)?;
        System.create_directory(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<PathBuf>> {
        self.pass("list").map_err(|(error, _)| error)?;
        System.list(directory)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<File>> {
        self.pass("try_lock").map_err(|(error, _)| error)?;
        System.try_lock(path)
    }
}
