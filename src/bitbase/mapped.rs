//! Zeroed words that the system maps: in memory, or in a file that is read and written as if it were memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;
use std::slice;
use std::sync::atomic::AtomicU64;

use memmap2::{MmapMut, MmapRaw};

/// Zeroed words in memory, or in a file that has no name. Such a file is gone with the process, however that ends, so nothing
/// of it is ever taken for a finished file.
pub(crate) struct Mapped(MmapRaw);

impl Mapped {
    /// Takes memory for `len` zeroed words, in huge pages where the system has them. The passes read sets in no order,
    /// and with small pages most reads would wait for an address to be looked up.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub(crate) fn in_memory(len: usize) -> io::Result<Mapped> {
        let bytes = len.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes.max(1))?;
        // A system without huge pages refuses; small pages serve too.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Mapped(map.into()))
    }

    /// Maps `len` zeroed words of a new file in a directory. The system keeps as many of them in memory as it has room for.
    ///
    /// # Errors
    /// No file can be made there, or the disk lacks the room: all of it is requested now.
    pub(crate) fn in_file(dir: &Path, len: usize) -> io::Result<Mapped> {
        let path = dir.join(format!("scratch-{}", std::process::id()));
        // The directory is locked: a file of this name was left by a killed process that had the same number.
        let _ = std::fs::remove_file(&path);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(&path)?;
        let bytes = 8 * len as u64;
        // A page that the disk has no room for would end the process when it is written.
        #[cfg(unix)]
        match rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, bytes.max(1)) {
            Err(rustix::io::Errno::OPNOTSUPP) => fill(&file, bytes.max(1))?,
            requested => requested?,
        }
        #[cfg(not(unix))]
        file.set_len(bytes.max(1))?;
        // SAFETY: nobody else has the file: it was created here and has no name any more. So nobody cuts it short or
        // writes to it while it is mapped.
        let map = unsafe { MmapMut::map_mut(&file) }?;
        // No read-ahead: the page read next is rarely a neighbour. Where it is, [`Mapped::fetch`] asks for it.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Random);
        Ok(Mapped(map.into()))
    }

    /// Asks the system to read some words of a file ahead. The system may ignore it.
    #[cfg(unix)]
    pub(crate) fn fetch(&self, words: Range<usize>) {
        // Linux ignores the part of a request beyond its read-ahead, so each request is small.
        const TOGETHER: usize = 1 << 14;
        let size = size_of::<AtomicU64>();
        for from in words.clone().step_by(TOGETHER) {
            let len = TOGETHER.min(words.end - from);
            let _ = self.0.advise_range(memmap2::Advice::WillNeed, size * from, size * len);
        }
    }

    /// The system reads words when they are needed.
    #[cfg(not(unix))]
    pub(crate) fn fetch(&self, _words: Range<usize>) {}

    /// The words.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        let first = self.0.as_mut_ptr().cast::<AtomicU64>();
        assert!(first.is_aligned(), "a page begins a word");
        // SAFETY: the system gave this pointer for all bytes of the map, to read and to write, and they stay as long as `self`.
        // The pointer comes from no reference, so the bytes may change. All threads read and write them through these words
        // alone, which are atomic. The pointer is aligned for words, and any bits are a valid word.
        unsafe { slice::from_raw_parts(first, self.0.len() / size_of::<AtomicU64>()) }
    }
}

/// Writes zeros to an empty file: some file systems cannot set room aside otherwise.
#[cfg(unix)]
fn fill(mut file: &File, bytes: u64) -> io::Result<()> {
    io::copy(&mut io::repeat(0).take(bytes), &mut file).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_is_filled_with_zeros_where_room_cannot_be_requested() {
        let file = tempfile::tempfile().expect("a file");
        fill(&file, 100_001).expect("room");
        assert_eq!(file.metadata().expect("its length").len(), 100_001);
    }

    #[test]
    fn words_are_zero_at_first_and_keep_what_is_written() {
        let dir = tempfile::tempdir().expect("a directory");
        let mapped = Mapped::in_file(dir.path(), 100_000).expect("room");
        assert_eq!(mapped.words().len(), 100_000);
        assert!(mapped.words().iter().all(|word| word.load(Ordering::Relaxed) == 0));
        for (value, word) in (0..).zip(mapped.words()) {
            word.store(value, Ordering::Relaxed);
        }
        assert!((0..).zip(mapped.words()).all(|(value, word)| word.load(Ordering::Relaxed) == value));
        let left = std::fs::read_dir(dir.path()).expect("a directory").count();
        assert_eq!(left, 0, "the file has no name, so a process that is killed leaves none");
    }

    #[test]
    fn what_a_killed_process_of_the_same_number_left_is_in_nobodys_way() {
        let dir = tempfile::tempdir().expect("a directory");
        let left = dir.path().join(format!("scratch-{}", std::process::id()));
        std::fs::write(&left, b"left").expect("written");
        assert_eq!(Mapped::in_file(dir.path(), 10).expect("room").words().len(), 10);
        assert!(!left.exists());
    }

    #[test]
    fn a_directory_that_is_not_there_is_an_error() {
        let dir = tempfile::tempdir().expect("a directory");
        let error = Mapped::in_file(&dir.path().join("gone"), 1).err().expect("no directory");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn more_than_the_disk_holds_is_refused_at_once() {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(Mapped::in_file(dir.path(), 1 << 56).is_err());
    }
}
