//! The rounds of a tier: a white update of the rows that may have changed, and a black update after what it added.

use std::convert::Infallible;
use std::ops::Range;
use std::slice;

use rayon::prelude::*;

use crate::bitbase::solution::Solution;
use crate::bitbase::tables::{Dirty, Tables, black_parts, is_much, parts, with_kernel};
use crate::enumerate::rows::kernel::Kernel;
use crate::passes::fixpoint::FixpointError;
use crate::rules::Color;

/// Called as `heed(done, of, is_followed)` when a round has gone over `done` of `of` rows. `is_followed` says whether
/// Black's set holds all that follows from White's. It is ignored in a tier's first round, where `done` shows it.
pub(crate) type Heed<'a, E> = &'a mut dyn FnMut(u64, u64, bool) -> Result<(), E>;

/// A tier on its way to the fixpoint.
pub(crate) struct Unfinished {
    pub tier: usize,
    /// How many rows the first round has gone over already, its three passes added up.
    pub first_round: u64,
    /// The rows that the next white update must look at; `None` before the first.
    pub dirty: Option<Dirty>,
}

impl Unfinished {
    /// Runs a round. Returns whether it added anything.
    pub(crate) fn round(
        &mut self,
        solution: &Solution,
        heed: Heed<'_, FixpointError>,
    ) -> Result<bool, FixpointError> {
        let k = solution.layout.tier(self.tier).k;
        with_kernel!(solution.kernels, k, kernel => self.round_with(&solution.tables(), kernel, heed))
    }

    fn round_with<const N: usize>(
        &mut self,
        tables: &Tables<'_>,
        kernel: &Kernel<N>,
        heed: Heed<'_, FixpointError>,
    ) -> Result<bool, FixpointError> {
        let tier = self.tier;
        let plan = tables.layout.tier(tier);
        let rows = plan.rows;
        let mut by_white = false;
        let mut done = 0;
        let Some(dirty) = self.dirty.take() else {
            let all = Dirty::all(rows);
            let of = rows_of_first_round(rows as u64);
            for part in parts(rows) {
                done += part.len() as u64;
                if done > self.first_round {
                    tables.fetch(tier, Color::White, slice::from_ref(&part));
                    tables.fetch_later(tier, Color::White, slice::from_ref(&part));
                    by_white |= !tables.white(kernel, tier, part, &all).is_empty();
                    heed(done, of, true)?;
                }
            }
            let before = self.first_round.saturating_sub(rows as u64);
            let grown =
                black_heeding(tables, kernel, tier, before, &mut |more, _, _| heed(done + more, of, true))?;
            self.dirty = Some(all);
            // What an earlier process found in this round counts too.
            return Ok(by_white | !grown.is_empty() | (self.first_round > 0));
        };
        // Black's update is expected to go over as many rows as White's.
        let by_each = dirty.count(0..rows);
        let of = 2 * by_each;
        // `marked`: rows that grew with White to move and are not followed yet. `grown`: with Black to move.
        let (marked, grown) = (Dirty::none(rows), Dirty::none(rows));
        for part in parts(rows) {
            let visited = dirty.count(part.clone());
            if is_much(visited as usize, part.len()) {
                tables.fetch(tier, Color::White, slice::from_ref(&part));
                tables.fetch_later(tier, Color::White, slice::from_ref(&part));
            }
            done += visited;
            let new = tables.white(kernel, tier, part, &dirty);
            by_white |= !new.is_empty();
            new.iter().for_each(|&(row, _)| marked.mark(row));
            heed(done, of, marked.is_empty())?;
        }
        let all = black_parts(plan);
        for (number, part) in (1..).zip(&all) {
            let count: u64 = part.iter().map(|rows| marked.count(rows.clone())).sum();
            if count > 0 {
                if is_much(count as usize, part.iter().map(Range::len).sum()) {
                    tables.fetch(tier, Color::Black, part);
                }
                take_back(tables, kernel, tier, part, |word| marked.word(word), &grown);
                part.iter().for_each(|rows| marked.unmark(rows));
            }
            heed(by_each + by_each * number / all.len() as u64, of, marked.is_empty())?;
        }
        self.dirty = Some(tables.readers(kernel, tier, &grown));
        Ok(by_white || !grown.is_empty())
    }
}

/// Takes black moves back from the lost positions with White to move in `part`. The positions that these moves came from are
/// lost too; rows that grow are marked in `grown`. `which(w)` returns a mask: bit i is set if row 64*w + i is looked at.
fn take_back<const N: usize>(
    tables: &Tables<'_>,
    kernel: &Kernel<N>,
    tier: usize,
    part: &[Range<usize>],
    which: impl Fn(usize) -> u64 + Sync,
    grown: &Dirty,
) {
    let mut lost = Vec::new();
    for rows in part {
        lost.extend(tables.lost_without_line(kernel, tier, rows.clone(), &which));
    }
    tables.follow(kernel, tier, &lost, grown);
}

/// The whole black update goes over each row twice: for lines and pieces from hand, and for moves that are taken back.
const BLACK_GOES_OVER: u64 = 2;

/// How many rows the first round of a tier with `rows` rows goes over: it runs both whole updates.
pub(crate) fn rows_of_first_round(rows: u64) -> u64 {
    rows + BLACK_GOES_OVER * rows
}

/// Runs the whole black update of a tier. Returns the rows that grew.
pub(crate) fn black<const N: usize>(tables: &Tables<'_>, kernel: &Kernel<N>, tier: usize) -> Dirty {
    let Ok(grown) = black_heeding::<N, Infallible>(tables, kernel, tier, 0, &mut |_, _, _| Ok(()));
    grown
}

/// The same, resumed: the first `before` rows of its two passes are done, and what they found is in the set.
pub(crate) fn black_heeding<const N: usize, E>(
    tables: &Tables<'_>,
    kernel: &Kernel<N>,
    tier: usize,
    before: u64,
    heed: Heed<'_, E>,
) -> Result<Dirty, E> {
    let plan = tables.layout.tier(tier);
    let (parts, of) = (black_parts(plan), BLACK_GOES_OVER * plan.rows as u64);
    let grown = Dirty::none(plan.rows);
    let mut done = 0;
    let mut is_new = |part: &[Range<usize>]| {
        done += part.iter().map(|rows| rows.len() as u64).sum::<u64>();
        (done > before).then_some(done)
    };
    for part in &parts {
        if let Some(done) = is_new(part) {
            tables.fetch(tier, Color::Black, part);
            tables.fetch_later(tier, Color::Black, part);
            part.par_iter().for_each(|rows| tables.opening(kernel, tier, rows.clone(), &grown));
            heed(done, of, true)?;
        }
    }
    for part in &parts {
        if let Some(done) = is_new(part) {
            tables.fetch(tier, Color::Black, part);
            take_back(tables, kernel, tier, part, |_| u64::MAX, &grown);
            heed(done, of, true)?;
        }
    }
    Ok(grown)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::time::Duration;

    use crate::bitbase::solution::testing::{game, solved};
    use crate::bitbase::window::Keep;
    use crate::bitbase::{Solution, TierOutcome};
    use crate::enumerate::rows::discipline::Discipline;
    use crate::passes::{FixpointError, FixpointProgress, Step, solve_within};
    use crate::rules::{Game, Reading};
    use crate::store::{Checkpoint, SavedTiers};
    use crate::strategy::Seed;
    use crate::thorough::thorough;

    /// A run with working files. It is broken off at the `stop_at`-th call, from 1, of those for which `counts` is true.
    fn run(
        game: &Game,
        dir: &Path,
        keep: Keep,
        (counts, stop_at): (impl Fn(&FixpointProgress) -> bool, usize),
    ) -> Result<Vec<TierOutcome>, FixpointError> {
        let mut saved: Checkpoint<SavedTiers> =
            Checkpoint::open(dir, game, Seed::Rules, false).expect("opened");
        if stop_at % 2 == 1 {
            saved.set_interval(Duration::ZERO);
        }
        let mut calls = 0;
        let solved = solve_within(game, Discipline::FREE, keep, Some(&mut saved), &mut |at| {
            calls += usize::from(counts(&at));
            if calls == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        solved.map(|solution: Solution| solution.outcomes())
    }

    fn anywhere(_: &FixpointProgress) -> bool {
        true
    }

    /// Leaves out the counting of finished tiers, which every run repeats without getting on.
    fn while_solving(at: &FixpointProgress) -> bool {
        at.round.is_none_or(|round| round.step != Step::Counting)
    }

    fn after_the_first_round(at: &FixpointProgress) -> bool {
        at.round.is_some_and(|round| round.finished > 0)
    }

    /// Breaks runs off at every `step`-th call that counts, and goes on. Returns the first number that no call has.
    fn broken_off(
        variant: &str,
        keep: Keep,
        counts: impl Fn(&FixpointProgress) -> bool + Copy,
        step: usize,
    ) -> usize {
        let game = game(variant, Reading::Official);
        let expected = solved(&game, Seed::Rules).outcomes();
        for stop_at in (1..).step_by(step) {
            let own = tempfile::tempdir().expect("a directory");
            match run(&game, own.path(), keep, (counts, stop_at)) {
                Err(FixpointError::Interrupted) => {}
                outcomes => {
                    assert_eq!(outcomes.expect("solved"), expected);
                    return stop_at;
                }
            }
            // Broken off once more, soon after it goes on.
            let again = run(&game, own.path(), keep, (anywhere, 3));
            assert!(matches!(again, Err(FixpointError::Interrupted)), "{stop_at}");
            let outcomes = run(&game, own.path(), keep, (anywhere, usize::MAX));
            assert_eq!(outcomes.expect("solved"), expected, "{variant} {stop_at}");
        }
        unreachable!("there is no end of numbers")
    }

    /// The tiers have several parts and several columns here.
    #[test]
    fn a_run_is_broken_off_anywhere_and_goes_on() {
        let step = if thorough() { 37 } else { 113 };
        for keep in [Keep::Needed, Keep::Mapped] {
            let calls = broken_off("A2-A2B2", keep, anywhere, step);
            assert!(calls > 400, "{calls}");
        }
    }

    /// In later rounds Black's set may lack what follows from White's.
    #[test]
    fn a_run_is_broken_off_in_later_rounds_and_goes_on() {
        let step = if thorough() { 13 } else { 199 };
        let calls = broken_off("A2-A3B2", Keep::Needed, after_the_first_round, step);
        assert!(calls > 400, "{calls}");
    }

    /// The lost positions of each tier are counted, and a run can be broken off meanwhile.
    #[test]
    fn a_run_is_broken_off_while_it_counts() {
        let game = game("A2-A2B2", Reading::Official);
        let own = tempfile::tempdir().expect("a directory");
        let is_counting = |at: &FixpointProgress| at.round.is_some_and(|round| round.step == Step::Counting);
        let broken = run(&game, own.path(), Keep::Needed, (is_counting, 5));
        assert!(matches!(broken, Err(FixpointError::Interrupted)));
        let outcomes = run(&game, own.path(), Keep::Needed, (anywhere, usize::MAX));
        assert_eq!(outcomes.expect("solved"), solved(&game, Seed::Rules).outcomes());
    }

    /// Saved sets are read before anything is added. Breaking off while they are read loses nothing.
    #[test]
    fn reading_what_is_saved_is_told_and_broken_off() {
        let game = game("A2-A2B2", Reading::Official);
        let own = tempfile::tempdir().expect("a directory");
        let is_reading = |at: &FixpointProgress| at.round.is_some_and(|round| round.step == Step::Reading);
        let tier = Cell::new(None);
        let begun = run(
            &game,
            own.path(),
            Keep::Needed,
            (
                |at: &FixpointProgress| {
                    tier.set(at.round.map(|round| round.tier));
                    after_the_first_round(at)
                },
                3,
            ),
        );
        assert!(matches!(begun, Err(FixpointError::Interrupted)));
        for stop_at in 1..=3 {
            let again = run(&game, own.path(), Keep::Needed, (is_reading, stop_at));
            assert!(matches!(again, Err(FixpointError::Interrupted)), "{stop_at}");
        }
        // The first round of the tier that was saved is not run again.
        let anew = |at: &FixpointProgress| {
            at.round.is_some_and(|round| {
                Some(round.tier) == tier.get() && round.step == Step::Updating && round.finished == 0
            })
        };
        let outcomes = run(&game, own.path(), Keep::Needed, (anew, 1));
        assert_eq!(outcomes.expect("solved"), solved(&game, Seed::Rules).outcomes());
    }

    /// Each run is long enough for one round of the largest tier.
    #[test]
    fn short_runs_come_to_an_end() {
        let game = game("A2-A2B2", Reading::Official);
        let own = tempfile::tempdir().expect("a directory");
        let mut keeps = [Keep::Needed, Keep::Mapped].into_iter().cycle();
        let mut runs = 0;
        let outcomes = loop {
            runs += 1;
            match run(&game, own.path(), keeps.next().expect("endless"), (while_solving, 140)) {
                Err(FixpointError::Interrupted) => assert!(runs < 50, "it does not get on"),
                outcomes => break outcomes.expect("solved"),
            }
        };
        assert!(runs > 2, "{runs}");
        assert_eq!(outcomes, solved(&game, Seed::Rules).outcomes());
    }
}
