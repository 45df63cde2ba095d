//! The server under load: 50 connections that stay open and ask again as soon as they are answered.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gobprove::explain::solved_file::SolvedFile;

use super::page::CLOSURE;
use super::random::Random;
use super::solved::{FILE, ask_of, position, solve};
use super::thorough::thorough;
use super::{Server, shipped};

const CONNECTIONS: usize = 50;

/// Of this number of requests one asks a solved variant on disk for a position; the others ask for what is in memory, or for
/// what is not there.
const ONE_IN: usize = 50;

/// The fewest answers in each second. An idle machine gives 20 times as many.
const LEAST: usize = 1_000;

/// A minute where everything is tried, and by day a few seconds.
#[test]
fn fifty_connections_are_answered_and_take_no_more_memory() {
    let own = tempfile::tempdir().expect("a directory");
    solve(own.path());
    let server = Server::new(&[
        own.path().join(FILE).to_str().expect("plain"),
        shipped(CLOSURE).to_str().expect("plain"),
    ]);
    let seconds = if thorough() { 60 } else { 3 };
    let answered: Vec<AtomicUsize> = (0..seconds).map(|_| AtomicUsize::new(0)).collect();
    let game = *SolvedFile::open(&own.path().join(FILE)).expect("solved").game();
    let certificate = format!("certificates/{CLOSURE}");
    let fixed =
        [("", 200), ("main.js", 200), (&*certificate, 200), ("certificates.json", 200), ("none", 404)];
    let began = Instant::now();
    let ask = |number: usize| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut random = Random(number as u64 + 1);
        for request in number.. {
            let second = began.elapsed().as_secs() as usize;
            let Some(count) = answered.get(second) else { break };
            let (path, status) = match request % ONE_IN {
                0 => (ask_of(&position(&game, &mut random)), 200),
                at => {
                    let (path, status) = fixed[at % fixed.len()];
                    (path.to_owned(), status)
                }
            };
            let mut answer = agent.get(format!("{}{path}", server.url)).call().expect("an answer");
            assert_eq!(answer.status().as_u16(), status, "{path}");
            let body = answer.body_mut().read_to_vec().expect("a body");
            assert!(!body.is_empty(), "{path}");
            count.fetch_add(1, Ordering::Relaxed);
        }
    };
    let memory = std::thread::scope(|scope| {
        let ask = &ask;
        for number in 0..CONNECTIONS {
            scope.spawn(move || ask(number));
        }
        std::thread::sleep(Duration::from_secs(1));
        server.memory()
    });
    let after = server.memory();
    let counts: Vec<usize> = answered.into_iter().map(AtomicUsize::into_inner).collect();
    let (all, slowest) = (counts.iter().sum::<usize>(), counts.iter().min().copied().unwrap_or_default());
    println!(
        "{CONNECTIONS} connections: {} answers a second for {seconds} s, {slowest} in the slowest; \
         {memory:.0} MB after a second, {after:.0} MB at the end",
        all / seconds,
    );
    assert!(slowest >= LEAST, "{counts:?}");
    assert!(after < memory + 20.0, "{memory} MB after a second, {after} MB at the end");
}
