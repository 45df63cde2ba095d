//! Refutations: Black keeps to one answer to each white move.
//!
//! First the distances are found: in how many white moves Black wins. Then the refutation grows from the empty board.
//! An answer that is in it already is preferred, otherwise the answer whose open questions weigh least comes in.
//!
//! Every answer is closer to the win than its question. Positions are looked at from the farthest to the nearest, so
//! when a distance is reached, all its positions are known and no earlier answer has to be replaced. Always taking the
//! quickest answer would be correct too, but it seldom needs the fewest positions.

mod distances;
mod found;
mod growing;
mod grown;
mod memo;
mod order;
mod packed;
mod sliding;
mod steps;
mod tier_distances;

use crate::closure::{Growth, Watcher};
use crate::enumerate::rows::discipline::Discipline;
use crate::passes::fixpoint::FixpointError;
use crate::rules::Game;
use crate::store::{Certificate, Checkpoint, PositionSet};
pub use found::SavedRefutation;
use growing::Growing;
use order::Order;
pub use steps::{bytes_in_low_memory, bytes_of_refutation};

/// How far a refutation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuting {
    /// The positions that Black wins within this number of white moves are being found; 0 for those that it wins at once.
    Moves(u32),
    /// The refutation is growing.
    Growing(Growth),
}

/// Tells a watcher how far the refutation is.
fn tell(watcher: Watcher<'_, Refuting>, at: Refuting) -> Result<(), FixpointError> {
    if watcher(at).is_break() { Err(FixpointError::Interrupted) } else { Ok(()) }
}

/// A refutation of a game under any reading but `robust`: it proves that Black wins from the empty board, whoever moves
/// first. Black keeps to the discipline. `None` if Black does not win within it.
///
/// Working files must be those of the game and the discipline. With them, what the steps find is on disk and not in
/// memory, and an interrupted run can be continued, also while the refutation grows. The certificate is the same.
///
/// # Errors
/// The system does not give the memory, the working files cannot be used, or the watcher broke it off.
pub fn refute(
    game: &Game,
    discipline: Discipline,
    mut saving: Option<&mut Checkpoint<SavedRefutation>>,
    watcher: Watcher<'_, Refuting>,
) -> Result<Option<Certificate>, FixpointError> {
    let Some(distances) = steps::distances(game, discipline, saving.as_deref_mut(), watcher)? else {
        return Ok(None);
    };
    grown(game, distances, saving, watcher).map(Some)
}

/// As [`refute`], with less memory and another certificate, most often a larger one.
///
/// # Errors
/// As [`refute`].
pub fn refute_in_low_memory(
    game: &Game,
    discipline: Discipline,
    saving: &mut Checkpoint<SavedRefutation>,
    watcher: Watcher<'_, Refuting>,
) -> Result<Option<Certificate>, FixpointError> {
    let Some(order) = steps::sliding(game, discipline, saving, watcher)? else { return Ok(None) };
    grown(game, order, Some(saving), watcher).map(Some)
}

/// The refutation that grows by an order.
fn grown(
    game: &Game,
    order: impl Order,
    saving: Option<&mut Checkpoint<SavedRefutation>>,
    watcher: Watcher<'_, Refuting>,
) -> Result<Certificate, FixpointError> {
    // The order is freed before the certificate is made and checked.
    let positions = Growing::begin(order, saving, &mut *watcher)?.grow(watcher)?;
    let set = PositionSet::from_positions(game.variant, positions);
    Ok(Certificate::refutation(*game, set))
}

#[cfg(test)]
mod tests {
    use std::iter;
    use std::num::NonZeroUsize;
    use std::ops::ControlFlow;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::bitbase::tables::parts;
    use crate::enumerate::rows::layout::Layout;
    use crate::prelude::*;
    use crate::rules::{Color, Position, Reading};
    use crate::store::{Handle, Manifest};
    use crate::strategy::Seed;
    use gobcheck::check as checker;

    fn refuted(variant: &str, reading: Reading, discipline: &str) -> Option<Certificate> {
        let discipline = discipline.parse().expect("a discipline");
        refute(&game(variant, reading), discipline, None, &mut |_| ControlFlow::Continue(())).expect("memory")
    }

    #[test]
    fn what_black_wins_from_the_empty_board_is_refuted_and_nothing_else() {
        let mut met = [0; 2];
        for variant in ["A1-A3B1", "A1-A2B2", "A2-A3B1", "A1B1-A2B2", "A1-A2B1C1"] {
            for reading in Reading::ALL.into_iter().filter(|&reading| reading != Reading::Robust) {
                let game = game(variant, reading);
                let refutation = refuted(variant, reading, "");
                let solution = solved(&game, Seed::Rules);
                let wins = Color::ALL.into_iter().all(|first| solution.is_lost(&Position::empty(first)));
                assert_eq!(refutation.is_some(), wins, "{variant} {reading}");
                met[usize::from(wins)] += 1;
                let Some(refutation) = refutation else { continue };
                let set = &refutation.white_to_move;
                assert!(set.positions(Color::White).all(|position| solution.is_lost(&position)));
                let threads = NonZeroUsize::new(2).expect("not 0");
                let verified =
                    checker::check(&refutation.encode(), threads, &|_, _| ()).expect("it is accepted");
                assert_eq!(verified.positions_checked, set.len());
                assert_eq!(verified.claim.to_string(), format!("{variant} {reading} lost refutation"));
            }
        }
        assert!(met.iter().all(|&met| met > 3), "{met:?}");
    }

    #[test]
    fn black_wins_within_a_discipline_or_it_is_open() {
        let within = refuted("A2-A3B3", Reading::Official, "a=0").expect("Black wins");
        let set = &within.white_to_move;
        let discipline: Discipline = "a=0".parse().expect("a discipline");
        assert!(set.positions(Color::White).all(|position| discipline.allows(&position)));
        assert_eq!(refuted("A2-A3B3", Reading::Official, "a=0,b=0"), None);
    }

    /// Refutes a game until the watcher has been called `most` times and once more. The certificate, and what it heard.
    fn heard(
        most: usize,
        saving: Option<&mut Checkpoint<SavedRefutation>>,
    ) -> (Option<Certificate>, Vec<Refuting>) {
        hear(most, |watcher| refute(&game("A2-A3B3", Reading::Official), Discipline::FREE, saving, watcher))
    }

    fn hear(
        most: usize,
        refute: impl FnOnce(Watcher<'_, Refuting>) -> Result<Option<Certificate>, FixpointError>,
    ) -> (Option<Certificate>, Vec<Refuting>) {
        let mut heard = Vec::new();
        let refuted = refute(&mut |refuting| {
            heard.push(refuting);
            if heard.len() <= most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match refuted {
            Ok(refuted) => (refuted, heard),
            Err(FixpointError::Interrupted) => (None, heard),
            Err(error) => panic!("{error}"),
        }
    }

    /// Working files that are saved whenever they can be, with several files for what is larger.
    fn small_files(game: &Game, dir: &Path, fresh: bool) -> Checkpoint<SavedRefutation> {
        let mut checkpoint = Checkpoint::open(dir, game, Seed::Rules, fresh).expect("the files");
        checkpoint.set_interval(Duration::ZERO);
        checkpoint.set_block_words(100);
        checkpoint
    }

    #[test]
    fn a_watcher_hears_how_far_it_is_and_may_break_it_off() {
        let (whole, mut told) = heard(usize::MAX, None);
        let set = whole.expect("Black wins").white_to_move;
        let end = Growth { positions: set.len(), open: 0 };
        assert_eq!(told.last(), Some(&Refuting::Growing(end)));
        for most in [0, 1, told.len() / 2, told.len() - 1] {
            assert_eq!(heard(most, None), (None, told[..=most].to_vec()));
        }
        // Three times the watcher hears of each part before the first step: when what Black wins at sight is marked, for
        // either side to move, and when its wins in one move are added.
        let layout = Layout::new("A2-A3B3".read().expect("a variant"));
        let all: usize = layout.all().iter().map(|tier| parts(tier.rows).count()).sum();
        assert!(told.iter().filter(|&&at| at == Refuting::Moves(0)).count() >= 3 * all, "{all} parts");
        told.dedup();
        let steps = told.iter().take_while(|refuting| matches!(refuting, Refuting::Moves(_))).count();
        let expected: Vec<Refuting> = (0..).map(Refuting::Moves).take(steps).collect();
        assert_eq!(told[..steps], expected);
    }

    #[test]
    fn with_working_files_it_goes_on_where_it_was_broken_off_to_the_same() {
        let (whole, told) = heard(usize::MAX, None);
        let whole = whole.expect("Black wins");
        let own = tempfile::tempdir().expect("a directory");
        let game = game("A2-A3B3", Reading::Official);
        let checkpoint = |fresh| small_files(&game, own.path(), fresh);
        // Most calls of the watcher come before anything is found.
        let first = told.iter().position(|at| *at != Refuting::Moves(0)).expect("something is found");
        let apart = if crate::thorough::thorough() { 29 } else { 97 };
        let layout = Layout::new(game.variant);
        let mut within_a_move = 0;
        for most in [0, first / 2].into_iter().chain((first..told.len()).step_by(apart)) {
            let broken_off = heard(most, Some(&mut checkpoint(true)));
            assert_eq!(broken_off.0, None);
            within_a_move += usize::from(checkpoint(false).manifest.last_step(&layout).is_some());
            let (gone_on, told) = heard(usize::MAX, Some(&mut checkpoint(false)));
            assert_eq!(gone_on.as_ref(), Some(&whole), "after {most}");
            assert!(told.is_sorted_by_key(|refuting| matches!(refuting, Refuting::Growing(_))));
        }
        assert!(within_a_move > 3, "{within_a_move} were saved within a move");
        // What grew was saved more than twice, and something that was saved takes more than one file.
        let saved = checkpoint(false).manifest;
        let files = |handles: Vec<Handle>| {
            let second = |handle: &Handle| own.path().join(handle.name(1)).exists();
            (handles.len(), handles.iter().any(second))
        };
        assert!(files(saved.grown.iter().flat_map(|grown| grown.handles()).collect()).0 > 2);
        assert!(files(saved.handles()).1);
        // What is done is not done again.
        let (again, told_again) = heard(usize::MAX, Some(&mut checkpoint(false)));
        assert_eq!(again, Some(whole));
        // While what grew is read, the watcher hears that nothing is open.
        let (moves, growing) =
            (Refuting::Moves(1), |at: &Refuting| matches!(at, Refuting::Growing(at) if at.open > 0));
        assert!(told.contains(&moves) && told.iter().any(growing));
        assert!(!told_again.contains(&moves) && !told_again.iter().any(growing));
    }

    #[test]
    fn in_low_memory_it_is_another_refutation_and_goes_on_to_the_same() {
        let (own, game) = (tempfile::tempdir().expect("a directory"), game("A1B1-A3B1", Reading::Official));
        let heard = |most, fresh| {
            let mut saving = small_files(&game, own.path(), fresh);
            hear(most, |watcher| refute_in_low_memory(&game, Discipline::FREE, &mut saving, watcher))
        };
        let (whole, told) = heard(usize::MAX, true);
        let whole = whole.expect("Black wins");
        let threads = NonZeroUsize::new(2).expect("not 0");
        let verified = checker::check(&whole.encode(), threads, &|_, _| ()).expect("it is accepted");
        assert_eq!(verified.claim.to_string(), "A1B1-A3B1 official lost refutation");
        // What the steps find serves the other order too, but what grew by one order is nothing to the other.
        let by_distances = |mut saving: Option<Checkpoint<_>>| {
            hear(usize::MAX, |watcher| refute(&game, Discipline::FREE, saving.as_mut(), watcher)).0
        };
        let other = by_distances(Some(small_files(&game, own.path(), false)));
        assert_eq!(other, by_distances(None));
        assert_ne!(other.as_ref(), Some(&whole));
        assert_eq!(heard(usize::MAX, false).0.as_ref(), Some(&whole));
        let first = told.iter().position(|at| matches!(at, Refuting::Growing(_))).expect("it grows");
        let times = if crate::thorough::thorough() { 60 } else { 6 };
        let apart = (told.len() - first).div_ceil(times);
        for most in iter::once(first / 2).chain((first..told.len()).step_by(apart)) {
            assert_eq!(heard(most, true).0, None);
            assert_eq!(heard(usize::MAX, false).0.as_ref(), Some(&whole), "after {most}");
        }
    }

    #[test]
    fn a_working_file_that_is_missing_is_told_of() {
        let own = tempfile::tempdir().expect("a directory");
        let game = game("A1-A3B1", Reading::Official);
        let refuted = || {
            let mut checkpoint = Checkpoint::open(own.path(), &game, Seed::Rules, false).expect("the files");
            refute(&game, Discipline::FREE, Some(&mut checkpoint), &mut |_| ControlFlow::Continue(()))
        };
        let whole = refuted().expect("memory and disk");
        let entries = std::fs::read_dir(own.path()).expect("a directory").map(|entry| entry.expect("a file"));
        let named = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"block-"))
        };
        let found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(named).collect();
        assert!(found.len() > 10, "{found:?}");
        for path in found {
            let bytes = std::fs::read(&path).expect("a file");
            std::fs::remove_file(&path).expect("a file");
            let why = refuted().expect_err("it is missing").to_string();
            assert!(why.contains("is not there") && why.contains("--fresh"), "{why}");
            std::fs::write(&path, bytes).expect("a file");
        }
        assert_eq!(refuted().expect("memory and disk"), whole);
    }

    #[test]
    fn what_black_does_not_win_is_known_from_working_files_too() {
        let own = tempfile::tempdir().expect("a directory");
        let game = game("A2-A2B1", Reading::Official);
        for _ in 0..2 {
            let mut checkpoint = Checkpoint::open(own.path(), &game, Seed::Rules, false).expect("the files");
            let go_on = &mut |_| ControlFlow::Continue(());
            let refuted = refute(&game, Discipline::FREE, Some(&mut checkpoint), &mut *go_on);
            assert_eq!(refuted.expect("memory and disk"), None);
            let refuted = refute_in_low_memory(&game, Discipline::FREE, &mut checkpoint, go_on);
            assert_eq!(refuted.expect("memory and disk"), None);
        }
    }
}
