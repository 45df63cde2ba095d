//! `gobprove rules`.

use gobprove::rules::Reading;

use super::{gobprove, keys};

#[test]
fn without_a_name_all_rules_are_printed() {
    let ran = gobprove(&["rules"]);
    assert_eq!(ran.ok(), include_str!("../../gobcheck/RULES.md"));
    let all = gobprove(&["rules", "--json"]).json();
    assert_eq!(all.as_array().map(Vec::len), Some(9 + 5 + 7 + 7 + 28 + 15));
}

#[test]
fn one_name_prints_its_text_alone() {
    let rule = gobprove(&["rules", "r4"]);
    assert!(rule.ok().starts_with("R4 Place\n\nA piece from hand goes onto an empty square.\n"), "{rule:?}");
    assert!(!rule.ok().contains("R5 Transfer"), "{rule:?}");
    let last = gobprove(&["rules", "robust"]);
    assert!(last.ok().starts_with("robust\n") && !last.ok().contains("K1"), "{last:?}");
    let forgery = gobprove(&["rules", "M12"]);
    assert!(
        forgery.ok().contains("canonical") && forgery.ok().contains("tests/forgeries/guards.rs"),
        "{forgery:?}"
    );
    let point = gobprove(&["rules", "C05", "--json"]).json();
    assert_eq!(keys(&point), ["name", "title", "text"]);
    assert_eq!(point["name"], "C05");
    assert_eq!(gobprove(&["rules", "R7", "K5", "--json"]).json().as_array().map(Vec::len), Some(2));
}

#[test]
fn an_unknown_name_is_a_usage_error_that_lists_the_names() {
    gobprove(&["rules", "R10"])
        .error(2, &["R10", "R1 to R9, official, ", "no-entry-cover", "K1 to K7", "to M28", "C15"]);
}

#[test]
fn help_explains_each_reading() {
    let help = gobprove(&["generate", "--help"]);
    for reading in Reading::ALL {
        let line = help.ok().lines().find(|line| line.trim_start().starts_with(&format!("- {reading}:")));
        assert!(line.is_some_and(|line| line.len() > 40), "{reading}: {help:?}");
    }
}
