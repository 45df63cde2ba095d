//! The passes, ply by ply.

use rayon::prelude::*;

use super::solved::{LISTED_FROM, Solved};
use super::steps::{Step, Steps};
use super::value::{Counts, Value};
use super::words::{NONE, Words, transposed};
use super::{BATCH, Listener, Progress, Standing, Stopped, tell};
use crate::index::Row;
use crate::rules::{Game, Size};

/// Solves a game, on the threads of the current pool. The whole game takes 350 MB.
///
/// # Errors
/// The listener stopped it.
pub fn solve(game: Game, listener: Listener<'_>) -> Result<Solved, Stopped> {
    let steps = Steps::new(game);
    let mut tables = Tables::new(&steps);
    let mut ply = 0;
    while tables.added != [0, 0] {
        ply += 1;
        tables.ply(&steps, ply, listener)?;
    }
    tables.draws(&steps);
    let Tables { mut listed, counts, .. } = tables;
    listed.par_sort_unstable_by_key(|&(number, _)| number);
    Ok(Solved::new(game, steps.rows, listed, counts))
}

/// What is known after some plies. All words are of the waiter's.
struct Tables {
    /// The positions that the mover has lost.
    lost: Vec<Words>,
    /// The positions that the mover has not won.
    open: Vec<Words>,
    /// What the current ply adds to the won positions.
    won: Vec<Words>,
    /// How many positions the last ply added to the lost ones and to the won ones.
    added: [u64; 2],
    /// Which positions are counted.
    standing: Standing,
    counts: Counts,
    /// The numbers and values of the positions that [`Solved`] lists, in no order.
    listed: Vec<(u32, Value)>,
}

impl Tables {
    /// The finished positions, and no other.
    fn new(steps: &Steps) -> Tables {
        let rows = steps.rows.as_slice();
        let valid = &steps.masks.valid;
        let start = |row: &Row| -> (Words, Words) {
            let [waiter, mover] = steps.lines(row, Step::Before);
            (std::array::from_fn(|i| waiter[i] & !mover[i]), std::array::from_fn(|i| valid[i] & !mover[i]))
        };
        let (lost, open): (Vec<Words>, Vec<Words>) = rows.par_iter().map(start).unzip();
        let standing = Standing::new(&steps.rows);
        let count = |(row, (lost, open)): (&Row, (&Words, &Words))| {
            let won: Words = std::array::from_fn(|i| valid[i] & !open[i]);
            [lost, &won].map(|words| standing.count(row, &transposed(words)))
        };
        let sum = |one: [u64; 2], other: [u64; 2]| [one[0] + other[0], one[1] + other[1]];
        let added = rows.par_iter().zip(lost.par_iter().zip(&open)).map(count).reduce(|| [0; 2], sum);
        let counts = Counts::from([(Value::Loss(0), added[0]), (Value::Win(0), added[1])]);
        Tables { lost, open, won: vec![NONE; rows.len()], added, standing, counts, listed: Vec::new() }
    }

    /// Adds what is won or lost in exactly this number of plies.
    fn ply(&mut self, steps: &Steps, ply: u32, listener: Listener<'_>) -> Result<(), Stopped> {
        let rows = steps.rows.as_slice();
        let of = 2 * rows.len();
        let [lost_before, won_before] = self.added;
        self.added = [0, 0];

        // Wins come from what was lost before. They are written down beside, since the losses come from what was won before.
        for (batch, won) in self.won.chunks_mut(BATCH).enumerate().filter(|_| lost_before > 0) {
            let from = batch * BATCH;
            let one = |(place, won): (usize, &mut Words)| -> u64 {
                let (row, open, lost) = (&rows[place], &self.open[place], &self.lost[place]);
                let undecided: Words = std::array::from_fn(|i| open[i] & !lost[i]);
                if undecided == NONE {
                    return 0;
                }
                let joined = steps.joined(row, Step::After, &self.lost);
                let new = transposed(&joined);
                *won = std::array::from_fn(|i| undecided[i] & new[i]);
                if *won == NONE { 0 } else { self.standing.count(row, &transposed(won)) }
            };
            let places = from..from + won.len();
            self.added[1] += places.into_par_iter().zip(won.par_iter_mut()).map(one).sum::<u64>();
            tell(listener, Progress { ply, done: from + won.len(), of })?;
        }

        // Rows change while others are looked at, but those look only at `open`.
        for (batch, lost) in self.lost.chunks_mut(BATCH).enumerate().filter(|_| won_before > 0) {
            let from = batch * BATCH;
            let one = |(place, lost): (usize, &mut Words)| -> (u64, Vec<(u32, Value)>) {
                let (row, open, won) = (&rows[place], &self.open[place], &self.won[place]);
                let undecided: Words = std::array::from_fn(|i| open[i] & !lost[i] & !won[i]);
                if undecided == NONE {
                    return (0, Vec::new());
                }
                let avoided = transposed(&steps.joined(row, Step::After, &self.open));
                let new: Words = std::array::from_fn(|i| undecided[i] & !avoided[i]);
                if new == NONE {
                    return (0, Vec::new());
                }
                lost.iter_mut().zip(new).for_each(|(lost, new)| *lost |= new);
                let new = transposed(&new);
                let listed = if ply < LISTED_FROM {
                    Vec::new()
                } else {
                    numbers(steps, &self.standing, place, &new)
                        .map(|number| (number, Value::Loss(ply)))
                        .collect()
                };
                (self.standing.count(row, &new), listed)
            };
            let places = from..from + lost.len();
            let found: Vec<_> = places.into_par_iter().zip(lost.par_iter_mut()).map(one).collect();
            for (added, listed) in found {
                self.added[0] += added;
                self.listed.extend(listed);
            }
            tell(listener, Progress { ply, done: rows.len() + from + lost.len(), of })?;
        }

        let close = |(open, won): (&mut Words, &mut Words)| {
            open.iter_mut().zip(won.iter()).for_each(|(open, won)| *open &= !won);
            *won = NONE;
        };
        self.open.par_iter_mut().zip(&mut self.won).for_each(close);
        let values = [Value::Loss(ply), Value::Win(ply)];
        self.counts.extend(values.into_iter().zip(self.added).filter(|(_, count)| *count > 0));
        Ok(())
    }

    /// Lists what is neither won nor lost.
    fn draws(&mut self, steps: &Steps) {
        let places = 0..steps.rows.as_slice().len();
        let one = |place: usize| {
            let (open, lost) = (&self.open[place], &self.lost[place]);
            let drawn = transposed(&std::array::from_fn(|i| open[i] & !lost[i]));
            numbers(steps, &self.standing, place, &drawn)
                .map(|number| (number, Value::Draw))
                .collect::<Vec<_>>()
        };
        let drawn: Vec<_> = places.into_par_iter().flat_map_iter(one).collect();
        self.counts.extend((!drawn.is_empty()).then_some((Value::Draw, drawn.len() as u64)));
        self.listed.extend(drawn);
    }
}

/// The numbers of the positions of a row that stand for their images; words of the mover's.
fn numbers<'a>(
    steps: &'a Steps,
    standing: &'a Standing,
    place: usize,
    words: &'a Words,
) -> impl Iterator<Item = u32> + 'a {
    let large = steps.rows.placements(Size::Large);
    let counted = words.iter().zip(standing.of(&steps.rows.as_slice()[place])).enumerate();
    counted.filter(|(_, (word, _))| **word != 0).flat_map(move |(mover, (word, standing))| {
        let waiters = (0..64).filter(move |waiter| word & standing & 1 << waiter != 0);
        // 364,149,969 numbers at most.
        waiters.filter_map(move |waiter| Some((place * large.len() + large.number([mover, waiter])?) as u32))
    })
}
