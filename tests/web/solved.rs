//! Values of solved variants on the server's disk.

use std::path::Path;
use std::time::{Duration, Instant};

use gobcheck::rules::{Color, Position};
use gobprove::explain::solved_file::SolvedFile;
use serde_json::Value;

use super::page::{CLOSURE, laptop, open};
use super::random::Random;
use super::{Server, gobprove, shipped};

pub const FILE: &str = "ab-official.gobsolved";

/// Solves ab with its distances into a folder.
pub fn solve(folder: &Path) {
    let solved = gobprove(&["solve", "ab", "--distances", "--quiet"]).current_dir(folder).output();
    let solved = solved.expect("it runs");
    assert!(solved.status.success(), "{solved:?}");
}

/// A position after some moves at random, in which the game goes on.
pub fn position(game: &gobcheck::rules::Game, random: &mut Random) -> Position {
    let mut position = Position::empty(Color::White);
    for _ in 0..random.below(20) {
        let moves: Vec<_> = game.moves(&position).collect();
        let next = position.moved(moves[random.below(moves.len())]);
        if next.finished().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// The path that asks for a position.
pub fn ask_of(position: &Position) -> String {
    format!("solved/{FILE}?position={position}").replace(' ', "%20")
}

fn ask(server: &Server, position: &str) -> (u16, String) {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let asked = position.replace(' ', "%20");
    let mut answer = agent.get(format!("{}solved/{FILE}?{asked}", server.url)).call().expect("an answer");
    (answer.status().as_u16(), answer.body_mut().read_to_string().expect("text"))
}

#[test]
fn the_server_says_of_a_position_what_query_says_and_soon() {
    let own = tempfile::tempdir().expect("a directory");
    solve(own.path());
    // A folder stands for its files; what only has the name of one is left out.
    std::fs::write(own.path().join("none.gobsolved"), "nothing").expect("written");
    std::fs::write(own.path().join("other.txt"), "nothing").expect("written");
    let server = Server::new(&[own.path().to_str().expect("plain")]);
    let list = ureq::get(format!("{}solved.json", server.url)).call().expect("a list");
    let list: Value = list.into_body().read_json().expect("JSON");
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    assert_eq!((&list[0]["name"], &list[0]["plies"]), (&FILE.into(), &true.into()));
    let mut solved = SolvedFile::open(&own.path().join(FILE)).expect("a solved variant");
    let game = *solved.game();
    let mut random = Random(3);
    let mut slowest = Duration::ZERO;
    for _ in 0..100 {
        let position = position(&game, &mut random);
        let asked = Instant::now();
        let (status, told) = ask(&server, &format!("position={position}"));
        slowest = slowest.max(asked.elapsed());
        assert_eq!(status, 200, "{told}");
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(told["position"], position.to_string());
        let worth = solved.worth(&position).expect("it reads");
        assert_eq!(told["plies"], serde_json::json!(worth.plies));
        assert_eq!(told["value"] == "lost", worth.value == gobprove::bitbase::Value::Loss, "{told}");
        assert_eq!(told["moves"].as_array().map(Vec::len), Some(game.moves(&position).count()));
    }
    let (status, told) = ask(&server, "position=start+b");
    assert!(status == 200 && told.contains(".,.,.,. b"), "as people write it: {told}");
    println!("the slowest of 100 answers took {slowest:?}");
    assert!(slowest < Duration::from_millis(200), "{slowest:?}");
    for (asked, says) in [
        ("", "position=TEXT"),
        ("position=", "side to move"),
        ("position=x%00%ff", "side to move"),
        ("position=A,A,A,A/.,.,.,./.,.,.,./.,.,.,. w", "4 White A"),
        ("position=a,a,a,./.,.,.,./.,.,.,./.,b,b,b w", ""),
    ] {
        let (status, told) = ask(&server, asked);
        assert!((status == 400 || says.is_empty()) && told.contains(says), "{asked}: {status} {told}");
    }
}

#[test]
fn the_page_shows_values_with_the_file_that_they_are_from() {
    let Some(browser) = laptop() else { return };
    let own = tempfile::tempdir().expect("a directory");
    solve(own.path());
    let server = Server::new(&[
        own.path().join(FILE).to_str().expect("plain"),
        shipped(CLOSURE).to_str().expect("plain"),
    ]);
    let mut solved = SolvedFile::open(&own.path().join(FILE)).expect("a solved variant");
    let game = *solved.game();
    let mut random = Random(4);
    for file in [FILE, CLOSURE] {
        open(&browser, &format!("{}#certificate={file}", server.url));
        let (mut lost, mut filled) = (0, 0);
        for _ in 0..30 {
            // Few positions at random have a move that loses.
            let position = loop {
                let position = position(&game, &mut random);
                let moves = solved.moves(&position).expect("it reads");
                if moves.iter().any(|(_, valued)| valued.value == gobprove::bitbase::Value::Loss) {
                    break position;
                }
            };
            browser.run(&format!(
                "document.getElementById('text').value = '{position}';
                 document.getElementById('list').replaceChildren();
                 document.getElementById('paste').requestSubmit()"
            ));
            let moves: Vec<_> = solved.moves(&position).expect("it reads");
            browser.wait(&format!("document.querySelectorAll('#list button').length === {}", moves.len()));
            let said = browser.run(
                "return Object.fromEntries([...document.querySelectorAll('#list button')].map(
                     (one) => [one.textContent.split(' ')[0], [one.className, one.textContent.split(' ')[1], one.title]]))",
            );
            for (mv, valued) in moves {
                let [kind, number, title] =
                    [0, 1, 2].map(|at| said[mv.to_string()][at].as_str().expect("text"));
                let is_lost = valued.value == gobprove::bitbase::Value::Loss;
                assert_eq!(kind, if is_lost { "lost" } else { "holds" }, "{mv} from {position}: {title}");
                if is_lost {
                    let plies = valued.plies.expect("the plies are at hand") - 1;
                    assert!(number == plies.to_string(), "{mv} from {position}: {title}");
                    lost += 1;
                }
                filled += usize::from(title.contains(&format!("(computed: {FILE})")));
            }
        }
        // What the closure does not say, which is all that is lost, the solved variant says beside it.
        assert!(lost > 20 && filled > 20, "{file}: {lost} lost, {filled} by the solved variant");
    }
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}
