//! A fault at calls to the operating system, one after the other.
//!
//! What a fault disturbs is what the calls around it have done or would do. So of the calls with the same one before and the
//! same one after it the first and the last are chosen. Kills are tried at every other of these and errors at those between;
//! where everything is tried, both are tried at every call.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::sync::Arc;

use super::faulty::{Fault, Faulty};
use super::thorough::thorough;
use super::{Job, Place, run, undisturbed};

/// Runs with a fault; how it ended, and the calls that were made.
fn faulty(place: &Place, at: usize, fault: Fault) -> (Result<(), String>, Vec<&'static str>) {
    let disk = Arc::new(Faulty::new(at, fault));
    let ended = run(disk.clone(), place);
    (ended, disk.calls())
}

/// The calls of a run that nothing stops.
fn all_calls(job: Job) -> Vec<&'static str> {
    let (ended, calls) = faulty(&Place::new(job), 0, Fault::None);
    assert_eq!(ended, Ok(()));
    assert!(calls.len() > 100, "{calls:?}");
    calls
}

/// Every other of the calls to disturb, from the one with a place on; all of them where everything is tried.
fn every_other(calls: &[&'static str], from: usize) -> Vec<usize> {
    let step = if thorough() { 1 } else { 2 };
    chosen(calls).into_iter().skip(from % step).step_by(step).collect()
}

/// The numbers of the calls to disturb.
fn chosen(calls: &[&'static str]) -> Vec<usize> {
    if thorough() {
        return (1..=calls.len()).collect();
    }
    let mut ends = BTreeMap::new();
    for at in 1..=calls.len() {
        let around = &calls[at.saturating_sub(2)..calls.len().min(at + 1)];
        ends.entry(around).or_insert([at, at])[1] = at;
    }
    let mut chosen: Vec<usize> = ends.into_values().flatten().collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[test]
fn c01_c02_c15_killed_at_every_call_and_resumed() {
    for job in Job::ALL {
        let (expected, calls) = (undisturbed(job), all_calls(job));
        let chosen = every_other(&calls, 0);
        for &at in &chosen {
            let place = Place::new(job);
            fs::write(place.out(), b"old").expect("written");
            let (ended, _) = faulty(&place, at, Fault::Killed);
            let out = fs::read(place.out()).expect("readable");
            assert!(
                out == b"old" || out == expected,
                "call {at}, {}: old or new, never mixed",
                calls[at - 1]
            );
            if let Err(error) = ended {
                assert!(error.contains("killed"), "call {at}: {error}");
            }
            assert_eq!(place.finish(), expected, "call {at}, {}", calls[at - 1]);
        }
        println!("{job:?}: killed at {} of {} calls", chosen.len(), calls.len());
    }
}

#[test]
fn c04_killed_while_recovering_and_resumed() {
    for job in Job::ALL {
        let (expected, calls) = (undisturbed(job), all_calls(job).len());
        let mut runs = 0;
        let [step, next] = if thorough() { [23, 29] } else { [calls / 3, calls / 4] };
        for at in (1..=calls).step_by(step) {
            for again in (1..=calls).step_by(next) {
                let place = Place::new(job);
                for at in [at, again, at / 2 + 1] {
                    let (ended, _) = faulty(&place, at, Fault::Killed);
                    runs += usize::from(ended.is_err());
                }
                assert_eq!(place.finish(), expected, "{at}, then {again}");
            }
        }
        println!("killed {runs} times");
    }
}

#[test]
fn c05_c06_an_error_at_every_call_loses_nothing() {
    for job in Job::ALL {
        let (expected, calls) = (undisturbed(job), all_calls(job));
        let kinds = [
            ErrorKind::StorageFull,
            ErrorKind::QuotaExceeded,
            ErrorKind::FileTooLarge,
            ErrorKind::ReadOnlyFilesystem,
            ErrorKind::PermissionDenied,
            ErrorKind::Other,
        ];
        let mut stopped = 0;
        let chosen = every_other(&calls, 1);
        for &at in &chosen {
            let place = Place::new(job);
            fs::write(place.out(), b"old").expect("written");
            let kind = kinds[at % kinds.len()];
            let (ended, made) = faulty(&place, at, Fault::Once(kind));
            let out = fs::read(place.out()).expect("readable");
            assert!(out == b"old" || out == expected, "call {at}");
            match ended {
                Err(error) => {
                    // It says where and why, and it has tidied up if that was not what failed.
                    let path = place.dir.path().to_string_lossy().into_owned();
                    assert!(error.contains(&path) && error.contains(&kind.to_string()), "call {at}: {error}");
                    let temporary = |name: &String| name.ends_with(".tmp");
                    let left = place.names().into_iter().filter(temporary).count();
                    assert!(left == 0 || calls[at - 1] == "remove_file", "call {at}: {:?}", place.names());
                    stopped += 1;
                }
                // What fails there does not matter to the result.
                Ok(()) => {
                    assert_eq!(out, expected, "call {at}");
                    let call = made[at - 1];
                    let idle = ["list", "try_lock", "remove_file", "remove_directory"];
                    assert!(idle.contains(&call), "call {at}, {call}, failed unnoticed");
                }
            }
            assert_eq!(place.finish(), expected, "call {at}, {}", calls[at - 1]);
        }
        let most = if thorough() { 9 } else { 7 };
        assert!(stopped * 10 > chosen.len() * most, "{stopped} of {} errors stopped the run", chosen.len());
        println!("{job:?}: {stopped} of {} errors stopped the run", chosen.len());
    }
}

#[test]
fn c06_a_failed_synchronisation_is_not_tried_again() {
    for job in Job::ALL {
        let calls = all_calls(job);
        for at in chosen(&calls) {
            if calls[at - 1].starts_with("sync") {
                let (ended, made) = faulty(&Place::new(job), at, Fault::Once(ErrorKind::Other));
                assert!(ended.is_err(), "call {at}");
                let after = &made[at..];
                assert!(
                    after.iter().all(|call| *call == "remove_file"),
                    "call {at}: {after:?} came after it"
                );
            }
        }
    }
}

#[test]
fn c02_bytes_are_on_disk_before_their_name_and_the_name_before_the_next_step() {
    for job in Job::ALL {
        let calls = all_calls(job);
        let steps = ["create_new", "write_all", "sync", "read"];
        let (mut written, mut blocks) = (0, 0);
        for (place, call) in calls.iter().enumerate() {
            match *call {
                "rename" => {
                    assert_eq!(calls[place - 4..place], steps, "calls {place} and before");
                    assert_eq!(calls[place + 1], "sync_directory", "call {place}");
                    assert_eq!(
                        blocks, 0,
                        "call {place}: the names of blocks are on disk before the manifest's"
                    );
                    written += 1;
                }
                "rename_block" => {
                    assert_eq!(calls[place - 4..place], steps, "calls {place} and before");
                    (written, blocks) = (written + 1, blocks + 1);
                }
                "sync_directory" => blocks = 0,
                // A trial alone creates a file and removes it.
                "create_new" => assert!([steps[1], "remove_file"].contains(&calls[place + 1])),
                _ => {}
            }
        }
        assert!(written > 10, "the identity, what is kept and the certificate: {written}");
    }
}
