//! What the tests of the page share.

use super::browser::Browser;

/// What the page says of the check.
pub const VERDICT: &str = "document.getElementById('verdict').textContent";

/// A small refutation: Black's win is known with its plies.
pub const REFUTATION: &str = "A3-A3B3C1-official-refutation.gobcert";

/// A small closure.
pub const CLOSURE: &str = "ab-official-closure.gobcert";

/// A browser of a laptop's size.
pub fn laptop() -> Option<Browser> {
    Browser::new(1280, 900, false)
}

/// Opens a page and waits until it is ready.
#[track_caller]
pub fn open(browser: &Browser, url: &str) {
    browser.open("about:blank");
    browser.open(url);
    browser.wait("document.body.dataset.ready");
}

/// The position that the page shows, as text.
pub fn shown(browser: &Browser) -> String {
    browser.run("return document.getElementById('text').value").as_str().expect("text").to_owned()
}
