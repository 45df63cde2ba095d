//! What is printed with --json: as the schemas in `schemas/` have it, errors too.

use std::fs;

use serde_json::{Value, json};

use super::certificates::shipped;
use super::{gobprove, keys, text};

/// The schema of a command's output, or of errors.
fn schema(name: &str) -> Value {
    let path = format!("{}/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(&path).expect("a schema")).expect("JSON")
}

/// Why a value is not as a schema has it, and where. It knows the part of JSON Schema that the schemas use; a word that it does
/// not know fails.
fn objection(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let is_type = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => panic!("{name} is no type"),
    };
    let parts = schema.as_object().expect("a schema is an object");
    let wrong = |why: String| Some(format!("{place}: {why}: {value}"));
    for (word, part) in parts {
        let found = match word.as_str() {
            "$schema" | "title" | "description" | "$defs" => None,
            "$ref" => {
                let pointer = part.as_str().and_then(|text| text.strip_prefix('#')).expect("within the file");
                objection(root, root.pointer(pointer).expect("a definition"), value, place)
            }
            "type" => {
                let names = part.as_array().cloned().unwrap_or_else(|| vec![part.clone()]);
                let fits = names.iter().any(|name| is_type(name.as_str().expect("a name")));
                if fits { None } else { wrong(format!("it is no {part}")) }
            }
            "enum" => {
                let known = part.as_array().expect("values").contains(value);
                if known { None } else { wrong(format!("it is none of {part}")) }
            }
            "oneOf" => {
                let why =
                    part.as_array().expect("schemas").iter().map(|one| objection(root, one, value, place));
                let why: Vec<_> = why.collect();
                let fitting = why.iter().filter(|why| why.is_none()).count();
                if fitting == 1 { None } else { wrong(format!("{fitting} fit: {why:?}")) }
            }
            "properties" => value.as_object().and_then(|members| {
                members.iter().find_map(|(name, member)| {
                    objection(root, part.get(name)?, member, &format!("{place}.{name}"))
                })
            }),
            "required" => part.as_array().expect("names").iter().find_map(|name| {
                let is_there =
                    |members: &serde_json::Map<_, _>| members.contains_key(name.as_str().expect("a name"));
                if value.as_object().is_none_or(is_there) {
                    None
                } else {
                    wrong(format!("{name} is missing"))
                }
            }),
            "additionalProperties" if part == false => value.as_object().and_then(|members| {
                let known = parts["properties"].as_object().expect("members");
                let other = members.keys().find(|name| !known.contains_key(*name))?;
                wrong(format!("{other} is not in the schema"))
            }),
            "additionalProperties" => None,
            "items" => value.as_array().and_then(|items| {
                let of = |(at, item)| objection(root, part, item, &format!("{place}[{at}]"));
                items.iter().enumerate().find_map(of)
            }),
            word => panic!("{word}: the test does not know that"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[track_caller]
pub fn fits(name: &str, value: &Value) {
    let schema = schema(name);
    assert_eq!(objection(&schema, &schema, value, name), None);
}

/// Each command keeps to its schema, and each schema refuses what is not so.
#[test]
fn what_every_command_prints_is_as_its_schema_has_it() {
    let own = tempfile::tempdir().expect("a directory");
    let place = |name: &str| text(&own.path().join(name)).to_owned();
    let (out, solved, exported, dir) = (place("out"), place("solved"), place("exported"), place("dir"));
    let page = place("page.html");
    let closure = text(&shipped("ab-official-closure.gobcert")).to_owned();
    let won = ".,.,b,./A,a,.,./.,.,a,A/Ab,ab,.,. b";
    for (name, arguments) in [
        ("generate", &["generate", "A2-A3B1", "--out", &out][..]),
        ("generate", &["generate", "A1-A3B1", "--out", &out]),
        ("verify", &["verify", &out]),
        ("verify", &["verify", &out, "nosuch", &exported, "A3-A3B1"]),
        ("info", &["info", &out]),
        ("prove", &["prove", "A2-A3B1", "--out", &out]),
        ("refute", &["refute", "A1-A3B1", "--out", &out]),
        ("refute", &["refute", "A2-A2B1", "--out", &out]),
        ("solve", &["solve", "A3-A3B1", "--out", &solved, "--distances", "--longest"]),
        ("solve", &["solve", "A1B1-A1B1", "--no-file"]),
        ("query", &["query", "A3-A3B1", "start", "--file", &solved]),
        ("query", &["query", "A3-A3B1", "start b", "--file", &solved, "--brief"]),
        ("suite", &["suite", "A3-A3B1", "--file", &solved, "--wins", "3", "--only", "2"]),
        ("export", &["export", "A1-A2", "--out", &exported]),
        ("export", &["export", "ab", "--format", "csv", "--plies", "1", "--out", &exported]),
        ("export", &["export", "ab", "--format", "web", "--out", &page]),
        ("explain", &["explain", "start"]),
        ("explain", &["explain", "start b"]),
        ("explain", &["explain", won]),
        ("explain", &["explain", "start", "--variant", "A3-A3B3C1"]),
        ("explain", &["explain", "start b", "--certificate", &closure]),
        ("status", &["status"]),
        ("status", &["status", "ab"]),
        ("count", &["count"]),
        ("count", &["count", "A3-A3B1"]),
        ("estimate", &["estimate", "ab"]),
        ("estimate", &["estimate", "abcd-full"]),
        ("perft", &["perft", "2"]),
        ("perft", &["perft", "1", "--position", won]),
        ("rules", &["rules"]),
        ("rules", &["rules", "R5"]),
        ("reproduce", &["reproduce", "sizes"]),
        ("reproduce", &["reproduce", "sizes", "branching", "--attempts"]),
        ("update", &["update", "white", "A2-A3B1", "--dir", &dir]),
        ("tune", &["tune", "A2-A3B1", "--steps", "1"]),
        ("regenerate", &["regenerate", "ab-official-closure.gobcert", "--within", "1s"]),
        ("match", &["match", "random", "level:1", "--games", "2"]),
        ("error", &["count", "chess"]),
        ("error", &["explain", "x"]),
    ] {
        let ran = gobprove(&[arguments, &["--json"]].concat());
        let value: Value = serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{error}: {arguments:?} {ran:?}"));
        fits(name, &value);
        let schema = schema(name);
        let refused = |value: &Value| objection(&schema, &schema, value, name).is_some();
        assert!(refused(&json!(7)), "{name}");
        if let Some(members) = value.as_object() {
            let mut more = members.clone();
            more.insert("more".to_owned(), 1.into());
            assert!(refused(&more.into()), "{name}: a member too many");
            let first = members.keys().next().expect("a member");
            let mut fewer = members.clone();
            fewer.remove(first);
            assert!(refused(&fewer.into()), "{name} without {first}");
            let mut other = members.clone();
            other[first] = json!([[]]);
            assert!(refused(&other.into()), "{name}: {first} of another type");
        }
    }
}

/// No command prints JSON without a schema.
#[test]
fn every_command_that_has_json_has_a_schema() {
    use clap::CommandFactory as _;
    let cli = gobprove::cli::Cli::command();
    let has_json =
        |command: &&clap::Command| command.get_arguments().any(|argument| argument.get_id() == "json");
    let mut names: Vec<String> = cli
        .get_subcommands()
        .filter(has_json)
        .map(|command| format!("{}.json", command.get_name()))
        .collect();
    names.push("error.json".to_owned());
    names.sort();
    let there = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas")).expect("a directory");
    let mut there: Vec<String> =
        there.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    there.sort();
    assert_eq!(there, names);
}

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
        (
            &["explain", start, "--solved", "missing.gobsolved", "--json"],
            4,
            "unavailable",
            Some("missing.gobsolved"),
        ),
        (&["verify", "missing.gobcert", "--json"], 4, "unavailable", Some("missing.gobcert")),
        (&["verify", "nosuch", "--json"], 2, "usage", Some("nosuch")),
        (&["info", "missing.gobcert", "--json"], 4, "unavailable", Some("missing.gobcert")),
        (&["query", "ab", start, "--file", "missing", "--json"], 4, "unavailable", Some("missing")),
        (&["solve", "abcd-full", "--json"], 4, "unavailable", None),
        (&["count", "chess", "--json"], 2, "usage", Some("VARIANT")),
        (&["count", "--json", "--jsn"], 2, "usage", Some("--jsn")),
        (&["verify", "ab", "--reading", "x", "--json"], 2, "usage", Some("--reading")),
        (&["query", "--json"], 2, "usage", Some("VARIANT")),
        (&["rules", "X9", "--json"], 2, "usage", Some("X9")),
    ] {
        let ran = gobprove(arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let object: Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        assert_eq!(keys(&object), ["error", "code", "where", "next"]);
        assert_eq!(object["code"], word, "{object}");
        assert_eq!(object["where"].as_str(), place, "{object}");
        let told = object["error"].as_str().expect("a text");
        // What is missing stands in lines of its own.
        let stderr = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!told.contains('\n') && stderr.contains(told), "{told}: {ran:?}");
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
