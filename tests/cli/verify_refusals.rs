//! `gobprove verify`: what a refusal says.

use std::fs;

use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Position, Reading};
use gobprove::store::{Certificate, PositionSet};
use serde_json::Value;

use super::certificates::{closure, closure_without, empty_cut, shipped, write};
use super::{gobprove, keys, text};

#[test]
fn k5_names_the_position_and_the_move_that_escapes() {
    let own = tempfile::tempdir().expect("a directory");
    // Without the positions of more than three visible pieces Black soon has a move that is not answered.
    let visible = |position: &Position| Color::ALL.map(|color| position.visible(color).count());
    let forged = closure_without(|position| visible(position).iter().sum::<u32>() > 3);
    let path = write(own.path(), "forged.gobcert", &forged);
    let ran = gobprove(&["verify", text(&path)]);
    ran.error(
        1,
        &[
            text(&path),
            "is rejected",
            "condition K5 does not hold",
            "the move that escapes: ",
            "\n4  ",
            "\n   a   b   c   d    Black to move\n",
            "next: ",
            "gobprove generate ab --reading official --kind closure",
        ],
    );
    let json = gobprove(&["verify", text(&path), "--json"]);
    assert_eq!(json.code, Some(1), "{json:?}");
    let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        keys(&report)[8..],
        ["positions_checked", "elapsed_s", "condition", "position", "move", "reason", "next"]
    );
    assert_eq!((&report["verdict"], &report["condition"]), (&"rejected".into(), &"K5".into()));
    assert_eq!(report["positions_checked"], Value::Null);
    // The position and the move can be read back, and the move is Black's and legal there.
    let game = closure().claim.game;
    let position = game.parse(report["position"].as_str().expect("text")).expect("a position");
    let mv = report["move"].as_str().expect("text").read().expect("a move");
    assert!(game.play(&position, mv).is_ok());
    assert!(ran.stderr.contains(&position.drawing()), "{ran:?}");
}

#[test]
fn k4_draws_the_empty_board() {
    let own = tempfile::tempdir().expect("a directory");
    let path = write(own.path(), "forged.gobcert", &closure_without(|position| position.is_empty()));
    gobprove(&["verify", text(&path)]).error(1, &["condition K4", "4  .   .   .   .\n"]);
}

#[test]
fn k2_and_k3_name_a_cuts_fault() {
    let own = tempfile::tempdir().expect("a directory");
    let path = write(own.path(), "forged.gobcert", &empty_cut("A1-A3B1"));
    let ran = gobprove(&["verify", text(&path)]);
    ran.error(1, &["--kind cut", "\n4  "]);
    assert!(ran.stderr.contains("condition K2") || ran.stderr.contains("condition K3"), "{ran:?}");
}

#[test]
fn a_closure_under_another_reading_is_judged_by_that_reading() {
    let own = tempfile::tempdir().expect("a directory");
    let closure = closure();
    let game = Game::new(closure.claim.game.variant, Reading::NoEntryCover);
    let renamed = Certificate::closure(game, closure.black_to_move);
    let path = write(own.path(), "renamed.gobcert", &renamed);
    let report = gobprove(&["verify", text(&path), "--json"]);
    let report: Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!(report["reading"], "no-entry-cover");
    assert_eq!(report["condition"], "K5", "White needed to cover from hand somewhere");
}

#[test]
fn a_file_that_claims_something_else_is_refused() {
    let path = shipped("ab-official-closure.gobcert");
    gobprove(&["verify", text(&path), "--reading", "thesis"])
        .error(1, &["ab official draw closure", "--reading thesis was asked for"]);
    gobprove(&["verify", text(&path), "--kind", "cut"]).error(1, &["--kind cut was asked for"]);
    let json = gobprove(&["verify", text(&path), "--kind", "cut", "--json"]);
    assert_eq!(json.code, Some(1));
    let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((&report["verdict"], &report["condition"]), (&"rejected".into(), &"asked".into()));
}

#[test]
fn damage_is_named() {
    let own = tempfile::tempdir().expect("a directory");
    let bytes = closure().encode();
    let altered = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    for (name, bytes, says) in [
        ("empty", Vec::new(), "the file is empty"),
        ("short", bytes[..20].to_vec(), "the file ends at 20 bytes"),
        ("cut-off", bytes[..bytes.len() - 1].to_vec(), "the file has"),
        ("longer", [&bytes[..], b"\n"].concat(), "and its header says"),
        ("foreign", b"PK\x03\x04 something zipped".to_vec(), "ZIP"),
        ("text", b"a text file, by the look of it".to_vec(), "not a certificate"),
        ("header", altered(30), "the header is damaged"),
        ("block", altered(bytes.len() / 2), "it is damaged"),
        ("version", altered(12), "version"),
    ] {
        let path = own.path().join(format!("{name}.gobcert"));
        fs::write(&path, bytes).expect("written");
        gobprove(&["verify", text(&path)]).error(1, &[text(&path), "is rejected", says, "next: "]);
        let json = gobprove(&["verify", text(&path), "--json"]);
        assert_eq!(json.code, Some(1), "{name}");
        let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
        assert_eq!(report["verdict"], "rejected", "{name}");
        let condition = report["condition"].as_str().expect("text");
        assert!(condition.starts_with("format/"), "{name}: {condition}");
        assert!(report["reason"].as_str().is_some_and(|reason| reason.contains(says)), "{report}");
    }
}

#[test]
fn a_cut_beyond_the_checker_is_neither_verified_nor_rejected() {
    let own = tempfile::tempdir().expect("a directory");
    let path = write(own.path(), "huge.gobcert", &empty_cut("abcd-full"));
    gobprove(&["verify", text(&path)]).error(3, &["cannot be checked here", "placements"]);
    let json = gobprove(&["verify", text(&path), "--json"]);
    assert_eq!(json.code, Some(3));
    let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(report["verdict"], "inconclusive");
}

#[test]
fn an_empty_closure_is_refused() {
    let own = tempfile::tempdir().expect("a directory");
    let game = closure().claim.game;
    let nothing = Certificate::closure(game, PositionSet::empty(game.variant));
    let path = write(own.path(), "nothing.gobcert", &nothing);
    gobprove(&["verify", text(&path)]).error(1, &["condition K4", "not listed"]);
}
