//! The page in a browser.

use std::collections::HashSet;

use gobcheck::format::Certificate;
use gobcheck::rules::{Color, Position};
use gobcheck::symmetry::canonical;
use gobprove::prelude::*;

use super::browser::Browser;
use super::random::Random;
use super::thorough::thorough;
use super::{Server, gobprove, shipped};

const VERDICT: &str = "document.getElementById('verdict').textContent";
const REFUTATION: &str = "A3-A3B3C1-official-refutation.gobcert";

/// A browser of a laptop's size.
fn laptop() -> Option<Browser> {
    Browser::new(1280, 900, false)
}

/// Opens a page and waits until it is ready.
fn open(browser: &Browser, url: &str) {
    browser.open("about:blank");
    browser.open(url);
    browser.wait("document.body.dataset.ready");
}

/// The position that the page shows, as text.
fn shown(browser: &Browser) -> String {
    browser.run("return document.getElementById('text').value").as_str().expect("text").to_owned()
}

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
    fewer.white_to_move = gobcheck::format::PositionSet::new(fewer.claim.game.variant, ranks).expect("a set");
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

/// From some positions of random games: what the page says of each move is what the certificate lists, looked for in another
/// way than the page does.
#[test]
fn the_page_says_what_the_certificate_lists() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&[
        shipped(REFUTATION).to_str().expect("plain"),
        shipped("ab-official-closure.gobcert").to_str().expect("plain"),
    ]);
    let mut random = Random(28);
    for name in [REFUTATION, "ab-official-closure.gobcert"] {
        let certificate =
            Certificate::decode(&std::fs::read(shipped(name)).expect("it ships")).expect("a certificate");
        let game = certificate.claim.game;
        let lists_white = !certificate.white_to_move.is_empty();
        let (set, turn) = match lists_white {
            true => (&certificate.white_to_move, Color::White),
            false => (&certificate.black_to_move, Color::Black),
        };
        let listed: HashSet<Position> = set.positions(turn).collect();
        let held = if lists_white { "lost" } else { "holds" };
        // What is known of a position: it is listed, or the side to move wins at once, or can reach a listed one.
        let known = |position: &Position| {
            let mover = position.turn();
            let ends = |mv| game.winner(position, mv, &position.moved(mv));
            if game.moves(position).any(|mv| ends(mv) == Some(mover)) {
                return if mover == Color::White { "holds" } else { "lost" };
            }
            let is_listed = |position: &Position| listed.contains(&canonical(position));
            let good = if mover == turn {
                is_listed(position)
            } else {
                game.moves(position).any(|mv| ends(mv).is_none() && is_listed(&position.moved(mv)))
            };
            if good { held } else { "unknown" }
        };
        open(&browser, &format!("{}#certificate={name}", server.url));
        for _ in 0..if thorough() { 200 } else { 12 } {
            let mut position = Position::empty(Color::White);
            for _ in 0..random.below(9) {
                let moves: Vec<_> = game.moves(&position).collect();
                if moves.is_empty() {
                    break;
                }
                position = position.moved(moves[random.below(moves.len())]);
            }
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                continue;
            }
            let set = format!(
                "document.getElementById('text').value = '{position}';
                 document.getElementById('list').replaceChildren();
                 document.getElementById('paste').requestSubmit()"
            );
            browser.run(&set);
            browser.wait(&format!("document.querySelectorAll('#list button').length === {}", moves.len()));
            let said = browser.run(
                "return Object.fromEntries([...document.querySelectorAll('#list button')].map((b) => [b.textContent.split(' ')[0], b.className]))",
            );
            for mv in moves {
                let after = position.moved(mv);
                let expected = match game.winner(&position, mv, &after) {
                    Some(Color::White) => "holds",
                    Some(Color::Black) => "lost",
                    None => known(&after),
                };
                assert_eq!(said[mv.to_string()], expected, "{name}: {mv} from {position}");
            }
        }
    }
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

#[test]
fn against_a_refutation_white_loses_within_the_plies_that_are_said() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&[shipped(REFUTATION).to_str().expect("plain")]);
    open(&browser, &server.url);
    let said = browser.text("#known");
    let plies: u32 = said.split(' ').nth(3).and_then(|word| word.parse().ok()).expect(&said);
    assert!(said.starts_with(&format!("Black wins in {plies} plies at most")) && plies > 4, "{said}");
    browser.run("document.getElementById('players').value = 'proof'");
    // White plays what holds out longest, or what comes at random: neither helps.
    let mut random = Random(7);
    for at_random in [false, true] {
        let mut played = 0;
        while browser.run("return document.querySelectorAll('#list button').length") != 0 {
            let before = shown(&browser);
            if at_random {
                let count = browser
                    .run("return document.querySelectorAll('#list button').length")
                    .as_u64()
                    .expect("a count");
                browser.run(&format!(
                    "document.querySelectorAll('#list button')[{}].click()",
                    random.below(count as usize)
                ));
            } else {
                browser.click("#next");
            }
            let moved = format!("document.getElementById('text').value !== {}", serde_json::json!(before));
            browser.wait(&format!(
                "{moved} && !document.getElementById('turn').textContent.startsWith('Black to')"
            ));
            played += 2;
            assert!(played <= plies, "{played} plies, and {plies} were promised");
        }
        assert_eq!(browser.text("#turn"), "Black has won.");
        browser.click("#new");
        browser.wait("document.getElementById('undo').disabled");
    }
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

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

/// With `GOBPROVE_PICTURES` in the environment, a folder, the pictures are written there; README.md shows one.
#[test]
fn the_page_fits_phones_and_laptops_by_day_and_by_night() {
    let server = Server::new(&[shipped(REFUTATION).to_str().expect("plain")]);
    for (name, width, height, dark) in
        [("laptop", 1100, 830, false), ("night", 1100, 830, true), ("phone", 390, 844, false)]
    {
        let Some(browser) = Browser::new(width, height, dark) else { return };
        open(&browser, &server.url);
        let board =
            "const { top, left, width, height } = document.getElementById('board').getBoundingClientRect();
            return [top, left, width, height]";
        let before = browser.run(board);
        for plies in 1..=8 {
            browser.click("#next");
            let moves = "new URLSearchParams(location.hash.slice(1)).get('moves')?.split(' ').length";
            browser.wait(&format!("{moves} === {plies}"));
            assert_eq!(browser.run(board), before, "{name}: a move moves nothing else");
        }
        browser.click("#verify");
        browser.wait(&format!("{VERDICT}.startsWith('s VERIFIED')"));
        browser.run("window.scrollTo(0, 0)");
        let fits = browser.run("return document.documentElement.scrollWidth <= window.innerWidth");
        assert_eq!(fits, true, "{name}: nothing is wider than the page");
        let paper = browser.run("return getComputedStyle(document.body).backgroundColor");
        assert_eq!(paper == "rgb(28, 27, 25)", dark, "{name}: {paper}");
        let picture = browser.picture();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 10_000, "{name}");
        if let Some(folder) = std::env::var_os("GOBPROVE_PICTURES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), picture)
                .expect("written");
        }
    }
}
