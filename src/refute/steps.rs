//! How distances are found: white and black updates in turn. Each step is one white move.

use std::iter;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::distances::{Distances, earliest, left};
use super::found::{self, Done, SavedRefutation};
use super::packed::Packed;
use super::sliding::Sliding;
use super::tier_distances::{TierDistances, no_bits};
use super::{Refuting, tell};
use crate::bitbase::lost::OutOfMemory;
use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Dirty, PART, Part, is_much, parts_of, with_kernel};
use crate::bitbase::window::{self, Keep};
use crate::closure::Watcher;
use crate::enumerate::rows::discipline::Discipline;
use crate::enumerate::rows::kernel::{Kernel, words};
use crate::enumerate::rows::layout::{Layout, TierLayout};
use crate::passes::black_update::add_wins_in_one_heeding;
use crate::passes::fixpoint::{FixpointError, bytes_of_table, hold_started};
use crate::rules::{Color, Game, Position, Variant};
use crate::store::{Checkpoint, Handle};
use crate::strategy::Seed;

/// Only distances below this number of white moves are found.
const TOO_MANY: u8 = u8::MAX;

/// The most white moves that the forecast of memory for working files allows for.
const LIKELY_MOST: u8 = 24;

/// The share of positions, in percent, that the forecast lets Black win within a discipline. It was 37 in `A3B2-A3B3C2` and 45
/// in `abc`, both within `b=0`. Small variants have up to 92, and much memory is left for these.
const LIKELY_WON: usize = 50;

/// The number of sets of rows that [`Steps`] has for each tier.
const ROW_SETS: usize = 2;

/// The most bytes that finding a refutation takes, besides the positions of the refutation itself: for bitbases, sets of rows,
/// what is found in a tier, and distances. With working files the distances are read after all the others are freed.
#[must_use]
pub fn bytes_of_refutation(variant: Variant, discipline: Discipline, on_disk: bool) -> u128 {
    let layout = Layout::within(variant, discipline);
    let found = |tier: &TierLayout| 8 * (1 + words(tier.k)) as u128 * tier.stored as u128;
    let most_found = layout.all().iter().map(found).max().unwrap_or_default();
    let lost = bytes_of_table(variant, discipline) + window::most_bytes(&layout, Keep::All, false);
    let sets = lost + bytes_of_row_sets(&layout) + most_found;
    let likely_won = if discipline.is_free() { 100 } else { LIKELY_WON };
    let distances = layout.all().iter().map(|tier| {
        let numbers = tier.numbers();
        if on_disk {
            // Rounded down, which matters for no tier that is large.
            TierDistances::bytes(numbers, numbers / 100 * likely_won, left(LIKELY_MOST, tier))
        } else {
            Packed::bytes(numbers, TOO_MANY)
        }
    });
    let distances = distances.sum();
    if on_disk { sets.max(distances) } else { sets + distances }
}

fn bytes_of_row_sets(layout: &Layout) -> u128 {
    layout.all().iter().map(|tier| (ROW_SETS * tier.rows / 8) as u128).sum()
}

/// The same for [`super::refute_in_low_memory`]. What is found in a tier is written part by part.
#[must_use]
pub fn bytes_in_low_memory(variant: Variant, discipline: Discipline) -> u128 {
    let layout = Layout::within(variant, discipline);
    let sets = window::bytes(&layout, &window::white_in_files(&layout)) + bytes_of_row_sets(&layout);
    let bits: u128 = layout.all().iter().map(|tier| Sliding::bytes(tier.numbers())).sum();
    bytes_of_table(variant, discipline) + sets.max(bits)
}

/// Finds the distances that a shortest win from the empty board needs, whoever moves first; `None` if Black does not win.
///
/// Each white move brings a refutation nearer to its end. Suppose that Black wins in 20 moves, and that a tier cannot be
/// reached in fewer than 8. Then positions in it matter only up to distance 12. The large tiers are reached late.
pub(crate) fn distances(
    game: &Game,
    discipline: Discipline,
    saving: Option<&mut Checkpoint<SavedRefutation>>,
    watcher: Watcher<'_, Refuting>,
) -> Result<Option<Distances>, FixpointError> {
    let Some(checkpoint) = saving else {
        let mut begins = || tell(watcher, Refuting::Moves(0));
        let solution = Solution::start_heeding(game, Seed::Rules, discipline, &mut begins)?;
        let tiers = solution.layout.all().iter();
        let room = |tier: &TierLayout| {
            let bytes = Packed::bytes(tier.numbers(), TOO_MANY);
            Packed::new(tier.numbers(), TOO_MANY).map_err(|_| OutOfMemory { tier: tier.tier, bytes })
        };
        let mut moves = tiers.map(room).collect::<Result<Vec<_>, _>>()?;
        if !Steps::new(&solution, Record::Memory(&mut moves)).run(watcher)? {
            return Ok(None);
        }
        let moves = moves.into_iter().map(TierDistances::Each).collect();
        return Ok(Some(Distances { game: *game, layout: solution.into_layout(), moves }));
    };
    let start = |begins: &mut dyn FnMut() -> Result<(), FixpointError>| {
        Solution::start_heeding(game, Seed::Rules, discipline, begins)
    };
    let Some(layout) = find(game, discipline, checkpoint, start, &mut *watcher)? else { return Ok(None) };
    let moves = read(checkpoint, &layout, watcher)?;
    Ok(Some(Distances { game: *game, layout, moves }))
}

/// Finds the same with less memory: the bitbases with White to move, which are read in the order of their rows, are in mapped
/// files, and of each position it is known whether Black wins it near or far.
pub(crate) fn sliding(
    game: &Game,
    discipline: Discipline,
    checkpoint: &mut Checkpoint<SavedRefutation>,
    watcher: Watcher<'_, Refuting>,
) -> Result<Option<Sliding>, FixpointError> {
    let dir = checkpoint.dir().to_owned();
    let start = |begins: &mut dyn FnMut() -> Result<(), FixpointError>| {
        let mut solution = Solution::nowhere(game, Seed::Rules, discipline);
        let window = window::white_in_files(&solution.layout);
        hold_started(&mut solution, &window, Some(&dir), begins)?;
        Ok(solution)
    };
    let Some(layout) = find(game, discipline, checkpoint, start, &mut *watcher)? else { return Ok(None) };
    Sliding::new(game, layout, checkpoint, watcher).map(Some)
}

/// Finds the distances on disk, over a solution from `start`. Returns the layout; `None` if Black does not win.
fn find(
    game: &Game,
    discipline: Discipline,
    checkpoint: &mut Checkpoint<SavedRefutation>,
    start: impl FnOnce(&mut dyn FnMut() -> Result<(), FixpointError>) -> Result<Solution, FixpointError>,
    watcher: Watcher<'_, Refuting>,
) -> Result<Option<Layout>, FixpointError> {
    let layout = match checkpoint.manifest.done.wins {
        Some(_) => Layout::within(game.variant, discipline),
        None => {
            let solution = start(&mut || tell(watcher, Refuting::Moves(0)))?;
            Steps::new(&solution, Record::Disk(&mut *checkpoint)).run(watcher)?;
            // This frees the bitbases before the distances are read.
            solution.into_layout()
        }
    };
    Ok((checkpoint.manifest.done.wins == Some(true)).then_some(layout))
}

/// The number of rows of a tier that a step looks at between two calls of the watcher.
const SOME_ROWS: usize = PART / 8;

/// With working files, a step writes what it found when it has found this number of rows.
const MANY_ROWS: usize = if cfg!(test) { 8 } else { 1 << 22 };

/// What has been found, and the rows that the next steps work on, of all tiers.
struct Steps<'a> {
    solution: &'a Solution,
    /// The rows that a white step must look at.
    dirty: Vec<Dirty>,
    /// The rows to which a black step has added positions.
    grown: Vec<Dirty>,
    record: Record<'a>,
}

/// Where the distances of what is found are recorded, in white moves.
enum Record<'a> {
    /// As [`Distances::moves`].
    Memory(&'a mut [Packed]),
    Disk(&'a mut Checkpoint<SavedRefutation>),
}

impl Record<'_> {
    /// How many findings are recorded on disk.
    fn findings(&self) -> usize {
        if let Record::Disk(checkpoint) = self { checkpoint.manifest.findings() } else { 0 }
    }
}

impl<'a> Steps<'a> {
    fn new(solution: &'a Solution, record: Record<'a>) -> Steps<'a> {
        let tiers = solution.layout.all();
        let row_sets = |set: fn(usize) -> Dirty| tiers.iter().map(|tier| set(tier.rows)).collect();
        Steps { dirty: row_sets(Dirty::all), grown: row_sets(Dirty::none), record, solution }
    }

    /// Runs the steps that are not done yet, until it is known whether Black wins from the empty board. Returns whether it does.
    fn run(mut self, watcher: Watcher<'_, Refuting>) -> Result<bool, FixpointError> {
        let tiers = self.solution.layout.all();
        let latest = tiers.iter().map(|tier| earliest(tier.tier)).max().unwrap_or_default();
        add_wins_in_one_heeding(self.solution, &mut || tell(watcher, Refuting::Moves(0)))?;
        let done = self.take_up(watcher)?;
        let mut last_saved = None;
        if let Record::Disk(checkpoint) = &mut self.record {
            checkpoint.go_on();
            last_saved = checkpoint.manifest.last_step(&self.solution.layout);
        }
        for most in done + 1..TOO_MANY {
            // In this order no step reads what a black step of the same distance added: no later tier reads it.
            let at = |early: u8| (0..tiers.len()).filter(move |&tier| earliest(tiers[tier].tier) == early);
            let steps: Vec<usize> = (0..=latest.min(most - 1)).rev().flat_map(at).collect();
            let saved = last_saved.take().and_then(|last| steps.iter().position(|&tier| tier == last));
            for &tier in &steps[saved.map_or(0, |saved| saved + 1)..] {
                let moves = most - earliest(tiers[tier].tier);
                self.step_saving(tier, moves, &mut || tell(watcher, Refuting::Moves(most.into())))?;
            }
            let wins = self.wins();
            let ended = wins || most > latest && self.dirty.iter().all(Dirty::is_empty);
            if let Record::Disk(checkpoint) = &mut self.record {
                checkpoint.manifest.done = Done { most, wins: ended.then_some(wins) };
                checkpoint.publish()?;
            }
            tell(watcher, Refuting::Moves(most.into()))?;
            if ended {
                return Ok(wins);
            }
        }
        Ok(false)
    }

    /// Whether Black is known to win from the empty board, whoever moves first.
    fn wins(&self) -> bool {
        let tables = self.solution.tables();
        Color::ALL.into_iter().all(|first| tables.is_lost(&Position::empty(first)))
    }

    /// Takes a step, and saves what is done if that is due. If the step is broken off, what the steps before it found is saved.
    fn step_saving(
        &mut self,
        tier: usize,
        moves: u8,
        part_begins: &mut dyn FnMut() -> Result<(), FixpointError>,
    ) -> Result<(), FixpointError> {
        let before = self.record.findings();
        let stepped = self.step(tier, moves, part_begins);
        if let Record::Disk(checkpoint) = &mut self.record {
            let is_broken_off = matches!(stepped, Err(FixpointError::Interrupted));
            if is_broken_off {
                checkpoint.manifest.keep(before);
            }
            if is_broken_off || stepped.is_ok() && checkpoint.is_due() {
                checkpoint.publish_news()?;
            }
        }
        stepped
    }

    /// Finds the positions of a tier with distance `moves`, and the positions with Black to move that lead to them.
    fn step(
        &mut self,
        tier: usize,
        moves: u8,
        part_begins: &mut dyn FnMut() -> Result<(), FixpointError>,
    ) -> Result<(), FixpointError> {
        let solution = self.solution;
        let tables = solution.tables();
        let plan = tables.layout.tier(tier);
        with_kernel!(tables.kernels, plan.k, kernel => {
            // One list for each part: a single list would take twice the memory while it grows.
            let (mut found, mut rows, mut written) = (Vec::new(), 0, Vec::new());
            for part in parts_of(plan.rows, SOME_ROWS) {
                let count = self.dirty[tier].count(part.clone());
                if count > 0 {
                    part_begins()?;
                    if is_much(count as usize, part.len()) {
                        tables.fetch(tier, Color::White, slice::from_ref(&part));
                    }
                    found.push(tables.white(kernel, tier, part, &self.dirty[tier]));
                    rows += found.last().map_or(0, Vec::len);
                }
                if rows > MANY_ROWS && matches!(self.record, Record::Disk(_)) {
                    written.extend(self.note(tier, moves, &found)?);
                    (found, rows) = (Vec::new(), 0);
                }
            }
            self.dirty[tier].clear();
            if rows == 0 && written.is_empty() {
                return Ok(());
            }
            if rows > 0 {
                self.note(tier, moves, &found)?;
            }
            // Only now: nothing that the step finds may depend on what it found.
            for rows in written {
                self.follow_written(kernel, tier, rows, part_begins)?;
            }
            self.follow(kernel, tier, &found, part_begins)?;
            let before = tables.layout.tier(tier).before[Color::Black].0;
            for tier in iter::once(tier).chain(before.into_iter().flatten()) {
                part_begins()?;
                self.mark_readers(tier);
            }
            Ok(())
        })
    }

    /// Runs the black update for what a white step found in a tier.
    fn follow<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        found: &[Vec<Part<N>>],
        part_begins: &mut dyn FnMut() -> Result<(), FixpointError>,
    ) -> Result<(), FixpointError> {
        let tables = self.solution.tables();
        for part in found {
            part_begins()?;
            tables.follow_everywhere(kernel, tier, part, &self.grown);
        }
        Ok(())
    }

    /// The same for what is written already.
    fn follow_written<const N: usize>(
        &self,
        kernel: &Kernel<N>,
        tier: usize,
        rows: Handle,
        part_begins: &mut dyn FnMut() -> Result<(), FixpointError>,
    ) -> Result<(), FixpointError> {
        let Record::Disk(checkpoint) = &self.record else { return Ok(()) };
        found::read_rows(checkpoint, self.solution.layout.tier(tier), rows, &mut |found| {
            let part = |(row, places): (usize, &[u64])| (row, std::array::from_fn(|word| places[word]));
            self.follow(kernel, tier, &[found.into_iter().map(part).collect()], part_begins)
        })
    }

    /// Records what a step found in a tier, with its distance `moves`. Returns where it is on disk.
    fn note<const N: usize>(
        &mut self,
        tier: usize,
        moves: u8,
        found: &[Vec<Part<N>>],
    ) -> Result<Option<Handle>, FixpointError> {
        match &mut self.record {
            Record::Memory(distances) => {
                let distances = &*distances;
                let plan = self.solution.layout.tier(tier);
                let set = |(row, places): &Part<N>| {
                    found::numbers(plan, *row, places).for_each(|number| distances[tier].set(number, moves));
                };
                found.par_iter().flatten().for_each(set);
                Ok(None)
            }
            Record::Disk(checkpoint) => Ok(Some(found::write(checkpoint, tier, moves, found)?)),
        }
    }

    /// Reads what is on disk. Returns the largest distance up to which it is complete, in white moves.
    fn take_up(&self, watcher: Watcher<'_, Refuting>) -> Result<u8, FixpointError> {
        let Record::Disk(checkpoint) = &self.record else { return Ok(0) };
        let done = checkpoint.manifest.done.most;
        let tables = self.solution.tables();
        let tiers = tables.layout.all();
        let last = |tier: usize| left(done, &tiers[tier]);
        let mut last_begins = true;
        found::read(checkpoint, tables.layout, 0..=TOO_MANY, watcher, |tier, moves, found| {
            // White steps have looked at what grew before the last distance.
            if moves == last(tier) && std::mem::take(&mut last_begins) {
                self.grown.iter().for_each(Dirty::clear);
            }
            with_kernel!(tables.kernels, tiers[tier].k, kernel => {
                let row = |(row, places): (usize, &[u64])| (row, std::array::from_fn(|word| places[word]));
                let found: Vec<Part<_>> = found.into_iter().map(row).collect();
                for (row, places) in &found {
                    tables.lost.add(tier, Color::White, *row, places);
                }
                tables.follow_everywhere(kernel, tier, &found, &self.grown);
            });
        })?;
        for tier in (0..tiers.len()).filter(|&tier| last(tier) > 0) {
            self.dirty[tier].clear();
        }
        for tier in 0..tiers.len() {
            self.mark_readers(tier);
        }
        Ok(done)
    }

    /// Marks the rows that white steps must look at because of the rows of a tier that grew, and forgets those.
    fn mark_readers(&self, tier: usize) {
        self.solution.tables().mark_readers(tier, &self.grown[tier], &self.dirty);
        self.grown[tier].clear();
    }
}

/// Reads the distances from what all steps found. It reads that twice: for what Black wins in each tier, and for the distances.
fn read(
    checkpoint: &Checkpoint<SavedRefutation>,
    layout: &Layout,
    watcher: Watcher<'_, Refuting>,
) -> Result<Vec<TierDistances>, FixpointError> {
    let most = |plan: &TierLayout| left(checkpoint.manifest.done.most, plan);
    let refused = |plan: &TierLayout| TierDistances::refused(plan, most(plan));
    let none = |plan: &TierLayout| -> Result<Vec<AtomicU64>, OutOfMemory> {
        no_bits(plan.numbers()).map_err(|_| refused(plan))
    };
    let won: Vec<Vec<AtomicU64>> = layout.all().iter().map(none).collect::<Result<_, _>>()?;
    found::read_numbers(checkpoint, layout, 0..=TOO_MANY, watcher, |tier, _, number| {
        won[tier][number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
    })?;
    let distances =
        layout.all().iter().zip(won).map(|(plan, won)| {
            TierDistances::new(won, plan.numbers(), most(plan)).map_err(|_| refused(plan))
        });
    let distances: Vec<TierDistances> = distances.collect::<Result<_, _>>()?;
    found::read_numbers(checkpoint, layout, 0..=TOO_MANY, watcher, |tier, moves, number| {
        distances[tier].set(number, moves);
    })?;
    Ok(distances)
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use std::collections::HashMap;
    use std::ops::ControlFlow;

    use super::super::distances::key;
    use super::super::order::{FAR, Order};
    use super::*;
    use crate::bitbase::solution::testing::game;
    use crate::enumerate::{Ranking, Tiers};
    use crate::passes::naive;
    use crate::rules::Reading;
    use crate::symmetry;

    /// The distances of all positions by definition, one position at a time, whether or not a refutation needs them.
    fn moves_by_definition(game: &Game) -> HashMap<u128, u8> {
        let tiers = Tiers::new(game.variant);
        let rankings = tiers.as_slice().iter().map(|&tier| Ranking::new(tier));
        let all = rankings.flat_map(|ranking| {
            (0..ranking.len()).map(move |rank| ranking.unrank(rank, Color::White).expect("below the length"))
        });
        let mut open: Vec<Position> = all
            .filter(|position| position.finished().is_none() && symmetry::is_canonical(position))
            .collect();
        let mut known = HashMap::new();
        for moves in 1.. {
            let black_answers =
                |next: &Position| naive::black_wins(game, next, |next| known.contains_key(&key(next)));
            let (new, left): (Vec<Position>, Vec<Position>) =
                open.into_iter().partition(|position| naive::white_loses(game, position, black_answers));
            if new.is_empty() {
                break;
            }
            known.extend(new.iter().map(|position| (symmetry::key(position), moves)));
            open = left;
        }
        known
    }

    #[test]
    fn distances_are_exact_as_far_as_they_are_needed() {
        let mut met = [0; 2];
        for (variant, reading) in [("A1-A3B1", Reading::Official), ("A1-A2B2", Reading::Thesis)] {
            let game = game(variant, reading);
            let by_definition = moves_by_definition(&game);
            let found = distances(&game, Discipline::FREE, None, &mut |_| ControlFlow::Continue(()));
            let distances = found.expect("nothing breaks it off").expect("Black wins");
            let start = Position::empty(Color::White);
            let first = distances.answers(&Position::empty(Color::Black), FAR).expect("none wins at once");
            let quickest = first.iter().map(|answer| by_definition[&answer.key]).min().expect("an answer");
            let most = by_definition[&symmetry::key(&start)].max(quickest + 1);
            for &tier in distances.layout.tiers().as_slice() {
                let ranking = Ranking::new(tier);
                for rank in 0..ranking.len() {
                    let position = ranking.unrank(rank, Color::White).expect("below the length");
                    if position.finished().is_some() {
                        continue;
                    }
                    let moves = by_definition.get(&key(&position));
                    let needed = moves.filter(|&&moves| moves <= most.saturating_sub(earliest(tier)));
                    assert_eq!(distances.of(&position), *needed.unwrap_or(&FAR), "{variant} {position}");
                    met[usize::from(needed.is_some())] += usize::from(moves.is_some());
                }
            }
        }
        assert!(met.iter().all(|&met| met > 100), "{met:?}");
    }

    #[test]
    fn the_distances_read_from_working_files_are_those_found() {
        // How many tiers have a distance for each position, and how many have a list of what Black wins.
        let mut met = [0; 2];
        for (variant, reading) in [("A1-A3B1", Reading::Official), ("A1-A2B2", Reading::Thesis)] {
            let game = game(variant, reading);
            let own = tempfile::tempdir().expect("a directory");
            let mut checkpoint = Checkpoint::open(own.path(), &game, Seed::Rules, false).expect("the files");
            let go_on: Watcher<'_, Refuting> = &mut |_| ControlFlow::Continue(());
            let found = distances(&game, Discipline::FREE, None, &mut *go_on);
            let read = distances(&game, Discipline::FREE, Some(&mut checkpoint), go_on);
            let [found, read] = [found, read].map(|all| all.expect("memory and disk").expect("Black wins"));
            for (tier, (of_found, of_read)) in iter::zip(&found.moves, &read.moves).enumerate() {
                met[usize::from(matches!(of_read, TierDistances::Won(..)))] += 1;
                for number in 0..read.layout.tier(tier).numbers() {
                    assert_eq!(of_read.get(number), of_found.get(number), "{variant} {tier} {number}");
                }
            }
        }
        assert!(met.iter().all(|&met| met > 3), "{met:?}");
    }

    /// What is asked of each position while each distance is worked on, by sets that were in files.
    #[test]
    fn a_sliding_order_knows_of_each_position_whether_it_is_near_or_far() {
        let game = game("A1-A3B1", Reading::Official);
        let own = tempfile::tempdir().expect("a directory");
        let mut checkpoint = Checkpoint::open(own.path(), &game, Seed::Rules, false).expect("the files");
        let go_on: Watcher<'_, Refuting> = &mut |_| ControlFlow::Continue(());
        let by_distance = distances(&game, Discipline::FREE, None, &mut *go_on);
        let by_distance = by_distance.expect("memory").expect("Black wins");
        let sliding = sliding(&game, Discipline::FREE, &mut checkpoint, &mut *go_on);
        let mut sliding = sliding.expect("memory and disk").expect("Black wins");
        let mut met = [0; 3];
        for distance in (1..=sliding.most()).rev() {
            sliding.enter(distance, Some(&checkpoint), &mut *go_on).expect("the files");
            for (tier, plan) in by_distance.layout.all().iter().enumerate() {
                let places = plan.numbers().checked_div(plan.stored).unwrap_or_default();
                let bits =
                    (0..plan.rows).flat_map(|row| (0..places).filter_map(move |place| plan.bit(row, place)));
                for bit in bits {
                    let number = match by_distance.number(tier, bit) {
                        moves if moves >= distance => FAR,
                        moves => 1 + u8::from(moves > distance / 2),
                    };
                    assert_eq!(sliding.number(tier, bit), number, "{distance} {tier} {bit}");
                    met[usize::from(number.min(3)) - 1] += 1;
                }
            }
        }
        assert!(met.iter().all(|&met| met > 30), "{met:?}");
    }

    #[test]
    fn with_working_files_it_takes_less_memory() {
        for variant in ["A3-A3B3C1", "A3B1-A3B3C2"].map(|variant| variant.read().expect("a variant")) {
            let bytes = |on_disk| bytes_of_refutation(variant, Discipline::FREE, on_disk);
            assert!(bytes(true) < bytes(false), "{variant}");
            assert!(bytes_in_low_memory(variant, Discipline::FREE) < bytes(true), "{variant}");
        }
    }
}
