//! Checkpoints of the prover on disk: the books of finished stages, and the book that grows.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Choice;
use super::book::Book;
use super::growth::{Growth, Stage, Unfinished};
use super::view::Code;
use crate::closure::weights::Weights;
use crate::prelude::*;
use crate::rules::Game;
use crate::store::working::{Topic, Working, WorkingError};
use crate::store::{Disk, System};

/// Keeps what has grown, so that a proof that is broken off can be gone on with.
pub(crate) trait Keeper {
    /// Why something cannot be kept, or not be taken up again.
    type Error;

    /// What grew in a stage when it was kept last.
    fn unfinished(&mut self, stage: Stage) -> Result<Option<Unfinished>, Self::Error>;

    /// Whether it is time to keep what grows.
    fn is_due(&self) -> bool;

    /// Keeps what grows in a stage.
    fn keep(&mut self, stage: Stage, expanded: u64, book: &Book, open: &[Code]) -> Result<(), Self::Error>;

    /// What a stage came to that is done.
    fn finished(&self, stage: Stage) -> Result<Option<(Growth, Book)>, Self::Error>;

    /// Keeps what a stage came to. Of those before only the grown closure is wanted again.
    fn finish(&mut self, growth: &Growth, book: &Book) -> Result<(), Self::Error>;

    /// How many rounds of making it smaller are done.
    fn rounds(&self) -> u32;

    /// Whether the last of them found that another one helps no more.
    fn is_smallest(&self) -> bool;

    /// Keeps that.
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

    fn keep(&mut self, _: Stage, _: u64, _: &Book, _: &[Code]) -> Result<(), Infallible> {
        Ok(())
    }

    fn finished(&self, _: Stage) -> Result<Option<(Growth, Book)>, Infallible> {
        Ok(None)
    }

    fn finish(&mut self, _: &Growth, _: &Book) -> Result<(), Infallible> {
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
///
/// What is kept together is written under a number of its own, and counts from when the table of contents names it.
pub struct Kept {
    working: Working,
    contents: Contents,
    saved: Instant,
    /// How long it took to keep what grows.
    cost: Duration,
}

/// What is kept.
#[derive(Serialize, Deserialize, Default)]
struct Contents {
    /// The number of what is kept next.
    next: u32,
    finished: Vec<(Growth, Sheets)>,
    growing: Option<Growing>,
    /// Whether the last of the finished ones is as small as rounds make it.
    is_smallest: bool,
}

/// What grows.
#[derive(Serialize, Deserialize, Clone, Copy)]
struct Growing {
    stage: Stage,
    expanded: u64,
    book: Sheets,
    open: Sheets,
}

/// Where something is: under which number, and in how many blocks.
#[derive(Serialize, Deserialize, Clone, Copy)]
struct Sheets {
    number: u32,
    blocks: u32,
}

/// Saving takes at most one part in 20 of the time of a proof.
const PART: u32 = 20;

const CONTENTS: (usize, usize) = (0, 0);

/// Goes up when the grower or the minimiser does anything else with the same choice and weights, or keeps it in another
/// form: a half-grown closure of another number must not be gone on with. The test `what_a_half_grown_closure_keeps_is_of_form_1` fails
/// then.
const FORM: u32 = 1;

/// What the files are for.
fn identity(game: &Game, choice: Choice<'_>, weights: &Weights) -> String {
    let (variant, version) = (game.variant.spelled(), env!("CARGO_PKG_VERSION"));
    format!("{variant} {} proof {choice} weights {weights} gobprove {version} form {FORM}", game.reading)
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
        let working = Working::open_for(disk, dir, identity(game, choice, weights), fresh)?;
        let contents: Contents = working.read(Topic::Proof, CONTENTS)?.unwrap_or_default();
        Ok(Kept { working, contents, saved: Instant::now(), cost: Duration::ZERO })
    }

    /// The working directory, for what can be set there.
    pub fn working(&mut self) -> &mut Working {
        &mut self.working
    }

    /// Removes what is kept.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove(self) -> Result<(), WorkingError> {
        self.working.remove()
    }

    /// Removes the directory if there is nothing in it to go on from. What is left of it does no harm.
    pub fn leave(self) {
        if self.contents.finished.is_empty() && self.contents.growing.is_none() {
            let _ = self.working.remove();
        }
    }

    /// Writes blocks under a new number.
    fn write<T: Serialize>(&mut self, blocks: impl Iterator<Item = T>) -> Result<Sheets, WorkingError> {
        let number = self.contents.next;
        self.contents.next += 1;
        let mut written = 0;
        for block in blocks {
            self.working.write(Topic::Book, (number as usize, written as usize), block)?;
            written += 1;
        }
        Ok(Sheets { number, blocks: written })
    }

    fn write_book(&mut self, book: &Book) -> Result<Sheets, WorkingError> {
        let cells = self.working.block_words();
        self.write(book.parts(cells))
    }

    /// Reads what was written, one block after the other.
    fn read<T: for<'de> Deserialize<'de>>(&self, sheets: Sheets) -> Result<Vec<T>, WorkingError> {
        let mut all = Vec::new();
        for block in 0..sheets.blocks {
            let place = (sheets.number as usize, block as usize);
            let block: Option<Vec<T>> = self.working.read(Topic::Book, place)?;
            let missing = || self.working.damaged(Topic::Book, place, "it is not there".to_owned());
            all.extend(block.ok_or_else(missing)?);
        }
        Ok(all)
    }

    fn read_book(&self, sheets: Sheets) -> Result<Book, WorkingError> {
        let place = (sheets.number as usize, 0);
        Book::from_shelves(self.read(sheets)?).ok_or_else(|| {
            self.working.damaged(Topic::Book, place, "the shelves of the book are not in order".to_owned())
        })
    }

    /// Lets count what has been written, and removes what counts no more.
    fn publish(&mut self) -> Result<(), WorkingError> {
        self.working.write(Topic::Proof, CONTENTS, &self.contents)?;
        let finished = self.contents.finished.iter().map(|&(_, sheets)| sheets);
        let growing = self.contents.growing.iter().flat_map(|growing| [growing.book, growing.open]);
        let numbers: Vec<usize> = finished.chain(growing).map(|sheets| sheets.number as usize).collect();
        self.working.keep_only(Topic::Book, |(number, _)| numbers.contains(&number))
    }
}

impl Keeper for Kept {
    type Error = WorkingError;

    fn unfinished(&mut self, stage: Stage) -> Result<Option<Unfinished>, WorkingError> {
        self.saved = Instant::now();
        let Some(growing) = self.contents.growing.filter(|growing| growing.stage == stage) else {
            return Ok(None);
        };
        let open = self.read::<(u64, u64)>(growing.open)?;
        Ok(Some(Unfinished {
            expanded: growing.expanded,
            book: self.read_book(growing.book)?,
            open: open.into_iter().map(|(black, white)| Code { black, white }).collect(),
        }))
    }

    fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.working.checkpoint_every().max(PART * self.cost)
    }

    fn keep(&mut self, stage: Stage, expanded: u64, book: &Book, open: &[Code]) -> Result<(), WorkingError> {
        let started = Instant::now();
        let codes = self.working.block_words();
        let open = open.chunks(codes).map(|codes| -> Vec<(u64, u64)> {
            codes.iter().map(|&Code { black, white }| (black, white)).collect()
        });
        let (open, book) = (self.write(open)?, self.write_book(book)?);
        self.contents.growing = Some(Growing { stage, expanded, book, open });
        self.publish()?;
        (self.saved, self.cost) = (Instant::now(), started.elapsed());
        Ok(())
    }

    fn finished(&self, stage: Stage) -> Result<Option<(Growth, Book)>, WorkingError> {
        let found = self.contents.finished.iter().find(|(growth, _)| growth.stage == stage);
        found.map(|&(growth, sheets)| Ok((growth, self.read_book(sheets)?))).transpose()
    }

    fn finish(&mut self, growth: &Growth, book: &Book) -> Result<(), WorkingError> {
        let sheets = self.write_book(book)?;
        self.contents.finished.retain(|(growth, _)| growth.stage == Stage::Growing);
        self.contents.finished.push((*growth, sheets));
        (self.contents.growing, self.contents.is_smallest) = (None, false);
        self.publish()
    }

    fn rounds(&self) -> u32 {
        let round = |&(growth, _): &(Growth, Sheets)| match growth.stage {
            Stage::Round(round) => Some(round),
            Stage::Way | Stage::Growing => None,
        };
        self.contents.finished.iter().find_map(round).unwrap_or(0)
    }

    fn is_smallest(&self) -> bool {
        self.contents.is_smallest
    }

    fn settle(&mut self) -> Result<(), WorkingError> {
        (self.contents.growing, self.contents.is_smallest) = (None, true);
        self.publish()
    }
}
