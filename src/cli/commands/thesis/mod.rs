//! The thesis's algorithms one by one, and its tables.

pub mod check_strategy;
pub mod reproduce;
pub mod update;
