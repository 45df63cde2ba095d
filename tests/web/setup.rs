//! Setting up positions, and going from one file to another.

use super::Server;
use super::page::{laptop, open, shown};

#[test]
fn positions_are_set_up_by_clicking_and_what_is_none_is_said() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    open(&browser, &server.url);
    browser.click("#setup");
    browser.click("[data-setup=A]");
    browser.click("[data-square=c3]");
    browser.wait("document.getElementById('text').value.includes('A')");
    browser.click("[data-square=c3]");
    browser.wait("document.getElementById('complaint').textContent.includes('(R3)')");
    browser.click("[data-setup=b]");
    browser.click("[data-square=a1]");
    browser.wait("document.getElementById('complaint').textContent.includes('Black has 1 B on the board')");
    browser.click("[data-setup=\"-\"]");
    browser.click("[data-square=c3]");
    browser.wait("document.getElementById('text').value === '.,.,.,./.,.,.,./.,.,.,./.,.,.,. w'");
    for (text, says) in [
        ("x", "the side to move"),
        (".,.,.,. w", "4 ranks"),
        (".,.,.,./.,.,./.,.,.,./.,.,.,. w", "Rank 3 needs 4 squares"),
        (".,.,.,./.,q,.,./.,.,.,./.,.,.,. w", "b3 needs letters"),
        ("AA,.,.,./.,.,.,./.,.,.,./.,.,.,. w", "(R3)"),
        ("A,A,.,./A,A,.,./.,.,.,./.,.,.,. w", "White has 4 A"),
    ] {
        browser.run(&format!("document.getElementById('text').value = '{text}'; document.getElementById('paste').requestSubmit()"));
        browser.wait(&format!("document.getElementById('complaint').textContent.includes('{says}')"));
    }
}

#[test]
fn another_reading_keeps_the_position_and_a_move_is_shown_before_it_is_made() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["A3-A3B2C2"]);
    open(&browser, &server.url);
    browser.click("[data-piece=A]");
    browser.click("[data-square=b3]");
    browser.wait("document.getElementById('turn').textContent === 'Black to move'");
    let before = shown(&browser);
    for reading in ["no-entry-cover", "thesis", "official"] {
        browser.run(&format!(
            "const select = document.getElementById('reading'); select.value = '{reading}'; select.dispatchEvent(new Event('change'))"
        ));
        browser.wait(&format!("document.getElementById('claim').textContent.includes('reading {reading}')"));
        let file = browser.run("return document.getElementById('certificate').value");
        assert_eq!(file, format!("A3-A3B2C2-{reading}-refutation.gobcert"));
        browser.wait(&format!("document.getElementById('text').value === {}", serde_json::json!(before)));
    }
    let square = |name: &str| {
        browser
            .run(&format!("return document.querySelector('[data-square={name}]').getAttribute('aria-label')"))
    };
    let point = |event: &str| {
        browser.run(&format!(
            "[...document.querySelectorAll('#list button')].find((b) => b.textContent.startsWith('A@a1')).dispatchEvent(new Event('{event}'))"
        ))
    };
    assert_eq!(square("a1"), "a1, empty");
    point("mouseenter");
    assert_eq!((square("a1"), square("b3")), ("a1, black A".into(), "b3, white A".into()));
    point("mouseleave");
    assert_eq!(square("a1"), "a1, empty");
    assert_eq!(shown(&browser), before, "nothing was played");
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}
