//! The checkpoint of a long run: what it has found is on disk in blocks, and a manifest says which blocks count.
//!
//! All runs save in the same way. First a run writes blocks; those written together share a new number. Then it writes the
//! manifest that names them. The new state counts from the moment at which the manifest has its name. Last, the blocks that
//! the manifest does not name are removed. A block that counts is never overwritten. So a run that is killed at any point
//! leaves either the old state or the new one, and perhaps some blocks that nobody reads. The next run removes those first.
//!
//! While a new state is written, the files that it replaces are still on disk. For the fixpoint these are the files of one
//! tier: a finished tier keeps its [`Handle`] from one manifest to the next, and only the tier in work is written again. The
//! largest tier of A3B3-A3B3C2 takes 25 GiB in memory and 7 GiB on the disk, where its files lie twice for a minute. That is
//! less than half of what all tiers take, and no state is ever a mixture of two.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::working::{Encoded, MANIFEST, Working, WorkingError, block_name, failed};
use super::{Disk, System};
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::inner::{inner, smallest};
use crate::prelude::*;
use crate::rules::Game;
use crate::strategy::Seed;

/// What a run saves besides its blocks. The default is the state before any work.
pub trait Manifest: Serialize + DeserializeOwned + Default {
    /// What the run makes, in one word: part of the identity of the working directory.
    const MAKES: &'static str;

    /// What can be done if a block is damaged or missing.
    const CURE: &'static str = BEGIN_ANEW;

    /// The blocks that it names.
    fn handles(&self) -> Vec<Handle>;
}

/// The cure that always works.
const BEGIN_ANEW: &str = "--fresh discards all that is there, and the run begins anew";

/// Blocks that were written together: the number that they share, and how many they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Handle {
    number: u32,
    blocks: u32,
}

/// The least time between two saves, unless a test sets another.
const INTERVAL: Duration = Duration::from_secs(60);

/// Saving takes at most `1 / PART` of the time of a run, as far as [`INTERVALS`] allows.
const PART: u32 = 10;

/// However slow saving is, the next save is due after this many intervals. A run that is killed loses at most this work.
const INTERVALS: u32 = 8;

/// About how fast sets are packed and written.
const BYTES_PER_MILLISECOND: u128 = 256 << 10;

/// How many words go into one block. Writing needs memory for about five blocks a thread, because blocks are made while others
/// are written.
const BLOCK_WORDS: usize = 1 << 20;

/// The stack of the writing thread, in bytes. It can be small: the thread only hands bytes on.
const STACK: usize = 256 << 10;

/// A working directory with the state of a run, locked for as long as this value lives.
#[derive(Debug)]
pub struct Checkpoint<M> {
    working: Working,
    /// The state of the run. Changes count from the next [`Checkpoint::publish`] on.
    pub(crate) manifest: M,
    /// The number that the next blocks get.
    next: u32,
    interval: Duration,
    block_words: usize,
    published: Instant,
    /// How long after `published` the next save is due.
    pause: Duration,
    /// How long writing blocks has taken since the last save.
    spent: Duration,
    /// Whether blocks were written since the last save.
    has_news: bool,
}

impl<M: Manifest> Checkpoint<M> {
    /// Opens the working directory of a run over a game and seed, and makes it if it is not there. `fresh` discards the
    /// working files in it.
    ///
    /// # Errors
    /// The directory cannot be used, another process works there, it was made for something else, or is damaged.
    pub fn open(dir: &Path, game: &Game, seed: Seed, fresh: bool) -> Result<Checkpoint<M>, WorkingError> {
        Checkpoint::open_on(Arc::new(System), dir, game, seed, fresh)
    }

    /// As [`Checkpoint::open`], for a game that a discipline restricts.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn open_within(
        dir: &Path,
        game: &Game,
        seed: Seed,
        discipline: &Discipline,
        fresh: bool,
    ) -> Result<Checkpoint<M>, WorkingError> {
        Checkpoint::open_for(Arc::new(System), dir, &named(game, seed, discipline), fresh)
    }

    /// As [`Checkpoint::open`], on another disk.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub fn open_on(
        disk: Arc<dyn Disk>,
        dir: &Path,
        game: &Game,
        seed: Seed,
        fresh: bool,
    ) -> Result<Checkpoint<M>, WorkingError> {
        Checkpoint::open_for(disk, dir, &named(game, seed, &Discipline::FREE), fresh)
    }

    /// As [`Checkpoint::open`], for whatever `of` names.
    ///
    /// # Errors
    /// As [`Checkpoint::open`].
    pub(crate) fn open_for(
        disk: Arc<dyn Disk>,
        dir: &Path,
        of: &str,
        fresh: bool,
    ) -> Result<Checkpoint<M>, WorkingError> {
        let working = Working::open(disk, dir, &format!("{of} {}", M::MAKES), fresh)?;
        let manifest: M = working.read(MANIFEST, BEGIN_ANEW)?.unwrap_or_default();
        // The numbers in the manifest are taken. A number that a killed run used without publishing it is free again.
        let last = manifest.handles().iter().map(|handle| handle.number).max();
        // `next + 1` must exist too: `write` computes it when it takes `next`.
        let next =
            last.map_or(Some(0), |last| last.checked_add(2).map(|after| after - 1)).ok_or_else(|| {
                WorkingError::Damaged {
                    path: dir.join(MANIFEST),
                    reason: "no number is left for another block".to_owned(),
                    cure: BEGIN_ANEW,
                }
            })?;
        let checkpoint = Checkpoint {
            working,
            manifest,
            next,
            interval: INTERVAL,
            block_words: BLOCK_WORDS,
            published: Instant::now(),
            pause: INTERVAL,
            spent: Duration::ZERO,
            has_news: false,
        };
        // A run that ended while it saved may have left as many bytes as its largest tier takes.
        checkpoint.keep_named()?;
        Ok(checkpoint)
    }

    /// The directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.working.dir()
    }

    /// Sets the least time between two saves: a minute, unless a test sets another. With 0 a run is saved whenever it can
    /// be.
    pub fn set_interval(&mut self, interval: Duration) {
        (self.interval, self.pause) = (interval, interval);
    }

    /// Sets how many words go into one block. Tests set fewer than usual.
    ///
    /// # Panics
    /// If it is 0.
    pub fn set_block_words(&mut self, words: usize) {
        assert!(words > 0, "a block holds something");
        self.block_words = words;
    }

    /// How many entries of `words` words go into one block.
    pub(crate) fn block_len(&self, words: usize) -> usize {
        (self.block_words / words).max(1)
    }

    /// Whether it is time to save. A save is due after the interval, or later so that saving takes at most a tenth of the
    /// time, but after eight intervals at the latest.
    pub(crate) fn is_due(&self) -> bool {
        self.published.elapsed() >= self.pause
    }

    /// Whether a run that stops here should save this number of bytes. If writing them takes longer than the work since the
    /// last save took, it is quicker to do that work again.
    pub(crate) fn is_worth(&self, bytes: u128) -> bool {
        self.published.elapsed().as_millis() >= bytes / BYTES_PER_MILLISECOND
    }

    /// To be called where a run begins, or goes on after reading. If no blocks were written since the last save, the time
    /// until the next one counts from now.
    pub(crate) fn go_on(&mut self) {
        if !self.has_news {
            self.published = Instant::now();
        }
    }

    /// To be called before a run saves something else, such as another tier: the time that saving took so far is forgotten.
    pub(crate) fn begin_another(&mut self) {
        (self.pause, self.spent) = (self.interval, Duration::ZERO);
    }

    /// Writes blocks, one after the other, while all threads make the next ones. The blocks count once a manifest that names
    /// them is published.
    ///
    /// # Errors
    /// A file cannot be written; all blocks that count are still there.
    pub(crate) fn write<T: Serialize + Send>(
        &mut self,
        blocks: impl IntoIterator<Item = T>,
    ) -> Result<Handle, WorkingError> {
        let begun = Instant::now();
        let mut handle = Handle { number: self.next, blocks: 0 };
        (self.next, self.has_news) = (self.next + 1, true);
        let working = &self.working;
        let (sender, receiver) = mpsc::sync_channel::<Vec<Encoded>>(1);
        let mut blocks = blocks.into_iter();
        thread::scope(|scope| {
            let write =
                move || receiver.into_iter().flatten().try_for_each(|block| working.write_block(&block));
            let writer = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, write);
            let writer = writer.map_err(failed("start a thread to write", working.dir()))?;
            loop {
                let batch: Vec<(String, T)> = (handle.blocks..)
                    .map(|place| handle.name(place))
                    .zip(blocks.by_ref().take(rayon::current_num_threads()))
                    .collect();
                handle.blocks += batch.len() as u32;
                let encoded: Result<Vec<Encoded>, WorkingError> =
                    batch.into_par_iter().map(|(name, block)| working.encode(&name, &block)).collect();
                let encoded = encoded?;
                // A writer that met an error has stopped receiving.
                if encoded.is_empty() || sender.send(encoded).is_err() {
                    break;
                }
            }
            drop(sender);
            writer.join().unwrap_or_else(|panicked| std::panic::resume_unwind(panicked))
        })?;
        self.spent += begun.elapsed();
        Ok(handle)
    }

    /// Reads blocks, one after the other.
    ///
    /// # Errors
    /// A block is missing, damaged, or for something else, or cannot be read.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        handle: Handle,
    ) -> impl Iterator<Item = Result<T, WorkingError>> {
        (0..handle.blocks).map(move |place| self.read_one(handle, place))
    }

    /// Reads the block at a place.
    ///
    /// # Errors
    /// As [`Checkpoint::read`].
    pub(crate) fn read_one<T: DeserializeOwned>(
        &self,
        handle: Handle,
        place: u32,
    ) -> Result<T, WorkingError> {
        let name = handle.name(place);
        let missing = || WorkingError::Missing { path: self.dir().join(&name), cure: M::CURE };
        self.working.read(&name, M::CURE)?.ok_or_else(missing)
    }

    /// The error that blocks are damaged: the first of them, which it names, or all of them together.
    pub(crate) fn damaged(&self, handle: Handle, reason: &str) -> WorkingError {
        let path = self.dir().join(handle.name(0));
        WorkingError::Damaged { path, reason: reason.to_owned(), cure: M::CURE }
    }

    /// Writes the manifest, which makes its blocks count, and removes the blocks that it does not name.
    ///
    /// # Errors
    /// The manifest cannot be written: the earlier one still counts, or the new one if only its directory could not be
    /// synchronised. Or a block cannot be removed.
    pub(crate) fn publish(&mut self) -> Result<(), WorkingError> {
        let begun = Instant::now();
        self.working.write_manifest(&self.manifest)?;
        self.keep_named()?;
        let spent = self.spent + begun.elapsed();
        self.pause =
            spent.saturating_mul(PART).min(self.interval.saturating_mul(INTERVALS)).max(self.interval);
        (self.published, self.spent, self.has_news) = (Instant::now(), Duration::ZERO, false);
        Ok(())
    }

    /// Removes the blocks that the manifest does not name.
    fn keep_named(&self) -> Result<(), WorkingError> {
        let handles = self.manifest.handles();
        let named: BTreeMap<u32, u32> = handles.iter().map(|handle| (handle.number, handle.blocks)).collect();
        self.working.keep_blocks(|(number, place)| named.get(&number).is_some_and(|&blocks| place < blocks))
    }

    /// As [`Checkpoint::publish`], but only if blocks were written since the last save.
    ///
    /// # Errors
    /// As [`Checkpoint::publish`].
    pub(crate) fn publish_news(&mut self) -> Result<(), WorkingError> {
        if self.has_news { self.publish() } else { Ok(()) }
    }

    /// Removes all working files, and then the directory if it is empty.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(self) -> Result<(), WorkingError> {
        self.working.remove()
    }
}

impl Handle {
    /// How many blocks there are.
    pub(crate) fn blocks(self) -> u32 {
        self.blocks
    }

    /// The name of the file of one of its blocks.
    pub(crate) fn name(self, place: u32) -> String {
        block_name(self.number, place)
    }
}

/// What a directory is for, without [`Manifest::MAKES`].
fn named(game: &Game, seed: Seed, discipline: &Discipline) -> String {
    let within = if discipline.is_free() { String::new() } else { format!(" within {discipline}") };
    let rows = match inner(game.variant, discipline) {
        inner if inner == smallest(game.variant) => String::new(),
        inner => format!(" in rows of {inner}"),
    };
    format!("{} {} {seed}{within}{rows}", game.variant.spelled(), game.reading)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rules::Reading;

    #[derive(Default, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    struct Numbers(Vec<Handle>);

    impl Manifest for Numbers {
        const MAKES: &'static str = "numbers";

        fn handles(&self) -> Vec<Handle> {
            self.0.clone()
        }
    }

    fn open(dir: &Path, fresh: bool) -> Result<Checkpoint<Numbers>, WorkingError> {
        let game = Game::new("A1-A1B1".read().expect("a variant"), Reading::Official);
        Checkpoint::open(dir, &game, Seed::Rules, fresh)
    }

    /// The numbers in all blocks that the manifest names.
    fn numbers(checkpoint: &Checkpoint<Numbers>) -> Result<Vec<u64>, WorkingError> {
        checkpoint.manifest.0.iter().flat_map(|&handle| checkpoint.read(handle)).collect()
    }

    /// Where bits lie depends on which pieces are inner, so files of rows of the smallest pieces are for something else.
    #[test]
    fn the_name_says_which_pieces_are_inner_if_they_are_not_the_smallest() {
        let named = |name: &str, discipline: &str| {
            let game = Game::new(name.read().expect("a variant"), Reading::Official);
            named(&game, Seed::Rules, &discipline.parse().expect("a discipline"))
        };
        assert!(named("A2-A2B2C1", "").ends_with(" in rows of B"));
        for (name, discipline) in [("ab", ""), ("A3B3-A3B3C2", ""), ("A2-A2B2C1", "a=1")] {
            assert!(!named(name, discipline).contains("rows"), "{name} {discipline}");
        }
    }

    #[test]
    fn where_no_number_is_left_for_blocks_the_files_are_damaged() {
        let opened_with = |number| {
            let own = tempfile::tempdir().expect("a directory");
            let mut checkpoint = open(own.path(), false).expect("opened");
            let handle = checkpoint.write([vec![1u64]]).expect("written");
            checkpoint.manifest.0.push(Handle { number, ..handle });
            checkpoint.publish().expect("published");
            drop(checkpoint);
            open(own.path(), false).map(|mut checkpoint| checkpoint.write([vec![2u64]]).expect("a number"))
        };
        // `u32::MAX` is never given: whenever a number is given, the next one is computed.
        for number in [u32::MAX, u32::MAX - 1] {
            let refused = opened_with(number).expect_err("damaged").to_string();
            assert!(refused.contains("no number is left"), "{refused}");
        }
        assert_eq!(opened_with(u32::MAX - 2).expect("opened").number, u32::MAX - 1);
    }

    #[test]
    fn what_takes_longer_to_save_than_it_took_is_not_worth_it() {
        let own = tempfile::tempdir().expect("a directory");
        let checkpoint = open(own.path(), false).expect("opened");
        // A day of writing.
        let much = BYTES_PER_MILLISECOND * 86_400_000;
        assert!(checkpoint.is_worth(0) && !checkpoint.is_worth(much));
    }

    fn files(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> =
            names.filter(|name| !["lock", "identity"].contains(&name.as_str())).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_published_counts_and_nothing_else() {
        let own = tempfile::tempdir().expect("a directory");
        let dir = own.path();
        let mut checkpoint = open(dir, false).expect("opened");
        assert_eq!(checkpoint.manifest, Numbers::default());
        let one = checkpoint.write([1_u64, 2, 3]).expect("written");
        checkpoint.manifest.0.push(one);
        checkpoint.publish().expect("published");
        // The blocks are written, and the manifest names them, but the process is killed before it publishes.
        let two = checkpoint.write([4_u64, 5]).expect("written");
        checkpoint.manifest.0 = vec![two];
        drop(checkpoint);
        let mut checkpoint = open(dir, false).expect("opened");
        assert_eq!(numbers(&checkpoint).expect("read"), [1, 2, 3]);
        assert_eq!(files(dir).len(), 3 + 1, "what was not published is gone: {:?}", files(dir));
        // The unpublished number is used again.
        let again = checkpoint.write([6_u64]).expect("written");
        assert_eq!(again.name(0), two.name(0));
        checkpoint.manifest.0.push(again);
        checkpoint.publish().expect("published");
        assert_eq!(numbers(&checkpoint).expect("read"), [1, 2, 3, 6]);
        assert_eq!(files(dir).len(), 3 + 1 + 1, "{:?}", files(dir));
        checkpoint.manifest.0.remove(0);
        checkpoint.publish().expect("published");
        drop(checkpoint);
        // As if the process had been killed before it removed what the manifest names no more.
        fs::copy(dir.join(again.name(0)), dir.join(one.name(0))).expect("copied");
        let checkpoint = open(dir, false).expect("opened");
        assert_eq!(numbers(&checkpoint).expect("read"), [6]);
        assert_eq!(files(dir), [again.name(0), MANIFEST.to_owned()]);
        checkpoint.remove().expect("removed");
        assert!(!dir.exists());
    }

    #[test]
    fn what_is_damaged_missing_or_of_another_place_is_refused_by_name() {
        let own = tempfile::tempdir().expect("a directory");
        let dir = own.path();
        let mut checkpoint = open(dir, false).expect("opened");
        let handle = checkpoint.write([7_u64, 8]).expect("written");
        checkpoint.manifest.0.push(handle);
        checkpoint.publish().expect("published");
        drop(checkpoint);
        let refused = |name: &str, words: &str| {
            let told =
                open(dir, false).and_then(|checkpoint| numbers(&checkpoint)).expect_err(name).to_string();
            assert!(told.contains(name) && told.contains(words) && told.contains("--fresh"), "{told}");
        };
        for name in files(dir) {
            let whole = fs::read(dir.join(&name)).expect("read");
            for at in 0..whole.len() {
                let mut flipped = whole.clone();
                flipped[at] ^= 1;
                for damaged in [&whole[..at], &flipped] {
                    fs::write(dir.join(&name), damaged).expect("written");
                    refused(&name, "damaged");
                }
            }
            if name != MANIFEST {
                fs::remove_file(dir.join(&name)).expect("removed");
                refused(&name, "not there");
            }
            fs::write(dir.join(&name), whole).expect("written");
        }
        fs::copy(dir.join(handle.name(0)), dir.join(handle.name(1))).expect("copied");
        refused(&handle.name(1), "of another place");
        fs::remove_file(dir.join(MANIFEST)).expect("removed");
        assert_eq!(open(dir, false).expect("opened").manifest, Numbers::default(), "it begins anew");
    }

    #[test]
    fn an_earlier_layout_is_refused_and_goes_when_all_is_discarded() {
        let own = tempfile::tempdir().expect("a directory");
        let dir = own.path();
        drop(open(dir, false).expect("opened"));
        let identity = fs::read_to_string(dir.join("identity")).expect("text");
        let earlier = identity.replace("layout 9", "layout 8");
        assert_ne!(identity, earlier);
        fs::write(dir.join("identity"), &earlier).expect("written");
        let others = ["tier-0000-0001.bin", "book-0003-0000.bin", "proof-0000-0000.bin"];
        for name in others.into_iter().chain(["notes.bin"]) {
            fs::write(dir.join(name), b"old").expect("written");
        }
        let told = open(dir, false).expect_err("refused");
        assert!(matches!(&told, WorkingError::Foreign { found, .. } if *found == earlier), "{told}");
        assert_eq!(files(dir).len(), 4, "they are left alone");
        drop(open(dir, true).expect("opened"));
        assert_eq!(files(dir), ["notes.bin"], "what is not gobprove's stays");
    }

    #[test]
    fn a_save_is_due_after_the_interval_and_takes_a_part_of_the_time() {
        let own = tempfile::tempdir().expect("a directory");
        let mut checkpoint = open(own.path(), false).expect("opened");
        assert!(!checkpoint.is_due(), "a minute has not gone by");
        let seconds = Duration::from_secs;
        for (spent, interval, pause) in [
            (seconds(1), seconds(60), seconds(60)..seconds(61)),
            (seconds(20), seconds(60), seconds(200)..seconds(240)),
            (seconds(900), seconds(60), seconds(480)..seconds(481)),
            (seconds(900), Duration::ZERO, Duration::ZERO..seconds(1)),
            (seconds(900), Duration::MAX, Duration::MAX..Duration::MAX),
        ] {
            checkpoint.set_interval(interval);
            checkpoint.spent = spent;
            checkpoint.publish().expect("published");
            let holds = pause.contains(&checkpoint.pause) || checkpoint.pause == pause.end;
            assert!(holds, "{spent:?}: {:?}", checkpoint.pause);
            assert_eq!(checkpoint.is_due(), interval == Duration::ZERO);
        }
        checkpoint.set_interval(seconds(60));
        (checkpoint.pause, checkpoint.spent) = (seconds(480), seconds(9));
        checkpoint.begin_another();
        assert_eq!((checkpoint.pause, checkpoint.spent), (seconds(60), Duration::ZERO));
    }

    #[test]
    fn reading_puts_a_save_off_only_where_nothing_is_new() {
        let own = tempfile::tempdir().expect("a directory");
        let mut checkpoint = open(own.path(), false).expect("opened");
        checkpoint.set_interval(Duration::from_millis(50));
        thread::sleep(Duration::from_millis(60));
        assert!(checkpoint.is_due());
        checkpoint.set_interval(Duration::from_secs(60));
        checkpoint.go_on();
        assert!(!checkpoint.is_due());
        checkpoint.write([1_u64]).expect("written");
        checkpoint.set_interval(Duration::from_millis(50));
        thread::sleep(Duration::from_millis(60));
        checkpoint.go_on();
        assert!(checkpoint.is_due(), "tiers of less than an interval each are saved too");
    }

    #[test]
    fn bytes_that_are_no_sheet_are_damaged_also_where_their_checksum_is_right() {
        let own = tempfile::tempdir().expect("a directory");
        let mut checkpoint = open(own.path(), false).expect("opened");
        let one = checkpoint.write([vec![1_u64; 100]]).expect("written");
        let path = own.path().join(one.name(0));
        let whole = fs::read(&path).expect("a block");
        let body = &whole[..whole.len() - 4];
        let huge = [&u32::MAX.to_le_bytes()[..], &body[4..]].concat();
        let torn = body[..body.len() - 1].to_vec();
        for (body, says) in [(huge, "larger than any"), (vec![1, 2], "larger than any"), (torn, "damaged")] {
            let checksum = crate::store::crc32([&body]).to_le_bytes();
            fs::write(&path, [&body[..], &checksum].concat()).expect("written");
            let error = checkpoint.read_one::<Vec<u64>>(one, 0).expect_err("damaged").to_string();
            assert!(error.contains(says) && error.contains("begins anew"), "{error}");
        }
        fs::write(&path, whole).expect("written");
        assert_eq!(checkpoint.read_one::<Vec<u64>>(one, 0).expect("whole"), [1; 100]);
    }
}
