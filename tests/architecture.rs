//! What keeps the trusted part small and plain, where Cargo does not keep it: its dependencies, what it forbids, how long
//! a file may be and how full a folder.

use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES: usize = 600;
const MOST_FILES: usize = 16;

/// Folders that are fuller, and how full: they may only shrink.
const FULLER: [(&str, usize); 1] = [("tests/cli", 31)];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn manifest(path: &str) -> toml::Table {
    fs::read_to_string(root().join(path)).expect(path).parse().expect(path)
}

/// What a folder holds.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// The Rust files of a folder and of all folders in it, and the folders.
fn tree(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        for entry in entries(&folder) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                files.push(entry);
            }
        }
    }
    (files, folders)
}

#[test]
fn the_trusted_part_depends_on_two_hashes_alone() {
    let manifest = manifest("gobcheck/Cargo.toml");
    let names: Vec<&String> = manifest["dependencies"].as_table().expect("dependencies").keys().collect();
    assert_eq!(names, ["crc32fast", "sha2"]);
    for other in ["build-dependencies", "dev-dependencies", "target", "features"] {
        assert!(!manifest.contains_key(other), "gobcheck has {other}");
    }
    assert!(!root().join("gobcheck/build.rs").exists());
}

#[test]
fn the_trusted_part_has_no_unsafe_code() {
    assert_eq!(manifest("gobcheck/Cargo.toml")["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    let library = fs::read_to_string(root().join("gobcheck/src/lib.rs")).expect("the library");
    assert!(library.lines().any(|line| line == "#![forbid(unsafe_code)]"));
}

#[test]
fn release_builds_check_overflows() {
    for path in ["Cargo.toml", "fuzz/Cargo.toml"] {
        assert_eq!(manifest(path)["profile"]["release"]["overflow-checks"].as_bool(), Some(true), "{path}");
    }
    assert!(!manifest("gobcheck/Cargo.toml").contains_key("profile"), "Cargo would not look at it");
}

#[test]
fn files_are_short_and_folders_are_not_full() {
    let mut seen = 0;
    for folder in ["gobcheck/src", "engine", "junior", "src", "tests", "benches", "fuzz/fuzz_targets"] {
        let (files, folders) = tree(&root().join(folder));
        for file in &files {
            let text = fs::read_to_string(file).expect("a source");
            assert!(text.lines().count() <= MOST_LINES, "{}: longer than {MOST_LINES} lines", file.display());
            assert!(!text.contains(concat!("#[", "ignore")), "{}: a test that never runs", file.display());
        }
        for folder in &folders {
            let is_source = |entry: &&PathBuf| entry.extension().is_some_and(|extension| extension == "rs");
            let sources = entries(folder).iter().filter(is_source).count();
            let fuller = FULLER.iter().find(|(name, _)| folder.ends_with(name));
            let most = fuller.map_or(MOST_FILES, |&(_, most)| most);
            assert!(sources <= most, "{}: {sources} files", folder.display());
        }
        seen += files.len();
    }
    assert!(seen > 100, "the sources are found");
}

/// The names of what a package depends on when it is built for others.
fn needs(path: &str) -> Vec<String> {
    let manifest = toml::Value::Table(manifest(path));
    let on_some_systems = manifest.get("target").and_then(|target| target.as_table());
    let tables = on_some_systems.into_iter().flat_map(|target| target.values()).chain([&manifest]);
    let names = tables.filter_map(|table| table.get("dependencies")?.as_table());
    names.flat_map(|names| names.keys().cloned()).collect()
}

/// Lock files of their own have the fuzz targets and the solvers beside ours. Their builds are rare, and `--locked` refuses a
/// file that lacks what the project has come to need.
#[test]
fn lock_files_apart_have_what_the_project_needs() {
    let packages = [
        ("gobprove", "Cargo.toml"),
        ("gobcheck", "gobcheck/Cargo.toml"),
        ("gobengine", "engine/Cargo.toml"),
        ("gobjunior", "junior/Cargo.toml"),
    ];
    for lock in ["fuzz/Cargo.lock", "benches/peers/Cargo.lock"] {
        let locked = manifest(lock);
        let locked = locked["package"].as_array().expect("packages");
        for (name, path) in packages {
            let package = locked.iter().find(|package| package["name"].as_str() == Some(name)).expect(name);
            let listed = package["dependencies"].as_array().expect(name).iter();
            // Of a crate that is there twice the version follows.
            let listed: Vec<&str> =
                listed.filter_map(|one| one.as_str()?.split_whitespace().next()).collect();
            for needed in needs(path) {
                assert!(listed.contains(&needed.as_str()), "{lock}: {name} lacks {needed}");
            }
        }
    }
}
