//! Help, completions and what is no command.

use clap::CommandFactory as _;
use gobprove::cli::Cli;

use super::gobprove;

const COMMANDS: [&str; 23] = [
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
    "count",
    "estimate",
    "tune",
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
