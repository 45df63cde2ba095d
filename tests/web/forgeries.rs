//! The checker in the page gives the verdict that the program gives.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use gobprove::store::{Certificate, PositionSet};
use serde_json::{Value, json};

use super::page::{laptop, open};
use super::thorough::thorough;
use super::{Server, shipped};

/// Files that are judged in one question to the page.
const TOGETHER: usize = 200;

/// By day, the longest file in bytes: the verdict on some larger forgeries takes seconds.
const LONGEST: u64 = 1_000;

/// What the program's checker says of a file.
fn line(bytes: &[u8]) -> String {
    match gobcheck::check::check(bytes, NonZeroUsize::MIN, &|_, _| ()) {
        Ok(verified) => format!("s VERIFIED {}", verified.claim),
        Err(refusal) => refusal.to_string(),
    }
}

/// The files that the tests of forgeries have kept, if `GOBPROVE_FORGERIES` says where. Cargo runs those tests before this one.
fn kept() -> Vec<Vec<u8>> {
    let Ok(directory) = std::env::var("GOBPROVE_FORGERIES") else { return Vec::new() };
    let mut files = Vec::new();
    for part in ["accepted", "refused"] {
        let entries = fs::read_dir(Path::new(&directory).join(part)).expect("forgeries were made before");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        let short =
            |path: &&std::path::PathBuf| thorough() || fs::metadata(path).expect("a file").len() <= LONGEST;
        let before = files.len();
        files.extend(paths.iter().filter(short).map(|path| fs::read(path).expect("a file")));
        assert!(files.len() > before + 100, "{part}: {} files", files.len() - before);
    }
    files
}

#[test]
fn the_checker_in_the_page_gives_the_verdict_of_the_program() {
    let Some(browser) = laptop() else { return };
    let whole = fs::read(shipped("A2B2-A3B3-official-refutation.gobcert")).expect("it ships");
    let mut files = kept();
    // A part of a file, and one with another bit, for each part of the format.
    let steps = (0..whole.len()).step_by(whole.len() / 60).chain(0..80);
    for at in steps {
        files.push(whole[..at].to_vec());
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        files.push(flipped);
    }
    files.push(whole);
    let server = Server::new(&["ab"]);
    open(&browser, &server.url);
    let begun = browser.run_and_wait(
        "const done = arguments[arguments.length - 1];
         const worker = new Worker('worker.js');
         window.asked = (message) => new Promise((resolve) => {
             worker.onmessage = ({ data }) => {
                 if ('progress' in data) return;
                 window.refused = data.refused;
                 resolve(data.error ?? data.result);
             };
             worker.postMessage(message);
         });
         fetch('gobweb.wasm').then((file) => file.arrayBuffer()).then((wasm) => asked({ ask: 'start', wasm })).then(done);",
        &json!([]),
    );
    assert_eq!(begun, Value::Null);
    let judged = |together: &[Vec<u8>]| {
        let encoded: Vec<String> = together.iter().map(|bytes| STANDARD.encode(bytes)).collect();
        browser.run_and_wait(
            "const [files, done] = arguments;
             (async () => {
                 const said = [];
                 for (const file of files) {
                     const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0)).buffer;
                     said.push(await asked({ ask: 'check', bytes }));
                 }
                 return said;
             })().then(done);",
            &json!([encoded]),
        )
    };
    let mut verified = 0;
    for together in files.chunks(TOGETHER) {
        let said = judged(together);
        for (number, bytes) in together.iter().enumerate() {
            let line = line(bytes);
            assert_eq!(said[number], line, "a file of {} bytes", bytes.len());
            verified += usize::from(line.starts_with("s VERIFIED "));
        }
    }
    println!("{} files, {verified} of them verified, and the same words for each", files.len());
    assert!(verified > 0 && verified < files.len());
    // The page's addresses have 32 bits, which is too few for the ranks of this variant's largest tier.
    let game = Game::new("A3B1-A3B3C1".read().expect("a variant"), Reading::Official);
    let none = PositionSet::empty(game.variant);
    let large = Certificate::cut(game, none.clone(), none).encode();
    assert_eq!(judged(&[large])[0], "cuts are checked up to 4294967296 placements of the variant");
    assert_eq!(browser.run("return window.refused"), false, "nothing is judged");
    judged(&[b"no certificate".to_vec()]);
    assert_eq!(browser.run("return window.refused"), true);
}
