//! The README says what is so: its numbers are computed again, its map names what is there, its links lead
//! somewhere.

#[path = "support/generated.rs"]
mod generated;
#[path = "support/grouped.rs"]
mod grouped;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gobprove::enumerate::census;
use gobprove::prelude::*;
use gobprove::rules::{Color, Variant};
use gobprove::store::Certificate;

use grouped::grouped;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README.md")
}

/// The rows of the table between `<!-- counted: NAME -->` and `<!-- /counted -->`: what stands in code font
/// in the first cell, and the cells after it.
fn counted<'a>(text: &'a str, name: &str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let (_, rest) = text.split_once(&format!("<!-- counted: {name} -->")).expect("the section begins");
    let (section, _) = rest.split_once("<!-- /counted -->").expect("the section ends");
    let mut rows = BTreeMap::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let before = rows.insert(cells[0].trim_matches('`'), cells[1..].to_vec());
        assert_eq!(before, None, "{line} comes twice");
    }
    rows
}

/// Holds a counted section to its numbers, which stand in the cells right after the first.
fn assert_counted(text: &str, name: &str, expected: &BTreeMap<String, Vec<u128>>) {
    let rows = counted(text, name);
    let named: Vec<&str> = rows.keys().copied().collect();
    assert_eq!(named, expected.keys().collect::<Vec<_>>(), "the rows of {name}");
    let mut wrong = Vec::new();
    for (row, numbers) in expected {
        let numbers: Vec<String> = numbers.iter().map(|&number| grouped(number)).collect();
        let cells = &rows[row.as_str()];
        if cells.len() < numbers.len() || cells[..numbers.len()] != numbers {
            wrong.push(format!("{row} has {}", numbers.join(" | ")));
        }
    }
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
}

/// Lines of code of the trusted part, without comments and empty lines, by the modules of `gobcheck/src`.
fn trusted_lines() -> BTreeMap<String, Vec<u128>> {
    let mut lines: BTreeMap<String, Vec<u128>> = BTreeMap::new();
    let mut open = vec![root().join("gobcheck/src")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let inside = path.strip_prefix(root().join("gobcheck/src")).expect("inside").with_extension("");
            let module = inside.iter().next().and_then(|name| name.to_str()).expect("a name").to_owned();
            let text = fs::read_to_string(&path).expect("a source");
            let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
            let count = text.lines().filter(is_code).count() as u128;
            for row in [module, "all of it".to_owned()] {
                lines.entry(row).or_insert_with(|| vec![0])[0] += count;
            }
        }
    }
    lines
}

#[test]
fn lines_of_the_trusted_part() {
    assert_counted(&readme(), "lines", &trusted_lines());
}

#[test]
fn sizes_of_the_variants() {
    let sizes = |(name, variant): (&str, Variant)| {
        let count = census::variant(variant);
        (name.to_owned(), vec![count.positions, count.canonical, census::thesis_convention(variant)])
    };
    assert_counted(&readme(), "variants", &Variant::named().map(sizes).collect());
}

/// A guess has no more.
fn two_digits(number: u128) -> u128 {
    let unit = 10u128.pow(number.max(10).ilog10() - 1);
    (number + unit / 2) / unit * unit
}

#[test]
fn what_larger_closures_would_take() {
    let rows = counted(&readme(), "closures ahead").into_keys().map(str::to_owned).collect::<Vec<_>>();
    let sizes = |variant: String| {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"))
            .args(["estimate", &variant, "--json"])
            .output()
            .expect("the program starts");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let guess = |key: &str| report["guess"][key].to_string().parse::<u128>().expect("a number");
        // A million positions a minute and core.
        let hours = guess("closure_positions") / 60_000_000;
        // Nine bytes a position.
        let memory = (9 * guess("closure_positions")) >> 20;
        let sizes = [guess("closure_positions"), guess("closure_bytes") >> 20, memory, hours];
        (variant, sizes.map(two_digits).to_vec())
    };
    assert!(rows.len() > 2);
    assert_counted(&readme(), "closures ahead", &rows.into_iter().map(sizes).collect());
}

fn shipped() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("certificates")).expect("the folder of certificates");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "gobcert")).collect();
    assert!(!found.is_empty(), "something ships");
    found
}

fn name_of(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("a plain name").to_owned()
}

#[test]
fn certificates_that_ship() {
    let numbers = |path: PathBuf| {
        let bytes = fs::read(&path).expect("readable");
        let certificate = Certificate::decode(&bytes).expect("a certificate");
        let sets = Color::ALL.into_iter().filter_map(|turn| certificate.listed(turn));
        let listed = sets.map(|set| u128::from(set.len())).sum();
        (name_of(&path), vec![listed, bytes.len() as u128])
    };
    assert_counted(&readme(), "certificates", &shipped().into_iter().map(numbers).collect());
}

#[test]
fn certificates_are_named_after_their_claim() {
    for path in shipped() {
        let certificate = Certificate::decode(&fs::read(&path).expect("readable")).expect("a certificate");
        // The name is that of the variant with Black's material, also where White used less (R9).
        let black = certificate.claim.game.variant.black;
        let named = Variant::named().filter(|(_, variant)| variant.black == black).map(|(name, _)| name);
        let spelled = certificate.claim.game.variant.spelled();
        let mut names = named.chain([spelled.as_str()]);
        let rest = format!("-{}-{}.gobcert", certificate.claim.game.reading, certificate.claim.kind);
        let name = name_of(&path);
        assert!(names.any(|variant| name == format!("{variant}{rest}")), "{name}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn what_the_thesis_is_compared_with_is_what_the_command_prints() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gobprove"))
        .args(["reproduce", "--markdown", "--quiet"])
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("text");
    let readme = readme();
    let ours: Vec<&str> = generated::generated(&readme, "gobprove reproduce --markdown").lines().collect();
    let theirs: Vec<&str> = printed.trim().lines().collect();
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs, "README.md and gobprove reproduce --markdown");
    }
    assert_eq!(ours.len(), theirs.len());
}

#[test]
fn the_map_names_what_is_there() {
    let readme = readme();
    let mut names: Vec<String> = Vec::new();
    for folder in ["src", "src/bin", "tests", "benches"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let is_folder = entry.file_type().expect("a type").is_dir();
            let name = entry.file_name().into_string().expect("a plain name");
            names.push(if is_folder { format!("`{folder}/{name}/`") } else { format!("`{folder}/{name}`") });
        }
    }
    names.retain(|name| !name.contains("proptest-regressions"));
    let missing: Vec<&String> = names.iter().filter(|name| !readme.contains(name.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// The files that a text names: targets of links, and code that looks like a path in the project.
fn named_files(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links = links.filter(|target| !target.starts_with("http")).filter_map(|to| to.split('#').next());
    let code = text.split('`').skip(1).step_by(2);
    let folders = ["src/", "tests/", "benches/", "certificates/", ".ci/"];
    let code = code.filter(|code| folders.iter().any(|folder| code.starts_with(folder)));
    links.chain(code).filter(|file| !file.contains(['*', '<', ' '])).collect()
}

#[test]
fn what_the_texts_name_is_there() {
    for folder in ["", "certificates"] {
        let text = fs::read_to_string(root().join(folder).join("README.md")).expect("README.md");
        let files = named_files(&text);
        assert!(!files.is_empty());
        for file in files {
            let from_here = root().join(folder).join(file);
            assert!(from_here.exists() || root().join(file).exists(), "{folder}/README.md names {file}");
        }
    }
}

#[test]
fn the_tests_of_this_file_see_what_is_wrong() {
    assert_eq!([0, 999, 1_000, 4_872_077].map(grouped), ["0", "999", "1,000", "4,872,077"]);
    let text = "<!-- counted: x -->\n| name | n |\n| --- | --- |\n| `a` | 1,000 | words |\n<!-- /counted -->";
    let is_right = |numbers: &[(&str, u128)]| {
        let expected = numbers.iter().map(|&(name, number)| (name.to_owned(), vec![number])).collect();
        std::panic::catch_unwind(|| assert_counted(text, "x", &expected)).is_ok()
    };
    assert!(is_right(&[("a", 1000)]));
    assert!(!is_right(&[("a", 1001)]) && !is_right(&[]) && !is_right(&[("a", 1000), ("b", 1)]));
    assert_eq!(
        named_files("[x](y.md#z) [w](https://w) `src/a.rs` `cargo x` `src/*.rs`"),
        ["y.md", "src/a.rs"]
    );
}
