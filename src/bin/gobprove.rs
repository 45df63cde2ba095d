//! `gobprove`: makes, checks and explains certificates about Gobblet.

use std::process::ExitCode;

use gobprove::cli::console::allocator::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    gobprove::cli::main()
}
