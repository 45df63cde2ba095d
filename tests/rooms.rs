//! The rooms of `src/` stand in one order, that of `src/lib.rs`, and each uses only the rooms before it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The Rust files below a folder, with their paths from the project's folder.
fn sources(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder") {
            let path = folder.join(entry.expect("an entry").file_name());
            match path.extension() {
                _ if root.join(&path).is_dir() && !path.ends_with("target") => folders.push(path),
                Some(extension) if extension == "rs" => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// The names that follow `before` in a text, with whole words only.
fn names<'a>(text: &'a str, before: &str) -> BTreeSet<&'a str> {
    let name =
        |rest: &'a str| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    text.split(before).skip(1).map(name).collect()
}

/// A file without its tests, which may look into any room.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// The upward arrow out of a file of the room `from`, if there is one. `prelude` gathers traits of several rooms.
fn upward<'a>(rooms: &[&'a str], from: &str, text: &str) -> Option<&'a str> {
    let own = rooms.iter().position(|room| *room == from)?;
    let used = names(without_tests(text), "crate::");
    rooms[own + 1..].iter().find(|room| **room != "prelude" && used.contains(*room)).copied()
}

#[test]
fn rooms_use_only_the_rooms_before_them() {
    let map = read("src/lib.rs");
    let rooms: Vec<&str> =
        map.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(rooms.len() > 10 && rooms.ends_with(&["prelude", "cli"]), "{rooms:?}");
    for path in sources("src").into_iter().filter(|path| !path.to_string_lossy().contains("test")) {
        let room = path.iter().nth(1).expect("below src").to_str().expect("a plain name");
        let arrow = upward(&rooms, room.trim_end_matches(".rs"), &read(&path));
        assert_eq!(arrow, None, "{path:?} uses a room after its own");
    }
    assert_eq!(upward(&["a", "b"], "a", "use crate::b::C;"), Some("b"), "the rule sees what breaks it");
    assert_eq!(upward(&["a", "b"], "b", "use crate::a::C;"), None);
}
