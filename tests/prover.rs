//! The closure prover from outside: what it says against what a solve says, and what it proves against the checker.

#[path = "support/thorough.rs"]
mod thorough;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gobcheck::check as checker;
use gobprove::bitbase::Keep;
use gobprove::closure::prover::{Guide, Kept, Proved, Proving, ROUNDS, Stage, prove, prove_kept};
use gobprove::closure::{SavedValues, Values, Weights};
use gobprove::enumerate::{Discipline, Tiers, census};
use gobprove::passes::FixpointError;
use gobprove::passes::solve;
use gobprove::passes::solve_within;
use gobprove::passes::{bytes_of_answers, safe_answers};
use gobprove::prelude::*;
use gobprove::refute::{Refuting, refute, refute_in_low_memory};
use gobprove::rules::{Color, Game, Reading};
use gobprove::store::Certificate;
use gobprove::store::sha256_hex;
use gobprove::store::{Checkpoint, SavedTiers, WorkingError};
use gobprove::strategy::Seed;

use thorough::thorough;

/// For what takes long: the reading that most play, and the one that forbids the most.
fn some_readings() -> &'static [Reading] {
    if thorough() { &Reading::ALL } else { &[Reading::Official, Reading::Robust] }
}

fn game(variant: &str, reading: Reading) -> Game {
    Game::new(variant.read().expect("a variant"), reading)
}

fn proved(game: &Game, guide: Guide<'_>) -> (Option<Certificate>, Proving) {
    proved_by(game, guide, &Weights::default())
}

fn proved_by(game: &Game, guide: Guide<'_>, weights: &Weights) -> (Option<Certificate>, Proving) {
    let mut last = Proving::default();
    let proved = prove(game, guide, weights, &mut |growth| {
        if growth.stage == Stage::Growing {
            last = growth;
        }
        ControlFlow::Continue(())
    });
    match proved {
        Proved::Holds(certificate) => (Some(certificate), last),
        Proved::Lost => (None, last),
        Proved::BrokenOff => panic!("nobody breaks it off"),
    }
}

/// White prefers nothing, and so much that is good for Black.
fn clumsy() -> Weights {
    "visible-b=0,visible-c=0,visible-d=0,two=0,three=0,a-in-hand=0,a-off=0,b-off=0,small=0"
        .parse()
        .expect("weights")
}

fn verify(certificate: &Certificate) {
    let threads = NonZeroUsize::new(2).expect("not 0");
    let verified = checker::check(&certificate.encode(), threads, &|_, _| ()).expect("verified");
    assert_eq!(verified.claim, certificate.claim);
}

#[test]
fn it_comes_to_what_a_solve_says() {
    let (mut held, mut mended) = ([0; 2], 0);
    let variants = ["A1-A1", "A2-A3", "A1-A3B1", "A1-A2B2", "A2-A3B1", "A2-A3B2", "A2-A2B2", "A1B1-A3B1"];
    for variant in variants.into_iter().take(if thorough() { 8 } else { 6 }) {
        let is_small = census::variant(game(variant, Reading::Official).variant).canonical < 50_000;
        for &reading in if is_small { &Reading::ALL } else { some_readings() } {
            let game = game(variant, reading);
            let solution = solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(()));
            let solution = solution.expect("nothing breaks it off");
            let (certificate, growth) = proved(&game, Guide::Discipline(&Discipline::FREE));
            assert_eq!(certificate.is_some(), solution.white_holds(), "{variant} {reading}");
            certificate.iter().for_each(verify);
            held[usize::from(certificate.is_some())] += 1;
            assert!(growth.lost > 0 || certificate.is_some());
            let (certificate, growth) = proved_by(&game, Guide::Discipline(&Discipline::FREE), &clumsy());
            assert_eq!(certificate.is_some(), solution.white_holds(), "{variant} {reading}");
            certificate.iter().for_each(verify);
            mended += u32::from(certificate.is_some() && growth.lost > 0);
            // Where what is safe is known, nothing is to be mended but the empty board itself.
            let (certificate, growth) = proved(&game, Guide::Values(&solution));
            assert_eq!(certificate.is_some(), solution.white_holds(), "{variant} {reading}");
            certificate.iter().for_each(verify);
            assert!(growth.lost <= u64::from(certificate.is_none()), "{variant} {reading}: {growth:?}");
        }
    }
    assert!(held.iter().all(|&count| count > 0) && mended > 0, "{held:?}, {mended} mended");
}

#[test]
fn what_a_finished_solve_left_on_disk_is_enough() {
    let game = game("A3-A2B2", Reading::Official);
    let discipline: Discipline = "A=2".parse().expect("a discipline");
    let dir = tempfile::tempdir().expect("a directory");
    let mut working =
        Checkpoint::open_within(dir.path(), &game, Seed::Rules, &discipline, false).expect("opened");
    let answers_of = |working: &Checkpoint<SavedTiers>| {
        safe_answers(&game, discipline, working, &mut || ControlFlow::Continue(()))
    };
    answers_of(&working).err().expect("nothing is solved yet");
    let go_on = &mut |_| ControlFlow::Continue(());
    let solution = solve_within(&game, discipline, Keep::All, Some(&mut working), go_on).expect("solved");
    answers_of(&working).err().expect("Black's side was not kept");
    SavedValues::new(&game, discipline, working, u128::MAX).err().expect("nor here");
    let mut working =
        Checkpoint::open_within(dir.path(), &game, Seed::Rules, &discipline, true).expect("opened");
    answers_of(&working).err().expect("what was there is discarded");
    solve_within(&game, discipline, Keep::Needed, Some(&mut working), go_on).expect("solved");
    let answers = answers_of(&working).expect("finished");
    let broken_off = safe_answers(&game, discipline, &working, &mut || ControlFlow::Break(()));
    assert!(matches!(broken_off, Err(FixpointError::Interrupted)));
    assert!(answers.bytes() < solution.bytes());
    let [by_disk, by_memory] = [&answers, &solution].map(|values| proved(&game, Guide::Values(values)).0);
    assert!(by_disk.is_some() && by_disk == by_memory);
    // Tier by tier they take less memory, and White answers alike.
    let by_tier = SavedValues::new(&game, discipline, working, u128::MAX).expect("finished");
    // Reading them is broken off where somebody asks for that, which is no failure, and what is half read is read again.
    let mut entered = (0..12).map(|tier| by_tier.enter(tier, &mut || ControlFlow::Break(())));
    assert!(entered.any(|entered| entered.is_break()) && by_tier.failed().is_none());
    assert_eq!(proved(&game, Guide::Values(&by_tier)).0, by_disk);
    assert!(by_tier.failed().is_none());
    let in_memory = |room| SavedValues::bytes(game.variant, discipline, room);
    assert!(in_memory(u128::MAX) < bytes_of_answers(game.variant, discipline));
    // Nor does it matter if values lie in files, all of them or the larger ones.
    drop(by_tier);
    let mut rooms = [in_memory(u128::MAX) / 2, 0].into_iter().map(|room| {
        let working = Checkpoint::open_within(dir.path(), &game, Seed::Rules, &discipline, false);
        let by_tier = SavedValues::new(&game, discipline, working.expect("opened"), room).expect("finished");
        assert_eq!(proved(&game, Guide::Values(&by_tier)).0, by_disk);
        assert!(by_tier.failed().is_none() && in_memory(room) < in_memory(u128::MAX));
        by_tier
    });
    drop(rooms.next());
    let by_tier = rooms.next().expect("two rooms");
    // A file that is missing by now breaks the proof off, and is told of.
    let mut blocks: Vec<PathBuf> = fs::read_dir(dir.path())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().contains("block-"))
        .collect();
    blocks.sort();
    blocks.iter().for_each(|path| fs::remove_file(path).expect("removed"));
    let broken_off =
        prove(&game, Guide::Values(&by_tier), &Weights::default(), &mut |_| ControlFlow::Continue(()));
    assert!(matches!(broken_off, Proved::BrokenOff));
    let why = by_tier.failed().expect("told of").to_string();
    assert!(why.contains("is not solved"), "{why}");
    for position in by_disk
        .iter()
        .filter_map(|closure| closure.listed(Color::Black))
        .flat_map(|set| set.positions(Color::Black))
    {
        assert!(discipline.allows(&position), "{position}");
    }
}

#[test]
fn a_search_leads_to_what_is_known_where_a_discipline_is_too_strict() {
    for &reading in some_readings() {
        let game = game("ab", reading);
        let [strict, wide] = ["A=1", "A=2"].map(|text| text.parse::<Discipline>().expect("a discipline"));
        let known = solve_within(&game, strict, Keep::All, None, &mut |_| ControlFlow::Continue(()));
        let known = known.expect("solved");
        assert!(!known.white_holds(), "too strict");
        assert!(proved(&game, Guide::Values(&known)).0.is_none());
        let closure = proved(&game, Guide::Beyond(&known, &wide)).0.expect("White holds");
        verify(&closure);
        let members = closure.listed(Color::Black).expect("a closure");
        let of =
            |safe: bool| members.positions(Color::Black).filter(|next| known.is_lost(next) != safe).count();
        assert!(of(true) > 1000 && of(false) > 1000, "{} known and {} found", of(true), of(false));
        assert!(members.positions(Color::Black).all(|next| wide.allows(&next)));
        // Beyond what is too strict as well there is nothing.
        assert!(proved(&game, Guide::Beyond(&known, &strict)).0.is_none());
    }
}

#[test]
fn threads_make_no_difference() {
    for (variant, weights) in [("ab", Weights::default()), ("A2-A3B2", clumsy())] {
        let game = game(variant, Reading::Robust);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| proved_by(&game, Guide::Discipline(&Discipline::FREE), &weights))
        };
        let (one, growth) = on(1);
        let (four, other) = on(4);
        assert!(one.is_some() && one == four && growth == other, "{growth:?} {other:?}");
        assert_eq!(growth.lost > 0, variant != "ab", "{growth:?}");
    }
}

#[test]
fn where_values_hold_no_way_to_them_is_looked_for() {
    let game = game("A3-A3B1", Reading::Official);
    let known = solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    let way = |growth: &Proving| growth.stage == Stage::Way;
    let (mut on_the_way, mut beyond) = (0, 0);
    let free = Discipline::FREE;
    let mut bytes = [0; 3];
    let closure = prove(&game, Guide::Beyond(&known, &free), &Weights::default(), &mut |growth| {
        let stage = match growth.stage {
            Stage::Way => 0,
            Stage::Growing => 1,
            Stage::Round(_) => 2,
        };
        if bytes[stage] == 0 {
            bytes[stage] = growth.bytes;
        }
        on_the_way = on_the_way.max(if way(&growth) { growth.positions } else { 0 });
        beyond += u32::from(!way(&growth));
        ControlFlow::Continue(())
    });
    let Proved::Holds(closure) = closure else { panic!("White holds") };
    // The empty board with Black to move is there from the start.
    assert!(on_the_way == 1 && beyond > 1, "{on_the_way} {beyond}");
    assert_eq!(Some(closure), proved(&game, Guide::Values(&known)).0);
    // What grew before is in memory still, and is counted.
    assert!(bytes[1..].iter().all(|&later| 2 * later > 3 * bytes[0]), "{bytes:?}");
}

#[test]
fn it_can_be_broken_off_at_any_time() {
    let game = game("A2-A3B1", Reading::Official);
    let mut calls = 0;
    let all = prove(&game, Guide::Discipline(&Discipline::FREE), &Weights::default(), &mut |_| {
        calls += 1;
        ControlFlow::Continue(())
    });
    assert!(matches!(all, Proved::Holds(_)) && calls > 10, "{calls}");
    for stop in [1, 2, calls / 2, calls - 1] {
        let mut heard = 0;
        let broken = prove(&game, Guide::Discipline(&Discipline::FREE), &Weights::default(), &mut |_| {
            heard += 1;
            if heard == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(broken, Proved::BrokenOff) && heard == stop, "{stop}");
    }
}

/// Proves in a directory, a run after the other, each of which breaks it off after a number of questions; how
/// far each came.
fn proved_in_parts(
    game: &Game,
    guide: Guide<'_>,
    weights: &Weights,
    each: u64,
    every: Duration,
) -> (Option<Certificate>, Vec<Proving>) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut ends = Vec::new();
    loop {
        let mut kept = Kept::open(dir.path(), game, guide.choice(), weights, false).expect("opened");
        kept.set_interval(every);
        // Several blocks.
        kept.set_block_words(300);
        let mut heard = 0;
        let proved = prove_kept(game, guide, weights, ROUNDS, &mut kept, &mut |growth| {
            heard += 1;
            if let (1, Some(last)) = (heard, ends.last().filter(|last: &&Proving| last.stage == growth.stage))
            {
                assert_eq!(growth.at, last.at, "the tier is told from the start");
            }
            if heard <= each {
                return ControlFlow::Continue(());
            }
            ends.push(growth);
            ControlFlow::Break(())
        });
        match proved.expect("kept") {
            Proved::Holds(certificate) => {
                kept.remove().expect("removed");
                assert!(!dir.path().exists(), "nothing is left of it");
                return (Some(certificate), ends);
            }
            Proved::Lost => return (None, ends),
            Proved::BrokenOff => assert!(ends.len() < 1000, "it gets on"),
        }
    }
}

#[test]
fn a_proof_goes_on_where_it_was_broken_off() {
    let small = game("A2-A3B1", Reading::Official);
    let known = "A=0/2/2/2".parse::<Discipline>().expect("a discipline");
    let known = solve_within(&small, known, Keep::All, None, &mut |_| ControlFlow::Continue(()));
    let known = known.expect("solved");
    assert!(!known.white_holds(), "so that a way is looked for");
    let all = solve(&small, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    let free = Discipline::FREE;
    // One that mends much before it comes out lost.
    let lost = game("A1B1-A3B1", Reading::Official);
    let (never, always) = (Duration::MAX, Duration::ZERO);
    // To keep it at each call takes long, since each waits for the disk.
    let both = [never, always];
    let some = if thorough() { &both[..] } else { &[never] };
    for (game, guide, weights, each, kept_every) in [
        (&small, Guide::Discipline(&free), Weights::default(), 100, &both[..]),
        (&small, Guide::Beyond(&known, &free), Weights::default(), 100, some),
        (&small, Guide::Values(&all), Weights::default(), 100, some),
        (&lost, Guide::Discipline(&free), clumsy(), 300, &[never]),
    ] {
        let (whole, growth) = proved_by(game, guide, &weights);
        assert_eq!(growth.lost > 100, whole.is_none(), "{growth:?}");
        for &every in kept_every {
            let (parts, ends) = proved_in_parts(game, guide, &weights, each, every);
            assert!(parts == whole, "{}", game.variant);
            assert!(ends.len() > 2, "{} {ends:?}", game.variant);
            let stage = |growth: &Proving| match growth.stage {
                Stage::Way => 0,
                Stage::Growing => 1,
                Stage::Round(round) => 1 + round,
            };
            let order = |growth: &Proving| (stage(growth), growth.expanded);
            assert!(ends.is_sorted_by(|one, next| order(one) < order(next)), "{ends:?}");
            let tiers = Tiers::new(game.variant);
            let at = ends.iter().filter_map(|growth| growth.at);
            let numbers: Vec<usize> = at
                .inspect(|at| {
                    assert_eq!((tiers.as_slice()[at.number - 1], tiers.as_slice().len()), (at.tier, at.of))
                })
                .map(|at| at.number)
                .collect();
            assert!(numbers.is_sorted(), "tiers come in order: {numbers:?}");
            assert_eq!(
                numbers.is_empty(),
                matches!(guide, Guide::Discipline(_)),
                "known values bring an order"
            );
        }
    }
}

#[test]
fn what_is_kept_is_for_one_proof_and_refused_if_it_is_damaged() {
    let game = game("A2-A3B1", Reading::Official);
    let (free, weights) = (Discipline::FREE, Weights::default());
    let guide = Guide::Discipline(&free);
    let dir = tempfile::tempdir().expect("a directory");
    let open = |guide: Guide<'_>, weights| Kept::open(dir.path(), &game, guide.choice(), weights, false);
    let on = |most: u64| {
        let mut kept = open(guide, &weights)?;
        let mut heard = 0;
        prove_kept(&game, guide, &weights, ROUNDS, &mut kept, &mut |_| {
            heard += 1;
            if heard > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    };
    assert!(matches!(on(60), Ok(Proved::BrokenOff)));
    let (strict, clumsy) = ("A=2".parse().expect("a discipline"), clumsy());
    let known = solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved");
    for (guide, weights) in [
        (Guide::Discipline(&strict), &weights),
        (guide, &clumsy),
        (Guide::Values(&known), &weights),
        (Guide::Beyond(&known, &free), &weights),
    ] {
        assert!(matches!(open(guide, weights), Err(WorkingError::Foreign { .. })));
    }
    for (variant, reading) in [("A2-A3B1", Reading::Robust), ("A3-A3B1", Reading::Official)] {
        let other = Game::new(variant.read().expect("a variant"), reading);
        let opened = Kept::open(dir.path(), &other, guide.choice(), &weights, false);
        assert!(matches!(opened, Err(WorkingError::Foreign { .. })));
    }
    let identity = fs::read_to_string(dir.path().join("identity")).expect("text");
    assert!(identity.contains(env!("CARGO_PKG_VERSION")), "{identity}");
    let files: Vec<_> =
        fs::read_dir(dir.path()).expect("there").map(|entry| entry.expect("one").path()).collect();
    let (mut books, mut contents) = (0, 0);
    for path in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (books, contents) =
            (books + u32::from(name.starts_with("block-")), contents + u32::from(name == "manifest.bin"));
        if !name.ends_with(".bin") {
            continue;
        }
        let bytes = fs::read(&path).expect("read");
        for at in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).expect("written");
            let error = on(1).err().expect("refused").to_string();
            assert!(error.contains("damaged") && error.contains("begins anew"), "{error}");
        }
        fs::remove_file(&path).expect("removed");
        if name.starts_with("block-") {
            let error = on(1).err().expect("refused").to_string();
            assert!(error.contains(&name) && error.contains("not there"), "{error}");
        }
        fs::write(&path, bytes).expect("written");
    }
    assert!(books == 2 && contents == 1, "what is open and what is in: {books} and {contents}");
    assert!(matches!(on(u64::MAX), Ok(Proved::Holds(_))));
    // That another round helps no more is kept: nothing is asked but once, when the closure is taken up.
    assert!(matches!(on(1), Ok(Proved::Holds(_))));
}

/// The SHA-256 over names and bytes of what a working directory holds, but for the lock and what the files are for.
fn digest(dir: &Path) -> String {
    let mut files: Vec<PathBuf> =
        fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.iter().filter(|file| !file.ends_with("lock") && !file.ends_with("identity")) {
        all.extend(file.file_name().expect("a name").as_encoded_bytes());
        all.extend(fs::read(file).expect("a file"));
    }
    sha256_hex(&all)
}

/// Golden: another digest means that the grower does something else, or keeps it in another form. Then `FORM` in
/// src/closure/prover/kept.rs goes up, and the digest here is the new one. If only the list of weights is another, `FORM` can
/// stay, since the manifest names them. Where all working files are laid out in another way,
/// `LAYOUT` in src/store/working.rs goes up instead; another version of lz4_flex may do that.
#[test]
fn what_a_half_grown_closure_keeps_is_of_form_2() {
    let game = game("A2-A3B1", Reading::Official);
    let dir = tempfile::tempdir().expect("a directory");
    let (free, weights) = (Discipline::FREE, Weights::default());
    let guide = Guide::Discipline(&free);
    let mut kept = Kept::open(dir.path(), &game, guide.choice(), &weights, false).expect("opened");
    let mut heard = 0;
    let proved = prove_kept(&game, guide, &weights, ROUNDS, &mut kept, &mut |_| {
        heard += 1;
        if heard <= 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(proved, Ok(Proved::BrokenOff)));
    drop(kept);
    assert_eq!(digest(dir.path()), "c3495cf91681726e7f03f21b9f8c2837cfe1617120f2f60b3109b3814cf8554c");
}

/// Golden: another digest means that a refutation grows otherwise, or is kept in another form. Then `FORM` in
/// src/refute/grown.rs goes up, or `SLIDING_FORM` for the second digest, and the digest here is the new one. Where all working
/// files are laid out in another way, `LAYOUT` in src/store/working.rs goes up instead.
#[test]
fn what_a_half_grown_refutation_keeps_is_of_form_1() {
    let digests = [
        "aab662b9ec46c80b4e51b2aa6d26c577bdbdd5370d118302408995adcd5e69ae",
        "206e5e8e018a021311d0eb4b21d9e916537f1dd446e52c5cf48b49a8be9187d2",
    ];
    for (low_memory, expected) in [false, true].into_iter().zip(digests) {
        let game = game("A2-A3B3", Reading::Official);
        let dir = tempfile::tempdir().expect("a directory");
        let mut working = Checkpoint::open(dir.path(), &game, Seed::Rules, false).expect("opened");
        working.set_interval(Duration::ZERO);
        let mut growing = 0;
        let mut watcher = |refuting| {
            growing += u32::from(matches!(refuting, Refuting::Growing(_)));
            if growing < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let refuted = match low_memory {
            true => refute_in_low_memory(&game, Discipline::FREE, &mut working, &mut watcher),
            false => refute(&game, Discipline::FREE, Some(&mut working), &mut watcher),
        };
        assert!(matches!(refuted, Err(FixpointError::Interrupted)));
        drop(working);
        assert_eq!(digest(dir.path()), expected, "{low_memory}");
    }
}
