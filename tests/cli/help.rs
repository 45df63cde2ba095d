//! Help, completions and what is no command.

#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::sync::mpsc;
#[cfg(unix)]
use std::time::Duration;

use clap::CommandFactory as _;
use gobprove::cli::Cli;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use super::gobprove;
#[cfg(unix)]
use super::{Ran, solved_junior::solved_junior, thorough::thorough};

const COMMANDS: [&str; 28] = [
    "verify",
    "status",
    "regenerate",
    "generate",
    "prove",
    "expand",
    "refute",
    "info",
    "update",
    "check-strategy",
    "reproduce",
    "explain",
    "solve",
    "query",
    "suite",
    "export",
    "serve",
    "play",
    "ugi",
    "match",
    "count",
    "estimate",
    "tune",
    "plot",
    "perft",
    "rules",
    "completions",
    "man",
];

#[test]
fn these_are_all_commands() {
    let cli = Cli::command();
    assert!(cli.get_subcommands().map(clap::Command::get_name).eq(COMMANDS));
}

#[test]
fn help_lists_every_command_the_variants_and_the_exit_codes() {
    let ran = gobprove(&["--help"]);
    let help = ran.ok();
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}: {help}");
    }
    for word in ["gobprove verify ab", "abcd-full", "strict-lift", "Exit codes", "101", "130 and 143"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
}

#[test]
fn every_command_explains_itself_with_examples() {
    for command in COMMANDS {
        let ran = gobprove(&[command, "--help"]);
        assert!(ran.ok().contains(&format!("Examples:\n  gobprove {command}")), "{ran:?}");
        assert_eq!(ran.stderr, "");
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100), "{}", ran.stdout);
    }
}

#[test]
fn the_version_is_the_packages() {
    let first = concat!("gobprove ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(gobprove(&["-V"]).ok(), first);
    let long = gobprove(&["--version"]);
    let sums = std::fs::read(super::certificates::shipped("SHA256SUMS")).expect("what ships");
    let sum = format!("\ncertificates {}, ", gobprove::store::sha256_hex(&sums));
    assert!(long.ok().starts_with(first) && long.stdout.contains(&sum), "{long:?}");
    assert!(long.stdout.contains("\ncommit "), "{long:?}");
}

#[test]
fn every_command_has_a_manual_page() {
    let own = tempfile::tempdir().expect("a directory");
    let pages = own.path().join("man1");
    gobprove(&["man", "--out", super::text(&pages)]).ok();
    for command in COMMANDS {
        let page = std::fs::read_to_string(pages.join(format!("gobprove-{command}.1"))).expect("a page");
        assert!(
            page.contains(".TH gobprove-")
                && page.replace("\\-", "-").contains(&format!("gobprove {command}")),
            "{page}"
        );
        assert_eq!(gobprove(&["man", command]).ok(), format!("{}\n", page.trim_end()));
    }
    let page = gobprove(&["man"]);
    assert!(page.ok().contains(".TH gobprove ") && page.stdout.contains("Exit codes"), "{page:?}");
    gobprove(&["man", "verfy"]).error(2, &["no command \"verfy\""]);
}

#[test]
fn what_is_no_command_is_a_usage_error() {
    gobprove(&["verfy"]).error(2, &["verfy", "verify"]);
    gobprove(&["count", "--jsn"]).error(2, &["--jsn", "--json"]);
    let none = gobprove(&[]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""));
    assert!(none.stderr.contains("Usage: gobprove"), "{none:?}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = gobprove(&["completions", shell]);
        let missing = COMMANDS.into_iter().find(|command| !ran.ok().contains(command));
        assert_eq!(missing, None, "{shell}");
        if ["bash", "zsh", "fish"].contains(&shell) {
            assert!(ran.stdout.contains("no-entry-cover"), "{shell}: values are completed too");
        }
    }
    gobprove(&["completions", "cmd"]).error(2, &["cmd", "bash"]);
}

/// Examples that take more than some seconds, or go on until they are ended: they are interrupted if they still run then.
#[cfg(unix)]
const LONG: [&str; 36] = [
    "gobprove solve junior",
    "gobprove count junior",
    "gobprove play junior",
    "gobprove match level:1 level:2 level:3 --games 100 --log levels.log",
    "gobprove estimate A3B3-A3B3C1 --discipline b=1,c=0",
    "gobprove suite ab",
    "gobprove suite A1-A3B3 --file won.gobsolved > suite.txt",
    "gobprove suite junior --wins 20 --only 50",
    "gobprove check-strategy repaired",
    "gobprove check-strategy thesis --option untyped=lost --option counted=a --json",
    "gobprove verify ab --kind cut",
    "gobprove verify",
    "gobprove verify --all",
    "gobprove verify ab --with coq,python",
    "gobprove generate ab --kind cut --out ab.gobcert",
    "gobprove tune ab",
    "gobprove tune ab-full --most 100000",
    "gobprove tune ab --weights two=8,small=50 --steps 3",
    "gobprove reproduce",
    "gobprove reproduce fixpoint --attempts",
    "gobprove reproduce sizes branching --json",
    "gobprove reproduce --markdown",
    "gobprove serve",
    "gobprove serve ab my.gobcert",
    "gobprove serve ab-official.gobsolved",
    "gobprove serve A3B2-A3B3C2 --port 0",
    "gobprove regenerate ab --into again",
    "gobprove regenerate --under 10K",
    "gobprove regenerate --all --within 8h",
    "gobprove regenerate --all --memory 4G --json",
    "gobprove prove A3B3-A3B3C2 --most 3000000",
    "gobprove refute A2B2-A3B3",
    "gobprove refute A3-A3B3C1 --discipline a=1,b=0",
    "gobprove solve A3-A3B3C1 --verbose",
    "gobprove solve A3-A3B3C1 --no-file --discipline a=1,b=0",
    "gobprove solve ab-full",
];

/// Commands whose other examples work for some seconds each: by day they are interrupted too.
#[cfg(unix)]
const WORKING: [&str; 6] = ["generate", "prove", "refute", "check-strategy", "reproduce", "regenerate"];

/// What has to be there before the examples run: the files that they name, and those of the commands that they say come before.
#[cfg(unix)]
const BEFORE: [&str; 5] = [
    "gobprove prove ab --json --out proved.gobcert > ab.json",
    "gobprove solve ab --distances",
    "gobprove solve A1-A3B3 --distances --out won.gobsolved",
    "gobprove solve A2-A3B1 --out my.gobsolved",
    "gobprove solve A3-A3B2C1 --no-file --dir solved",
];

/// The examples in a command's help: what stands before two spaces is the command, and behind it may stand that it exits with 1.
#[cfg(unix)]
fn examples(command: &clap::Command) -> Vec<(String, bool)> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines =
        help.lines().skip_while(|line| *line != "Examples:").filter(|line| line.starts_with("  gobprove"));
    let parted = lines.map(|line| line.trim().split_once("  ").unwrap_or((line.trim(), "")));
    parted.map(|(line, told)| (line.to_owned(), told.contains("exit 1"))).collect()
}

/// Where examples run, as a shell runs them.
#[cfg(unix)]
struct Shell {
    own: tempfile::TempDir,
    path: String,
}

#[cfg(unix)]
impl Shell {
    /// A directory that has what the examples name.
    fn new() -> Shell {
        let own = tempfile::tempdir().expect("a directory");
        let place = |name: &str| own.path().join(name);
        for dir in ["DIR", ".zfunc", ".config/fish/completions", ".local/share/bash-completion/completions"] {
            std::fs::create_dir_all(place(dir)).expect("a directory");
        }
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["certificates", "tests"] {
            std::os::unix::fs::symlink(project.join(folder), place(folder)).expect("a link");
        }
        std::fs::write(place("positions.txt"), "start\nstart b\n").expect("written");
        let commands = "ugi\nposition startpos\ngo nodes 1000\nquit\n";
        std::fs::write(place("commands.txt"), commands).expect("written");
        let closure = super::certificates::shipped("ab-official-closure.gobcert");
        for copy in ["my.gobcert", "DIR/my.gobcert"] {
            std::fs::copy(&closure, place(copy)).expect("copied");
        }
        let program = std::path::Path::new(assert_cmd::cargo::cargo_bin!("gobprove"));
        let path = format!(
            "{}:{}:{}",
            program.parent().expect("a directory").display(),
            FORMAL,
            std::env::var("PATH").unwrap_or_default()
        );
        Shell { own, path }
    }

    /// Starts a line, in a group of its own.
    fn start(&self, line: &str) -> Child {
        let mut shell = Command::new("sh");
        // The shell hears an interrupt as well, and is to stay and say how the program ended.
        shell.args(["-c", &format!("trap : INT\n{line}")]);
        shell.current_dir(self.own.path()).env("PATH", &self.path).env("HOME", self.own.path());
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell.process_group(0).spawn().expect("a shell")
    }

    /// Discards what interrupted commands have left to go on from: others that write files of the same names refuse it.
    fn discard_work(&self) {
        for entry in std::fs::read_dir(self.own.path()).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "work") {
                std::fs::remove_dir_all(path).expect("removed");
            }
        }
    }

    /// Runs a line to its end.
    fn run(&self, line: &str) -> Ran {
        Ran::from(self.start(line).wait_with_output().expect("it ends"))
    }

    /// Runs a line, and interrupts it as Ctrl-C does if it still runs after that time. Whether it was interrupted stands beside
    /// what it did.
    fn run_for(&self, line: &str, patience: Duration) -> (Ran, bool) {
        let child = self.start(line);
        let group = Pid::from_child(&child);
        let (ended, wait) = mpsc::channel();
        let interrupts = std::thread::spawn(move || {
            let late = wait.recv_timeout(patience).is_err();
            late && kill_process_group(group, Signal::INT).is_ok()
        });
        let output = child.wait_with_output().expect("it ends");
        // Where it was late nobody listens any more.
        let _ = ended.send(());
        (Ran::from(output), interrupts.join().expect("it waits"))
    }
}

/// Where the checker in Coq is built.
#[cfg(unix)]
const FORMAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/formal/build");

/// Whether a line cannot be tried here, since Coq's checker is not built. `.ci/run` asks for it.
#[cfg(unix)]
fn lacks_coq(line: &str) -> bool {
    let lacks = line.contains("--with coq") && !Path::new(FORMAL).join("gobcheck-coq").exists();
    let required = std::env::var("GOBPROVE_FORMAL").is_ok_and(|value| value == "required");
    assert!(!(lacks && required), "{FORMAL} has no gobcheck-coq");
    lacks
}

/// Every example runs, in a directory that has what it names, and does what it says. One that works for long says on an
/// interrupt with which command it goes on or begins anew; with all tests it has had half a minute then.
#[cfg(unix)]
#[test]
fn every_example_of_a_help_text_runs() {
    let shell = Shell::new();
    for line in BEFORE {
        shell.run(line).ok();
    }
    solved_junior(&shell.own.path().join("junior-official.gobsolved"));
    let patience = Duration::from_millis(if thorough() { 30_000 } else { 300 });
    let cli = Cli::command();
    let (mut met, mut working) = (Vec::new(), 0);
    for (example, may_fail) in std::iter::once(&cli).chain(cli.get_subcommands()).flat_map(examples) {
        // To read a page needs a program that is not everywhere.
        let line = example.split(" | man ").next().unwrap_or_default();
        let command = line.split(' ').nth(1).unwrap_or_default();
        let is_long = LONG.contains(&line);
        if is_long {
            met.push(line.to_owned());
        }
        if lacks_coq(line) {
            eprintln!("SKIPPED: {line}: make -C formal builds the checker in Coq");
            continue;
        }
        let (ran, interrupted) = if is_long || WORKING.contains(&command) && !thorough() {
            working += 1;
            // By day a third of what is ended anyway.
            if !thorough() && working % 3 != 0 {
                continue;
            }
            shell.run_for(line, patience)
        } else {
            (shell.run(line), false)
        };
        let is_done = ran.code == Some(0) || may_fail && ran.code == Some(1);
        if interrupted && !(is_done && ran.stderr.is_empty()) {
            let says = ran.stderr.contains("\n  next: gobprove ") || ran.stdout.contains("; Ctrl-C ends it");
            assert!(ran.code == Some(130) && says || is_done, "{line}: {ran:?}");
            shell.discard_work();
            continue;
        }
        assert!(is_done, "{line}: {ran:?}");
        // What goes to a file is not on stdout.
        let to_file = line.contains(" > ") || line.starts_with("gobprove plot ") && line.contains(" --png ");
        assert_eq!(ran.stdout.is_empty(), to_file, "{line}: {ran:?}");
    }
    let stale: Vec<&&str> = LONG.iter().filter(|long| !met.iter().any(|met| met == *long)).collect();
    assert!(stale.is_empty(), "no help text has {stale:?}");
}
