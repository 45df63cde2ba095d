//! `gobprove status`.

use super::{gobprove, keys};

#[test]
fn a_variant_is_told_under_each_reading_with_the_file_that_settles_it() {
    let report = gobprove(&["status", "A3-A3B2", "--json"]).json();
    assert_eq!(keys(&report), ["variant", "readings"]);
    let readings = report["readings"].as_array().expect("readings");
    assert_eq!(readings.len(), 5);
    for told in readings {
        assert_eq!(keys(told), ["reading", "value", "file", "because", "computed"]);
        assert_eq!(told["value"], "draw", "{told}");
        // One under the same reading comes first, then the smallest.
        let by = if told["reading"] == "official" { "ab-official" } else { "A2-A3B2-robust" };
        assert_eq!(told["file"], format!("{by}-closure.gobcert"), "{told}");
    }
    // Its own certificate needs no reason; and what no file settles is open.
    let own = gobprove(&["status", "ab", "--reading", "robust", "--json"]).json();
    assert_eq!(own["readings"][0]["because"], serde_json::Value::Null, "{own}");
    let open = gobprove(&["status", "abcd-full"]);
    assert_eq!(open.ok().lines().filter(|line| line.ends_with(" open")).count(), 5, "{open:?}");
    let lost = gobprove(&["status", "A2-A3B3"]);
    let robust = lost.ok().lines().find(|line| line.starts_with("robust ")).expect("a row");
    assert!(
        robust.ends_with("robust is the worst reading for White")
            && lost.ok().contains("White can do no more than with A2B2"),
        "{lost:?}"
    );
    // What was computed without a certificate is no proof, and told apart.
    let computed = gobprove(&["status", "A3B3-A3B3C2"]);
    let official = computed.ok().lines().find(|line| line.starts_with("official ")).expect("a row");
    assert!(official.contains("draw") && official.contains("computed, no certificate"), "{computed:?}");
    assert!(computed.stdout.contains("`gobprove estimate A3B3-A3B3C2`"), "{computed:?}");
    let computed = gobprove(&["status", "A3B3-A3B3C2", "--reading", "official", "--json"]).json();
    let told = &computed["readings"][0];
    assert_eq!((&told["value"], &told["computed"]), (&"open".into(), &"draw".into()));
    let computed = gobprove(&["status", "abc"]);
    let official = computed.ok().lines().find(|line| line.starts_with("official ")).expect("a row");
    assert!(official.contains("lost") && official.contains("computed, no certificate"), "{computed:?}");
    let small = gobprove(&["status", "A1-A2B2"]);
    assert!(
        small
            .ok()
            .contains("`gobprove explain start --variant A1-A2B2 --reading official` solves it on the spot"),
        "{small:?}"
    );
    gobprove(&["status", "chess"]).error(2, &["is not a variant"]);
}

#[test]
fn the_lattice_of_all_variants_counts_what_it_shows() {
    let report = gobprove(&["status", "--json"]).json();
    assert_eq!(keys(&report), ["reading", "draw", "lost", "open", "variants"]);
    let variants = report["variants"].as_array().expect("variants");
    assert_eq!(variants.len(), 34 * 34);
    for value in ["draw", "lost", "open"] {
        let count = variants.iter().filter(|one| one["value"] == value).count();
        assert_eq!(report[value], count, "{value}");
        assert!(count > 50, "{value}: {count}");
    }
    let told = gobprove(&["status"]);
    let marks = |mark: char| {
        let rows = told.ok().lines().filter(|line| line.starts_with('A') && !line.contains("gobcert"));
        rows.map(|row| row.rsplit(' ').next().expect("cells").matches(mark).count()).sum::<usize>()
    };
    assert_eq!(report["draw"], marks('='));
    assert_eq!(report["lost"], marks('-'));
    let computed = |value| variants.iter().filter(|one| one["computed"] == value).count();
    let [draws, losses] = ["draw", "lost"].map(computed);
    assert_eq!((draws, losses), (marks('~'), marks('_')));
    assert!(draws > 3 && losses > 3 && report["open"] == draws + losses + marks('.'), "{told:?}");
    assert!(told.stdout.lines().all(|line| line.chars().count() <= 80), "{told:?}");
}
