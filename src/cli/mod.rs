//! The command line of `gobprove`: the list of its [`commands`], and the [`console`] that they share.
//!
//! Untrusted: it brings bytes to the checker and prints what the checker says.

pub mod commands;
pub mod console;
mod over;

use std::borrow::Cow;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::error::ContextKind;
use clap::{Parser, Subcommand};

use crate::cluster::Wire;
use crate::store::sha256_hex;
use commands::counting::{count, estimate, perft};
use commands::playing::{compete, play, ugi};
use commands::shell::{completions, man};
use commands::thesis::{check_strategy, reproduce, update};
use commands::{
    expand, explain, export, generate, info, plot, prove, query, refute, regenerate, rules, serve, solve,
    status, suite, tune, verify,
};
use console::exit::{Ended, Exit, Failure};
use console::report::{self, Out};
use console::{signals, wrap};

const AFTER_HELP: &str = "\
Examples:
  gobprove verify ab                          check every closure that ships for ab
  gobprove status                             what is proven of which variant
  gobprove generate ab                        prove ab from nothing, to ab-official-closure.gobcert
  gobprove refute A2B2-A3B3                   prove that there Black wins
  gobprove reproduce                          the thesis's figures beside the same ones computed here
  gobprove explain '.,.,.,./.,.,.,./.,.,.,./.,.,.,. b'   what is known of a position
  gobprove count                              how many positions the named variants have
  gobprove estimate abc                       what memory, disk and time it would take to solve abc
  gobprove perft 4                            count moves to depth 4
  gobprove rules                              the rules of the game, as certificates cite them
  gobprove serve                              explore certificates in a browser
  gobprove play                               play against what is proven, and an engine

Variants: ab, ab-full, abc, abc-full, abcd, abcd-full, or material spelled out, White's first, such
as A3-A3B3C1. junior is Gobblet Gobblers, the game on nine squares: solve, query, suite,
explain, play, count and perft know it. Readings: official, thesis, strict-lift, no-entry-cover, robust.

Exit codes: 0 done or verified; 1 rejected: not an acceptable certificate, or the claim is false;
2 the command line is wrong; 3 inconclusive, a limit was met; 4 something cannot be opened, read,
written or had; 101 a bug; 130 and 143 interrupted. Results go to stdout, all else to stderr.

gobprove COMMAND --help says more about a command.";

/// What `--version` prints after the name: the version, the commit if `GOBPROVE_COMMIT` was set for the build, and the
/// SHA-256 of `certificates/SHA256SUMS`.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("GOBPROVE_COMMIT")
        .unwrap_or("unknown: to record it build with GOBPROVE_COMMIT=$(git rev-parse HEAD)");
    format!(
        "{}\ncommit {commit}\ncertificates {}, SHA-256 of SHA256SUMS",
        env!("CARGO_PKG_VERSION"),
        sha256_hex(include_bytes!("../../certificates/SHA256SUMS"))
    )
});

/// Proofs about the board game Gobblet that anybody can check
///
/// The claim of a certificate: from the empty board, whoever moves first, White, playing only its own
/// material, can go on for ever without losing; or the opposite, in a refutation: Black can force a line.
#[derive(Parser, Debug)]
#[command(name = "gobprove", version, long_version = VERSION.as_str(), after_help = AFTER_HELP, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
enum Command {
    Verify(verify::VerifyArgs),
    Status(status::StatusArgs),
    Regenerate(regenerate::RegenerateArgs),
    Generate(generate::GenerateArgs),
    Prove(prove::ProveArgs),
    Expand(expand::ExpandArgs),
    Refute(refute::RefuteArgs),
    Info(info::InfoArgs),
    Update(update::UpdateArgs),
    CheckStrategy(check_strategy::CheckStrategyArgs),
    Reproduce(reproduce::ReproduceArgs),
    Explain(explain::ExplainArgs),
    Solve(solve::SolveArgs),
    Query(query::QueryArgs),
    Suite(suite::SuiteArgs),
    Export(export::ExportArgs),
    Serve(serve::ServeArgs),
    Play(play::PlayArgs),
    Ugi(ugi::UgiArgs),
    #[command(name = "match")]
    Match(compete::MatchArgs),
    Count(count::CountArgs),
    Estimate(estimate::EstimateArgs),
    Tune(tune::TuneArgs),
    Plot(plot::PlotArgs),
    Perft(perft::PerftArgs),
    Rules(rules::RulesArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    fn run(&self) -> Ended {
        match self {
            Command::Verify(args) => args.run(),
            Command::Status(args) => args.run(),
            Command::Regenerate(args) => args.run(),
            Command::Generate(args) => args.run(),
            Command::Prove(args) => args.run(),
            Command::Expand(args) => args.run(),
            Command::Refute(args) => args.run(),
            Command::Info(args) => args.run(),
            Command::Update(args) => args.run(),
            Command::CheckStrategy(args) => args.run(),
            Command::Reproduce(args) => args.run(),
            Command::Explain(args) => args.run(),
            Command::Solve(args) => args.run(),
            Command::Query(args) => args.run(),
            Command::Suite(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::Serve(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Ugi(args) => args.run(),
            Command::Match(args) => args.run(),
            Command::Count(args) => args.run(),
            Command::Estimate(args) => args.run(),
            Command::Tune(args) => args.run(),
            Command::Plot(args) => args.run(),
            Command::Perft(args) => args.run(),
            Command::Rules(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}

/// Runs `gobprove` on the process's own command line.
#[must_use]
pub fn main() -> ExitCode {
    run(true, |cli: &Cli| cli.command.run())
}

/// Runs `gobprove-mpi` on the command line of one of several processes. The first of them speaks for all.
#[must_use]
pub fn main_over(wire: &dyn Wire) -> ExitCode {
    run(wire.rank() == 0, |cli: &over::OverCli| cli.run(wire))
}

/// Runs a program on the process's own command line. A process that does not speak prints only its own failures, on stderr: no
/// usage errors, not that it was interrupted, and not that another process has failed.
fn run<C: Parser>(speaks: bool, run: impl FnOnce(&C) -> Ended) -> ExitCode {
    say_that_panics_are_bugs();
    let command = wrap::with_help_set(C::command());
    let parsed = command.try_get_matches().and_then(|matches| C::from_arg_matches(&matches));
    match parsed {
        Ok(cli) => signals::heed(speaks.then_some(tell as fn(&Failure)))
            .and_then(|()| run(&cli))
            .unwrap_or_else(|failure| {
                let interrupted = [Exit::Interrupted, Exit::Terminated].contains(&failure.exit());
                if speaks {
                    tell(&failure);
                } else if !interrupted && failure != over::elsewhere() {
                    report::say(&failure.to_string());
                }
                failure.exit()
            }),
        Err(error) => {
            if speaks {
                tell_of_use(&error);
            }
            if error.use_stderr() { Exit::Usage } else { Exit::Done }
        }
    }
    .into()
}

/// Prints what is wrong with the command line, or the help or version that it asks for.
fn tell_of_use(error: &clap::Error) {
    if error.use_stderr() && asks_for_json() {
        let _ = Out::new().json(&wrong_use(error).json());
    }
    let text = error.render().to_string();
    let told = in_words(&text);
    match report::plain(&told) {
        // Help and version go to stdout, and whoever closed that has seen enough.
        Cow::Borrowed(_) if told == text => drop(error.print()),
        // Something was escaped or put into plainer words, so this text has no colours.
        told => report::say(told.trim_end()),
    }
}

/// Says why a command ends without a result.
fn tell(failure: &Failure) {
    if signals::is_part() && [Exit::Interrupted, Exit::Terminated].contains(&failure.exit()) {
        return;
    }
    report::say(&failure.to_string());
    // JSON that is on stdout already says what it did not reach, and stdout holds one value.
    if asks_for_json() && !report::json_was_told() {
        // If stdout cannot be written there is nobody left to tell.
        let _ = Out::new().json(&failure.json());
    }
}

/// Whether the command line asks for JSON, even where it is wrong otherwise.
fn asks_for_json() -> bool {
    std::env::args_os().skip(1).take_while(|argument| argument != "--").any(|argument| argument == "--json")
}

/// What is wrong with the command line, in one line.
fn wrong_use(error: &clap::Error) -> Failure {
    let text = in_words(&error.render().to_string());
    // Missing arguments stand on lines of their own, after a first line that ends in a colon.
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let missing = rest.lines().take_while(|line| !line.is_empty() && first.ends_with(':')).map(str::trim);
    let what = [first].into_iter().chain(missing).collect::<Vec<_>>().join(" ");
    let failure = Failure::usage(what.strip_prefix("error: ").unwrap_or(&what));
    let failure =
        failure.next("gobprove --help lists the commands, gobprove COMMAND --help the options of one");
    match error.get(ContextKind::InvalidArg) {
        Some(argument) => failure.at(argument_name(&argument.to_string())),
        None => failure,
    }
}

/// The text with the standard library's words for a malformed number put more plainly.
fn in_words(text: &str) -> String {
    let words = [
        ("invalid digit found in string", "a whole number is wanted"),
        ("cannot parse integer from empty string", "a whole number is wanted"),
        ("number too large to fit in target type", "the number is too large"),
        ("invalid float literal", "a number is wanted"),
    ];
    words.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// The name of an argument as people type it, `--reading`, or as the help calls it, `VARIANT`. `usage` also has its value
/// and signs for optional and repeated ones: `--reading <READING>`, `[VARIANT]...`.
fn argument_name(usage: &str) -> &str {
    let first = usage.split_whitespace().next().unwrap_or(usage);
    first.split('=').next().unwrap_or(first).trim_matches(['[', ']', '<', '>', '.', ','])
}

fn say_that_panics_are_bugs() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        report::say(
            "error: this is a bug in gobprove; no verdict was reached\n  next: report the lines above",
        );
    }));
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
        over::OverCli::command().debug_assert();
    }

    #[test]
    fn what_is_no_number_is_told_in_words() {
        for (bad, told) in
            [("x", "a whole number is wanted"), ("999999999999999999999999", "the number is too large")]
        {
            let error =
                Cli::command().try_get_matches_from(["gobprove", "perft", bad]).expect_err("no depth");
            assert!(in_words(&error.render().to_string()).contains(told), "{error}");
        }
    }

    #[test]
    fn an_argument_is_called_as_people_type_it() {
        for (usage, name) in [
            ("--reading <READING>", "--reading"),
            ("--color[=<WHEN>]", "--color"),
            ("[VARIANT]...", "VARIANT"),
            ("<PLAYER> <PLAYER>...", "PLAYER"),
            ("--jsn", "--jsn"),
            ("nosuch", "nosuch"),
            ("<VARIANT>, <POSITION>...", "VARIANT"),
        ] {
            assert_eq!(argument_name(usage), name);
        }
    }

    #[test]
    fn every_command_and_argument_has_help() {
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            assert!(command.get_after_help().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }
}
