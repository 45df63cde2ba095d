//! Reading a certificate's file.

use std::fs::{self, File, Metadata};
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;

/// The length of the longest file that is read: 4 GiB.
pub const MAX_LEN: u64 = 1 << 32;

/// The bytes of a regular file, read once. Symbolic links are followed. What the file is is looked at both before it is
/// opened (to open a pipe may wait for ever) and after (it may have been replaced).
///
/// # Errors
/// The file cannot be opened or read, is no regular file, or is longer than [`MAX_LEN`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    read_from(file)
}

/// The bytes of an open file or pipe, to its end.
///
/// # Errors
/// Reading fails, or there are more than [`MAX_LEN`] bytes.
pub fn read_from(source: impl Read) -> io::Result<Vec<u8>> {
    // One byte more than allowed shows a file that is too long, or grows.
    let mut bytes = Vec::new();
    source.take(MAX_LEN + 1).read_to_end(&mut bytes)?;
    within(bytes.len() as u64)?;
    Ok(bytes)
}

fn regular(metadata: &Metadata) -> io::Result<()> {
    let found = match metadata {
        found if found.is_file() => return within(found.len()),
        found if found.is_dir() => "a directory",
        _ => "a pipe, a socket or a device",
    };
    Err(Error::new(ErrorKind::InvalidInput, format!("it is {found}, and a certificate is a regular file")))
}

fn within(len: u64) -> io::Result<()> {
    if len <= MAX_LEN {
        return Ok(());
    }
    let what = format!("it has {len} bytes or more, and no certificate has more than {MAX_LEN}");
    Err(Error::new(ErrorKind::FileTooLarge, what))
}
