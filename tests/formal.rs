//! The rules in `formal/Rules.v`, from which everything there is proven, say what the Rust rules say: as the program
//! `rules-coq` that is extracted from them, on the perft tables and on positions at random under every reading.
//!
//! `make -C formal` builds it; `.ci/run` does that first. Where it is not built these tests say so and pass, and fail if
//! `GOBPROVE_FORMAL` is `required`. The forgeries that `formal/build/gobcheck-coq` has to refuse are judged by `.ci/run`.

mod random;
#[path = "support/thorough.rs"]
mod thorough;

use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Outcome, Position, Reading, Size, Variant};
use gobprove::symmetry;
use random::Random;
use thorough::thorough;

/// What the program answers to questions, one a line. `None` if it is not built.
fn answers(mode: &str, questions: &str) -> Option<Vec<String>> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("formal/build/rules-coq");
    if !program.exists() {
        let required = std::env::var("GOBPROVE_FORMAL").is_ok_and(|value| value == "required");
        assert!(!required, "{} is not built", program.display());
        eprintln!("SKIPPED: the rules in Coq are not built, make -C formal does; nothing is compared");
        return None;
    }
    let mut stdin = tempfile::tempfile().expect("a file");
    stdin.write_all(questions.as_bytes()).and_then(|()| stdin.rewind()).expect("written");
    let mut command = Command::new(program);
    let output = command.arg(mode).stdin(stdin).stderr(Stdio::inherit()).output().expect("it runs");
    assert!(output.status.success(), "{}", output.status);
    let lines: Vec<_> = String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), questions.lines().count(), "an answer to each question");
    Some(lines)
}

#[test]
fn perft_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let (mut questions, mut expected) = (String::new(), Vec::new());
    for entry in fs::read_dir(folder).expect("the folder of the tables") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("readable");
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (question, nodes) = line.rsplit_once(' ').expect("nodes come last");
            questions += &format!("{question}\n");
            expected.push(nodes.to_owned());
        }
    }
    assert!(expected.len() > 600, "{} lines", expected.len());
    let Some(answers) = answers("perft", &questions) else { return };
    for ((question, nodes), answer) in questions.lines().zip(expected).zip(answers) {
        assert_eq!(answer, nodes, "perft of {question}");
    }
}

/// The pieces as numbers, a number for each size: White's squares times 65,536, and Black's.
fn layers(position: &Position, sizes: usize) -> String {
    let of = |color, size| u32::from(position.pieces(color, size).0);
    let layer = |size| (of(Color::White, size) << 16 | of(Color::Black, size)).to_string();
    Size::ALL[..sizes].iter().map(|&size| layer(size)).collect::<Vec<_>>().join(" ")
}

/// Each move's value and the canonical position after it.
fn judged(game: &Game, position: &Position, sizes: usize) -> String {
    if position.finished().is_some() {
        return String::new();
    }
    let judge = |mv| match game.play_unchecked(position, mv) {
        Outcome::WhiteWins => "1:".to_owned(),
        Outcome::BlackWins => "-1:".to_owned(),
        Outcome::GoesOn(next) => format!("0:{}", layers(&symmetry::canonical(&next), sizes)),
    };
    let mut moves: Vec<String> = game.moves(position).map(judge).collect();
    moves.sort();
    moves.join(";")
}

#[test]
fn moves_from_positions_at_random() {
    let mut random = Random(0xC09);
    let variants = [("abcd-full", 4), ("abc-full", 3), ("A3B1-A3B3C1", 3), ("ab-full", 2), ("ab", 2)];
    let (mut questions, mut expected) = (String::new(), Vec::new());
    for number in 0..if thorough() { 3000 } else { 1500 } {
        let (variant, sizes) = variants[number % variants.len()];
        let variant: Variant = variant.read().expect("a variant");
        let position = match number % 3 {
            0 => random.any_position(variant),
            _ => match random.crowded_setup(variant).position(variant) {
                Ok(position) => position,
                Err(_) => continue,
            },
        };
        let side = |color| variant.material(color).counts().map(|count| count.to_string()).concat();
        let turn = if position.turn() == Color::White { "w" } else { "b" };
        for reading in Reading::ALL {
            let (white, black) = (side(Color::White), side(Color::Black));
            questions += &format!("{reading} {turn} {white} {black} {}\n", layers(&position, sizes));
            expected.push(judged(&Game::new(variant, reading), &position, sizes));
        }
    }
    let ended = |value: &str| expected.iter().filter(|moves| moves.starts_with(value)).count();
    assert!(expected.len() > 4000 && ended("-1:") > 400, "{} positions, {}", expected.len(), ended("-1:"));
    let Some(answers) = answers("moves", &questions) else { return };
    for ((question, moves), answer) in questions.lines().zip(expected).zip(answers) {
        assert_eq!(answer, moves, "moves at {question}");
    }
}
