//! A game that fills the terminal, by its keys.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{command, given, program, tty::terminal};

/// How long a test waits for what it expects.
const PATIENCE: Duration = Duration::from_secs(60);

/// A game on a terminal.
struct Played {
    child: Child,
    terminal: File,
    /// What it shows, as it comes, until the program has ended.
    pieces: Receiver<String>,
    shown: String,
}

impl Played {
    fn begin(arguments: &[&str]) -> Played {
        Played::begin_on("xterm", arguments)
    }

    /// The same on another kind of terminal.
    fn begin_on(kind: &str, arguments: &[&str]) -> Played {
        let (ours, theirs) = terminal(120);
        let other = || theirs.try_clone().expect("a second handle");
        let mut command = command(arguments);
        command.stdin(other()).stdout(other()).stderr(other()).env("TERM", kind);
        let child = command.spawn().expect("the program starts");
        let (sender, pieces) = channel();
        let mut reader = ours.try_clone().expect("a second handle");
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        Played { child, terminal: ours, pieces, shown: String::new() }
    }

    /// Waits until the terminal has shown these letters, one after the other, since this was asked last. Blanks are not
    /// compared: where nothing stood before they are not written.
    #[track_caller]
    fn wait(&mut self, letters: &str) {
        let since = Instant::now();
        while !letters_of(&self.shown).contains(&letters.replace(' ', "")) {
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) if since.elapsed() < PATIENCE => self.shown.push_str(&piece),
                late => panic!("{letters:?} does not come, but {late:?}: {:?}", self.shown),
            }
        }
        self.shown.clear();
    }

    fn press(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).expect("it reads");
    }

    /// What the terminal shows to the end, and how the program ended.
    fn end(mut self) -> (String, ExitStatus) {
        while let Ok(piece) = self.pieces.recv_timeout(PATIENCE) {
            self.shown.push_str(&piece);
        }
        (self.shown, self.child.wait().expect("it ends"))
    }
}

/// The letters that a terminal shows, without blanks and without what moves the cursor and sets colours.
fn letters_of(shown: &str) -> String {
    let mut parts = shown.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| {
        let ends = part.trim_start_matches('[').find(|letter: char| letter.is_ascii_alphabetic());
        text + part.trim_start_matches('[').get(ends.map_or(0, |at| at + 1)..).unwrap_or_default()
    });
    text.split_whitespace().collect()
}

const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";

/// What a terminal gets when it is left as it was found.
const LEFT: &str = "\x1b[?1049l";

#[test]
fn arrows_and_enter_play_a_piece_from_hand_and_the_program_answers() {
    let mut played = Played::begin(&["play", "--level", "1"]);
    played.wait("White to move");
    // From b2 to White's hand below the board, an A is taken, and put onto a1.
    played.press(&format!("{DOWN}{DOWN}\r{UP}\r"));
    played.wait("Black plays ");
    played.press("undo\r");
    played.press("A@d4\r");
    played.wait("Black plays ");
    played.press("quit\r");
    let (shown, status) = played.end();
    assert!(status.success(), "{shown}");
    let after = shown.split(LEFT).nth(1).expect(&shown);
    assert!(after.contains("1. A@d4 ") && after.contains("[White \"human\"]"), "{after}");
}

#[test]
fn ctrl_c_leaves_the_terminal_as_it_was_also_while_a_program_thinks() {
    let own = tempfile::tempdir().expect("a directory");
    let silent = program(own.path(), "read h");
    for white in ["human", "nodes:100000000", &silent] {
        let mut played = Played::begin(&["play", "--white", white, "--black", "human"]);
        played.wait(if white == "human" { "White to move" } else { "White thinks" });
        played.press("\x03");
        let (shown, status) = played.end();
        let after = shown.split(LEFT).nth(1).expect(&shown);
        assert!(status.success() && after.contains("[Result \"*\"]"), "{status}: {shown}");
        assert!(!after.contains("1. "), "what was cut short is not played: {after}");
    }
}

#[test]
fn a_terminal_can_be_played_at_line_by_line() {
    let plain = ["play", "--level", "1", "--plain"];
    for (kind, arguments) in [("xterm", &plain[..]), ("dumb", &plain[..3])] {
        let mut played = Played::begin_on(kind, arguments);
        played.wait("White's move, or help:");
        played.press("quit\n");
        let (shown, status) = played.end();
        assert!(status.success() && !shown.contains(LEFT) && shown.contains("[Result \"*\"]"), "{shown}");
    }
}

/// What was played can be gone on with.
#[test]
fn a_signal_ends_a_game_line_by_line_and_it_is_printed() {
    let mut played = Played::begin(&["play", "--level", "1", "--plain"]);
    played.wait("White's move, or help:");
    played.press("A@b2\n");
    played.wait("White's move, or help:");
    kill_process(Pid::from_child(&played.child), Signal::INT).expect("it runs");
    let (shown, status) = played.end();
    assert_eq!(status.code(), Some(130), "{shown}");
    assert!(
        shown.contains("1. A@b2 ") && shown.contains("interrupted; the game so far is printed"),
        "{shown}"
    );
}

/// Ctrl-C reaches the other program as well.
#[test]
fn a_signal_that_ends_both_programs_loses_no_game() {
    let own = tempfile::tempdir().expect("a directory");
    let white = program(own.path(), "kill -INT $PPID");
    let output = given(&["play", "--white", &white, "--black", "human"], "");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(130) && told.contains("[Result \"*\"]"), "{output:?}");
}

/// Also while lines come as fast as they are answered.
#[test]
fn a_signal_ends_a_game_whose_input_never_ends() {
    let mut command = command(&["play", "--level", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    let writing = std::thread::spawn(move || while input.write_all(b"moves\n").is_ok() {});
    std::thread::sleep(Duration::from_millis(500));
    let sent = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(sent.elapsed() < Duration::from_secs(2), "a second on an idle machine");
    writing.join().expect("nobody reads any more");
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let mut played = Played::begin(&["play"]);
    played.wait("White to move");
    kill_process(Pid::from_child(&played.child), Signal::TERM).expect("it runs");
    let (shown, status) = played.end();
    assert_eq!(status.code(), Some(143), "{shown}");
    let after = shown.split(LEFT).nth(1).expect(&shown);
    assert!(after.contains("[Result \"*\"]"), "the game is printed: {after}");
}
