//! What the commands share: reading options, printing results, reporting failures, showing progress.

pub mod allocator;
pub mod answers;
pub mod args;
pub mod asked;
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
pub mod wrap;
