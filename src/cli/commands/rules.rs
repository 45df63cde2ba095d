//! `gobprove rules`: the texts that code, tests and messages cite.

use clap::Args;
use serde::Serialize;

use crate::cli::console::args::{self, Format, Talk};
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::report::Out;
use crate::cli::console::wrap::prose;

/// The rules R1 to R9, the readings and the conditions K1 to K7.
const RULES: &str = gobcheck::RULES;
/// The rules J1 to J7 of the game on nine squares.
const JUNIOR: &str = gobjunior::RULES;
/// The forgeries M01 to M28 and the crash points C01 to C15.
const SECURITY: &str = include_str!("../../../tests/SECURITY.md");

const EXAMPLES: &str = "\
Names: the rules R1 to R9; the readings official, thesis, strict-lift, no-entry-cover, robust; the
conditions K1 to K7 that certificates meet; the rules J1 to J7 of junior, the game on nine squares, and
junior for all of them; the forgeries M01 to M28 and the crash points C01 to C15
that tests are named after.

Examples:
  gobprove rules
  gobprove rules R4
  gobprove rules junior
  gobprove rules thesis K5 --json";

/// Print the rules of the game, a reading, or what else the project cites by name
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct RulesArgs {
    /// What to print, such as R4, thesis, K5, M11 or C05 [default: all rules, readings and conditions]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    talk: Talk,
}

impl RulesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A name is not in the texts, or the result cannot be written.
    pub fn run(&self) -> Ended {
        let mut out = Out::new();
        if self.names.is_empty() {
            if self.format.json {
                out.json(&entries())?;
            } else {
                out.line(&prose(RULES.trim_end()))?;
            }
            return Ok(Exit::Done);
        }
        let found = self.names.iter().map(|name| find(name)).collect::<Result<Vec<Entry>, Failure>>()?;
        if self.format.json {
            out.json_one_or_many(&found)?;
        } else {
            let texts: Vec<String> =
                found.iter().map(|entry| format!("{}\n\n{}", entry.heading(), entry.text)).collect();
            out.line(&prose(&texts.join("\n\n")))?;
        }
        Ok(Exit::Done)
    }
}

/// Something that can be cited.
#[derive(Serialize, Debug)]
struct Entry {
    name: &'static str,
    /// What follows the name in its heading; empty where nothing does.
    title: &'static str,
    text: String,
}

impl Entry {
    fn heading(&self) -> String {
        format!("{} {}", self.name, self.title).trim_end().to_owned()
    }
}

/// What a reading is, in one line of the rules.
#[must_use]
pub(crate) fn summary(reading: &str) -> &'static str {
    sections(RULES)
        .find(|(heading, _)| *heading == reading)
        .and_then(|(_, text)| text.lines().next())
        .unwrap_or("")
}

fn find(name: &str) -> Result<Entry, Failure> {
    if name.eq_ignore_ascii_case(args::JUNIOR) {
        let (title, text) = JUNIOR.trim_start_matches("# ").split_once('\n').unwrap_or_default();
        return Ok(Entry { name: args::JUNIOR, title, text: text.trim().to_owned() });
    }
    let same = |entry: &Entry| entry.name.eq_ignore_ascii_case(name);
    entries().into_iter().find(same).ok_or_else(|| {
        let names = ranges(&entries().iter().map(|entry| entry.name).collect::<Vec<_>>());
        Failure::usage(format!("{name:?} is not in the rules; names are {names}"))
            .at(name)
            .next("gobprove rules prints all rules, readings and conditions")
    })
}

/// The names as a list, in which consecutive numbers become a range: `R1 to R9, official, K1 to K7`.
fn ranges(names: &[&str]) -> String {
    let numbered = |name: &str| {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        name[letters..].parse::<u32>().ok().map(|number| (name[..letters].to_owned(), number))
    };
    let follows = |name: &&str, next: &&str| match (numbered(name), numbered(next)) {
        (Some((letters, number)), Some((others, after))) => letters == others && after == number + 1,
        _ => false,
    };
    let range = |range: &[&str]| match range {
        [first, .., last] => format!("{first} to {last}"),
        one => one.concat(),
    };
    names.chunk_by(follows).map(range).collect::<Vec<_>>().join(", ")
}

/// All that can be cited, in the order of the texts.
fn entries() -> Vec<Entry> {
    let entry = |(heading, text): (&'static str, &'static str)| {
        let (name, title) = heading.split_once(' ').unwrap_or((heading, ""));
        // The section "Less material" has no name to cite it by.
        (name != "Less").then(|| Entry { name, title, text: text.to_owned() })
    };
    // A reading's name stands for its section in the rules of Gobblet.
    let junior = sections(JUNIOR).filter_map(entry).filter(|entry| entry.name.starts_with('J'));
    sections(RULES).filter_map(entry).chain(junior).chain(rows()).collect()
}

/// The sections of the second level of a text, as heading and text.
fn sections(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.split("\n## ").skip(1).filter_map(|section| {
        let (heading, rest) = section.split_once('\n')?;
        Some((heading, rest.split("\n# ").next().unwrap_or(rest).trim()))
    })
}

/// The rows of the two tables of forgeries and crash points.
fn rows() -> impl Iterator<Item = Entry> {
    let mut heads = Vec::new();
    SECURITY.lines().filter_map(move |line| {
        let cells: Vec<&'static str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let (&name, rest) = cells.split_first()?;
        if name == "class" || name == "point" {
            heads = cells;
            return None;
        }
        if !name.starts_with(['M', 'C']) {
            return None;
        }
        let lines = heads.iter().skip(1).zip(rest).map(|(head, cell)| format!("{head}: {cell}"));
        Some(Entry { name, title: "", text: lines.collect::<Vec<_>>().join("\n") })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Reading;

    #[test]
    fn every_name_has_a_text_once() {
        let names: Vec<String> = entries().iter().map(|entry| entry.name.to_owned()).collect();
        let numbered = |letter: char, last: u8, digits: usize| {
            (1..=last).map(move |n| format!("{letter}{n:0digits$}")).collect::<Vec<_>>()
        };
        let readings = Reading::ALL.map(|reading| reading.tag().to_owned()).to_vec();
        let numbers = [('K', 7, 1), ('J', 7, 1), ('M', 28, 2), ('C', 15, 2)];
        let mut expected = vec![numbered('R', 9, 1), readings];
        expected.extend(numbers.map(|(letter, last, digits)| numbered(letter, last, digits)));
        assert_eq!(names, expected.concat());
        assert!(entries().iter().all(|entry| entry.text.len() > 60));
    }

    #[test]
    fn a_summary_is_one_sentence() {
        for reading in Reading::ALL {
            let summary = summary(reading.tag());
            assert!(summary.len() > 20 && !summary.contains(". "), "{reading}: {summary}");
        }
    }
}
