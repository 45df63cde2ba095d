//! What a shell and its user look things up in.

pub mod completions;
pub mod man;
