//! The commands, a file or a folder each.

pub mod check_strategy;
pub mod completions;
pub mod count;
pub mod estimate;
pub mod expand;
pub mod explain;
pub mod export;
pub mod generate;
pub mod info;
pub mod perft;
pub mod prove;
pub mod query;
pub mod refute;
pub mod regenerate;
pub mod reproduce;
pub mod solve;
pub mod status;
pub mod tune;
pub mod update;
pub mod verify;
