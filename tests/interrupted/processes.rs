//! Real processes: killed, signalled, refused.

use std::fs;
use std::io::pipe;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use gobprove::prelude::*;
use gobprove::rules::{Game, Reading};
use gobprove::store::Checkpoint;
use gobprove::store::SavedTiers;
use gobprove::strategy::Seed;
use rustix::process::{Pid, Signal, kill_process};

use super::STARTING;

/// The closure of `ab`, in a directory of its own.
struct Job {
    dir: tempfile::TempDir,
}

impl Job {
    fn new() -> Job {
        Job { dir: tempfile::tempdir().expect("a directory") }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("ab.gobcert")
    }

    fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    fn of(&self, variant: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        command.args(["generate", variant, "--out"]).arg(self.out()).arg("--dir").arg(self.work());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn command(&self) -> Command {
        self.of("ab")
    }

    /// Runs to the end, which gives the bytes that ship.
    #[track_caller]
    fn finish(&self) {
        self.has_finished(&Ended::of(start(&mut self.command())));
    }

    #[track_caller]
    fn has_finished(&self, ran: &Ended) {
        assert_eq!(ran.status.code(), Some(0), "{}", ran.stderr);
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/ab-official-closure.gobcert");
        assert!(
            fs::read(self.out()).expect("readable") == fs::read(shipped).expect("readable"),
            "other bytes"
        );
        let left: Vec<_> = fs::read_dir(self.dir.path()).expect("a directory").collect();
        assert_eq!(left.len(), 2, "the certificate and the working directory: {left:?}");
    }
}

/// Starts a process.
fn start(command: &mut Command) -> Child {
    let _alone = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    command.spawn().expect("it starts")
}

struct Ended {
    status: ExitStatus,
    stderr: String,
}

impl Ended {
    fn of(child: Child) -> Ended {
        let output = child.wait_with_output().expect("it ends");
        Ended { status: output.status, stderr: String::from_utf8(output.stderr).expect("text") }
    }

    #[track_caller]
    fn says(&self, code: i32, words: &[&str]) {
        assert_eq!(self.status.code(), Some(code), "{}", self.stderr);
        for words in words {
            assert!(self.stderr.contains(words), "{words:?} in {}", self.stderr);
        }
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{}", self.stderr);
    }
}

/// Without a process that would take its time to start: what is signalled does not take long.
fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is there");
}

/// Waits until a run has something on disk to go on from: how many files more than the lock and the identity.
fn wait_for_tiers(job: &Job, child: &mut Child, tiers: usize) {
    let started = Instant::now();
    while fs::read_dir(job.work()).map_or(0, Iterator::count) < 2 + tiers {
        assert_eq!(child.try_wait().expect("a state"), None, "it ended too soon");
        assert!(started.elapsed() < Duration::from_secs(120), "it does nothing");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn c01_c07_killed_at_random_times_and_resumed() {
    use std::os::unix::process::ExitStatusExt as _;
    let job = Job::new();
    let (mut time, mut killed) = (7_u64, 0);
    for round in 0..8 {
        let mut child = start(&mut job.command());
        time = time.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis((time >> 33) % 1_200));
        // What one was told to save, the next is killed over.
        signal(&child, if round % 2 == 0 { Signal::TERM } else { Signal::KILL });
        // Nobody is left to read what it said.
        drop((child.stdout.take(), child.stderr.take()));
        killed += usize::from(child.wait().expect("it ends").signal() == Some(9));
    }
    assert!(killed > 0, "one was stopped at least");
    job.finish();
}

/// Whether these tests run where a hangup is ignored, as under `nohup`; then so do the processes that they start.
fn hangups_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).expect("a mask") & 1 == 1)
}

#[test]
fn c09_a_hangup_stops_a_run_that_goes_on_later() {
    let job = Job::new();
    let mut child = start(&mut job.command());
    wait_for_tiers(&job, &mut child, 2);
    signal(&child, Signal::HUP);
    let ended = Ended::of(child);
    if hangups_are_ignored() {
        return job.has_finished(&ended);
    }
    assert_eq!(ended.status.code(), None, "ended by the signal");
    assert!(!job.out().exists());
    job.finish();
}

#[test]
fn c09_a_reader_of_stderr_that_went_away_stops_nothing() {
    let job = Job::new();
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    job.has_finished(&Ended::of(start(job.command().arg("--verbose").stderr(writer))));
}

/// `timeout` sends its signal to the process and to its group.
#[test]
fn c08_a_signal_that_is_sent_twice_is_one() {
    for wait in [0, 20] {
        let job = Job::new();
        let mut child = start(&mut job.command());
        wait_for_tiers(&job, &mut child, 2);
        signal(&child, Signal::TERM);
        std::thread::sleep(Duration::from_millis(wait));
        signal(&child, Signal::TERM);
        Ended::of(child).says(143, &["what is finished is kept"]);
        job.finish();
    }
}

#[test]
fn c08_a_second_signal_ends_it_at_once_and_nothing_is_torn() {
    let game = Game::new("A3-A3B3C3".read().expect("a variant"), Reading::Official);
    for (name, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        // After the first signal a run goes on to the end of a part, which takes a hundredth of a second or more here, and says what
        // is kept. Should the second one come just then, it comes too late.
        let ends_at_once = || {
            let job = Job::new();
            let mut child = start(job.of("A3-A3B3C3").args(["--threads", "1"]));
            wait_for_tiers(&job, &mut child, 0);
            // Signals are caught right after the directory is opened.
            std::thread::sleep(Duration::from_millis(500));
            signal(&child, name);
            // The work stands still until the next signal is no longer taken for this one.
            std::thread::sleep(Duration::from_millis(1));
            signal(&child, Signal::STOP);
            std::thread::sleep(Duration::from_millis(150));
            signal(&child, Signal::CONT);
            std::thread::sleep(Duration::from_millis(2));
            signal(&child, name);
            let ended = Ended::of(child);
            assert_eq!(ended.status.code(), Some(code));
            let open = Checkpoint::<SavedTiers>::open(&job.work(), &game, Seed::Rules, false);
            drop(open.expect("it can be gone on from"));
            !ended.stderr.contains("what is finished is kept")
        };
        assert!((0..10).any(|_| ends_at_once()), "{name:?}: the second signal never ended it");
    }
}

#[test]
fn c10_a_second_process_is_refused_and_the_first_goes_on() {
    let job = Job::new();
    let mut first = start(&mut job.command());
    wait_for_tiers(&job, &mut first, 0);
    let second = Ended::of(start(&mut job.command()));
    let work = job.work();
    second.says(4, &["another gobprove works in this directory", work.to_str().expect("a plain path")]);
    job.has_finished(&Ended::of(first));
}

#[test]
fn c11_files_of_another_version_are_refused() {
    let job = Job::new();
    let mut child = start(&mut job.command());
    wait_for_tiers(&job, &mut child, 1);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let identity = job.work().join("identity");
    let own = fs::read_to_string(&identity).expect("text");
    fs::write(&identity, own.replace("gobprove ", "gobprove 9.")).expect("written");
    let told = Ended::of(start(&mut job.command()));
    let version = &own[own.find("gobprove ").expect("a version")..];
    told.says(4, &["made for gobprove 9.", &format!(", not for {version}"), "--fresh to discard"]);
    fs::write(&identity, own).expect("written");
    job.finish();
}

#[test]
fn c05_a_file_that_grows_too_large_stops_it_with_a_clear_error() {
    let job = Job::new();
    let limited = |command: &Command| {
        let mut limited = Command::new("bash");
        // With the signal ignored a write beyond the limit, in KiB, is an error, as on a full disk.
        limited.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""]);
        limited.arg(command.get_program()).args(command.get_args());
        limited.stdout(Stdio::piped()).stderr(Stdio::piped());
        Ended::of(start(&mut limited))
    };
    let cannot = ["cannot write", "bytes to the temporary file"];
    let told = limited(&job.command());
    told.says(4, &[&cannot[..], &["what is finished is kept", "goes on from here"]].concat());
    assert!(!job.out().exists());
    // A refutation keeps its working files beside what it writes, unless told where.
    let other = job.out().with_file_name("other.gobcert");
    let mut refute = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    refute.args(["refute", "A3-A3B3C1", "--discipline", "a=1,b=0", "--out"]).arg(&other);
    limited(&refute).says(4, &[&cannot[..], &["what is finished is kept", "goes on from here"]].concat());
    assert!(!other.exists());
    fs::remove_dir_all(job.out().with_file_name("other.gobcert.work")).expect("its working files");
    job.finish();
}

#[test]
#[cfg(target_os = "linux")]
fn c05_a_directory_that_cannot_be_written_is_told_before_the_work() {
    let job = Job::new();
    for (out, dir) in [("/proc/x.gobcert", None), ("x.gobcert", Some("/proc/work"))] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        command.args(["generate", "abc", "--memory", "900T", "--out", out]).current_dir(job.dir.path());
        if let Some(dir) = dir {
            command.args(["--dir", dir]);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Ended::of(start(&mut command)).says(4, &["/proc"]);
    }
    assert_eq!(fs::read_dir(job.dir.path()).expect("a directory").count(), 0, "nothing is left behind");
}

#[test]
fn c07_too_little_memory_is_told_before_the_work() {
    let job = Job::new();
    let child = start(job.command().args(["--memory", "1M"]));
    Ended::of(child).says(4, &["ab needs", "1024 KiB", "--memory"]);
    assert!(!job.work().exists());
}
