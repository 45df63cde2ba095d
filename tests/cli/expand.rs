//! `gobprove expand`.

use std::fs;

use serde_json::{Value, json};

use super::{gobprove, keys, text};

/// Too strict for White to hold A2-A3B1, so that the closure goes beyond it.
const STRICT: &str = "A=0/2/2/2";

#[test]
fn what_prove_printed_gives_the_same_bytes_again() {
    let own = tempfile::tempdir().expect("a directory");
    let place = |name: &str| own.path().join(name);
    let (recipe, values) = (place("recipe.json"), place("values"));
    let (first, again) = (place("first.gobcert"), place("again.gobcert"));
    gobprove(&["solve", "A2-A3B1", "--no-file", "--discipline", STRICT, "--dir", text(&values)]).ok();
    let beyond = ["--values", text(&values), "--discipline", STRICT, "--beyond", "A=2"];
    for options in [&[][..], &["--weights", "two=20"], &beyond] {
        let command = ["prove", "A2-A3B1", "--json", "--out", text(&first)];
        let printed = gobprove(&[&command, options].concat());
        fs::write(&recipe, printed.ok()).expect("written");
        let report = gobprove(&["expand", text(&recipe), "--json", "--out", text(&again)]).json();
        assert_eq!(
            keys(&report),
            ["variant", "reading", "file", "positions", "bytes", "sha256", "elapsed_s"]
        );
        let read = |path| fs::read(path).expect("readable");
        assert!(read(&first) == read(&again), "{options:?}");
        assert!(!place("recipe.json.work").exists(), "what was solved is removed");
        assert!(!again.with_extension("gobcert.work").exists(), "and what had grown");
        fs::remove_file(&again).expect("removed");
    }
    // What is in the way is told before anything is solved, and goes if that is asked for and there is memory enough.
    let work = again.with_extension("gobcert.work");
    gobprove(&["prove", "A3-A3B1", "--dir", text(&work), "--out", text(&place("other.gobcert"))]).ok();
    gobprove(&["expand", text(&recipe), "--out", text(&again), "--fresh", "--memory", "1"])
        .error(4, &["A2-A3B1 needs", "--memory"]);
    gobprove(&["expand", text(&recipe), "--out", text(&again)]).error(4, &["made for", "--fresh"]);
    assert!(work.exists() && !place("recipe.json.work").exists());
    gobprove(&["expand", text(&recipe), "--out", text(&again), "--fresh"]).ok();
    assert!(!work.exists());
    // With a directory what was solved stays there.
    let dir = place("dir");
    gobprove(&["expand", text(&recipe), "--dir", text(&dir), "--out", text(&again)]).ok();
    assert!(dir.join("identity").exists());
}

/// To solve A3-A3B2C1 with working files takes 1,548 KiB, and less if its sets lie in files too.
#[test]
fn values_that_do_not_fit_into_memory_are_solved_in_files() {
    let own = tempfile::tempdir().expect("a directory");
    let (recipe, out) = (own.path().join("recipe.json"), own.path().join("out.gobcert"));
    let asked = json!({
        "gobprove": "0.1.0",
        "variant": "A3-A3B2C1",
        "reading": "official",
        "discipline": "",
        "values": "solved",
        "beyond": null,
        "weights": "two=4",
        "rounds": 0,
        "bytes": 0,
        "sha256": "",
    });
    fs::write(&recipe, asked.to_string()).expect("written");
    // It is the closure that does not fit.
    gobprove(&["expand", text(&recipe), "--out", text(&out), "--memory", "1M"])
        .error(4, &["the closure takes", "more than --memory allows"]);
}

#[test]
fn a_recipe_is_no_evidence() {
    let own = tempfile::tempdir().expect("a directory");
    let (recipe, out) = (own.path().join("recipe.json"), own.path().join("out.gobcert"));
    let expand = |text_of: &str| {
        fs::write(&recipe, text_of).expect("written");
        let ran = gobprove(&["expand", text(&recipe), "--out", text(&out)]);
        assert!(!out.exists(), "{ran:?}");
        ran
    };
    let first = own.path().join("first.gobcert");
    let command = ["prove", "A3-A3B1", "--json", "--out", text(&first)];
    let printed = gobprove(&command).json();
    let changed = |name: &str, value: Value| {
        let mut recipe = printed.clone();
        recipe[name] = value;
        recipe.to_string()
    };
    let sum = "0".repeat(64);
    expand(&changed("sha256", sum.as_str().into())).error(1, &[&sum, "do not rely", "which made it"]);
    expand(&changed("weights", "two=20".into())).error(1, &["sha256", "come of it"]);
    expand(&changed("variant", "A1-A3B1".into())).error(1, &["no closure comes of it"]);
    expand(&changed("variant", "A9".into())).error(1, &["is no recipe: variant"]);
    expand(&changed("reading", "mine".into())).error(1, &["is no recipe: reading"]);
    // A closure is about whatever Black does.
    for name in ["discipline", "beyond"] {
        expand(&changed(name, "a=1".into())).error(1, &["is no recipe", name, "gobprove refute takes it"]);
    }
    expand(&changed("sha256", Value::Null)).error(1, &["is no recipe"]);
    fs::write(&recipe, printed.to_string()).expect("written");
    let little = ["expand", text(&recipe), "--out", text(&out), "--memory", "20M"];
    gobprove(&little).error(4, &["more than --memory allows", "--memory"]);
    expand("{").error(1, &["is no recipe", "gobprove prove --json"]);
    let none = own.path().join("none.json");
    gobprove(&["expand", text(&none)]).error(4, &["cannot read"]);
}
