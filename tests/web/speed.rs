//! How soon the page can be used, and how soon it says what moves are worth.

use serde_json::json;

use super::page::{CLOSURE, laptop, open};
use super::random::Random;
use super::solved::position;
use super::{Server, shipped};
use gobprove::store::Certificate;

/// The middle one of some times, in milliseconds.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[test]
fn the_page_can_be_used_within_a_second_and_says_what_moves_are_worth_within_50_ms() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&[shipped(CLOSURE).to_str().expect("plain")]);
    let ready = (0..5).map(|_| {
        open(&browser, &server.url);
        let mark = browser.run("return performance.getEntriesByName('ready')[0].startTime");
        mark.as_f64().expect("a time")
    });
    let ready = median(ready.collect());
    let bytes = std::fs::read(shipped(CLOSURE)).expect("it ships");
    let game = Certificate::decode(&bytes).expect("a certificate").claim.game;
    let mut random = Random(50);
    let said = (0..50).map(|_| {
        // From when a position is given until its moves stand there with their values.
        let position = position(&game, &mut random).to_string();
        let taken = browser.run_and_wait(
            "const [position, done] = arguments;
             const list = document.getElementById('list');
             list.replaceChildren();
             document.getElementById('text').value = position;
             const began = performance.now();
             new MutationObserver((_, observer) => {
                 observer.disconnect();
                 done([performance.now() - began, list.children.length, document.getElementById('text').value]);
             }).observe(list, { childList: true });
             document.getElementById('paste').requestSubmit();",
            &json!([position]),
        );
        assert!(taken[1].as_u64() > Some(0) && taken[2] == position, "{position}: {taken}");
        taken[0].as_f64().expect("a time")
    });
    let said: Vec<f64> = said.collect();
    let slowest = said.iter().copied().fold(0.0, f64::max);
    let said = median(said);
    println!("ready after {ready:.0} ms, a position's moves after {said:.1} ms, the slowest {slowest:.1} ms");
    assert!(ready < 1_000.0, "{ready} ms");
    assert!(said < 50.0, "{said} ms");
}
