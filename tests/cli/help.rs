//! Help, completions and what is no command.

use clap::CommandFactory as _;
use gobprove::cli::Cli;

use super::gobprove;
#[cfg(unix)]
use super::thorough::thorough;

const COMMANDS: [&str; 27] = [
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

/// Examples that take more than some seconds, need what takes minutes to make, or go on until they are ended.
#[cfg(unix)]
const LONG: [&str; 44] = [
    "gobprove count junior",
    "gobprove play junior",
    "gobprove play --variant ab-full --solved ab-full-official.gobsolved",
    "gobprove match level:1 level:2 level:3 --games 100 --log levels.log",
    "gobprove match nodes:4000 nodes:1000 --games 20 --variant abc-full --json",
    "gobprove estimate A3B3-A3B3C1 --discipline b=1,c=0",
    "gobprove check-strategy repaired",
    "gobprove check-strategy thesis --option untyped=lost --option counted=a --json",
    "gobprove reproduce sizes branching --json",
    "gobprove verify ab --kind cut",
    "gobprove generate ab --kind cut --out ab.gobcert",
    "gobprove tune ab --weights two=8,small=50 --steps 3",
    "gobprove reproduce fixpoint --attempts",
    "gobprove reproduce --markdown",
    "gobprove serve",
    "gobprove serve ab my.gobcert",
    "gobprove serve A3B2-A3B3C2 --port 0",
    "gobprove verify",
    "gobprove verify --all",
    "gobprove verify ab --with coq,python",
    "gobprove regenerate ab --into again",
    "gobprove regenerate --all --within 8h",
    "gobprove regenerate --all --memory 4G --json",
    "gobprove prove A3B3-A3B3C3 --most 3000000",
    "gobprove prove A3B1-A3B3C1 --values work",
    "gobprove solve A3B1-A3B3C1 --no-file --dir work",
    "gobprove refute A2B2-A3B3",
    "gobprove refute A3-A3B3C1 --discipline a=1,b=0",
    "gobprove reproduce",
    "gobprove solve ab-full",
    "gobprove solve A3-A3B3C1 --verbose",
    "gobprove solve A3-A3B3C1 --no-file --discipline a=1,b=0",
    "gobprove solve A3B1-A3B3C2 --no-file --dir work",
    "gobprove query ab-full '.,.,.,./.,A,.,./.,.,a,./.,.,.,. w'",
    "gobprove query ab-full start --moves 'A@a1 a@b2 a1-c3'",
    "gobprove query ab-full '4/1,A,2/2,a,1/4 w' 'A,3/4/4/4 b'",
    "gobprove query ab-full - --brief --json < positions.txt",
    "gobprove query A3-A3B3C1 'start b' --file my.gobsolved --json",
    "gobprove solve junior",
    "gobprove query junior start --moves 'S@b1 m@a2'",
    "gobprove query junior 'L,2/1,s,1/3 w' --json",
    "gobprove explain 'L,2/1,s,1/3 w' --variant junior",
    "gobprove tune ab",
    "gobprove tune ab-full --most 100000",
];

/// Commands whose other examples work for some seconds each: the weekly run tries them.
#[cfg(unix)]
const WORKING: [&str; 6] = ["generate", "prove", "refute", "check-strategy", "reproduce", "regenerate"];

/// The examples in a command's help: what stands before two spaces is the command, and behind it may stand that it exits with 1.
#[cfg(unix)]
fn examples(command: &clap::Command) -> Vec<(String, bool)> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines =
        help.lines().skip_while(|line| *line != "Examples:").filter(|line| line.starts_with("  gobprove"));
    let parted = lines.map(|line| line.trim().split_once("  ").unwrap_or((line.trim(), "")));
    parted.map(|(line, told)| (line.to_owned(), told.contains("exit 1"))).collect()
}

/// Every example runs, in a directory that has what it names, and does what it says.
#[cfg(unix)]
#[test]
fn every_example_of_a_help_text_runs() {
    let own = tempfile::tempdir().expect("a directory");
    let place = |name: &str| own.path().join(name);
    for dir in ["DIR", ".zfunc", ".config/fish/completions", ".local/share/bash-completion/completions"] {
        std::fs::create_dir_all(place(dir)).expect("a directory");
    }
    let all = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates");
    std::os::unix::fs::symlink(all, place("certificates")).expect("a link");
    std::fs::write(place("positions.txt"), "start\nstart b\n").expect("written");
    std::fs::write(place("commands.txt"), "ugi\nposition startpos\ngo nodes 1000\nquit\n").expect("written");
    let closure = super::certificates::shipped("ab-official-closure.gobcert");
    for copy in ["my.gobcert", "DIR/my.gobcert"] {
        std::fs::copy(&closure, place(copy)).expect("copied");
    }
    let program = std::path::Path::new(assert_cmd::cargo::cargo_bin!("gobprove"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a directory").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let run = |line: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", line]).current_dir(own.path()).env("PATH", &path).env("HOME", own.path());
        super::Ran::of(&mut shell)
    };
    run("gobprove prove ab --json --out proved.gobcert > ab.json").ok();
    let cli = Cli::command();
    let mut met = Vec::new();
    for (example, may_fail) in std::iter::once(&cli).chain(cli.get_subcommands()).flat_map(examples) {
        // To read a page needs a program that is not everywhere.
        let line = example.split(" | man ").next().unwrap_or_default();
        if LONG.contains(&line) {
            met.push(line.to_owned());
            continue;
        }
        let command = line.split(' ').nth(1).unwrap_or_default();
        if WORKING.contains(&command) && !thorough() {
            continue;
        }
        let ran = run(line);
        assert!(ran.code == Some(0) || may_fail && ran.code == Some(1), "{line}: {ran:?}");
        // What goes to a file is not on stdout.
        assert_eq!(ran.stdout.is_empty(), line.contains(" > "), "{line}: {ran:?}");
    }
    let stale: Vec<&&str> = LONG.iter().filter(|long| !met.iter().any(|met| met == *long)).collect();
    assert!(stale.is_empty(), "no help text has {stale:?}");
}
