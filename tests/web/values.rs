//! What the page says of moves.

use std::collections::HashSet;

use gobcheck::rules::{Color, Position};
use gobcheck::symmetry::canonical;
use gobprove::store::Certificate;

use super::page::{CLOSURE, REFUTATION, laptop, open};
use super::random::Random;
use super::thorough::thorough;
use super::{Server, shipped};

/// From some positions of random games: what the page says of each move is what the certificate lists, looked for in another
/// way than the page does.
#[test]
fn the_page_says_what_the_certificate_lists() {
    let Some(browser) = laptop() else { return };
    let server = Server::new(&[
        shipped(REFUTATION).to_str().expect("plain"),
        shipped(CLOSURE).to_str().expect("plain"),
    ]);
    let mut random = Random(28);
    for name in [REFUTATION, CLOSURE] {
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
