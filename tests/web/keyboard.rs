//! A game by keyboard alone.

use super::Server;
use super::page::{laptop, open, shown};

#[test]
fn a_game_by_keyboard_alone_and_a_link_to_it() {
    const ENTER: &str = "\u{e007}";
    const ESCAPE: &str = "\u{e00c}";
    const TAB: &str = "\u{e004}";
    const RIGHT: &str = "\u{e014}";
    const DOWN: &str = "\u{e015}";
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    open(&browser, &server.url);
    let focused = || {
        browser.run("return document.activeElement.dataset.piece ?? document.activeElement.dataset.square ?? document.activeElement.id")
    };
    browser.run("document.getElementById('board').querySelector('[tabindex=\"0\"]').focus()");
    assert_eq!(focused(), "a4");
    browser.press(&[TAB]);
    assert_eq!(focused(), "A", "White's hand follows the board");
    browser.press(&[ENTER]);
    browser.wait("document.getElementById('turn').textContent.includes('choose a square')");
    browser.press(&[ESCAPE]);
    browser.wait("document.getElementById('turn').textContent === 'White to move'");
    browser.press(&[ENTER]);
    browser.run("document.getElementById('board').querySelector('[tabindex=\"0\"]').focus()");
    browser.press(&[RIGHT, DOWN, ENTER]);
    browser.wait("document.getElementById('turn').textContent === 'Black to move'");
    let after = shown(&browser);
    assert_eq!(after, ".,.,.,./.,A,.,./.,.,.,./.,.,.,. b");
    assert_eq!(
        browser.run("return document.querySelector('[data-square=b3]').getAttribute('aria-label')"),
        "b3, white A"
    );
    let link = browser.run("return location.href");
    let link = link.as_str().expect("an address");
    assert!(link.contains("#certificate=ab-official-closure.gobcert"), "{link}");
    let Some(friend) = laptop() else { return };
    open(&friend, link);
    friend.wait("document.getElementById('turn').textContent === 'Black to move'");
    assert_eq!(shown(&friend), after);
    assert_eq!(friend.text("#known"), browser.text("#known"));
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}
