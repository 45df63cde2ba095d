//! The explorer's page: a board in a browser, with what a certificate says of each move, and the checker itself.
//!
//! The page is a few plain files, with the checker (`web/`) and the engine (`web/opponent/`) as WebAssembly. It is
//! served file by file, with the values of solved variants beside it, or written as one file.

mod single;
mod site;

use std::borrow::Cow;

use serde_json::json;

use crate::store::Header;

pub use single::single;
pub use site::{Site, Solved, router};

/// A certificate that the page offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    name: String,
    bytes: Cow<'static, [u8]>,
}

impl Offered {
    /// A certificate under a name that can stand in an address: each character other than ASCII letters, digits, `.`,
    /// `_` and `-` becomes `_`.
    #[must_use]
    pub fn new(name: &str, bytes: Cow<'static, [u8]>) -> Offered {
        Offered { name: plain(name), bytes }
    }

    /// What the page calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name, and what the certificate claims where its header can be read.
    fn entry(&self) -> serde_json::Value {
        let Ok(Header { claim, .. }) = Header::parse(&self.bytes) else {
            return json!({ "name": self.name });
        };
        json!({
            "name": self.name,
            "variant": claim.game.variant.to_string(),
            "reading": claim.game.reading.to_string(),
            "kind": claim.kind.to_string(),
        })
    }
}

/// The name made fit for an address, as [`Offered::new`] says.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

/// A file of the page: its name, its media type and its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The path from the page's folder, such as `certificates/ab-official-closure.gobcert`.
    pub name: Cow<'static, str>,
    /// The media type.
    pub media: &'static str,
    /// The bytes.
    pub bytes: Cow<'static, [u8]>,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

macro_rules! inside {
    ($($name:literal $media:expr),* $(,)?) => {
        &[$(($name, $media, include_bytes!(concat!("files/", $name)))),*]
    };
}

/// The files that are the same whatever is offered. Scripts stand before those that import them.
static FILES: &[(&str, &str, &[u8])] = inside![
    "index.html" "text/html; charset=utf-8",
    "style.css" "text/css; charset=utf-8",
    "gobweb.wasm" "application/wasm",
    "gobopponent.wasm" "application/wasm",
    "worker.js" SCRIPT,
    "position.js" SCRIPT,
    "words.js" SCRIPT,
    "game.js" SCRIPT,
    "board.js" SCRIPT,
    "prover.js" SCRIPT,
    "setup.js" SCRIPT,
    "graph.js" SCRIPT,
    "solved.js" SCRIPT,
    "opponent.js" SCRIPT,
    "main.js" SCRIPT,
];

/// The content security policy in the page itself. A browser may run the page's own scripts and WebAssembly, ask for
/// the page's own files, and nothing else.
const META: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; \
     worker-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

/// The content security policy that a server sends. Only a server can forbid other pages to show this one within
/// themselves.
#[must_use]
pub fn policy() -> String {
    format!("{META}; frame-ancestors 'none'")
}

/// All files of the page that offers these certificates. `solved` has the entries that [`Solved`] makes of solved
/// variants, which only a server can offer.
#[must_use]
pub fn files(offered: Vec<Offered>, solved: &[serde_json::Value]) -> Vec<File> {
    let fixed =
        FILES.iter().map(|&(name, media, bytes)| File { name: name.into(), media, bytes: bytes.into() });
    let rules = File { name: "RULES.md".into(), media: TEXT, bytes: gobcheck::RULES.as_bytes().into() };
    let list = |name: &'static str, list: serde_json::Value| File {
        name: name.into(),
        media: JSON,
        bytes: list.to_string().into_bytes().into(),
    };
    let certified = list("certificates.json", offered.iter().map(Offered::entry).collect());
    let solved = list("solved.json", json!(solved));
    let certificates = offered.into_iter().map(|one| File {
        name: format!("certificates/{}", one.name).into(),
        media: "application/octet-stream",
        bytes: one.bytes,
    });
    fixed.chain([rules, certified, solved]).chain(certificates).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_its_policy_and_names_only_files_that_are_there() {
        let files = files(Vec::new(), &[]);
        let text = |name: &str| {
            let file = files.iter().find(|file| file.name == name).expect("a file of the page");
            String::from_utf8(file.bytes.to_vec()).expect("text")
        };
        assert!(text("index.html").contains(&format!("content=\"{META}\"")));
        let scripts: Vec<_> = files.iter().filter(|file| file.media == SCRIPT).collect();
        for (at, script) in scripts.iter().enumerate() {
            for line in text(&script.name).lines().filter(|line| line.starts_with("import ")) {
                let name =
                    line.split("'./").nth(1).and_then(|rest| rest.strip_suffix("';")).expect("a module");
                assert!(scripts[..at].iter().any(|before| before.name == name), "{}: {line}", script.name);
            }
        }
    }

    #[test]
    fn an_offered_file_is_listed_with_its_claim_if_it_has_one() {
        let listed = |bytes: Vec<u8>| Offered::new("x", bytes.into()).entry();
        assert_eq!(listed(vec![1, 2, 3]), json!({ "name": "x" }));
        let shipped = std::fs::read("certificates/A3-A3B3C1-thesis-refutation.gobcert").expect("it ships");
        let claim = json!({ "name": "x", "variant": "A3-A3B3C1", "reading": "thesis", "kind": "refutation" });
        assert_eq!(listed(shipped), claim);
    }
}
