//! `gobprove count`.

use serde_json::Value;

use super::{gobprove, keys};

#[test]
fn all_named_variants_stand_beside_the_thesis() {
    let ran = gobprove(&["count"]);
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!(lines.len(), 7, "a head and six variants: {ran:?}");
    for (line, name, printed) in [
        (1, "ab", "1.55017e8"),
        (2, "ab-full", "5.06294e10"),
        (3, "abc", "2.6946e13"),
        (4, "abc-full", "8.386e15"),
        (5, "abcd", "4.4068e18"),
        (6, "abcd-full", "1.35531e21"),
    ] {
        let cells: Vec<&str> = lines[line].split_whitespace().collect();
        assert_eq!(cells.first(), Some(&name));
        assert_eq!(cells[cells.len() - 2..], [printed, "agrees"], "{name}");
    }
    assert!(lines[1].contains(" 4,872,077 "), "{ran:?}");
}

#[test]
fn one_variant_is_an_object_with_its_tiers() {
    let report = gobprove(&["count", "A3-A3B3", "--json"]).json();
    assert_eq!(
        keys(&report),
        [
            "variant",
            "white",
            "black",
            "positions",
            "canonical",
            "thesis_convention",
            "thesis_prints",
            "agrees",
            "tiers"
        ]
    );
    assert_eq!(report["variant"], "ab");
    assert_eq!((&report["white"], &report["black"]), (&"A3".into(), &"A3B3".into()));
    assert_eq!(report["canonical"], 4_872_077);
    assert_eq!(report["thesis_convention"], 155_017_400);
    assert_eq!((&report["thesis_prints"], &report["agrees"]), (&"1.55017e8".into(), &true.into()));
    let unprinted = gobprove(&["count", "A1-A1", "--json"]).json();
    assert_eq!((&unprinted["thesis_prints"], &unprinted["agrees"]), (&Value::Null, &Value::Null));
    let tiers = report["tiers"].as_array().expect("tiers");
    assert_eq!(tiers.len(), 40);
    assert!(tiers.iter().all(|tier| keys(tier) == ["tier", "positions", "canonical"]));
    let sum: u64 = tiers.iter().map(|tier| tier["positions"].as_u64().expect("a count")).sum();
    assert_eq!(report["positions"].as_u64(), Some(sum));
}

#[test]
fn several_variants_are_an_array_and_large_counts_strings() {
    let reports = gobprove(&["count", "abcd-full", "ab", "--json"]).json();
    let reports = reports.as_array().expect("an array");
    let variants: Vec<&Value> = reports.iter().map(|report| &report["variant"]).collect();
    assert_eq!(variants, ["abcd-full", "ab"]);
    // Beyond 2^53, to the last digit.
    assert_eq!(reports[0]["positions"], "1355314000097244430249");
    assert!(reports[1]["positions"].is_u64());
    let all = gobprove(&["count", "--json"]).json();
    assert_eq!(all.as_array().map(Vec::len), Some(6));
}

#[test]
fn tiers_are_shown_for_one_variant_or_on_demand() {
    assert!(gobprove(&["count", "A1-A1B1"]).ok().contains("A1.A1B1"));
    assert!(!gobprove(&["count", "A1-A1B1", "A1-A1"]).ok().contains("A1.A1B1"));
    assert!(gobprove(&["count", "A1-A1B1", "A1-A1", "-v"]).ok().contains("A1.A1B1"));
}

#[test]
fn what_is_no_variant_gets_the_nearest_ones() {
    for (text, says) in [
        ("abc-ful", "\"abc-full\""),
        ("AB", "\"ab\""),
        ("A4-A3B3", "\"A3-A3B3\""),
        ("A3-A3C3", "\"A3-A3B3\""),
        ("A1-A1B2", "\"A1-A1B1\""),
        ("a3-a3b3", "\"A3-A3B3\""),
    ] {
        gobprove(&["count", text]).error(2, &[text, "did you mean", says]);
    }
    gobprove(&["count", "chess"]).error(2, &["ab-full, abc, abc-full, abcd, abcd-full"]);
    gobprove(&["count", "A1-A1B2"]).error(2, &["1 A, 2 B", "3 ≥ A ≥ B ≥ C ≥ D"]);
    gobprove(&["count", ""]).error(2, &["is not a variant"]);
}
