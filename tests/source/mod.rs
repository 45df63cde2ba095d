//! A source file as far as its shape goes: words without comments, strings and tests.

#![allow(dead_code, reason = "each test binary that includes this file uses a part of it")]

use std::fs;
use std::path::Path;

/// Paths as their segments.
pub type Paths = Vec<Vec<String>>;

/// A file with its path from the project's folder, with `/`.
pub struct Source {
    pub path: String,
    pub text: String,
}

/// The Rust files below a folder of the project, in the order of their paths; none if it is not there.
pub fn all(root: &Path, folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return found };
    for entry in entries {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let path = format!("{folder}/{name}");
        if name == "target" {
            // What a crate of its own builds there is nobody's source.
            continue;
        }
        if root.join(&path).is_dir() {
            found.extend(all(root, &path));
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(root.join(&path)).expect("readable");
            found.push(Source { path, text });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Source {
    /// The top-level module that the file belongs to: `lib` and `bin` for the roots.
    pub fn module(&self) -> &str {
        let inner = self.path.trim_start_matches("src/");
        let end = inner.find(['/', '.']).unwrap_or(inner.len());
        &inner[..end]
    }

    /// How many modules deep the file is: 1 for `src/x.rs` and `src/x/mod.rs`.
    fn depth(&self) -> usize {
        let inner = self.path.trim_start_matches("src/").trim_end_matches("/mod.rs");
        inner.split('/').count()
    }

    /// Where this file's paths go that begin with a name.
    pub fn paths_of(&self, head: &str) -> Paths {
        let tokens = tokens(&without_tests(&blanked(&self.text)));
        let mut paths = Paths::new();
        for at in 0..tokens.len() {
            if tokens[at] == head && tokens.get(at + 1).is_some_and(|next| next == "::") {
                tree(&tokens, at + 2, &[], &mut paths);
            }
        }
        paths
    }

    /// The paths that begin with `crate`, which is left off.
    pub fn crate_paths(&self) -> Paths {
        self.paths_of("crate")
    }

    /// Whether as many `super` in a row as the file is deep lead to the crate's root.
    pub fn reaches_root_by_super(&self) -> bool {
        let words: Vec<&str> = std::iter::repeat_n(["super", "::"], self.depth()).flatten().collect();
        self.holds(&words)
    }

    /// Whether these words stand in a row in the code, tests left out.
    pub fn holds(&self, words: &[&str]) -> bool {
        self.count(words) > 0
    }

    /// How often these words stand in a row in the code, tests left out.
    pub fn count(&self, words: &[&str]) -> usize {
        let tokens = tokens(&without_tests(&blanked(&self.text)));
        tokens.windows(words.len()).filter(|window| *window == words).count()
    }

    /// How many lines hold code: neither blank nor comment alone, nor tests.
    pub fn lines_of_code(&self) -> usize {
        let mut code = scan(&self.text, false);
        // Where tests are is asked of the text without strings, which may hold braces.
        for (start, end) in test_items(&blanked(&self.text)).into_iter().rev() {
            code.replace_range(start..end, "");
        }
        code.lines().filter(|line| !line.trim().is_empty()).count()
    }

    /// The files that this file declares as modules of tests.
    pub fn test_files(&self) -> Vec<String> {
        let blanked = blanked(&self.text);
        let mut files = Vec::new();
        for (start, end) in test_items(&blanked) {
            let words = tokens(&blanked[start..end]);
            let name = words.iter().position(|word| word == "mod").and_then(|at| words.get(at + 1));
            let Some(name) = name.filter(|_| words.last().is_some_and(|last| last == ";")) else { continue };
            let (folder, file) = self.path.rsplit_once('/').expect("a folder");
            let given =
                self.text[start..end].split_once("path = \"").and_then(|(_, rest)| rest.split_once('"'));
            if let Some((path, _)) = given {
                files.push(format!("{folder}/{path}"));
            } else {
                let stem = file.trim_end_matches(".rs");
                let inner = if stem == "mod" { folder.to_owned() } else { format!("{folder}/{stem}") };
                files.extend([format!("{inner}/{name}.rs"), format!("{inner}/{name}/mod.rs")]);
            }
        }
        files
    }
}

/// Reads a use tree from a place among the tokens, adds its paths, and gives the place after it.
fn tree(tokens: &[String], mut at: usize, before: &[String], paths: &mut Paths) -> usize {
    let Some(token) = tokens.get(at) else { return at };
    if token == "{" {
        at += 1;
        while tokens.get(at).is_some_and(|token| token != "}") {
            let after = tree(tokens, at, before, paths);
            let renamed = tokens.get(after).is_some_and(|token| token == "as");
            at = if renamed { after + 2 } else { after.max(at + 1) };
            at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
        }
        return at + 1;
    }
    let mut path = before.to_vec();
    path.push(token.clone());
    if tokens.get(at + 1).is_some_and(|next| next == "::") {
        return tree(tokens, at + 2, &path, paths);
    }
    paths.push(path);
    at + 1
}

/// Words, numbers, `::` and single other characters.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut joined = false;
    for letter in code.chars() {
        let in_word = letter.is_alphanumeric() || letter == '_';
        match tokens.last_mut() {
            Some(last) if joined && in_word && last.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                last.push(letter);
            }
            Some(last) if joined && letter == ':' && last == ":" => last.push(letter),
            _ if letter.is_whitespace() => {}
            _ => tokens.push(letter.to_string()),
        }
        joined = !letter.is_whitespace();
    }
    tokens
}

/// The text without comments and strings, every byte else in its place.
fn blanked(text: &str) -> String {
    scan(text, true)
}

/// The text with comments, and with `blank_strings` the insides of strings, turned into spaces.
fn scan(text: &str, blank_strings: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (len, blank) = if rest.starts_with(b"//") {
            (rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()), true)
        } else if rest.starts_with(b"/*") {
            (block_comment(rest), true)
        } else if let Some(len) = string(rest, at.checked_sub(1).map(|before| bytes[before])) {
            (len, blank_strings)
        } else {
            (1, false)
        };
        for byte in &mut out[at..at + len] {
            if blank && *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += len;
    }
    String::from_utf8(out).expect("whole characters are turned into spaces")
}

/// The length of a comment with those inside it.
fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// The length of a string or character literal that begins here, prefix included.
fn string(rest: &[u8], before: Option<u8>) -> Option<usize> {
    let in_word = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let prefix = rest.iter().take_while(|byte| matches!(byte, b'b' | b'r' | b'c')).count();
    let prefix = if in_word || prefix > 2 { 0 } else { prefix };
    if rest[..prefix].contains(&b'r') {
        let hashes = rest[prefix..].iter().take_while(|&&byte| byte == b'#').count();
        if rest.get(prefix + hashes) == Some(&b'"') {
            let end = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
            let inner = prefix + hashes + 1;
            let len = rest[inner..].windows(end.len()).position(|window| window == end);
            return Some(len.map_or(rest.len(), |len| inner + len + end.len()));
        }
    }
    match rest.get(prefix) {
        Some(b'"') => Some(prefix + 1 + quoted(&rest[prefix + 1..], b'"')),
        Some(b'\'') => {
            // A lifetime has no closing quote after its first character.
            let text = std::str::from_utf8(&rest[prefix + 1..]).ok()?;
            let first = text.chars().next()?;
            let closes = first == '\\' || text[first.len_utf8()..].starts_with('\'');
            closes.then(|| prefix + 1 + quoted(&rest[prefix + 1..], b'\''))
        }
        _ => None,
    }
}

/// The length up to the closing quote and with it.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

const TEST: &str = "#[cfg(test)]";

/// Where the items marked as tests begin and end.
fn test_items(code: &str) -> Vec<(usize, usize)> {
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(start) = code[from..].find(TEST).map(|offset| from + offset) {
        let end = item_end(code.as_bytes(), start + TEST.len());
        items.push((start, end));
        from = end;
    }
    items
}

/// Where the item that begins here ends: at a semicolon, or at the brace that closes its body.
fn item_end(code: &[u8], mut at: usize) -> usize {
    let mut depth = 0i32;
    let mut is_use = None;
    while at < code.len() {
        match code[at] {
            b'{' | b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'}' => {
                depth -= 1;
                if depth == 0 && is_use != Some(true) {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            byte if depth == 0 && byte.is_ascii_lowercase() && is_use.is_none() => {
                let rest = &code[at..];
                is_use = (!rest.starts_with(b"pub")).then(|| rest.starts_with(b"use "));
                at += if is_use.is_none() { 2 } else { 0 };
            }
            _ => {}
        }
        at += 1;
    }
    at
}

fn without_tests(code: &str) -> String {
    let mut kept = code.to_owned();
    for (start, end) in test_items(code).into_iter().rev() {
        kept.replace_range(start..end, &" ".repeat(end - start));
    }
    kept
}
