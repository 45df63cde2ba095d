//! Reading a certificate's file, and saying what is wrong with it.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use gobcheck::format::FormatError;

use super::certificate::Certificate;
use super::foreign::Foreign;

/// A file could not be read, which says nothing about whether it is a certificate.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub source: io::Error,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {:?}: {}", self.path, self.source)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Why no certificate could be read from a file.
#[derive(Debug)]
pub enum LoadError {
    /// The file could not be read.
    Read(ReadError),
    /// The file was read and is no certificate.
    Format {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: FormatError,
        /// What to do next.
        advice: String,
    },
}

impl LoadError {
    /// The error for a file with these bytes, which are no certificate, with advice on what to do.
    #[must_use]
    pub fn format(path: &Path, error: FormatError, bytes: &[u8]) -> LoadError {
        let advice = advice(&error, bytes);
        LoadError::Format { path: path.to_owned(), error, advice }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Read(error) => error.fmt(f),
            LoadError::Format { path, error, advice } => write!(f, "{path:?}: {error}; {advice}"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Read(error) => Some(error),
            LoadError::Format { error, .. } => Some(error),
        }
    }
}

/// The bytes of a regular file, as [`gobcheck::file::read`] reads them.
///
/// # Errors
/// The file cannot be opened or read, is no regular file, or is too long.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    gobcheck::file::read(path).map_err(|source| ReadError { path: path.to_owned(), source })
}

/// Reads a file once, and returns the certificate and the bytes of the file.
///
/// # Errors
/// The file cannot be read, or it was read and is no certificate.
pub fn read_certificate(path: &Path) -> Result<(Certificate, Vec<u8>), LoadError> {
    let bytes = read_file(path).map_err(LoadError::Read)?;
    match Certificate::decode(&bytes) {
        Ok(certificate) => Ok((certificate, bytes)),
        Err(error) => Err(LoadError::format(path, error, &bytes)),
    }
}

/// What to do about bytes that are no certificate.
#[must_use]
pub fn advice(error: &FormatError, bytes: &[u8]) -> String {
    match error.code {
        _ if bytes.is_empty() => {
            "the file is empty: copy the certificate again, or generate it anew".to_owned()
        }
        "magic" => match Foreign::recognise(bytes) {
            Some(foreign) => foreign.to_string(),
            None => "give the path of a .gobcert file".to_owned(),
        },
        "version" => "use the gobprove that made the file, or generate it anew".to_owned(),
        // The file changed after it was written.
        "truncated" | "trailing" | "header-checksum" | "block-length" | "block-checksum" | "digest" => {
            "the file is damaged: copy it again, in binary mode".to_owned()
        }
        // The file is intact, but was written wrongly.
        _ => "gobprove writes no such file: generate the certificate anew".to_owned(),
    }
}

/// Opens a regular file. It is also looked at before it is opened, because opening a pipe may wait for ever.
///
/// # Errors
/// It cannot be opened, or is no regular file.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    let regular = |metadata: &Metadata| match not_a_file(metadata) {
        Some(found) => Err(io::Error::other(format!("it is {found}"))),
        None => Ok(()),
    };
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Whether a file can be read and begins with these bytes.
pub(super) fn begins_with(path: &Path, beginning: &[u8; 12]) -> bool {
    let mut head = [0; 12];
    open_regular(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *beginning
}

/// What is there, in words, if it is no regular file.
pub(super) fn not_a_file(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        None
    } else if metadata.is_dir() {
        Some("a directory")
    } else {
        Some("a pipe, a socket or a device")
    }
}
