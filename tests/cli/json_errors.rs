//! Where results are JSON, errors are too.

use serde_json::Value;

use super::{gobprove, keys};

#[test]
fn an_error_is_an_object_on_stdout_and_a_text_on_stderr() {
    let start = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";
    for (arguments, code, word, place) in [
        (&["explain", "x", "--json"][..], 2, "usage", Some("POSITION")),
        (
            &["explain", start, "--certificate", "missing.gobcert", "--json"],
            4,
            "unavailable",
            Some("missing.gobcert"),
        ),
        (&["explain", start, "--variant", "abc", "--json"], 4, "unavailable", None),
        (&["verify", "missing.gobcert", "--json"], 4, "unavailable", Some("missing.gobcert")),
        (&["verify", "nosuch", "--json"], 2, "usage", Some("nosuch")),
        (&["info", "missing.gobcert", "--json"], 4, "unavailable", Some("missing.gobcert")),
        (&["query", "ab", start, "--file", "missing", "--json"], 4, "unavailable", Some("missing")),
        (&["solve", "abcd-full", "--json"], 4, "unavailable", None),
        (&["count", "chess", "--json"], 2, "usage", Some("[VARIANT]...")),
        (&["count", "--json", "--jsn"], 2, "usage", Some("--jsn")),
    ] {
        let ran = gobprove(arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let object: Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        assert_eq!(keys(&object), ["error", "code", "where", "next"]);
        assert_eq!(object["code"], word, "{object}");
        assert_eq!(object["where"].as_str(), place, "{object}");
        let told = object["error"].as_str().expect("a text");
        assert!(!told.contains('\n') && ran.stderr.contains(told), "{told}: {ran:?}");
    }
}

#[test]
fn among_several_an_error_stands_in_its_place() {
    let ran = gobprove(&["verify", "nosuch", "ab", "--reading", "official", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((ran.code, &report["verdict"]), (Some(2), &"inconclusive".into()));
    assert_eq!(report["certificates"][0]["code"], "usage");
    assert_eq!(report["certificates"][1]["verdict"], "verified");
}
