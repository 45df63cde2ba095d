//! How a saved game is written, whatever the board: tags, an empty line, and the moves in pairs.

use std::fmt::Write as _;

/// The value of a tag, empty if the tag is missing.
pub(crate) fn tag(text: &str, name: &str) -> String {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix('[')?.strip_suffix(']'));
    let mut tags = lines.filter_map(|tag| tag.split_once(' '));
    let value = tags.find(|(tag, _)| *tag == name).map(|(_, value)| value.trim().trim_matches('"'));
    value.unwrap_or_default().to_owned()
}

/// The moves, as they are written.
pub(crate) fn moves(text: &str) -> impl Iterator<Item = &str> {
    let words = text.lines().filter(|line| !line.trim_start().starts_with('['));
    let is_move = |word: &&str| !word.ends_with('.') && !["*", "1-0", "0-1", "1/2-1/2"].contains(word);
    words.flat_map(str::split_whitespace).filter(is_move)
}

/// A game as it is saved.
pub(crate) fn written(tags: &[(&str, &str)], moves: &[String], result: &str) -> String {
    let mut text = String::new();
    // Writing to a `String` does not fail.
    for (tag, value) in tags {
        // A value may contain characters that would end the tag.
        let value: String = value.chars().filter(|c| !c.is_control() && !"\"[]".contains(*c)).collect();
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    for (number, pair) in (1..).zip(moves.chunks(2)) {
        let _ = write!(text, "\n{number}. {}", pair.join(" "));
    }
    let _ = writeln!(text, "\n{result}");
    text
}
