//! The shape of the sources, kept by a test: who may use whom, what the trusted part does without, how
//! long a file may be.
//!
//! The rules are stated here, once, as tables. Each is also tried on samples that break it, so that a rule
//! that has gone blind is noticed.

mod source;

use std::fs;
use std::path::Path;

use source::{Paths, Source};

/// Each top-level module and what it may use. `lib.rs` names them in an order in which each comes after
/// what it uses.
const MAY_USE: [(&str, &[&str]); 8] = [
    ("rules", &[]),
    ("symmetry", &["rules"]),
    ("enumerate", &["rules", "symmetry"]),
    ("strategy", &["rules", "symmetry"]),
    ("certificate", &["rules", "enumerate", "strategy"]),
    ("checker", &["rules", "symmetry", "enumerate", "strategy", "certificate"]),
    ("passes", &["rules", "symmetry", "enumerate", "strategy", "certificate", "checker"]),
    ("cli", &["rules", "symmetry", "enumerate", "strategy", "certificate", "checker", "passes"]),
];

/// Where only some names of a module may be used.
const ONLY: [(&str, &str, &[&str]); 1] = [("certificate", "strategy", &["Seed", "NoSuchSeed"])];

/// What a verdict rests on.
const TRUSTED: [&str; 6] = ["rules", "symmetry", "enumerate", "strategy", "certificate", "checker"];

/// The crates that trusted modules may name.
const TRUSTED_CRATES: [&str; 2] = ["sha2", "crc32fast"];

/// Where trusted code stops on purpose, once each, and why. Everywhere else a wrong input is an error.
const STOPS: [(&str, &str); 2] = [
    // It writes: a position of another variant is its caller's mistake, and its documentation says so.
    ("src/certificate/set.rs", "panic!"),
    // It would hide an entry from a check to go on, so a bug must end the check instead.
    ("src/certificate/set.rs", ".expect("),
];

const MOST_LINES: usize = 600;

fn may_use(module: &str) -> Option<&'static [&'static str]> {
    MAY_USE.iter().find(|(name, _)| *name == module).map(|(_, used)| *used)
}

/// A module's paths lead only where it may go.
fn directions(source: &Source) -> Vec<String> {
    let module = source.module();
    let Some(allowed) = may_use(module) else {
        return vec![format!("{}: belongs to no known module", source.path)];
    };
    let mut wrong = Vec::new();
    for path in source.crate_paths() {
        let Some(target) = path.first() else { continue };
        let names =
            ONLY.iter().find(|(from, to, _)| *from == module && to == target).map(|(.., names)| names);
        let named = path.get(1).is_none_or(|name| names.is_none_or(|names| names.contains(&name.as_str())));
        if target != module && (!allowed.contains(&target.as_str()) || !named) {
            wrong.push(format!("{}: {module} may not use crate::{}", source.path, path.join("::")));
        }
    }
    if source.reaches_root_by_super() {
        wrong.push(format!("{}: names the crate's root by super instead of crate", source.path));
    }
    wrong
}

/// What a program's `main` uses of the library: `gobcheck` the trusted part alone.
fn program(source: &Source) -> Vec<String> {
    let may = |target: &str| source.path.ends_with("gobprove.rs") || TRUSTED.contains(&target);
    let targets = source.paths_of("gobprove").into_iter().filter_map(|path| path.into_iter().next());
    targets.filter(|to| !may(to)).map(|to| format!("{}: may not use {to}", source.path)).collect()
}

/// Trusted code neither panics on purpose nor goes round the compiler, and names two crates at most.
fn trusted(source: &Source, dependencies: &[String]) -> Vec<String> {
    let mut wrong = Vec::new();
    for words in [
        [".", "unwrap", "("].as_slice(),
        &[".", "expect", "("],
        &["panic", "!"],
        &["todo", "!"],
        &["unimplemented", "!"],
        &["unsafe"],
        &["extern", "crate"],
    ] {
        let stops = STOPS.iter().filter(|&&(path, stop)| path == source.path && stop == words.concat());
        if source.count(words) > stops.count() {
            wrong.push(format!("{}: holds {}", source.path, words.concat()));
        }
    }
    for name in dependencies {
        let used = source.holds(&[name, "::"]) || source.holds(&["use", name]);
        if used && !TRUSTED_CRATES.contains(&name.as_str()) {
            wrong.push(format!("{}: names the crate {name}", source.path));
        }
    }
    wrong
}

/// A file can be read in one go, runs all its tests and leaves nothing for later.
fn tidy(path: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    if text.lines().count() > MOST_LINES {
        wrong.push(format!("{path}: longer than {MOST_LINES} lines"));
    }
    // In two parts, so that this file does not hold them.
    for word in [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("#[", "ignore")] {
        if text.contains(word) {
            wrong.push(format!("{path}: holds {word}"));
        }
    }
    wrong
}

/// `lib.rs` names modules after those that they use, and forbids unsafe code in the trusted ones.
fn map(lib: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    let mut attributes = String::new();
    for line in lib.lines().map(str::trim) {
        if line.starts_with("#[") {
            attributes.push_str(line);
        }
        let declared = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "));
        let Some(module) = declared.map(|rest| rest.trim_end_matches(';')) else { continue };
        match may_use(module) {
            None => wrong.push(format!("lib.rs: {module} is no known module")),
            Some(used) => {
                let late = used.iter().find(|used| lib_declares(lib, used) && !seen.contains(*used));
                wrong.extend(late.map(|late| format!("lib.rs: {module} comes before {late}")));
            }
        }
        if TRUSTED.contains(&module) && !attributes.contains("#[forbid(unsafe_code)]") {
            wrong.push(format!("lib.rs: {module} may hold unsafe code"));
        }
        if TRUSTED.contains(&module) && attributes.contains("cfg") {
            wrong.push(format!("lib.rs: {module} is not always there"));
        }
        seen.push(module);
        attributes.clear();
    }
    wrong
}

fn lib_declares(lib: &str, module: &str) -> bool {
    lib.contains(&format!("mod {module};"))
}

/// The names of all dependencies as code would write them.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.contains("dependencies]");
        } else if inside && let Some((name, _)) = line.split_once('=') {
            names.push(name.trim().replace('-', "_"));
        }
    }
    names
}

/// Release builds stop on overflow, with which the rest of the arithmetic is checked.
fn manifest(text: &str) -> Vec<String> {
    let release = text.split("\n[").find(|section| section.starts_with("profile.release]"));
    let kept = release.is_some_and(|section| section.lines().any(|line| line == "overflow-checks = true"));
    if kept { Vec::new() } else { vec!["Cargo.toml: release builds do not check overflows".to_owned()] }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn manifest_text() -> String {
    fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml")
}

/// The sources of the library and its programs, without files that hold tests alone.
fn sources() -> Vec<Source> {
    let all = source::all(root(), "src");
    let of_tests: Vec<String> = all.iter().flat_map(Source::test_files).collect();
    let kept: Vec<Source> = all.into_iter().filter(|source| !of_tests.contains(&source.path)).collect();
    assert!(kept.len() > 20, "the sources are found");
    kept
}

#[test]
fn modules_use_only_what_they_may() {
    let mut wrong = Vec::new();
    for source in sources() {
        match source.module() {
            "lib" => wrong.extend(map(&source.text)),
            "bin" => wrong.extend(program(&source)),
            _ => wrong.extend(directions(&source)),
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_trusted_part_is_plain() {
    let dependencies = dependencies(&manifest_text());
    assert!(dependencies.iter().any(|name| name == "clap_complete"), "{dependencies:?}");
    let is_trusted =
        |source: &Source| TRUSTED.contains(&source.module()) || source.path == "src/bin/gobcheck.rs";
    let sources: Vec<Source> = sources().into_iter().filter(is_trusted).collect();
    let wrong: Vec<String> = sources.iter().flat_map(|source| trusted(source, &dependencies)).collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_stops_on_purpose_is_still_there() {
    let sources = sources();
    for (path, stop) in STOPS {
        let words: &[&str] = if stop == "panic!" { &["panic", "!"] } else { &[".", "expect", "("] };
        let count = sources.iter().find(|source| source.path == path).map(|source| source.count(words));
        assert_eq!(count, Some(1), "{path}: {stop}");
    }
}

#[test]
fn files_are_tidy() {
    for folder in ["src", "tests", "benches", "fuzz/fuzz_targets"] {
        let all = source::all(root(), folder);
        let wrong: Vec<String> = all.iter().flat_map(|file| tidy(&file.path, &file.text)).collect();
        assert_eq!(wrong, Vec::<String>::new());
    }
}

#[test]
fn release_builds_check_overflows() {
    assert_eq!(manifest(&manifest_text()), Vec::<String>::new());
}

fn sample(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn wrong_directions_are_refused() {
    for (path, text) in [
        ("src/rules/game.rs", "use crate::symmetry::Symmetry;"),
        ("src/symmetry.rs", "fn f() { crate::enumerate::census::tier(t) }"),
        ("src/symmetry.rs", "use super::enumerate::Tier;"),
        ("src/rules/game.rs", "use super::super::symmetry;"),
        ("src/checker/mod.rs", "use crate::{rules::Game, passes::solve};"),
        ("src/checker/cut.rs", "use crate::{rules::{Game, Move}, cli};"),
        ("src/checker/cut.rs", "pub use crate :: passes as p;"),
        ("src/checker/cut.rs", "use crate::*;"),
        ("src/certificate/mod.rs", "use crate::strategy::{Seed, White};"),
        ("src/certificate/mod.rs", "use crate::symmetry::canonical;"),
        ("src/checker/x.rs", "#[cfg(test)] mod t { use crate::cli; } use crate::passes;"),
        ("src/other.rs", ""),
    ] {
        assert!(!directions(&sample(path, text)).is_empty(), "{path}: {text}");
    }
    for (path, text) in [
        ("src/symmetry.rs", "use crate::rules::{Mask, Square};"),
        ("src/passes/x.rs", "use crate::{checker, symmetry::{self, Symmetry}}; use super::y;"),
        ("src/certificate/mod.rs", "use crate::strategy::{NoSuchSeed, Seed};"),
        ("src/rules/game.rs", "pub(crate) fn f() {} // as crate::symmetry has it"),
        ("src/rules/game.rs", "const X: &str = \"crate::cli\"; const Q: char = '\"'; fn f<'a>(x: &'a u8) {}"),
        ("src/rules/game.rs", "#[cfg(test)]\nmod tests { use crate::cli; fn f() { g() } }"),
        ("src/rules/game.rs", "/* /* crate::cli */ crate::cli */ use crate::rules::Mask;"),
    ] {
        assert_eq!(directions(&sample(path, text)), Vec::<String>::new());
    }
}

#[test]
fn a_checker_program_with_more_than_the_trusted_part_is_refused() {
    let text = "use gobprove::{checker, passes};";
    assert!(!program(&sample("src/bin/gobcheck.rs", text)).is_empty());
    assert!(program(&sample("src/bin/gobprove.rs", text)).is_empty());
    assert!(program(&sample("src/bin/gobcheck.rs", "use gobcheck::check::check;")).is_empty());
}

#[test]
fn what_trusted_code_does_without_is_refused() {
    let dependencies = ["sha2", "rayon", "clap"].map(str::to_owned);
    for text in [
        "fn f() { x.unwrap() }",
        "fn f() { x\n  .expect(\"why\") }",
        "fn f() { panic!(\"why\") }",
        "fn f() { todo!() }",
        "fn f() { std::unimplemented!() }",
        "fn f() { unsafe { g() } }",
        "use rayon::prelude::*;",
        "pub use rayon as r;",
        "fn f() { clap::Parser::parse() }",
        "extern crate clap;",
        "#[cfg(test)]\nuse a::{b, c};\nfn f() { x.unwrap() }",
    ] {
        assert!(!trusted(&sample("src/rules/x.rs", text), &dependencies).is_empty(), "{text}");
    }
    for text in [
        "use sha2::Sha256;",
        "#![forbid(unsafe_code)] fn f() { x.unwrap_or(0) }",
        "// panic!\n/// `x.unwrap()`\nfn f() -> &'static str { r#\"unsafe \" todo!\"# }",
        "fn f() {} #[cfg(test)] mod tests { fn g() { x.unwrap(); panic!() } }",
        "#[cfg(test)] #[path = \"x_tests.rs\"] mod tests;",
    ] {
        assert_eq!(trusted(&sample("src/rules/x.rs", text), &dependencies), Vec::<String>::new());
    }
}

#[test]
fn untidy_files_are_refused() {
    assert!(!tidy("x.rs", &"\n".repeat(MOST_LINES + 1)).is_empty());
    assert!(tidy("x.rs", &"\n".repeat(MOST_LINES)).is_empty());
    for word in ["// TO\0DO: later", "// FIX\0ME", "// XX\0X", "#[ig\0nore]"] {
        assert!(!tidy("x.rs", &word.replace('\0', "")).is_empty(), "{word}");
    }
}

#[test]
fn a_wrong_map_is_refused() {
    const FORBID: &str = "#[forbid(unsafe_code)]\n";
    let right = format!("{FORBID}pub mod rules;\n{FORBID}pub mod symmetry;\n#[cfg(x)]\npub mod passes;\n");
    assert_eq!(map(&right), Vec::<String>::new());
    for wrong in [
        format!("{FORBID}pub mod symmetry;\n{FORBID}pub mod rules;\n"),
        format!("{FORBID}pub mod rules;\npub mod symmetry;\n"),
        format!("{FORBID}pub mod rules;\n{FORBID}#[cfg(x)]\npub mod symmetry;\n"),
        "pub mod other;\n".to_owned(),
    ] {
        assert!(!map(&wrong).is_empty(), "{wrong}");
    }
}

#[test]
fn a_manifest_without_overflow_checks_is_refused() {
    let right = "[package]\nname = \"x\"\n\n[profile.release]\ndebug = 1\noverflow-checks = true\n";
    assert_eq!(manifest(right), Vec::<String>::new());
    assert!(!manifest(&right.replace("true", "false")).is_empty());
    assert!(!manifest(&right.replace("release", "bench")).is_empty());
    assert_eq!(dependencies("[dependencies]\na-b = \"1\"\n[features]\nc = []\n"), ["a_b"]);
}

#[test]
fn files_of_tests_are_known_by_their_declaration() {
    let mut found = sample("src/rules/reference.rs", "#[cfg(test)]\n#[path = \"r_tests.rs\"]\nmod tests;");
    assert_eq!(found.test_files(), ["src/rules/r_tests.rs"]);
    found = sample("src/checker/mod.rs", "mod cut;\n#[cfg(test)]\nmod tests;");
    assert_eq!(found.test_files(), ["src/checker/tests.rs", "src/checker/tests/mod.rs"]);
    assert_eq!(sample("src/checker/mod.rs", "mod tests;").test_files(), Vec::<String>::new());
    assert_eq!(found.paths_of("crate"), Paths::new());
}
