//! The proof is checked in the page, also in one that is a single file.

use gobprove::store::Certificate;

use super::page::{REFUTATION, VERDICT, laptop, open};
use super::{Server, gobprove, shipped};

#[test]
fn the_proof_is_checked_in_the_page_and_a_false_one_is_refused() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&[]);
    open(&browser, &server.url);
    assert!(browser.text("#verdict").starts_with("Not checked yet"));
    browser.run(
        "document.getElementById('certificate').value = 'ab-official-closure.gobcert';
        document.getElementById('certificate').dispatchEvent(new Event('change'))",
    );
    browser.wait("document.getElementById('claim').textContent.includes('ab official draw closure')");
    browser.click("#verify");
    browser.wait(&format!("{VERDICT}.startsWith('s VERIFIED ab official draw closure (')"));
    let own = tempfile::tempdir().expect("a directory");
    let bytes = std::fs::read(shipped(REFUTATION)).expect("it ships");
    let give = |name: &str, bytes: &[u8]| {
        let path = own.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        browser.keys("#file", path.to_str().expect("a plain path"));
    };
    give("mine.gobcert", &bytes);
    browser
        .wait("document.getElementById('claim').textContent.includes('A3-A3B3C1 official lost refutation')");
    assert!(browser.text("#verdict").starts_with("Not checked yet"));
    browser.click("#verify");
    browser.wait(&format!("{VERDICT}.startsWith('s VERIFIED A3-A3B3C1 official lost refutation (')"));
    // The page says of damaged files what the checker says.
    let mut flipped = bytes.clone();
    flipped[1_000] ^= 1;
    for (name, damaged) in [("flipped.gobcert", &flipped[..]), ("cut.gobcert", &bytes[..bytes.len() / 2])] {
        give(name, damaged);
        let reason = Certificate::decode(damaged).expect_err("damaged").to_string();
        let says = format!("Rejected: {name}: {reason}");
        browser.wait(&format!("{VERDICT} === {}", serde_json::json!(says)));
        assert_eq!(browser.text("#certificate > option:checked"), "mine.gobcert");
    }
    // One that is well formed and proves nothing: the last position is missing.
    let mut fewer = Certificate::decode(&bytes).expect("a certificate");
    let set = &fewer.white_to_move;
    let mut ranks: Vec<Vec<u128>> =
        (0..set.tiers().as_slice().len()).map(|tier| set.ranks(tier).to_vec()).collect();
    ranks.iter_mut().rev().find(|list| !list.is_empty()).expect("a position").pop();
    fewer.white_to_move = gobprove::store::PositionSet::new(fewer.claim.game.variant, ranks).expect("a set");
    let forged = fewer.encode();
    give("forged.gobcert", &forged);
    browser.wait("document.getElementById('certificate').value === 'forged.gobcert'");
    browser.click("#verify");
    let refused =
        gobcheck::check::check(&forged, std::num::NonZeroUsize::MIN, &|_, _| ()).expect_err("forged");
    browser.wait(&format!("{VERDICT} === {}", serde_json::json!(format!("Rejected: {refused}"))));
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

#[test]
fn one_file_works_from_a_disk() {
    let Some(browser) = laptop() else { return };
    let own = tempfile::tempdir().expect("a directory");
    let page = own.path().join("ab.html");
    let out = page.to_str().expect("a plain path");
    let wrote = gobprove(&["export", "ab", "--format", "web", "--out", out]).output().expect("it runs");
    assert!(wrote.status.success(), "{wrote:?}");
    open(&browser, &format!("file://{out}"));
    browser.click("#verify");
    browser.wait(&format!("{VERDICT}.startsWith('s VERIFIED ab official draw closure (')"));
    browser.run("document.getElementById('rules').open = true");
    browser.wait("document.getElementById('rules-text').textContent.includes('R5')");
    browser.click("[data-square=b2]");
    assert!(browser.text("#turn").starts_with("White to move"), "there is nothing to take on b2");
    browser.click("[data-piece=A]");
    browser.click("[data-square=b2]");
    browser.wait("document.getElementById('text').value === '.,.,.,./.,.,.,./.,A,.,./.,.,.,. b'");
    let outside = browser.run("return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !/^(blob|data):/.test(n))");
    assert_eq!(outside, serde_json::json!([]), "nothing is asked for");
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}
