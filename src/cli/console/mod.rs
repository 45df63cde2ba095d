//! What the commands share: how options are read, results printed, failures told and long work watched.

pub mod allocator;
pub mod answers;
pub mod args;
pub mod exit;
pub mod lattice;
pub mod memory;
pub mod nearest;
pub mod position;
pub mod progress;
pub mod report;
pub mod shipped;
pub mod signals;
pub mod work;
