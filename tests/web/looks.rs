//! How the page looks, and whether everybody can use it.

use super::browser::Browser;
use super::page::{REFUTATION, VERDICT, open};
use super::thorough::thorough;
use super::{Server, shipped};

/// With `GOBPROVE_PICTURES` in the environment, a folder, the pictures are written there; README.md shows one.
#[test]
fn the_page_fits_phones_and_laptops_by_day_and_by_night() {
    let server = Server::new(&[shipped(REFUTATION).to_str().expect("plain")]);
    // By day what is narrow, and what is dark.
    let all = [("laptop", 1100, 830, false), ("night", 1100, 830, true), ("phone", 390, 844, false)];
    let some =
        if thorough() || std::env::var_os("GOBPROVE_PICTURES").is_some() { &all[..] } else { &all[1..] };
    for &(name, width, height, dark) in some {
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

/// The script of axe-core, as `.ci/axe` leaves it; `None`, and loudly, if it is not there and not required.
fn axe() -> Option<String> {
    let target = std::path::Path::new(env!("CARGO_BIN_EXE_gobprove")).ancestors().nth(2).expect("a folder");
    let script = std::fs::read_to_string(target.join("axe/axe.min.js"));
    if script.is_err() {
        let required = std::env::var("GOBPROVE_AXE").is_ok_and(|value| value == "required");
        assert!(
            !required,
            "axe-core is not there, and GOBPROVE_AXE says that it is required: .ci/axe fetches it"
        );
        eprintln!(
            "SKIPPED: axe-core is not there, .ci/axe fetches it; nobody asks whether all can use the page"
        );
    }
    script.ok()
}

/// What axe-core finds wrong with the page as it is: for each rule that is broken its name, and where.
fn violations(browser: &Browser) -> Vec<String> {
    let found = browser.run_and_wait(
        "axe.run(document).then((told) => arguments[0](
             told.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`))))",
        &serde_json::json!([]),
    );
    found.as_array().expect("a list").iter().map(|one| one.as_str().expect("text").to_owned()).collect()
}

#[test]
fn axe_finds_nothing_wrong() {
    let Some(axe) = axe() else { return };
    let server = Server::new(&[shipped(REFUTATION).to_str().expect("plain")]);
    // By day the colours that are harder to read.
    let all = [(1100, 830, true), (1100, 830, false), (390, 844, false)];
    for (width, height, dark) in all.into_iter().take(if thorough() { 3 } else { 1 }) {
        let Some(browser) = Browser::new(width, height, dark) else { return };
        open(&browser, &server.url);
        browser.run(&axe);
        assert_eq!(violations(&browser), [""; 0], "at the beginning");
        browser.click("[data-piece=A]");
        assert_eq!(violations(&browser), [""; 0], "with a piece in the hand");
        browser.click("[data-square=b3]");
        browser.wait("document.getElementById('turn').textContent === 'Black to move'");
        browser.click("#setup");
        browser.run("document.getElementById('rules').open = true");
        browser.wait("document.getElementById('rules-text').textContent.includes('R5')");
        browser.click("#verify");
        browser.wait(&format!("{VERDICT}.startsWith('s VERIFIED')"));
        browser.run(
            "document.getElementById('text').value = 'x'; document.getElementById('paste').requestSubmit()",
        );
        browser.wait("document.getElementById('complaint').textContent");
        assert_eq!(violations(&browser), [""; 0], "with all open");
        // It does find what is wrong: a picture without a text.
        browser.run("document.body.append(document.createElement('img'))");
        assert!(violations(&browser).iter().any(|found| found.starts_with("image-alt")));
    }
}
