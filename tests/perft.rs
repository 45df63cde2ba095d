//! Perft tables: how many moves there are some plies below a position, for both implementations of the
//! rules.
//!
//! The oracle is the data, one line a count: white material, black material, reading, side to move, board,
//! depth, nodes. The slow twin made the numbers and a separate program cross-checked them, so they bind the
//! twin as much as the bitboards, with which neither shares code.

use std::fs;
use std::path::{Path, PathBuf};

use gobprove::enumerate::perft;
use gobprove::prelude::*;
use gobprove::rules::reference::{Referee, Table};
use gobprove::rules::{Game, Material, Reading, Variant};

/// Above this many nodes a line is left to the bitboards; the twin makes about a million a second.
const TWIN_NODES: u128 = 25_000;

/// One line of a table.
#[derive(Debug)]
struct Entry {
    game: Game,
    position: String,
    depth: u32,
    nodes: u128,
}

impl Entry {
    /// Reads a line; `None` if anything in it is not as it should be, or anything is left over.
    fn read(line: &str) -> Option<Entry> {
        let mut columns = line.split(' ');
        let mut next = || columns.next();
        let variant =
            Variant { white: next()?.read::<Material>().ok()?, black: next()?.read::<Material>().ok()? };
        let reading = next()?.read::<Reading>().ok()?;
        let turn = next()?;
        let position = format!("{} {turn}", next()?);
        let depth = next()?.parse().ok()?;
        let nodes = next()?.parse().ok()?;
        next().is_none().then_some(Entry { game: Game::new(variant, reading), position, depth, nodes })
    }

    fn bitboards(&self) -> u128 {
        let position = self.game.parse(&self.position).expect("a position of the variant");
        perft(&self.game, &position, self.depth)
    }

    fn twin(&self) -> u128 {
        let Variant { white, black } = self.game.variant;
        let referee = Referee::new(white.counts(), black.counts(), self.game.reading.tag()).expect("a game");
        let table = Table::parse(&self.position).expect("a table");
        assert_eq!(referee.problems(&table), Vec::<String>::new(), "{}", self.position);
        u128::from(referee.perft(&table, self.depth))
    }
}

/// The lines of a table that are no comment; the first one that cannot be read, as an error.
fn read(text: &str) -> Result<Vec<Entry>, String> {
    let entries: Vec<Entry> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| Entry::read(line).ok_or_else(|| format!("unreadable: {line}")))
        .collect::<Result<_, _>>()?;
    if entries.is_empty() { Err("no line at all".to_owned()) } else { Ok(entries) }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let entries = fs::read_dir(folder).expect("the folder of the tables");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "perft")).collect()
}

fn tables() -> Vec<(PathBuf, Vec<Entry>)> {
    let load = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("readable");
        let entries = read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, entries)
    };
    files().into_iter().map(load).collect()
}

#[test]
fn the_bitboards_agree_with_every_line() {
    let mut checked = 0;
    for (path, entries) in tables() {
        for entry in entries {
            assert_eq!(entry.bitboards(), entry.nodes, "{}: {entry:?}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 600, "{checked} lines");
}

#[test]
fn the_twin_agrees_with_every_line_that_it_can_afford() {
    for (path, entries) in tables() {
        let affordable: Vec<_> = entries.iter().filter(|entry| entry.nodes <= TWIN_NODES).collect();
        assert!(affordable.len() * 2 > entries.len(), "most of {}", path.display());
        for entry in affordable {
            assert_eq!(entry.twin(), entry.nodes, "{}: {entry:?}", path.display());
        }
    }
}

#[test]
fn every_reading_and_side_is_in_every_table() {
    for (path, entries) in tables() {
        for reading in Reading::ALL {
            for turn in [" w", " b"] {
                let has = |entry: &Entry| entry.game.reading == reading && entry.position.ends_with(turn);
                assert!(entries.iter().any(has), "{}: {reading}{turn}", path.display());
            }
        }
    }
}

#[test]
fn unreadable_tables_are_refused() {
    const LINE: &str = "A3 A3B3 official w .,.,.,./.,.,.,./.,.,.,./.,.,.,. 1 16";
    assert!(read(LINE).is_ok());
    let cut = LINE.trim_end_matches(" 16");
    for bad in [
        "",
        "# nothing but a comment\n",
        cut,
        &format!("{LINE} 17"),
        &LINE.replace("A3B3", "A3C3"),
        &LINE.replace("official", "printed"),
        &LINE.replace(" 16", " 1.6"),
        &format!("{LINE}\n{LINE} x"),
    ] {
        assert!(read(bad).is_err(), "{bad:?}");
    }
}
