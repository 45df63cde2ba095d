//! Other checkers beside the one inside the program: the one that `formal/` proves right, and the second one, in Python.

use std::env;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::cli::console::exit::Failure;
use crate::cli::console::signals::{Left, Signals};

/// A checker that shares no code with the one inside.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Other {
    /// gobcheck-coq, which Coq proves right; it does not judge cuts
    Coq,
    /// tests/second_checker.py, for files below 100 kB, or all with --any-size
    Python,
}

/// Files of this many bytes or more take the checker in Python minutes to hours: it judges some 2,000 to 5,000 positions a
/// second.
const MOST_FOR_PYTHON: usize = 100_000;

/// How often to look whether another checker has ended, or a signal has come.
const TICK: Duration = Duration::from_millis(20);

/// A checker that was found.
pub(super) struct CheckerFound {
    pub name: &'static str,
    other: Other,
    program: PathBuf,
    script: Option<PathBuf>,
}

/// What another checker says of a file.
pub(super) enum Opinion {
    /// Its line, `s VERIFIED <claim>`.
    Verified(String),
    /// Its reason.
    Refused(String),
    /// Why it was not asked, or gave no verdict.
    NotJudged(String),
}

/// An opinion with the seconds that it took.
pub(super) struct Said {
    pub opinion: Opinion,
    pub elapsed: f64,
}

impl Said {
    /// Whether it agrees with the checker inside, whose verdict is `line`, or a refusal if that is `None`. Without a
    /// verdict it agrees.
    pub fn agrees(&self, line: Option<&str>) -> bool {
        match &self.opinion {
            Opinion::Verified(other) => Some(other.as_str()) == line,
            Opinion::Refused(_) => line.is_none(),
            Opinion::NotJudged(_) => true,
        }
    }

    /// Whether it is a verdict.
    pub fn is_verdict(&self) -> bool {
        !matches!(self.opinion, Opinion::NotJudged(_))
    }

    /// In a word.
    pub fn word(&self) -> &'static str {
        match self.opinion {
            Opinion::Verified(_) => "verified",
            Opinion::Refused(_) => "rejected",
            Opinion::NotJudged(_) => "not judged",
        }
    }

    /// For a message: the line, or the reason.
    pub fn text(&self) -> &str {
        let (Opinion::Verified(text) | Opinion::Refused(text) | Opinion::NotJudged(text)) = &self.opinion;
        text
    }

    /// For the table.
    pub fn cell(&self) -> String {
        match &self.opinion {
            Opinion::Verified(_) => format!("verified, {:.1} s", self.elapsed),
            Opinion::Refused(why) => format!("rejected, {:.1} s: {why}", self.elapsed),
            Opinion::NotJudged(why) => format!("not judged: {why}"),
        }
    }
}

impl Other {
    /// Finds the checker: beside this program, in `PATH`, and in the checkout that is the working directory.
    ///
    /// # Errors
    /// It is not installed.
    pub fn find(self) -> Result<CheckerFound, Failure> {
        let script = Path::new("tests/second_checker.py");
        match self {
            Other::Coq => {
                let program = program("gobcheck-coq", Some(Path::new("formal/build"))).ok_or_else(|| {
                    Failure::unavailable(
                        "gobcheck-coq is not beside this program, in PATH or in formal/build",
                    )
                    .next("`make -C formal` in a checkout builds it; it needs Coq")
                })?;
                Ok(CheckerFound { name: "coq", other: self, program, script: None })
            }
            Other::Python => {
                if !script.exists() {
                    return Err(Failure::unavailable("there is no tests/second_checker.py here")
                        .next("start gobprove in the root of a checkout"));
                }
                let program = program("python3", None).ok_or_else(|| {
                    Failure::unavailable("python3 is not in PATH").next("install Python 3.9 or later")
                })?;
                Ok(CheckerFound { name: "python", other: self, program, script: Some(script.to_owned()) })
            }
        }
    }
}

/// A program beside this one, in `PATH`, or in a directory.
fn program(name: &str, directory: Option<&Path>) -> Option<PathBuf> {
    let beside = env::current_exe().ok().and_then(|path| path.parent().map(Path::to_owned));
    let path = env::var_os("PATH").unwrap_or_default();
    let places = beside.into_iter().chain(env::split_paths(&path)).chain(directory.map(Path::to_owned));
    places.map(|place| place.join(name)).find(|path| path.is_file())
}

impl CheckerFound {
    /// What the checker says of a file with these bytes. `any_size` lets it take hours. A signal ends it too.
    ///
    /// # Errors
    /// The checker cannot be started, or a signal came.
    pub fn judge(&self, bytes: &[u8], any_size: bool) -> Result<Said, Failure> {
        let started = Instant::now();
        if self.other == Other::Python && bytes.len() >= MOST_FOR_PYTHON && !any_size {
            let why = "100 kB or more, see --any-size".to_owned();
            return Ok(Said { opinion: Opinion::NotJudged(why), elapsed: 0.0 });
        }
        let signals = Signals::catch(Left::Tidy);
        let output = self.output(bytes, &signals);
        let _ = Signals::catch(Left::Nothing);
        let output = output?;
        let last = |text: &[u8]| String::from_utf8_lossy(text).trim().lines().last().unwrap_or("").to_owned();
        let reason = || last(&output.stderr).rsplit(": ").next().unwrap_or_default().to_owned();
        let opinion = match output.status.code() {
            Some(0) => Opinion::Verified(last(&output.stdout)),
            Some(1) => Opinion::Refused(reason()),
            _ => Opinion::NotJudged(
                Some(reason()).filter(|why| !why.is_empty()).unwrap_or(output.status.to_string()),
            ),
        };
        Ok(Said { opinion, elapsed: started.elapsed().as_secs_f64() })
    }

    /// Runs it on a file with these bytes, which it reads from its standard input.
    fn output(&self, bytes: &[u8], signals: &Signals) -> Result<Output, Failure> {
        let mut command = Command::new(&self.program);
        command.args(&self.script).arg("-");
        let output = ran(&mut command, bytes, signals)
            .map_err(|error| Failure::unavailable(format!("{}: {error}", self.program.display())))?;
        output.ok_or_else(|| signals.failure())
    }
}

/// Runs a command with these bytes as its standard input. `None` if a signal came: the command is ended then.
fn ran(command: &mut Command, bytes: &[u8], signals: &Signals) -> io::Result<Option<Output>> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|threads| {
        // A command may end before it has read everything: what it says counts.
        threads.spawn(|| stdin.map(|mut pipe| pipe.write_all(bytes)));
        let (stdout, stderr) = (threads.spawn(|| all_of(stdout)), threads.spawn(|| all_of(stderr)));
        loop {
            if signals.came().is_some() {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            if let Some(status) = child.try_wait()? {
                let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().unwrap_or_default());
                return Ok(Some(Output { status, stdout, stderr }));
            }
            thread::sleep(TICK);
        }
    })
}

/// All that a pipe brings. If reading fails, the rest is missing, and the line of a verdict is not complete.
fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_line_or_another_verdict_is_a_disagreement() {
        let said = |opinion| Said { opinion, elapsed: 0.0 };
        let verified = said(Opinion::Verified("s VERIFIED ab official draw closure".to_owned()));
        assert!(verified.agrees(Some("s VERIFIED ab official draw closure")));
        assert!(!verified.agrees(Some("s VERIFIED ab robust draw closure")));
        assert!(!verified.agrees(None));
        let refused = said(Opinion::Refused("K5".to_owned()));
        assert!(refused.agrees(None) && !refused.agrees(Some("s VERIFIED ab official draw closure")));
        assert!(said(Opinion::NotJudged("a cut".to_owned())).agrees(None));
    }
}
