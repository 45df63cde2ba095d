//! `gobprove man`: manual pages.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::report::{Out, grouped};
use crate::store::{System, write_file};

const EXAMPLES: &str = "\
Examples:
  gobprove man | man -l -                       read the page of gobprove
  gobprove man verify | man -l -                read the page of one command
  gobprove man --out ~/.local/share/man/man1    write all pages, as man gobprove-verify finds them";

/// Print the manual page of gobprove or of a command
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// The command; without one the page is about gobprove
    command: Option<String>,
    /// Write the pages of all commands into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

impl ManArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// There is no such command, or the pages cannot be written.
    pub fn run(&self) -> Ended {
        let mut all = Cli::command();
        // What the commands share is in each of them, as in --help.
        all.build();
        let mut out = Out::new();
        if let Some(dir) = &self.out {
            std::fs::create_dir_all(dir).map_err(|error| {
                Failure::unavailable(format!("cannot make {}: {error}", shown(dir))).at(shown(dir))
            })?;
            let commands = all.get_subcommands().filter(|command| command.get_name() != "help");
            let pages: Vec<_> = std::iter::once(&all).chain(commands).collect();
            for command in &pages {
                let path = dir.join(format!("{}.1", title(command)));
                write_file(&System, &path, &page(command)?)?;
            }
            out.line(&format!("{}: {} pages", shown(dir), grouped(pages.len() as u128)))?;
            return Ok(Exit::Done);
        }
        let command = match &self.command {
            None => &all,
            Some(name) => all.find_subcommand(name).ok_or_else(|| {
                Failure::usage(format!("there is no command {name:?}"))
                    .next("gobprove --help lists the commands")
            })?,
        };
        let text = String::from_utf8(page(command)?).map_err(|error| Failure::new(Exit::Bug, error))?;
        out.verbatim(text.trim_end())?;
        Ok(Exit::Done)
    }
}

/// What the page is called: `gobprove`, or `gobprove-verify`.
fn title(command: &clap::Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// A page in the language of `man`.
fn page(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let man = Man::new(command.clone())
        .title(title(command))
        .source(concat!("gobprove ", env!("CARGO_PKG_VERSION")));
    man.render(&mut page).map_err(|error| Failure::new(Exit::Bug, error))?;
    Ok(page)
}
