//! The pages are true: their numbers are computed again, the map names what is there, and links lead somewhere.

#[path = "support/generated.rs"]
mod generated;
#[path = "support/grouped.rs"]
mod grouped;
#[path = "support/thorough.rs"]
mod thorough;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gobprove::enumerate::census;
use gobprove::prelude::*;
use gobprove::rules::{Color, Variant};
use gobprove::store::Certificate;

use grouped::grouped;
use thorough::thorough;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page, by its path from the project's folder.
fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
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

/// The files below a folder whose names end so, in order. What is built or worked on there is left out.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match name_of(&path).as_str() {
            "target" | "work" | ".git" => {}
            _ if path.is_dir() => found.extend(files(&path, ending)),
            name if name.ends_with(ending) => found.push(path),
            _ => {}
        }
    }
    found.sort();
    found
}

/// How many lines hold more than a comment. All of them count as code: nothing may hide from the count in block comments
/// or among tests.
fn lines_of_code(text: &str) -> u128 {
    assert!(!text.contains("/*") && !text.contains("cfg(test)"), "{text}");
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    text.lines().filter(is_code).count() as u128
}

/// The most that a stated ceiling may be above what is there.
const SLACK: u128 = 25;

/// Holds a counted section to ceilings that are nearly reached.
fn assert_ceilings(text: &str, name: &str, found: &BTreeMap<String, Vec<u128>>) {
    let rows = counted(text, name);
    assert_eq!(
        rows.keys().copied().collect::<Vec<_>>(),
        found.keys().collect::<Vec<_>>(),
        "the rows of {name}"
    );
    for (row, numbers) in found {
        let ceiling: u128 = rows[row.as_str()][0].replace(',', "").parse().expect("a number");
        let (least, most) = (numbers[0], numbers[0] + SLACK);
        assert!(
            (least..=most).contains(&ceiling),
            "{name}: {row} has {least}, and the page says at most {ceiling}"
        );
    }
}

/// Lines of code of the trusted crate: of each folder and file of its `src`, and of all of it.
fn trusted_lines(prefix: &str) -> BTreeMap<String, Vec<u128>> {
    let src = root().join("gobcheck/src");
    let mut lines: BTreeMap<String, Vec<u128>> = BTreeMap::new();
    let mut all = 0;
    for file in files(&src, ".rs") {
        let part = file.strip_prefix(&src).expect("it is inside").iter().next().expect("a name");
        let count = lines_of_code(&fs::read_to_string(&file).expect("text"));
        lines.entry(format!("{prefix}src/{}", part.display())).or_insert_with(|| vec![0])[0] += count;
        all += count;
    }
    lines.insert("all of it".to_owned(), vec![all]);
    lines
}

#[test]
fn lines_of_the_trusted_part() {
    assert_ceilings(&page("README.md"), "trusted", &trusted_lines("gobcheck/"));
    assert_ceilings(&page("gobcheck/README.md"), "trusted", &trusted_lines(""));
}

#[test]
fn sizes_of_the_variants() {
    let sizes = |(name, variant): (&str, Variant)| {
        let count = census::variant(variant);
        (name.to_owned(), vec![count.positions, count.canonical, census::thesis_convention(variant)])
    };
    assert_counted(&page("certificates/README.md"), "variants", &Variant::named().map(sizes).collect());
}

/// A guess has no more.
fn two_digits(number: u128) -> u128 {
    let unit = 10u128.pow(number.max(10).ilog10() - 1);
    (number + unit / 2) / unit * unit
}

#[test]
fn what_larger_closures_would_take() {
    let page = page("src/closure/README.md");
    let rows = counted(&page, "closures ahead").into_keys().map(str::to_owned).collect::<Vec<_>>();
    let sizes = |variant: String| {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"))
            .args(["estimate", &variant, "--json"])
            .output()
            .expect("the program starts");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let guess = |key: &str| report["closure"][key].to_string().parse::<u128>().expect("a number");
        // A million positions a minute and core.
        let hours = guess("positions") / 60_000_000;
        let sizes = [guess("positions"), guess("bytes") >> 20, hours];
        (variant, sizes.map(two_digits).to_vec())
    };
    assert!(rows.len() > 2);
    assert_counted(&page, "closures ahead", &rows.into_iter().map(sizes).collect());
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
    let mut shipped: BTreeMap<String, Vec<u128>> = shipped().into_iter().map(numbers).collect();
    assert_counted(&page("certificates/README.md"), "certificates", &shipped);
    let readme = page("README.md");
    let results = counted(&readme, "results");
    assert_eq!(results.len(), 10, "the table of results has ten rows");
    shipped.retain(|name, _| results.contains_key(name.as_str()));
    assert_counted(&readme, "results", &shipped);
}

#[test]
fn the_first_command_prints_what_the_page_says() {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("gobprove")).args(["verify", "ab"]).output();
    let printed = String::from_utf8(output.expect("the program starts").stdout).expect("text");
    assert!(printed.starts_with("s VERIFIED ab "), "{printed}");
    let readme = page("README.md");
    assert!(readme.contains(&format!("```text\n{printed}```\n")), "README.md should say\n{printed}");
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
    let page = page("src/thesis/README.md");
    let ours = generated::generated(&page, "gobprove reproduce --markdown");
    let printed = |tables: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        let output = command.args(["reproduce", "--markdown", "--quiet"]).args(tables).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    if thorough() {
        assert_eq!(ours, printed(&[]), "src/thesis/README.md and gobprove reproduce --markdown");
        return;
    }
    // The quick tables: the others take half a minute.
    for table in ["sizes", "readings"] {
        let printed = printed(&[table]);
        assert!(ours.contains(&printed), "src/thesis/README.md does not say\n{printed}");
    }
}

#[test]
fn the_map_names_what_is_there() {
    let readme = page("README.md");
    let mut names: Vec<String> =
        ["gobcheck", "engine", "junior", "certificates", "benches", "tests", "fuzz", ".ci"]
            .map(|folder| format!("`{folder}/`"))
            .to_vec();
    for entry in fs::read_dir(root().join("src")).expect("a folder") {
        let path = entry.expect("an entry").path();
        names.push(format!("`src/{}{}`", name_of(&path), if path.is_dir() { "/" } else { "" }));
    }
    // It holds the list of modules, and the map is that.
    names.retain(|name| name != "`src/lib.rs`");
    let missing: Vec<&String> = names.iter().filter(|name| !readme.contains(name.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// Text without what stands in blocks of code.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The targets of links in a page, those on the net left out.
fn links(text: &str) -> Vec<String> {
    let targets = prose(text);
    let targets = targets.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.starts_with("http")).map(str::to_owned).collect()
}

/// What stands in code font and looks like a path in the project.
fn named_files(text: &str) -> Vec<String> {
    let folders = [
        "src/",
        "gobcheck/",
        "engine/",
        "junior/",
        "web/",
        "mpi/",
        "formal/",
        "tests/",
        "benches/",
        "fuzz/",
        "certificates/",
        "schemas/",
        ".ci/",
    ];
    let prose = prose(text);
    let code = prose.split('`').skip(1).step_by(2);
    let code = code.filter(|code| folders.iter().any(|folder| code.starts_with(folder)));
    code.filter(|code| !code.contains(['*', '<', ' '])).map(str::to_owned).collect()
}

/// The names by which links reach the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text);
    let headings =
        headings.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#'));
    let anchor = |heading: &str| {
        let letters = heading.trim().to_lowercase().replace(' ', "-");
        letters.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn the_readme_is_short_and_links_lead_somewhere() {
    assert!(page("README.md").lines().count() <= 200, "README.md has more than 200 lines");
    let pages = files(root(), ".md");
    assert!(pages.len() > 7, "{pages:?}");
    let mut wrong = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).expect("text");
        let folder = page.parent().expect("a folder");
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            let reaches = |target: &Path| {
                anchors(&fs::read_to_string(target).expect("text")).iter().any(|a| a == anchor)
            };
            if !target.exists() || !anchor.is_empty() && !reaches(&target) {
                wrong.push(format!("{} links to {link}", page.display()));
            }
        }
        for file in named_files(&text) {
            if !folder.join(&file).exists() && !root().join(&file).exists() {
                wrong.push(format!("{} names {file}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
    let is_reached = |found: u128| {
        let found = BTreeMap::from([("a".to_owned(), vec![found])]);
        std::panic::catch_unwind(|| assert_ceilings(text, "x", &found)).is_ok()
    };
    assert_eq!([974, 975, 1000, 1001].map(is_reached), [false, true, true, false]);
    let text = "[x](y.md#z) [w](https://w) `src/a.rs` `cargo x` `src/*.rs`\n```sh\n`src/b.rs` [v](v)\n```\n# A b: `c`!";
    assert_eq!(links(text), ["y.md#z"]);
    assert_eq!(named_files(text), ["src/a.rs"]);
    assert_eq!(anchors(text), ["a-b-c"]);
    assert_eq!(lines_of_code("//! Doc.\n\nfn f() {} // why\n    // more\n    g();\n"), 2);
}
