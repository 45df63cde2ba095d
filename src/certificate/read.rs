//! Reading a certificate's file.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::Certificate;
use super::error::FormatError;

/// The length of the longest file that is read: 4 GiB.
pub const MAX_FILE_LEN: u64 = 1 << 32;

/// A file could not be read, which says nothing about whether it is a certificate.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub problem: ReadProblem,
}

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadProblem {
    /// It could not be opened.
    Open(io::Error),
    /// It is no regular file.
    NotAFile {
        /// What it is instead: `a directory`.
        found: &'static str,
    },
    /// It is longer than [`MAX_FILE_LEN`].
    TooLong {
        /// How many bytes it has, or has at least.
        len: u64,
    },
    /// Reading failed.
    Read(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.problem {
            ReadProblem::Open(error) => write!(f, "cannot open {path:?}: {error}"),
            ReadProblem::NotAFile { found } => {
                write!(f, "cannot read {path:?}: it is {found}, and a certificate is a regular file")
            }
            ReadProblem::TooLong { len } => write!(
                f,
                "will not read {path:?}: it has {len} bytes or more, and no certificate has more than {MAX_FILE_LEN}"
            ),
            ReadProblem::Read(error) => write!(f, "cannot read {path:?}: {error}"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            ReadProblem::Open(error) | ReadProblem::Read(error) => Some(error),
            ReadProblem::NotAFile { .. } | ReadProblem::TooLong { .. } => None,
        }
    }
}

/// Why no certificate came out of a file.
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
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Read(error) => error.fmt(f),
            LoadError::Format { path, error } => write!(f, "{path:?}: {error}"),
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

/// The bytes of a regular file, read once. Symbolic links are followed. The file's kind is looked at both
/// before it is opened (to open a pipe may wait for ever) and after (it may have been replaced).
///
/// # Errors
/// The file cannot be opened or read, is no regular file, or is longer than [`MAX_FILE_LEN`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_up_to(path, MAX_FILE_LEN)
}

/// [`read_file`] with a limit of its own.
fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let failed = |problem| ReadError { path: path.to_owned(), problem };
    let open = |error| failed(ReadProblem::Open(error));
    let regular = |metadata: &Metadata| match not_a_file(metadata) {
        Some(found) => Err(failed(ReadProblem::NotAFile { found })),
        None => Ok(()),
    };
    regular(&fs::metadata(path).map_err(open)?)?;
    let file = File::open(path).map_err(open)?;
    let metadata = file.metadata().map_err(open)?;
    regular(&metadata)?;
    if metadata.len() > most {
        return Err(failed(ReadProblem::TooLong { len: metadata.len() }));
    }
    // The file may be growing: one byte more than allowed shows it.
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    let len = read.map_err(|error| failed(ReadProblem::Read(error)))? as u64;
    if len > most { Err(failed(ReadProblem::TooLong { len })) } else { Ok(bytes) }
}

/// What it is if it is no regular file.
pub(super) fn not_a_file(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        None
    } else if metadata.is_dir() {
        Some("a directory")
    } else {
        Some("a pipe, a socket or a device")
    }
}

impl Certificate {
    /// Reads a file once; gives the certificate and the bytes that it was read from.
    ///
    /// # Errors
    /// The file cannot be read, or it was read and is no certificate.
    pub fn read(path: &Path) -> Result<(Certificate, Vec<u8>), LoadError> {
        let bytes = read_file(path).map_err(LoadError::Read)?;
        match Certificate::decode(&bytes) {
            Ok(certificate) => Ok((certificate, bytes)),
            Err(error) => Err(LoadError::Format { path: path.to_owned(), error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    fn problem(path: &Path) -> ReadProblem {
        read_file(path).expect_err("cannot be read").problem
    }

    #[test]
    fn m23_what_is_no_regular_file_is_an_error_of_reading() {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(matches!(problem(dir.path()), ReadProblem::NotAFile { found: "a directory" }));
        assert!(matches!(problem(&dir.path().join("missing")), ReadProblem::Open(_)));
        let long = dir.path().join("long\nname");
        File::create(&long).and_then(|file| file.set_len(MAX_FILE_LEN + 1)).expect("a sparse file");
        assert!(matches!(problem(&long), ReadProblem::TooLong { len: 4_294_967_297 }));
        let text = read_file(&long).expect_err("too long").to_string();
        assert!(text.contains(r"long\nname") && !text.contains('\n'), "{text}");
    }

    #[test]
    fn m23_a_file_is_read_up_to_the_limit_and_not_beyond() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("file");
        fs::write(&path, b"12345").expect("a file");
        for most in [5, 6, 1000] {
            assert_eq!(read_up_to(&path, most).expect("read"), b"12345");
        }
        for most in [0, 3, 4] {
            let problem = read_up_to(&path, most).expect_err("too long").problem;
            assert!(matches!(problem, ReadProblem::TooLong { len: 5 }), "{most}: {problem:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn m23_a_file_that_is_longer_than_it_says() {
        // It says 0 bytes, as a file that begins to grow would.
        let path = Path::new("/proc/self/status");
        assert_eq!(fs::metadata(path).expect("there").len(), 0);
        for most in [0, 1, 10] {
            let problem = read_up_to(path, most).expect_err("too long").problem;
            assert!(matches!(problem, ReadProblem::TooLong { len } if len == most + 1), "{problem:?}");
        }
        assert!(!read_up_to(path, 1 << 20).expect("read").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn m23_links_devices_and_pipes() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("a directory");
        assert!(matches!(problem(Path::new("/dev/zero")), ReadProblem::NotAFile { .. }));
        let at = |name: &str| dir.path().join(name);
        symlink(at("loop"), at("loop")).expect("a link");
        assert!(matches!(problem(&at("loop")), ReadProblem::Open(_)));
        fs::write(at("file"), b"bytes").expect("a file");
        symlink(at("file"), at("link")).expect("a link");
        assert_eq!(read_file(&at("link")).expect("read"), b"bytes");
        // To open a pipe without a writer would wait for ever.
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(matches!(problem(&at("pipe")), ReadProblem::NotAFile { .. }));
        }
        let socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("a socket");
        assert!(matches!(problem(&at("socket")), ReadProblem::NotAFile { .. }));
        drop(socket);
    }

    #[test]
    fn a_file_that_is_read_and_is_no_certificate_is_another_error() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("empty");
        fs::write(&path, b"").expect("a file");
        let error = Certificate::read(&path).expect_err("no certificate");
        assert!(matches!(error, LoadError::Format { error: FormatError::Empty, .. }));
        let text = error.to_string();
        assert!(text.contains(&format!("{path:?}")) && text.contains("is empty"), "{text}");
        let source = error.source().and_then(|source| source.downcast_ref::<FormatError>());
        assert_eq!(source, Some(&FormatError::Empty));

        let missing = dir.path().join("missing");
        let error = Certificate::read(&missing).expect_err("not there");
        assert!(error.to_string().contains(&format!("cannot open {missing:?}")), "{error}");
        let read = error.source().and_then(|source| source.downcast_ref::<ReadError>()).expect("a cause");
        let source = read.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::NotFound));
        let directory = read_file(dir.path()).expect_err("a directory");
        assert!(directory.source().is_none());
    }
}
