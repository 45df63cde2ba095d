//! Memory: what may be taken is looked at first, and what the system refuses is a message and exit 4, for the
//! solver and the checker (M25, C07). The process's own limit stands in for a small machine.

use std::collections::BTreeSet;
use std::process::Command;

use gobprove::enumerate::{Ranking, Tier};
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading};
use gobprove::store::{Certificate, PositionSet};
use gobprove::symmetry::is_canonical;

use super::certificates::{empty_cut, shipped, write};
use super::{Ran, text};

/// A program with at most so much address space, in MiB; with less than [`least`] it may not even be loaded.
fn limited(mib: u64, program: &str, arguments: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    let kib = (mib << 10).to_string();
    command.args(["-c", "ulimit -v \"$1\" && shift && exec \"$@\"", "sh", &kib, program]).args(arguments);
    Ran::of(command.current_dir(std::env::temp_dir()))
}

/// Enough to load the programs, with the small certificates that they embed, and too little for most of what they do.
fn least() -> u64 {
    15
}

fn gobprove(mib: u64, arguments: &[&str]) -> Ran {
    limited(mib, text(assert_cmd::cargo::cargo_bin!("gobprove")), arguments)
}

/// A run that had too little memory said so, and nothing else.
#[track_caller]
fn refused(ran: &Ran) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{ran:?}");
    let says = ["out of memory", "of memory, and", "cannot start"];
    assert!(says.iter().any(|words| ran.stderr.contains(words)), "{ran:?}");
    assert!(ran.stderr.contains("error: ") && !ran.stderr.contains("panicked"), "{ran:?}");
}

#[test]
fn c07_solve_and_generate_without_memory_say_so() {
    let own = tempfile::tempdir().expect("a directory");
    let (out, dir) = (own.path().join("out.gobcert"), own.path().join("work"));
    for mib in [0, 12, 32, 68].map(|more| least() + more) {
        refused(&gobprove(mib, &["solve", "ab-full", "--no-file", "--quiet"]));
        refused(&gobprove(mib, &["refute", "A2B2-A3B3", "--out", text(&out), "--quiet"]));
        refused(&gobprove(
            mib,
            &["generate", "ab-full", "--out", text(&out), "--dir", text(&dir), "--quiet"],
        ));
        assert!(!out.exists(), "nothing is written that is not whole");
    }
}

#[test]
fn c07_the_limit_of_the_process_is_known_beforehand() {
    gobprove(300, &["solve", "ab-full", "--no-file"])
        .error(4, &["ab-full needs 485 MiB of memory, and ", "--memory"]);
}

#[test]
fn c07_what_a_discipline_leaves_is_not_counted_where_the_counting_takes_too_much() {
    let command = ["solve", "abcd-full", "--no-file", "--discipline", "A=2", "--memory", "1M"];
    let refused = ["abcd-full needs ", " PiB of memory, and 1024 KiB may be taken"];
    super::gobprove(&command).error(4, &refused);
    for name in ["prove", "tune"] {
        let command = [name, "abcd-full", "--values", "none", "--discipline", "A=2", "--memory", "1M"];
        super::gobprove(&command).error(4, &refused);
    }
}

#[test]
fn c07_a_run_that_ran_out_of_memory_goes_on_with_more() {
    let own = tempfile::tempdir().expect("a directory");
    let (out, plain) = (own.path().join("out.gobcert"), own.path().join("plain.gobcert"));
    let dir = own.path().join("work");
    let arguments =
        ["generate", "A3-A3B2", "--out", text(&out), "--dir", text(&dir), "--quiet", "--threads", "1"];
    let mut failed = 0;
    for mib in (least()..).step_by(8) {
        let ran = gobprove(mib, &arguments);
        if ran.code == Some(0) {
            break;
        }
        refused(&ran);
        failed += 1;
    }
    assert!(failed > 0, "the least limit is too much");
    super::gobprove(&["generate", "A3-A3B2", "--out", text(&plain), "--quiet"]).ok();
    let read = |path| std::fs::read(path).expect("readable");
    assert!(read(&out) == read(&plain), "the bytes of a run with memory enough");
}

#[test]
fn m25_verify_without_memory_never_verifies() {
    let gobcheck = crate::gobcheck_bin::gobcheck();
    let mut met = [0; 2];
    for name in ["ab-official-closure.gobcert", "ab-official-cut.gobcert"] {
        let path = shipped(name);
        for mib in [0, 8, 12, 16, 24, 32, 64, 96].map(|more| least() + more) {
            for ran in [
                gobprove(mib, &["verify", text(&path), "--quiet", "--threads", "2"]),
                limited(mib, text(gobcheck), &[text(&path)]),
            ] {
                let verified = ran.code == Some(0);
                if verified {
                    assert!(ran.stdout.starts_with("s VERIFIED ab official draw "), "{ran:?}");
                } else {
                    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{mib} MiB: {ran:?}");
                    assert!(ran.stderr.contains("memory"), "{ran:?}");
                }
                met[usize::from(verified)] += 1;
            }
        }
    }
    println!("m25: {} runs with too little memory, {} with enough", met[0], met[1]);
    assert!(met.iter().all(|&runs| runs > 4), "{met:?}");
}

/// Other threads may set addresses apart that a limited process then lacks.
#[test]
fn m25_gobcheck_works_with_fewer_threads_where_addresses_are_short() {
    let gobcheck = crate::gobcheck_bin::gobcheck();
    for mib in (64..=128).step_by(8) {
        let ran = limited(mib, text(gobcheck), &[text(&shipped("ab-official-closure.gobcert"))]);
        assert_eq!(ran.ok(), "s VERIFIED ab official draw closure\n", "{mib} MiB");
    }
}

#[test]
fn m25_a_cut_that_is_too_large_to_be_judged_needs_no_memory() {
    let own = tempfile::tempdir().expect("a directory");
    let huge = write(own.path(), "huge.gobcert", &empty_cut("abcd-full"));
    limited(64, text(crate::gobcheck_bin::gobcheck()), &[text(&huge)])
        .error(3, &["cannot be checked here: cuts are checked up to"]);
}

/// How many positions a dense certificate has, besides the empty board: a table with 2¹⁹ places is seven eighths full with
/// one less, and takes most for each position when it has just grown.
const POSITIONS: usize = 458_753;

/// The positions of a tier that a certificate may list, in the order of their ranks.
fn listable(tier: Tier, turn: Color) -> impl Iterator<Item = Position> {
    let ranking = Ranking::new(tier);
    let positions = (0..ranking.len()).map_while(move |rank| ranking.unrank(rank, turn));
    positions.filter(|position| is_canonical(position) && position.finished().is_none())
}

/// With some limits of memory a dense certificate is rejected, with lower ones there is no verdict. Its empty board lets it
/// go through every buffer of the checker before it turns out to prove nothing.
#[track_caller]
fn asked_for_beforehand(bytes: &[u8]) {
    assert!(bytes.len() < POSITIONS * 11 / 10, "{}", bytes.len());
    let own = tempfile::tempdir().expect("a directory");
    let path = own.path().join("dense.gobcert");
    std::fs::write(&path, bytes).expect("written");
    let mut codes = BTreeSet::new();
    for mib in (0..96).step_by(8).map(|more| least() + more) {
        let ran = limited(mib, text(crate::gobcheck_bin::gobcheck()), &[text(&path)]);
        let says = if ran.code == Some(1) { "is rejected" } else { "memory" };
        assert!([Some(1), Some(4)].contains(&ran.code) && ran.stderr.contains(says), "{mib} MiB: {ran:?}");
        assert!(!ran.stderr.contains("the empty board with"), "{ran:?}");
        codes.extend(ran.code);
    }
    assert_eq!(codes.len(), 2, "{codes:?}");
}

/// A game under the official reading, and a set of it: the empty board and the first positions of a tier.
fn dense(variant: &str, tier: Tier, turn: Color) -> (Game, PositionSet) {
    let game = Game::new(variant.read().expect("a variant"), Reading::Official);
    let positions = std::iter::once(Position::empty(turn)).chain(listable(tier, turn).take(POSITIONS));
    (game, PositionSet::from_positions(game.variant, positions))
}

#[test]
fn m25_what_a_dense_refutation_takes_is_asked_for_beforehand() {
    let (game, set) = dense("ab", Tier([[3, 0, 0, 0], [3, 3, 0, 0]]), Color::White);
    asked_for_beforehand(&Certificate::refutation(game, set).encode());
}

/// Then the checker's table of groups has an entry for nearly each position.
#[test]
fn m25_a_dense_refutation_whose_positions_share_no_white_pieces() {
    let (game, set) = dense("A3B3C3-A1", Tier([[3, 3, 3, 0], [1, 0, 0, 0]]), Color::White);
    asked_for_beforehand(&Certificate::refutation(game, set).encode());
}

/// No black piece is on the board, so all 32 symmetries leave Black's side as it is.
#[test]
fn m25_a_dense_closure_without_black_pieces() {
    let (game, set) = dense("A3B3C3-A1", Tier([[3, 3, 3, 0], [0; 4]]), Color::Black);
    asked_for_beforehand(&Certificate::closure(game, set).encode());
}
