//! Working files that something changed between two runs, and runs side by side.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gobprove::passes::FixpointError;
use gobprove::passes::solve;
use gobprove::store::SavedTiers;
use gobprove::store::{Checkpoint, Disk, System, WorkingError, publish};
use gobprove::strategy::Seed;

use super::faulty::{Fault, Faulty};
use super::{Job, Place, game, nobody_starts, run, undisturbed};

/// A place where a run was killed in the middle of its work.
fn half_done() -> Place {
    let place = Place::new(Job::Generate);
    run(Arc::new(Faulty::new(200, Fault::Killed)), &place).expect_err("killed");
    place
}

/// A place where a run was broken off in the middle of its work by a signal: all that is there counts.
fn broken_off() -> Place {
    let place = Place::new(Job::Generate);
    let (mut calls, _nobody) = (0, nobody_starts());
    let broken = solve(&game(), Seed::Rules, Some(&mut open(&place).expect("opened")), &mut |_| {
        calls += 1;
        if calls < 40 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(broken, Err(FixpointError::Interrupted)));
    place
}

/// The manifest and the blocks.
fn files(place: &Place) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(place.work()).expect("a directory").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "bin")).collect();
    files.sort();
    assert!(files.len() > 3, "{files:?}");
    files
}

fn open(place: &Place) -> Result<Checkpoint<SavedTiers>, WorkingError> {
    Checkpoint::open(&place.work(), &game(), Seed::Rules, false)
}

#[test]
fn c03_c12_a_damaged_file_is_named_and_its_tier_solved_again_without_it() {
    let expected = undisturbed(Job::Generate);
    let place = broken_off();
    for path in files(&place) {
        let whole = fs::read(&path).expect("readable");
        let half = whole.len() / 2;
        let zeros = [&whole[..half], &vec![0; whole.len() - half]].concat();
        let mut flipped = whole.clone();
        flipped[half] ^= 0x10;
        for damaged in [&whole[..half], &[], &zeros, &flipped, &[&whole[..], &[0]].concat()] {
            fs::write(&path, damaged).expect("written");
            let error = run(Arc::new(System), &place).expect_err("damaged");
            let name = path.to_string_lossy();
            assert!(error.contains(&*name) && error.contains("damaged"), "{error}");
            let of_tier = error.contains("without this file its tier is solved again");
            assert!(of_tier != path.ends_with("manifest.bin") && error.contains("--fresh"), "{error}");
        }
        fs::write(&path, &whole).expect("written");
    }
    // Each file by itself can be missing, and all of them.
    let expected_of = |left_out: usize, step: usize| {
        let place = broken_off();
        files(&place)
            .into_iter()
            .skip(left_out)
            .step_by(step)
            .for_each(|path| fs::remove_file(path).expect("removed"));
        assert_eq!(place.finish(), expected, "without {left_out} and each {step}th");
    };
    let all = files(&place).len();
    (0..all).for_each(|left_out| expected_of(left_out, all));
    expected_of(0, 1);
    for path in files(&place).into_iter().step_by(2) {
        fs::remove_file(path).expect("removed");
    }
    assert_eq!(place.finish(), expected);
}

#[test]
fn c10_two_runs_in_one_directory_and_the_lock_of_a_dead_one() {
    let place = half_done();
    let first = open(&place).expect("the dead one has left no lock");
    let before = place.names();
    let second = open(&place);
    assert!(matches!(second, Err(WorkingError::Locked(_))), "{second:?}");
    let told = run(Arc::new(System), &place).expect_err("locked");
    assert!(told.contains("another gobprove works in this directory"), "{told}");
    assert_eq!(place.names(), before, "the second has touched nothing");
    drop(first);
    assert_eq!(place.finish(), undisturbed(Job::Generate));
}

#[test]
fn c11_another_version_is_refused_and_its_files_are_left_alone() {
    let place = broken_off();
    let identity = place.work().join("identity");
    let own = fs::read_to_string(&identity).expect("text");
    let before = files(&place);
    for other in [own.replace(env!("CARGO_PKG_VERSION"), "0.0.1"), own.replace("layout ", "layout 9")] {
        assert_ne!(own, other);
        fs::write(&identity, &other).expect("written");
        let told = run(Arc::new(System), &place).expect_err("foreign");
        let version = |identity: &str| identity[identity.find("gobprove ").expect("a version")..].to_owned();
        let said = format!("made for {}, not for {}", version(&other), version(&own));
        assert!(told.contains(&said) && told.contains("--fresh"), "{told}");
        assert_eq!(files(&place), before);
    }
    // Where the identity is lost, nothing shows whose the files are.
    fs::remove_file(&identity).expect("removed");
    let nobody = nobody_starts();
    for fresh in [false, true] {
        let told = Checkpoint::<SavedTiers>::open(&place.work(), &game(), Seed::Rules, fresh);
        assert!(matches!(told, Err(WorkingError::NotOurs(_))), "{told:?}");
        assert_eq!(files(&place), before);
    }
    drop(nobody);
    fs::write(&identity, own).expect("written");
    // Its files are known one by one.
    fs::copy(&before[0], &before[1]).expect("copied");
    let told = run(Arc::new(System), &place).expect_err("damaged");
    assert!(told.contains(before[1].to_str().expect("plain")) && told.contains("of another place"), "{told}");
    assert!(told.contains("--fresh"), "{told}");
    let nobody = nobody_starts();
    drop(Checkpoint::<SavedTiers>::open(&place.work(), &game(), Seed::Rules, true).expect("discarded"));
    drop(nobody);
    assert_eq!(place.finish(), undisturbed(Job::Generate));
}

#[test]
fn c01_killed_while_it_discards_and_discarded_after_all() {
    for at in 1.. {
        let place = half_done();
        let _nobody = nobody_starts();
        let open = |disk: Arc<dyn Disk>, fresh| {
            Checkpoint::<SavedTiers>::open_on(disk, &place.work(), &game(), Seed::Rules, fresh).map(drop)
        };
        let ended = open(Arc::new(Faulty::new(at, Fault::Killed)), true);
        // No manifest names blocks that are gone.
        open(Arc::new(System), false).expect("what is left is whole");
        open(Arc::new(System), true).expect("what is left is known to be gobprove's");
        assert_eq!(blocks_there(&place), 0, "call {at}");
        if ended.is_ok() {
            assert!(at > 15, "{at}");
            break;
        }
    }
}

#[test]
fn c11_other_threads_and_a_moved_directory_change_nothing() {
    let expected = undisturbed(Job::Generate);
    for threads in [1, 2, 8] {
        let place = half_done();
        let moved = Place::new(Job::Generate);
        fs::rename(place.work(), moved.work()).expect("moved");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        assert_eq!(pool.install(|| moved.finish()), expected, "{threads} threads, resumed");
        assert_eq!(pool.install(|| undisturbed(Job::Generate)), expected, "{threads} threads");
    }
}

#[test]
fn c14_a_panic_commits_nothing_and_the_next_run_goes_on() {
    let expected = undisturbed(Job::Generate);
    for after in [1, 5, 12] {
        let place = Place::new(Job::Generate);
        let nobody = nobody_starts();
        let mut working = open(&place).expect("opened");
        working.set_interval(Duration::ZERO);
        let mut calls = 0;
        let listener = &mut |_| {
            calls += 1;
            assert!(calls < after, "a mistake in gobprove");
            ControlFlow::Continue(())
        };
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            solve(&game(), Seed::Rules, Some(&mut working), listener).is_ok()
        }));
        assert!(panicked.is_err());
        drop((working, nobody));
        assert_eq!(place.finish(), expected, "after {after}");
    }
    let place = Place::new(Job::Generate);
    fs::write(place.out(), b"old").expect("written");
    let publishing = || publish(&System, &place.out(), b"new", |_| -> Result<(), ()> { panic!("a mistake") });
    assert!(catch_unwind(AssertUnwindSafe(|| publishing().is_ok())).is_err());
    assert_eq!(fs::read(place.out()).expect("readable"), b"old");
    assert_eq!(place.names(), ["x.gobcert"]);
}

#[test]
fn c08_broken_off_after_any_round_it_goes_on_from_there() {
    let expected = undisturbed(Job::Generate);
    let mut ends = 0;
    for after in 1.. {
        let place = Place::new(Job::Generate);
        let nobody = nobody_starts();
        let mut working = open(&place).expect("opened");
        let mut calls = 0;
        let broken = solve(&game(), Seed::Rules, Some(&mut working), &mut |_| {
            calls += 1;
            if calls == after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        drop((working, nobody));
        let ended = broken.is_ok();
        assert!(ended || matches!(broken, Err(FixpointError::Interrupted)));
        if after > 1 && !ended {
            assert!(blocks_there(&place) > 0, "what is known is on disk");
        }
        assert_eq!(place.finish(), expected, "after {after}");
        if ended {
            break;
        }
        ends += 1;
    }
    assert!(ends > 12, "after each tier and some rounds: {ends}");
}

fn blocks_there(place: &Place) -> usize {
    place.names().iter().filter(|name| name.starts_with("block-")).count()
}

#[test]
fn c10_many_runs_at_once_leave_one_certificate() {
    let place = Place::new(Job::Generate);
    let threads = NonZeroUsize::new(4).expect("not 0").get();
    let ended: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..threads).map(|_| scope.spawn(|| run(Arc::new(System), &place))).collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    for error in ended.iter().filter_map(|ended| ended.as_ref().err()) {
        let told = error.contains("another gobprove works") || error.contains("cannot");
        assert!(told, "{error}");
    }
    assert!(ended.iter().any(Result::is_ok), "{ended:?}");
    assert_eq!(fs::read(place.out()).expect("readable"), undisturbed(Job::Generate));
    assert_eq!(place.finish(), undisturbed(Job::Generate));
}
