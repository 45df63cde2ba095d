//! Checkpoints of the prover on disk: the books of finished stages, and the book that grows.

use std::convert::Infallible;
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Choice;
use super::book::Book;
use super::growth::{Proving, Stage, Unfinished};
use super::view::Code;
use crate::closure::weights::Weights;
use crate::prelude::*;
use crate::rules::Game;
use crate::store::{Checkpoint, Disk, Handle, Manifest, System, WorkingError};

/// Keeps what has grown, so that an interrupted proof can be continued.
pub(crate) trait Keeper {
    /// Why something cannot be kept, or what was kept cannot be read.
    type Error;

    /// What had grown in a stage when it was kept last.
    fn unfinished(&mut self, stage: Stage) -> Result<Option<Unfinished>, Self::Error>;

    /// Whether it is time to keep what grows.
    fn is_due(&self) -> bool;

    /// Keeps what grows in a stage.
    fn keep(
        &mut self,
        stage: Stage,
        expanded: u64,
        book: &Book,
        open: impl Iterator<Item = Code>,
        tiers: Vec<(usize, u64)>,
    ) -> Result<(), Self::Error>;

    /// The result of a stage, if it is finished.
    fn finished(&self, stage: Stage) -> Result<Option<(Proving, Book)>, Self::Error>;

    /// Keeps the result of a stage. Of the results before it, only the grown closure is needed again.
    fn finish(&mut self, growth: &Proving, book: &Book) -> Result<(), Self::Error>;

    /// How many rounds of making it smaller are done.
    fn rounds(&self) -> u32;

    /// Whether the round after these made the closure no smaller.
    fn is_smallest(&self) -> bool;

    /// Keeps that the last round made the closure no smaller.
    fn settle(&mut self) -> Result<(), Self::Error>;
}

/// Keeps nothing.
pub(crate) struct Unkept;

impl Keeper for Unkept {
    type Error = Infallible;

    fn unfinished(&mut self, _: Stage) -> Result<Option<Unfinished>, Infallible> {
        Ok(None)
    }

    fn is_due(&self) -> bool {
        false
    }

    fn keep(
        &mut self,
        _: Stage,
        _: u64,
        _: &Book,
        _: impl Iterator<Item = Code>,
        _: Vec<(usize, u64)>,
    ) -> Result<(), Infallible> {
        Ok(())
    }

    fn finished(&self, _: Stage) -> Result<Option<(Proving, Book)>, Infallible> {
        Ok(None)
    }

    fn finish(&mut self, _: &Proving, _: &Book) -> Result<(), Infallible> {
        Ok(())
    }

    fn rounds(&self) -> u32 {
        0
    }

    fn is_smallest(&self) -> bool {
        false
    }

    fn settle(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A proof in a working directory.
pub struct Kept(Checkpoint<SavedProof>);

/// The manifest of a proof.
#[derive(Serialize, Deserialize, Default)]
struct SavedProof {
    finished: Vec<(Proving, Handle)>,
    growing: Option<Growing>,
    /// Whether further rounds make the last finished closure no smaller.
    is_smallest: bool,
}

/// What grows in a stage that is not finished.
#[derive(Serialize, Deserialize, Clone)]
struct Growing {
    stage: Stage,
    expanded: u64,
    book: Handle,
    open: Handle,
    /// How many of the open positions wait for the questions of which tier.
    tiers: Vec<(usize, u64)>,
}

impl Manifest for SavedProof {
    const MAKES: &'static str = "proof";

    fn handles(&self) -> Vec<Handle> {
        let finished = self.finished.iter().map(|&(_, book)| book);
        finished.chain(self.growing.iter().flat_map(|growing| [growing.book, growing.open])).collect()
    }
}

/// Goes up when the grower or the minimiser makes something else of the same choice and weights, or keeps it in another
/// form. A half-grown closure with another number must not be continued. The test
/// `what_a_half_grown_closure_keeps_is_of_form_2` fails then.
const FORM: u32 = 2;

/// What the files are for. [`Manifest::MAKES`] adds that they make a proof.
fn named(game: &Game, choice: Choice<'_>, weights: &Weights) -> String {
    format!("{} {} {choice} weights {weights} form {FORM}", game.variant.spelled(), game.reading)
}

impl Kept {
    /// Opens a working directory for a proof, made if it is not there. With `fresh` what lies there is discarded.
    ///
    /// # Errors
    /// The directory cannot be used, another process works there, it was made for something else, or is damaged.
    pub fn open(
        dir: &Path,
        game: &Game,
        choice: Choice<'_>,
        weights: &Weights,
        fresh: bool,
    ) -> Result<Kept, WorkingError> {
        Kept::open_on(Arc::new(System), dir, game, choice, weights, fresh)
    }

    /// As [`Kept::open`], on another disk.
    ///
    /// # Errors
    /// As [`Kept::open`].
    pub fn open_on(
        disk: Arc<dyn Disk>,
        dir: &Path,
        game: &Game,
        choice: Choice<'_>,
        weights: &Weights,
        fresh: bool,
    ) -> Result<Kept, WorkingError> {
        Ok(Kept(Checkpoint::open_for(disk, dir, &named(game, choice, weights), fresh)?))
    }

    /// As [`Checkpoint::set_interval`].
    pub fn set_interval(&mut self, interval: Duration) {
        self.0.set_interval(interval);
    }

    /// As [`Checkpoint::set_block_words`].
    ///
    /// # Panics
    /// If it is 0.
    pub fn set_block_words(&mut self, words: usize) {
        self.0.set_block_words(words);
    }

    /// Removes what is kept.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(self) -> Result<(), WorkingError> {
        self.0.remove()
    }

    /// Removes the directory if nothing in it is worth continuing from. Errors are ignored: files that stay do no harm.
    pub fn leave(self) {
        if self.0.manifest.finished.is_empty() && self.0.manifest.growing.is_none() {
            let _ = self.0.remove();
        }
    }

    fn write_book(&mut self, book: &Book) -> Result<Handle, WorkingError> {
        let cells = self.0.block_len(1);
        self.0.write(book.parts(cells))
    }

    /// Reads what was written in several blocks.
    fn read<T: for<'de> Deserialize<'de>>(&self, handle: Handle) -> Result<Vec<T>, WorkingError> {
        let mut all = Vec::new();
        for block in self.0.read::<Vec<T>>(handle) {
            all.extend(block?);
        }
        Ok(all)
    }

    fn read_book(&self, handle: Handle) -> Result<Book, WorkingError> {
        let unordered = || self.0.damaged(handle, "the shelves of the book are not in order");
        Book::from_shelves(self.read(handle)?).ok_or_else(unordered)
    }
}

impl Keeper for Kept {
    type Error = WorkingError;

    fn unfinished(&mut self, stage: Stage) -> Result<Option<Unfinished>, WorkingError> {
        let growing = self.0.manifest.growing.as_ref();
        let Some(growing) = growing.filter(|growing| growing.stage == stage) else {
            return Ok(None);
        };
        let open = self.read::<(u64, u64)>(growing.open)?;
        Ok(Some(Unfinished {
            expanded: growing.expanded,
            book: self.read_book(growing.book)?,
            open: open.into_iter().map(|(black, white)| Code { black, white }).collect(),
            tiers: growing.tiers.clone(),
        }))
    }

    fn is_due(&self) -> bool {
        self.0.is_due()
    }

    fn keep(
        &mut self,
        stage: Stage,
        expanded: u64,
        book: &Book,
        mut open: impl Iterator<Item = Code>,
        tiers: Vec<(usize, u64)>,
    ) -> Result<(), WorkingError> {
        let len = self.0.block_len(1);
        let open = iter::from_fn(|| {
            let block = open.by_ref().take(len).map(|Code { black, white }| (black, white));
            Some(block.collect::<Vec<(u64, u64)>>()).filter(|block| !block.is_empty())
        });
        let (open, book) = (self.0.write(open)?, self.write_book(book)?);
        self.0.manifest.growing = Some(Growing { stage, expanded, book, open, tiers });
        self.0.publish()
    }

    fn finished(&self, stage: Stage) -> Result<Option<(Proving, Book)>, WorkingError> {
        let found = self.0.manifest.finished.iter().find(|(growth, _)| growth.stage == stage);
        found.map(|&(growth, book)| Ok((growth, self.read_book(book)?))).transpose()
    }

    fn finish(&mut self, growth: &Proving, book: &Book) -> Result<(), WorkingError> {
        let book = self.write_book(book)?;
        let manifest = &mut self.0.manifest;
        manifest.finished.retain(|(growth, _)| growth.stage == Stage::Growing);
        manifest.finished.push((*growth, book));
        (manifest.growing, manifest.is_smallest) = (None, false);
        self.0.publish()
    }

    fn rounds(&self) -> u32 {
        let round = |&(growth, _): &(Proving, Handle)| match growth.stage {
            Stage::Round(round) => Some(round),
            Stage::Way | Stage::Growing => None,
        };
        self.0.manifest.finished.iter().find_map(round).unwrap_or(0)
    }

    fn is_smallest(&self) -> bool {
        self.0.manifest.is_smallest
    }

    fn settle(&mut self) -> Result<(), WorkingError> {
        let manifest = &mut self.0.manifest;
        (manifest.growing, manifest.is_smallest) = (None, true);
        self.0.publish()
    }
}
