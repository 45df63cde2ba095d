//! The two programs as a user meets them: what they print and where, and how they exit.

#[path = "../support/gobcheck.rs"]
mod gobcheck_bin;
mod certificates;
mod check_strategy;
mod count;
mod estimate;
mod every_variant;
mod expand;
mod explain;
mod export;
mod gobcheck;
mod help;
mod info;
mod json;
mod junior;
mod package;
mod perft;
mod prove;
mod pipes;
mod refute;
mod regenerate;
mod reproduce;
mod rules;
mod solve;
#[path = "../support/junior.rs"]
mod solved_junior;
mod status;
#[path = "../support/thorough.rs"]
mod thorough;
mod tune;
mod update;
mod verify;
mod verify_refusals;

#[cfg(unix)]
mod generate;
#[cfg(unix)]
mod hostile_files;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(unix)]
#[path = "../support/tty.rs"]
mod tty;

use std::fs;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Command, Output};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// What a program did.
#[derive(Debug)]
struct Ran {
    /// The exit code; `None` if a signal ended it.
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn of(command: &mut Command) -> Ran {
        Ran::from(command.output().expect("the program starts"))
    }

    /// Stdout of a success.
    #[track_caller]
    fn ok(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        &self.stdout
    }

    /// Stdout of a success as JSON.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(self.ok()).expect("JSON")
    }

    /// One error that says all of this: the exit code is right, nothing panicked, and stdout is empty or, with `--json`,
    /// says the same.
    #[track_caller]
    fn error(&self, code: i32, says: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        if !self.stdout.is_empty() {
            let object: serde_json::Value = serde_json::from_str(&self.stdout).expect("one JSON value");
            let error = object["error"].as_str().expect("an error");
            assert!(!error.is_empty() && self.stderr.contains(error), "{self:?}");
        }
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{self:?}");
        for words in says {
            assert!(self.stderr.contains(words), "{words:?} in {self:?}");
        }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// `gobprove`, away from the project, with all that ships at hand.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    command.args(arguments).current_dir(std::env::temp_dir());
    command.env("GOBPROVE_CERTIFICATES", concat!(env!("CARGO_MANIFEST_DIR"), "/certificates"));
    command
}

/// `gobprove` alone, in a directory that has nothing else of the project: with what is inside the program.
fn alone(directory: &Path, arguments: &[&str]) -> Command {
    installed(&directory.join("bin"), directory, arguments)
}

/// `gobprove` as a program in `beside`, started in `directory`.
fn installed(beside: &Path, directory: &Path, arguments: &[&str]) -> Command {
    let program = beside.join("gobprove");
    if !program.exists() {
        fs::create_dir_all(beside).expect("a directory");
        fs::copy(assert_cmd::cargo::cargo_bin!("gobprove"), &program).expect("copied");
    }
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).env_remove("GOBPROVE_CERTIFICATES");
    command
}

fn gobprove(arguments: &[&str]) -> Ran {
    Ran::of(&mut command(arguments))
}

/// `gobprove`, which gets a signal when it says on stderr how far it is: by then it hears signals. The line that it said is
/// left out.
#[cfg(unix)]
#[track_caller]
fn interrupted(arguments: &[&str], says: &str, signal: Signal) -> Ran {
    let mut child =
        command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut pipe = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    pipe.read_line(&mut line).expect("a line");
    assert!(line.starts_with(says), "{line}");
    kill_process(Pid::from_child(&child), signal).expect("it is there");
    let mut stderr = String::new();
    pipe.read_to_string(&mut stderr).expect("text");
    Ran { stderr, ..Ran::from(child.wait_with_output().expect("it ends")) }
}

/// The keys of an object, in order.
#[track_caller]
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}
