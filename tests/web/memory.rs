//! How much memory the page takes with the largest closure that it is meant for.

use super::browser::Browser;
use super::page::{VERDICT, laptop, open};
use super::{Server, shipped};

/// The memory of the process that runs the page, in MB: what is its alone, and its part of what it shares. The browser keeps
/// others ready for pages to come, which are smaller.
fn memory(browser: &Browser) -> f64 {
    let of = |pid: u32| -> f64 {
        let told = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("Pss:"));
        line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0.0) / 1_000.0
    };
    browser.renderers().into_iter().map(of).fold(0.0, f64::max)
}

#[test]
fn a_closure_of_four_megabytes_takes_less_than_200_mb() {
    let Some(browser) = laptop() else { return };
    let file = "A3B1-A3B3C1-official-closure.gobcert";
    let server = Server::new(&[shipped(file).to_str().expect("plain")]);
    browser.open("about:blank");
    let empty = memory(&browser);
    assert!(empty > 5.0, "{empty} MB: the processes of the page are not found");
    open(&browser, &server.url);
    assert!(browser.text("#known").starts_with("White holds"), "{}", browser.text("#known"));
    let loaded = memory(&browser);
    // The checker begins, in another worker. To the end it takes longer than a test may.
    browser.click("#verify");
    browser.wait("document.getElementById('progress').value > 0.01");
    let checking = memory(&browser);
    assert_eq!(browser.run(&format!("return {VERDICT}")), "Checking …");
    // The checker has lists of its own, and takes more for as long as it runs.
    assert!(checking < 500.0, "{checking} MB");
    println!("an empty page {empty:.0} MB, with {file} {loaded:.0} MB, while it is checked {checking:.0} MB");
    assert!(loaded < 200.0, "{loaded} MB");
}
