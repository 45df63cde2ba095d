//! `gobprove completions`: shell completions.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::cli::console::exit::{Ended, Exit, Failure};
use crate::cli::console::report::Out;

const EXAMPLES: &str = "\
Examples:
  gobprove completions bash > ~/.local/share/bash-completion/completions/gobprove
  gobprove completions zsh > ~/.zfunc/_gobprove
  gobprove completions fish > ~/.config/fish/completions/gobprove.fish";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The script cannot be written.
    pub fn run(&self) -> Ended {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "gobprove", &mut script);
        let text = String::from_utf8(script).map_err(|error| Failure::new(Exit::Bug, error))?;
        Out::new().verbatim(text.trim_end())?;
        Ok(Exit::Done)
    }
}
