//! The passes from outside: working files, updates by hand against the driver, what ships against what is
//! generated. That rows do what the updates say is tested beside them.

#[path = "support/thorough.rs"]
mod thorough;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gobcheck::check as checker;
use gobprove::bitbase::Keep;
use gobprove::bitbase::Solution;
use gobprove::closure::{Making, Weights};
use gobprove::enumerate::{Discipline, Tiers};
use gobprove::passes::FixpointError;
use gobprove::passes::Round;
use gobprove::passes::Saving;
use gobprove::passes::bytes_of_table;
use gobprove::passes::bytes_within;
use gobprove::passes::solve;
use gobprove::passes::solve_within;
use gobprove::passes::update;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Reading};
use gobprove::store::Certificate;
use gobprove::store::SavedTiers;
use gobprove::store::{Checkpoint, WorkingError};
use gobprove::strategy::Seed;

use thorough::thorough;

fn game(variant: &str, reading: Reading) -> Game {
    Game::new(variant.read().expect("a variant"), reading)
}

fn opened(dir: &Path, game: &Game) -> Checkpoint<SavedTiers> {
    Checkpoint::open(dir, game, Seed::Rules, false).expect("opened")
}

/// Updates by hand do not know what later tiers will say: a solve goes over the whole tier after them.
#[test]
fn a_solve_goes_on_from_any_updates_by_hand() {
    use Color::{Black, White};
    let game = game("A1-A3B1", Reading::Official);
    let expected = solved(&game, None).outcomes();
    for by_hand in [&[Black][..], &[Black, White], &[White, Black, White]] {
        let dir = tempfile::tempdir().expect("a directory");
        let mut working = opened(dir.path(), &game);
        for &turn in by_hand {
            update(&game, Seed::Rules, turn, false, &mut working).expect("updated");
        }
        assert_eq!(solved(&game, Some(&mut working)).outcomes(), expected, "{by_hand:?}");
    }
}

/// The files of blocks in a working directory, in the order in which they were written.
fn blocks(dir: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(dir).expect("a directory").map(|file| file.expect("a file").path());
    let is_block =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"block-"));
    let mut blocks: Vec<PathBuf> = files.filter(is_block).collect();
    blocks.sort();
    blocks
}

fn solved(game: &Game, saving: Saving<'_>) -> Solution {
    solve(game, Seed::Rules, saving, &mut |_| ControlFlow::Continue(())).expect("nothing breaks it off")
}

fn verify(certificate: &Certificate) -> u64 {
    let threads = NonZeroUsize::new(2).expect("not 0");
    let verified = checker::check(&certificate.encode(), threads, &|_, _| ()).expect("verified");
    assert_eq!(verified.claim, certificate.claim);
    verified.positions_checked
}

#[test]
fn updates_by_hand_until_nothing_is_added_give_the_drivers_cut() {
    for reading in Reading::ALL {
        let game = game("A2-A2B2", reading);
        let dir = tempfile::tempdir().expect("a directory");
        let mut working = opened(dir.path(), &game);
        let mut grew = 0;
        loop {
            let white = update(&game, Seed::Rules, Color::White, false, &mut working).expect("updated");
            let black = update(&game, Seed::Rules, Color::Black, false, &mut working).expect("updated");
            if white.after == white.before && black.after == black.before {
                break;
            }
            assert!(white.after >= white.before && black.after >= black.before, "sets only grow");
            grew += 1;
        }
        assert!(grew > 0, "the first round adds what Black wins at once");
        for turn in Color::ALL {
            let verified = update(&game, Seed::Rules, turn, true, &mut working).expect("verified");
            assert_eq!(verified.before, verified.after, "verify mode answers yes at the fixpoint");
        }
        // What lies on disk now is unfinished tiers at their fixpoint: the driver adds nothing to them.
        assert_eq!(
            gobprove::closure::cut(&solved(&game, Some(&mut working))),
            gobprove::closure::cut(&solved(&game, None))
        );
    }
}

#[test]
fn verify_mode_writes_nothing_and_sees_what_is_missing() {
    let game = game("A2-A2B2", Reading::Official);
    let dir = tempfile::tempdir().expect("a directory");
    let mut working = opened(dir.path(), &game);
    let before = fs::read_dir(dir.path()).expect("read").count();
    let black = update(&game, Seed::Rules, Color::Black, true, &mut working).expect("verified");
    assert!(black.after > black.before, "Black can win at once somewhere");
    assert_eq!(fs::read_dir(dir.path()).expect("read").count(), before);
}

#[test]
fn a_broken_off_run_goes_on_and_ends_in_the_same_bytes() {
    let game = game("A2-A2B2", Reading::Official);
    let expected = gobprove::closure::cut(&solved(&game, None)).expect("a cut").encode();
    for stop_after in [1, 3, 10, 17] {
        let dir = tempfile::tempdir().expect("a directory");
        let mut working = opened(dir.path(), &game);
        let mut calls = 0;
        let broken = solve(&game, Seed::Rules, Some(&mut working), &mut |_| {
            calls += 1;
            if calls == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(broken, Err(FixpointError::Interrupted)));
        assert_eq!(
            gobprove::closure::cut(&solved(&game, Some(&mut working))).expect("a cut").encode(),
            expected,
            "after {stop_after}"
        );
    }
}

#[test]
fn a_tier_of_several_blocks_goes_on_from_those_that_are_there() {
    let game = game("A2-A2B2", Reading::Official);
    let expected = gobprove::closure::cut(&solved(&game, None)).expect("a cut").encode();
    let dir = tempfile::tempdir().expect("a directory");
    let mut working = opened(dir.path(), &game);
    working.set_block_words(3);
    solved(&game, Some(&mut working));
    let files = blocks(dir.path());
    for path in files.iter().step_by(2) {
        fs::remove_file(path).expect("removed");
    }
    let mended = solved(&game, Some(&mut working));
    assert_eq!(gobprove::closure::cut(&mended).expect("a cut").encode(), expected);
    assert_eq!(blocks(dir.path()).len(), files.len(), "all are there again");
    let mut finished = 0;
    let again = solve(&game, Seed::Rules, Some(&mut working), &mut |at| {
        finished += usize::from(at.round.is_none());
        ControlFlow::Continue(())
    });
    assert_eq!(again.expect("solved").rounds(), mended.rounds(), "what is finished takes no round");
    let tiers = files.iter().filter(|path| path.to_string_lossy().ends_with("-0000.bin")).count();
    assert!(files.len() > 2 * tiers, "{} blocks of {tiers} tiers", files.len());
    assert_eq!(finished, tiers);
}

#[test]
fn a_listener_hears_how_far_each_round_is() {
    let game = game("A2B1-A2B2", Reading::Official);
    let mut heard = Vec::new();
    let listener = &mut |at| {
        heard.push(at);
        ControlFlow::Continue(())
    };
    let rounds = solve(&game, Seed::Rules, None, listener).expect("solved").rounds();
    assert_eq!(heard.last().map(|at| (at.bytes_done == at.bytes, at.round)), Some((true, None)));
    let of_rounds: Vec<Round> = heard.iter().filter_map(|at| at.round).collect();
    let tier = |one: &Round, next: &Round| one.tier == next.tier;
    for tier in of_rounds.chunk_by(tier) {
        let rounds: Vec<&[Round]> = tier.chunk_by(|one, next| one.finished == next.finished).collect();
        for (finished, round) in rounds.iter().enumerate() {
            assert!(round.is_sorted_by_key(|at| at.rows_done), "{round:?}");
            assert!(round.iter().all(|at| at.finished as usize == finished && at.rows == round[0].rows));
            assert_eq!(round.last().map(|at| at.rows_done), Some(round[0].rows));
        }
        // The first goes over each row three times, the second twice; from there on only over what may have changed.
        assert!(rounds.get(1).is_none_or(|second| second[0].rows * 3 == rounds[0][0].rows * 2));
        assert!(rounds.iter().skip(2).all(|later| later[0].rows <= rounds[1][0].rows));
    }
    assert_eq!(of_rounds.iter().map(|at| at.finished + 1).max(), Some(rounds));
}

#[test]
fn a_working_directory_belongs_to_one_run_of_one_game() {
    let game = game("A2-A2B2", Reading::Official);
    let other = Game { reading: Reading::Robust, ..game };
    let dir = tempfile::tempdir().expect("a directory");
    let working = opened(dir.path(), &game);
    let open = |game, fresh| Checkpoint::<SavedTiers>::open(dir.path(), game, Seed::Rules, fresh);
    let second = open(&game, false);
    assert!(matches!(second, Err(WorkingError::Locked(_))), "{second:?}");
    drop(working);
    let foreign = open(&other, false);
    assert!(matches!(foreign, Err(WorkingError::Foreign { .. })), "{foreign:?}");
    open(&other, true).expect("--fresh discards what was there");
}

#[test]
fn a_damaged_working_file_is_refused() {
    let game = game("A2-A2B2", Reading::Official);
    let dir = tempfile::tempdir().expect("a directory");
    let mut working = opened(dir.path(), &game);
    solved(&game, Some(&mut working));
    drop(working);
    for path in blocks(dir.path()).into_iter().step_by(5) {
        let whole = fs::read(&path).expect("a block");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        for damaged in [&whole[..whole.len() - 1], &flipped] {
            fs::write(&path, damaged).expect("written");
            let solved = solve(&game, Seed::Rules, Some(&mut opened(dir.path(), &game)), &mut |_| {
                ControlFlow::Continue(())
            });
            let told = solved.err().expect("refused").to_string();
            assert!(told.contains("damaged") && told.contains("its tier is solved again"), "{told}");
        }
        fs::write(&path, &whole).expect("written");
    }
}

/// What is done stays as it is on disk, whatever becomes of the tier in work.
#[test]
fn a_finished_tier_is_written_once() {
    let game = game("A2-A2B2", Reading::Official);
    let dir = tempfile::tempdir().expect("a directory");
    let mut working = opened(dir.path(), &game);
    working.set_interval(Duration::ZERO);
    let (mut before, mut finished, mut rewritten) = (Vec::new(), 0, 0);
    let listener = &mut |at: gobprove::passes::FixpointProgress| {
        let now = blocks(dir.path());
        match at.round {
            // The blocks of finished tiers, and none of the tier that they were part of on its way.
            None => {
                finished += 1;
                assert_eq!(now.len(), finished);
                assert!(before.iter().all(|path| now.contains(path)), "{now:?}");
                before = now;
            }
            // Those, and one more for the tier in work at most.
            Some(_) => {
                assert!(before.iter().all(|path| now.contains(path)) && now.len() <= finished + 1, "{now:?}");
                rewritten += usize::from(now.len() > finished);
            }
        }
        ControlFlow::Continue(())
    };
    solve(&game, Seed::Rules, Some(&mut working), listener).expect("solved");
    assert_eq!(finished, Tiers::new(game.variant).as_slice().len());
    assert!(rewritten > 20, "{rewritten}");
}

#[test]
fn what_the_passes_make_is_verified_under_every_reading() {
    for reading in Reading::ALL {
        let game = game("A2-A2B2", reading);
        let solution = solved(&game, None);
        assert!(solution.white_holds());
        let canonical = gobprove::enumerate::census::variant(game.variant).canonical;
        assert_eq!(u128::from(verify(&gobprove::closure::cut(&solution).expect("a cut"))), 2 * canonical);
        let closure = gobprove::closure::closure(&solution, &Weights::default()).expect("White holds");
        let set = &closure.black_to_move;
        assert_eq!(verify(&closure), set.len());
        assert!(set.len() * 10 < canonical as u64, "White keeps to few positions");
    }
}

#[test]
fn where_white_loses_there_is_no_closure_and_the_cut_breaks_k1() {
    let game = game("A1-A3B1", Reading::Official);
    let solution = solved(&game, None);
    assert!(!solution.white_holds());
    assert_eq!(gobprove::closure::closure(&solution, &Weights::default()), None);
    let threads = NonZeroUsize::MIN;
    let refused =
        checker::check(&gobprove::closure::cut(&solution).expect("a cut").encode(), threads, &|_, _| ());
    let Err(checker::Refusal::Condition(breach)) = refused else { panic!("{refused:?}") };
    assert_eq!(breach.condition, checker::Condition::K1);
}

#[test]
fn the_thesis_seed_gives_a_valid_cut_of_ab_with_more_lost() {
    let game = game("ab", Reading::Official);
    let over_rules = solved(&game, None);
    let over_thesis =
        solve(&game, Seed::Thesis, None, &mut |_| ControlFlow::Continue(())).expect("nothing breaks it off");
    for turn in Color::ALL {
        assert!(over_thesis.lost_count(turn).positions > over_rules.lost_count(turn).positions);
        assert!(over_thesis.lost_count(turn).canonical > over_rules.lost_count(turn).canonical);
    }
    assert!(over_thesis.white_holds());
    verify(&gobprove::closure::cut(&over_thesis).expect("a cut"));
}

#[test]
fn a_closure_that_is_broken_off_is_none_and_says_how_far_it_came() {
    let game = game("A3-A3B2", Reading::Official);
    let solution = solved(&game, None);
    let whole = gobprove::closure::closure(&solution, &Weights::default()).expect("White holds");
    let mut heard = Vec::new();
    let broken = gobprove::closure::closure_watched(&solution, &Weights::default(), &mut |making| {
        let Making::Growing(growth) = making else { panic!("it grows") };
        heard.push(growth);
        if heard.len() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(broken.is_none(), "broken off");
    assert_eq!(heard.len(), 10, "it is not asked again");
    assert!(heard.windows(2).all(|pair| pair[0].positions <= pair[1].positions), "{heard:?}");
    assert!(heard.iter().all(|growth| growth.open <= growth.positions), "{heard:?}");
    // What was broken off leaves nothing behind.
    assert_eq!(gobprove::closure::closure(&solution, &Weights::default()), Some(whole));
}

#[test]
fn what_is_foretold_is_what_is_taken() {
    let disciplines = [
        ("A2-A2B2C1", ""),
        ("A2B1-A2B2", ""),
        ("A2B1-A2B2", "A=1"),
        ("A2-A2B2C1", "a=1,c=0"),
        ("A2-A2B2C1", "b=1/1/0/0"),
    ];
    for (variant, discipline) in disciplines {
        let game = game(variant, Reading::Official);
        let discipline: Discipline = discipline.parse().expect("a discipline");
        let table = bytes_of_table(game.variant, discipline);
        for (keep, on_disk) in [Keep::All, Keep::Needed].map(|keep| [(keep, false), (keep, true)]).concat() {
            let dir = tempfile::tempdir().expect("a directory");
            let open = || Checkpoint::open_within(dir.path(), &game, Seed::Rules, &discipline, false);
            let mut working = on_disk.then(|| open().expect("opened"));
            let solved =
                solve_within(&game, discipline, keep, working.as_mut(), &mut |_| ControlFlow::Continue(()));
            let most = u128::from(solved.expect("solved").bytes()) + table;
            assert_eq!(most, bytes_within(game.variant, discipline, keep, on_disk), "{variant} {keep:?}");
        }
    }
}

#[test]
fn what_is_needed_only_is_counted_like_all_of_it() {
    let disciplines = [("A2-A2B2C1", ""), ("A2B1-A2B1", ""), ("A2B1-A2B2", "A=1"), ("A2-A2B2C1", "a=1,c=0")];
    for (variant, discipline) in disciplines {
        let game = game(variant, Reading::Official);
        let discipline: Discipline = discipline.parse().expect("a discipline");
        let solved = |keep, saving: Saving<'_>| {
            solve_within(&game, discipline, keep, saving, &mut |_| ControlFlow::Continue(())).expect("solved")
        };
        let all = solved(Keep::All, None);
        let dir = tempfile::tempdir().expect("a directory");
        let open =
            || Checkpoint::open_within(dir.path(), &game, Seed::Rules, &discipline, false).expect("opened");
        let on_disk = |keep| solved(keep, Some(&mut open()));
        let in_files = || {
            let dir = tempfile::tempdir().expect("a directory");
            let open = Checkpoint::open_within(dir.path(), &game, Seed::Rules, &discipline, false);
            solved(Keep::Mapped, Some(&mut open.expect("opened")))
        };
        // What the last two find on disk is all there is to do.
        let needed = [
            solved(Keep::Needed, None),
            in_files(),
            on_disk(Keep::Needed),
            on_disk(Keep::Needed),
            on_disk(Keep::Mapped),
        ];
        for (place, needed) in needed.iter().enumerate() {
            assert_eq!(needed.outcomes(), all.outcomes(), "{variant} {discipline} {place}");
            assert_eq!(needed.rounds(), all.rounds(), "{variant} {discipline} {place}");
            assert_eq!(needed.white_holds(), all.white_holds(), "{variant} {discipline} {place}");
            assert!(needed.bytes() < all.bytes(), "{variant} {discipline} {place}: {}", needed.bytes());
        }
    }
}

#[test]
fn a_run_that_keeps_what_is_needed_goes_on_where_another_was_broken_off() {
    let game = game("A2-A2B2C1", Reading::Official);
    let dir = tempfile::tempdir().expect("a directory");
    let run = |keep, most: u32| {
        let mut working = opened(dir.path(), &game);
        let mut heard = 0;
        solve_within(&game, Discipline::FREE, keep, Some(&mut working), &mut |_| {
            heard += 1;
            if heard < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    };
    let mut broken = 0;
    let solution = loop {
        // By turns with one that keeps all, which leaves the sets with Black to move to be found again.
        let keep = [Keep::Needed, Keep::All, Keep::Mapped, Keep::All][broken as usize % 4];
        match run(keep, 7 * (broken + 1)) {
            Ok(solution) => break solution,
            Err(FixpointError::Interrupted) => broken += 1,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(broken > 3, "{broken}");
    assert_eq!(solution.outcomes(), solved(&game, None).outcomes());
}

/// Where a block is missing a row may hold less than one that symmetry makes equal to it.
#[test]
fn what_missing_blocks_held_is_found_again_with_black_to_move_too() {
    let mut removed = 0;
    for (variant, block_words, step) in [("A2-A2B2", 3, 2), ("A2B1-A2B1", 3, 3), ("A2-A2B2C1", 50, 2)] {
        let game = game(variant, Reading::Official);
        let needed = |saving: Saving<'_>| {
            solve_within(&game, Discipline::FREE, Keep::Needed, saving, &mut |_| ControlFlow::Continue(()))
                .expect("solved")
                .outcomes()
        };
        let dir = tempfile::tempdir().expect("a directory");
        let mut working = opened(dir.path(), &game);
        working.set_block_words(block_words);
        let expected = needed(Some(&mut working));
        for path in blocks(dir.path()).iter().step_by(step) {
            fs::remove_file(path).expect("removed");
            removed += 1;
        }
        assert_eq!(needed(Some(&mut working)), expected, "{variant} {block_words} {step}");
    }
    assert!(removed > 300, "{removed}");
}

/// The set that is read in order is mapped then, and the first round of a tier is gone on with in its middle.
#[test]
fn a_run_that_keeps_what_is_needed_goes_on_from_every_call() {
    let game = game("A2-A2B2", Reading::Official);
    let solved = |saving: Saving<'_>, stop_after: usize| {
        let mut calls = 0;
        let solution = solve_within(&game, Discipline::FREE, Keep::Needed, saving, &mut |_| {
            calls += 1;
            if calls == stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        solution.map(|solution| (solution.outcomes(), calls))
    };
    let (expected, calls) = solved(None, usize::MAX).expect("solved");
    assert!(calls > 30, "{calls}");
    for stop_after in (1..calls).step_by(if thorough() { 7 } else { 17 }) {
        let dir = tempfile::tempdir().expect("a directory");
        let mut working = opened(dir.path(), &game);
        // Several blocks, all written at each call.
        working.set_block_words(50);
        working.set_interval(Duration::ZERO);
        assert!(matches!(solved(Some(&mut working), stop_after), Err(FixpointError::Interrupted)));
        // A second time, so that what is gone on with is broken off too.
        let again = solved(Some(&mut working), 2);
        assert!(again.is_err() || stop_after + 2 >= calls, "{stop_after}");
        // What a block held is found again.
        if let Some(old) = blocks(dir.path()).get(stop_after % 5) {
            fs::remove_file(old).expect("removed");
        }
        let (outcomes, _) = solved(Some(&mut working), usize::MAX).expect("solved");
        assert_eq!(outcomes, expected, "after {stop_after}");
    }
}
