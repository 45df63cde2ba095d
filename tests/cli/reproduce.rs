//! `gobprove reproduce`. What the tables say is held by the README's test, which runs them all.

use serde_json::Value;

use super::thorough::thorough;
use super::{gobprove, keys};

const KEYS: [&str; 9] =
    ["quantity", "section", "thesis", "ours", "verdict", "details", "tried", "nearest", "note"];

#[test]
fn a_table_is_an_object_with_rows_of_one_shape() {
    let report = gobprove(&["reproduce", "sizes", "--json"]).json();
    assert_eq!(keys(&report), ["table", "about", "rows"]);
    assert_eq!(report["table"], "sizes");
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!(keys(row), KEYS);
        assert_eq!(keys(&row["details"]), ["all_positions", "canonical"]);
        assert_eq!((&row["section"], &row["verdict"]), (&"2.2".into(), &"equal".into()));
    }
    assert_eq!((&rows[0]["quantity"], &rows[0]["thesis"]), (&"ab".into(), &"1.55017e8".into()));
    // Beyond 2^53, to the last digit.
    assert_eq!(rows[5]["details"]["all_positions"], "1355314000097244430249");
}

#[test]
fn several_tables_are_an_array() {
    let reports = gobprove(&["reproduce", "sizes", "sizes", "--json"]).json();
    assert_eq!(reports.as_array().map(Vec::len), Some(2));
}

#[test]
fn people_get_a_table_and_pages_get_markdown() {
    let ran = gobprove(&["reproduce", "sizes"]);
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert!(lines[0].starts_with("sizes: "), "{ran:?}");
    let cells: Vec<&str> = lines[2].split_whitespace().collect();
    assert_eq!(cells[..3], ["quantity", "thesis", "ours"]);
    assert_eq!(lines.len(), 9, "{ran:?}");
    let ran = gobprove(&["reproduce", "sizes", "--markdown"]);
    assert!(ran.ok().contains("\n| ab | 1.55017e8 | "), "{ran:?}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn times_are_measured_and_not_compared() {
    if !thorough() {
        // Running Algorithms 1 and 4 takes a dozen seconds.
        return;
    }
    let report = gobprove(&["reproduce", "times", "--json"]).json();
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert_eq!(row["verdict"], "not comparable");
        assert!(row["ours"].as_f64().is_some_and(|seconds| seconds > 0.0), "{row}");
        assert!(row["details"]["times_as_fast"].as_u64().is_some_and(|times| times > 1), "{row}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn every_number_that_was_tried_is_listed_on_demand() {
    if !thorough() {
        // Solving `ab` step by step in every order that was tried takes a quarter of a minute.
        return;
    }
    let report = gobprove(&["reproduce", "fixpoint", "--attempts", "--json"]).json();
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    for row in rows {
        let attempts = row["attempts"].as_array().expect("attempts");
        assert_eq!(row["tried"].as_u64(), Some(attempts.len() as u64));
        assert!(attempts.iter().all(|attempt| keys(attempt) == ["number", "how"]));
        let figure = row["thesis"].as_i64().expect("a count");
        let off = |attempt: &Value| attempt["number"].as_i64().map(|number| (number - figure).abs());
        assert_eq!(off(&row["nearest"]), attempts.iter().filter_map(off).min());
        let hows: std::collections::BTreeSet<&str> =
            attempts.iter().filter_map(|attempt| attempt["how"].as_str()).collect();
        assert_eq!(hows.len(), attempts.len(), "each is another");
    }
}

#[test]
fn what_is_no_table_is_a_usage_error() {
    gobprove(&["reproduce", "size"]).error(2, &["size", "sizes, branching, strategy"]);
    let both = gobprove(&["reproduce", "sizes", "--json", "--markdown"]);
    assert!(both.code == Some(2) && both.stderr.contains("--markdown"), "{both:?}");
}
