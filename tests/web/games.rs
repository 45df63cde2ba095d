//! Games in the page against the proof and against the engine.

use gobcheck::rules::{Color, Game, Move, Position};
use gobengine::Engine;
use gobprove::play::Strength;
use gobprove::store::Certificate;
use gobweb::explorer::Explorer;
use serde_json::{Value, json};

use super::browser::Browser;
use super::page::{CLOSURE, REFUTATION, laptop, open, shown};
use super::random::Random;
use super::thorough::thorough;
use super::{Server, shipped};

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

/// Plays a game in the page with moves at random, and returns its moves. The first argument says who the program plays, the
/// second which moves are chosen, the third how many a person makes at most.
const GAME: &str = "
    const [program, seed, most, done] = arguments;
    const at = (id) => document.getElementById(id);
    const moves = () => [...document.querySelectorAll('#list button')];
    const settled = async (before) => {
        const wait = () => at('text').value === before
            || at('turn').textContent.startsWith(`${program} to move`) || moves().some((one) => one.disabled);
        while (wait()) await new Promise((next) => setTimeout(next, 1));
    };
    (async () => {
        let state = seed;
        const games = document.body.dataset.games;
        at('new').click();
        while (document.body.dataset.games === games) await new Promise((next) => setTimeout(next, 1));
        await settled(null);
        const said = [];
        for (let ply = 0; ply < most && moves().length; ply += 1) {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            const before = at('text').value;
            moves()[(state >>> 8) % moves().length].click();
            await settled(before);
            said.push(at('said').textContent);
        }
        const played = new URLSearchParams(location.hash.slice(1)).get('moves') ?? '';
        done({ played: played.split(' ').filter(Boolean), said, complaint: at('complaint').textContent });
    })();";

/// Sets who plays, at a level.
fn seat(browser: &Browser, players: &str, level: usize) {
    browser.run(&format!(
        "document.getElementById('players').value = '{players}';
         document.getElementById('level').value = '{level}'"
    ));
}

/// A game that a program plays as this side against moves at random: its positions, and what was said of the program's moves.
fn random_game(
    browser: &Browser,
    game: &Game,
    program: Color,
    seed: usize,
) -> (Vec<(Position, Move)>, Vec<String>) {
    let side = if program == Color::White { "White" } else { "Black" };
    let told = browser.run_and_wait(GAME, &json!([side, seed, 14]));
    assert_eq!(told["complaint"], "");
    let mut position = Position::empty(Color::White);
    let mut plies = Vec::new();
    for name in told["played"].as_array().expect("moves") {
        let mv = game.moves(&position).find(|mv| name == &mv.to_string()).expect("a legal move");
        plies.push((position, mv));
        position = position.moved(mv);
    }
    let said = told["said"].as_array().expect("sentences").iter();
    (plies, said.map(|said| said.as_str().expect("text").to_owned()).collect())
}

/// How many games each of two tests plays: all is what `.ci/weekly` does.
fn games() -> usize {
    if thorough() { 100 } else { 8 }
}

/// In all games the program's moves are those that the same engine plays outside the page: at the same level, with the same seed
/// and after the same game.
#[test]
fn the_engine_plays_in_the_page_what_it_plays_outside() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab", shipped(REFUTATION).to_str().expect("plain")]);
    let mut replies = 0;
    for (file, games) in [(CLOSURE, games() / 2), (REFUTATION, games() / 2)] {
        let certificate =
            Certificate::decode(&std::fs::read(shipped(file)).expect("it ships")).expect("sound");
        let game = certificate.claim.game;
        open(&browser, &format!("{}#certificate={file}", server.url));
        for number in 1..=games {
            // Most at the quick levels; the highest asks what is proven, and is tried apart.
            let level = if number % 25 == 0 { 5 + number / 25 } else { 1 + number % 5 };
            let program = if number % 2 == 0 { Color::White } else { Color::Black };
            seat(&browser, if program == Color::White { "black" } else { "white" }, level);
            let (plies, said) = random_game(&browser, &game, program, number);
            let seed = 2 * (number as u64 + 1) + program as u64;
            let strength = Strength::level(level).expect("a level");
            let mut engine = Engine::new(&game, strength.options(seed));
            let mut positions = Vec::new();
            for &(position, mv) in &plies {
                positions.push(position);
                if position.turn() != program {
                    continue;
                }
                let report = engine.search(&positions, &strength.limits(), &|| false, &mut |_| ());
                let best = report.expect("play goes on").best();
                assert_eq!(mv, best, "{file}, game {number} at level {level}: from {position}");
                replies += 1;
            }
            let is_told = |said: &String| {
                [
                    "estimate",
                    "proven by the engine's search",
                    "Choose a piece",
                    "Black wins at once",
                    "White wins at once",
                ]
                .iter()
                .any(|word| said.contains(word) || said.is_empty())
            };
            assert!(said.iter().all(is_told), "{said:?}");
            assert!(said.iter().any(|said| said.contains("played")), "{said:?}");
        }
    }
    assert!(replies > 5 * games(), "{replies} replies in {} games", games());
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

/// In all games each reply of the proof is among the best by what the same code says outside the page.
#[test]
fn the_proof_plays_in_the_page_what_is_best_outside() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab", shipped(REFUTATION).to_str().expect("plain")]);
    let mut replies = 0;
    for (file, program) in [(CLOSURE, Color::White), (REFUTATION, Color::Black)] {
        let bytes = std::fs::read(shipped(file)).expect("it ships");
        let game = Certificate::decode(&bytes).expect("sound").claim.game;
        let mut explorer = Explorer::load(&bytes).expect("sound");
        if program == Color::Black {
            explorer.find_plies(&|_, _| ()).expect("small enough");
        }
        open(&browser, &format!("{}#certificate={file}", server.url));
        seat(&browser, "proof", 1);
        for number in 1..=games() / 2 {
            let (plies, said) = random_game(&browser, &game, program, number);
            for &(position, mv) in plies.iter().filter(|(position, _)| position.turn() == program) {
                let seen = explorer.look(&position).expect("a position of the game");
                let moves = seen["moves"].as_array().expect("moves");
                let worth =
                    |one: &Value| match (program, one["winner"].as_str(), one["known"]["value"].as_str()) {
                        (Color::White, Some(winner), _) => {
                            if winner == "white" {
                                0
                            } else {
                                3
                            }
                        }
                        (Color::White, None, value) => u64::from(value != Some("holds")) + 1,
                        (Color::Black, Some(winner), _) => {
                            if winner == "black" {
                                0
                            } else {
                                2_000
                            }
                        }
                        (Color::Black, None, _) => one["known"]["plies"].as_u64().unwrap_or(1_000),
                    };
                let played = moves.iter().find(|one| one["move"] == mv.to_string()).expect("a legal move");
                let best = moves.iter().map(worth).min().expect("a move");
                assert!(best < 1_000 && worth(played) == best, "{file}: {mv} from {position}");
                replies += 1;
            }
            assert!(said.iter().any(|said| said.contains(file)), "{said:?}");
        }
    }
    assert!(replies > 5 * games(), "{replies} replies in {} games", games());
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

#[test]
fn the_highest_level_plays_what_is_known_and_names_the_file() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&["ab"]);
    open(&browser, &server.url);
    let choose = |players: &str| {
        seat(&browser, players, 8);
        browser.run("document.getElementById('players').dispatchEvent(new Event('change'))");
        browser.wait("document.getElementById('said').textContent.includes('played')");
        browser.text("#said")
    };
    let said = choose("black");
    assert!(said.contains("White holds (claimed, not checked yet: ab-"), "{said}");
    browser.run("document.getElementById('players').value = 'both'");
    browser.click("#verify");
    browser.wait("document.getElementById('verdict').textContent.startsWith('s VERIFIED')");
    let said = browser.text("#said");
    assert!(said.contains("White holds (proven: ab-"), "the move was made before the check: {said}");
    browser.click("#next");
    browser.wait("document.getElementById('turn').textContent === 'White to move'");
    let said = choose("black");
    assert!(said.contains("White holds (proven: ab-"), "{said}");
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}
