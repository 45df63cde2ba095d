//! The fixpoint over several processes comes to what one process finds. The processes are threads of the test, and what they
//! say to each other goes through shared memory.

#[path = "../interrupted/faulty.rs"]
mod faulty;
#[path = "../support/thorough.rs"]
mod thorough;
mod thread;

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use faulty::{Fault, Faulty};
use gobprove::bitbase::Keep;
use gobprove::bitbase::Solution;
use gobprove::cluster::{self, Alone, Division, Wire as _};
use gobprove::enumerate::Discipline;
use gobprove::passes::{self, FixpointError, Step};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading};
use gobprove::store::{Checkpoint, Disk, SavedTiers};
use gobprove::strategy::Seed;
use thorough::thorough;
use thread::together;

fn game(variant: &str, reading: Reading) -> Game {
    Game::new(variant.read().expect("a variant"), reading)
}

fn go_on() -> impl FnMut(passes::FixpointProgress) -> ControlFlow<()> {
    |_| ControlFlow::Continue(())
}

fn alone(game: &Game) -> Solution {
    passes::solve_within(game, Discipline::FREE, Keep::Needed, None, &mut go_on()).expect("memory")
}

/// Says that two solutions have the same counts, tier by tier, the same rounds, and the same values of the empty board and of the
/// positions after one move.
#[track_caller]
fn are_alike(one: &Solution, other: &Solution) {
    assert_eq!(one.outcomes(), other.outcomes(), "{:?}", one.game());
    assert_eq!(one.rounds(), other.rounds(), "{:?}", one.game());
    for first in Color::ALL {
        let start = Position::empty(first);
        let next = one.game().moves(&start).map(|mv| one.game().play_unchecked(&start, mv));
        let next = next.filter_map(|outcome| match outcome {
            gobprove::rules::Outcome::GoesOn(next) => Some(next),
            _ => None,
        });
        for position in next.chain([start]) {
            assert_eq!(one.is_lost(&position), other.is_lost(&position), "{position}");
        }
    }
}

#[test]
fn several_processes_find_what_one_does() {
    let mut told = 0;
    let variants = ["A1-A2B2", "A2-A3B1", "A1B1-A2B2", "A2B1-A2B1C1", "A1B1C1-A1B1C1"];
    // By day each by one of these in turn.
    let some = [Reading::Official, Reading::Robust].iter().cycle();
    for (variant, some) in variants.into_iter().zip(some) {
        for &reading in if thorough() { &Reading::ALL[..] } else { std::slice::from_ref(some) } {
            let game = game(variant, reading);
            let expected = alone(&game);
            are_alike(&cluster::solve(&game, &Alone, None, &mut go_on()).expect("memory"), &expected);
            for size in [2, 3, 9] {
                let found = together(size, |wire| {
                    let solution = cluster::solve(&game, wire, None, &mut go_on()).expect("memory");
                    (solution, *wire.sent.borrow())
                });
                assert_eq!(found.len(), size);
                told += found.iter().map(|(_, sent)| sent).sum::<usize>();
                found.iter().for_each(|(solution, _)| are_alike(solution, &expected));
            }
        }
    }
    let least = if thorough() { 500_000 } else { 200_000 };
    assert!(told > least, "the processes told each other {told} words");
}

/// The first round goes over all rows of a tier, for each side's update: each process tells that of the whole tier.
#[test]
fn each_process_tells_how_far_the_whole_tier_is() {
    let game = game("A2-A3B1", Reading::Official);
    let all = together(3, |wire| {
        let mut told: Vec<passes::Round> = Vec::new();
        let mut listener = |at: passes::FixpointProgress| {
            told.extend(at.round.filter(|round| round.step == Step::Updating && round.finished == 0));
            ControlFlow::Continue(())
        };
        cluster::solve(&game, wire, None, &mut listener).expect("memory");
        told
    });
    for told in all {
        assert!(told.iter().any(|round| round.rows > 0));
        // A process may have no row of a small tier.
        assert!(told.iter().all(|round| [0, 2 * round.tier_rows].contains(&round.rows)), "{told:?}");
    }
}

/// How often a row grows nobody knows before, so the guess is rough.
#[test]
fn what_processes_send_is_guessed_within_an_order_of_magnitude() {
    let mut factors = Vec::new();
    for variant in ["A2-A3B1", "A2-A3B2", "A1B1-A3B1", "A2B1-A2B2", "A2B1-A2B1C1", "A1B1C1-A2B1C1"] {
        let game = game(variant, Reading::Official);
        for size in [2, 4] {
            let sent = together(size, |wire| {
                cluster::solve(&game, wire, None, &mut go_on()).expect("memory");
                *wire.sent.borrow()
            });
            let mean = 8.0 * sent.iter().sum::<usize>() as f64 / size as f64;
            factors.push((variant, size, Division::new(game.variant).bytes_sent(size) / mean));
        }
    }
    assert!(factors.iter().all(|&(_, _, factor)| (0.15..2.5).contains(&factor)), "{factors:?}");
}

/// Each of some processes has its part of the bitbases in memory. The pieces of one colour stand in a few hundred ways here, so
/// that the parts are about equal only; larger variants have thousands.
#[test]
fn the_memory_of_a_process_falls_with_their_number() {
    let game = game("A2B1-A2B2C1", Reading::Official);
    let bytes = |size| {
        together(size, |wire| cluster::solve(&game, wire, None, &mut go_on()).expect("memory").bytes())
    };
    let [one] = bytes(1)[..] else { panic!("one process") };
    for size in [2, 4] {
        for (rank, own) in bytes(size).into_iter().enumerate() {
            let share = own as f64 * size as f64 / one as f64;
            assert!(
                (0.7..1.3).contains(&share),
                "process {rank} of {size}: {share:.2} times its share of {one} bytes"
            );
        }
    }
}

/// Two white A stand in few ways: of 16 processes one has more than a tenth, and that much is asked for.
#[test]
fn the_memory_that_is_asked_for_is_that_of_the_process_that_has_most() {
    let game = game("A2-A3B2", Reading::Official);
    let bytes = |size| {
        together(size, |wire| cluster::solve(&game, wire, None, &mut go_on()).expect("memory").bytes())
    };
    let (one, all) = (bytes(1)[0], bytes(16));
    let most = *all.iter().max().expect("16 of them");
    assert!(10 * most > one, "{all:?} of {one}");
    assert!(u128::from(most) <= Division::new(game.variant).bytes(16, false), "{all:?}");
}

fn opened(dir: &Path, game: &Game) -> Checkpoint<SavedTiers> {
    let mut checkpoint = Checkpoint::open(dir, game, Seed::Rules, false).expect("the files");
    checkpoint.set_interval(Duration::ZERO);
    checkpoint.set_block_words(100);
    checkpoint
}

/// A run that is broken off after a number of times that it told how far it is; whether it was.
fn broken_off(game: &Game, size: usize, dir: &Path, after: usize) -> bool {
    let ended = together(size, |wire| {
        let mut checkpoint = (wire.rank() == 0).then(|| opened(dir, game));
        let mut told = 0;
        let mut listener = |_| {
            told += 1;
            if told > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        cluster::solve(game, wire, checkpoint.as_mut(), &mut listener)
    });
    let is_broken_off = |ended: &Result<Solution, FixpointError>| match ended {
        Ok(_) => false,
        Err(FixpointError::Interrupted) => true,
        Err(error) => panic!("{error}"),
    };
    let all: Vec<bool> = ended.iter().map(is_broken_off).collect();
    assert!(all.iter().all(|&broken_off| broken_off == all[0]), "all processes end alike");
    all[0]
}

#[test]
fn what_some_processes_begin_others_end() {
    let game = game("A2B1-A2B2", Reading::Official);
    let expected = alone(&game);
    let mut after = 0;
    loop {
        let own = tempfile::tempdir().expect("a directory");
        // Begun by three, gone on by one as the passes do it, by two, and ended by one or by four.
        if !broken_off(&game, 3, own.path(), after) {
            break;
        }
        let mut told = 0;
        let listener = &mut |_| {
            told += 1;
            if told > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut checkpoint = opened(own.path(), &game);
        let passes = |checkpoint: &mut Checkpoint<SavedTiers>, listener: passes::Listener<'_>| {
            passes::solve_within(&game, Discipline::FREE, Keep::Needed, Some(checkpoint), listener)
        };
        let gone_on = passes(&mut checkpoint, listener);
        assert!(matches!(gone_on, Err(FixpointError::Interrupted) | Ok(_)));
        drop(checkpoint);
        broken_off(&game, 2, own.path(), after);
        let ended = if after % 2 == 0 {
            let mut checkpoint = opened(own.path(), &game);
            vec![passes(&mut checkpoint, &mut go_on())]
        } else {
            together(4, |wire| {
                let mut checkpoint = (wire.rank() == 0).then(|| opened(own.path(), &game));
                cluster::solve(&game, wire, checkpoint.as_mut(), &mut go_on())
            })
        };
        for solution in ended {
            let solution = solution.expect("nothing breaks it off");
            assert_eq!(solution.outcomes(), expected.outcomes(), "after {after}");
            assert_eq!(solution.white_holds(), expected.white_holds());
        }
        after += if thorough() { 19 } else { 119 };
    }
    assert!(after >= 500, "{after}");
}

#[test]
fn where_the_files_cannot_be_used_all_processes_end() {
    let game = game("A1-A2B1", Reading::Official);
    let own = tempfile::tempdir().expect("a directory");
    assert!(!broken_off(&game, 2, own.path(), usize::MAX));
    let entries =
        std::fs::read_dir(own.path()).expect("a directory").map(|entry| entry.expect("a file").path());
    let block = entries.filter(|path| path.to_string_lossy().contains("block-")).max().expect("a block");
    let mut bytes = std::fs::read(&block).expect("a block");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&block, bytes).expect("written");
    let ended = together(3, |wire| {
        let mut checkpoint = (wire.rank() == 0).then(|| opened(own.path(), &game));
        cluster::solve(&game, wire, checkpoint.as_mut(), &mut go_on())
            .map(drop)
            .map_err(|error| error.to_string())
    });
    let errors: Vec<String> = ended.into_iter().map(|ended| ended.expect_err("a block is damaged")).collect();
    assert!(errors[0].contains("damaged") || errors[0].contains("block-"), "{errors:?}");
    assert!(errors[1..].iter().all(|error| error == "interrupted"), "{errors:?}");
}

/// A call to the disk fails, or it and all later ones do: all processes end, and what counts on the disk is enough to go on from.
#[test]
fn where_the_disk_fails_all_processes_end_and_go_on_later() {
    let game = game("A1-A2B1", Reading::Official);
    let expected = alone(&game);
    let open = |dir: &Path, disk: &Arc<Faulty>| {
        let disk = Arc::clone(disk) as Arc<dyn Disk>;
        Checkpoint::<SavedTiers>::open_on(disk, dir, &game, Seed::Rules, false)
    };
    let run = |dir: &Path, disk: &Arc<Faulty>| {
        together(2, |wire| {
            let mut checkpoint = (wire.rank() == 0).then(|| open(dir, disk)).transpose()?;
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.set_interval(Duration::ZERO);
            }
            cluster::solve(&game, wire, checkpoint.as_mut(), &mut go_on())
        })
    };
    let sound = || Arc::new(Faulty::new(0, Fault::None));
    let own = tempfile::tempdir().expect("a directory");
    let whole = sound();
    run(own.path(), &whole).into_iter().for_each(|ended| are_alike(&ended.expect("sound"), &expected));
    // Opening makes the first calls, before the processes talk to each other.
    let (own, disk) = (tempfile::tempdir().expect("a directory"), sound());
    drop(open(own.path(), &disk).expect("opened"));
    let (opened, all, mut failed) = (disk.calls().len(), whole.calls().len(), 0);
    let faults = [Fault::Once(ErrorKind::StorageFull), Fault::Killed].into_iter().cycle();
    for (at, fault) in (opened + 1..=all).step_by(if thorough() { 1 } else { 41 }).zip(faults) {
        let own = tempfile::tempdir().expect("a directory");
        let ended = run(own.path(), &Arc::new(Faulty::new(at, fault)));
        assert_eq!(ended[0].is_err(), ended[1].is_err(), "call {at} of {all}");
        if ended[0].is_err() {
            assert!(matches!(ended[1], Err(FixpointError::Interrupted)), "call {at} of {all}");
            failed += 1;
        }
        for ended in run(own.path(), &sound()) {
            assert_eq!(ended.expect("sound").outcomes(), expected.outcomes(), "after call {at} of {all}");
        }
    }
    assert!(failed > 3, "{failed} of {all}");
}

#[test]
fn finished_tiers_without_what_black_can_reach_are_gone_over_once_more() {
    let game = game("A2-A2B1", Reading::Official);
    let expected = alone(&game);
    let own = tempfile::tempdir().expect("a directory");
    // Where all is kept in memory the files have White's sets only.
    passes::solve(&game, Seed::Rules, Some(&mut opened(own.path(), &game)), &mut go_on()).expect("solved");
    for solution in together(2, |wire| {
        let mut checkpoint = (wire.rank() == 0).then(|| opened(own.path(), &game));
        cluster::solve(&game, wire, checkpoint.as_mut(), &mut go_on()).expect("solved")
    }) {
        are_alike(&solution, &expected);
    }
}
