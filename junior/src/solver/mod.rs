//! What every position is worth, and in how many plies.
//!
//! Retrograde analysis, ply by ply: a position is *won in n plies* if some move wins at once or leads to a position lost in n - 1,
//! and *lost in n plies* if every move loses at once or leads to a position won in fewer than n. What no ply reaches is a draw
//! (J7). A whole [`Row`] of 1,423 positions is looked at with operations on 46 words.

mod reach;
mod retrograde;
mod solved;
mod steps;
mod value;
mod words;

use std::ops::ControlFlow;

use crate::index::{Row, Rows, representatives};
use crate::rules::Size;
pub use reach::{Reached, reachable};
pub use retrograde::solve;
pub use solved::{Solved, Unlisted};
pub use value::{Counts, Value};
use words::{NONE, Words};

/// How many rows are looked at between two calls of a listener.
const BATCH: usize = 4096;

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The ply, from 1.
    pub ply: u32,
    /// How many rows of the ply are done.
    pub done: usize,
    /// How many rows there are to do.
    pub of: usize,
}

/// The listener told the work to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped before it was done")]
pub struct Stopped;

/// What is called again and again, and may stop the work.
pub type Listener<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Tells a listener how far the work is.
fn tell(listener: Listener<'_>, progress: Progress) -> Result<(), Stopped> {
    match listener(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stopped),
    }
}

/// By the symmetries that leave a row as it is, the positions of the row that stand for their images.
struct Standing(Vec<Words>);

impl Standing {
    fn new(rows: &Rows) -> Standing {
        let mut standing = vec![NONE; 256];
        for row in rows.as_slice() {
            let words = &mut standing[usize::from(row.stabiliser)];
            if *words == NONE {
                *words = representatives(rows.placements(Size::Large), row.stabiliser);
            }
        }
        Standing(standing)
    }

    /// The words of the positions of a row that stand for their images. They have words of the mover's.
    fn of(&self, row: &Row) -> &Words {
        &self.0[usize::from(row.stabiliser)]
    }

    /// How many positions of a row there are that differ by more than a symmetry; words of the mover's.
    fn count(&self, row: &Row, words: &Words) -> u64 {
        self.of(row).iter().zip(words).map(|(standing, word)| u64::from((standing & word).count_ones())).sum()
    }
}
