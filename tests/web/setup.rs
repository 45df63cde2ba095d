//! Setting up positions, and going from one file to another.

use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use gobprove::symmetry;
use serde_json::json;

use super::page::{REFUTATION, VERDICT, laptop, open, shown};
use super::{Server, shipped};

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
        browser.wait(&format!("document.getElementById('claim').textContent.includes('read as {reading}')"));
        let file = browser.run("return document.getElementById('certificate').value");
        assert_eq!(file, format!("A3-A3B2C2-{reading}-refutation.gobcert"));
        browser.wait(&format!("document.getElementById('text').value === {}", json!(before)));
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

#[test]
fn the_images_are_those_of_the_position_that_is_shown() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    open(&browser, &server.url);
    browser.click("[data-piece=A]");
    browser.click("[data-square=b3]");
    browser.wait("document.getElementById('turn').textContent === 'Black to move'");
    let game = Game::new("ab".read().expect("a variant"), Reading::Official);
    let canonical = |text: &str| symmetry::canonical(&game.parse(text).expect("a position"));
    let position = shown(&browser);
    let mut before = position.clone();
    for _ in 0..3 {
        browser.click("#mirror");
        browser.wait(&format!("document.getElementById('text').value !== {}", json!(before)));
        before = shown(&browser);
        assert_eq!(canonical(&before), canonical(&position), "{before}");
    }
}

#[test]
fn what_is_typed_stays_while_something_else_is_drawn() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    open(&browser, &server.url);
    browser.keys("#text", "x");
    let typed = shown(&browser);
    browser.run("document.getElementById('covered').dispatchEvent(new Event('change'))");
    assert_eq!(shown(&browser), typed);
}

#[test]
fn files_chosen_one_right_after_the_other_are_not_mixed() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["A3-A3B2C2"]);
    open(&browser, &server.url);
    browser.run(
        "const select = document.getElementById('certificate');
         for (const reading of ['strict-lift', 'official', 'thesis']) {
             select.value = `A3-A3B2C2-${reading}-refutation.gobcert`;
             select.dispatchEvent(new Event('change'));
         }",
    );
    let claim = "document.getElementById('claim').textContent";
    browser.wait(&format!("{claim}.includes('A3-A3B2C2 thesis lost refutation')"));
    browser.wait("document.getElementById('known').textContent.includes('thesis')");
    assert_eq!(browser.text("#certificate > option:checked"), "A3-A3B2C2-thesis-refutation.gobcert");
    browser.click("#verify");
    browser.wait(&format!("{VERDICT}.startsWith('s VERIFIED A3-A3B2C2 thesis lost refutation (')"));
    assert_eq!(browser.text("#complaint"), "");
}

#[test]
fn a_link_to_a_file_that_is_not_offered_says_so_and_waits_for_it() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    let hash = format!("#certificate={REFUTATION}&moves=A%40a1");
    open(&browser, &format!("{}{hash}", server.url));
    assert!(browser.text("#complaint").starts_with(&format!("{REFUTATION} is not offered here")));
    assert_eq!(shown(&browser), ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
    assert_eq!(browser.run("return location.hash"), json!(hash), "the link is still there");
    browser.keys("#file", shipped(REFUTATION).to_str().expect("a plain path"));
    browser.wait("document.getElementById('text').value === '.,.,.,./.,.,.,./.,.,.,./A,.,.,. b'");
    assert_eq!(browser.text("#complaint"), "");
}

#[test]
fn a_damaged_file_leaves_the_one_that_was_open() {
    let Some(browser) = laptop() else { return };
    let own = tempfile::tempdir().expect("a directory");
    let bytes = std::fs::read(shipped(REFUTATION)).expect("it ships");
    let damaged = own.path().join("damaged.gobcert");
    std::fs::write(&damaged, &bytes[..bytes.len() / 2]).expect("written");
    let (good, damaged) = (shipped(REFUTATION), damaged.to_str().expect("a plain path").to_owned());
    let server = Server::new(&[&damaged, good.to_str().expect("a plain path")]);
    open(&browser, &server.url);
    assert_eq!(browser.text("#certificate > option:checked"), REFUTATION, "the first that can be opened");
    let before = browser.text("#known");
    assert!(before.starts_with("Black wins in "), "{before}");
    browser.run(
        "document.getElementById('certificate').value = 'damaged.gobcert';
         document.getElementById('certificate').dispatchEvent(new Event('change'))",
    );
    browser.wait("document.getElementById('complaint').textContent.startsWith('damaged.gobcert: ')");
    assert_eq!(browser.text("#certificate > option:checked"), REFUTATION);
    browser.click("[data-piece=A]");
    browser.click("[data-square=b3]");
    browser.wait("document.getElementById('turn').textContent === 'Black to move'");
}

#[test]
fn a_link_to_no_position_of_the_game_shows_an_empty_board() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    for (start, says) in [("x", "the side to move"), ("c,.,.,./.,.,.,./.,.,.,./.,.,.,.%20w", "(R2)")] {
        let hash = format!("#start={start}");
        open(&browser, &format!("{}{hash}", server.url));
        let complaint = browser.text("#complaint");
        assert!(complaint.contains(says), "{complaint}");
        assert_eq!(shown(&browser), ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w");
        assert_eq!(browser.run("return location.hash"), json!(hash));
        browser.click("[data-piece=A]");
        browser.click("[data-square=b3]");
        browser.wait("document.getElementById('turn').textContent === 'Black to move'");
    }
}
