//! `gobprove`: makes, checks and explains certificates about Gobblet.

use std::process::ExitCode;

fn main() -> ExitCode {
    gobprove::cli::main()
}
