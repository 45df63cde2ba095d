//! What the project cites is there, and what the rules say by example is so.
//!
//! Code, tests and messages cite rules (R4), conditions (K5), forgeries (M11), crash points (C05) and readings by name.
//! `gobcheck/RULES.md` and `tests/SECURITY.md` have to have each of them. Every row below a board of RULES.md is played by
//! the slow rules of [`gobprove::rules::reference`], which share no code with the fast ones.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use gobprove::prelude::*;
use gobprove::rules::Reading;
use gobprove::rules::reference::{Judgement, Referee, Table};

const RULES: &str = include_str!("../gobcheck/RULES.md");
const SECURITY: &str = include_str!("SECURITY.md");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The first words of the headings and of the rows of tables.
fn defined() -> BTreeSet<&'static str> {
    let headings = RULES.lines().filter_map(|line| line.strip_prefix("## "));
    let rows = SECURITY.lines().filter_map(|line| line.strip_prefix("| "));
    headings.chain(rows).filter_map(|line| line.split_whitespace().next()).collect()
}

/// The texts below a folder of the project, and their paths.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !["target", "corpus"].iter().any(|name| path.ends_with(name)) {
                texts(&path, found);
            }
        } else if ["rs", "v", "md", "py", "txt"].contains(&ending) {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path, text));
        }
    }
}

fn all_texts() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let folders = [
        "src",
        "gobcheck",
        "engine",
        "junior",
        "web",
        "mpi",
        "formal",
        "tests",
        "benches",
        "fuzz",
        "certificates",
    ];
    for folder in folders {
        texts(&root().join(folder), &mut found);
    }
    let readme = root().join("README.md");
    let text = fs::read_to_string(&readme).expect("a README");
    found.push((readme, text));
    found
}

/// The names that a text cites: R or K with a number, M or C with two digits. In names of tests they are in small letters.
fn cited(text: &str) -> impl Iterator<Item = String> {
    let citation = |word: &str| {
        let (letter, digits) = word.split_at_checked(1)?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let cites = match letter {
            "R" | "K" => digits.len() <= 2,
            "M" | "C" | "m" | "c" => digits.len() == 2,
            _ => false,
        };
        (is_number && cites).then(|| word.to_uppercase())
    };
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(citation)
}

#[test]
fn whatever_is_cited_is_defined() {
    let (defined, mut citations) = (defined(), 0);
    for (path, text) in all_texts() {
        for name in cited(&text) {
            // What tests cite because it is not there.
            let is_defined = defined.contains(name.as_str()) || ["R10", "M99"].contains(&name.as_str());
            assert!(
                is_defined,
                "{} cites {name}, which neither RULES.md nor SECURITY.md has",
                path.display()
            );
            citations += 1;
        }
    }
    assert!(citations > 400, "{citations} citations found");
    assert!(cited("as R10 has it, m99_x, C1, A3B3C12").eq(["R10", "M99"]), "citations are seen");
}

#[test]
fn the_readings_of_the_program_are_those_of_the_rules() {
    let defined = defined();
    for reading in Reading::ALL {
        assert!(defined.contains(reading.tag()), "{reading} has no section");
        assert!(RULES.contains(&format!("\n| `{reading}` | ")), "{reading} is not in the table");
    }
    for (path, text) in all_texts() {
        for line in text.lines().filter(|line| line.contains("gobprove ")) {
            let Some((_, after)) = line.split_once("--reading ") else { continue };
            let tag =
                after.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default();
            let is_tag = tag.read::<Reading>().is_ok() || tag.chars().all(char::is_uppercase);
            assert!(is_tag, "{} names a reading {tag:?}", path.display());
        }
    }
}

#[test]
fn the_tests_that_cover_a_forgery_or_crash_point_are_there() {
    let texts: HashMap<PathBuf, String> = all_texts().into_iter().collect();
    for line in SECURITY.lines().filter(|line| line.starts_with("| M") || line.starts_with("| C")) {
        let name = &line[2..5];
        let files = line.rsplit(" | ").next().expect("a last cell").split('`').skip(1).step_by(2);
        let files: Vec<PathBuf> = files.map(|file| root().join(file)).collect();
        assert!(!files.is_empty() && files.iter().all(|file| file.exists()), "{line}");
        let mut covering = texts.iter().filter(|(path, _)| files.iter().any(|file| path.starts_with(file)));
        assert!(
            covering.any(|(_, text)| cited(text).any(|cited| cited == name)),
            "no test for {name}: {line}"
        );
    }
}

/// A board of the rules with the rows that follow it.
struct Example {
    drawn: Vec<&'static str>,
    position: &'static str,
    rows: Vec<&'static str>,
}

fn examples() -> Vec<Example> {
    let fences = RULES.split("```text\n").skip(1).map(|rest| rest.split("```").next().expect("a fence ends"));
    let example = |fence: &'static str| {
        let lines: Vec<&str> = fence.lines().collect();
        Example { drawn: lines[..5].to_vec(), position: lines[5], rows: lines[6..].to_vec() }
    };
    fences.map(example).collect()
}

#[test]
fn every_rule_and_reading_has_a_true_example() {
    let mut rows = 0;
    for example in examples() {
        let table = Table::parse(example.position).expect("a position");
        assert_eq!(drawing(example.position), words(&example.drawn), "{}", example.position);
        for row in &example.rows {
            check(&table, row).unwrap_or_else(|why| panic!("{row}, from {}: {why}", example.position));
            rows += 1;
        }
    }
    assert!(rows >= 40, "{rows} rows");
    for section in RULES.split("\n## R").skip(1) {
        let text = section.split("\n## ").next().expect("a section").split("\n# ").next().expect("a section");
        assert!(text.contains("```text"), "R{} has no example", &section[..1]);
    }
    // A false row would be found.
    let empty = Table::empty(true);
    for row in [
        "ab | official | A@a1 | illegal",
        "ab | official | B@a1 | play goes on",
        "ab | official | | 15 moves",
    ] {
        assert!(check(&empty, row).is_err(), "{row}");
    }
}

/// The words of a drawn board, row by row.
fn words(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// How a position is drawn.
fn drawing(position: &str) -> Vec<String> {
    let (board, side) = position.split_once(' ').expect("a side to move");
    let ranks =
        board.split('/').zip((1..=4).rev()).map(|(rank, n)| format!("{n} {}", rank.replace(',', " ")));
    let side = if side == "w" { "White" } else { "Black" };
    ranks.chain([format!("a b c d {side} to move")]).collect()
}

/// Plays a row from a position.
fn check(table: &Table, row: &str) -> Result<(), String> {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let [material, reading, moves, result] = cells[..] else { return Err("not four cells".to_owned()) };
    let [white, black] = material_of(material);
    let referee = Referee::new(white, black, reading)?;
    let problems = referee.problems(table);
    if problems.is_empty() == (result == "no position") {
        return Err(format!("{problems:?}"));
    }
    let (mut now, mut found) = (table.clone(), "play goes on".to_owned());
    for mv in moves.split_whitespace() {
        let judged = referee.moves(&now).into_iter().find(|(text, _)| text == mv).map(|(_, judged)| judged);
        match judged {
            None => found = "illegal".to_owned(),
            Some(Judgement::BlackWins) => found = "Black wins".to_owned(),
            Some(Judgement::WhiteWins) => found = "White wins".to_owned(),
            Some(Judgement::GoesOn(next)) => now = next,
        }
    }
    let holds = match result {
        "no position" => true,
        "the same position" => now == *table && !moves.is_empty(),
        "Black has won" => moves.is_empty() && referee.finished(table) == Some(Judgement::BlackWins),
        _ if moves.is_empty() => match result.split_once(" image of ") {
            Some((article, other)) => is_image(table, &Table::parse(other)?) == (article == "an"),
            None => result == format!("{} moves", referee.moves(table).len()),
        },
        _ => result == found,
    };
    if holds { Ok(()) } else { Err(format!("{found}, {} moves", referee.moves(table).len())) }
}

/// The pieces that White and Black may use, by size: spelled out or by name.
fn material_of(text: &str) -> [[u8; 4]; 2] {
    let mut named = RULES.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        (cells.len() == 5 && cells[1] == format!("`{text}`")).then(|| cells[2..4].join("-"))
    });
    let spelled = named.next_back().unwrap_or_else(|| text.to_owned());
    let mut sides = spelled.split('-').map(|side| {
        let mut counts = [0; 4];
        let letters: Vec<char> = side.chars().filter(|c| !c.is_whitespace()).collect();
        for pair in letters.chunks(2) {
            counts["ABCD".find(pair[0]).expect("a size")] = pair[1].to_digit(10).expect("a count") as u8;
        }
        counts
    });
    [sides.next().expect("White"), sides.next().expect("Black")]
}

/// Whether some permutation of the squares that maps lines to lines maps one position to the other.
fn is_image(one: &Table, other: &Table) -> bool {
    let squares = |table: &Table| -> Vec<String> {
        let text = table.to_string();
        text.split(' ').next().expect("a board").split(['/', ',']).map(str::to_owned).collect()
    };
    let (one, other) = (squares(one), squares(other));
    let symmetries = symmetries();
    assert_eq!(symmetries.len(), 32, "R1");
    symmetries.iter().any(|images| (0..16).all(|square| one[square] == other[images[square]]))
}

/// The permutations of R1, as it describes them: files and ranks rearranged, then exchanged or not.
fn symmetries() -> BTreeSet<[usize; 16]> {
    let is_permutation = |p: &[usize; 4]| (0..4).all(|x| p.contains(&x));
    let all = (0..256).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
    let mirrored = |p: &[usize; 4]| (0..4).all(|x| p[3 - x] == 3 - p[x]);
    let mut found = BTreeSet::new();
    for p in all.filter(|p| is_permutation(p) && mirrored(p)) {
        for q in [p, p.map(|x| 3 - x)] {
            found.insert(std::array::from_fn(|square| 4 * q[square / 4] + p[square % 4]));
            found.insert(std::array::from_fn(|square| 4 * p[square % 4] + q[square / 4]));
        }
    }
    found
}
