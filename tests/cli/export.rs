//! `gobprove export`, read again and solved by another algorithm.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use gobprove::bitbase::Solution;
use gobprove::enumerate::{Ranking, Tier, Tiers};
use gobprove::passes::solve;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Reading, Variant};
use gobprove::strategy::Seed;
use gobprove::symmetry::is_canonical;
#[cfg(unix)]
use rustix::process::Signal;

use super::thorough::thorough;
use super::{Ran, command, gobprove, keys, text};

/// A node as the format has it.
#[derive(Debug)]
struct Node {
    priority: u32,
    owner: u32,
    successors: Vec<usize>,
    name: Option<String>,
}

/// Reads the format, strictly: nodes in order, none without a successor.
fn parse(text: &str) -> Vec<Node> {
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let last: usize = header
        .strip_prefix("parity ")
        .and_then(|rest| rest.strip_suffix(';'))
        .expect("parity N;")
        .parse()
        .expect("a number");
    let mut nodes = Vec::new();
    for (number, line) in lines.enumerate() {
        let line = line.strip_suffix(';').expect("a semicolon");
        let (numbers, name) = match line.split_once(" \"") {
            Some((numbers, name)) => (numbers, Some(name.strip_suffix('"').expect("a quote").to_owned())),
            None => (line, None),
        };
        let fields: Vec<&str> = numbers.split(' ').collect();
        let [id, priority, owner, successors] = fields[..] else { panic!("{line}") };
        assert_eq!(id.parse(), Ok(number), "{line}");
        let successors: Vec<usize> =
            successors.split(',').map(|node| node.parse().expect("a node")).collect();
        assert!(successors.is_sorted_by(|a, b| a < b) && successors.last() <= Some(&last), "{line}");
        let [priority, owner] = [priority, owner].map(|field| field.parse().expect("a number"));
        assert!(priority <= 1 && owner <= 1, "{line}");
        // What makes it a safety game, and the same under both conventions: an odd priority is an end.
        assert!(priority == 0 || successors == [number], "{line}");
        nodes.push(Node { priority, owner, successors, name });
    }
    assert_eq!(nodes.len(), last + 1);
    nodes
}

/// From which nodes player 1 wins: the attractor of the loops of priority 1.
fn won_by_black(nodes: &[Node]) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); nodes.len()];
    let mut open: Vec<usize> = nodes.iter().map(|node| node.successors.len()).collect();
    let mut won = vec![false; nodes.len()];
    let mut queue = VecDeque::new();
    for (number, node) in nodes.iter().enumerate() {
        for &successor in &node.successors {
            predecessors[successor].push(number);
        }
        if node.priority == 1 {
            won[number] = true;
            queue.push_back(number);
        }
    }
    while let Some(number) = queue.pop_front() {
        for &before in &predecessors[number] {
            open[before] -= 1;
            if !won[before] && (nodes[before].owner == 1 || open[before] == 0) {
                won[before] = true;
                queue.push_back(before);
            }
        }
    }
    won
}

fn export(variant: &str, reading: Reading, out: &Path, more: &[&str]) -> Ran {
    gobprove(&[&["export", variant, "--reading", reading.tag(), "--out", text(out)], more].concat())
}

fn solved(variant: &str, reading: Reading) -> Solution {
    let game = Game::new(variant.read().expect("a variant"), reading);
    solve(&game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved")
}

#[test]
fn what_is_exported_has_the_solution_of_the_game() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("game.pg");
    let mut counts = BTreeMap::new();
    for reading in Reading::ALL {
        for variant in ["A1-A2B2", "A2B1-A1B1"] {
            let report = export(variant, reading, &out, &["--json"]).json();
            let nodes = parse(&fs::read_to_string(&out).expect("readable"));
            assert_eq!(report["nodes"].as_u64(), Some(nodes.len() as u64));
            let edges: usize = nodes.iter().map(|node| node.successors.len()).sum();
            assert_eq!(report["edges"].as_u64(), Some(edges as u64));
            let solution = solved(variant, reading);
            let won = won_by_black(&nodes);
            let (positions, ends) = nodes.split_at(nodes.len() - 2);
            let mut lost = [0; 2];
            for (node, &won) in positions.iter().zip(&won) {
                let name = node.name.as_deref().expect("a name");
                let position = solution.game().parse(name).expect("a position");
                assert_eq!(node.owner, position.turn() as u32, "{name}");
                assert_eq!(node.priority, u32::from(position.finished() == Some(Color::Black)), "{name}");
                assert_eq!(won, solution.is_lost(&position), "{variant} {reading} {name}");
                lost[node.owner as usize] += u128::from(won);
            }
            assert_eq!(lost, Color::ALL.map(|turn| solution.lost_count(turn).canonical));
            let ends = ends.iter().map(|end| end.name.as_deref());
            assert!(ends.eq([Some("White wins"), Some("Black wins")]));
            counts.insert((variant, reading), lost);
        }
    }
    // So that the readings were told apart.
    assert_ne!(counts[&("A1-A2B2", Reading::Official)], counts[&("A1-A2B2", Reading::Thesis)]);
}

#[test]
fn nodes_come_by_tier_rank_and_side_and_the_census_counts_them() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("game.pg");
    let report = export("A2-A2B1", Reading::Official, &out, &["--json"]).json();
    assert_eq!(
        keys(&report),
        ["variant", "reading", "format", "nodes", "edges", "file", "bytes", "elapsed_s"]
    );
    let counted = gobprove(&["count", "A2-A2B1", "--json"]).json();
    assert_eq!(report["nodes"].as_u64(), counted["canonical"].as_u64().map(|positions| 2 * positions + 2));
    assert_eq!(report["bytes"].as_u64(), fs::metadata(&out).ok().map(|found| found.len()));
    let nodes = parse(&fs::read_to_string(&out).expect("readable"));
    let variant: Variant = "A2-A2B1".read().expect("a variant");
    let (game, tiers) = (Game::new(variant, Reading::Official), Tiers::new(variant));
    let key = |node: &Node| {
        let position = game.parse(node.name.as_deref().expect("a name")).expect("a position");
        assert!(is_canonical(&position), "{position}");
        let tier = Tier::of(&position);
        (tiers.index(tier).expect("a tier of the variant"), Ranking::new(tier).rank(&position), node.owner)
    };
    let order: Vec<_> = nodes[..nodes.len() - 2].iter().map(key).collect();
    assert!(order.is_sorted_by(|a, b| a < b));
}

#[test]
fn the_bytes_are_the_same_whatever_the_threads_and_names_can_be_left_out() {
    let dir = tempfile::tempdir().expect("a directory");
    let read = |name: &str, more: &[&str]| {
        let out = dir.path().join(name);
        export("A1-A2B1", Reading::Official, &out, more).ok();
        fs::read_to_string(&out).expect("readable")
    };
    let named = read("one.pg", &["--threads", "1", "--format", "pgsolver"]);
    assert!(named == read("three.pg", &["--threads", "3"]));
    let plain: String = named
        .lines()
        .map(|line| {
            line.split_once(" \"").map_or(format!("{line}\n"), |(numbers, _)| format!("{numbers};\n"))
        })
        .collect();
    assert!(plain == read("plain.pg", &["--no-names"]));
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 3, "nothing else is left");
}

#[test]
fn the_file_is_named_after_the_game() {
    let dir = tempfile::tempdir().expect("a directory");
    let ran = Ran::of(command(&["export", "A1-A1", "--reading", "robust"]).current_dir(dir.path()));
    assert!(ran.ok().starts_with("A1-A1-robust.pg: "), "{ran:?}");
    let nodes = parse(&fs::read_to_string(dir.path().join("A1-A1-robust.pg")).expect("readable"));
    assert!(ran.stdout.contains(&format!(": {} nodes, ", nodes.len())), "{ran:?}");
    assert!(!won_by_black(&nodes)[0], "one piece makes no line");
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("game.pg");
    let refused = export("ab-full", Reading::Official, &out, &[]);
    refused.error(4, &["ab-full", "3164998328 nodes", "2147483648", "next: "]);
    export("ab", Reading::Official, &out, &["--memory", "1M"]).error(4, &["ab needs", "--memory"]);
    export("A1-A1", Reading::Official, &dir.path().join("none/game.pg"), &[])
        .error(4, &["cannot write", "there is no folder", "/none\""]);
    export("A1-A1", Reading::Official, &out, &["--format", "oink"]).error(2, &["oink", "pgsolver"]);
    export("abcx", Reading::Official, &out, &[]).error(2, &["abcx"]);
    for format in ["json", "csv", "dot", "web"] {
        for option in [&["--no-names"][..], &["--memory", "1G"]] {
            let refused = export("ab", Reading::Official, &out, &[&["--format", format], option].concat());
            refused.error(2, &["--no-names and --memory are about the whole game", format]);
        }
    }
    assert_eq!(fs::read_dir(dir.path()).expect("a directory").count(), 0, "nothing is left");
}

/// A page never opens without the certificates that it names.
#[test]
fn a_page_is_written_after_its_certificates() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("certificates"), "in the way").expect("written");
    export("ab", Reading::Official, dir.path(), &["--format", "web"]).error(4, &["certificates"]);
    assert!(dir.path().join("main.js").exists());
    for name in ["index.html", "certificates.json"] {
        assert!(!dir.path().join(name).exists(), "{name}");
    }
}

/// To lay out the wins of a large refutation takes minutes. Nothing is on disk by then, so nothing is waited for.
#[cfg(unix)]
#[test]
fn an_export_of_a_large_refutation_is_interrupted_at_once() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("out.json");
    let export = ["export", "A3B2-A3B3C2", "--format", "json", "--verbose", "--out", text(&out)];
    let begun = std::time::Instant::now();
    let ran = super::interrupted(&export, "exporting A3B2-A3B3C2", Signal::INT);
    assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{ran:?}");
    ran.error(130, &["interrupted; nothing is kept", "begins anew"]);
    assert_eq!(fs::read_dir(own.path()).expect("a directory").count(), 0, "nothing is left");
}

#[test]
#[cfg(unix)]
fn an_interrupted_export_begins_anew() {
    let own = tempfile::tempdir().expect("a directory");
    let out = own.path().join("out.pg");
    let export = ["export", "A2-A3B2", "--format", "pgsolver", "--out", text(&out), "--verbose"];
    let ran = super::interrupted(&export, "exporting A2-A3B2", Signal::TERM);
    assert_eq!(ran.code, Some(143), "{ran:?}");
    assert!(ran.stderr.contains("nothing is kept") && ran.stderr.contains("begins anew"), "{ran:?}");
    assert!(std::fs::read_dir(own.path()).expect("a directory").next().is_none());
}

const REPLAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/replay_strategy.py");

/// A strategy is complete: Python replays it by rules of its own, and every format has the same steps.
#[test]
fn a_strategy_is_replayed_by_another_program() {
    let own = tempfile::tempdir().expect("a directory");
    let place = |name: &str| text(&own.path().join(name)).to_owned();
    let closure = place("closure.gobcert");
    gobprove(&["generate", "A1-A2B2", "--out", &closure]).ok();
    let (refutation, strict) = (place("refutation.gobcert"), place("strict.gobcert"));
    gobprove(&["refute", "A2-A3B3", "--out", &refutation]).ok();
    gobprove(&["refute", "A1-A3B1", "--reading", "strict-lift", "--out", &strict]).ok();
    let python = std::process::Command::new("python3").arg("--version").output().is_ok();
    if !python {
        eprintln!(
            "SKIPPED: a strategy is replayed by python3, which is not here; only its formats are compared"
        );
    }
    for (variant, reading, keeper, certificate) in [
        ("A1-A2B2", "official", "white", &closure),
        ("A2-A3B3", "official", "black", &refutation),
        ("A1-A3B1", "strict-lift", "black", &strict),
    ] {
        // By day not the longest.
        let python = python && (thorough() || variant != "A2-A3B3");
        let mut counts = Vec::new();
        for format in ["json", "csv", "dot"] {
            let out = place(&format!("out.{format}"));
            let source =
                ["--certificate", certificate, "--reading", reading, "--format", format, "--out", &out];
            let report = gobprove(&[&["export", variant, "--json"], &source[..]].concat()).json();
            assert_eq!((&report["keeper"], &report["format"]), (&keeper.into(), &format.into()), "{report}");
            let written = fs::read_to_string(&out).expect("written");
            assert_eq!(report["bytes"], written.len());
            let around = [0, 1, 2][["json", "csv", "dot"].iter().position(|&f| f == format).expect("one")];
            counts.push(written.lines().count() - around);
            assert_eq!(report["steps"], counts[counts.len() - 1], "{report}");
            // By day one of the two formats that the other program reads.
            let read = if thorough() { &["json", "csv"][..] } else { &["json"] };
            if python && read.contains(&format) {
                let ran = std::process::Command::new("python3")
                    .args(["-B", REPLAY, variant, reading, keeper, &out])
                    .output()
                    .map(Ran::from)
                    .expect("python3 runs");
                assert!(ran.ok().ends_with(&format!(", {} steps\n", counts[0])), "{ran:?}");
            }
        }
        assert!(counts[0] > 10 && counts.iter().all(|&count| count == counts[0]), "{counts:?}");
        // What stands in a file that was cut short is noticed.
        let out = place("out.json");
        let whole = fs::read_to_string(&out).expect("written");
        let (first, rest) = whole.split_once('\n').expect("lines");
        let second = rest.split_once('\n').expect("lines").1;
        fs::write(&out, format!("{first}\n{second}")).expect("written");
        if python {
            let replay = ["-B", REPLAY, variant, reading, keeper, &out];
            let ran = std::process::Command::new("python3").args(replay).output().expect("python3 runs");
            assert!(!ran.status.success(), "a step is missing");
        }
    }
}

#[test]
fn a_strategy_of_what_ships_is_written_up_to_a_ply() {
    let own = tempfile::tempdir().expect("a directory");
    let out = text(&own.path().join("out.csv")).to_owned();
    let export = |arguments: &[&str]| gobprove(&[&["export"], arguments, &["--out", &out]].concat());
    export(&["ab", "--format", "csv", "--plies", "2"]).ok();
    let written = fs::read_to_string(&out).expect("written");
    // White's first move, Black's first moves with an A, and what it may do with one after White's.
    let depth = |of: &str| written.lines().filter(|line| line.starts_with(&format!("{of},"))).count();
    assert_eq!((depth("depth"), depth("0")), (1, 1 + 16), "{written}");
    assert!(depth("1") == 15 && depth("2") == 0, "{written}");
    export(&["abc", "--format", "csv"])
        .error(4, &["no certificate ships for abc", "`gobprove estimate abc`"]);
    let settled = "A3-A3B3C1-official-refutation.gobcert settles it all the same";
    export(&["A3-A3B3C3", "--format", "csv"]).error(4, &[settled, "that is of A3-A3B3C1 under official"]);
    export(&["ab", "--format", "csv", "--reading", "thesis"]).error(
        4,
        &["ships for ab thesis", "since robust is the worst reading for White; that is of ab under robust"],
    );
    export(&["A2-A3B1", "--plies", "2"]).error(2, &["--format json"]);
    let cut = super::text(&super::certificates::shipped("ab-official-cut.gobcert")).to_owned();
    export(&["ab", "--format", "dot", "--certificate", &cut]).error(1, &["names no replies"]);
}

/// The charts that pages show are those that the command draws, and what is no such JSON is told apart.
#[test]
fn charts_are_drawn_from_what_commands_print() {
    let own = tempfile::tempdir().expect("a directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = |name: &str| text(&own.path().join(name)).to_owned();
    let [solved, plies, proved] = ["solved", "plies.json", "prove.json"].map(place);
    let solve = gobprove(&["solve", "ab", "--out", &solved, "--distances", "--json", "--quiet"]);
    fs::write(&plies, solve.ok()).expect("written");
    let prove = gobprove(&["prove", "ab", "--out", &place("closure"), "--json", "--quiet"]);
    fs::write(&proved, prove.ok()).expect("written");
    let mut ladder: Vec<_> = fs::read_dir(root.join("certificates/ladder"))
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .collect();
    ladder.sort();
    let ladder: Vec<&str> = ladder.iter().map(|path| text(path)).collect();
    for (what, files, bars) in [
        ("ladder", &ladder[..], ladder.len()),
        ("plies", &[plies.as_str()], solve.json()["lost_in"].as_array().expect("counts").len()),
        ("growth", &[proved.as_str()], 0),
    ] {
        let ran = gobprove(&[&["plot", what], files].concat());
        assert_eq!(
            ran.ok().matches("text-anchor=\"end\">").count(),
            if bars == 0 { 4 } else { bars },
            "{what}"
        );
        let shown =
            fs::read_to_string(root.join(format!("src/picture/{what}.svg"))).expect("the chart in a page");
        assert!(ran.stdout == shown, "{what}: gobprove plot draws another chart than a page shows");
    }
    // Every canonical position that is listed is in a bar.
    let listed: u64 = solve.json()["lost_in"]
        .as_array()
        .expect("counts")
        .iter()
        .map(|one| one["positions"].as_u64().expect("a count"))
        .sum();
    let head = 22 + 4;
    let bytes = fs::metadata(place("solved.plies")).expect("written").len();
    assert!((listed + head..listed + head + 400).contains(&bytes), "{listed} in {bytes} bytes");
    gobprove(&["plot", "growth", &plies]).error(2, &["plies.json", "gobprove prove VARIANT --json"]);
    gobprove(&["plot", "plies", &place("nosuch")]).error(4, &["nosuch", "cannot read"]);
}
