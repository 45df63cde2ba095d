//! The commands, a file or a folder each.

pub mod counting;
pub mod expand;
pub mod explain;
pub mod export;
pub mod generate;
pub mod info;
pub mod junior;
pub mod playing;
pub mod plot;
pub mod prove;
pub mod query;
pub mod refute;
pub mod regenerate;
pub mod rules;
pub mod serve;
pub mod shell;
pub mod solve;
pub mod status;
pub mod suite;
pub mod thesis;
pub mod tune;
pub mod verify;
