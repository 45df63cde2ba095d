//! Which positions can come up in play from the empty board.

use rayon::prelude::*;

use super::steps::{Step, Steps};
use super::words::{NONE, Words, transposed};
use super::{BATCH, Listener, Progress, Standing, Stopped, tell};
use crate::index::Row;
use crate::rules::Game;

/// How many positions can come up in play, those counted once that differ by a symmetry or by an exchange of the colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Positions in which no line stands.
    pub unfinished: u64,
    /// Positions in which a line stands.
    pub finished: u64,
    /// After how many plies no new position comes up.
    pub plies: u32,
}

/// Counts the positions that can come up in play, on the threads of the current pool. The whole game takes 300 MB.
///
/// # Errors
/// The listener stopped it.
pub fn reachable(game: Game, listener: Listener<'_>) -> Result<Reached, Stopped> {
    let steps = Steps::new(game);
    let rows = steps.rows.as_slice();
    // All words are of the mover's: it is the one who acts in the positions that others come from.
    let mut met = vec![NONE; rows.len()];
    met[0][0] = 1;
    let mut unfinished = met.clone();
    let mut fresh = vec![NONE; rows.len()];
    let mut plies = 0;
    loop {
        let mut found = 0;
        for (batch, fresh) in fresh.chunks_mut(BATCH).enumerate() {
            let from = batch * BATCH;
            let one = |(place, fresh): (usize, &mut Words)| -> u64 {
                let met: &Words = &met[place];
                let joined = transposed(&steps.joined(&rows[place], Step::Before, &unfinished));
                *fresh = std::array::from_fn(|i| joined[i] & !met[i]);
                fresh.iter().map(|word| u64::from(word.count_ones())).sum()
            };
            let places = from..from + fresh.len();
            found += places.into_par_iter().zip(fresh.par_iter_mut()).map(one).sum::<u64>();
            tell(listener, Progress { ply: plies + 1, done: from + fresh.len(), of: rows.len() })?;
        }
        if found == 0 {
            break;
        }
        plies += 1;
        let add = |(((row, fresh), met), unfinished): (((&Row, &Words), &mut Words), &mut Words)| {
            let [mover, waiter] = steps.lines(row, Step::After);
            for i in 0..met.len() {
                met[i] |= fresh[i];
                unfinished[i] |= fresh[i] & !mover[i] & !waiter[i];
            }
        };
        rows.par_iter().zip(&fresh).zip(&mut met).zip(&mut unfinished).for_each(add);
    }
    let standing = Standing::new(&steps.rows);
    let count = |table: &[Words]| -> u64 {
        rows.par_iter().zip(table).map(|(row, words)| standing.count(row, words)).sum()
    };
    let (all, unfinished) = (count(&met), count(&unfinished));
    Ok(Reached { unfinished, finished: all - unfinished, plies })
}
