//! Results on stdout: tables for people, JSON for programs.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::Value;

use super::exit::Failure;
use super::wrap;

/// Stdout. If its reader closes the pipe, nothing more is written, but the work and the exit code stay the
/// same. Any other failure to write is an error.
#[derive(Debug, Default)]
pub struct Out {
    closed: bool,
}

impl Out {
    /// Stdout, open.
    #[must_use]
    pub fn new() -> Out {
        Out::default()
    }

    /// Whether its reader is known to have closed it.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes one line or several. On a terminal, lines that are too long are broken between words.
    ///
    /// # Errors
    /// Stdout cannot be written, on a full disk for instance.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        match wrap::columns() {
            Some(columns) => self.verbatim(&wrap::broken(text, columns)),
            None => self.verbatim(text),
        }
    }

    /// Writes one line or several for other programs, without breaking them.
    ///
    /// # Errors
    /// As [`Out::line`].
    pub fn verbatim(&mut self, text: &str) -> Result<(), Failure> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match writeln!(stdout, "{}", plain(text)).and_then(|()| stdout.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::unavailable(format!("cannot write the result to stdout: {error}"))),
        }
    }

    /// Writes a value as JSON, over several lines. An integer above [`MOST_EXACT`] becomes a string.
    ///
    /// # Errors
    /// As [`Out::line`].
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = exact(value).and_then(|value| serde_json::to_string_pretty(&value)).map_err(no_json)?;
        JSON_TOLD.store(true, Ordering::Relaxed);
        self.verbatim(&text)
    }

    /// Writes a value as JSON on one line, as [`Out::json`] does over several.
    ///
    /// # Errors
    /// As [`Out::line`].
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = exact(value).and_then(|value| serde_json::to_string(&value)).map_err(no_json)?;
        JSON_TOLD.store(true, Ordering::Relaxed);
        self.verbatim(&text)
    }

    /// Writes one value as an object, several as an array.
    ///
    /// # Errors
    /// As [`Out::line`].
    pub fn json_one_or_many(&mut self, values: &[impl Serialize]) -> Result<(), Failure> {
        match values {
            [one] => self.json(one),
            many => self.json(&many),
        }
    }
}

/// Whether the process has written JSON.
static JSON_TOLD: AtomicBool = AtomicBool::new(false);

/// Whether this process has written a result as JSON.
#[must_use]
pub fn json_was_told() -> bool {
    JSON_TOLD.load(Ordering::Relaxed)
}

fn no_json(error: serde_json::Error) -> Failure {
    Failure::unavailable(format!("cannot write the result as JSON: {error}"))
}

/// The largest integer that is printed as a number: 2^53. Readers of JSON that hold numbers as doubles, as RFC 8259
/// expects of many, keep every integer up to it exactly.
pub const MOST_EXACT: u128 = 1 << 53;

/// A value as JSON, in which integers above [`MOST_EXACT`] are strings.
fn exact(value: &impl Serialize) -> serde_json::Result<Value> {
    fn visit(value: &mut Value) {
        match value {
            Value::Number(number) => {
                let digits = number.to_string();
                if digits.parse().is_ok_and(|integer: u128| integer > MOST_EXACT) {
                    *value = Value::String(digits);
                }
            }
            Value::Array(values) => values.iter_mut().for_each(visit),
            Value::Object(members) => members.values_mut().for_each(visit),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    let mut value = serde_json::to_value(value)?;
    visit(&mut value);
    Ok(value)
}

/// Writes a line to stderr. There is nobody left to tell if that fails.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", plain(text));
}

/// A text that cannot act on a terminal: its control characters, which file names may hold, are escaped. Ends of
/// line and tabs stay.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    let acts = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if !text.contains(acts) {
        return text.into();
    }
    let escaped = |letter: char| -> String {
        if acts(letter) { letter.escape_default().collect() } else { letter.to_string() }
    };
    text.chars().map(escaped).collect()
}

/// How a column is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table for people.
#[derive(Clone, Debug)]
pub struct Table {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    #[must_use]
    pub fn new(columns: &[(&str, Align)]) -> Table {
        Table {
            align: columns.iter().map(|column| column.1).collect(),
            rows: vec![columns.iter().map(|column| column.0.to_owned()).collect()],
        }
    }

    /// Adds a row; cells beyond the columns are left out.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table in Markdown, without a last end of line.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = (0..self.align.len())
                .map(|column| row.get(column).map_or(String::new(), |cell| cell.replace('|', "\\|")))
                .collect();
            format!("| {} |", cells.join(" | "))
        };
        let rule = self.align.iter().map(|align| match align {
            Align::Left => " --- |",
            Align::Right => " --: |",
        });
        let mut lines: Vec<String> = self.rows.iter().map(line).collect();
        lines.insert(1, format!("|{}", rule.collect::<String>()));
        lines.join("\n")
    }

    /// The table as text, without a last end of line. Its columns are two spaces apart; if the terminal is too narrow for
    /// that, each row is a block with a line for each cell.
    #[must_use]
    pub fn text(&self) -> String {
        self.within(wrap::columns())
    }

    /// The table for this number of columns; `None` stands for any number.
    fn within(&self, columns: Option<usize>) -> String {
        let text = self.side_by_side();
        match columns {
            Some(columns) if text.lines().any(|line| line.chars().count() > columns) => self.blocks(),
            _ => text,
        }
    }

    /// Each row as a block: a line for each cell that is not empty, beginning with the name of its column.
    fn blocks(&self) -> String {
        let Some((names, rows)) = self.rows.split_first() else { return String::new() };
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let block = |row: &Vec<String>| {
            let cells = names.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
            cells.map(|(name, cell)| format!("{name:<width$}  {cell}")).collect::<Vec<_>>().join("\n")
        };
        rows.iter().map(block).collect::<Vec<_>>().join("\n\n")
    }

    /// The table with its columns two spaces apart.
    fn side_by_side(&self) -> String {
        let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
        let len = |text: &str| text.chars().count();
        let width = |column: usize| self.rows.iter().map(|row| len(&cell(row, column))).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.align.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = self.align.iter().zip(&widths).enumerate().map(|(column, (align, &width))| {
                let text = cell(row, column);
                match align {
                    Align::Left => format!("{text:<width$}"),
                    Align::Right => format!("{text:>width$}"),
                }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        self.rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// A count with its digits in groups of three: `4,872,077`.
#[must_use]
pub fn grouped(count: u128) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (4_872_077, "4,872,077")] {
            assert_eq!(grouped(count), text);
        }
        assert!(grouped(u128::MAX).starts_with("340,282,366,"));
    }

    #[test]
    fn m24_control_characters_are_escaped() {
        assert_eq!(plain("two\n\tlines, č"), "two\n\tlines, č");
        assert_eq!(plain("a\x1b[2J\r\u{9b}b\x7f"), "a\\u{1b}[2J\\r\\u{9b}b\\u{7f}");
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&[("name", Align::Left), ("count", Align::Right)]);
        table.row(["ab".to_owned(), "7".to_owned()]);
        table.row(["abcd-full".to_owned(), "123456".to_owned()]);
        assert_eq!(table.text(), "name        count\nab              7\nabcd-full  123456");
        assert_eq!(table.markdown(), "| name | count |\n| --- | --: |\n| ab | 7 |\n| abcd-full | 123456 |");
        assert_eq!([None, Some(17)].map(|columns| table.within(columns)), [table.text(), table.text()]);
        assert_eq!(table.within(Some(16)), "name   ab\ncount  7\n\nname   abcd-full\ncount  123456");
        table.row([String::new(), "8".to_owned()]);
        assert_eq!(table.blocks(), "name   ab\ncount  7\n\nname   abcd-full\ncount  123456\n\ncount  8");
    }

    #[test]
    fn integers_above_2_to_the_53_are_strings() {
        let exact = |value: &[u128]| exact(&value).expect("JSON").to_string();
        assert_eq!(exact(&[7, MOST_EXACT]), "[7,9007199254740992]");
        assert_eq!(exact(&[MOST_EXACT + 1, u128::MAX]), format!("[\"9007199254740993\",\"{}\"]", u128::MAX));
        assert_eq!(super::exact(&1e300).expect("JSON").to_string(), "1e+300");
    }
}
