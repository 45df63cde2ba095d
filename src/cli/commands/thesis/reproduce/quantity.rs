//! One row of a table: the thesis's figure, ours, and whether they agree.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json, json};

use crate::cli::console::report::{Align, Table, grouped};
use crate::thesis::branching::Mean;

/// A table with its rows.
#[derive(Clone, Debug)]
pub struct Report {
    /// The table's name.
    pub table: &'static str,
    /// What it shows, in a sentence or two.
    pub about: String,
    /// Its rows.
    pub rows: Vec<Quantity>,
}

/// One quantity.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// What it is.
    pub quantity: String,
    /// Where the thesis has it.
    pub section: Option<&'static str>,
    /// What the thesis says, if anything.
    pub thesis: Option<Amount>,
    /// What was computed here: a number that agrees with the thesis if there is one, else that of the thesis at its word.
    pub ours: Amount,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// More numbers, by name; the same names in all rows of a table.
    pub details: Vec<(&'static str, Amount)>,
    /// Numbers for programs only, by name.
    pub hidden: Vec<(&'static str, Amount)>,
    /// Every number that was tried against the thesis's.
    pub attempts: Vec<Attempt>,
    /// What has to be said about it.
    pub note: Option<String>,
}

/// A number or a word.
#[derive(Clone, PartialEq, Debug)]
pub enum Amount {
    /// A count.
    Count(u128),
    /// Two counts: White to move, Black to move.
    Both([u128; 2]),
    /// A mean.
    Mean(Mean),
    /// A time in seconds.
    Seconds(f64),
    /// Anything else.
    Text(String),
}

/// What to make of a figure and a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// They are the same, to every digit that the thesis prints.
    Equal,
    /// They differ, in every way that was tried.
    Differs,
    /// The thesis says nothing about it, or it depends on the machine.
    NotComparable,
}

/// A number that was tried against a figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Attempt {
    /// How it comes about.
    pub how: String,
    /// The number.
    pub number: Amount,
}

impl Verdict {
    const fn words(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Differs => "differs",
            Verdict::NotComparable => "not comparable",
        }
    }

    /// `Equal` if `equal`, else `Differs`.
    pub fn of(equal: bool) -> Verdict {
        if equal { Verdict::Equal } else { Verdict::Differs }
    }
}

impl Amount {
    /// Words.
    pub fn text(text: impl fmt::Display) -> Amount {
        Amount::Text(text.to_string())
    }

    fn is_number(&self) -> bool {
        !matches!(self, Amount::Text(_))
    }

    /// How far a number is from another; NaN if one of them is a pair or words.
    fn distance(&self, figure: &Amount) -> f64 {
        let number = |value: &Amount| match value {
            Amount::Count(count) => *count as f64,
            Amount::Mean(mean) => mean.value(),
            Amount::Seconds(seconds) => *seconds,
            Amount::Both(_) | Amount::Text(_) => f64::NAN,
        };
        (number(self) - number(figure)).abs()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Count(count) => f.write_str(&grouped(*count)),
            Amount::Both([white, black]) => write!(f, "{} + {}", grouped(*white), grouped(*black)),
            Amount::Mean(mean) => write!(f, "{mean}"),
            Amount::Seconds(seconds) => write!(f, "{seconds:.2} s"),
            Amount::Text(text) => f.write_str(text),
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Amount::Count(count) => serializer.serialize_u128(*count),
            Amount::Both(counts) => counts.serialize(serializer),
            Amount::Mean(mean) => serializer.serialize_f64(mean.value()),
            Amount::Seconds(seconds) => serializer.serialize_f64(*seconds),
            Amount::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl Quantity {
    /// A row with the two amounts and the verdict, and nothing else.
    pub fn new(
        quantity: impl fmt::Display,
        thesis: Option<Amount>,
        ours: Amount,
        verdict: Verdict,
    ) -> Quantity {
        Quantity {
            quantity: quantity.to_string(),
            section: None,
            thesis,
            ours,
            verdict,
            details: Vec::new(),
            hidden: Vec::new(),
            attempts: Vec::new(),
            note: None,
        }
    }

    /// A row about a figure that many numbers were tried against. If one of them `agrees`, it is ours and the row is equal;
    /// else ours is `at_its_word`, what the thesis's words give.
    pub fn tried(
        quantity: impl fmt::Display,
        figure: u64,
        at_its_word: Amount,
        attempts: Vec<Attempt>,
        agrees: impl Fn(&Amount) -> bool,
    ) -> Quantity {
        let found = attempts.iter().find(|attempt| agrees(&attempt.number)).cloned();
        let ours = found.as_ref().map_or(at_its_word, |attempt| attempt.number.clone());
        let note = found.as_ref().map(|attempt| attempt.how.clone());
        let verdict = Verdict::of(found.is_some());
        let row = Quantity::new(quantity, Some(Amount::Count(figure.into())), ours, verdict);
        Quantity { attempts, note, ..row }
    }

    /// The section of the thesis that has the figure.
    #[must_use]
    pub fn section(mut self, section: &'static str) -> Quantity {
        self.section = Some(section);
        self
    }

    /// As [`Quantity::section`], if `says`.
    #[must_use]
    pub fn section_if(self, says: bool, section: &'static str) -> Quantity {
        if says { self.section(section) } else { self }
    }

    /// Adds a note, after those that are there.
    #[must_use]
    pub fn note(mut self, note: impl fmt::Display) -> Quantity {
        self.note = Some(match self.note {
            Some(before) => format!("{before}; {note}"),
            None => note.to_string(),
        });
        self
    }

    /// Adds a number under a name.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: Amount) -> Quantity {
        self.details.push((name, value));
        self
    }

    /// Adds a number for programs only.
    #[must_use]
    pub fn hidden(mut self, name: &'static str, value: Amount) -> Quantity {
        self.hidden.push((name, value));
        self
    }

    /// The number that was tried and is nearest to the figure.
    fn nearest(&self) -> Option<&Attempt> {
        let figure = self.thesis.as_ref().filter(|figure| figure.is_number())?;
        let distance = |attempt: &&Attempt| attempt.number.distance(figure);
        self.attempts.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// The remark on the row, below the table.
    fn remark(&self) -> Option<String> {
        let mut parts: Vec<String> = self.note.iter().cloned().collect();
        if self.verdict == Verdict::Differs
            && let Some(nearest) = self.nearest()
        {
            let tried = grouped(self.attempts.len() as u128);
            parts.push(format!("the nearest of {tried} tried is {} ({})", nearest.number, nearest.how));
        }
        (!parts.is_empty()).then(|| format!("{}: {}", self.quantity, parts.join("; ")))
    }

    fn json(&self, all_attempts: bool) -> Json {
        let attempt = |attempt: &Attempt| json!({ "number": attempt.number, "how": attempt.how });
        let named = |(name, value): &(&str, Amount)| (name.replace(' ', "_"), json!(value));
        let details: Map<String, Json> = self.details.iter().chain(&self.hidden).map(named).collect();
        let mut row = json!({
            "quantity": self.quantity,
            "section": self.section,
            "thesis": self.thesis,
            "ours": self.ours,
            "verdict": self.verdict.words(),
            "details": details,
            "tried": self.attempts.len(),
            "nearest": self.nearest().map(attempt),
            "note": self.note,
        });
        if all_attempts {
            row["attempts"] = self.attempts.iter().map(attempt).collect();
        }
        row
    }
}

impl Report {
    /// The report for programs.
    pub fn json(&self, all_attempts: bool) -> Json {
        let rows: Vec<Json> = self.rows.iter().map(|row| row.json(all_attempts)).collect();
        json!({ "table": self.table, "about": self.about, "rows": rows })
    }

    /// The report for people.
    pub fn text(&self, all_attempts: bool) -> String {
        let mut text = format!("{}: {}\n\n{}", self.table, self.about, self.grid().text());
        let remarks: Vec<String> = self.rows.iter().filter_map(Quantity::remark).collect();
        if !remarks.is_empty() {
            text.push_str(&format!("\n\n{}", remarks.join("\n")));
        }
        for row in self.rows.iter().filter(|row| all_attempts && !row.attempts.is_empty()) {
            text.push_str(&format!("\n\nTried for {}\n{}", row.quantity, attempts(row).text()));
        }
        text
    }

    /// The report for a page.
    pub fn markdown(&self, all_attempts: bool) -> String {
        let mut text = format!("**{}**: {}\n\n{}", self.table, self.about, self.grid().markdown());
        let remarks: Vec<String> = self.rows.iter().filter_map(Quantity::remark).collect();
        if !remarks.is_empty() {
            text.push_str(&format!("\n\n- {}", remarks.join("\n- ")));
        }
        for row in self.rows.iter().filter(|row| all_attempts && !row.attempts.is_empty()) {
            text.push_str(&format!("\n\nTried for {}:\n\n{}", row.quantity, attempts(row).markdown()));
        }
        text
    }

    fn grid(&self) -> Table {
        let details: Vec<&'static str> =
            self.rows.first().map_or(Vec::new(), |row| row.details.iter().map(|(name, _)| *name).collect());
        let has_attempts = self.rows.iter().any(|row| !row.attempts.is_empty());
        let mut columns = vec![("quantity", Align::Left), ("thesis", Align::Right), ("ours", Align::Right)];
        columns.extend(details.iter().map(|&name| (name, Align::Right)));
        columns.push(("verdict", Align::Left));
        if has_attempts {
            columns.push(("tried", Align::Right));
        }
        let mut table = Table::new(&columns);
        for row in &self.rows {
            let thesis = row.thesis.as_ref().map_or_else(|| "-".to_owned(), Amount::to_string);
            let mut cells = vec![row.quantity.clone(), thesis, row.ours.to_string()];
            cells.extend(row.details.iter().map(|(_, value)| value.to_string()));
            cells.push(row.verdict.words().to_owned());
            if has_attempts {
                let tried = row.attempts.len();
                cells.push(if tried == 0 { "-".to_owned() } else { grouped(tried as u128) });
            }
            table.row(cells);
        }
        table
    }
}

fn attempts(row: &Quantity) -> Table {
    let mut table = Table::new(&[("number", Align::Right), ("how", Align::Left)]);
    for attempt in &row.attempts {
        table.row([attempt.number.to_string(), attempt.how.clone()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(number: u128, how: &str) -> Attempt {
        Attempt { how: how.to_owned(), number: Amount::Count(number) }
    }

    fn tried(figure: u64) -> Quantity {
        let attempts = vec![attempt(10, "ten"), attempt(2_000, "more"), attempt(13, "thirteen")];
        Quantity::tried("a count", figure, Amount::Count(10), attempts, |value| {
            *value == Amount::Count(figure.into())
        })
    }

    #[test]
    fn a_figure_that_was_found_says_how() {
        let row = tried(13);
        assert_eq!((row.verdict, &row.ours), (Verdict::Equal, &Amount::Count(13)));
        assert_eq!(row.remark().as_deref(), Some("a count: thirteen"));
    }

    #[test]
    fn a_figure_that_was_not_found_says_what_is_nearest() {
        let row = tried(1_900);
        assert_eq!((row.verdict, &row.ours), (Verdict::Differs, &Amount::Count(10)));
        assert_eq!(row.remark().as_deref(), Some("a count: the nearest of 3 tried is 2,000 (more)"));
        let json = row.json(false);
        assert_eq!((&json["tried"], &json["nearest"]["number"]), (&json!(3), &json!(2_000)));
        assert_eq!(json.get("attempts"), None);
        assert_eq!(row.json(true)["attempts"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn the_same_row_in_three_shapes() {
        let row = tried(13).section("6.2").detail("one more", Amount::text("yes"));
        let report = Report { table: "sample", about: "One row.".to_owned(), rows: vec![row] };
        assert_eq!(
            report.text(false),
            "sample: One row.\n\nquantity  thesis  ours  one more  verdict  tried\n\
             a count       13    13       yes  equal        3\n\na count: thirteen"
        );
        assert_eq!(
            report.markdown(false),
            "**sample**: One row.\n\n| quantity | thesis | ours | one more | verdict | tried |\n\
             | --- | --: | --: | --: | --- | --: |\n| a count | 13 | 13 | yes | equal | 3 |\n\n\
             - a count: thirteen"
        );
        let json = report.json(false);
        assert_eq!(json["rows"][0]["details"]["one_more"], "yes");
        assert!(report.text(true).contains("Tried for a count\nnumber  how\n    10  ten"));
    }
}
