//! The second checker, `tests/second_checker.py`, and the first say the same: of certificates as the library
//! makes them, of forgeries with and without fitting checksums, and of what ships.
//!
//! The script needs Python 3.9. Where there is none, these tests say so and hold the first checker alone to what
//! is known of the files.

mod random;
#[path = "support/reseal.rs"]
mod reseal;
#[path = "support/thorough.rs"]
mod thorough;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek as _, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use gobcheck::check as checker;
use gobprove::bitbase::Solution;
use gobprove::closure::Weights;
use gobprove::enumerate::Discipline;
use gobprove::passes;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Outcome, Position, Reading, Size, Variant};
use gobprove::store::{Certificate, Claim, Kind, PositionSet};
use gobprove::strategy::Seed;
use gobprove::symmetry;
use random::Random;
use reseal::at;
use thorough::thorough;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/second_checker.py");

/// Whether Python can run the script.
fn python() -> bool {
    let old = "import sys; sys.exit(sys.version_info < (3, 9))";
    let found = Command::new("python3").args(["-c", old]).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!(
            "SKIPPED: the second checker needs python3, version 3.9 or later; only the first one is tested"
        );
    }
    found
}

/// The first checker's claim, or `None` where it refuses.
fn first(bytes: &[u8]) -> Option<String> {
    let threads = NonZeroUsize::new(2).expect("not 0");
    checker::check(bytes, threads, &|_, _| ()).ok().map(|verified| verified.claim.to_string())
}

/// What the second checker says of each file of a directory: the claim, or `None` where it refuses.
fn second(directory: &Path) -> BTreeMap<String, Option<String>> {
    let output =
        Command::new("python3").arg(SCRIPT).arg("--batch").arg(directory).output().expect("python3 runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)) && errors.is_empty(), "{}: {errors}", output.status);
    let text = String::from_utf8(output.stdout).expect("text");
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [verdict, path, text] = fields[..] else { panic!("{line}") };
        let name = path.trim_matches('"').rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        match verdict {
            "verified" => (name, Some(text.to_owned())),
            "refused" => (name, None),
            _ => panic!("{line}"),
        }
    };
    text.lines().map(line).collect()
}

/// Has both checkers judge the files and holds them to the same verdict on each. Returns how many are accepted
/// and how many refused.
fn both_agree(files: &[(String, Vec<u8>)]) -> (usize, usize) {
    let firsts: Vec<Option<String>> = files.iter().map(|(_, bytes)| first(bytes)).collect();
    if python() {
        let directory = tempfile::tempdir().expect("a directory");
        for (number, (_, bytes)) in files.iter().enumerate() {
            fs::write(directory.path().join(format!("{number:05}")), bytes).expect("written");
        }
        let seconds = second(directory.path());
        assert_eq!(seconds.len(), files.len(), "a verdict for each file");
        for (((what, bytes), first), second) in files.iter().zip(&firsts).zip(seconds.values()) {
            assert_eq!(first, second, "first and second checker of: {what}; the bytes: {bytes:02x?}");
        }
    }
    let accepted = firsts.iter().flatten().count();
    (accepted, files.len() - accepted)
}

fn game(variant: &str, reading: Reading) -> Game {
    Game::new(variant.read().expect("a variant"), reading)
}

fn solve(game: &Game) -> Solution {
    passes::solve(game, Seed::Rules, None, &mut |_| ControlFlow::Continue(())).expect("solved")
}

fn closure(game: &Game) -> Option<Certificate> {
    gobprove::closure::closure(&solve(game), &Weights::default())
}

/// What Black wins.
fn refutation(game: &Game) -> Option<Certificate> {
    let refuted = gobprove::refute::refute(game, Discipline::FREE, None, &mut |_| ControlFlow::Continue(()));
    refuted.expect("memory enough")
}

#[test]
fn certificates_of_small_variants_under_every_reading() {
    // With four black pieces in the variant lines come in; with four white ones white lines.
    let closures = ["A1-A1B1", "A2-A2B1", "A1-A2B2", "A2-A2B2", "A2B2-A1B1", "A3-A2B2", "A2B1-A2B1"];
    let cuts = ["A1-A1B1", "A1B1-A1B1", "A1-A2B2", "A1-A3B1"];
    let mut files = Vec::new();
    for reading in Reading::ALL {
        let named = |certificate: Certificate| (certificate.claim.to_string(), certificate.encode());
        files.extend(closures.iter().filter_map(|variant| closure(&game(variant, reading))).map(named));
        files.extend(
            cuts.iter()
                .map(|cut| gobprove::closure::cut(&solve(&game(cut, reading))).expect("a cut"))
                .map(named),
        );
    }
    // White does not hold A1-A2B2 where a lift loses at once, which closures do not come out of, nor A1-A3B1.
    assert_eq!(both_agree(&files), (5 * 7 - 3 + 5 * 3 - 3, 3 + 5));
    // That Black wins under robust says nothing.
    let readings = || Reading::ALL.into_iter().filter(|&reading| reading != Reading::Robust);
    let refuted = |variant| readings().filter_map(move |reading| refutation(&game(variant, reading)));
    let lost = ["A1-A2B2", "A1-A3B1", "A2-A3B3"].into_iter().flat_map(refuted);
    let files: Vec<_> = lost.map(|lost| (lost.claim.to_string(), lost.encode())).collect();
    assert_eq!(both_agree(&files), (2 + 4 + 4, 0));
}

/// A certificate with an entry taken away, added or moved, or under another white or black material.
fn forge(certificate: &Certificate, random: &mut Random) -> Option<(String, Certificate)> {
    let variant = certificate.claim.game.variant;
    let of = |color| certificate.listed(color).map(|set| set.positions(color).collect::<Vec<Position>>());
    let mut lists = [Color::Black, Color::White].map(|color| of(color).unwrap_or_default());
    let which = match certificate.claim.kind {
        Kind::Cut => random.below_u128(2) as usize,
        Kind::Closure => 0,
        Kind::Refutation => 1,
    };
    let mut new = variant;
    let mut stranger = |canonical: bool| {
        let position = random.any_position(variant);
        if canonical { symmetry::canonical(&position) } else { position }
    };
    let (near, any) = (stranger(true), stranger(false));
    let list = &mut lists[which];
    let what = match random.below_u128(7) {
        0 | 1 if !list.is_empty() => {
            let gone = list.swap_remove(random.below_u128(list.len() as u128) as usize);
            format!("without {gone}")
        }
        2 => {
            list.push(near);
            format!("with {near}")
        }
        3 => {
            list.push(any);
            format!("with {any}")
        }
        4 if !list.is_empty() => {
            let place = random.below_u128(list.len() as u128) as usize;
            list[place] = near;
            format!("{near} in place of an entry")
        }
        // The second checker enumerates a cut's variant, which has to stay small.
        5 | 6 if certificate.claim.kind != Kind::Cut => {
            let texts = [("A1", "A2"), ("A2", "A3"), ("A1-", "A1B1-"), ("B1", "B2"), ("-A2", "-A3")];
            let (from, to) = random.pick(&texts);
            new = variant.spelled().replacen(from, to, 1).read().ok()?;
            format!("of {new}")
        }
        _ => return None,
    };
    let set = |list: &[Position]| PositionSet::from_positions(new, list.iter().copied());
    let [black_to_move, white_to_move] = lists.each_ref().map(|list| set(list));
    let claim = Claim { game: Game::new(new, certificate.claim.game.reading), ..certificate.claim };
    Some((what, Certificate { claim, black_to_move, white_to_move }))
}

/// A file with a bit flipped, a byte changed, an end cut off or bytes added.
fn damage(file: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let mut bytes = file.to_vec();
    let place = random.below_u128(bytes.len() as u128) as usize;
    let value = random.next() as u8;
    let what = match random.below_u128(5) {
        0 => {
            bytes[place] ^= 1 << (value % 8);
            format!("bit {} of byte {place} flipped", value % 8)
        }
        1 => {
            bytes[place] = value;
            format!("byte {place} set to {value:02x}")
        }
        2 => {
            bytes.truncate(place);
            format!("cut off at {place}")
        }
        3 => {
            bytes.insert(place, value);
            format!("{value:02x} put in at {place}")
        }
        _ => {
            bytes[place] = bytes[place].wrapping_add(if value < 128 { 1 } else { 255 });
            format!("byte {place} one more or less")
        }
    };
    (what, bytes)
}

#[test]
fn forgeries_get_the_same_verdict_from_both() {
    let mut random = Random(0x60BB_1E75);
    let mut files = Vec::new();
    let closures = [
        ("A1-A1", Reading::Official, 120),
        ("A1-A1B1", Reading::Robust, 120),
        ("A2-A2", Reading::NoEntryCover, 80),
        ("A2-A2B1", Reading::Thesis, 80),
        ("A2B2-A1B1", Reading::StrictLift, 60),
        ("A1-A2B2", Reading::Official, 40),
    ];
    let cuts = [
        ("A1-A1", Reading::Thesis, 100),
        ("A1-A1B1", Reading::Official, 100),
        ("A1-A2B2", Reading::Official, 12),
    ];
    let grown = closures
        .map(|(variant, reading, count)| (closure(&game(variant, reading)).expect("White holds"), count));
    let cut = cuts.map(|(variant, reading, count)| {
        (gobprove::closure::cut(&solve(&game(variant, reading))).expect("a cut"), count)
    });
    let lost = [("A1-A3B1", Reading::Official, 60), ("A1-A2B2", Reading::StrictLift, 40)]
        .map(|(variant, reading, count)| (refutation(&game(variant, reading)).expect("Black wins"), count));
    for (certificate, count) in grown.into_iter().chain(cut).chain(lost) {
        let (claim, sound) = (certificate.claim, certificate.encode());
        files.push((claim.to_string(), sound.clone()));
        for reading in Reading::ALL {
            let mut bytes = sound.clone();
            bytes[at::READING] = (1..).zip(Reading::ALL).find(|&(_, r)| r == reading).expect("a code").0;
            reseal::reseal(&mut bytes);
            files.push((format!("{claim} as {reading}"), bytes));
        }
        for _ in 0..if thorough() { count } else { count / 3 } {
            if let Some((what, forged)) = forge(&certificate, &mut random) {
                files.push((format!("{claim} {what}"), forged.encode()));
            }
            let (what, damaged) = damage(&sound, &mut random);
            let mut sealed = damaged.clone();
            files.push((format!("{claim} {what}"), damaged));
            if certificate.claim.kind == Kind::Cut && sealed.len() > at::SEED {
                sealed[at::WHITE..at::SEED].copy_from_slice(&sound[at::WHITE..at::SEED]);
            }
            reseal::reseal_with_len(&mut sealed);
            files.push((format!("{claim} {what}, sealed"), sealed));
        }
    }
    let (accepted, refused) = both_agree(&files);
    println!("{accepted} of {} accepted", files.len());
    let least = if thorough() { [100, 1000] } else { [50, 400] };
    assert!(accepted >= least[0] && refused >= least[1], "{accepted} accepted, {refused} refused");
}

/// Verdicts on certificates see a rule only where White's fate hangs on it. So the moves are compared too: how each is
/// judged, and what is canonical after it. The script also holds its moves back to its own moves: whatever goes on from a
/// position leads back to it, and what leads back to it goes on from there.
#[test]
fn moves_from_crowded_positions() {
    const ASK: &str = "
import sys, second_checker as s
for number, line in enumerate(sys.stdin):
    reading, turn, white, black, *layers = line.split()
    game, position = (tuple(map(int, white)), tuple(map(int, black)), reading), tuple(map(int, layers))
    moves = [] if s.holds_line(position) else s.moves(game, position, turn == 'w')
    for white in (True, False) if not s.holds_line(position) else ():
        forth = list(s.moves(game, position, white))
        wins = any(v == (1 if white else -1) for v, _ in forth)
        assert bool(s.wins_at_once(game, position, white)) == wins, line
        if number % 40:
            continue
        for v, after in forth:
            assert v or position in s.moves_back(game, after, white), (line, after)
        for before in s.moves_back(game, position, white):
            counts = [[s.COUNT[layer >> at & 0xFFFF] for layer in before] for at in (16, 0)]
            if all(side == sorted(side)[::-1] for side in counts) and not s.holds_line(before):
                assert (0, position) in s.moves(game, before, white), (line, before)
    print(*sorted('%d:%s' % (v, '' if v else ' '.join(map(str, s.canonical(p)[0]))) for v, p in moves), sep=';')
";
    let mut random = Random(0x6F55);
    let (mut asked, mut answers) = (String::new(), Vec::new());
    let mut judged = BTreeMap::<&str, usize>::new();
    for number in 0..if thorough() { 6000 } else { 2400 } {
        let variant: Variant =
            ["abcd-full", "abc-full", "ab-full", "ab"][number % 4].read().expect("a variant");
        let sizes = [4, 3, 2, 2][number % 4];
        let layers = |position: &Position| {
            let of = |color, size| u32::from(position.pieces(color, size).0);
            let layer = |size| (of(Color::White, size) << 16 | of(Color::Black, size)).to_string();
            Size::ALL[..sizes].iter().map(|&size| layer(size)).collect::<Vec<_>>().join(" ")
        };
        let Ok(position) = random.crowded_setup(variant).position(variant) else { continue };
        let game = Game::new(variant, random.pick(&Reading::ALL));
        let side = |color| variant.material(color).counts().map(|count| count.to_string()).concat();
        let turn = if position.turn() == Color::White { "w" } else { "b" };
        let (white, black) = (side(Color::White), side(Color::Black));
        asked += &format!("{} {turn} {white} {black} {}\n", game.reading, layers(&position));
        let mut moves = Vec::new();
        if position.finished().is_none() {
            for mv in game.moves(&position) {
                moves.push(match game.play_unchecked(&position, mv) {
                    Outcome::WhiteWins => "1:".to_owned(),
                    Outcome::BlackWins => "-1:".to_owned(),
                    Outcome::GoesOn(next) => format!("0:{}", layers(&symmetry::canonical(&next))),
                });
            }
        }
        for verdict in ["1:", "-1:", "0:"] {
            *judged.entry(verdict).or_default() +=
                moves.iter().filter(|text| text.starts_with(verdict)).count();
        }
        moves.sort();
        answers.push((format!("{position} {}", game.reading), moves.join(";")));
    }
    assert!(judged.values().all(|&count| count > 800), "{judged:?}");
    if python() {
        let directory = Path::new(SCRIPT).parent().expect("a directory");
        let mut questions = tempfile::tempfile().expect("a file");
        questions.write_all(asked.as_bytes()).and_then(|()| questions.rewind()).expect("written");
        let mut command = Command::new("python3");
        command.args(["-B", "-c", ASK]).env("PYTHONPATH", directory).stdin(questions);
        let output = command.output().expect("python3 runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(text.lines().count(), answers.len());
        for (line, (what, moves)) in text.lines().zip(answers) {
            assert_eq!(line, moves, "second and first at {what}");
        }
    }
}

#[test]
fn some_of_what_ships() {
    // With B and C among its pieces. `.ci/weekly` has it judge all below 100 kB.
    let names = ["A3-A3B3C1-strict-lift-refutation"];
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates");
    let mut running = Vec::new();
    for name in names {
        let path = directory.join(format!("{name}.gobcert"));
        // A package has no certificates.
        let Ok(bytes) = fs::read(&path) else { continue };
        let claim = first(&bytes).expect("what ships is sound");
        if python() {
            let child =
                Command::new("python3").arg("-B").arg(SCRIPT).arg(&path).stdout(Stdio::piped()).spawn();
            running.push((claim, child.expect("python3 runs")));
        }
    }
    for (claim, child) in running {
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), format!("s VERIFIED {claim}"));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn statuses_and_no_traceback() {
    let file = closure(&game("A1-A1", Reading::Official)).expect("White holds").encode();
    assert_eq!(first(&file).as_deref(), Some("A1-A1 official draw closure"));
    if !python() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    fs::write(path("sound"), &file).expect("written");
    fs::write(path("torn"), &file[..file.len() - 1]).expect("written");
    fs::write(
        path("cut"),
        gobprove::closure::cut(&solve(&game("A1-A2B2", Reading::Official))).expect("a cut").encode(),
    )
    .expect("written");
    let sound = path("sound").display().to_string();
    let runs: [(&[&str], i32, &str); 8] = [
        (&[&sound], 0, ""),
        (&[&path("torn").display().to_string()], 1, "format"),
        (&[], 2, "usage"),
        (&["--limit", "many", &sound], 2, "usage"),
        (&[&sound, &sound], 2, "--batch"),
        (&["--limit", "1000", &path("cut").display().to_string()], 3, "too-large"),
        (&[&path("missing").display().to_string()], 4, "unreadable"),
        (&[&directory.path().display().to_string()], 4, "unreadable"),
    ];
    for (arguments, status, word) in runs {
        let output = Command::new("python3").arg(SCRIPT).args(arguments).output().expect("python3 runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
        assert!(text.contains(word) && !text.contains("Traceback"), "{arguments:?}: {text}");
        let expected = if status == 0 { "s VERIFIED A1-A1 official draw closure\n" } else { "" };
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace('\r', ""), expected);
    }
}
