//! Fits texts to the width of the terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};

use clap::Command;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The most columns that a text is set in, the same as for help.
pub const WIDEST: usize = 100;

/// A terminal that reports fewer columns than this is taken not to know its width.
const NARROWEST: usize = 20;

/// How many columns stdout has, if it is a terminal that knows its width.
#[must_use]
pub fn columns() -> Option<usize> {
    if io::stdout().is_terminal() { terminal() } else { None }
}

/// How many columns the terminal of the process has, wherever stdout goes.
#[must_use]
pub fn terminal() -> Option<usize> {
    let size = terminal_size::terminal_size();
    size.map(|(columns, _)| usize::from(columns.0)).filter(|columns| *columns >= NARROWEST)
}

/// A text of paragraphs for stdout, set anew to fit if stdout is a terminal, else unchanged. Blocks between lines of three
/// backquotes stay as they are.
#[must_use]
pub fn prose(text: &str) -> Cow<'_, str> {
    let Some(columns) = columns() else { return text.into() };
    let parts = text.split("```").enumerate().map(|(number, part)| match number % 2 {
        0 => reset(part, columns.min(WIDEST)).into(),
        _ => Cow::Borrowed(part),
    });
    parts.collect::<Vec<_>>().join("```").into()
}

/// A command line in which the texts below the options, its own and its subcommands', are set for the terminal.
#[must_use]
pub fn with_help_set(command: Command) -> Command {
    // The same width that clap takes for the rest of the help.
    let named = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns >= NARROWEST);
    let columns = terminal().or_else(named).unwrap_or(WIDEST).min(WIDEST);
    let set = |command: Command| {
        let help = command.get_after_help().map(|help| reset(&help.to_string(), columns));
        help.into_iter().fold(command, Command::after_help)
    };
    set(command).mut_subcommands(set)
}

/// The beginning of a text that fits into this number of columns. It ends between words, never within a number, and an
/// ellipsis shows that there was more.
#[must_use]
pub fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if text.chars().count() <= columns {
        return text.into();
    }
    let ends = text.match_indices(' ').map(|(end, _)| end);
    let fits = |end: &usize| text[..*end].chars().count() + 2 <= columns;
    let words = &text[..ends.take_while(fits).last().unwrap_or(0)];
    format!("{} …", words.trim_end_matches([',', ';'])).into()
}

/// A text with its long lines broken between words. What follows is indented as far as the line that was broken.
#[must_use]
pub fn broken(text: &str, columns: usize) -> String {
    let lines = text.lines().map(|line| match line.chars().count() <= columns {
        true => line.to_owned(),
        false => hanging(line, indent(line), columns),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Sets a text in the form of help anew: paragraphs, and rows that begin with two spaces. A row may have two columns,
/// separated by two or more spaces, and goes on in the lines below it that are indented further. Lists and tables stay.
#[must_use]
pub fn reset(text: &str, columns: usize) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.lines() {
        match blocks.last_mut() {
            Some(block) if goes_on(block, line) => {
                block.push(' ');
                block.push_str(line.trim_start());
            }
            _ => blocks.push(line.to_owned()),
        }
    }
    let set = blocks.iter().map(|block| {
        let begins = indent(block);
        // A second column further to the right leaves too little room.
        let near = |column: &usize| 5 * column <= 3 * columns;
        let below = if begins > ROW { begins } else { begins + 2 };
        let hangs = if begins == 0 { 0 } else { second(block).filter(near).unwrap_or(below) };
        if block.chars().count() <= columns { block.clone() } else { hanging(block, hangs, columns) }
    });
    let end = if text.ends_with('\n') { "\n" } else { "" };
    set.collect::<Vec<_>>().join("\n") + end
}

/// The number of spaces that a row begins with.
const ROW: usize = 2;

/// Whether a line belongs to the block before it.
fn goes_on(block: &str, line: &str) -> bool {
    let (began, begins) = (indent(block), indent(line));
    if block.is_empty() || line.is_empty() {
        return false;
    }
    if began == 0 {
        return begins == 0 && !block.starts_with(['|', '#']) && !line.starts_with(['|', '#', '-']);
    }
    begins > ROW && (began > ROW || second(block).is_some())
}

/// Where the second column of a row begins.
fn second(row: &str) -> Option<usize> {
    let begins = indent(row);
    let (first, rest) = row[begins..].split_once("  ").filter(|_| begins > 0)?;
    Some(begins + first.chars().count() + 2 + indent(rest))
}

/// How many spaces a line begins with.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A line broken between words. The lines after the first begin with this number of spaces.
fn hanging(line: &str, spaces: usize, columns: usize) -> String {
    let spaces = " ".repeat(spaces);
    // Variants and moves have hyphens in their names and must stay whole.
    let options = Options::new(columns)
        .subsequent_indent(&spaces)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(false);
    textwrap::fill(line, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(broken("ab cd ef\ngh", 5), "ab cd\nef\ngh");
        assert_eq!(broken("   ab cd ef", 8), "   ab cd\n   ef", "as far to the right");
        assert_eq!(broken("A3B1-A3B3C1 x", 6), "A3B1-A3B3C1\nx", "a name stays whole");
        assert_eq!(broken("short\n\nlines", 5), "short\n\nlines");
    }

    #[test]
    fn what_is_cut_ends_with_a_whole_word() {
        assert_eq!(cut("; 4,608 positions", 17), "; 4,608 positions");
        assert_eq!(cut("; 4,608 positions, 12 open", 25), "; 4,608 positions, 12 …");
        assert_eq!(cut("; 4,608 positions, 12 open", 21), "; 4,608 positions …");
        assert_eq!(cut("; 4,608 positions", 11), "; 4,608 …");
        assert_eq!(cut("; 4,608 positions", 8), " …", "no part of a number");
        assert_eq!(cut("; 4,608 positions", 0), " …");
    }

    #[test]
    fn paragraphs_are_joined_and_rows_keep_their_columns() {
        let help =
            "One two\nthree four.\n\nExamples:\n  go a    what it\n          does to a\n  go b\n\nKeys.";
        assert_eq!(
            reset(help, 40),
            "One two three four.\n\nExamples:\n  go a    what it does to a\n  go b\n\nKeys."
        );
        let narrow = reset("Examples:\n  go a    what it does to everything around", 30);
        assert_eq!(narrow, "Examples:\n  go a    what it does to\n          everything around");
        let below = "Rows:\n  go --with a lot\n          why that is";
        assert_eq!(reset(below, 24), below, "what explains a row that fills its line stands below it");
        assert_eq!(reset("a b\nc d", 3), "a b\nc d");
    }
}
